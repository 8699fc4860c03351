// The nudge: which steps it takes, what it says of them, and how it meets the gradient.
import assert from "node:assert/strict";
import test from "node:test";
import { agreement, changeText, makeNudge, nudgeHappens, nudgeSentence, verdict } from "../src/backward_stepper/nudge.ts";
import { readSchedule } from "../src/data/incoming.ts";
import type { NodeData, Nudge, NudgedLeaf, Schedule, Step } from "../src/data/tape.ts";
import { node, value } from "./make.ts";

/** y = 3 · x, or whatever has these results: x is a leaf, n1 uses it, n2 is the result. */
function program(quotients: Record<string, number | null>, gradient: number, more: Partial<Nudge> = {}): Schedule {
  const scalar = (x: number): NodeData["value"] => value([x], []);
  const nodes = [
    node("t1", "leaf", [], { names: ["x"], value: scalar(2) }),
    node("n1", "op", ["t1"], { names: ["y"], formula: "x * 3", value: scalar(6) }),
    node("n2", "op", ["n1"], { names: ["z"], formula: "y + 4", value: scalar(10) }),
  ];
  const runs = Object.entries(quotients).map(([size, quotient]) => {
    const h = Number(size);
    const change = quotient === null ? null : quotient * h;
    const changes: Nudge["changes"] = { t1: [h], n1: [3 * h], n2: change === null ? ["nan"] : [change] };
    return { h, problem: "", parted: "", changes, loss: change, ...more };
  });
  const grad = value([gradient], []);
  const steps = [
    { kind: "start", node: "n2", text: "z", grad },
    { kind: "land", node: "t1", text: "x", arrivals: [], grad, before: null, after: grad },
  ] as Step[];
  const leaves = [{ id: "t1", name: "x", value: 2, runs }];
  const nudges = { note: "", exact: true, leaves };
  return { version: 1, title: "z", mode: "rehearsed", message: "", nodes, steps, nudges };
}

function plan(schedule: Schedule, index = 0): ReturnType<typeof makeNudge> {
  const leaf = schedule.nudges?.leaves[0] as NudgedLeaf;
  return makeNudge(schedule, leaf, leaf.runs[index] ?? assert.fail());
}

test("a nudge goes from the leaf through what uses it, and then compares", () => {
  const nudge = plan(program({ 0.01: 3 }, 3));
  assert.deepEqual(
    nudge.steps.map((step) => step.node.id),
    ["t1", "n1", "n2"],
  );
  assert.equal(nudge.end, 4);
  assert.match(nudgeSentence(nudge, 0), /^Before the nudge\. x is 2, and will be 0\.01 larger\.$/);
  assert.equal(nudgeSentence(nudge, 1), "Step 1 of 4. x is nudged from 2 to 2.01.");
  assert.equal(nudgeHappens(nudge, 2), "y = x * 3 goes from 6 to 6.03: Δ +0.03, and Δ / h = 3.");
  assert.match(nudgeHappens(nudge, 4), /divided by h = 0\.01 that is 3\. The gradient that came back to x is 3\.$/);
});

test("what no path leads to, and what does not change, is no step", () => {
  const schedule = program({ 0.01: 3 }, 3);
  schedule.nodes.splice(1, 0, node("t2", "leaf"));
  assert.ok(!plan(schedule).at.has("t2"));
});

test("on a straight line the quotient is the gradient", () => {
  const nudge = plan(program({ 0.1: 3, 0.01: 3, 0.001: 3 }, 3));
  assert.equal(agreement(nudge), "same");
  assert.match(verdict(nudge), /straight line/);
});

test("on a curve they differ a little, and a smaller h comes closer", () => {
  const schedule = program({ 0.1: -17.1, 0.01: -17.91, 0.001: -17.991 }, -18);
  assert.equal(agreement(plan(schedule, 1)), "close");
  assert.match(verdict(plan(schedule, 1)), /curve from 2 to 2\.01.*A smaller h comes closer\.$/);
  assert.match(verdict(plan(schedule, 2)), /With a larger h they differ more\.$/);
});

test("a steep curve is no kink: each smaller h comes closer", () => {
  const schedule = program({ 0.1: 900, 0.01: 180, 0.001: 108 }, 100);
  assert.equal(agreement(plan(schedule, 1)), "close");
});

test("at a kink and at a jump they do not agree, whatever h is", () => {
  for (const quotients of [
    { 0.1: 3, 0.01: 3, 0.001: 3 },
    { 0.1: 10, 0.01: 100, 0.001: 1000 },
  ]) {
    const nudge = plan(program(quotients, 0), 1);
    assert.equal(agreement(nudge), "apart");
    assert.match(verdict(nudge), /do not agree.*kink or a jump/);
  }
});

test("on another path only the ends are compared, and the line is named", () => {
  const nudge = plan(program({ 0.01: 300 }, 3, { parted: "In [3], line 2: y = x * 2" }));
  assert.deepEqual([...nudge.at.keys()], ["t1", "n2"]);
  assert.match(verdict(nudge), /takes another path \(In \[3\], line 2: y = x \* 2\)/);
});

test("a program that stops when it is nudged says why", () => {
  const nudge = plan(program({ 0.01: null }, 3, { problem: "ValueError: too large\nIn [3], line 2" }));
  assert.equal(nudge.end, 2);
  assert.equal(verdict(nudge), "With x = 2.01 the program stops: ValueError: too large");
});

test("numbers that are not finite are not compared", () => {
  const schedule = program({ 0.01: 3 }, NaN);
  assert.equal(agreement(plan(schedule)), "unknown");
});

test("what rounding leaves of no change is no change; several numbers have several changes", () => {
  const step = (changes: number[]): Parameters<typeof changeText>[0] => ({ node: node("n1", "op"), changes });
  assert.equal(changeText(step([4e-16])), "0");
  assert.equal(changeText(step([0.01, -0.02])), "[+0.01, -0.02]");
  assert.equal(changeText(step([1, 2, 3, 4])), "4 changes");
});

test("damaged nudges are refused in one sentence", () => {
  const schedule = program({ 0.01: 3 }, 3);
  const damaged = { ...schedule, nudges: { note: "", exact: true, leaves: [{ id: "t1", name: "x" }] } };
  assert.equal(readSchedule(schedule).ok, true);
  assert.equal(readSchedule(damaged).ok, false);
});
