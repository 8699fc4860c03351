/** What a reader looks for in the picture: it is marked, and brought out of the boxes that hold it. */

import type { NodeGroup } from "../drawing/node_group.ts";
import type { Boxes } from "../drawing/boxes.ts";
import { Finder } from "./finder.ts";
import { FlawButton } from "./flaw_button.ts";
import type { GraphState } from "./graph_state.ts";
import type { Mark } from "./marks.ts";
import type { WatchedDrawing } from "./watched_drawing.ts";

/** The view, as far as it is needed here. */
export interface Stage {
  root: HTMLElement;
  boxes: Boxes;
  state(): GraphState;
  drawing(): WatchedDrawing;
  redraw(): void;
  look(id: string): void; // let this node of the picture be seen
  focus(id: string): void;
}

const NONE: Mark = { found: 0, here: false, first: "" };

export class Spotlight {
  readonly finder: Finder;
  readonly flaws: FlawButton;

  constructor(private readonly stage: Stage) {
    this.finder = new Finder(stage.root, {
      nodes: () => stage.state().nodes,
      show: (id) => this.#bring(id),
      mark: () => this.mark(),
      back: (id) => this.#backTo(id),
    });
    this.flaws = new FlawButton(
      stage.root,
      () => stage.state(),
      (id) => {
        this.#bring(id);
        this.#backTo(id);
      },
    );
  }

  /** Other nodes have come, or the picture is a new one. */
  refresh(): void {
    this.finder.refresh();
    this.flaws.refresh();
    this.mark();
  }

  mark(): void {
    const marks = new Map<NodeGroup, Mark>();
    const { ids, here } = this.finder;
    for (const id of ids) {
      const group = this.#groupOf(id);
      if (!group) continue;
      const mark = marks.get(group) ?? NONE;
      marks.set(group, { ...mark, found: mark.found + 1, here: mark.here || id === here });
    }
    for (const [id, first] of this.flaws.tags) {
      const group = this.#groupOf(id);
      if (group) marks.set(group, { ...NONE, ...marks.get(group), first });
    }
    this.stage.drawing().marks.show(marks);
  }

  /** Bring a node into the picture, out of the boxes that hold it. */
  #bring(id: string): void {
    const { boxes, redraw, look } = this.stage;
    const state = this.stage.state();
    const isShown = (): boolean => boxes.holderOf(id) === id && this.#groupOf(id) !== undefined;
    if (boxes.folded && !isShown()) {
      boxes.openAround(id, state);
      redraw();
    }
    if (!isShown() && state.groups.length > 0) {
      boxes.closeAll(); // there was no room for it
      boxes.openAround(id, state);
      redraw();
    }
    this.mark();
    look(this.#groupOf(id)?.data.id ?? id);
  }

  /** What was looked for is there: the focus goes to what it led to, or to where it came from. */
  #backTo(id: string): void {
    this.stage.boxes.keepOpen();
    this.stage.focus(this.#groupOf(id)?.data.id ?? "");
  }

  /** What stands in the picture for a node. */
  #groupOf(id: string): NodeGroup | undefined {
    const { nodes } = this.stage.drawing();
    const holder = this.stage.boxes.holderOf(id);
    return nodes.get(holder) ?? nodes.get(`${holder}=`);
  }
}
