/**
 * A prediction without a page: what was asked, what counts as right, and which known mistake an
 * answer is. Written by `minigrad_widgets/lesson_faces.py`; the answer is in it, so that the page
 * can judge without the kernel.
 */

import { isFields, isText, isTexts } from "../data/checks.ts";
import { readNumber } from "../data/numbers.ts";

/** A text, a number in Python's spelling (JSON has no NaN, and takes 15.0 for 15), or a list. */
export type Plain = string | { number: string } | Plain[];

export interface Known {
  text: string; // as it is shown: "15"
  value: Plain;
}

export interface Question {
  version: number;
  question: string;
  choices: string[] | null;
  answer: Known;
  mistakes: (Known & { why: string })[];
  tolerance: number; // relative; whole numbers must be exact
  because: string;
}

/** An answer that was given and is locked: the trait `given`, null before. */
export interface Given {
  text: string; // as it was typed
  value: Plain;
  right: boolean;
  mistake: string; // what is said about it, or ""
}

export type State = "open" | "right" | "wrong";

/** How a question stands; null: nothing was answered yet. */
export function stateOf(given: Given | null): State {
  if (given === null) return "open";
  return given.right ? "right" : "wrong";
}

const WHOLE = /^[+-]?\d+$/;
const isNumber = (x: Plain): x is { number: string } => typeof x === "object" && !Array.isArray(x);

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
  if (Array.isArray(like)) return readList(text);
  if (!isNumber(like)) return text;
  const number = asPlain(text);
  return isNumber(number) ? number : null;
}

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
  return readNumber(text) === null ? text.replace(/^(["'])(.*)\1$/, "$2") : { number: text };
}

/** What to type, where the kind of answer says so. */
export function howTo(question: Question): string {
  if (question.choices !== null) return "Choose one.";
  if (Array.isArray(question.answer.value)) return "Type the list, such as 3, 5, 8.";
  return isNumber(question.answer.value) ? "Type a number, such as 7, -0.5 or 1/3." : "Type a word or two.";
}

/** The verdict on what was typed or chosen; null if it cannot be read. */
export function judge(question: Question, typed: string): Given | null {
  const { answer, mistakes, tolerance } = question;
  const value = readAnswer(typed, answer.value);
  if (value === null) return null;
  const right = agree(value, answer.value, tolerance);
  const known = right ? undefined : mistakes.find((mistake) => agree(value, mistake.value, tolerance));
  return { text: typed.trim(), value, right, mistake: known?.why ?? "" };
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
    isKnown(x.answer) &&
    Array.isArray(x.mistakes) &&
    x.mistakes.every((mistake) => isKnown(mistake) && isText(mistake.why));
  return good ? (x as unknown as Question) : null;
}

export function readGiven(x: unknown): Given | null {
  const good = isFields(x) && isText(x.text) && isText(x.mistake) && typeof x.right === "boolean";
  return good ? (x as unknown as Given) : null;
}
