// A backward pass with boxes: each closed one is one step, with what crosses its border.
import assert from "node:assert/strict";
import test from "node:test";
import { added, foldPass } from "../src/backward_stepper/folded_pass.ts";
import { newExercise, questionsAt } from "../src/backward_stepper/ask_first.ts";
import { edgeMark, makePlan, nodeMark } from "../src/backward_stepper/plan.ts";
import { sentence } from "../src/backward_stepper/sentences.ts";
import type { Group, Schedule } from "../src/data/tape.ts";
import { edgeKey } from "../src/drawing/lanes.ts";
import colah from "./colah.json";
import { value } from "./make.ts";

const whole = colah.schedule as Schedule; // c = a + b, d = b + 1, e = c * d

/** What is closed, without a page. */
function closed(groups: Group[], nodes = whole.nodes): Parameters<typeof foldPass>[1] {
  const opened = new Set<string>();
  const holderOf = (id: string): string => groups.find((g) => !opened.has(g.id) && g.members.includes(id))?.id ?? id;
  return {
    holderOf,
    openFirst: (id: string) => opened.add(id),
    records: () => {
      const boxes = groups.filter((g) => !opened.has(g.id));
      const rest = nodes.filter((one) => holderOf(one.id) === one.id);
      const made = boxes.map((group) => {
        const members = nodes.filter((one) => group.members.includes(one.id));
        const from = new Set(members.flatMap((one) => one.inputs.map(({ id }) => holderOf(id ?? ""))));
        from.delete(group.id);
        const inputs = [...from].filter((id) => id !== "").map((id) => ({ id, arg: "", text: "" }));
        return { ...members.at(-1)!, id: group.id, kind: "box" as const, names: [], formula: group.title, inputs };
      });
      return [...rest, ...made];
    },
  } as unknown as Parameters<typeof foldPass>[1];
}

const ids = whole.nodes.filter(({ kind }) => kind === "op").map(({ id }) => id); // of c, d and e
const group = (id: string, title: string, members: string[]): Group => ({ id, title, members, groups: [] });

test("without a closed box, the pass is as it is", () => {
  const { schedule, last } = foldPass(whole, closed([]));
  assert.equal(schedule, whole);
  assert.deepEqual(last, [1, 2, 3, 4, 5, 6]);
});

test("a closed box is one step: gradient in, gradients out", () => {
  const { schedule, last } = foldPass(whole, closed([group("b:1", "inner", ids.slice(0, 2))]));
  assert.deepEqual(last, [1, 2, 4, 5, 6]);
  const plan = makePlan(schedule);
  const off = newExercise(false);
  assert.equal(
    sentence(plan, off, 3),
    "Step 3 of 5. Backward through inner. Gradient in: 8 from e at d and 7 from e at c. " +
      "Gradients out: 15 to b and 7 to a.",
  );
  assert.deepEqual(questionsAt(plan, 3), []);
  assert.equal(nodeMark(plan, "t2", 3).grad?.data[0], 15);
  assert.equal(nodeMark(plan, "b:1", 2).visited, false);
  assert.equal(nodeMark(plan, "b:1", 3).visited, true);
});

test("what is sent out of a box is on the edges of the box", () => {
  const plan = makePlan(foldPass(whole, closed([group("b:1", "inner", ids.slice(0, 2))])).schedule);
  const { inputs } = plan.nodes.get("b:1")!;
  const marks = inputs.map((_, operand) => edgeMark(plan, edgeKey("b:1", operand), 3)?.grad.data[0]);
  assert.deepEqual(marks, [7, 15]);
});

test("a box with the start in it starts there, and lands what it sends", () => {
  const { schedule } = foldPass(whole, closed([group("b:1", "f", ids)]));
  assert.deepEqual(
    schedule.steps.map(({ kind, node }) => [kind, node]),
    [
      ["start", "b:1"],
      ["visit", "b:1"],
      ["land", "t1"],
      ["land", "t2"],
    ],
  );
  const plan = makePlan(schedule);
  assert.match(sentence(plan, newExercise(false), 2), /Gradient in: 1\. Gradients out: 15 to b and 7 to a\./);
  assert.match(sentence(plan, newExercise(false), 4), /b\.grad becomes 15/);
});

test("a box whose visits are torn apart is opened", () => {
  const { schedule } = foldPass(whole, closed([group("b:1", "torn", [ids[0]!, ids[2]!])]));
  assert.equal(schedule, whole);
});

test("a sum of gradients is that of their numbers, infinities too", () => {
  assert.deepEqual(added(value([1, "inf"], [2]), value([2, 1], [2])).data, [3, "inf"]);
  assert.equal(added(value([1, 2], [2]), value([2, 1], [2])).text, "[3, 3]");
  assert.deepEqual(added(value(["inf"], [1]), value(["-inf"], [1])).data, ["nan"]);
});
