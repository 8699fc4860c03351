// Number formatting, reading what a person typed, and judging it.
import assert from "node:assert/strict";
import test from "node:test";
import { brief, formatNumber, matches, readNumber, matrixRows, short } from "../src/data/numbers.ts";
import { label } from "../src/data/node_words.ts";
import { fit, list, pretty } from "../src/data/text.ts";
import { node, value } from "./make.ts";

test("numbers are written short, without trailing zeros", () => {
  const written = [7, 7.0000001, 0.761594, 1e-5, 1.23456e-7, 123456, 1234567.8, -0.5, 0, -0].map(formatNumber);
  assert.deepEqual(written, ["7", "7", "0.7616", "1e-5", "1.235e-7", "123456", "1.235e6", "-0.5", "0", "0"]);
});

test("non-finite numbers, large integers and booleans stay visible as words", () => {
  const written = ["nan", "inf", "-inf", "9007199254740993", true, false].map(formatNumber);
  assert.deepEqual(written, ["nan", "inf", "-inf", "9007199254740993", "True", "False"]);
});

test("a tensor of one number reads as that number, whatever its shape", () => {
  assert.equal(short(value([7], [1])), "7");
  assert.equal(short(value([7], [])), "7");
  assert.equal(short(value([7], [1, 1])), "7");
});

test("a large tensor reads as its shape", () => {
  const large = { ...value([1, 2, 3, 4], [2, 2]), shape: [64, 32], text: "64×32 numbers" };
  assert.equal(short(large), "64×32 numbers");
  assert.equal(brief(large), "64×32");
  assert.equal(brief(value([1, 2], [2])), "[1, 2]");
  assert.equal(brief(value([1, 2, 3, 4, 5], [5])), "5 nums"); // not 5, which would be a value
  assert.equal(brief(value([0.00019652], [])), "0.0002");
});

test("the shown corner comes in rows", () => {
  assert.deepEqual(matrixRows(value([1, 2, 3, 4, 5, 6], [2, 3])), [
    [1, 2, 3],
    [4, 5, 6],
  ]);
  assert.deepEqual(matrixRows(value([1, 2, 3], [3])), [[1, 2, 3]]);
  assert.deepEqual(matrixRows(value([5], [])), [[5]]);
  assert.deepEqual(matrixRows(value([], [0])), []);
});

test("answers may be decimals, fractions, powers of ten, nan and infinities", () => {
  assert.equal(readNumber(" 15 "), 15);
  assert.equal(readNumber("-.5"), -0.5);
  assert.equal(readNumber("1e-3"), 0.001);
  assert.equal(readNumber("1/4"), 0.25);
  assert.equal(readNumber("-1 / 4"), -0.25);
  assert.equal(readNumber("-inf"), -Infinity);
  assert.ok(Number.isNaN(readNumber("NaN")));
});

test("commas may stand between thousands, and nowhere else", () => {
  assert.equal(readNumber("100,000"), 100000);
  assert.equal(readNumber(" -1,234,567 "), -1234567);
  for (const text of ["1,00", "1000,000", "1,000,00", ",100"]) assert.equal(readNumber(text), null);
});

test("what is not a number is not read as one", () => {
  for (const text of ["", "seven", "1/0", "1//2", "0x10", "7 8", "<b>7</b>"])
    assert.equal(readNumber(text), null, text);
});

test("an answer counts when it is right to one part in a thousand", () => {
  assert.ok(matches(15, 15));
  assert.ok(matches(0.333, 1 / 3));
  assert.ok(!matches(0.33, 1 / 3));
  assert.ok(!matches(4, 15));
  assert.ok(!matches(-15, 15));
  assert.ok(matches(0, 0));
  assert.ok(!matches(0.001, 0));
});

test("nan matches nan alone, and an infinity needs its sign", () => {
  assert.ok(matches(NaN, "nan"));
  assert.ok(!matches(0, "nan"));
  assert.ok(matches(-Infinity, "-inf"));
  assert.ok(!matches(Infinity, "-inf"));
});

test("formulas are written as mathematics writes them", () => {
  assert.equal(pretty("c * d"), "c · d");
  assert.equal(pretty("x ** 2 + 2*y**3"), "x² + 2 · y³");
  assert.equal(pretty("x ** 0.5"), "x^0.5");
  assert.equal(pretty("x ** 10"), "x^10");
});

test("lists read as sentences and stay short", () => {
  assert.equal(list(["e"]), "e");
  assert.equal(list(["c", "d"]), "c and d");
  assert.equal(list(["a", "b", "c", "d", "e", "f", "g"]), "a, b, c, d, e and 2 more");
});

test("a text that is cut is never longer than it may be", () => {
  for (let length = 1; length < 8; length += 1) assert.equal(fit("abcdefghij", length).length, length);
  assert.equal(fit("abc", 3), "abc");
});

test("a node's label for a screen reader says what, how much and where from", () => {
  const c = node("n3", "op", ["t1", "t2"], {
    names: ["c"],
    formula: "a + b",
    cell: "In [3]",
    line: 2,
    value: value([8], [1]),
  });
  assert.equal(label(c), "c = a + b, operation, value 8, made in In [3], line 2");
});
