// Two runs side by side: folding, the words for what differs, and what is not accepted.
import assert from "node:assert/strict";
import test from "node:test";
import { entries, equation, foldText, meaningOf, readDifference, type Kind, type Row } from "../src/graph_diff/difference.ts";
import { node } from "./make.ts";

const row = (kind: Kind, id: number): Row => ({
  kind,
  left: kind === "right" ? null : node(`n${id}`, "op"),
  right: kind === "left" ? null : node(`n${id}`, "op"),
  skipped: 0,
});
const rows = (kind: Kind, count: number): Row[] => Array.from({ length: count }, (_, i) => row(kind, i));
const shape = (list: ReturnType<typeof entries>): string =>
  list.map(({ fold, row: shown }) => (fold === null ? shown?.kind[0] : `(${fold.count})`)).join("");

test("a long stretch of one kind shows its two ends, and all of it when opened", () => {
  const all = [...rows("same", 40), ...rows("right", 2)];
  assert.equal(shape(entries(all, new Set())), "ss(36)ssrr");
  assert.equal(shape(entries(all, new Set([0]))), `ss(36)${"s".repeat(36)}ssrr`);
});

test("what differs among equal rows is never folded away", () => {
  const all = [...rows("same", 20), row("value", 1), ...rows("same", 20)];
  assert.equal(shape(entries(all, new Set())), "ss(16)ssvss(16)ss");
  assert.equal(shape(entries(rows("value", 8), new Set())), "v".repeat(8));
});

test("rows that were left out in the kernel cannot be opened", () => {
  const [, fold] = entries(
    [row("same", 1), { kind: "same", left: null, right: null, skipped: 900 }, row("same", 2)],
    new Set(),
  );
  assert.equal(fold?.fold?.fixed, true);
  assert.equal(fold?.fold && foldText(fold.fold), "900 equal operations");
});

test("a fold says what it holds", () => {
  const texts = (["same", "value", "left", "right"] as const).map((kind) => {
    const fold = entries(rows(kind, 12), new Set())[2]?.fold;
    return fold ? foldText(fold) : "";
  });
  assert.deepEqual(texts, [
    "8 equal operations",
    "8 operations with other values",
    "8 operations on the left only",
    "8 operations on the right only",
  ]);
});

test("another shape is called so, and not another value", () => {
  const apart = row("value", 1);
  assert.equal(meaningOf(apart), "other value");
  const right = apart.right as NonNullable<Row["right"]>;
  const stretched = { ...right, value: { ...right.value, shape: [5, 5] } };
  assert.equal(meaningOf({ ...apart, right: stretched }), "other shape");
  assert.equal(meaningOf({ ...apart, kind: "right", left: null, right: stretched }), "only right");
});

test("an equation is written as mathematics; a leaf is its name", () => {
  assert.equal(equation(node("n1", "op", [], { names: ["y"], formula: "x ** 2 * 3" })), "y = x² · 3");
  assert.equal(equation(node("n1", "op", [], { formula: "x * 3" })), "x · 3");
  assert.equal(equation(node("t1", "leaf", [], { names: ["a"] })), "a");
});

test("data that does not fit is refused with a sentence", () => {
  const side = { title: "a = 1", operations: 1 };
  const good = {
    version: 1,
    function: "f",
    summary: "s",
    left: side,
    right: side,
    rows: [row("left", 1)],
    questions: [],
  };
  assert.ok(readDifference(good).ok);
  for (const bad of [
    {},
    null,
    { ...good, version: 2 },
    { ...good, rows: [{ ...row("left", 1), left: null }] },
    { ...good, questions: [1] },
  ]) {
    const read = readDifference(bad);
    assert.match(read.ok ? "" : read.problem, /^This comparison/);
  }
});
