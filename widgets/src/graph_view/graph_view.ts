/**
 * GraphView: the graph while cells run, or of one call. One store per model listens to the
 * kernel; each view draws what has changed, at most once a frame.
 *
 * The default export is a function, called once per model: its store and its views share a closure.
 */

import type { NodeData } from "../data/tape.ts";
import { joined } from "../data/text.ts";
import { Viewport } from "../drawing/viewport.ts";
import type { Model, RenderArguments, ViewModel, Widget } from "../page/anywidget.ts";
import { button, focus, h, listen, root, say } from "../page/dom.ts";
import { keyHelp } from "../page/key_help.ts";
import { keepSaved } from "../page/keep_saved.ts";
import { pinButton } from "../page/pin.ts";
import { saveMenu } from "../page/save_menu.ts";
import { SliceSource } from "../page/slice_source.ts";
import { readArrows, type Arrows } from "./arrows.ts";
import { arrowsChoice } from "./arrows_choice.ts";
import { Camera } from "../drawing/camera.ts";
import { Boxes, opensFolded } from "../drawing/boxes.ts";
import { Choice } from "./choice.ts";
import { CONVENTIONS, drawnAs, type Convention } from "./conventions.ts";
import { DetailsPanel } from "./details_panel.ts";
import { graphLegend } from "./graph_legend.ts";
import type { Change } from "./graph_state.ts";
import { Knobs } from "../page/knobs.ts";
import { FoldTools } from "../drawing/levels.ts";
import { NextCellForm } from "./next_cell_form.ts";
import { watchedNode, withAccumulateGrad } from "./node_shapes.ts";
import { overview } from "./overview.ts";
import { RovingFocus } from "../drawing/roving_focus.ts";
import { emptyText, KEYS, noteText, runText, statusText } from "./status_text.ts";
import { ShownChoice } from "./shown.ts";
import { Spotlight } from "./spotlight.ts";
import { Store } from "./store.ts";
import { TablePlace } from "./table_place.ts";
import { WatchedDrawing } from "./watched_drawing.ts";

const MOST_DRAWN = 1000;
const AT_FIRST = 40; // drawn in the first frame; the rest, hardly in sight, in the next one

export default (): Widget => {
  let store: Store | undefined;
  const storeFor = (model: Model): Store => (store ??= new Store(model));
  return {
    initialize: ({ model }) => void storeFor(model),
    render: ({ model, el, signal }: RenderArguments) => {
      keepSaved(model);
      const view = new GraphView(storeFor(model), model, el);
      listen(signal, "abort", () => view.close());
      return () => view.close();
    },
  };
};

class GraphView {
  readonly #closing = new AbortController();
  readonly #store: Store;
  readonly #root: HTMLElement;
  readonly #status = h("p", { class: "mg-status", role: "status", "data-mg-status": true });
  readonly #empty = h("p", "mg-empty");
  readonly #path = h("p", { class: "mg-note mg-path", "aria-live": "polite" }); // at a fork, which one is taken
  readonly #note = h("p", "mg-note");
  readonly #panel = new DetailsPanel(() => this.#paintPanel(), (id) => this.#focus(id));
  readonly #table = new TablePlace();
  readonly #boxes: Boxes;
  readonly #fold: FoldTools;
  readonly #stage = h("div", "mg-stage");
  readonly #tools = h("div", "mg-tools");
  readonly #legend = h("ul", { class: "mg-legend", "aria-label": "Legend" });
  readonly #tableButton = button("Table", () => this.#redraw("", !this.#asTable));
  readonly #light: Spotlight;
  readonly #shown = new ShownChoice(
    () => this.#redraw(),
    () => this.#store.state,
  );
  readonly #form: NextCellForm;
  readonly #knobs: Knobs;
  readonly #viewport: Viewport;
  #drawing!: WatchedDrawing;
  #roving: RovingFocus | undefined;
  #convention: Convention = "operations";
  #arrows: Arrows = "data"; // kept in the model: all views of it agree
  #asTable = false;

  // What has changed since the last frame.
  readonly #touched = new Set<string>();
  #rebuild = false;
  #later: NodeData[] = [];
  #frame = 0;

  constructor(store: Store, model: ViewModel, el: HTMLElement) {
    this.#store = store;
    // A large graph opens folded. Later it folds by itself only when it is too large: nothing jumps away.
    this.#boxes = new Boxes(opensFolded(store.state), (kept, focus) => this.#regroup(kept, focus));
    this.#form = new NextCellForm(store);
    this.#knobs = new Knobs((message) => model.send(message), model.get("offline") === true);
    this.#root = root(el, "graph-view");
    this.#fold = new FoldTools(this.#boxes, this.#root);
    new SliceSource(this.#root, model, "graph", this.#closing.signal);
    this.#arrows = readArrows(model.get("arrows"));
    this.#light = new Spotlight({
      root: this.#root,
      boxes: this.#boxes,
      state: () => this.#shown.part,
      drawing: () => this.#drawing,
      redraw: () => this.#redraw(),
      look: (id) => this.#look(id),
      focus: (id) => this.#focus(id || (this.#roving?.current ?? "")),
    });
    this.#newDrawing();
    this.#viewport = new Viewport(this.#drawing.svg, this.#closing.signal, false);
    overview(this.#viewport);
    const conventions = new Choice("Nodes are", CONVENTIONS, (convention) => {
      this.#convention = convention;
      this.#redraw();
    });
    const arrows = arrowsChoice(model, this.#closing.signal, (now) => {
      this.#arrows = now;
      this.#redraw();
    });
    this.#tools.append(
      conventions.element,
      arrows.element,
      this.#shown.choice.element,
      this.#fold.element,
      this.#tableButton,
      this.#light.finder.button,
      this.#light.flaws.element,
      saveMenu("graph", model, ["graph", "run"], () => this.#drawing.svg),
      keyHelp(KEYS),
      this.#viewport.tools,
    );
    this.#stage.append(this.#light.finder.element, this.#light.flaws.text, this.#empty, this.#viewport.element);
    this.#stage.append(this.#boxes.element, this.#path, this.#table.element); // below, they push nothing away
    const pin = pinButton(this.#root, model.get("run") ? "watch" : "GraphView");
    const bar = h("div", "mg-bar", this.#status, h("div", "mg-row", this.#tools, pin));
    const below = [this.#note, this.#legend, this.#form.element, this.#panel.element];
    this.#root.append(bar, this.#knobs.element, this.#stage, ...below);
    this.#rebuild = true;
    listen(this.#closing.signal, "abort", store.subscribe((change) => this.#onChange(change)));
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
    const accumulate = this.#arrows === "next_functions" && this.#convention === "operations";
    const shape = accumulate ? withAccumulateGrad : watchedNode;
    this.#drawing = new WatchedDrawing("Computation graph, left to right", 0, shape);
    this.#drawing.arrows = this.#arrows;
  }

  /** A fresh drawing of everything in the store. The focus stays where it was. */
  #start(): void {
    const focus = this.#drawing.svg.matches(":focus-within") ? this.#roving?.current : undefined;
    const { current } = this.#roving ?? { current: "" };
    const opening = this.#roving === undefined;
    this.#newDrawing();
    this.#roving = new RovingFocus(
      this.#drawing.ground(),
      {
        open: (id) => this.#press(id),
        seen: (at) => this.#viewport.reveal(at),
        chosen: (text, edge) => {
          say(this.#path, text);
          this.#drawing.follow(edge);
        },
      },
      current,
    );
    const records = this.#boxes.records(this.#shown.part);
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
      this.#roving?.admit(node.id, node.kind === "box" ? "box, Enter opens it" : "node, Enter opens details");
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
    const regroups = this.#boxes.folded || this.#shown.shown !== "all";
    if (this.#rebuild || (regroups && changed)) {
      this.#start();
    } else {
      for (const node of this.#later.splice(0)) this.#show(node);
      this.#drawing.arriving = true;
      for (const id of this.#touched) {
        const node = state.nodes.get(id);
        if (node) newest = this.#show(node) ?? newest;
      }
    }
    if (changed || this.#panel.opened === null) this.#paintPanel();
    this.#touched.clear();
    this.#rebuild = false;

    if (changed && this.#later.length === 0) this.#drawing.frame(this.#boxes.open, (id) => this.#boxes.close(id));
    const none = this.#drawing.nodes.size === 0;
    this.#empty.hidden = !none;
    say(this.#empty, emptyText(state, run !== null));
    this.#viewport.element.hidden = none || this.#asTable;
    for (const part of [this.#legend, this.#tools]) part.hidden = state.nodes.size === 0;
    this.#viewport.tools.hidden = this.#asTable;
    this.#viewport.setBox(this.#drawing.bounds());
    this.#viewport.reveal(this.#drawing.centreOf(newest));
    if (changed) for (const part of [this.#shown, this.#light]) part.refresh();
    if (changed) this.#paintTable();
    this.#paintTexts();
    if (changed) this.#legend.replaceChildren(...graphLegend(this.#shown.part.nodes, this.#convention, this.#drawing));
  }

  #paintTexts(): void {
    const { state, lastCell, run } = this.#store;
    say(this.#status, run ? runText(run, state) : statusText(state, lastCell));
    this.#fold.paint(state.groups.length > 0);
    this.#form.element.hidden = run !== null || state.ended === true;
    const shown = [...this.#drawing.nodes.keys(), ...this.#later.map(({ id }) => id)];
    say(this.#note, joined([this.#shown.note, noteText(this.#shown.part, shown, this.#boxes.folded)], " "));
    this.#form.paint();
  }

  #paintTable(): void {
    this.#tableButton.ariaPressed = String(this.#asTable);
    if (!this.#asTable) return this.#table.hide();
    this.#table.show(this.#boxes.records(this.#shown.part).slice(0, MOST_DRAWN), (id) => this.#press(id));
  }

  #redraw(focus = "", asTable = this.#asTable): void {
    this.#asTable = asTable;
    this.#rebuild = true;
    this.#paint();
    this.#focus(focus);
    this.#viewport.reveal(this.#drawing.centreOf(focus));
  }

  #regroup(kept: string, focus: boolean): void {
    const camera = (): Camera => new Camera(this.#drawing, this.#viewport);
    const { id, at } = camera().standOf(kept);
    this.#redraw();
    camera().stand(this.#boxes.heirOf(id), at, kept !== "");
    if (focus) this.#focus(this.#boxes.heirOf(kept));
  }

  /** The focus goes to a node of the picture, or to its row in the table. */
  #focus = (id: string): void => focus(this.#table.rowOf(id) ?? this.#drawing.nodes.get(id)?.element);

  #look(id: string): void {
    this.#viewport.reveal(this.#drawing.centreOf(id));
    this.#table.look(id);
  }

  // ---- details -------------------------------------------------------------------------

  /** A click or Enter: a box opens, a node shows its details (or hides them). */
  #press(id: string): void {
    if (!this.#boxes.openBox(id)) this.#panel.press(id);
  }

  #paintPanel = (): void => this.#panel.show(this.#store.state.nodes, this.#arrows, this.#drawing);
}
