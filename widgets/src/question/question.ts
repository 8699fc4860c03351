/**
 * A prediction without a page: what was asked, what counts as right, and which known mistake an
 * answer is. Written by `minigrad_widgets/lesson_faces.py`; the answer is in it, so that the page
 * can judge without the kernel.
 */

import { isFields, isText, isTexts } from "../data/checks.ts";
import { readNumber, withoutCommas } from "../data/numbers.ts";

/** A text, a number in Python's spelling (JSON has no NaN, and takes 15.0 for 15), or a list. */
export type Plain = string | { number: string } | Plain[];

export interface Known {
  text: string; // as it is shown: "15"
  value: Plain;
}

/** Rules of the course, one of which was broken. */
export interface Rules {
  offered: string[];
  right: number;
}

export interface Mistake extends Known {
  why: string;
  rule?: Rules | null; // which rule it breaks, where that is known
}

export interface Question {
  version: number;
  question: string;
  choices: string[] | null;
  answer: Known | null; // null: nothing is right or wrong
  mistakes: Mistake[];
  tolerance: number; // relative; whole numbers must be exact
  hint: string;
  because: string;
  unread: string; // why the answer in the call does not count, or ""
}

/** An answer that was given, and those before it: the trait `given`, null before. */
export interface Given {
  text: string; // as it was typed
  value: Plain;
  right: boolean;
  mistake: string; // what is said about it, or ""
  tries: Known[]; // the different wrong answers so far, with this one
  ruled: boolean; // a rule was picked
  another: boolean; // and it was not the one that is meant
  shown: boolean; // the true answer was asked for
}

const LAST = 3; // so many different wrong answers, and what is right is told

export type State = "open" | "right" | "wrong" | "noted";

/** How a question stands; null: nothing was answered yet. */
export function stateOf(question: Question, given: Given | null): State {
  if (given === null) return "open";
  if (question.answer === null) return "noted";
  return given.right ? "right" : "wrong";
}

/** Was it right, or is the true answer told? Then it cannot be answered again. */
export function isSettled(given: Given | null): boolean {
  return given !== null && (given.right || given.shown || given.tries.length >= LAST);
}

/** The rules to choose from, as long as none is picked. */
export function openRules(question: Question, given: Given): Rules | null {
  const rules = rulesOf(question, given);
  return rules === null || isSettled(given) || given.ruled ? null : rules;
}

export const rulesOf = ({ mistakes }: Question, { mistake }: Given): Rules | null =>
  mistakes.find(({ why }) => why === mistake)?.rule ?? null;

/** Was this answer given before? */
export const wasTried = (given: Given | null, value: Plain): boolean =>
  (given?.tries ?? []).some((one) => agree(value, one.value, 0));

const WHOLE = /^[+-]?\d+$/;
export const isNumber = (x: Plain): x is { number: string } => typeof x === "object" && !Array.isArray(x);

/** Do two answers agree? The second is the one that the question knows. */
export function agree(one: Plain, other: Plain, tolerance: number): boolean {
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((part, i) => agree(part, other[i] as Plain, tolerance));
  }
  if (isNumber(one) && isNumber(other)) {
    const a = readNumber(one.number) ?? NaN;
    const b = readNumber(other.number) ?? NaN;
    if (Number.isNaN(b) || !Number.isFinite(b)) return Object.is(a, b);
    const near = WHOLE.test(other.number) ? 0 : tolerance * Math.max(Math.abs(a), Math.abs(b));
    return Math.abs(a - b) <= near;
  }
  return typeof one === "string" && typeof other === "string" && tidy(one) === tidy(other);
}

const tidy = (text: string): string => text.trim().replace(/\s+/g, " ").toLowerCase();

/** What was typed, as an answer of the kind that is wanted; null if it cannot be read so. */
export function readAnswer(typed: string, like: Plain): Plain | null {
  const text = typed.trim();
  if (text === "") return null;
  if (Array.isArray(like)) return listLike(readList(text), like);
  if (!isNumber(like)) return text;
  const number = asPlain(text);
  return isNumber(number) ? number : null;
}

/** Null where only numbers are wanted, and something else is in the list. */
const listLike = (list: Plain[], like: Plain[]): Plain[] | null =>
  isNumeric(like) && !isNumeric(list) ? null : list;

const isNumeric = (x: Plain): boolean => (Array.isArray(x) ? x.every(isNumeric) : isNumber(x));

/** A list with lists in it, as they are bracketed; the outermost brackets may be missing. */
function readList(text: string): Plain[] {
  const apart = text.includes(",") ? /,/ : /\s/;
  const top: Plain[] = [];
  const open = [top];
  let word = "";
  const end = (): void => {
    if (word.trim() !== "") open.at(-1)?.push(asPlain(word.trim()));
    word = "";
  };
  for (const letter of text) {
    if (/[[({]/.test(letter)) {
      end();
      const inner: Plain[] = [];
      open.at(-1)?.push(inner);
      open.push(inner);
    } else if (/[\])}]/.test(letter)) {
      end();
      if (open.length > 1) open.pop();
    } else if (apart.test(letter)) {
      end();
    } else {
      word += letter;
    }
  }
  end();
  const [only] = top;
  return top.length === 1 && Array.isArray(only) ? only : top;
}

function asPlain(text: string): Plain {
  return readNumber(text) === null ? text.replace(/^(["'])(.*)\1$/, "$2") : { number: withoutCommas(text) };
}

/** What to type, where the kind of answer says so. */
export function howTo(question: Question): string {
  if (question.choices !== null) return "Choose one.";
  const like = question.answer?.value ?? "";
  if (Array.isArray(like)) return "Type the list, such as 3, 5, 8.";
  return isNumber(like) ? "Type a number, such as 7, -0.5 or 1/3." : "Type a word or two.";
}

/** The verdict on what was typed or chosen, after the one `before` it; null if it cannot be read. */
export function judge(question: Question, typed: string, before: Given | null = null): Given | null {
  const { answer, mistakes, tolerance } = question;
  const value = readAnswer(typed, answer?.value ?? "");
  if (value === null) return null;
  const text = typed.trim();
  const right = answer !== null && agree(value, answer.value, tolerance);
  const known = right ? undefined : mistakes.find((mistake) => agree(value, mistake.value, tolerance));
  const tries = [...(before?.tries ?? [])];
  if (answer !== null && !right && !wasTried(before, value)) tries.push({ text, value });
  return { text, value, right, mistake: known?.why ?? "", tries, ruled: false, another: false, shown: answer === null };
}

const isPlain = (x: unknown): boolean =>
  isText(x) || (Array.isArray(x) ? x.every(isPlain) : isFields(x) && isText(x.number));
const isKnown = (x: unknown): boolean => isFields(x) && isText(x.text) && isPlain(x.value);

/** What came from the kernel, or from a notebook that somebody else saved; null if it is damaged. */
export function readQuestion(x: unknown): Question | null {
  const good =
    isFields(x) &&
    x.version === 1 &&
    isText(x.question) &&
    isText(x.because) &&
    typeof x.tolerance === "number" &&
    (x.choices === null || isTexts(x.choices)) &&
    (x.answer === null || isKnown(x.answer)) &&
    Array.isArray(x.mistakes) &&
    x.mistakes.every((mistake) => isKnown(mistake) && isText(mistake.why) && isNoneOr(isRules, mistake.rule));
  return good ? ({ hint: "", unread: "", ...x } as unknown as Question) : null;
}

const isNoneOr = (is: (x: unknown) => boolean, x: unknown): boolean => x === undefined || x === null || is(x);

export const isRules = (x: unknown): x is Rules =>
  isFields(x) && isTexts(x.offered) && typeof x.right === "number" && x.right in x.offered;

/** An answer from the model. One without its tries is of a time when the first one was the last. */

export function readGiven(x: unknown): Given | null {
  const good = isFields(x) && isText(x.text) && isText(x.mistake) && typeof x.right === "boolean";
  if (!good) return null;
  const old = !Array.isArray(x.tries) || !x.tries.every(isKnown);
  const tries = old ? [] : x.tries;
  const [ruled, another, shown] = [x.ruled === true, x.another === true, old || x.shown === true];
  return { ...x, tries, ruled, another, shown } as unknown as Given;
}
