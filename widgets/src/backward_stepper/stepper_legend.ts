/** The stepper's legend: value, grad and visit, each beside its sign. */

import { h, s } from "../page/dom.ts";
import { item, sign } from "../page/legend.ts";

/** The sign of a visit: a circle with a check mark. */
export const checkMark = (r: number): SVGElement[] => [s("circle", { r }), s("path", { d: "M-4 0 L-1 3 L4 -3.5" })];

export function stepperLegend(): HTMLElement {
  const value = h("span", "mg-sign mg-number", "1.5");
  const grad = h("span", "mg-sign mg-number mg-grad", "0.5");
  const visit = sign("mg-visit", ...checkMark(7.5));
  return h(
    "ul",
    { class: "mg-legend", "aria-label": "Legend" },
    item("value", "from the forward pass", value),
    item("grad", "what has arrived here", grad),
    item("visit", "the node has sent its gradients on", visit),
  );
}
