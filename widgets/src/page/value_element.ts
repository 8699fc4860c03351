/**
 * A tensor's numbers as HTML: a single number in monospace, anything larger as a small
 * table with a tint for magnitude. The numbers are always written out; the tint only helps.
 */

import { asNumber, count, formatNumber, matrixRows, shapeText, size } from "../data/numbers.ts";
import type { Value } from "../data/tape.ts";
import { joined } from "../data/text.ts";
import { h } from "./dom.ts";

export function valueElement(value: Value, caption = ""): HTMLElement {
  const only = value.data[0];
  if (size(value) === 1 && only !== undefined) return h("span", "mg-number", formatNumber(only));
  if (value.data.length === 0) return h("span", "mg-number", value.text || shapeText(value.shape));

  const largest = Math.max(0, ...value.data.map((x) => Math.abs(asNumber(x))).filter(Number.isFinite));
  const body = h("tbody");
  for (const [i, row] of matrixRows(value).entries()) {
    const line = h("tr");
    for (const [j, x] of row.entries()) {
      const number = asNumber(x);
      const at = value.shown.length < 2 ? j : `${i}, ${j}`;
      const cell = h("td", { title: `[${at}] is ${x}` }, formatNumber(x));
      if (!Number.isFinite(number)) cell.className = "mg-odd";
      else if (largest > 0) cell.style.setProperty("--mg-heat", `${Math.round((Math.abs(number) / largest) * 26)}%`);
      line.append(cell);
    }
    body.append(line);
  }
  const name = joined([caption, shapeText(value.shape)]);
  const table = h("table", { class: "mg-matrix", "aria-label": name }, body);
  const scroll = h("div", { class: "mg-matrix-frame", tabindex: value.data.length > 8 && 0 }, table);
  if (value.data.length > 8) scroll.append(h("div", "mg-scale", "0", h("i"), `± ${formatNumber(largest)}`));
  if (count(value.shown) < size(value)) {
    scroll.append(h("div", "mg-note", `the first ${value.shown.join("×")} of ${value.shape.join("×")}`));
  }
  return scroll;
}

/** What stands where a number is still hidden. */
export const hidden = (): HTMLElement => h("span", "mg-number mg-hidden", "?");
