// Slices of large values: read, indexed, and turned into colours.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  colourOf,
  cornerOf,
  numberAt,
  rangeOf,
  readSlice,
  readSliceReply,
  storedSlices,
  windowOf,
  type Slice,
} from "../src/data/slices.ts";
import { value } from "./make.ts";

function slice(numbers: number[], shown: number[], rest: Partial<Slice> = {}): Slice {
  const bytes = new Uint8Array(new Float32Array(numbers).buffer);
  const text = btoa(String.fromCharCode(...bytes));
  return { at: [], start: [0, 0], step: [1, 1], shown, narrow: true, numbers: text, ...rest };
}

test("a slice is read with all its numbers, also those that are not finite", () => {
  const read = readSlice(slice([1, NaN, -Infinity, 0.5], [2, 2]));
  assert.deepEqual(Array.from(read!.data), [1, NaN, -Infinity, 0.5]);
});

test("a slice whose numbers are too few, or no base64, is none", () => {
  assert.equal(readSlice(slice([1, 2, 3], [2, 2])), null);
  assert.equal(readSlice({ ...slice([1], [1, 1]), numbers: "<img>" }), null);
  assert.equal(readSlice({ ...slice([1], [1, 1]), at: ["0"] }), null);
  assert.equal(readSlice(null), null);
});

test("a number is found at its place in the value, and only where the slice has it", () => {
  const read = readSlice(slice([1, 2, 3, 4], [2, 2], { start: [10, 0], step: [1, 5] }))!;
  assert.equal(numberAt(read, 11, 5), 4);
  assert.equal(numberAt(read, 11, 4), undefined);
  assert.equal(numberAt(read, 9, 0), undefined);
  assert.equal(numberAt(read, 10, 10), undefined);
});

test("a window is put together of all slices that have a number of it", () => {
  const one = readSlice(slice([1, 2], [1, 2]))!;
  const other = readSlice(slice([3], [1, 1], { start: [1, 1] }))!;
  assert.deepEqual(windowOf([one, other], [0, 0], [2, 2]), [
    [1, 2],
    [undefined, 3],
  ]);
});

test("what came with a value of four dimensions is the corner of its first matrix", () => {
  const corner = cornerOf({ ...value([1, 2, 3, 4], [5, 6, 9, 9]), shown: [2, 2] });
  assert.deepEqual(corner.at, [0, 0]);
  assert.equal(numberAt(corner, 1, 0), 3);
});

test("the stored slices of another value, and damaged ones, are left out", () => {
  const trait = { slices: { 7: [slice([1], [1, 1]), { at: 0 }], 8: [slice([2], [1, 1])] } };
  assert.deepEqual(
    storedSlices(trait, 7).map(({ data }) => Array.from(data)),
    [[1]],
  );
  assert.deepEqual(storedSlices({}, 7), []);
  assert.deepEqual(storedSlices(null, 7), []);
});

test("an answer has a slice, or says why it has none", () => {
  assert.ok(readSliceReply({ type: "slice", asked: "a", why: "gone" }));
  assert.ok(readSliceReply({ type: "slice", asked: "a", slice: slice([1], [1, 1]) }));
  assert.equal(readSliceReply({ type: "slice", asked: "a" }), null);
  assert.equal(readSliceReply({ type: "delta", asked: "a", why: "gone" }), null);
});

test("the range is that of the finite numbers, and the others are counted", () => {
  const matrix = cornerOf(value([3, "nan", "-inf", -1, "nan"], [5]));
  assert.deepEqual(rangeOf([matrix]), { least: -1, largest: 3, odd: { nan: 2, inf: 0, "-inf": 1 } });
});

test("grey goes from black at the least number to white at the largest", () => {
  const range = rangeOf([cornerOf(value([2, 4], [2]))]);
  assert.deepEqual(colourOf([2], range, "grey"), [0, 0, 0]);
  assert.deepEqual(colourOf([4], range, "grey"), [255, 255, 255]);
});

test("a diverging scale is white at 0, and as strong on both sides", () => {
  const range = rangeOf([cornerOf(value([-1, 4], [2]))]);
  assert.deepEqual(colourOf([0], range, "diverging"), [255, 255, 255]);
  const [red, , blue] = colourOf([-1], range, "diverging");
  assert.ok(red! < blue! && red! > 180, "a quarter of the way to blue");
  assert.ok(colourOf([4], range, "diverging")[0]! > colourOf([4], range, "diverging")[2]!);
});

test("of three matrices each is one colour, on one common scale", () => {
  const matrices = [0, 5, 10].map((x) => cornerOf(value([x], [1])));
  assert.deepEqual(colourOf([0, 5, 10], rangeOf(matrices), "rgb"), [0, 128, 255]);
});

test("numbers that are all the same have a colour, and all 0 is white around 0", () => {
  const range = rangeOf([cornerOf(value([0, 0], [2]))]);
  assert.deepEqual(colourOf([0], range, "grey"), [128, 128, 128]);
  assert.deepEqual(colourOf([0], range, "diverging"), [255, 255, 255]);
});
