// The stepper without a page: what is where at each position, the sentences, the questions.
import assert from "node:assert/strict";
import test from "node:test";
import {
  picked,
  isPending,
  isSecret,
  judge,
  newExercise,
  questionsAt,
  reach,
  scoreText,
  switchOn,
  type Exercise,
} from "../src/backward_stepper/ask_first.ts";
import { readSchedule } from "../src/data/incoming.ts";
import { edgeMark, makePlan, nodeMark, touchedBetween, visitOrdinal, type Plan } from "../src/backward_stepper/plan.ts";
import { sentence } from "../src/backward_stepper/sentences.ts";
import type { Schedule, Value } from "../src/data/tape.ts";
import colah from "./colah.json";
import { node, value } from "./make.ts";

const schedule = colah.schedule as Schedule;
const plan = makePlan(schedule);
const off = newExercise(false);
const number = (x: Value | null | undefined): unknown => x?.data[0];

function settle(exercise: Exercise, at: number, answers: string[] | null, on: Plan = plan): Exercise {
  const judged = judge(exercise, on, at, answers);
  return judged.kind === "settled" ? judged.exercise : assert.fail(judged.kind);
}

/** Answers that are wrong, and leave the question open. */
function again(exercise: Exercise, at: number, answers: string[], on: Plan = plan): Exercise {
  const judged = judge(exercise, on, at, answers);
  return judged.kind === "again" ? judged.exercise : assert.fail(judged.kind);
}

/** Wrong in two tries before: the third one settles it. */
function thirdTry(exercise: Exercise, at: number, answers: string[], on: Plan = plan): Exercise {
  const other = (text: string): string[] => answers.map(() => text);
  return settle(again(again(exercise, at, other("1000"), on), at, other("2000"), on), at, answers, on);
}

test("each step is one full sentence or two", () => {
  const sentences = Array.from({ length: 7 }, (_, position) => sentence(plan, off, position));
  assert.deepEqual(sentences, [
    "Before the backward pass. 6 steps.",
    "Step 1 of 6. Start at e. Its gradient with respect to itself is 1.",
    "Step 2 of 6. Visit e = c * d. The grad is 1. It sends 7 to c and 8 to d.",
    "Step 3 of 6. Visit d = b + 1. The grad is 8. It sends 8 to b (path 1 of 2).",
    "Step 4 of 6. Visit c = a + b. The grad is 7. It sends 7 to a and 7 to b (path 2 of 2). At b that makes 15.",
    "Step 5 of 6. a.grad becomes 7.",
    "Step 6 of 6. b.grad becomes 15: 8 via d and 7 via c. The backward pass is complete.",
  ]);
});

test("at the fork the gradients are summed", () => {
  const b = [2, 3, 4, 6].map((position) => number(nodeMark(plan, "t2", position).grad));
  assert.deepEqual(b, [undefined, 8, 15, 15]);
  assert.equal(nodeMark(plan, "t2", 4).arrivals, 2);
});

test("a node is current during its step and visited from then on", () => {
  assert.deepEqual(
    [1, 2, 3].map((position) => {
      const { current, visited } = nodeMark(plan, "n5", position);
      return [current, visited];
    }),
    [
      [true, false],
      [true, true],
      [false, true],
    ],
  );
  assert.ok(!nodeMark(plan, "t2", 5).landed);
  assert.ok(nodeMark(plan, "t2", 6).landed);
});

test("an edge carries its gradient from the step that uses it", () => {
  assert.equal(edgeMark(plan, "n3|1", 3), null);
  assert.deepEqual([edgeMark(plan, "n3|1", 4)?.active, number(edgeMark(plan, "n3|1", 4)?.grad)], [true, 7]);
  assert.equal(edgeMark(plan, "n3|1", 5)?.active, false);
});

test("a step touches only its node, its receivers and its edges", () => {
  const { nodes, edges } = touchedBetween(plan, 2, 3);
  assert.deepEqual([...nodes].sort(), ["n3", "n4", "n5", "t2"]);
  assert.deepEqual([...edges].sort(), ["n4|0", "n5|0", "n5|1"]);
});

test("visits are counted", () => {
  assert.deepEqual(
    [2, 3, 4].map((position) => visitOrdinal(plan, position)),
    [1, 2, 3],
  );
});

test("x * x has two edges, and each carries its own gradient", () => {
  const g = value([3], []);
  const out = { to: "x", text: "x", rule: "g * x", local: "x", localValue: g, numbers: "1 * 3", grad: g };
  const square = makePlan({
    ...schedule,
    nodes: [node("x", "leaf", [], { names: ["x"] }), node("y", "op", ["x", "x"], { names: ["y"] })],
    steps: [
      {
        kind: "visit",
        node: "y",
        text: "y = x * x",
        arrivals: [],
        grad: value([1], []),
        outgoing: [
          { ...out, arg: "input", sumBefore: null, sum: g },
          { ...out, arg: "other", sumBefore: g, sum: value([6], []) },
        ],
      },
    ],
  });
  assert.deepEqual(square.touched[0]?.edges, ["y|0", "y|1"]);
  const prompts = questionsAt(square, 1).map((question) => question.prompt);
  assert.deepEqual(prompts, ["Grad sent to x as “input”?", "Grad sent to x as “other”?"]);
});

test("of the tensors of one list the questions say the place and the number", () => {
  const g = value([1], []);
  const out = { rule: "g", local: null, localValue: null, numbers: null, grad: g, sumBefore: null, sum: g };
  const part = { ...out, arg: "tensors", text: "ride + base" };
  const sums = [7, 10].map((x, index) => node(`n${index}`, "op", ["x"], { value: value([x], [1]) }));
  const data = node("d", "data", [], { names: ["d"] });
  const joining = makePlan({
    ...schedule,
    nodes: [node("x", "leaf"), data, ...sums, node("y", "op", ["n0", "d", "n1", "n1"], { names: ["y"] })],
    steps: [
      {
        kind: "visit",
        node: "y",
        text: "y = cat(…)",
        arrivals: [],
        grad: value([1, 1, 1, 1], [4]),
        outgoing: [
          { ...part, to: "n0" },
          { ...part, to: "n1" },
          { ...part, to: "n1" },
        ],
      },
    ],
  });
  const prompts = questionsAt(joining, 1).map((question) => question.prompt);
  assert.deepEqual(prompts, [
    "Grad sent to the 1st input, ride + base = 7?",
    "Grad sent to the 3rd input, ride + base = 10?",
    "Grad sent to the 4th input, ride + base = 10?",
  ]);
});

test("a .grad that was there before is added to", () => {
  const steps = structuredClone(schedule.steps);
  const land = steps[4];
  if (land?.kind !== "land") return assert.fail();
  land.before = value([3], [1]);
  land.after = value([10], [1]);
  const twice = makePlan({ ...schedule, steps });
  assert.equal(sentence(twice, off, 5), "Step 5 of 6. a.grad was 3; 7 is added; it becomes 10.");
  const exercise = thirdTry(switchOn(twice, 4), 5, ["7"], twice);
  assert.equal(
    exercise.settled.get(5)?.[0]?.text,
    "You said 7. It is 10: 7 arrived via c, on top of the 3 that was there.",
  );
});

test("asked are the numbers that a visit sends, and a sum where it lands", () => {
  const prompts = [1, 2, 3, 4, 5, 6].map((position) => questionsAt(plan, position).map((question) => question.prompt));
  assert.deepEqual(prompts, [
    [],
    ["Grad sent to c?", "Grad sent to d?"],
    ["Grad sent to b?"],
    ["Grad sent to a?", "Grad sent to b?"],
    [],
    ["What is b.grad now?"],
  ]);
});

test("the published wrong answer is corrected with its two paths", () => {
  const exercise = thirdTry(switchOn(plan, 5), 6, ["4"]);
  assert.deepEqual(exercise.settled.get(6), [
    { text: "You said 4. It is 15: 8 arrived via d and 7 via c.", right: false },
  ]);
  assert.equal(scoreText(exercise), "0 of 1 right so far");
});

/** What is said to a first wrong try: the text of its mistake, and the rule that it breaks. */
function said(at: number, answers: string[], on: Plan = plan): [string, string] {
  const last = again(switchOn(on, at - 1), at, answers, on).tries.get(at);
  return [last?.mistake?.text ?? "", last?.mistake?.rule ?? ""];
}

test("swapped operands are called so", () => {
  assert.deepEqual(said(2, ["8", "7"]), ["You took the local slope for the other input.", "local"]);
});

test("each wrong number is called by the mistake that makes it", () => {
  const cases: [number, string[], RegExp, string][] = [
    [3, ["1"], /the local slope alone/, "multiply"],
    [3, ["6"], /That is the value of b/, "direction"],
    [3, ["9"], /You added the local slope/, "multiply"],
    [3, ["-8"], /The sign is the other way round/, "local"],
    [4, ["7", "15"], /what has arrived at b in all/, ""],
    [6, ["8"], /only the first arrival, via d/, "add"],
    [6, ["7"], /only the last arrival, via c/, "add"],
    [6, ["56"], /You multiplied what arrived/, "add"],
    [6, ["4"], /^$/, ""],
  ];
  for (const [at, answers, text, rule] of cases) {
    const [words, broken] = said(at, answers);
    assert.match(words, text);
    assert.equal(broken, rule);
  }
});

test("a number that stopped one node early is called so, and what was there before is told", () => {
  const steps = structuredClone(schedule.steps);
  const visit = steps[2];
  const land = steps[5];
  if (visit?.kind !== "visit" || land?.kind !== "land") return assert.fail();
  visit.grad = value([80], [1]);
  land.before = value([100], [1]);
  land.after = value([115], [1]);
  const other = makePlan({ ...schedule, steps });
  assert.match(said(6, ["80"], other)[0], /stopped one node early/);
  assert.deepEqual(said(6, ["15"], other), ["That replaces what was in .grad. backward() adds to it.", "accumulate"]);
});

test("no mistake has the right number, and none of the texts has any number", () => {
  for (let at = 1; at <= 6; at += 1) {
    for (const { truth, mistakes, hint } of questionsAt(plan, at)) {
      assert.ok(mistakes.every(({ value: x }) => x !== truth));
      assert.ok([hint, ...mistakes.map(({ text }) => text)].every((text) => !/[1-9]/.test(text)));
    }
  }
});

test("a first wrong try asks for the rule, a second one gets a hint, a third one the answer", () => {
  const first = again(newExercise(true), 2, ["8", "8"]);
  assert.ok(isPending(first, plan, 2));
  assert.deepEqual([first.tries.get(2)?.ruled, first.tries.get(2)?.right], [false, [false, true]]);
  const ruled = picked(first, 2, true);
  assert.deepEqual([ruled.tries.get(2)?.ruled, ruled.tries.get(2)?.another], [true, true]);
  assert.deepEqual(judge(ruled, plan, 2, ["8", "8"]).kind, "unreadable", "it was tried already");
  const second = again(ruled, 2, ["1", "8"]);
  assert.deepEqual([second.tries.get(2)?.count, second.tries.get(2)?.ruled], [2, true]);
  assert.equal(questionsAt(plan, 2)[0]?.hint, "what is sent to c is `g * d`, where `g` is what arrived at e.");
  const third = settle(second, 2, ["3", "8"]);
  assert.equal(third.settled.get(2)?.[0]?.text, "To c. You said 3. It is 7 = 1 · 7.");
});

test("what is right in the end counts as right", () => {
  const exercise = settle(again(newExercise(true), 2, ["8", "7"]), 2, ["7", "8"]);
  assert.equal(scoreText(exercise), "2 of 2 right so far");
});

test("several answers are judged one by one, and the score counts them", () => {
  const exercise = thirdTry(newExercise(true), 2, ["7", "3"]);
  assert.deepEqual(
    exercise.settled.get(2)?.map((verdict) => verdict.text),
    ["To c. Right: 7 = 1 · 7.", "To d. You said 3. It is 8 = 1 · 8."],
  );
  assert.equal(scoreText(exercise), "1 of 2 right so far");
});

test("“Show me” reveals and does not count", () => {
  const exercise = settle(newExercise(true), 2, null);
  assert.equal(scoreText(exercise), "");
  assert.equal(exercise.settled.get(2)?.[0]?.text, "To c. It is 7 = 1 · 7.");
});

test("an answer that is no number is not judged", () => {
  const judged = judge(newExercise(true), plan, 2, ["7", ""]);
  assert.deepEqual(judged.kind === "unreadable" && judged.index, 1);
});

test("no step past an open question can be reached", () => {
  const exercise = newExercise(true);
  assert.equal(reach(exercise, plan, 6), 2);
  assert.equal(reach(settle(exercise, 2, null), plan, 6), 3);
  assert.equal(reach(off, plan, 6), 6);
  assert.equal(reach(off, plan, 99), 6);
  assert.equal(reach(off, plan, -1), 0);
});

test("what has been answered is not asked again", () => {
  const exercise = settle(newExercise(true), 2, ["7", "8"]);
  assert.ok(!isPending(exercise, plan, 2));
  assert.equal(reach(exercise, plan, 1), 1);
  assert.equal(reach(exercise, plan, 3), 3);
});

test("switched on in the middle, it asks only about what is still to come", () => {
  const exercise = switchOn(plan, 3);
  assert.ok(!isPending(exercise, plan, 2));
  assert.ok(isPending(exercise, plan, 4));
});

test("the status does not give the answer away", () => {
  const asking = newExercise(true);
  assert.equal(sentence(plan, asking, 2), "Step 2 of 6. Visit e = c * d. The grad is 1. What does it send to c and d?");
  const last = sentence(plan, switchOn(plan, 5), 6);
  assert.equal(last, "Step 6 of 6. 8 via d and 7 via c arrive. What is b.grad now?");
});

test("a sum stays hidden until the step that asks for it", () => {
  let exercise = newExercise(true);
  for (const position of [2, 3, 4]) exercise = settle(exercise, position, null);
  assert.ok(!isSecret(exercise, plan, "t2", 3), "8 alone is no sum yet");
  assert.ok(isSecret(exercise, plan, "t2", 4), "8 + 7 would give 15 away");
  assert.ok(!sentence(plan, exercise, 4).includes("15"));
  exercise = settle(exercise, 6, ["15"]);
  assert.ok(!isSecret(exercise, plan, "t2", 4));
  assert.ok(sentence(plan, exercise, 4).includes("15"));
});

test("the numbers of an open question are hidden on the graph", () => {
  const asking = newExercise(true);
  assert.ok(isSecret(asking, plan, "n3", 2));
  assert.ok(!isSecret(asking, plan, "n5", 2), "what came in is known");
  assert.ok(!isSecret(off, plan, "n3", 2));
});

test("of a matrix one entry is asked, and the question names it", () => {
  const g = value([0.5, "nan", 3, 4], [2, 2]);
  const matrix = makePlan({
    ...schedule,
    nodes: [node("w", "leaf", [], { names: ["w"] }), node("y", "op", ["w"])],
    steps: [
      {
        kind: "visit",
        node: "y",
        text: "y = w.exp()",
        arrivals: [],
        grad: g,
        outgoing: [
          {
            to: "w",
            text: "w",
            arg: "input",
            rule: "g * out",
            local: "out",
            localValue: g,
            numbers: null,
            grad: g,
            sumBefore: null,
            sum: g,
          },
        ],
      },
    ],
  });
  assert.equal(questionsAt(matrix, 1)[0]?.prompt, "Grad sent to w, entry [0, 1]?");
  const exercise = settle(newExercise(true), 1, ["nan"], matrix);
  assert.equal(exercise.settled.get(1)?.[0]?.text, "Right: nan.");
});

test("at most three numbers are asked at once", () => {
  const steps = structuredClone(schedule.steps);
  const visit = steps[1];
  if (visit?.kind !== "visit") return assert.fail();
  visit.outgoing = [...visit.outgoing, ...visit.outgoing, ...visit.outgoing];
  assert.equal(questionsAt(makePlan({ ...schedule, steps }), 2).length, 3);
});

test("a step that names an unknown node does no harm", () => {
  const steps = structuredClone(schedule.steps);
  const visit = steps[1];
  if (visit?.kind !== "visit") return assert.fail();
  visit.node = "n404";
  const odd = makePlan({ ...schedule, steps });
  assert.match(sentence(odd, off, 2), /^Step 2 of 6/);
});

test("the fixture is a well-formed schedule", () => {
  assert.ok(readSchedule(colah.schedule).ok);
});

test("malformed schedules are refused with a plain sentence", () => {
  const broken = [
    null,
    undefined,
    7,
    "x",
    [],
    {},
    { version: 1 },
    { ...schedule, steps: [{ kind: "visit" }] },
    { ...schedule, mode: "?" },
  ];
  for (const data of broken) {
    const read = readSchedule(data);
    assert.ok(!read.ok && /cannot be read/.test(read.problem), JSON.stringify(data));
  }
  const newer = readSchedule({ ...schedule, version: 2 });
  assert.ok(!newer.ok && /format 2/.test(newer.problem));
});
