/**
 * The graph of GraphView: it grows while cells run, each cell has its own hue, and what was freed
 * fades.
 */

import type { NodeData } from "../data/tape.ts";
import { Drawing } from "../drawing/drawing.ts";
import { edgeKey } from "../drawing/lanes.ts";
import type { Box } from "../drawing/pixels.ts";

/** Pale, well-separated hues for the cells, in the order in which cells appear. */
const HUES = [212, 38, 152, 322, 88, 266, 14, 186];

const LARGE = 200; // nodes

export class WatchedDrawing extends Drawing {
  arriving = false; // do nodes and edges that are shown now come with a movement?
  readonly #hues = new Map<string, number>();

  override show(node: NodeData): boolean {
    const isNew = super.show(node);
    const { element } = this.nodes.get(node.id)!;
    if (isNew) {
      element.classList.toggle("mg-new", this.arriving);
      if (node.cell !== "") element.style.setProperty("--mg-hue", String(this.#hue(node.cell)));
    }
    // The edges into a freed operation fade with it: the node owned them.
    node.inputs.forEach((_, operand) => {
      const edge = this.edges.get(edgeKey(node.id, operand))?.element;
      edge?.setAttribute("data-state", node.state);
      if (isNew) edge?.classList.toggle("mg-new", this.arriving);
    });
    return isNew;
  }

  override bounds(): Box {
    const box = super.bounds();
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
