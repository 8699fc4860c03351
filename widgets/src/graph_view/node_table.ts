/** The picture as a table: the same nodes, in the order in which they were made. */

import { handle, KINDS, origin, STATES } from "../data/node_words.ts";
import { short } from "../data/numbers.ts";
import type { NodeData } from "../data/tape.ts";
import { pretty } from "../data/text.ts";
import { button, h } from "../page/dom.ts";

const COLUMNS = ["Node", "Kind", "Formula", "Value", "Grad", "Made from", "Made in", "State"];

export function nodeTable(nodes: readonly NodeData[], open: (id: string) => void): HTMLElement {
  const names = new Map(nodes.map((node) => [node.id, pretty(handle(node))]));
  const rows = nodes.map((node) => {
    const from = node.inputs.map((input) => (input.id === null ? input.text : (names.get(input.id) ?? input.text)));
    const cells = [
      KINDS[node.kind] || node.numbers,
      node.kind === "box" ? "" : pretty(node.formula),
      node.kind === "box" ? "" : short(node.value),
      node.grad ? short(node.grad) : "",
      from.join(", "),
      origin(node),
      (STATES[node.state] || "alive").replace(/:.*/, ""),
    ];
    const press = button(
      names.get(node.id) ?? "",
      () => open(node.id),
      "mg-link",
      `${names.get(node.id)}: ${action(node)}`,
    );
    press.dataset.mgRow = node.id;
    return h("tr", {}, h("th", { scope: "row" }, press), ...cells.map((text) => h("td", {}, text)));
  });
  const heads = COLUMNS.map((name) => h("th", { scope: "col" }, name));
  const body = h(
    "table",
    { "aria-label": "The nodes, in the order in which they were made" },
    h("thead", {}, h("tr", {}, ...heads)),
    h("tbody", {}, ...rows),
  );
  return h("div", { class: "mg-table", tabindex: 0, role: "group", "aria-label": "Table, scrollable" }, body);
}

/** What Enter does on this node. */
export const action = (node: NodeData): string => (node.kind === "box" ? "open the box" : "details");
