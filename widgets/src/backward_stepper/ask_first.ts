/**
 * "Ask me first": the step's new numbers stay hidden until the learner has said what they
 * will be. Which numbers are asked, what counts as right, what must stay hidden so that an
 * earlier step does not give a later answer away, and the score: all of it without a page.
 */

import { formatNumber, matches, readNumber, short, size, type Scalar } from "../data/numbers.ts";
import type { Arrival, Outgoing, Step, Value } from "../data/tape.ts";
import { list, ordinal } from "../data/text.ts";
import {
  hintSending,
  hintSumming,
  mistakeOf,
  mistakesLanding,
  mistakesSending,
  mistakesSumming,
  type Mistake,
} from "./named_mistakes.ts";
import { nodeMark, type Plan } from "./plan.ts";

type Visit = Extract<Step, { kind: "visit" }>;

export interface Question {
  prompt: string; // "Grad sent to c?"
  subject: string; // "To c": says in a verdict which of several questions is meant
  truth: Scalar;
  why: string; // ": 7 arrived via c and 8 via d", " = 1 · 7", or ""
  hint: string; // what is to be done, without numbers
  mistakes: Mistake[];
}

/** What was answered last to questions that are still open. */
export interface Try {
  answers: string[];
  right: boolean[];
  count: number; // of the tries that were wrong
  wrong: number; // the first question that is still open
  mistake: Mistake | null; // the one that it is, if it is known
  ruled: boolean; // a rule was picked, or none is asked for
  another: boolean; // and it was not the one that is meant
}

export interface Verdict {
  text: string;
  right: boolean;
}

export interface Exercise {
  on: boolean;
  settled: Map<number, Verdict[]>; // position → the verdicts that were given there
  tries: Map<number, Try>; // position → what was tried there in vain
  right: number;
  answered: number;
}

export const newExercise = (on: boolean): Exercise => ({
  on,
  settled: new Map(),
  tries: new Map(),
  right: 0,
  answered: 0,
});

const MOST_QUESTIONS = 3;
const LAST = 3; // so many wrong tries, and what is right is told

export function questionsAt(plan: Plan, position: number): Question[] {
  const step = plan.steps[position - 1];
  if (!step || step.kind === "start") return [];
  if (step.kind === "land") {
    // With a single arrival there is nothing to work out: the number is already on show.
    if (plan.sums.get(step.node) !== position && step.before === null) return [];
    const help = { hint: hintSumming(step.arrivals, step.before), mistakes: mistakesLanding(plan, step) };
    const why = landWhy(step.arrivals, step.before);
    return [ask(`What is ${step.text}.grad now?`, `${step.text}.grad`, step.after, why, help)];
  }
  const questions: Question[] = [];
  if (plan.nodes.get(step.node)?.kind === "box") return questions; // nobody can work that out
  if (plan.sums.get(step.node) === position) {
    const prompt = `What is the grad, the sum of ${step.arrivals.length}?`;
    const help = { hint: hintSumming(step.arrivals, null), mistakes: mistakesSumming(step.arrivals, step.grad) };
    questions.push(ask(prompt, "The grad", step.grad, arrivedWhy(step.arrivals), help));
  }
  for (const out of step.outgoing) {
    const to = receiver(plan, step, out);
    const help = { hint: hintSending(step, out), mistakes: mistakesSending(step, out, plan.nodes.get(out.to)?.value) };
    questions.push(ask(`Grad sent to ${to}?`, `To ${to}`, out.grad, sentWhy(out), help));
  }
  return questions.slice(0, MOST_QUESTIONS);
}

/** x * x sends to x twice, and cat to all tensors of one list: the questions say which is which. */
function receiver(plan: Plan, step: Visit, out: Outgoing): string {
  const isListed = step.outgoing.some((other) => other !== out && other.arg === out.arg);
  if (isListed) return listed(plan, step, out);
  const twins = step.outgoing.filter((other) => other.text === out.text);
  return twins.length > 1 ? `${out.text} as “${out.arg}”` : out.text;
}

/** "the 2nd input, ride + base = 7" */
function listed({ nodes }: Plan, step: Visit, out: Outgoing): string {
  const same = step.outgoing.filter((other) => other.to === out.to);
  const inputs = nodes.get(step.node)?.inputs ?? [];
  const places = [...inputs.keys()].filter((index) => inputs[index]?.id === out.to);
  const place = places[same.indexOf(out)] ?? step.outgoing.indexOf(out);
  const value = nodes.get(out.to)?.value;
  const number = value && size(value) === 1 ? ` = ${short(value)}` : "";
  return `the ${ordinal(place + 1)} input, ${out.text}${number}`;
}

/** How the second number of this shape is addressed. */
function secondEntry(shape: readonly number[]): string {
  if (shape.length < 2) return "[1]";
  return shape[1] === 1 ? "[1, 0]" : "[0, 1]";
}

/** A tensor is asked for by one entry, which the prompt names. */
function ask(
  prompt: string,
  subject: string,
  value: Value,
  why: string,
  help: Pick<Question, "hint" | "mistakes">,
): Question {
  if (size(value) === 1 || value.data.length < 2) return { prompt, subject, truth: value.data[0] ?? 0, why, ...help };
  const index = secondEntry(value.shown);
  return {
    prompt: `${prompt.slice(0, -1)}, entry ${index}?`,
    subject: `${subject}, entry ${index}`,
    truth: value.data[1] ?? 0,
    why: "",
    ...help,
  };
}

export function arrivedWhy(arrivals: readonly Arrival[]): string {
  const parts = arrivals.map((a, i) => `${short(a.grad)} ${i === 0 ? "arrived " : ""}via ${a.text}`);
  return `: ${list(parts)}`;
}

function landWhy(arrivals: readonly Arrival[], before: Value | null): string {
  return `${arrivedWhy(arrivals)}${before ? `, on top of the ${short(before)} that was there` : ""}`;
}

function sentWhy(out: Outgoing): string {
  return out.numbers === null ? "" : ` = ${out.numbers.replaceAll("*", "·")}`;
}

/** Must the learner answer before the step at this position is shown in full? */
export function isPending(exercise: Exercise, plan: Plan, position: number): boolean {
  return exercise.on && !exercise.settled.has(position) && questionsAt(plan, position).length > 0;
}

/** How far one may go towards `wanted`: not past a question that is still open. */
export function reach(exercise: Exercise, plan: Plan, wanted: number): number {
  const end = Math.max(0, Math.min(wanted, plan.steps.length));
  for (let position = 1; position < end; position += 1) {
    if (isPending(exercise, plan, position)) return position;
  }
  return end;
}

/** Switched on in the middle of a pass: what has been seen is not asked any more. */
export function switchOn(plan: Plan, position: number): Exercise {
  const exercise = newExercise(true);
  for (let seen = 1; seen <= Math.min(position, plan.steps.length); seen += 1) exercise.settled.set(seen, []);
  return exercise;
}

export type Judged =
  | { kind: "unreadable"; index: number; message: string }
  | { kind: "again"; exercise: Exercise } // wrong, and open still
  | { kind: "settled"; exercise: Exercise };

/**
 * Compare the answers; `null` instead of answers means "Show me". The first wrong try gets the name of
 * its mistake, the second one a hint, and the third one what is right.
 */
export function judge(exercise: Exercise, plan: Plan, position: number, answers: string[] | null): Judged {
  const questions = questionsAt(plan, position);
  if (answers) {
    const again = tryAgain(exercise, questions, position, answers);
    if (again) return again;
  }
  return settled(exercise, questions, position, answers);
}

/** Null if it is settled: all is right, or it was tried often enough. */
function tryAgain(
  exercise: Exercise,
  questions: readonly Question[],
  position: number,
  answers: string[],
): Judged | null {
  const before = exercise.tries.get(position);
  const right: boolean[] = [];
  for (const [index, question] of questions.entries()) {
    const answer = readNumber(answers[index] ?? "");
    if (answer === null) {
      return { kind: "unreadable", index, message: "Type a number, such as 7, -0.5, 1/3, nan or inf." };
    }
    right.push(matches(answer, question.truth));
  }
  const wrong = right.indexOf(false);
  if (wrong < 0) return null;
  if (before && answers.every((text, i) => text.trim() === before.answers[i]?.trim())) {
    return { kind: "unreadable", index: wrong, message: "That was tried already. Take another number." };
  }
  const count = (before?.count ?? 0) + 1;
  if (count >= LAST) return null;
  const mistake = mistakeOf(questions[wrong]?.mistakes ?? [], readNumber(answers[wrong] ?? "") ?? NaN) ?? null;
  // A rule is asked for once at a step: at the first wrong try.
  const ruled = count > 1 || mistake === null || mistake.rule === "";
  const tries = new Map(exercise.tries).set(position, { answers, right, count, wrong, mistake, ruled, another: false });
  return { kind: "again", exercise: { ...exercise, tries } };
}

/** A rule is picked: now what was wrong may be said. */
export function picked(exercise: Exercise, position: number, another: boolean): Exercise {
  const last = exercise.tries.get(position);
  if (!last) return exercise;
  return { ...exercise, tries: new Map(exercise.tries).set(position, { ...last, ruled: true, another }) };
}

function settled(
  exercise: Exercise,
  questions: readonly Question[],
  position: number,
  answers: string[] | null,
): Judged {
  const verdicts: Verdict[] = [];
  for (const [index, question] of questions.entries()) {
    const truth = `${formatNumber(question.truth)}${question.why}`;
    const lead = questions.length > 1 ? `${question.subject}. ` : "";
    if (!answers) {
      verdicts.push({ text: `${lead}It is ${truth}.`, right: false });
      continue;
    }
    const text = answers[index] ?? "";
    const correct = matches(readNumber(text) ?? NaN, question.truth);
    const words = correct ? `Right: ${truth}.` : `You said ${text.trim()}. It is ${truth}.`;
    verdicts.push({ text: `${lead}${words}`, right: correct });
  }
  const all = new Map(exercise.settled).set(position, verdicts);
  const right = verdicts.filter((verdict) => verdict.right).length;
  const answered = exercise.answered + (answers ? questions.length : 0);
  return { kind: "settled", exercise: { ...exercise, settled: all, right: exercise.right + right, answered } };
}

export function scoreText(exercise: Exercise): string {
  return exercise.answered === 0 ? "" : `${exercise.right} of ${exercise.answered} right so far`;
}

/**
 * Does the node's sum have to stay hidden here? Yes while a question about it is open:
 * the current one, or one that a later step will ask (b.grad, when 8 and then 7 arrived).
 */
export function isSecret(exercise: Exercise, plan: Plan, id: string, position: number): boolean {
  if (!exercise.on) return false;
  if (isPending(exercise, plan, position) && plan.touched[position - 1]?.nodes.slice(1).includes(id)) return true;
  const asked = plan.sums.get(id);
  if (asked === undefined || exercise.settled.has(asked) || !isPending(exercise, plan, asked)) return false;
  return nodeMark(plan, id, position).arrivals > 1;
}
