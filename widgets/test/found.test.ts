// What a search in the graph finds, and what it says.
import assert from "node:assert/strict";
import test from "node:test";
import { fold, around } from "../src/drawing/folding.ts";
import { foundIn, foundText, shapeIn } from "../src/graph_view/found.ts";
import type { Group } from "../src/data/tape.ts";
import { node, value } from "./make.ts";

const nodes = [
  node("t1", "leaf", [], { names: ["layers.0.weight"], value: value([1], [2, 3]) }),
  node("t2", "data", [], { names: ["x"], value: value([1], [12, 34]) }),
  node("n3", "op", ["t1", "t2"], { names: ["hidden"], op: "addmm", scope: "Net › layers.0" }),
  node("n4", "op", ["n3"], { op: "log_softmax", scope: "Net", value: value([1], [3]) }),
];

test("a node is found by its name, a parameter's path, its operation or its module", () => {
  assert.deepEqual(foundIn(nodes, "hidden"), ["n3"]);
  assert.deepEqual(foundIn(nodes, "layers.0.weight"), ["t1"]);
  assert.deepEqual(foundIn(nodes, "AddMM"), ["n3"]);
  assert.deepEqual(foundIn(nodes, "LogSoftmaxBackward0"), ["n4"]);
  assert.deepEqual(foundIn(nodes, "Net"), ["n3", "n4"]);
  assert.deepEqual(foundIn(nodes, "layers.0"), ["t1", "n3"]);
});

test("a formula is found as it is drawn, and as the program has it", () => {
  const made = [
    node("n1", "op", [], { names: ["y"], op: "mul", formula: "w * x" }),
    node("n2", "op", [], { op: "add", formula: "y + b" }),
  ];
  for (const asked of ["w * x", "w · x", "W*x", "y = w"]) assert.deepEqual(foundIn(made, asked), ["n1"], asked);
  assert.deepEqual(foundIn(made, "y + b"), ["n2"]);
  assert.deepEqual(foundIn(made, "b + y"), []);
});

test("every word must be found", () => {
  assert.deepEqual(foundIn(nodes, "net addmm"), ["n3"]);
  assert.deepEqual(foundIn(nodes, "net tanh"), []);
  assert.deepEqual(foundIn(nodes, "  "), []);
});

test("a shape is found as a whole, however it is written", () => {
  for (const asked of ["2x3", "2×3", "(2, 3)", "[2,3]", "2, 3"]) {
    assert.deepEqual(foundIn(nodes, asked), ["t1"], asked);
  }
  assert.deepEqual(foundIn(nodes, "(3,)"), ["n4"]);
  assert.equal(shapeIn("3"), "");
  assert.deepEqual(foundIn(nodes, "0"), ["t1", "n3"]);
});

test("the search says how many there are, and which one it stands at", () => {
  assert.equal(foundText("tanh", 12, -1, ""), "12 found. Enter leads to the first.");
  assert.equal(foundText("tanh", 12, 2, "h = tanh(x)"), "3 of 12: h = tanh(x)");
  assert.equal(foundText("tanh", 0, -1, ""), "Nothing found.");
  assert.equal(foundText(" ", 0, -1, ""), "");
});

const group = (id: string, members: string[], groups: Group[] = []): Group => ({ id, title: id, members, groups });

test("the boxes around an operation are known from the outermost on", () => {
  const groups = [group("b0:n1", [], [group("b1:n1", ["n1", "n2"]), group("n3", ["n3"])]), group("b0:n4", ["n4", "n5"])];
  assert.deepEqual(around(groups, "n2"), ["b0:n1", "b1:n1"]);
  assert.deepEqual(around(groups, "n5"), ["b0:n4"]);
  assert.deepEqual(around(groups, "n9"), []);
});

test("one leaf of many can stand outside of their box", () => {
  const leaves = Array.from({ length: 12 }, (_, i) => node(`t${i}`, "leaf"));
  const some = leaves.map(({ id }, i) => node(`n${i}`, "op", [id]));
  const others = leaves.map(({ id }, i) => node(`n${i + 20}`, "op", [id]));
  const all = new Map([...leaves, ...some, ...others].map((one) => [one.id, one]));
  const groups = [some, others].map((users, i) => group(`b0:n${20 * i}`, users.map(({ id }) => id)));
  assert.ok(!fold(all, groups, new Set()).records.some(({ id }) => id === "t3"));
  const { records, holder } = fold(all, groups, new Set(["t3"]));
  assert.ok(records.some(({ id }) => id === "t3"));
  assert.equal(holder.get("t3"), "t3");
  assert.equal(holder.get("t4"), "b:leaves");
  assert.equal(records[0]?.formula, "11 leaves");
});
