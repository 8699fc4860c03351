/** The picture as a table: the same nodes, in the order in which they were made. */

import { also, handle, isOfProgram, kindWords, origin, stateWords } from "../data/node_words.ts";
import { short } from "../data/numbers.ts";
import type { NodeData } from "../data/tape.ts";
import { joined, pretty } from "../data/text.ts";
import { button, h } from "../page/dom.ts";
import { usersOf } from "../drawing/neighbours.ts";

const COLUMNS = ["Node", "Kind", "Formula", "Value", "Grad", "Comes from", "Goes into", "Made in", "State", "Marks"];

export function nodeTable(nodes: readonly NodeData[], open: (id: string) => void): HTMLElement {
  const names = new Map(nodes.map((node) => [node.id, pretty(handle(node))]));
  const all = new Map(nodes.map((node) => [node.id, node]));
  const rows = nodes.map((node) => {
    const from = node.inputs.map((input) => (input.id === null ? input.text : (names.get(input.id) ?? input.text)));
    const cells = [
      kindWords(node) || node.numbers,
      node.kind === "box" ? "" : pretty(node.formula),
      valueText(node),
      node.grad ? short(node.grad) : "",
      from.join(", "),
      usersOf(all, node.id).map((user) => names.get(user.id)).join(", "),
      origin(node),
      node.kind === "failed" ? "failed" : stateOf(node),
      pretty(joined((node.marks ?? []).map((mark) => mark.text), "; ")),
    ];
    const press = button(
      joined([names.get(node.id) ?? "", also(node)]),
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

function stateOf(node: NodeData): string {
  return isOfProgram(node) ? stateWords(node) : (stateWords(node) || "alive").replace(/:.*/, "");
}

function valueText(node: NodeData): string {
  if (node.kind === "box") return "";
  return node.kind === "failed" ? `none: ${node.numbers}` : short(node.value);
}

/** What Enter does on this node. */
export const action = (node: NodeData): string => (node.kind === "box" ? "open the box" : "details");
