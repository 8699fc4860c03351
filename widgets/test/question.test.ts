// Predictions without a page: what counts as right, which mistake it is, and what is refused.
import assert from "node:assert/strict";
import test from "node:test";
import {
  agree,
  isSettled,
  judge,
  openRules,
  readAnswer,
  readGiven,
  readQuestion,
  stateOf,
  type Given,
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
    hint: "",
    unread: "",
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

test("a word in a list of numbers is no answer, and one in a list of words is", () => {
  assert.equal(readAnswer("fifteen", [n("3"), n("5")]), null);
  assert.equal(readAnswer("3, five", [n("3"), [n("5")]]), null);
  assert.deepEqual(readAnswer("a, b", ["a", "c"]), ["a", "b"]);
});

test("a wrong answer that is a known mistake is named, a right one never", () => {
  const mistakes = [{ text: "8", value: n("8.0"), why: "Only the path through d." }];
  const asked = question(n("15.0"), { mistakes });
  assert.deepEqual(judge(asked, " 8 "), {
    text: "8",
    value: n("8"),
    right: false,
    mistake: "Only the path through d.",
    tries: [{ text: "8", value: n("8") }],
    ruled: false,
    another: false,
    shown: false,
  });
  assert.equal(judge(asked, "9")?.mistake, "");
  const right = judge(asked, "15");
  assert.equal(right?.right, true);
  assert.equal(right?.mistake, "");
  assert.deepEqual(right?.tries, []);
});

test("a choice is compared as the text that it shows", () => {
  const asked = question("True", {
    choices: ["True", "False"],
    mistakes: [{ text: "False", value: "False", why: "It is." }],
  });
  assert.equal(judge(asked, "True")?.right, true);
  assert.equal(judge(asked, "False")?.mistake, "It is.");
});

const answers = (asked: Question, ...typed: string[]): Given | null =>
  typed.reduce<Given | null>((before, text) => judge(asked, text, before), null);

test("a question is settled by a right answer or by the third different wrong one", () => {
  const asked = question(n("15.0"));
  for (const typed of [[], ["8"], ["8", "9"], ["8", "8", "8.0"]]) assert.ok(!isSettled(answers(asked, ...typed)));
  for (const typed of [["15"], ["8", "15"], ["8", "9", "10"]]) assert.ok(isSettled(answers(asked, ...typed)));
  assert.equal(answers(asked, "8", "9", "15")?.tries.length, 2);
});

test("an answer from a notebook without tries is settled, and a damaged list of them is none", () => {
  const old = { text: "8", value: n("8"), right: false, mistake: "" };
  for (const given of [old, { ...old, tries: "8" }, { ...old, tries: [8] }]) {
    assert.ok(isSettled(readGiven(given)));
    assert.deepEqual(readGiven(given)?.tries, []);
  }
  assert.ok(!isSettled(readGiven({ ...old, tries: [{ text: "8", value: n("8") }] })));
});

test("the rules are open until one is picked or the answer is told", () => {
  const rule = { offered: ["Add.", "Multiply.", "Wait."], right: 0 };
  const asked = question(n("15.0"), { mistakes: [{ text: "8", value: n("8.0"), why: "Via d.", rule }] });
  const given = answers(asked, "8") as Given;
  assert.deepEqual(openRules(asked, given), rule);
  assert.equal(openRules(asked, { ...given, ruled: true }), null);
  assert.equal(openRules(asked, { ...given, shown: true }), null);
  assert.equal(openRules(asked, answers(asked, "9") as Given), null);
});

test("in a poll every answer settles it and none is right or wrong", () => {
  const asked = question("", { answer: null, choices: ["4", "15"] });
  const given = answers(asked, "15");
  assert.ok(isSettled(given));
  assert.equal(given?.right, false);
  assert.equal(stateOf(asked, given), "noted");
  assert.equal(readQuestion(asked)?.answer, null);
});

test("a question without a hint or rules is of an older notebook", () => {
  const { hint, ...older } = question(n("15.0"), { mistakes: [{ text: "8", value: n("8.0"), why: "No." }] });
  assert.equal(readQuestion(older)?.hint, hint);
  const damaged = [{ text: "8", value: n("8.0"), why: "No.", rule: { offered: ["Add."], right: 3 } }];
  assert.equal(readQuestion({ ...older, mistakes: damaged }), null);
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
