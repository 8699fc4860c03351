// The code beside the graph: which line made which nodes, and where a click on it leads.
import assert from "node:assert/strict";
import test from "node:test";
import { makePlan, nextVisit } from "../src/backward_stepper/plan.ts";
import { isShort, sourceParts, widest } from "../src/backward_stepper/source_lines.ts";
import type { Schedule } from "../src/data/tape.ts";
import colah from "./colah.json";
import { node } from "./make.ts";

const lines = (count: number): { number: number; text: string }[] =>
  Array.from({ length: count }, (_, index) => ({ number: index + 1, text: `x = x * ${index}` }));

test("a line has the nodes that it made, of its own file and of no other", () => {
  const made = [
    node("n1", "op", [], { file: "In [2]", line: 2 }),
    node("n2", "op", [], { file: "In [3]", line: 2 }),
    node("n3", "op", [], { file: "In [2]", line: 2 }),
  ];
  const [part] = sourceParts([{ file: "In [2]", lines: lines(3) }], made);
  assert.deepEqual(
    part?.lines.map((line) => line.made),
    [[], ["n1", "n3"], []],
  );
});

test("where lines are left out, the next one says so", () => {
  const [part] = sourceParts([{ file: "In [2]", lines: [1, 2, 9].map((number) => ({ number, text: "" })) }], []);
  assert.deepEqual(
    part?.lines.map((line) => line.after),
    [false, false, true],
  );
});

test("code of up to twelve lines is short, in one block or in two", () => {
  assert.ok(isShort(sourceParts([{ file: "a", lines: lines(12) }], [])));
  assert.ok(!isShort(sourceParts([{ file: "a", lines: lines(7) }, { file: "b", lines: lines(6) }], [])));
  assert.equal(widest(sourceParts([{ file: "a", lines: lines(11) }], [])), "x = x * 10".length);
});

test("a line leads to the next visit of what it made, and then to the first one again", () => {
  const plan = makePlan(colah.schedule as Schedule);
  const ids = ["n3", "n4"];
  const visits = ids.map((id) => plan.visitAt.get(id) ?? 0).sort();
  assert.equal(nextVisit(plan, ids, 0), visits[0]);
  assert.equal(nextVisit(plan, ids, visits[0] ?? 0), visits[1]);
  assert.equal(nextVisit(plan, ids, visits[1] ?? 0), visits[0]);
  assert.equal(nextVisit(plan, ["nowhere"], 0), undefined);
});
