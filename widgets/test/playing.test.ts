// The player without a page: what is known when, who wrote it last, where a line runs next, the first NaN.
import assert from "node:assert/strict";
import test from "node:test";
import { Asks, isOpen, newExercise, reach, scoreText } from "../src/tape_player/asks.ts";
import { PassPlans } from "../src/tape_player/pass_plans.ts";
import { lastWriter, nextAtLine, nextFlaw, stateAt, visibleAt } from "../src/tape_player/playing.ts";
import { readRecording, type Change, type Moment, type Recording } from "../src/tape_player/recording.ts";
import { passText, sentence, writerText } from "../src/tape_player/words.ts";
import { judge } from "../src/question/question.ts";
import { node, value } from "./make.ts";

const change = (name: string, x: number | string | null, call = 0): Change => ({
  name,
  call,
  value: typeof x === "number" ? { ...value([x], []), text: String(x) } : null,
  text: x === null ? null : String(x),
});

const moment = (
  kind: Moment["kind"],
  line: number | null,
  changes: Change[] = [],
  rest: Partial<Moment> = {},
): Moment => ({
  kind,
  call: 0,
  passes: [],
  file: "In [2]",
  line,
  changes,
  ...rest,
});

/** Two passes of a loop: line 2 its head, line 3 two operations, line 4 a write; then a call of f. */
function looped(): Recording {
  const nodes = ["n1", "n2", "n3", "n4"].map((id, i) =>
    node(id, "op", ["t1"], { names: i % 2 ? ["y"] : [], formula: "w * 2", numbers: "1 * 2", value: value([i], []) }),
  );
  const pass = (number: number, a: string, b: string): Moment[] => [
    moment("line", 2, [change("i", String(number))]),
    moment("op", 3, [], { node: a, passes: [number] }),
    moment("op", 3, [change("y", number)], { node: b, passes: [number] }),
    moment("line", 4, [change("w", 10 * number)], { passes: [number] }),
  ];
  return {
    version: 1,
    title: "In [2]",
    note: "",
    dropped: 0,
    followed: true,
    raised: "",
    first: [change("w", 1)],
    calls: [
      { id: 0, scope: "" },
      { id: 1, scope: "f" },
    ],
    nodes,
    passes: [],
    moments: [
      ...pass(1, "n1", "n2"),
      ...pass(2, "n3", "n4"),
      moment("line", 2),
      moment("call", 8, [change("x", 5, 1)], { call: 1 }),
      moment("line", 9, [change("x", "nan", 1)], { call: 1 }),
      moment("line", 5, [change("y", null)]),
    ],
    source: [{ file: "In [2]", lines: [2, 3, 4, 5, 8, 9].map((number) => ({ number, text: `line ${number}` })) }],
  };
}

const names = (recording: Recording, position: number): string[] =>
  visibleAt(recording, position).flatMap(({ known }) => known.map(({ change: { name, text } }) => `${name}=${text}`));

test("at each position the variables are as they were then, forwards and backwards", () => {
  const tape = looped();
  assert.deepEqual(names(tape, 0), ["w=1"]);
  assert.deepEqual(names(tape, 4), ["w=10", "i=1", "y=1"]);
  assert.deepEqual(names(tape, 3), ["w=1", "i=1", "y=1"]);
  assert.deepEqual(names(tape, 12), ["w=20", "i=2"], "y is gone, and the variables of f are not seen outside");
});

test("in a function its own variables stand before those of the block", () => {
  const [first, second] = visibleAt(looped(), 10);
  assert.equal(first?.call, 1);
  assert.deepEqual(first?.known.map(({ change: { name } }) => name), ["x"]);
  assert.equal(second?.call, 0);
});

test("a gradient stands below what it belongs to", () => {
  const tape = looped();
  tape.moments[4]!.changes.push(change("w.grad", 3));
  assert.deepEqual(names(tape, 5), ["w=10", "w.grad=3", "i=2", "y=1"]);
});

test("who wrote last: this step, an earlier one, the beginning, or nobody", () => {
  const tape = looped();
  assert.equal(lastWriter(tape, 0, "w", 4), 4);
  assert.equal(lastWriter(tape, 0, "w", 7), 4);
  assert.equal(lastWriter(tape, 0, "w", 8), 8);
  assert.equal(lastWriter(tape, 0, "w", 3), 0);
  assert.equal(lastWriter(tape, 0, "y", 2), null);
  assert.equal(lastWriter(tape, 1, "x", 12), 11);
  assert.equal(stateAt(tape, 8).get("0 w")?.before?.text, "10");
});

test("who wrote last is said with its line and its operation", () => {
  const tape = looped();
  const plans = new PassPlans(tape);
  const told = (name: string, at: number): string => writerText(tape, plans, { call: 0, name }, at).text;
  assert.equal(told("w", 7), "w was last written in step 4, line 4, pass 1.");
  assert.equal(told("y", 5), "y was last written in step 3, line 3, pass 1, by w · 2.");
  assert.equal(told("w", 8), "This step writes w. w was last written in step 4, line 4, pass 1.");
  assert.equal(told("w", 4), "This step writes w. w had its value before the first step.");
  assert.equal(writerText(tape, plans, { call: 0, name: "w" }, 8).at, 4);
});

test("to run to a line is to go to its next pass, and from the last one to the first", () => {
  const tape = looped();
  assert.deepEqual(nextAtLine(tape, "In [2]", 3, 0), { at: 2, again: false });
  assert.deepEqual(nextAtLine(tape, "In [2]", 3, 2), { at: 6, again: false }, "not the second operation of the line");
  assert.deepEqual(nextAtLine(tape, "In [2]", 3, 6), { at: 2, again: true });
  assert.deepEqual(nextAtLine(tape, "In [2]", 2, 1), { at: 5, again: false });
  assert.equal(nextAtLine(tape, "In [3]", 3, 0), null, "a line of another cell");
  assert.equal(nextAtLine(tape, "In [2]", 7, 0), null);
});

test("a NaN is found in a tensor, in a number and in a gradient", () => {
  const tape = looped();
  const plans = new PassPlans(tape);
  assert.deepEqual(nextFlaw(tape, plans.nodes, 0), { at: 11, again: false });
  assert.deepEqual(nextFlaw(tape, plans.nodes, 11), { at: 11, again: true });
  tape.nodes[1]!.value.flaw = "inf";
  assert.equal(nextFlaw(tape, new PassPlans(tape).nodes, 0)?.at, 3);
  const grad = { ...value(["nan"], []), flaw: "nan" };
  tape.passes = [{ title: "y", mode: "replayed", nodes: [], steps: [{ kind: "start", node: "n2", text: "y", grad }] }];
  tape.moments.splice(1, 0, moment("step", 4, [], { pass: 0, step: 1 }));
  assert.equal(nextFlaw(tape, new PassPlans(tape).nodes, 0)?.at, 2);
});

test("a recording without one says so", () => {
  const tape = { ...looped(), moments: looped().moments.slice(0, 8) };
  assert.equal(nextFlaw(tape, new PassPlans(tape).nodes, 0), null);
});

test("a step is a sentence with its line and its pass", () => {
  const tape = looped();
  const said = (position: number): string => sentence(tape, new PassPlans(tape), position);
  assert.equal(said(0), "Before the first of 12 steps.");
  assert.equal(said(3), "Step 3 of 12. Line 3, pass 1: y = w · 2 makes 1.");
  assert.equal(said(8), "Step 8 of 12. Line 4, pass 2 ran. w is 20, before 10.");
  assert.equal(said(10), "Step 10 of 12. f is called with x = 5.");
  assert.equal(said(12), "Step 12 of 12. Line 5 ran. y is gone. This is the end of the recording.");
  assert.equal(passText(moment("line", 1, [], { passes: [2, 5] })), "pass 2 of the outer loop, 5 of the inner");
});

test("asked is the number of an operation, and the line where there is a choice", () => {
  const tape = looped();
  const asks = new Asks(tape, new PassPlans(tape));
  assert.equal(asks.at(1), null, "the first line can only be the first");
  assert.match(asks.at(3)?.question ?? "", /Which number does `y = w \* 2` make/);
  assert.equal(asks.at(3)?.answer?.text, "1");
  const next = asks.at(12);
  assert.equal(next, null, "f has returned: that is no choice");
  const choice = asks.at(2);
  assert.deepEqual(choice?.choices, null);
});

test("after the head of a loop the question is whether it goes on", () => {
  const tape = looped();
  tape.moments.splice(9, 2); // without the call: line 5 follows on the head
  const asks = new Asks(tape, new PassPlans(tape));
  assert.deepEqual(asks.at(10)?.choices, ["Line 3: `line 3`", "Line 5: `line 5`"]);
  assert.equal(asks.at(10)?.answer?.text, "Line 5: `line 5`");
});

test("one goes no further than to an open question, and not again through answered ones", () => {
  const tape = looped();
  const asks = new Asks(tape, new PassPlans(tape));
  let exercise = newExercise(true, 0);
  assert.equal(reach(exercise, asks, 0, 12), 2);
  assert.ok(isOpen(exercise, asks, 2));
  const given = judge(asks.at(2)!, "0");
  assert.ok(given?.right);
  exercise = { ...exercise, given: new Map([[2, given]]) };
  assert.equal(reach(exercise, asks, 2, 12), 3);
  assert.equal(scoreText(exercise), "1 of 1 right at once");
  assert.equal(reach(newExercise(false, 0), asks, 0, 12), 12);
  assert.equal(reach(newExercise(true, 3), asks, 0, 12), 6, "what was seen is not asked");
});

test("a damaged recording is refused, and one of another version says so", () => {
  assert.ok(readRecording(looped()).ok);
  assert.ok(!readRecording({ ...looped(), moments: [{}] }).ok);
  assert.ok(!readRecording(null).ok);
  const read = readRecording({ ...looped(), version: 2 });
  assert.match(read.ok ? "" : read.problem, /format 2/);
});
