// What nobody can read in the graph that is shown: boxes, names or tags upon each other, a text
// that leaves its box, a tag that is cut off. A function of the page: returns a line for each.
() => {
  const rect = (element) => element.getBoundingClientRect();
  const apart = (a, b) =>
    a.right <= b.left + 1 || b.right <= a.left + 1 || a.bottom <= b.top + 1 || b.bottom <= a.top + 1;
  const within = (a, b, by) =>
    a.left >= b.left - by && a.right <= b.right + by && a.top >= b.top - by && a.bottom <= b.bottom + by;
  const found = [];
  const pairs = (elements, what, name) => {
    const rects = elements.map(rect);
    rects.forEach((one, at) => {
      for (let before = 0; before < at; before += 1) {
        if (apart(one, rects[before])) continue;
        found.push(`${what}: ${name(elements[at])} / ${name(elements[before])}`);
      }
    });
  };
  const textOf = (element) => element.parentElement.textContent;
  const nodes = [...document.querySelectorAll("[data-mg-node]")];
  const boxes = nodes.map((node) => [...node.querySelectorAll(".mg-box")].at(-1));
  pairs(boxes, "nodes overlap", (box) => box.closest("[data-mg-node]").getAttribute("aria-label"));
  pairs([...document.querySelectorAll(".mg-frame-name rect")], "names of boxes overlap", textOf);
  nodes.forEach((node, at) => {
    for (const line of node.querySelectorAll("text")) {
      if (line.closest(".mg-state")) continue;
      if (!within(rect(line), rect(boxes[at]), 3)) found.push(`leaves its box: ${line.textContent}`);
    }
    const tags = [...node.querySelectorAll(".mg-state rect")];
    pairs(tags, "tags overlap", textOf);
    for (const tag of tags) {
      if (!within(rect(tag), rect(node.closest("svg")), 0)) found.push(`cut off: ${textOf(tag)}`);
    }
  });
  for (const name of document.querySelectorAll(".mg-frame-name")) {
    const [ground, line] = [name.querySelector("rect"), name.querySelector("text")];
    if (!within(rect(line), rect(ground), 2)) found.push(`wider than its ground: ${line.textContent}`);
  }
  const bar = document.querySelector(".mg-graph-view > .mg-bar > .mg-row");
  const pin = [...(bar?.children ?? [])].at(-1);
  if (bar && innerWidth >= 1200 && rect(bar).height > 1.6 * rect(pin).height) found.push("the bar has two lines");
  return found;
};
