/**
 * "Ask me first": the step's new numbers stay hidden until the learner has said what they
 * will be. Which numbers are asked, what counts as right, what must stay hidden so that an
 * earlier step does not give a later answer away, and the score: all of it without a page.
 */

import { formatNumber, matches, readNumber, short, size, type Scalar } from "../data/numbers.ts";
import type { Arrival, Outgoing, Value } from "../data/tape.ts";
import { list } from "../data/text.ts";
import { nodeMark, type Plan } from "./plan.ts";

export interface Question {
  prompt: string; // "Gradient sent to c?"
  subject: string; // "To c": says in a verdict which of several questions is meant
  truth: Scalar;
  why: string; // ": 7 arrived via c and 8 via d", " = 1 · 7", or ""
}

export interface Verdict {
  text: string;
  right: boolean;
}

export interface Exercise {
  on: boolean;
  settled: Map<number, Verdict[]>; // position → the verdicts that were given there
  right: number;
  answered: number;
}

export const newExercise = (on: boolean): Exercise => ({ on, settled: new Map(), right: 0, answered: 0 });

const MOST_QUESTIONS = 3;

export function questionsAt(plan: Plan, position: number): Question[] {
  const step = plan.steps[position - 1];
  if (!step || step.kind === "start") return [];
  if (step.kind === "land") {
    // With a single arrival there is nothing to work out: the number is already on show.
    if (plan.sums.get(step.node) !== position && step.before === null) return [];
    return [
      ask(`What is ${step.text}.grad now?`, `${step.text}.grad`, step.after, landWhy(step.arrivals, step.before)),
    ];
  }
  const questions: Question[] = [];
  if (plan.sums.get(step.node) === position) {
    const prompt = `Gradient in, the sum of ${step.arrivals.length}?`;
    questions.push(ask(prompt, "Gradient in", step.grad, arrivedWhy(step.arrivals)));
  }
  for (const out of step.outgoing) {
    const to = receiver(step.outgoing, out);
    questions.push(ask(`Gradient sent to ${to}?`, `To ${to}`, out.grad, sentWhy(out)));
  }
  return questions.slice(0, MOST_QUESTIONS);
}

/** x * x sends to x twice: the questions say which is which. */
function receiver(outgoing: Outgoing[], out: Outgoing): string {
  const twins = outgoing.filter((other) => other.text === out.text);
  return twins.length > 1 ? `${out.text} as “${out.arg}”` : out.text;
}

/** How the second number of this shape is addressed. */
function secondEntry(shape: readonly number[]): string {
  if (shape.length < 2) return "[1]";
  return shape[1] === 1 ? "[1, 0]" : "[0, 1]";
}

/** A tensor is asked for by one entry, which the prompt names. */
function ask(prompt: string, subject: string, value: Value, why: string): Question {
  if (size(value) === 1 || value.data.length < 2) return { prompt, subject, truth: value.data[0] ?? 0, why };
  const index = secondEntry(value.shown);
  return {
    prompt: `${prompt.slice(0, -1)}, entry ${index}?`,
    subject: `${subject}, entry ${index}`,
    truth: value.data[1] ?? 0,
    why: "",
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

export type Judged = { kind: "unreadable"; index: number; message: string } | { kind: "settled"; exercise: Exercise };

/** Compare the answers; `null` instead of answers means "Show me". */
export function judge(exercise: Exercise, plan: Plan, position: number, answers: string[] | null): Judged {
  const questions = questionsAt(plan, position);
  const verdicts: Verdict[] = [];
  for (const [index, question] of questions.entries()) {
    const truth = `${formatNumber(question.truth)}${question.why}`;
    const lead = questions.length > 1 ? `${question.subject}. ` : "";
    if (!answers) {
      verdicts.push({ text: `${lead}It is ${truth}.`, right: false });
      continue;
    }
    const text = answers[index] ?? "";
    const answer = readNumber(text);
    if (answer === null) {
      return { kind: "unreadable", index, message: "Type a number, such as 7, -0.5, 1/3, nan or inf." };
    }
    const correct = matches(answer, question.truth);
    const words = correct ? `Right: ${truth}.` : `You said ${text.trim()}. It is ${truth}.`;
    verdicts.push({ text: `${lead}${words}`, right: correct });
  }
  const settled = new Map(exercise.settled).set(position, verdicts);
  const right = verdicts.filter((verdict) => verdict.right).length;
  const answered = exercise.answered + (answers ? questions.length : 0);
  return { kind: "settled", exercise: { ...exercise, settled, right: exercise.right + right, answered } };
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
