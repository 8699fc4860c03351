/**
 * GraphView: the graph while cells run, or of one call. One store per model listens to the
 * kernel; each view draws what has changed, at most once a frame.
 *
 * The default export is a function, which anywidget calls once per model: the store that
 * `initialize` makes and the views that `render` makes then share one closure.
 */

import type { NodeData } from "../data/tape.ts";
import { joined, plural } from "../data/text.ts";
import { Viewport } from "../drawing/viewport.ts";
import type { Model, RenderArguments, Widget } from "../page/anywidget.ts";
import { button, focus, h, listen, root, say } from "../page/dom.ts";
import { saveMenu } from "../page/save_menu.ts";
import { Boxes } from "./boxes.ts";
import { CONVENTIONS, drawnAs, recordOf, type Convention } from "./conventions.ts";
import { details } from "./details.ts";
import { graphLegend } from "./graph_legend.ts";
import { operations, type Change } from "./graph_state.ts";
import { Knobs } from "./knobs.ts";
import { NextCellForm } from "./next_cell_form.ts";
import { watchedNode } from "./node_shapes.ts";
import { nodeTable } from "./node_table.ts";
import { overview } from "./overview.ts";
import { RovingFocus } from "./roving_focus.ts";
import { emptyText, statusText } from "./status_text.ts";
import { Store } from "./store.ts";
import { WatchedDrawing } from "./watched_drawing.ts";

const MOST_DRAWN = 1000;
const AT_FIRST = 40; // drawn in the first frame; the rest, hardly in sight, in the next one

export default (): Widget => {
  let store: Store | undefined;
  const storeFor = (model: Model): Store => (store ??= new Store(model));
  return {
    initialize: ({ model }) => void storeFor(model),
    render: ({ model, el, signal }: RenderArguments) => {
      const view = new GraphView(storeFor(model), el);
      listen(signal, "abort", () => view.close());
      return () => view.close();
    },
  };
};

class GraphView {
  readonly #closing = new AbortController();
  readonly #root: HTMLElement;
  readonly #status = h("p", { class: "mg-status", role: "status", "data-mg-status": true });
  readonly #empty = h("p", "mg-empty");
  readonly #note = h("p", "mg-note");
  readonly #panel = h("div");
  readonly #tablePlace = h("div");
  readonly #boxes: Boxes;
  readonly #stage = h("div", "mg-stage");
  readonly #tools = h("div", "mg-tools");
  readonly #legend = h("ul", { class: "mg-legend", "aria-label": "Legend" });
  readonly #choice = h("select", "mg-select");
  readonly #foldButton = button("Fold", () => this.#boxes.setFolded(!this.#boxes.folded), undefined, "Fold into boxes");
  readonly #tableButton = button("Table", () => this.#setTable(!this.#asTable));
  readonly #form: NextCellForm;
  readonly #knobs: Knobs;
  readonly #viewport: Viewport;
  #drawing!: WatchedDrawing;
  #roving: RovingFocus | undefined;
  #opened: string | null = null; // the node whose details are shown
  #convention: Convention = "operations";
  #asTable = false;

  // What has changed since the last frame.
  readonly #touched = new Set<string>();
  #rebuild = false;
  #later: NodeData[] = [];
  #frame = 0;

  readonly #store: Store;

  constructor(store: Store, el: HTMLElement) {
    this.#store = store;
    const { model } = store;
    // A large graph opens folded. Later it never folds by itself: nothing jumps away.
    this.#boxes = new Boxes(store.state.groups.length > 0, (focus) => this.#redraw(focus));
    this.#form = new NextCellForm(store);
    this.#knobs = new Knobs((message) => model.send(message), model.get("offline") === true);
    this.#root = root(el, "graph-view");
    this.#newDrawing();
    this.#viewport = new Viewport(this.#drawing.svg, this.#closing.signal, false);
    overview(this.#viewport);
    for (const name of Object.keys(CONVENTIONS)) this.#choice.append(h("option", { value: name }, name));
    listen(this.#choice, "change", () => {
      this.#convention = this.#choice.value as Convention;
      this.#redraw();
    });
    this.#tools.append(
      h("label", "mg-choose", "Nodes are", this.#choice),
      this.#foldButton,
      this.#tableButton,
      saveMenu("graph", model, ["graph", "run"], () => this.#drawing.svg),
      this.#viewport.tools,
    );
    this.#stage.append(this.#empty, this.#boxes.element, this.#viewport.element, this.#tablePlace);
    const above = [h("div", "mg-bar", this.#status, this.#tools), this.#knobs.element, this.#stage];
    this.#root.append(...above, this.#note, this.#legend, this.#form.element, this.#panel);
    this.#rebuild = true;
    const stop = store.subscribe((change) => this.#onChange(change));
    listen(this.#closing.signal, "abort", stop);
    this.#paint();
  }

  close(): void {
    cancelAnimationFrame(this.#frame);
    this.#closing.abort();
    this.#root.remove();
  }

  #onChange(change: Change): void {
    for (const id of change.touched) this.#touched.add(id);
    this.#rebuild ||= change.rebuilt;
    this.#soon();
  }

  /** Paint in the next frame, or so many frames later. */
  #soon(later = 0): void {
    const next = (): number => requestAnimationFrame(() => (later-- > 0 ? (this.#frame = next()) : this.#paint()));
    if (this.#frame === 0) this.#frame = next();
  }

  #newDrawing(): void {
    this.#drawing = new WatchedDrawing("Computation graph, left to right", 0, watchedNode);
  }

  /** A fresh drawing of everything in the store. The focus stays where it was. */
  #start(): void {
    const focus = this.#drawing.svg.contains(document.activeElement) ? this.#roving?.current : undefined;
    const { current } = this.#roving ?? { current: "" };
    const opening = this.#roving === undefined;
    this.#newDrawing();
    this.#roving = new RovingFocus(
      this.#drawing,
      (id) => this.#press(id),
      (at) => this.#viewport.reveal(at),
      current,
    );
    const records = this.#boxes.records(this.#store.state);
    this.#later = opening ? records.splice(AT_FIRST) : [];
    for (const node of records) this.#show(node);
    if (this.#later.length > 0) this.#soon(1);
    // Only now: in the page, each new node would have its styles worked out at once.
    this.#viewport.adopt(this.#drawing.svg);
    if (focus !== undefined) this.#focus(focus);
  }

  #show(record: NodeData): string | null {
    let newest: string | null = null;
    for (const node of drawnAs(record, this.#convention)) {
      if (!this.#drawing.nodes.has(node.id) && this.#drawing.nodes.size >= MOST_DRAWN) continue;
      if (!this.#drawing.show(node)) continue;
      this.#roving?.admit(node.id);
      newest = node.id;
    }
    return newest;
  }

  #paint(): void {
    this.#frame = 0;
    const { state, problem, run } = this.#store;
    for (const part of [this.#stage, this.#tools, this.#legend, this.#form.element]) part.hidden = problem !== "";
    if (problem !== "") {
      say(this.#note, "");
      say(this.#status, problem);
      return;
    }
    if (run) this.#knobs.paint(run);
    let newest: string | null = null;
    const changed = this.#rebuild || this.#touched.size > 0;
    if (this.#rebuild || (this.#boxes.folded && changed)) {
      this.#start();
    } else {
      for (const node of this.#later.splice(0)) this.#show(node);
      this.#drawing.arriving = true;
      for (const id of this.#touched) {
        const node = state.nodes.get(id);
        if (node) newest = this.#show(node) ?? newest;
      }
    }
    const opened = this.#opened === null ? null : recordOf(this.#opened);
    if (this.#rebuild || opened === null || this.#touched.has(opened)) this.#paintPanel();
    this.#touched.clear();
    this.#rebuild = false;

    const none = this.#drawing.nodes.size === 0;
    this.#empty.hidden = !none;
    say(this.#empty, emptyText(state, run !== null));
    this.#viewport.element.hidden = none || this.#asTable;
    this.#legend.hidden = none;
    this.#tools.hidden = none;
    this.#viewport.tools.hidden = this.#asTable;
    this.#viewport.setBox(this.#drawing.bounds());
    this.#viewport.reveal(this.#drawing.centreOf(newest));
    if (changed) this.#paintTable();
    this.#paintTexts();
    if (changed) this.#legend.replaceChildren(...graphLegend([...state.nodes.values()], this.#convention));
  }

  #paintTexts(): void {
    const { state, lastCell, run } = this.#store;
    const count = plural(operations(state).length, "operation");
    const called = (run?.knobs ?? []).map(({ name, value }) => `${name} = ${value}`).join(", ");
    const outcome = run?.problem === "" ? `= ${run.result}. ${count}.` : `was stopped by an error after ${count}.`;
    say(this.#status, run ? `${run.name}(${called}) ${outcome}` : statusText(state, lastCell));
    this.#foldButton.hidden = state.groups.length === 0;
    say(this.#foldButton, this.#boxes.folded ? "Unfold" : "Fold");
    this.#foldButton.ariaLabel = this.#boxes.folded ? "Unfold all boxes" : "Fold into boxes";
    this.#form.element.hidden = run !== null || state.ended === true;
    this.#paintNote();
    this.#form.paint();
  }

  /** What is not drawn, and that folding helps. */
  #paintNote(): void {
    const { state } = this.#store;
    const shown = [...this.#drawing.nodes.keys(), ...this.#later.map(({ id }) => id)];
    const drawn = shown.filter((id) => state.nodes.get(id)?.kind === "op").length;
    const missing = (this.#boxes.folded ? 0 : operations(state).length - drawn) + state.omitted;
    const parts = [
      missing > 0 ? `${plural(missing, "more operation is", "more operations are")} not drawn.` : "",
      !this.#boxes.folded && state.groups.length > 0
        ? "“Fold” puts the operations of each line or loop into a box."
        : "",
    ];
    say(this.#note, joined(parts, " "));
  }

  #paintTable(): void {
    this.#tableButton.ariaPressed = String(this.#asTable);
    this.#tablePlace.replaceChildren();
    if (!this.#asTable) return;
    const records = this.#boxes.records(this.#store.state).slice(0, MOST_DRAWN);
    this.#tablePlace.append(nodeTable(records, (id) => this.#press(id)));
  }

  #redraw(focus = ""): void {
    this.#rebuild = true;
    this.#paint();
    this.#focus(focus);
    this.#viewport.reveal(this.#drawing.centreOf(focus));
  }

  #setTable(on: boolean): void {
    this.#asTable = on;
    this.#redraw();
  }

  /** The focus goes to a node of the picture, or to its row in the table. */
  #focus(id: string): void {
    const row = [...this.#tablePlace.querySelectorAll<HTMLElement>("[data-mg-row]")].find(
      (one) => one.dataset.mgRow === id,
    );
    focus(row ?? this.#drawing.nodes.get(id)?.element);
  }

  // ---- details -------------------------------------------------------------------------

  /** A click or Enter: a box opens, a node shows its details (or hides them). */
  #press(id: string): void {
    if (this.#boxes.open(id)) return;
    this.#opened = this.#opened === id ? null : id;
    this.#paintPanel();
  }

  #closePanel(): void {
    const id = this.#opened;
    this.#opened = null;
    this.#paintPanel();
    if (id !== null) this.#focus(id);
  }

  #paintPanel(): void {
    this.#root.querySelector(".mg-node[aria-current]")?.removeAttribute("aria-current");
    const node = this.#opened === null ? undefined : this.#store.state.nodes.get(recordOf(this.#opened));
    if (this.#opened === null || node === undefined) {
      this.#opened = null;
      this.#panel.replaceChildren();
      return;
    }
    this.#drawing.nodes.get(this.#opened)?.element.setAttribute("aria-current", "true");
    this.#panel.replaceChildren(details(node, () => this.#closePanel()));
  }
}
