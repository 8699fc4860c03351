// The words and the numbers of TrainingLoop, without a page.
import assert from "node:assert/strict";
import test from "node:test";
import { eventPlace, eventText, formula, meanText, powers, readCourse, stateText, ticks, type Course, type TrainingEvent } from "../src/training.ts";

function event(rest: Partial<TrainingEvent> = {}): TrainingEvent {
  return { n: 4, kind: "step", step: 1, value: 0.52, grad: -0.2, loss: 2.3, passes: 1, before: 0.5, rate: 0.1, plain: true, ...rest };
}

function course(rest: Partial<Course> = {}): Course {
  return {
    version: 1,
    state: "finished",
    model: "Net",
    optimizer: "SGD",
    message: "",
    progress: "1 step",
    expected: 1,
    parameter: "w",
    steps: 1,
    notes: [],
    lines: ["step"],
    loss: [[1, 2.3]],
    norms: [{ name: "w", points: [[1, 0.2]] }],
    events: [event()],
    ...rest,
  };
}

test("a plain step is the rule with its numbers; a negative gradient stands in brackets", () => {
  assert.deepEqual(formula(event(), "SGD"), ["value ← value − lr · grad", "0.5 − 0.1 · (-0.2) = 0.52"]);
});

test("any other step is an update, with the optimiser’s name", () => {
  assert.deepEqual(formula(event({ plain: false }), "Adam"), ["value ← value − update (Adam, lr 0.1)", "0.5 − (-0.02) = 0.52"]);
  assert.deepEqual(formula(event({ plain: false, rate: null }), "")[0], "value ← value − update (by hand)");
});

test("a step without a gradient moves nothing", () => {
  assert.deepEqual(formula(event({ grad: null, plain: false }), "SGD"), ["value stays", "grad is None"]);
});

test("gradients that were not cleared are a sum, and said to be one", () => {
  assert.deepEqual(formula(event({ kind: "backward", passes: 3 }), "SGD"), ["grad ← grad + new", "now the sum of 3 passes"]);
  assert.match(eventText(event({ kind: "backward" }), "SGD"), /^Step 1, backward\. The loss is 2\.3\. value 0\.52, grad -0\.2\./);
});

test("clearing leaves None, or zero", () => {
  assert.equal(formula(event({ kind: "zero", grad: null }), "SGD")[0], "grad ← None");
  assert.equal(formula(event({ kind: "zero", grad: 0 }), "SGD")[0], "grad ← 0");
});

test("the state is a sentence; while it runs, one that does not change", () => {
  assert.equal(stateText(course()), "Done: 1 step. The last loss is 2.3.");
  assert.equal(stateText(course({ state: "running" })), stateText(course({ state: "running", steps: 9, loss: [[9, 1]] })));
  const message = "stopped after step 3 of 9; the model keeps what it has learned";
  assert.match(stateText(course({ state: "stopped", message, notes: ["The loss is nan since step 2."] })), /^Stopped after step 3 of 9; .* The loss is nan since step 2\.$/);
});

test("the place of an event says how many there are, and in how many steps", () => {
  const four = (n: number, step: number): TrainingEvent[] => [0, 1, 2, 3].map((more) => event({ n: n + more, step }));
  const late = course({ steps: 9, events: [...four(29, 8), ...four(33, 9)] });
  assert.equal(eventPlace(late, 5), "event 6 of 8, in the last 2 steps");
  const all = course({ steps: 2, events: [...four(1, 1), ...four(5, 2)] });
  assert.equal(eventPlace(all, 0), "event 1 of 8, in 2 steps");
  assert.equal(eventPlace(course({ events: four(1, 1) }), 3), "event 4 of 4, in 1 step");
});

test("what comes after the last step is not counted as one more step", () => {
  const events = [event({ n: 1, step: 1 }), event({ n: 2, kind: "zero", step: 2 })];
  assert.equal(eventPlace(course({ steps: 1, events }), 1), "event 2 of 2, in 1 step");
});

test("a chart says over how many steps its thick line is averaged, and nothing if it has none", () => {
  assert.equal(meanText(51), "thick: mean of 51 steps");
  assert.equal(meanText(1001), "thick: mean of 1,001 steps");
  assert.equal(meanText(0) + meanText(undefined), "");
});

test("ticks are round numbers inside, powers of ten on a logarithmic scale", () => {
  assert.deepEqual(ticks(0, 2.36), [0, 1, 2]);
  assert.deepEqual(ticks(5, 5), [5]);
  assert.deepEqual(powers(0.01, 100), [0.01, 0.1, 1, 10, 100]);
  assert.deepEqual(powers(0.3, 4), [0.5, 1, 2]);
});

test("damaged data is refused", () => {
  assert.notEqual(readCourse(course()), null);
  assert.notEqual(readCourse(course({ loss_mean: [[3, 2.1]], windows: [51, 51] })), null);
  const bad: unknown[] = [null, {}, { ...course(), version: 2 }, course({ events: [event({ kind: "jump" as never })] }), course({ loss: [[1] as never] }), course({ notes: [1 as never] }), course({ loss_mean: [["a"] as never] }), course({ windows: [51] as never }), course({ norms: [{ name: "w", points: [], mean: [7 as never] }] })];
  for (const one of bad) assert.equal(readCourse(one), null);
});
