/** The legend: the words of the course (value, node, saved, grad, visit) beside their signs. */

import { h, s } from "./dom.ts";

function sign(className: string, ...content: SVGElement[]): SVGSVGElement {
  return s("svg", { class: `mg-sign ${className}`, viewBox: "-15 -9 30 18", width: 30, height: 18, "aria-hidden": "true" }, ...content);
}

const box = (className: string, rx: number): SVGSVGElement =>
  sign(className, s("rect", { class: "mg-box", x: -13, y: -7, width: 26, height: 14, rx }));

const item = (word: string, meaning: string, picture: Element): HTMLElement =>
  h("li", {}, picture, h("b", {}, word), ` ${meaning}`);

export function legend(view: "graph" | "stepper"): HTMLElement {
  const value = h("span", { class: "mg-sign mg-number", "aria-hidden": "true" }, "1.5");
  const grad = h("span", { class: "mg-sign mg-number mg-grad", "aria-hidden": "true" }, "0.5");
  const visit = s("svg", { class: "mg-sign mg-visit", viewBox: "-9 -9 18 18", width: 18, height: 18, "aria-hidden": "true" }, s("circle", { r: 7.5 }), s("path", { d: "M-3.5 0 L-1 2.6 L3.5 -3" }));
  const items =
    view === "graph"
      ? [
          item("node", "an operation that was recorded", box("mg-op", 4)),
          item("leaf", "requires a gradient", box("mg-leaf", 7)),
          item("data", "requires none", box("mg-data", 7)),
          item("value", "the number that it holds", value),
          item("spent", "backward took what it had saved", h("span", { class: "mg-word-sign", "aria-hidden": "true" }, "spent")),
          item("freed", "nothing leads to it any more", h("span", { class: "mg-word-sign", "aria-hidden": "true" }, "freed")),
        ]
      : [
          item("value", "from the forward pass", value),
          item("grad", "what has arrived here", grad),
          item("visit", "the node has sent its gradients on", visit),
        ];
  return h("ul", { class: "mg-legend", "aria-label": "Legend" }, ...items);
}
