/**
 * The graph of GraphView: it grows while cells run, each cell has its own hue, and what was freed
 * fades.
 */

import { edgesInto } from "../data/marks.ts";
import type { NodeData } from "../data/tape.ts";
import { Drawing } from "../drawing/drawing.ts";
import { edgeKey } from "../drawing/lanes.ts";
import { idOf } from "../drawing/node_group.ts";
import { arrowHead, type Box } from "../drawing/pixels.ts";
import type { Ground } from "../drawing/roving_focus.ts";
import type { Arrows } from "./arrows.ts";
import type { Opened } from "../drawing/folding.ts";
import { drawFrames } from "../drawing/frames.ts";
import { Marks } from "./marks.ts";

/** Pale, well-separated hues for the cells, in the order in which cells appear. */
const HUES = [212, 38, 152, 322, 88, 266, 14, 186];

const LARGE = 200; // nodes
const ROOM_FOR_NAMES = 14; // of boxes, above the topmost node

export class WatchedDrawing extends Drawing {
  arriving = false; // do nodes and edges that are shown now come with a movement?
  arrows: Arrows = "data";
  readonly marks = new Marks();
  #isFramed = false;
  readonly #hues = new Map<string, number>();

  override show(node: NodeData): boolean {
    const isNew = super.show(node);
    const { element } = this.nodes.get(node.id)!;
    if (isNew) {
      element.classList.toggle("mg-new", this.arriving);
      if (node.cell !== "") element.style.setProperty("--mg-hue", String(this.#hue(node.cell)));
    }
    // The edges into a freed operation fade with it: the node owned them.
    edgesInto(node).forEach((_, operand) => {
      const edge = this.edges.get(edgeKey(node.id, operand))?.element;
      edge?.setAttribute("data-state", node.state);
      if (isNew) edge?.classList.toggle("mg-new", this.arriving);
      if (isNew && this.arrows === "next_functions") this.#turn(edgeKey(node.id, operand));
    });
    return isNew;
  }

  /** The arrow leads to the source; to data, which gets no gradient, none leads, nor from it. */
  #turn(key: string): void {
    const edge = this.edges.get(key);
    const ends = edge ? [edge.route.from, edge.route.to] : [];
    if (ends.some((id) => this.nodes.get(id)?.data.kind === "data")) edge?.element.classList.add("mg-no-gradient");
    else if (edge) edge.element.querySelector(".mg-head")?.setAttribute("d", arrowHead(edge.shape.start, -1));
  }

  /** Mark the edges of the path that was chosen; null: none. */
  follow(edge: { from: string; to: string } | null): void {
    for (const { element, route } of this.edges.values()) {
      element.classList.toggle("mg-followed", route.from === edge?.from && route.to === edge.to);
    }
  }

  /** Show what each open box holds. */
  frame(opened: readonly Opened[], close: (id: string) => void): void {
    drawFrames(this, opened, close);
    this.#isFramed = opened.length > 0;
  }

  /** The picture for the keyboard. */
  ground(): Ground {
    return {
      svg: this.svg,
      downwards: false,
      ids: () => this.nodes.keys(),
      nodes: () => new Map([...this.nodes].map(([id, { data }]) => [id, data])),
      idOf,
      elementOf: (id) => this.nodes.get(id)?.element,
      centreOf: (id) => this.centreOf(id),
    };
  }

  override bounds(): Box {
    const box = super.bounds();
    if (this.#isFramed && box.height > 0) {
      box.y -= ROOM_FOR_NAMES;
      box.height += ROOM_FOR_NAMES;
    }
    // A large picture grows by leaps: each time, the browser lays all of it out anew.
    if (this.nodes.size > LARGE) box.width = Math.ceil(box.width / 1000) * 1000;
    return box;
  }

  #hue(cell: string): number {
    const known = this.#hues.get(cell) ?? HUES[this.#hues.size % HUES.length] ?? 0;
    this.#hues.set(cell, known);
    return known;
  }
}
