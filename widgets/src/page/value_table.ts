/** Numbers as a table with a tint for magnitude. They are always written out; the tint only helps. */

import { asNumber, formatNumber, type Scalar } from "../data/numbers.ts";
import { h } from "./dom.ts";

/** `index`: where the number in this row and column stands in the value; undefined is a missing one. */
export function numberTable(
  rows: readonly (readonly (Scalar | undefined)[])[],
  name: string,
  index: (row: number, column: number) => number[],
): HTMLElement {
  const known = rows.flat().filter((x) => x !== undefined);
  const largest = Math.max(0, ...known.map((x) => Math.abs(asNumber(x))).filter(Number.isFinite));
  const body = h("tbody");
  for (const [i, row] of rows.entries()) {
    const line = h("tr");
    for (const [j, x] of row.entries()) {
      if (x === undefined) {
        line.append(h("td", { title: `[${index(i, j).join(", ")}] is not here` }, "?"));
        continue;
      }
      const number = asNumber(x);
      const cell = h("td", { title: `[${index(i, j).join(", ")}] is ${x}` }, formatNumber(x));
      if (!Number.isFinite(number)) cell.className = "mg-odd";
      else if (largest > 0) cell.style.setProperty("--mg-heat", `${Math.round((Math.abs(number) / largest) * 26)}%`);
      line.append(cell);
    }
    body.append(line);
  }
  const table = h("table", { class: "mg-matrix", "aria-label": name }, body);
  const many = known.length > 8;
  const scroll = h("div", { class: "mg-matrix-frame", tabindex: many && 0 }, table);
  if (many) scroll.append(h("div", "mg-scale", "shade: 0", h("i"), `± ${formatNumber(largest)}`));
  return scroll;
}
