/** GraphView's legend: what a node and an edge are in this drawing, how many, and the signs. */

import type { NodeData } from "../data/tape.ts";
import { h, rect, s } from "../page/dom.ts";
import { item, sign } from "../page/legend.ts";
import { CONVENTIONS, countText, type Convention } from "./conventions.ts";

const box = (className: string, rx: number): SVGSVGElement => sign(className, rect(26, 14, rx, "mg-box"));

const word = (text: string): HTMLElement => h("span", "mg-word-sign", text);

export function graphLegend(nodes: readonly NodeData[], convention: Convention): HTMLElement[] {
  const { node, edge } = CONVENTIONS[convention];
  const has = (test: (node: NodeData) => boolean, entry: () => HTMLElement): HTMLElement[] =>
    nodes.some(test) ? [entry()] : [];
  return [
    h("li", { "data-mg-count": true }, h("b", {}, countText(nodes, convention))),
    item("node", node, convention === "values" ? box("mg-leaf", 7) : box("mg-op", 4)),
    item(
      "edge",
      edge,
      sign(
        "",
        s("path", { class: "mg-line", d: "M-14 0 H6" }),
        s("path", { class: "mg-head", d: "M5 -4 L14 0 L5 4 Z" }),
      ),
    ),
    item("leaf", "requires a gradient", box("mg-leaf", 7)),
    ...has(
      (one) => one.kind === "data",
      () => item("data", "requires none", box("mg-data", 7)),
    ),
    item("value", "the number that it holds", h("span", "mg-sign mg-number", "1.5")),
    ...has(
      (one) => one.state === "spent",
      () => item("spent", "backward took what it had saved", word("spent")),
    ),
    ...has(
      (one) => one.state === "gone",
      () => item("freed", "nothing leads to it any more", word("freed")),
    ),
  ];
}
