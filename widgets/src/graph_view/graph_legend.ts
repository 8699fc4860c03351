/** GraphView's legend: what a node and an edge are in this drawing, how many, and the signs. */

import { isOfProgram } from "../data/node_words.ts";
import type { NodeData } from "../data/tape.ts";
import { markLegend } from "../drawing/mark_tags.ts";
import type { Nodes } from "../drawing/neighbours.ts";
import { h, rect, s } from "../page/dom.ts";
import { item, sign } from "../page/legend.ts";
import { ARROW_WORDS, type Arrows } from "./arrows.ts";
import { countText, NODE_WORDS, type Convention } from "./conventions.ts";

const box = (className: string, rx: number): SVGSVGElement => sign(className, rect(26, 14, rx, "mg-box"));

const line = (): SVGElement => s("path", { class: "mg-line", d: "M-14 0 H14" });

const word = (text: string): HTMLElement => h("span", "mg-word-sign", text);

const LEAF = "no recorded operation made it";
const DATA = "a leaf that requires no gradient";
const GIVEN = "an array that the program is given";
const LINE = "a line of the program";
const SIZE = "of what the line makes: a program has no numbers, each call has its own";
const DELETED = "the last line that reads its value";
const LINES = "lead from what makes a value to the lines that read it";
const EARLIER = "the result of an operation that is not drawn: it came before";
const NONE = `${DATA}: the dashed edge to it is a None in next_functions`;
const BEHIND = "PyTorch's node behind such a leaf: it adds what arrives to .grad";

/** What is drawn: which way its arrows lead, and whether there are broken edges. */
interface Drawn {
  arrows: Arrows;
  hasCuts: boolean;
}

export function graphLegend(all: Nodes, convention: Convention, { arrows, hasCuts }: Drawn): HTMLElement[] {
  const nodes = [...all.values()];
  const made = nodes.filter((node) => node.kind !== "failed");
  const isProgram = nodes.some(isOfProgram);
  const words = isProgram ? LINE : NODE_WORDS[convention];
  const back = arrows === "next_functions";
  const turned = back ? "M-5 -4 L-14 0 L-5 4 Z" : "M5 -4 L14 0 L5 4 Z";
  const has = (test: (node: NodeData) => boolean, entry: () => HTMLElement): HTMLElement[] =>
    nodes.some(test) ? [entry()] : [];
  return [
    h("li", { "data-mg-count": true, "data-mg-lines": isProgram }, h("b", {}, countText(made, convention, arrows))),
    item("node", words, convention === "values" ? box("mg-leaf", 7) : box("mg-op", 4)),
    item(
      "edges",
      isProgram ? LINES : ARROW_WORDS[arrows],
      sign("", line(), s("path", { class: "mg-head", d: turned })),
    ),
    ...has(
      (one) => one.kind === "leaf",
      () => item("leaf", LEAF, box("mg-leaf", 7)),
    ),
    ...has(
      (one) => one.kind === "leaf" && convention === "operations" && back,
      () => item("AccumulateGrad", BEHIND, box("mg-leaf", 7)),
    ),
    ...has(
      (one) => one.kind === "data",
      () => item("data", back ? NONE : DATA, box("mg-data", 7)),
    ),
    ...has(
      (one) => one.kind === "given",
      () => item("given", GIVEN, box("mg-leaf", 7)),
    ),
    ...has(
      (one) => one.kind === "earlier",
      () => item("earlier", EARLIER, box("mg-earlier", 7)),
    ),
    isProgram
      ? item("size", SIZE, h("span", "mg-sign mg-number", "2×3"))
      : item("value", "the number that it holds", h("span", "mg-sign mg-number", "1.5")),
    ...has(
      (one) => one.until?.startsWith("deleted") ?? false,
      () => item("deleted after", DELETED, word("v3")),
    ),
    ...has(
      (one) => one.state === "spent",
      () => item("spent", "backward took what it had saved", word("spent")),
    ),
    ...has(
      (one) => one.state === "gone",
      () => item("freed", "nothing leads to it any more", word("freed")),
    ),
    ...markLegend(nodes, hasCuts),
  ];
}
