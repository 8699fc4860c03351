/** The panel below the graph: everything that is known about one node. */

import { KINDS, origin, STATES, title } from "../data/node_words.ts";
import { short } from "../data/numbers.ts";
import type { NodeData, Saved } from "../data/tape.ts";
import { joined, pretty } from "../data/text.ts";
import { button, h } from "../page/dom.ts";
import { valueElement } from "../page/value_element.ts";

/** As Python writes it: (), (3,), (2, 3). */
const pythonShape = (shape: number[]): string => `(${shape.join(", ")}${shape.length === 1 ? "," : ""})`;

export function details(node: NodeData, onClose: () => void): HTMLElement {
  const entries = h("dl", "mg-entries");
  const entry = (term: string, content: Node | string): void => {
    if (content !== "") entries.append(h("div", {}, h("dt", {}, term), h("dd", {}, content)));
  };
  entry("kind", KINDS[node.kind]);
  entry("value", valueElement(node.value, "value"));
  if (node.numbers !== "") {
    entry("computed", h("span", "mg-math", pretty(`${node.formula} = ${node.numbers} = ${short(node.value)}`)));
  }
  if (node.grad) entry(node.op === "" ? ".grad" : "grad", h("div", "mg-grad", valueElement(node.grad, "grad")));
  else if (node.kind !== "data")
    entry("grad", h("span", "mg-none", node.op === "" ? "None" : "no backward pass was watched"));
  if (node.op !== "") entry("saved", saved(node));
  entry("shape", pythonShape(node.value.shape));
  entry("dtype", node.value.dtype);
  if (node.names.length > 1) entry("also called", node.names.slice(1).join(", "));
  entry("state", STATES[node.state] || "alive");
  entry("made in", joined([origin(node), node.scope && `in ${node.scope}`]));
  if (node.source.trim() !== "") entry("source line", h("code", {}, node.source.trim()));
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
