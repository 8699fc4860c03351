/**
 * Slices of large values, as `minigrad/tape/slices.py` makes them: a matrix out of a value of any
 * rank, of at most 128 × 128 numbers. Some are stored with a view, the others come when asked for.
 */

import { isFields, isText } from "./checks.ts";
import { asNumber, type Scalar } from "./numbers.ts";
import type { Value } from "./tape.ts";

export interface Slice {
  at: number[]; // the place in all dimensions but the last two
  start: number[]; // the first row and column
  step: number[]; // from one row, or column, to the next that is shown
  shown: number[]; // how many rows and columns
  narrow: boolean; // as float32, else as float64
  numbers: string; // little-endian, in base64
}

/** Page → kernel. */
export interface SliceRequest {
  type: "slice";
  asked: string; // comes back with the answer
  of: number; // the value's `more`
  at: number[];
  start: number[];
  step: number[] | null; // null: so that all of it is covered
}

/** Kernel → page. */
export interface SliceReply {
  asked: string;
  slice?: Slice;
  why?: string; // "gone", or "written" over; absent if there is a slice
}

/** A slice that can be read. */
export interface Matrix {
  at: readonly number[];
  start: readonly number[];
  step: readonly number[];
  shown: readonly number[]; // rows and columns
  data: ArrayLike<Scalar>;
}

const isCounts = (x: unknown): boolean => Array.isArray(x) && x.every((n) => Number.isInteger(n) && n >= 0);
const isPair = (x: unknown): boolean => isCounts(x) && (x as number[]).length === 2;

const isSlice = (x: unknown): x is Slice =>
  isFields(x) && isCounts(x.at) && [x.start, x.step, x.shown].every(isPair) && isText(x.numbers);

export function readSliceReply(x: unknown): SliceReply | null {
  const good = isFields(x) && x.type === "slice" && isText(x.asked) && (isSlice(x.slice) || isText(x.why));
  return good ? (x as unknown as SliceReply) : null;
}

/** The slice as numbers; null if it is damaged. */
export function readSlice(x: unknown): Matrix | null {
  if (!isSlice(x)) return null;
  try {
    const bytes = Uint8Array.from(atob(x.numbers), (sign) => sign.charCodeAt(0));
    const data = x.narrow ? Array.from(new Float32Array(bytes.buffer), rounded) : new Float64Array(bytes.buffer);
    return data.length === x.shown[0]! * x.shown[1]! ? { ...x, data } : null;
  } catch {
    return null;
  }
}

/** What a float32 knows of a number, and not twice as many digits. */
const rounded = (x: number): number => (Number.isFinite(x) && !Number.isInteger(x) ? Number(x.toPrecision(7)) : x);

/** The slices that are stored under this number with a view. */
export function storedSlices(trait: unknown, of: number): Matrix[] {
  const slices = isFields(trait) && isFields(trait.slices) ? trait.slices[of] : null;
  return Array.isArray(slices) ? slices.map(readSlice).filter((one) => one !== null) : [];
}

/** The dimensions before the matrix, and the matrix; a vector is one row. */
export function dimensions({ shape }: Value): { leading: number[]; rows: number; columns: number } {
  const columns = shape.at(-1) ?? 1;
  return { leading: shape.slice(0, -2), rows: shape.length < 2 ? 1 : shape.at(-2)!, columns };
}

/** What came with the value itself: its first rows and columns. */
export function cornerOf(value: Value): Matrix {
  const { leading } = dimensions(value);
  const rows = value.shown.length < 2 ? 1 : value.shown[0]!;
  const shown = [rows, value.shown.at(-1) ?? 1];
  return { at: leading.map(() => 0), start: [0, 0], step: [1, 1], shown, data: value.data };
}

export const samePlace = (one: readonly number[], other: readonly number[]): boolean => one.join() === other.join();

/** The number in this row and column; undefined if the matrix does not have it. */
export function numberAt({ start, step, shown, data }: Matrix, row: number, column: number): Scalar | undefined {
  const i = (row - start[0]!) / step[0]!;
  const j = (column - start[1]!) / step[1]!;
  const inside = Number.isInteger(i) && Number.isInteger(j) && i >= 0 && j >= 0 && i < shown[0]! && j < shown[1]!;
  return inside ? data[i * shown[1]! + j] : undefined;
}

/** So many rows and columns from a first one on, out of all slices that have any; undefined where none has. */
export function windowOf(
  known: readonly Matrix[],
  [row, column]: readonly number[],
  [rows, columns]: readonly number[],
): (Scalar | undefined)[][] {
  const at = (i: number, j: number): Scalar | undefined =>
    known.map((one) => numberAt(one, row! + i, column! + j)).find((x) => x !== undefined);
  return Array.from({ length: rows! }, (_, i) => Array.from({ length: columns! }, (_, j) => at(i, j)));
}

/** How far the finite numbers go, and how many are none. */
export interface Range {
  least: number; // above `largest` if no number is finite
  largest: number;
  odd: { nan: number; inf: number; "-inf": number };
}

export function rangeOf(matrices: readonly Matrix[]): Range {
  const range: Range = { least: Infinity, largest: -Infinity, odd: { nan: 0, inf: 0, "-inf": 0 } };
  for (const { data } of matrices) {
    for (let i = 0; i < data.length; i += 1) {
      const x = asNumber(data[i]!);
      if (Number.isNaN(x)) range.odd.nan += 1;
      else if (!Number.isFinite(x)) range.odd[x > 0 ? "inf" : "-inf"] += 1;
      else {
        range.least = Math.min(range.least, x);
        range.largest = Math.max(range.largest, x);
      }
    }
  }
  return range;
}

/** `rgb`: three matrices are the red, the green and the blue. */
export type Scale = "grey" | "diverging" | "rgb";

/** A number as red, green and blue: blue, white at 0, and red; or each from least to largest. */
export function colourOf(numbers: readonly number[], { least, largest }: Range, scale: Scale): number[] {
  if (scale !== "diverging") {
    const light = numbers.map((x) => (largest > least ? Math.round(((x - least) / (largest - least)) * 255) : 128));
    return [0, 1, 2].map((i) => light[i] ?? light[0]!);
  }
  const far = Math.max(Math.abs(least), Math.abs(largest));
  const part = far > 0 ? numbers[0]! / far : 0;
  const end = part < 0 ? BLUE : RED;
  return end.map((colour) => Math.round(255 + (colour - 255) * Math.abs(part)));
}

const BLUE = [12, 66, 148];
const RED = [168, 40, 8];
