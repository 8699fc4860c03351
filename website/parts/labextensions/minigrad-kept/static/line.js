// A line of text with buttons, between a notebook's toolbar and its first cell.

const style = document.createElement("link");
style.rel = "stylesheet";
style.href = new URL("kept.css", import.meta.url).href;
document.head.append(style);

export class Line {
  /** A line above this notebook, which says nothing yet. */
  static async above(panel, shared) {
    const [lumino] = Object.values(shared["@lumino/widgets"]);
    const { Widget } = (await lumino.get())();
    return new Line(panel, new Widget());
  }

  constructor(panel, widget) {
    this.panel = panel;
    this.widget = widget;
    this.inside = document.createElement("section");
    this.inside.className = "mg-newer";
    this.inside.setAttribute("aria-label", "About this lesson");
    this.inside.setAttribute("aria-live", "polite");
    widget.node.append(this.inside);
    panel.contentHeader.addWidget(widget);
    // JupyterLab gives a part as much room as it demands: the text decides, at each width.
    this.sized = new ResizeObserver(() => {
      widget.node.style.minHeight = `${this.inside.offsetHeight}px`;
      panel.contentHeader.fit();
    });
    this.sized.observe(this.inside);
  }

  /** Words: text, {strong}, {text, href}, or {text, open}. Buttons: what each does, by its name. */
  say(words, buttons) {
    const text = document.createElement("p");
    text.append(...words.map(part));
    const row = document.createElement("div");
    row.append(...Object.entries(buttons).map(([name, press]) => this.button(name, press, row)));
    this.inside.replaceChildren(text, row);
  }

  button(name, press, row) {
    const made = document.createElement("button");
    made.type = "button";
    made.textContent = name;
    made.onclick = async () => {
      const all = [...row.children];
      all.forEach((one) => (one.disabled = true));
      try {
        await press();
      } finally {
        all.forEach((one) => (one.disabled = false));
      }
      this.inside.querySelector("button")?.focus();
    };
    return made;
  }

  close() {
    this.sized.disconnect();
    this.widget.dispose();
    this.panel.content.activate();
  }
}

function part(word) {
  if (typeof word === "string") return word;
  if ("strong" in word) {
    const strong = document.createElement("strong");
    strong.textContent = word.strong;
    return strong;
  }
  const link = document.createElement("a");
  link.textContent = word.text;
  link.href = word.href ?? "#";
  if (word.href) link.target = "_blank";
  if (word.open) {
    link.onclick = (event) => {
      event.preventDefault();
      word.open();
    };
  }
  return link;
}
