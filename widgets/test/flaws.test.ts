// The first NaN or infinity of a graph, and what is said of where it came from.
import assert from "node:assert/strict";
import test from "node:test";
import { firstFlaws, flawTag, flawText } from "../src/graph_view/flaws.ts";
import type { NodeData, Value } from "../src/data/tape.ts";
import { node, value } from "./make.ts";

const flawed = (flaw: string): Value => ({ ...value([flaw], [1]), flaw });
const notKept: Value = { ...value([], [3]), shown: [0] };
const op = (id: string, inputs: string[], rest: Partial<NodeData>): NodeData =>
  node(id, "op", inputs, { names: [id], formula: inputs.join(" * "), ...rest });
const leaf = (id: string, rest: Partial<NodeData> = {}): NodeData => node(id, "leaf", [], { names: [id], ...rest });

function said(nodes: NodeData[], at = 0, omitted = 0): string {
  const { ids, unknown } = firstFlaws(nodes);
  const all = new Map(nodes.map((one) => [one.id, one]));
  return flawText(all.get(ids[at] ?? "")!, all, unknown, omitted);
}

test("a graph of finite numbers has no first NaN", () => {
  assert.deepEqual(firstFlaws([leaf("a"), op("b", ["a"], {})]), { ids: [], unknown: false });
});

test("the first one is named with its inputs, which were finite", () => {
  const nodes = [leaf("a"), leaf("w"), op("b", ["a", "w"], { value: flawed("nan") }), op("c", ["b"], { value: flawed("nan") })];
  assert.deepEqual(firstFlaws(nodes).ids, ["b"]);
  assert.equal(said(nodes), "The first NaN is in b = a · w. a and w were finite.");
  assert.equal(flawTag(nodes[2]!), "first NaN");
});

test("of an infinity that comes before, both are told, and an input that was not finite is not called so", () => {
  const nodes = [leaf("a"), op("b", ["a"], { value: flawed("inf") }), op("c", ["b", "a"], { value: flawed("nan") })];
  assert.deepEqual(firstFlaws(nodes).ids, ["b", "c"]);
  assert.equal(said(nodes, 0), "The first infinity is in b = a. a was finite.");
  assert.equal(said(nodes, 1), "The first NaN is in c = b · a. b held infinity. a was finite.");
});

test("what nobody kept is not called finite", () => {
  const nodes = [leaf("a"), op("b", ["a"], { value: notKept }), op("c", ["b", "z"], { value: flawed("nan") })];
  assert.match(said(nodes), /Of b and z nothing is known\. Of some values before it nothing is known\.$/);
  assert.match(said(nodes, 0, 7), /Operations before those that are drawn are not looked at\.$/);
});

test("a leaf is told as what it is", () => {
  const nodes = [leaf("a", { value: flawed("nan") }), op("b", ["a"], { value: flawed("nan") })];
  assert.match(said(nodes), /^The first NaN is in a\. It was there when it was first used/);
});

test("a leaf that was changed since it was used is not the first, unless there is no other", () => {
  const w = leaf("w", { value: flawed("nan"), rewritten: true });
  assert.deepEqual(firstFlaws([w, op("b", ["w"], { value: flawed("inf") })]).ids, ["b"]);
  assert.match(said([w, op("b", ["w"], { value: flawed("inf") })]), /What w held then is not known/);
  assert.deepEqual(firstFlaws([w, op("b", ["w"], {})]).ids, ["w"]);
  assert.match(said([w]), /^w holds NaN now\. It was changed after it was first used/);
  assert.equal(flawTag(w), "NaN");
});

test("an infinity that only tells a softmax what to leave out is no flaw; one that goes elsewhere is", () => {
  const mask = node("m", "data", [], { value: flawed("inf") });
  const scores = op("s", ["q", "m"], { value: flawed("inf") });
  const weights = op("w", ["s"], { op: "softmax" });
  const nodes = [leaf("q"), mask, scores, weights];
  assert.deepEqual(firstFlaws(nodes).ids, []);
  assert.deepEqual(firstFlaws([...nodes, op("sum", ["s"], { value: flawed("inf") })]).ids, ["m"]);
  const empty = op("w", ["s"], { op: "softmax", value: flawed("nan") });
  assert.deepEqual(firstFlaws([leaf("q"), mask, scores, empty]).ids, ["m", "w"]);
});
