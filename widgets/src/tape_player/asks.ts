/**
 * "Ask me first": what is asked before a moment is shown. Which line runs next, where there is a
 * choice; the number or the shape that an operation makes; the gradient that a visit sends.
 */

import { questionsAt } from "../backward_stepper/ask_first.ts";
import { title } from "../data/node_words.ts";
import { formatNumber, size } from "../data/numbers.ts";
import type { NodeData } from "../data/tape.ts";
import { plural } from "../data/text.ts";
import { isSettled, type Given, type Known, type Question } from "../question/question.ts";
import type { PassPlans } from "./pass_plans.ts";
import { lineKey, momentAt } from "./playing.ts";
import type { Moment, Recording } from "./recording.ts";
import { whereText } from "./words.ts";

const RESHAPING = ["matmul", "mm", "addmm", "bmm", "sum", "mean", "reshape", "view", "cat", "stack", "unsqueeze"];

const asked = (question: string, answer: Known, rest: Partial<Question>): Question => ({
  version: 1,
  question,
  choices: null,
  answer,
  mistakes: [],
  tolerance: 1e-3,
  hint: "",
  because: "",
  unread: "",
  ...rest,
});

const numberOf = (x: number | string | boolean): Known => ({
  text: formatNumber(x),
  value: { number: typeof x === "boolean" ? String(Number(x)) : String(x) },
});

/** The questions of a recording, by position; worked out when they are needed. */
export class Asks {
  readonly #known = new Map<number, Question | null>();
  readonly #follows: Map<string, Set<number>>; // a line and its call's function → the lines that ran next
  readonly #texts: Map<string, string>;

  constructor(
    private readonly recording: Recording,
    private readonly plans: PassPlans,
  ) {
    this.#follows = followers(recording);
    const lines = recording.source.flatMap(({ file, lines }) => lines.map((line) => ({ file, ...line })));
    this.#texts = new Map(lines.map(({ file, number, text }) => [lineKey(file, number), text.trim()]));
  }

  /** What is asked before the moment that leads to this position; null: nothing. */
  at(position: number): Question | null {
    const known = this.#known.get(position);
    if (known !== undefined) return known;
    const moment = momentAt(this.recording, position);
    const question = moment ? this.make(moment, momentAt(this.recording, position - 1)) : null;
    this.#known.set(position, question);
    return question;
  }

  private make(moment: Moment, before: Moment | undefined): Question | null {
    const next = before ? this.nextLine(moment, before) : null;
    if (next !== null || moment.kind === "line" || moment.kind === "call") return next;
    if (moment.kind === "step") return this.gradient(moment);
    const node = this.plans.nodeOf(moment);
    return node ? valueOf(node, moment) : null;
  }

  private nextLine(moment: Moment, before: Moment): Question | null {
    const all = [...(this.#follows.get(followKey(before)) ?? [])].sort((a, b) => a - b);
    const goesOn = before.call === moment.call && before.line !== moment.line;
    if (!goesOn || all.length < 2 || moment.line === null) return null;
    const text = (line: number): string => `Line ${line}: \`${this.#texts.get(lineKey(moment.file, line)) ?? "…"}\``;
    const answer = { text: text(moment.line), value: text(moment.line) };
    return asked(`${whereText(before)} has run. Which line runs next?`, answer, {
      choices: all.map(text),
      hint: "Look at the variables as they are now: a condition, or the end of a loop, decides it.",
    });
  }

  private gradient(moment: Moment): Question | null {
    const plan = this.plans.of(moment);
    const [question] = plan ? questionsAt(plan, moment.step ?? 0) : [];
    if (!plan || !question) return null;
    const step = plan.steps[(moment.step ?? 0) - 1];
    const visit = step?.kind === "visit" ? `The backward pass visits \`${step.text}\`. ` : "";
    const answer = numberOf(question.truth);
    return asked(`${visit}${question.prompt}`, answer, {
      hint: question.hint,
      because: question.why === "" ? "" : `${question.subject}: ${answer.text}${question.why}.`,
      mistakes: question.mistakes.map(({ value, text }) => ({ ...numberOf(value), why: text })),
    });
  }
}

/** The number that an operation makes, or the shape, where it makes another one. */
function valueOf(node: NodeData, moment: Moment): Question | null {
  const where = whereText(moment);
  const lead = where === "" ? "" : `${where}. `;
  const [only] = node.value.data;
  if (size(node.value) === 1 && only !== undefined) {
    const answer = numberOf(only);
    const because = node.numbers === "" ? "" : `\`${node.numbers}\` is ${answer.text}.`;
    const hint = node.numbers === "" ? "" : `With the numbers put in, it is \`${node.numbers}\`.`;
    return asked(`${lead}Which number does \`${title(node)}\` make?`, answer, { hint, because });
  }
  if (!RESHAPING.includes(node.op)) return null;
  const value = node.value.shape.map((n) => ({ number: String(n) }));
  return asked(
    `${lead}Which shape does \`${title(node)}\` have?`,
    { text: node.value.shape.join(", "), value },
    { hint: `It has ${plural(value.length, "dimension")}.` },
  );
}

const followKey = ({ call, file, line }: Moment): string => `${call === 0 ? "" : "f"} ${lineKey(file, line)}`;

/** Of each line, which ones were seen to run next in the same call. */
function followers({ moments }: Recording): Map<string, Set<number>> {
  const found = new Map<string, Set<number>>();
  moments.forEach((moment, index) => {
    const before = moments[index - 1];
    if (!before || before.call !== moment.call || before.file !== moment.file) return;
    if (moment.line === null || before.line === null || before.line === moment.line) return;
    const key = followKey(before);
    found.set(key, (found.get(key) ?? new Set()).add(moment.line));
  });
  return found;
}

/** The answers so far. */
export interface Exercise {
  on: boolean;
  from: number; // what leads to this position, or to one before it, has been seen and is not asked
  given: ReadonlyMap<number, Given>;
}

export const newExercise = (on: boolean, from: number): Exercise => ({ on, from, given: new Map() });

/** Is the question open that stands before this position? */
export const isOpen = (exercise: Exercise, asks: Asks, position: number): boolean =>
  exercise.on &&
  position > exercise.from &&
  !isSettled(exercise.given.get(position) ?? null) &&
  asks.at(position) !== null;

/** How far one may go: not past a question that is open. */
export function reach(exercise: Exercise, asks: Asks, from: number, wanted: number): number {
  if (!exercise.on) return wanted;
  for (let position = Math.min(from, wanted); position < wanted; position += 1) {
    if (isOpen(exercise, asks, position)) return position;
  }
  return wanted;
}

export function scoreText({ given }: Exercise): string {
  const done = [...given.values()].filter((one) => isSettled(one));
  if (done.length === 0) return "";
  const right = done.filter((one) => one.right && one.tries.length === 0).length;
  return `${right} of ${done.length} right at once`;
}
