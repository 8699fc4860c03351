// Predictions without a page: what counts as right, which mistake it is, and what is refused.
import assert from "node:assert/strict";
import test from "node:test";
import {
  agree,
  judge,
  readAnswer,
  readGiven,
  readQuestion,
  type Plain,
  type Question,
} from "../src/question/question.ts";

const n = (number: string): Plain => ({ number });

function question(value: Plain, rest: Partial<Question> = {}): Question {
  const made = {
    version: 1,
    question: "b.grad?",
    choices: null,
    answer: { text: "15", value },
    mistakes: [],
    tolerance: 1e-3,
    because: "",
  };
  return { ...made, ...rest };
}

test("whole numbers must be exact, others agree to one part in a thousand", () => {
  const cases: [string, string, boolean][] = [
    ["15", "15", true],
    ["15.0", "15", true],
    ["15.001", "15", false],
    ["1000", "1001", false],
    ["0.3333", "0.3333333333333333", true],
    ["1/3", "0.3333333333333333", true],
    ["0.34", "0.3333333333333333", false],
    ["−0.133", "-0.133", true],
    ["nan", "nan", true],
    ["0", "nan", false],
    ["inf", "inf", true],
    ["-inf", "inf", false],
    ["0", "0.0", true],
    ["0.0001", "0.0", false],
  ];
  for (const [mine, truth, right] of cases) assert.equal(agree(n(mine), n(truth), 1e-3), right, `${mine} for ${truth}`);
});

test("texts agree whatever their case and spaces, lists entry by entry", () => {
  assert.ok(agree("  A   Leaf ", "a leaf", 0));
  assert.ok(!agree("leaves", "leaf", 0));
  assert.ok(agree([n("2"), n("3")], [n("2"), n("3")], 0));
  assert.ok(!agree([n("2")], [n("2"), n("3")], 0));
  assert.ok(!agree("2", n("2"), 0));
  assert.ok(!agree([n("1"), n("2")], [[n("1"), n("2")]], 0));
});

test("a list may be typed with or without brackets and commas", () => {
  const list = [n("3"), n("5")];
  for (const typed of ["[3, 5]", "3,5", " 3 5 ", "(3, 5)"]) assert.deepEqual(readAnswer(typed, list), list);
  assert.deepEqual(readAnswer("'add', mul", ["add"]), ["add", "mul"]);
  assert.deepEqual(readAnswer("[]", list), []);
});

test("what is no number is not taken for one, and nothing is no answer", () => {
  assert.equal(readAnswer("fifteen", n("15")), null);
  assert.equal(readAnswer("   ", "leaf"), null);
  assert.equal(judge(question(n("15")), "x"), null);
});

test("a wrong answer that is a known mistake is named, a right one never", () => {
  const mistakes = [{ text: "8", value: n("8.0"), why: "Only the path through d." }];
  const asked = question(n("15.0"), { mistakes });
  assert.deepEqual(judge(asked, " 8 "), {
    text: "8",
    value: n("8"),
    right: false,
    mistake: "Only the path through d.",
  });
  assert.equal(judge(asked, "9")?.mistake, "");
  assert.deepEqual(judge(asked, "15"), { text: "15", value: n("15"), right: true, mistake: "" });
});

test("a choice is compared as the text that it shows", () => {
  const asked = question("True", {
    choices: ["True", "False"],
    mistakes: [{ text: "False", value: "False", why: "It is." }],
  });
  assert.equal(judge(asked, "True")?.right, true);
  assert.equal(judge(asked, "False")?.mistake, "It is.");
});

test("damaged data is refused, hostile text is taken as text", () => {
  assert.equal(readQuestion(null), null);
  assert.equal(readQuestion({ ...question(n("1")), version: 2 }), null);
  assert.equal(readQuestion({ ...question(n("1")), choices: "abc" }), null);
  assert.equal(readQuestion({ ...question(n("1")), answer: { text: "1", value: 1 } }), null);
  assert.equal(readGiven({ text: "8" }), null);
  assert.equal(readQuestion(question(n("1"), { question: "<img onerror=x>" }))?.question, "<img onerror=x>");
});

test("rows of a list are told apart, as in Python", () => {
  const rows: Plain = [
    [n("1"), n("2")],
    [n("3"), n("4")],
  ];
  for (const typed of ["[[1, 2], [3, 4]]", "[1, 2], [3, 4]", "[[1 2] [3 4]]", "((1, 2), (3, 4))"]) {
    assert.ok(agree(readAnswer(typed, rows) as Plain, rows, 0), typed);
  }
  for (const typed of ["1, 2, 3, 4", "[[1, 2, 3], [4]]", "[[1, 2], [3]]"]) {
    assert.ok(!agree(readAnswer(typed, rows) as Plain, rows, 0), typed);
  }
});
