/** The legend: the words of the course (value, node, saved, grad, visit) beside their signs. */

import { h, s } from "./dom.ts";

export function sign(className: string, ...content: SVGElement[]): SVGSVGElement {
  return s("svg", { class: `mg-sign ${className}`, viewBox: "-15 -9 30 18", width: 30, height: 18 }, ...content);
}

export function item(word: string, meaning: string, picture: Element): HTMLElement {
  picture.ariaHidden = "true";
  return h("li", {}, picture, h("b", {}, word), ` ${meaning}`);
}

/** The sign of a visit: a circle with a check mark. */
export const check = (r: number): SVGElement[] => [s("circle", { r }), s("path", { d: "M-4 0 L-1 3 L4 -3.5" })];

/** The stepper's; GraphView has its own, see graph_legend.ts. */
export function legend(): HTMLElement {
  const value = h("span", "mg-sign mg-number", "1.5");
  const grad = h("span", "mg-sign mg-number mg-grad", "0.5");
  const visit = sign("mg-visit", ...check(7.5));
  return h(
    "ul",
    { class: "mg-legend", "aria-label": "Legend" },
    item("value", "from the forward pass", value),
    item("grad", "what has arrived here", grad),
    item("visit", "the node has sent its gradients on", visit),
  );
}
