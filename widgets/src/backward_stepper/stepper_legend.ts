/** The stepper's legend: value, grad and visit, each beside its sign. */

import type { NodeData } from "../data/tape.ts";
import { markLegend } from "../drawing/mark_tags.ts";
import { h, s } from "../page/dom.ts";
import { item, sign } from "../page/legend.ts";

/** The sign of a visit: a circle with a check mark. */
export const checkMark = (r: number): SVGElement[] => [s("circle", { r }), s("path", { d: "M-4 0 L-1 3 L4 -3.5" })];

/** The sign of a landing: an arrow down to a line. */
export const landedMark = (r: number): SVGElement[] => [
  s("circle", { r }),
  s("path", { d: "M0 -5 V2 M-3 -1 L0 2 L3 -1 M-4 5 H4" }),
];

/** In a rehearsal nothing is stored, so a landing says what would be. */
export function stepperLegend(isRehearsal: boolean, nodes: readonly NodeData[]): HTMLElement {
  const value = h("span", "mg-sign mg-number", "1.5");
  const grad = h("span", "mg-sign mg-number mg-grad", "0.5");
  const visit = sign("mg-visit", ...checkMark(7.5));
  const landing = sign("mg-visit mg-landed", ...landedMark(7.5));
  const told = isRehearsal ? "would land in .grad" : "stored in .grad by backward()";
  return h(
    "ul",
    { class: "mg-legend", "aria-label": "Legend" },
    item("value", "from the forward pass", value),
    item("grad", "what has arrived here", grad),
    item("visit", "the node has sent its grad on", visit),
    item("landed", told, landing),
    ...markLegend(nodes, false),
  );
}
