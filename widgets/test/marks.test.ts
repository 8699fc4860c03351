// What was cut from the graph and what shares memory: edges, words, boxes.
import assert from "node:assert/strict";
import test from "node:test";
import { label, tooltip } from "../src/data/node_words.ts";
import { edgesInto, marksOf, marksWithin } from "../src/data/marks.ts";
import type { Input, NodeData, NodeMark } from "../src/data/tape.ts";
import { Lanes } from "../src/drawing/lanes.ts";
import { sourcesOf, usersOf } from "../src/drawing/neighbours.ts";
import { drawnAs } from "../src/graph_view/conventions.ts";
import { foundIn } from "../src/graph_view/found.ts";
import { node } from "./make.ts";

const cut: NodeMark = { kind: "cut", text: "detached in line 4: no gradient passes from here on" };
const memory: NodeMark = { kind: "memory", text: "shares its memory with t" };
const from = (id: string): Input => ({ id, arg: ".detach()", text: id });
const y = node("n2", "op", ["t1"], { names: ["y"], marks: [cut, memory] });
const t = node("t3", "data", [], { names: ["t"], marks: [cut], cut: [from("n2")] });
const nodes = [node("t1", "leaf"), y, t, node("n4", "op", ["t3", "t1"], { names: ["z"] })];
const all = new Map(nodes.map((one) => [one.id, one]));
const column = (lanes: Lanes, id: string): number => lanes.places.get(id)!.column;

test("a value that was cut stands behind the node that it left, with an edge from there", () => {
  const lanes = new Lanes();
  const added = nodes.map((one) => lanes.add(one));
  assert.deepEqual(added[2]!.routes.map((route) => [route.from, route.to]), [["n2", "t3"]]);
  assert.ok(column(lanes, "n2") < column(lanes, "t3") && column(lanes, "t3") < column(lanes, "n4"));
});

test("where that node is not drawn, it waits as any leaf, without an edge", () => {
  const lanes = new Lanes();
  const { routes } = lanes.add(t);
  assert.deepEqual([routes, column(lanes, "t3")], [[], 0]);
});

test("the broken edge can be followed both ways", () => {
  assert.deepEqual(sourcesOf(all, "t3").map(({ id }) => id), ["n2"]);
  assert.deepEqual(usersOf(all, "n2").map(({ id }) => id), ["t3"]);
  assert.deepEqual(edgesInto(nodes[0]!), []);
});

test("marks are said by name, and whole where there is room", () => {
  assert.match(label(y), /marked “cut”, marked “shared”$/);
  assert.match(tooltip(y), /\ndetached in line 4: .*\nshares its memory with t$/);
  assert.deepEqual(marksOf(nodes[3]!), []);
});

test("a box tells how many of its nodes have which mark", () => {
  const texts = (members: NodeData[]): string[] => marksWithin(members).map((mark) => mark.text);
  assert.deepEqual(texts(nodes), ["2 nodes in it with the mark “cut”", "1 node in it with the mark “shared”"]);
  assert.deepEqual(texts([nodes[0]!]), []);
});

test("an operation drawn as its sign and its value carries its marks once, and the edge leads to the value", () => {
  assert.deepEqual(drawnAs(y, "both").map((one) => marksOf(one).length), [0, 2]);
  assert.deepEqual(drawnAs(t, "both")[0]!.cut, [{ ...from("n2"), id: "n2=" }]);
});

test("a value without history and name is called by what it was", () => {
  const unnamed = node("t5", "data", [], { formula: "y.detach()" });
  assert.match(label(unnamed), /^y\.detach\(\), leaf that requires no gradient/);
  assert.match(label(node("t6", "data")), /^unnamed, /);
});

test("the search finds them by their word", () => {
  assert.deepEqual(foundIn(nodes, "cut"), ["n2", "t3"]);
  assert.deepEqual(foundIn(nodes, "shared"), ["n2"]);
});

test("a weight with two paths says the other one, and a variable that holds it is no path", () => {
  const tied = node("t1", "leaf", [], { names: ["encoder.weight", "decoder.weight"] });
  assert.match(label(tied), /^encoder\.weight, also decoder\.weight, leaf/);
  assert.match(tooltip(tied), /^encoder\.weight, also decoder\.weight\n/);
  assert.match(label({ ...tied, names: ["W", "encoder.weight"] }), /^W, leaf/);
});
