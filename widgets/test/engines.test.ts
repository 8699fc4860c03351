// Wrong engines in the stepper: the same positions, other numbers, and the right ones beside them.
import assert from "node:assert/strict";
import test from "node:test";
import { newExercise } from "../src/backward_stepper/ask_first.ts";
import { readSchedule } from "../src/data/incoming.ts";
import { edgeMark, makePlan, nodeMark, rightLanding, samePosition } from "../src/backward_stepper/plan.ts";
import { sentence } from "../src/backward_stepper/sentences.ts";
import type { Engine, Schedule, Step } from "../src/data/tape.ts";
import colah from "./colah.json";
import { node, value } from "./make.ts";

const schedule = colah.schedule as Schedule;
const right = makePlan(schedule);
const off = newExercise(false);

function engine(id: string): Engine {
  return schedule.engines?.find((one) => one.id === id) ?? assert.fail(id);
}

test("overwriting leaves the last gradient, and the right one is named beside it", () => {
  const plan = makePlan(schedule, engine("overwrite"));
  assert.equal(nodeMark(plan, "t2", 6).grad?.data[0], 7);
  assert.equal(
    sentence(plan, off, 6),
    "Step 6 of 6. b.grad becomes 7: 8 via d and 7 via c, of which the last is kept. " +
      "That is wrong: 15 is right. The backward pass is complete.",
  );
  assert.match(sentence(plan, off, 4), /At b that leaves 7\.$/);
  assert.equal(sentence(plan, off, 5), "Step 5 of 6. a.grad becomes 7. That is right.");
  assert.equal(rightLanding(plan, plan.steps[5])?.grad.data[0], 15);
  assert.equal(rightLanding(plan, plan.steps[4]), null);
});

test("an engine that nobody has heard of speaks with its own words", () => {
  const joins = { between: "averaged with", kept: "of which the mean is kept", leaves: "evens out at" };
  const plan = makePlan(schedule, { ...engine("overwrite"), id: "mean", title: "mean", joins });
  assert.match(sentence(plan, off, 4), / At b that evens out at 7\.$/);
  assert.match(sentence(plan, off, 6), /: 8 via d and 7 via c, of which the mean is kept\. That is wrong/);
});

test("the right engine has no right value beside it, and says nothing of right or wrong", () => {
  assert.equal(right.engine, null);
  assert.equal(rightLanding(right, right.steps[5]), null);
  assert.doesNotMatch(sentence(right, off, 6), /right|wrong/);
});

test("without the incoming gradient no product is shown that was not taken", () => {
  const plan = makePlan(schedule, engine("local"));
  const products = plan.steps.flatMap((step) =>
    step.kind === "visit" ? step.outgoing.map((out) => [out.numbers, out.grad.data[0]]) : [],
  );
  assert.deepEqual(products, [
    ["1 * 7", 7],
    ["1 * 8", 8],
    [null, 1],
    [null, 1],
    [null, 1],
  ]);
  assert.equal(rightLanding(plan, plan.steps[4])?.after.data[0], 7);
});

test("switching keeps the step that is shown, and the end", () => {
  const plan = makePlan(schedule, engine("overwrite"));
  for (let position = 0; position <= 6; position += 1) assert.equal(samePosition(right, plan, position), position);
  const short: Engine = { ...engine("overwrite"), steps: engine("overwrite").steps.slice(0, 2) };
  assert.equal(samePosition(right, makePlan(schedule, short), 6), 2);
  assert.equal(samePosition(right, makePlan(schedule, short), 4), 2);
});

test("a node that is visited twice has its mark from the first visit, its edge each gradient", () => {
  const one = value([1], [1]);
  const two = value([2], [1]);
  const visit = (grad: typeof one): Step => ({
    kind: "visit",
    node: "n1",
    text: "y",
    arrivals: [],
    grad,
    outgoing: [
      {
        to: "t1",
        text: "x",
        arg: "input",
        rule: "g",
        local: null,
        localValue: null,
        numbers: null,
        grad,
        sumBefore: null,
        sum: grad,
      },
    ],
  });
  const nodes = [node("t1", "leaf"), node("n1", "op", ["t1"])];
  const plan = makePlan({
    version: 1,
    title: "y",
    mode: "rehearsed",
    message: "",
    nodes,
    steps: [visit(one), visit(two)],
  });
  assert.equal(plan.visitAt.get("n1"), 1);
  const key = [...plan.carried.keys()][0] ?? "";
  assert.deepEqual(
    [0, 1, 2].map((at) => edgeMark(plan, key, at)?.grad.data[0]),
    [undefined, 1, 2],
  );
  assert.deepEqual(
    [1, 2].map((at) => edgeMark(plan, key, at)?.active),
    [true, true],
  );
});

test("a schedule without engines can be read, one with damaged engines cannot", () => {
  const { engines: _, ...older } = schedule;
  assert.ok(readSchedule(older).ok);
  assert.ok(readSchedule({ ...schedule, engines: [] }).ok);
  for (const engines of [
    null,
    "x",
    [{ id: "overwrite" }],
    [{ ...engine("overwrite"), joins: "last" }],
    [{ ...engine("overwrite"), joins: { between: "+" } }],
    [{ ...engine("overwrite"), steps: [1] }],
  ]) {
    assert.ok(!readSchedule({ ...schedule, engines }).ok);
  }
});
