/** The panel below the graph: everything that is known about one node. */

import { also, handle, isOfProgram, kindWords, origin, stateWords, title } from "../data/node_words.ts";
import { MARK_KINDS, markTexts } from "../data/marks.ts";
import { short } from "../data/numbers.ts";
import type { NodeData, Saved } from "../data/tape.ts";
import { joined, list, pretty } from "../data/text.ts";
import { button, h } from "../page/dom.ts";
import { valueElement } from "../page/value_element.ts";
import { nextFunctions, type Arrows } from "./arrows.ts";
import { dimensionNames } from "./dimension_names.ts";
import { sourcesOf, usersOf, type Nodes } from "../drawing/neighbours.ts";

/** As Python writes it: (), (3,), (2, 3). */
const pythonShape = (shape: number[]): string => `(${shape.join(", ")}${shape.length === 1 ? "," : ""})`;

export function details(node: NodeData, nodes: Nodes, arrows: Arrows, onClose: () => void): HTMLElement {
  const entries = h("dl", "mg-entries");
  const entry = (term: string, content: Node | string): void => {
    if (content !== "") entries.append(h("div", {}, h("dt", {}, term), h("dd", {}, content)));
  };
  entry("kind", kindWords(node));
  const names = dimensionNames(node, nodes);
  if (node.kind === "failed") entry("shapes", node.numbers);
  else if (isOfProgram(node)) entry("value", NO_NUMBERS);
  else entry("value", valueElement(node.value, "value", false, names));
  if (node.numbers !== "" && node.kind === "op") {
    entry("computed", h("span", "mg-math", pretty(`${node.formula} = ${node.numbers} = ${short(node.value)}`)));
  }
  const grad = node.grad && h("div", "mg-grad", valueElement(node.grad, "grad", true, names));
  if (grad) entry(node.op === "" ? ".grad" : "grad", grad);
  else if (!isOfProgram(node) && node.kind in NO_GRAD) {
    entry(node.op === "" ? ".grad" : "grad", h("span", "mg-none", NO_GRAD[node.kind]!));
  }
  for (const kind of MARK_KINDS) entry(kind === "failed" ? "error" : kind, sentences(markTexts(node, kind)));
  entry("comes from", pretty(list(sourcesOf(nodes, node.id).map(handle))));
  entry("stands for", node.fused ?? "");
  entry("constants", constants(node));
  entry("goes into", pretty(list(usersOf(nodes, node.id).map(handle))));
  if (node.op !== "" && arrows === "next_functions") entry("next_functions", nextFunctions(nodes, node));
  if (node.kind === "leaf") entry("behind it", ACCUMULATE);
  if (node.kind !== "failed") {
    if (node.op !== "" && !isOfProgram(node)) entry("saved", saved(node));
    entry("shape", pythonShape(node.value.shape));
    entry("dtype", node.value.dtype);
  }
  if (node.names.length > 1) entry("also called", node.names.slice(1).join(", ") + (also(node) && SHARED));
  if (node.kind !== "failed") entry("state", stateWords(node) || (isOfProgram(node) ? "" : "alive"));
  entry("made in", madeIn(node));
  return h(
    "section",
    { class: "mg-details", "aria-label": `Details of ${title(node)}` },
    h(
      "header",
      {},
      h("p", "mg-math mg-heading", pretty(title(node))),
      button("×", onClose, "mg-button mg-square", "Close details"),
    ),
    entries,
  );
}

/** Each in a line of its own. */
const sentences = (texts: readonly string[]): Node | string =>
  texts.length === 0 ? "" : h("div", "mg-sentences", ...texts.map((text) => h("div", {}, pretty(text))));

const NO_NUMBERS = "a program has no numbers: each call has its own";

const NO_GRAD: Record<string, string> = {
  op: "no backward pass was watched",
  earlier: "not looked at: the operation is not drawn",
  leaf: "None: no gradient is stored there",
  data: "None: it requires no gradient",
};

const ACCUMULATE =
  "AccumulateGrad: PyTorch keeps this node behind each leaf. It adds what arrives to .grad. " +
  "Here the leaf is drawn in its place.";

const SHARED = ". It is one tensor, so its .grad is the sum of what comes back from all its uses.";

/** The plain numbers in its formula, and why they are no nodes. */
function constants({ inputs, formula }: NodeData): string {
  const numbers = inputs.filter(({ id, text }) => id === null && isFinite(+text) && formula.includes(text));
  const names = list([...new Set(numbers.map(({ text }) => text))]);
  return names && `${names}. A plain number is no tensor, and nothing made it: it has no node.`;
}

/** The cell, the line, and what stands there. */
function madeIn(node: NodeData): Node | string {
  const place = joined([origin(node), node.scope && `in ${node.scope}`]);
  const source = node.source.trim();
  return source === "" ? place : h("div", {}, place, h("code", "mg-line-text", source));
}

function sizeText(bytes: number): string {
  if (bytes === 0) return "a number";
  return bytes === 1 ? "1 byte" : `${bytes.toLocaleString("en")} bytes`;
}

/** What the operation keeps for its backward pass, and which rule needs it. */
function saved(node: NodeData): HTMLElement {
  if (node.saved.length === 0) return h("span", "mg-none", "nothing: no rule needs a value");
  const part = (kept: Saved): HTMLElement => {
    const freed = kept.bytes > 0 && node.state === "spent" ? ", freed" : "";
    const rules = kept.why.map((rule) => {
      const colon = rule.indexOf(": ");
      return h(
        "div",
        {},
        "needed by the grad of ",
        h("b", "mg-math", pretty(rule.slice(0, colon))),
        " = ",
        h("span", "mg-math", pretty(rule.slice(colon + 2))),
      );
    });
    return h("li", {}, h("b", "mg-math", pretty(kept.text)), `, ${sizeText(kept.bytes)}${freed}`, ...rules);
  };
  return h("ul", "mg-saved", ...node.saved.map(part));
}
