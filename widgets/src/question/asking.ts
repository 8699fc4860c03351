/**
 * A question with what is said to each answer: PredictionView is nothing else, GraphDiff and
 * TrainingLoop ask before they show what was measured.
 *
 * The first wrong answer gets the name of its mistake (and asks which rule it breaks), the second
 * one a hint, and the third one what is right. All of that happens without the kernel.
 */

import { readNumber } from "../data/numbers.ts";
import { button, focus, h, prose } from "../page/dom.ts";
import { firstHere } from "./own_words.ts";
import { isSettled, isNumber, openRules, rulesOf, type Given, type Plain, type Question } from "./question.ts";
import { QuestionForm } from "./question_form.ts";
import { rulePicked, whichRule } from "./which_rule.ts";

export class Asking {
  readonly element: HTMLElement;
  readonly form: QuestionForm;
  private readonly said: HTMLElement;

  constructor(
    private readonly question: Question,
    private readonly given: Given | null,
    private readonly give: (given: Given) => void,
  ) {
    this.form = new QuestionForm(question, given, give);
    // The live region is there before its text is, or a screen reader would not read it out.
    this.said = h("div", { class: "mg-said", role: "status", tabindex: -1 });
    const result = h("div", "mg-result", this.said);
    this.element = h("div", {}, this.form.element, result);
    if (given !== null && !isSettled(given)) result.append(...this.help(given));
  }

  /** Say it: once the element is in the page. */
  speak(): void {
    this.form.speak();
    if (this.given !== null) this.said.append(...reveal(this.question, this.given));
  }

  /** Go to where it goes on: to the field, or to what is said if nothing can be typed any more. */
  focus(): void {
    if (isSettled(this.given)) focus(this.said);
    else this.form.focus();
  }

  /** Below what is said, as long as it is open: the rules, room for one's own words, a hint, the answer. */
  private help(given: Given): HTMLElement[] {
    const rules = openRules(this.question, given);
    const show = button("Show me", () => this.give({ ...given, shown: true }));
    if (rules !== null) {
      const picked = (another: boolean): void => this.give({ ...given, ruled: true, another });
      return [whichRule(rules, picked), h("div", "mg-row", show)];
    }
    const hint = h("p", { class: "mg-hint-text", role: "status" });
    const press = button("Hint", () => {
      hint.append(...hintText(this.question));
      focus(show);
      press.remove();
    });
    const row = h("div", "mg-row", ...(mayHint(this.question, given) ? [press] : []), show);
    return [...(asksHow(this.question, given) ? [ownWords(given)] : []), hint, row];
  }
}

/** Room for a sentence that nobody else reads: it is neither kept nor sent. */
function ownWords({ text }: Given): HTMLElement {
  const field = h("input", { type: "text", class: "mg-input mg-own-words", autocomplete: "off" });
  const asked = h("span", {}, `How did you get ${text}? Say it in one sentence, for yourself.`);
  return h("label", "mg-how", asked, field);
}

/** A mistake without a name asks how one came to it: the first one in the page, not each of them. */
const asksHow = (question: Question, { mistake, text }: Given): boolean =>
  mistake === "" && firstHere(`${question.question} ${text}`);

/** The first wrong answer may be followed by the hint, the second one is. */
const mayHint = ({ hint }: Question, { tries }: Given): boolean => tries.length < 2 && hint !== "";

const hintText = ({ hint }: Question): (Node | string)[] => [h("b", {}, "Hint: "), ...prose(hint)];

/** What is said to an answer: as much as its rung allows. */
export function reveal(question: Question, given: Given): HTMLElement[] {
  const { answer, because } = question;
  const said = h("b", "mg-number", given.text);
  const texts = (...all: string[]): HTMLElement[] =>
    all.filter((text) => text !== "").map((text) => h("p", {}, ...prose(text)));
  if (answer === null) {
    return [h("p", "mg-verdict", "You said ", said, ". Nothing is right or wrong here."), ...texts(because)];
  }
  const truth = h("b", "mg-number", answer.text);
  if (given.right) return [h("p", "mg-verdict mg-right", "Right: ", truth, "."), ...texts(because)];
  if (isSettled(given)) {
    const line = h("p", "mg-verdict mg-not", "You said ", said, ". The answer is: ", truth, ".");
    return [line, ...texts(given.mistake, because)];
  }
  const off = given.mistake === "" ? wayOff(given.value, question) : "";
  const line = h("p", "mg-verdict mg-not", "You said ", said, `. Not yet${off}.${advice(question, given)}`);
  const hint = given.tries.length > 1 && question.hint !== "" ? [h("p", {}, ...hintText(question))] : [];
  if (openRules(question, given) !== null) return [line, ...hint];
  const rules = rulesOf(question, given);
  const broken = rules === null ? [] : [rulePicked(rules, given.another)];
  return [line, ...broken, ...texts(given.mistake), ...hint];
}

/** On which side a number lies: ": too large", as `astray` says it in Python; "" of anything else. */
function wayOff(mine: Plain, { choices, answer }: Question): string {
  const like = answer?.value ?? "";
  if (choices !== null || !isNumber(mine) || !isNumber(like)) return "";
  const [a, b] = [readNumber(mine.number) ?? NaN, readNumber(like.number) ?? NaN];
  if (Number.isNaN(a) || Number.isNaN(b)) return "";
  if (a * b < 0) return ": the sign is wrong";
  return a > b ? ": too large" : ": too small";
}

/** What helps where the mistake has no name, and nothing else is said. */
function advice(question: Question, given: Given): string {
  if (given.mistake !== "" || given.tries.length > 1 || asksHow(question, given)) return "";
  const check = " Check it with the smallest case you can do by hand";
  return mayHint(question, given) ? `${check}, or press Hint.` : `${check}.`;
}
