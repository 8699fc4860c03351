/** The legend: the words of the course (value, node, saved, grad, visit) beside their signs. */

import { h, s } from "./dom.ts";

export function sign(className: string, ...content: SVGElement[]): SVGSVGElement {
  return s("svg", { class: `mg-sign ${className}`, viewBox: "-15 -9 30 18", width: 30, height: 18, "aria-hidden": "true" }, ...content);
}

export const item = (word: string, meaning: string, picture: Element): HTMLElement =>
  h("li", {}, picture, h("b", {}, word), ` ${meaning}`);

/** The stepper's; GraphView has its own, see graph_legend.ts. */
export function legend(_view: "stepper"): HTMLElement {
  const value = h("span", { class: "mg-sign mg-number", "aria-hidden": "true" }, "1.5");
  const grad = h("span", { class: "mg-sign mg-number mg-grad", "aria-hidden": "true" }, "0.5");
  const visit = s("svg", { class: "mg-sign mg-visit", viewBox: "-9 -9 18 18", width: 18, height: 18, "aria-hidden": "true" }, s("circle", { r: 7.5 }), s("path", { d: "M-3.5 0 L-1 2.6 L3.5 -3" }));
  return h(
    "ul",
    { class: "mg-legend", "aria-label": "Legend" },
    item("value", "from the forward pass", value),
    item("grad", "what has arrived here", grad),
    item("visit", "the node has sent its gradients on", visit),
  );
}
