// The widgets without Jupyter: a model of a few lines in place of the kernel's, and
// `window.mg` for a test to drive it. Serve the folder `widgets/` and open
// test/page/index.html, then for example
//
//   await mg.show("graph_view", { graph: null });        // or "backward_stepper"
//   mg.push({ type: "delta", number: 1, nodes: [...] }); // a message from the kernel
//   mg.set("graph", snapshot);                           // a trait that the kernel wrote
//   mg.sent                                              // what the page sent back
//
// `?theme=dark` shows JupyterLab's dark theme. `show(kind, traits, { views: 2 })` shows two
// views of one model; `{ before: [messages] }` delivers messages before the first view.

class FakeModel {
  constructor(traits) {
    this.traits = { ...traits };
    this.handlers = new Map();
    this.sent = [];
  }
  get(name) {
    return this.traits[name];
  }
  set(name, value) {
    this.traits[name] = value;
    this.emit(`change:${name}`);
  }
  save_changes() {}
  on(name, handler) {
    if (!this.handlers.has(name)) this.handlers.set(name, new Set());
    this.handlers.get(name).add(handler);
  }
  off(name, handler) {
    this.handlers.get(name)?.delete(handler);
  }
  send(content) {
    this.sent.push(content);
  }
  emit(name, ...data) {
    for (const handler of [...(this.handlers.get(name) ?? [])]) handler(...data);
  }
}

const place = document.getElementById("views");
let ending = new AbortController();

window.mg = {
  model: null,
  get sent() {
    return this.model?.sent ?? [];
  },
  async show(kind, traits = {}, { views = 1, before = [] } = {}) {
    ending.abort();
    ending = new AbortController();
    place.replaceChildren();
    const module = await import(`../../minigrad_widgets/static/${kind}.js`);
    const widget = typeof module.default === "function" ? await module.default() : module.default;
    const model = new FakeModel(traits);
    this.model = model;
    await widget.initialize?.({ model, signal: ending.signal });
    for (const message of before) this.push(message);
    for (let i = 0; i < views; i += 1) {
      const el = document.createElement("div");
      place.append(el);
      await widget.render({ model, el, signal: ending.signal });
    }
    await this.painted();
  },
  push(message) {
    this.model.emit("msg:custom", message);
  },
  set(name, value) {
    this.model.set(name, value);
  },
  painted() {
    return new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve())));
  },
};

const wanted = new URLSearchParams(location.search);
if (wanted.get("theme")) document.body.dataset.jpThemeLight = String(wanted.get("theme") === "light");
window.mg.ready = true;
