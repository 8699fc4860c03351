/**
 * GraphView: the graph while cells run. One store per model listens to the kernel; each
 * view draws what has changed, at most once a frame.
 *
 * The default export is a function, which anywidget calls once per model: the store that
 * `initialize` makes and the views that `render` makes then share one closure.
 */

import { details } from "./details.ts";
import { h, root, say } from "./dom.ts";
import { Drawing } from "./drawing.ts";
import { operations, type Change } from "./graph_state.ts";
import { legend } from "./legend.ts";
import type { Model, RenderArguments, Widget } from "./model.ts";
import { statusText } from "./prediction.ts";
import { PredictionForm } from "./prediction_form.ts";
import { Roving } from "./roving.ts";
import { Store } from "./store.ts";
import { plural } from "./text.ts";
import { Viewport } from "./viewport.ts";

const MOST_DRAWN = 1000;

const EMPTY_TEXT =
  "Watching. Run a cell that computes with tensors that require gradients: its operations appear here.";

export default (): Widget => {
  let store: Store | undefined;
  const storeFor = (model: Model): Store => (store ??= new Store(model));
  return {
    initialize: ({ model }) => void storeFor(model),
    render: ({ model, el, signal }: RenderArguments) => {
      const view = new GraphView(storeFor(model), el);
      signal?.addEventListener("abort", () => view.close());
      return () => view.close();
    },
  };
};

class GraphView {
  private readonly closing = new AbortController();
  private readonly root: HTMLElement;
  private readonly status = h("p", { class: "mg-status", role: "status", "aria-live": "polite", "data-mg-status": true });
  private readonly empty = h("p", { class: "mg-empty" }, EMPTY_TEXT);
  private readonly note = h("p", { class: "mg-note", hidden: true });
  private readonly panel = h("div");
  private readonly stage = h("div", { class: "mg-stage" });
  private readonly tools = h("div");
  private readonly legend = legend("graph");
  private readonly form: PredictionForm;
  private drawing!: Drawing;
  private viewport!: Viewport;
  private roving!: Roving;
  private drawingLife = new AbortController();
  private opened: string | null = null;

  // What has changed since the last frame.
  private readonly touched = new Set<string>();
  private rebuild = false;
  private frame = 0;

  constructor(
    private readonly store: Store,
    el: HTMLElement,
  ) {
    this.form = new PredictionForm(store);
    this.root = root(el, "graph-view");
    this.root.append(
      h("div", { class: "mg-bar" }, this.status, this.tools),
      this.stage,
      this.note,
      this.legend,
      this.form.element,
      this.panel,
    );
    this.start();
    const stop = store.subscribe((change) => this.onChange(change));
    this.closing.signal.addEventListener("abort", stop);
    this.paint();
  }

  close(): void {
    cancelAnimationFrame(this.frame);
    this.drawingLife.abort();
    this.closing.abort();
    this.root.remove();
  }

  /** A fresh drawing of everything in the store: at the beginning, and after a rebuild. */
  private start(): void {
    this.drawingLife.abort();
    this.drawingLife = new AbortController();
    const { signal } = this.drawingLife;
    this.drawing = new Drawing("Computation graph, left to right", { tags: true, below: 0 });
    this.viewport = new Viewport(this.drawing.svg, signal, false);
    this.roving = new Roving(
      this.drawing,
      (id) => this.open(id),
      (at) => this.viewport.reveal(at),
      signal,
    );
    this.tools.replaceChildren(this.viewport.tools);
    this.stage.replaceChildren(this.empty, this.viewport.element);
    this.touched.clear();
    for (const id of this.store.state.nodes.keys()) this.touched.add(id);
    this.rebuild = false;
  }

  private onChange(change: Change): void {
    for (const id of change.touched) this.touched.add(id);
    this.rebuild ||= change.rebuilt;
    if (this.frame === 0) this.frame = requestAnimationFrame(() => this.paint());
  }

  private paint(): void {
    this.frame = 0;
    if (this.rebuild) this.start();
    const { state, problem } = this.store;
    for (const part of [this.stage, this.tools, this.form.element]) part.hidden = problem !== "";
    if (problem !== "") {
      this.legend.hidden = true;
      say(this.status, problem);
      return;
    }
    let newest: string | null = null;
    for (const id of this.touched) {
      const node = state.nodes.get(id);
      if (node === undefined) continue;
      if (!this.drawing.nodes.has(id) && this.drawing.nodes.size >= MOST_DRAWN) continue;
      if (this.drawing.show(node)) {
        this.roving.admit(id);
        newest = id;
      }
    }
    const opened = this.opened;
    if (opened === null || this.touched.has(opened) || !this.drawing.nodes.has(opened)) this.paintPanel();
    this.touched.clear();

    const none = this.drawing.nodes.size === 0;
    this.empty.hidden = !none;
    this.viewport.element.hidden = none;
    this.legend.hidden = none;
    this.viewport.tools.hidden = none;
    this.viewport.setBox(this.drawing.bounds());
    const at = newest === null ? null : this.drawing.centreOf(newest);
    if (at !== null) this.viewport.reveal(at);
    this.paintTexts();
  }

  private paintTexts(): void {
    const { state, lastCell } = this.store;
    say(this.status, statusText(state, lastCell));
    const drawn = [...this.drawing.nodes.values()].filter((group) => group.data.kind === "op").length;
    const missing = operations(state).length + state.omitted - drawn;
    this.note.hidden = missing <= 0;
    say(this.note, missing <= 0 ? "" : `${plural(missing, "more operation")} ${missing === 1 ? "is" : "are"} not drawn.`);
    this.form.paint();
  }

  private open(id: string): void {
    const before = this.opened;
    this.opened = before === id ? null : id;
    this.paintPanel();
  }

  private paintPanel(): void {
    this.root.querySelector(".mg-node[aria-current]")?.removeAttribute("aria-current");
    const group = this.opened === null ? undefined : this.drawing.nodes.get(this.opened);
    if (group === undefined) {
      this.opened = null;
      this.panel.replaceChildren();
      return;
    }
    group.element.setAttribute("aria-current", "true");
    const close = (): void => {
      group.element.focus({ preventScroll: true });
      this.opened = null;
      this.paintPanel();
    };
    this.panel.replaceChildren(details(group.data, close));
  }
}
