// A folded graph: boxes in place of nodes, and the three ways to draw what is left.
import assert from "node:assert/strict";
import test from "node:test";
import { countText, drawnAs, recordOf } from "../src/graph_view/conventions.ts";
import { openAtFirst } from "../src/drawing/boxes.ts";
import { fold, LEAVES } from "../src/drawing/folding.ts";
import { Lanes } from "../src/drawing/lanes.ts";
import type { Group, NodeData } from "../src/data/tape.ts";
import colah from "./colah.json";
import { node } from "./make.ts";

const box = (id: string, members: string[], groups: Group[] = []): Group => ({
  id,
  title: `box ${id}`,
  members,
  groups,
});
const map = (...nodes: NodeData[]): Map<string, NodeData> => new Map(nodes.map((one) => [one.id, one]));
const chain = map(
  node("t0", "leaf"),
  node("t1", "data"),
  node("n1", "op", ["t0", "t1"]),
  node("n2", "op", ["n1"]),
  node("n3", "op", ["n2", "t0"]),
);
const ids = (records: NodeData[]): string[] => records.map((record) => record.id);

test("a box stands for its members, with the inputs that come from outside", () => {
  const { records, open } = fold(chain, [box("b0:n1", ["n1", "n2"]), box("n3", ["n3"])], new Set());
  assert.deepEqual(ids(records), ["t0", "b0:n1", "n3"]);
  assert.deepEqual(
    records[1]?.inputs.map((input) => input.id),
    ["t0"],
  );
  assert.deepEqual(
    records[2]?.inputs.map((input) => input.id),
    ["b0:n1", "t0"],
  );
  assert.equal(records[1]?.numbers, "2 operations and 1 data");
  assert.deepEqual(open, []);
});

test("an opened box shows its members, or the boxes in it", () => {
  const groups = [box("b0:n1", [], [box("b1:n1", ["n1", "n2"]), box("n3", ["n3"])])];
  const once = fold(chain, groups, new Set(["b0:n1"]));
  assert.deepEqual(ids(once.records), ["t0", "b1:n1", "n3"]);
  assert.deepEqual(once.open, [{ id: "b0:n1", title: "box b0:n1", note: "", shown: ["b1:n1", "n3"], depth: 0 }]);
  const twice = fold(chain, groups, new Set(["b0:n1", "b1:n1"]));
  assert.deepEqual(ids(twice.records), ["t0", "t1", "n1", "n2", "n3"]);
});

test("operations that are newer than the boxes stand for themselves", () => {
  const { records } = fold(chain, [box("b0:n1", ["n1", "n2"])], new Set());
  assert.deepEqual(ids(records), ["t0", "b0:n1", "n3"]);
});

test("a few leaves are always shown, of many one box is made", () => {
  const leaves = Array.from({ length: 20 }, (_, i) => node(`t${i}`, "leaf"));
  const users = leaves.map((leaf, i) => node(`n${i}`, "op", [leaf.id]));
  const { records } = fold(map(...leaves, ...users), [], new Set());
  assert.deepEqual(ids(records).slice(0, 2), [LEAVES, "n0"]);
  assert.deepEqual(
    records[5]?.inputs.map((input) => input.id),
    [LEAVES],
  );
});

test("a box is freed when all its members are, and alive while one is", () => {
  const gone = (id: string): NodeData => node(id, "op", [], { state: "gone" });
  const state = (...nodes: NodeData[]): string | undefined =>
    fold(
      map(...nodes),
      [
        box(
          "b0:n1",
          nodes.map((one) => one.id),
        ),
      ],
      new Set(),
    ).records[0]?.state;
  assert.equal(state(gone("n1"), gone("n2")), "gone");
  assert.equal(state(gone("n1"), node("n2", "op")), "alive");
});

const article = colah.snapshot.nodes as NodeData[];

test("the article's program has 3 operations, 5 named values, 8 nodes", () => {
  const leaves = "2 AccumulateGrad, one for each leaf, drawn as the leaves";
  assert.equal(countText(article, "operations", "data"), "3 operations");
  assert.equal(countText(article, "operations", "next_functions"), `3 operations, and ${leaves}`);
  assert.equal(countText(article, "values", "data"), "5 named values");
  assert.match(countText(article, "both", "data"), /^8 nodes: 3 operations and 5 values;/);
  const drawn = (convention: "operations" | "values" | "both"): number =>
    article.flatMap((one) => drawnAs(one, convention)).length;
  assert.deepEqual([drawn("operations"), drawn("values"), drawn("both")], [5, 5, 8]);
});

test("values without a name are counted as such", () => {
  assert.equal(countText([node("t1", "leaf", [], { names: ["a"] }), node("n2", "op")], "values", "data"), "2 values, 1 named");
});

test("where both are nodes, an edge leads from a value into an operation or out of it", () => {
  const drawn = article.flatMap((one) => drawnAs(one, "both"));
  const kinds = new Map(drawn.map((one) => [one.id, one.kind]));
  const lanes = new Lanes();
  for (const one of drawn) {
    lanes.add(one);
    for (const { id } of one.inputs) if (id !== null) assert.equal(kinds.get(id) === "sign", one.kind === "value");
    assert.ok(article.some((record) => record.id === recordOf(one.id)));
  }
  assert.equal(lanes.places.size, 8);
});

test("at first, as many levels are open as show no more than twelve operations and boxes", () => {
  const pass = (name: string, length: number): Group =>
    box(`b:${name}`, Array.from({ length }, (_, at) => `${name}.${at}`));
  const loop = (length: number): Group => box("b:loop", [], ["x", "y", "z"].map((name) => pass(name, length)));
  assert.deepEqual(openAtFirst([loop(5)]), ["b:loop"]);
  assert.deepEqual(openAtFirst([loop(4)]), ["b:loop", "b:x", "b:y", "b:z"]);
  assert.deepEqual(openAtFirst([pass("x", 13)]), []);
  assert.deepEqual(openAtFirst([box("n1", ["n1"])]), []);
});
