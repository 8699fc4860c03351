/** The panel below the graph: everything that is known about one node. */

import { button, h } from "./dom.ts";
import type { NodeData } from "./tape.ts";
import { origin, pretty, title } from "./text.ts";
import { valueView } from "./value_view.ts";

const KINDS = {
  op: "operation: a node of the graph",
  leaf: "leaf: it requires a gradient, and nothing recorded made it",
  data: "data: it requires no gradient",
} as const;

const STATES = {
  alive: "alive",
  spent: "spent: backward has taken its saved values",
  gone: "freed: nothing holds this node any more",
} as const;

/** As Python writes it: (), (3,), (2, 3). */
const pythonShape = (shape: number[]): string => `(${shape.join(", ")}${shape.length === 1 ? "," : ""})`;

export function details(node: NodeData, onClose: () => void): HTMLElement {
  const entries = h("dl", { class: "mg-entries" });
  const entry = (term: string, content: Node | string): void => {
    if (content !== "") entries.append(h("dt", {}, term), h("dd", {}, content));
  };
  entry("kind", KINDS[node.kind]);
  entry("value", valueView(node.value, "value"));
  entry("shape", pythonShape(node.value.shape));
  entry("dtype", node.value.dtype);
  if (node.names.length > 1) entry("also called", node.names.slice(1).join(", "));
  entry("state", STATES[node.state]);
  entry("made in", origin(node));
  if (node.source.trim() !== "") entry("source line", h("code", {}, node.source.trim()));
  return h(
    "section",
    { class: "mg-details", "aria-label": `Details of ${title(node)}` },
    h(
      "header",
      {},
      h("h4", { class: "mg-math" }, pretty(title(node))),
      button("×", "Close details", onClose, "mg-button mg-square"),
    ),
    entries,
  );
}
