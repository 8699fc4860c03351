// Only what is alive, and only what led to the latest result.
import assert from "node:assert/strict";
import test from "node:test";
import { EMPTY, type GraphState } from "../src/graph_view/graph_state.ts";
import { fold } from "../src/drawing/folding.ts";
import { shownOf, shownText, type Shown } from "../src/graph_view/shown.ts";
import { node } from "./make.ts";

const gone = { state: "gone" } as const;
const nodes = [
  node("t1", "leaf"),
  node("t2", "data"),
  node("n3", "op", ["t1", "t2"], gone),
  node("n4", "op", ["n3"], gone),
  node("t5", "data"),
  node("n6", "op", ["t1", "t5"]),
  node("n7", "op", ["n6"], { names: ["loss"] }),
];
const state: GraphState = { ...EMPTY, nodes: new Map(nodes.map((one) => [one.id, one])) };
const ids = (shown: Shown, of = state): string[] => [...shownOf(of, shown).nodes.keys()];
const said = (shown: Shown, of = state): string => shownText(of, shownOf(of, shown), shown);

test("everything is everything", () => {
  assert.equal(shownOf(state, "all"), state);
  assert.equal(said("all"), "");
});

test("of what is alive, the inputs are shown, and how much was freed is said", () => {
  const named = { ...state, nodes: new Map(state.nodes).set("t2", { ...node("t2", "data"), ...gone }) };
  assert.deepEqual(ids("alive", named), ["t1", "t5", "n6", "n7"]);
  assert.equal(said("alive", named), "2 freed operations are left out.");
  const whole = { ...state, nodes: new Map([...state.nodes].filter(([id]) => !"n3 n4".includes(id))) };
  assert.equal(said("alive", whole), "Nothing was freed.");
});

test("a pass is what led to the latest operation", () => {
  assert.deepEqual(ids("pass"), ["t1", "t5", "n6", "n7"]);
  assert.equal(said("pass"), "This pass is what led to loss, the latest operation. 2 other operations are left out.");
});

test("a box of which a part is shown does not count all passes", () => {
  const group = { id: "b0:n3", title: "lines 3–5, 48 times", members: ["n3", "n4", "n6", "n7"], groups: [] };
  const title = (shown: Shown): string[] => fold(shownOf(state, shown).nodes, [group], new Set()).records.map((one) => one.formula);
  assert.ok(title("all").includes("lines 3–5, 48 times"));
  assert.ok(title("pass").includes("lines 3–5"));
});
