/**
 * A tensor's numbers as HTML: a single number in monospace, a small matrix as a table, anything
 * larger, or of more dimensions, as a panel in which the reader chooses what is shown.
 */

import { count, formatNumber, matrixRows, shapeText, size } from "../data/numbers.ts";
import type { Value } from "../data/tape.ts";
import { joined } from "../data/text.ts";
import { h } from "./dom.ts";
import { ValuePanel } from "./value_panel.ts";
import { numberTable } from "./value_table.ts";

/** `gradient`: is it one? `names`: of its dimensions, where they are known. */
export function valueElement(value: Value, caption = "", gradient = false, names?: readonly string[]): HTMLElement {
  const only = value.data[0];
  if (size(value) === 1 && only !== undefined) return h("span", "mg-number", formatNumber(only));
  if (value.data.length === 0) return h("span", "mg-number", value.text || shapeText(value.shape));
  if (count(value.shown) < size(value)) return new ValuePanel(value, caption, gradient, names).element;
  const name = joined([caption, shapeText(value.shape)]);
  return numberTable(matrixRows(value), name, (i, j) => (value.shown.length < 2 ? [j] : [i, j]));
}

/** What stands where a number is still hidden. */
export const hidden = (): HTMLElement => h("span", "mg-number mg-hidden", "?");
