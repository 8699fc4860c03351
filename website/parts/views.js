// Brings the views of a page to life: each is drawn by the same script as in a notebook, from the
// state that it had there. There is no kernel, and answers are kept in this browser.
const file = document.documentElement.dataset.views;
const views = fetch(file).then((answer) => answer.json());

/** What a view sees of its state. */
function model(traits, kept) {
  const heard = new Map();
  const saved = localStorage.getItem(kept);
  if (saved !== null && "given" in traits) traits.given = JSON.parse(saved);
  return {
    get: (name) => traits[name],
    set(name, value) {
      traits[name] = value;
      if (name === "given") localStorage.setItem(kept, JSON.stringify(value));
      heard.get(`change:${name}`)?.forEach((listener) => listener());
    },
    on: (name, listener) => heard.set(name, [...(heard.get(name) ?? []), listener]),
    off: (name, listener) => heard.set(name, (heard.get(name) ?? []).filter((one) => one !== listener)),
    save_changes() {},
    send() {},
  };
}

async function draw(place) {
  const number = Number(place.dataset.view);
  const { module, traits } = (await views)[number];
  const widget = (await import(new URL(`views/${module}`, import.meta.url))).default;
  const { initialize, render } = typeof widget === "function" ? await widget() : widget;
  const state = model({ ...traits, offline: true }, `minigrad:${file}:${place.dataset.cell}:${number}`);
  const el = document.createElement("div");
  await initialize?.({ model: state });
  await render({ model: state, el });
  place.replaceChildren(el);
  place.dataset.alive = "";
}

const near = new IntersectionObserver(
  (entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      near.unobserve(target);
      draw(target);
    }
  },
  { rootMargin: "600px" },
);
document.querySelectorAll("[data-view]").forEach((place) => near.observe(place));
