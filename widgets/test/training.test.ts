// The words and the numbers of TrainingLoop, without a page.
import assert from "node:assert/strict";
import test from "node:test";
import {
  eventPlace,
  eventText,
  formula,
  gapText,
  keptText,
  meanText,
  powers,
  readCourse,
  stateText,
  stepText,
  ticks,
  type Course,
  type TrainingEvent,
} from "../src/training_loop/training.ts";

function event(rest: Partial<TrainingEvent> = {}): TrainingEvent {
  return {
    n: 4,
    kind: "step",
    step: 1,
    value: 0.52,
    grad: -0.2,
    loss: 2.3,
    passes: 1,
    before: 0.5,
    rate: 0.1,
    plain: true,
    ...rest,
  };
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
  assert.deepEqual(formula(event(), "SGD"), ["value ← value − lr · grad", "0.5 − 0.1 · (−0.2) = 0.52"]);
});

test("a number that the optimiser does not hold is neither moved nor cleared, and that is said", () => {
  const left = event({ before: 0.5, value: 0.5, rate: null, plain: false });
  assert.deepEqual(formula(left, "SGD"), ["value stays", "this optimizer does not hold it"]);
  const kept = event({ kind: "zero", grad: -0.2 });
  assert.deepEqual(formula(kept, "SGD"), ["grad stays −0.2", "zero_grad() did not reach it"]);
});

test("any other step is an update, with the optimiser’s name", () => {
  assert.deepEqual(formula(event({ plain: false }), "Adam"), [
    "value ← value − update (Adam, lr 0.1)",
    "0.5 − (−0.02) = 0.52",
  ]);
  assert.deepEqual(formula(event({ plain: false, rate: null }), "")[0], "value ← value − update (by hand)");
});

test("a step without a gradient moves nothing", () => {
  assert.deepEqual(formula(event({ grad: null, plain: false }), "SGD"), ["value stays", "grad is None"]);
});

test("a backward pass adds: the old gradient, the new one, and their sum, with numbers", () => {
  const pass = (rest: Partial<TrainingEvent>): string[] => formula(event({ kind: "backward", ...rest }), "SGD");
  assert.deepEqual(pass({ old: null }), ["grad ← new", "grad was None, and is −0.2 now"]);
  assert.deepEqual(pass({ old: 0.3, grad: 0.35 }), ["grad ← grad + new", "0.3 + 0.05 = 0.35"]);
  assert.deepEqual(pass({ old: -0.15, passes: 1350 }), [
    "grad ← grad + new: the sum of 1,350 passes",
    "−0.15 + (−0.05) = −0.2",
  ]);
});

test("of a gradient that is not known nothing is made up", () => {
  assert.deepEqual(formula(event({ kind: "backward", passes: 3 }), "SGD"), [
    "grad ← grad + new: the sum of 3 passes",
    "grad = −0.2",
  ]);
  assert.deepEqual(formula(event({ kind: "backward", grad: null, old: null }), "SGD"), [
    "grad stays None",
    "this pass did not reach it",
  ]);
});

test("an event is told with its step, its loss and its numbers, all with the same minus sign", () => {
  const events = [event({ kind: "backward", old: null })];
  const text = eventText(course({ events }), 0);
  assert.equal(
    text,
    "Step 1, backward. The loss is 2.3. value 0.52, grad −0.2. grad ← new: grad was None, and is −0.2 now.",
  );
  assert.equal(stateText(course({ loss: [[1, -0.5]] })), "Done: 1 step. The last loss is −0.5.");
});

test("clearing leaves None, or zero", () => {
  assert.equal(formula(event({ kind: "zero", grad: null }), "SGD")[0], "grad ← None");
  assert.equal(formula(event({ kind: "zero", grad: 0 }), "SGD")[0], "grad ← 0");
});

test("the state is a sentence; while it runs, one that does not change", () => {
  assert.equal(stateText(course()), "Done: 1 step. The last loss is 2.3.");
  assert.equal(
    stateText(course({ state: "running" })),
    stateText(course({ state: "running", steps: 9, loss: [[9, 1]] })),
  );
  const message = "stopped after step 3 of 9; the model keeps what it has learned";
  assert.match(
    stateText(course({ state: "stopped", message, notes: ["The loss is nan since step 2."] })),
    /^Stopped after step 3 of 9; .* The loss is nan since step 2\.$/,
  );
});

const four = (n: number, step: number): TrainingEvent[] => [0, 1, 2, 3].map((more) => event({ n: n + more, step }));

test("the place of an event is a moment among those that are kept", () => {
  assert.equal(eventPlace(course({ events: four(1, 1) }), 3), "moment 4 of 4");
});

test("where steps are left out between two moments, it is said which", () => {
  const late = course({ steps: 99, events: [...four(1, 1), ...four(5, 2), ...four(389, 98), ...four(393, 99)] });
  assert.deepEqual(
    [0, 1, 7, 8, 9].map((place) => gapText(late, place)),
    ["", "", "", "Steps 3 to 97 are not kept", ""],
  );
  assert.match(eventText(late, 8), /^Steps 3 to 97 are not kept\. Step 98, /);
  assert.equal(keptText(late), "Kept: the first 2 and the last 2 of 99 steps.");
  assert.equal(gapText(course({ steps: 4, events: [...four(1, 1), ...four(9, 3)] }), 4), "Step 2 is not kept");
});

test("of which moments there are, nothing is said where they are all", () => {
  assert.equal(keptText(course({ steps: 2, events: [...four(1, 1), ...four(5, 2)] })), "");
  assert.equal(
    keptText(course({ steps: 9, events: [...four(29, 8), ...four(33, 9)] })),
    "Kept: the last 2 of 9 steps.",
  );
});

test("what comes after the last step is not counted as one more step", () => {
  const late = course({ steps: 2, events: [event({ n: 5, step: 2 }), event({ n: 6, kind: "zero", step: 3 })] });
  assert.equal(keptText(late), "Kept: the last of 2 steps.");
  assert.equal(stepText(late, late.events[1]!), "After step 2");
  assert.equal(stepText(late, late.events[0]!), "Step 2");
});

test("without a step, backward passes are counted and named", () => {
  const passes = course({ unit: "pass", steps: 99, events: [...four(1, 1), ...four(393, 99)] });
  assert.equal(stepText(passes, passes.events[7]!), "Backward pass 99");
  assert.equal(keptText(passes), "Kept: the first and the last of 99 backward passes.");
  assert.equal(gapText(passes, 4), "Backward passes 2 to 98 are not kept");
});

test("a chart says over how many steps its thick line is averaged, and nothing if it has none", () => {
  assert.equal(meanText(course(), 51), "thick: mean of 51 steps");
  assert.equal(meanText(course({ unit: "pass" }), 1001), "thick: mean of 1,001 backward passes");
  assert.equal(meanText(course(), 0) + meanText(course(), undefined), "");
});

test("ticks are round numbers inside, powers of ten on a logarithmic scale", () => {
  assert.deepEqual(ticks(0, 2.36), [0, 1, 2]);
  assert.deepEqual(ticks(5, 5), [5]);
  assert.deepEqual(powers(0.01, 100), [0.01, 0.1, 1, 10, 100]);
  assert.deepEqual(powers(0.3, 4), [0.5, 1, 2]);
});

test("damaged data is refused", () => {
  assert.notEqual(readCourse(course()), null);
  assert.notEqual(readCourse(course({ unit: "pass", events: [event({ kind: "backward", old: null })] })), null);
  assert.notEqual(readCourse(course({ loss_mean: [[3, 2.1]], windows: [51, 51] })), null);
  const bad: unknown[] = [
    null,
    {},
    { ...course(), version: 2 },
    course({ events: [event({ kind: "jump" as never })] }),
    course({ loss: [[1] as never] }),
    course({ notes: [1 as never] }),
    course({ loss_mean: [["a"] as never] }),
    course({ windows: [51] as never }),
    course({ unit: "round" as never }),
    course({ events: [event({ old: [] as never })] }),
    course({ norms: [{ name: "w", points: [], mean: [7 as never] }] }),
  ];
  for (const one of bad) assert.equal(readCourse(one), null);
});
