/** Marks around nodes of the picture: what was found, and what is to be looked at first. */

import type { NodeGroup } from "../drawing/node_group.ts";
import { boxSize } from "../drawing/pixels.ts";
import { rect, s } from "../page/dom.ts";
import { tag, tagWidth } from "../drawing/mark_tags.ts";

/** What is marked at one node of the picture. A box is marked for those in it. */
export interface Mark {
  found: number; // so many nodes that a search found
  here: boolean; // the search has led to it
  first: string; // "first NaN", or ""
}

const GAP = 5; // pixels between a node and the ring around it

export class Marks {
  readonly #shown = new Map<NodeGroup, string>();

  /** Mark these nodes, and no others. Only what differs is drawn. */
  show(marks: ReadonlyMap<NodeGroup, Mark>): void {
    for (const group of [...this.#shown.keys()]) {
      if (!marks.has(group)) this.#draw(group, undefined);
    }
    for (const [group, mark] of marks) this.#draw(group, mark);
  }

  #draw(group: NodeGroup, mark: Mark | undefined): void {
    const now = mark ? `${mark.found} ${mark.here} ${mark.first}` : "";
    if (this.#shown.get(group) === now) return;
    group.element.querySelector(":scope > .mg-marks")?.remove();
    this.#shown.delete(group);
    if (!mark) return;
    this.#shown.set(group, now);
    group.element.append(s("g", { class: "mg-marks", "aria-hidden": "true" }, ...drawn(group, mark)));
  }
}

function drawn({ data: { kind } }: NodeGroup, { found, here, first }: Mark): SVGElement[] {
  const { width, height } = boxSize(kind);
  const result: SVGElement[] = [];
  if (found > 0) {
    const ring = `mg-ring${here ? " mg-here" : ""}`;
    result.push(rect(width + 2 * GAP, height + 2 * GAP, kind === "op" ? 15 : 26, ring));
  }
  if (found > 0 && kind === "box") result.push(tag("mg-state", `${found} found`, 0, -height / 2 - 3));
  const left = -width / 2 - 8;
  if (first !== "") result.push(tag("mg-state mg-first-tag", first, left + tagWidth(first) / 2, -height / 2 - 3));
  return result;
}
