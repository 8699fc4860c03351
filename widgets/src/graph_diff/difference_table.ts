/** Two runs as a table: the same rows as the picture, with nothing folded away. */

import { short } from "../data/numbers.ts";
import type { NodeData } from "../data/tape.ts";
import { h } from "../page/dom.ts";
import { equation, foldText, lineOf, meaningOf, SIDES, sourceOf, type Difference, type Row } from "./difference.ts";

export function differenceTable(difference: Difference): HTMLElement {
  const { left, right } = difference;
  const body = h("tbody", {}, ...difference.rows.map(line));
  const head = h(
    "tr",
    {},
    h("th", { scope: "col" }, "line"),
    h("th", { scope: "col" }, `left: ${left.title}`),
    h("th", { scope: "col" }, "value"),
    h("th", { scope: "col" }, "compared"),
    h("th", { scope: "col" }, `right: ${right.title}`),
    h("th", { scope: "col" }, "value"),
  );
  const table = h("table", {}, h("caption", {}, difference.summary), h("thead", {}, head), body);
  return h(
    "div",
    { class: "mg-table", tabindex: 0, role: "group", "aria-label": "Table of both runs, scrollable" },
    table,
  );
}

function line(row: Row): HTMLElement {
  if (row.skipped > 0) {
    const fold = { key: 0, kind: row.kind, rows: [], count: row.skipped, open: false, fixed: true };
    return h("tr", {}, h("td", { colspan: 6 }, foldText(fold)));
  }
  const [left, right] = SIDES.map((side) => cells(row[side]));
  const sign = { same: "=", value: "≠", left: "◂", right: "▸" }[row.kind];
  return h(
    "tr",
    { "data-mg-row": row.kind },
    h("th", { scope: "row", title: sourceOf(row) }, lineOf(row)),
    ...(left ?? []),
    h(
      "td",
      { class: `mg-compared mg-is-${row.kind}` },
      h("span", { "aria-hidden": "true" }, `${sign} `),
      meaningOf(row),
    ),
    ...(right ?? []),
  );
}

function cells(node: NodeData | null): HTMLElement[] {
  if (node === null) return [h("td", "mg-none", "–"), h("td", {})];
  return [h("td", "mg-math", equation(node)), h("td", "mg-number", short(node.value))];
}
