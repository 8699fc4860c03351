/**
 * Numbers as people read them. The kernel sends full precision; a graph has room for
 * four digits. NaN and the infinities arrive as words, since JSON has no such numbers,
 * and stay words: a learner must be able to see them.
 */

import type { Value } from "./tape.ts";

export type Scalar = number | string | boolean;

/** How many numbers a tensor of this shape holds. */
export const count = (shape: readonly number[]): number => shape.reduce((product, n) => product * n, 1);

/** How many numbers the tensor holds (not how many are shown). */
export const size = (value: Value): number => count(value.shape);

/** Four significant digits, never a trailing zero: 7, 0.7616, 1e-5, nan. */
export function formatNumber(x: Scalar): string {
  if (typeof x === "boolean") return x ? "True" : "False";
  if (typeof x === "string") return x;
  if (Number.isNaN(x)) return "nan";
  if (!Number.isFinite(x)) return x > 0 ? "inf" : "-inf";
  if (x === 0) return "0";
  const magnitude = Math.abs(x);
  if (Number.isInteger(x) && magnitude < 1e6) return String(x);
  const rounded = Number(x.toPrecision(4));
  if (magnitude >= 1e-4 && magnitude < 1e6) return String(rounded);
  return rounded.toExponential().replace("e+", "e");
}

/** "2×3", or "a single number" for a shape without dimensions. */
export function shapeText(shape: readonly number[]): string {
  return shape.length === 0 ? "a single number" : shape.join("×");
}

/**
 * A value on one line, for a label or a sentence: "7", "[1, 2]", "2×3 numbers"; "not kept" of a
 * number that nobody knows any more.
 */
export function short(value: Value, limit = 24): string {
  const only = value.data[0];
  if (size(value) === 1 && only !== undefined) return formatNumber(only);
  if (value.text.startsWith("[") && value.text.length <= limit) return value.text;
  if (size(value) === 1) return value.text.startsWith(value.dtype) ? "not kept" : value.text;
  return `${value.shape.join("×")} numbers`;
}

/** The same where there is hardly any room: "7", "0.0002", "[1]", "5 nums", "2×3". */
export function brief(value: Value): string {
  const [only] = value.data;
  const text = short(value, 6);
  if (text.length > 7 && size(value) === 1 && typeof only === "number") {
    const rounded = Number(only.toPrecision(2));
    const plain = formatNumber(rounded);
    return plain.length > 7 ? rounded.toExponential().replace("e+", "e") : plain;
  }
  // A single count would be read as a value.
  return value.shape.length > 1 ? text.replace(" numbers", "") : text.replace("numbers", "nums");
}

/** The shown corner as rows; a vector is one row, a single number one cell. */
export function matrixRows(value: Value): Scalar[][] {
  const width = value.shown.length === 0 ? 1 : (value.shown.at(-1) ?? 1);
  const result: Scalar[][] = [];
  for (let start = 0; start < value.data.length; start += Math.max(1, width)) {
    result.push(value.data.slice(start, start + Math.max(1, width)));
  }
  return result;
}

/** A number without the commas between its thousands: "100,000" is 100000. */
export const withoutCommas = (text: string): string =>
  /^[+−-]?\d{1,3}(,\d{3})+$/.test(text.trim()) ? text.replaceAll(",", "") : text;

/** What a person typed, as a number; null when it cannot be read. Fractions are welcome. */
export function readNumber(text: string): number | null {
  const word = withoutCommas(text).trim().toLowerCase().replace("−", "-");
  if (word === "nan") return NaN;
  const infinite = /^([+-]?)(inf|infinity|∞)$/.exec(word);
  if (infinite) return infinite[1] === "-" ? -Infinity : Infinity;
  const fraction = /^([^/]+)\/([^/]+)$/.exec(word);
  if (fraction) {
    const top = readPlain(fraction[1] ?? "");
    const bottom = readPlain(fraction[2] ?? "");
    return top === null || bottom === null || bottom === 0 ? null : top / bottom;
  }
  return readPlain(word);
}

function readPlain(text: string): number | null {
  const word = text.trim();
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/.test(word) ? Number(word) : null;
}

/** Is the answer the true number, to one part in a thousand? */
export function matches(answer: number, truth: Scalar): boolean {
  const target = asNumber(truth);
  if (Number.isNaN(target)) return Number.isNaN(answer);
  if (!Number.isFinite(target)) return answer === target;
  return Math.abs(answer - target) <= Math.max(1e-3 * Math.abs(target), 1e-9);
}

/** The kernel's scalar as a JavaScript number ("nan" and "-inf" included). */
export function asNumber(x: Scalar): number {
  return typeof x === "string" ? Number(x.replace("inf", "Infinity")) : Number(x);
}
