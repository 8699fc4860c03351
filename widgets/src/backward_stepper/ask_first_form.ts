/**
 * The gate of "Ask me first": one input for each number that the step would show, and below it what
 * is said to an answer that was wrong.
 */

import { button, focus, h, onSubmit, prose, say } from "../page/dom.ts";
import type { Rules } from "../question/question.ts";
import { rulePicked, whichRule } from "../question/which_rule.ts";
import { questionsAt, type Exercise, type Question, type Try } from "./ask_first.ts";
import type { Plan } from "./plan.ts";

export interface Answers {
  answer(answers: string[] | null): void;
  picked(another: boolean): void; // a rule; another one than is meant?
}

export class AskFirstForm {
  readonly element: HTMLElement;
  readonly #inputs: HTMLInputElement[] = [];
  readonly #hint = h("p", { class: "mg-hint", "aria-live": "polite" });
  readonly #said = h("div", { class: "mg-said", role: "status", tabindex: -1 });

  /** `rules`: three to choose from, if the last mistake breaks one of them. */
  constructor(
    private readonly questions: readonly Question[],
    private readonly last: Try | undefined,
    private readonly rules: Rules | null,
    { answer, picked }: Answers,
  ) {
    const form = h("form", { class: "mg-questions", autocomplete: "off" });
    for (const [index, question] of questions.entries()) {
      const right = last?.right[index] === true;
      const input = h("input", {
        type: "text",
        class: "mg-input",
        "aria-label": right ? `${question.prompt} Right.` : question.prompt,
        value: last?.answers[index] ?? "",
        readonly: right,
      });
      this.#inputs.push(input);
      const mark = right ? [h("span", { class: "mg-good-sign", "aria-hidden": "true" }, "✓")] : [];
      form.append(h("label", {}, h("span", {}, question.prompt), input, ...mark));
    }
    const press = last ? "Try again" : "Check";
    form.append(
      h(
        "div",
        "mg-row",
        h("button", { type: "submit", class: "mg-button mg-main" }, press),
        button("Show me", () => answer(null)),
      ),
      this.#hint,
    );
    onSubmit(form, () => answer(this.#inputs.map((input) => input.value)));
    const result = h("div", "mg-result", this.#said);
    if (rules && last?.ruled === false) result.append(whichRule(rules, picked));
    this.element = h("div", {}, form, result);
  }

  /** Say it once the element is in the page, or a screen reader would not read it out. */
  speak(): void {
    const { last } = this;
    if (!last) return;
    const question = this.questions[last.wrong];
    const lead = this.questions.length > 1 ? `${question?.subject}. ` : "";
    const typed = h("b", "mg-number", last.answers[last.wrong]?.trim() ?? "");
    this.#said.append(h("p", "mg-verdict mg-not", `${lead}You said `, typed, ". Not yet."));
    const open = this.rules !== null && !last.ruled;
    if (this.rules && last.another) this.#said.append(rulePicked(this.rules, true));
    if (!open && last.mistake) this.#said.append(h("p", {}, ...prose(last.mistake.text)));
    if (last.count > 1 && question) this.#said.append(h("p", {}, h("b", {}, "Hint: "), ...prose(question.hint)));
  }

  /** Go to where it goes on: to the first number that is open. */
  focus(index = this.last?.wrong ?? 0): void {
    const input = this.#inputs[index];
    focus(input);
    input?.select();
  }

  /** Say what is wrong with an answer that cannot be read, and go there. */
  complain(index = 0, message = "Answer first, or choose “Show me”."): void {
    say(this.#hint, message);
    this.focus(index);
  }
}

/** The form for the questions of a step; `rules`: of the course, three to choose from for each. */
export function formAt(
  plan: Plan,
  exercise: Exercise,
  position: number,
  rules: Readonly<Record<string, Rules>> | undefined,
  actions: Answers,
): AskFirstForm {
  const last = exercise.tries.get(position);
  const broken = last?.mistake?.rule ?? "";
  return new AskFirstForm(questionsAt(plan, position), last, rules?.[broken] ?? null, actions);
}

/** What was said to the answers that settled a step. */
export const verdictsAt = (exercise: Exercise, position: number): HTMLElement[] =>
  (exercise.settled.get(position) ?? []).map(({ text, right }) =>
    h("p", { class: right ? "mg-verdict mg-right" : "mg-verdict" }, text),
  );
