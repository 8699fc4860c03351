/**
 * A question as a form, and the verdict that follows it: PredictionView is nothing else, GraphDiff
 * and TrainingLoop ask before they show what was measured.
 */

import { focus, h, onSubmit, prose, say } from "../page/dom.ts";
import { howTo, judge, type Given, type Question } from "./question.ts";

/** The question with its input or its choices, and the button that locks the answer in. */
export class QuestionForm {
  readonly element: HTMLElement;
  private readonly inputs: HTMLInputElement[];
  private readonly hint = h("p", { class: "mg-hint", "aria-live": "polite" });

  constructor(
    private readonly question: Question,
    given: Given | null,
    private readonly lock: (given: Given) => void,
  ) {
    const { choices } = question;
    const asked = [h("span", "mg-kicker", "Predict"), " ", ...prose(question.question)];
    const group = `mg-${Math.random().toString(36).slice(2)}`; // radio buttons of one name exclude each other
    this.inputs = (choices ?? [""]).map((choice) =>
      choices === null
        ? h("input", { type: "text", class: "mg-input", id: group, autocomplete: "off", value: given?.text })
        : h("input", { type: "radio", name: group, value: choice, checked: given?.text === choice }),
    );
    const press = h("button", { type: "submit", class: "mg-button mg-main" }, "Lock in");
    const form = h("form", "mg-predict-form");
    if (choices === null) {
      form.append(h("label", { class: "mg-asked", for: group }, ...asked), h("div", "mg-row", ...this.inputs, press));
    } else {
      const options = this.inputs.map((input, i) => h("label", "mg-choice", input, ...prose(choices[i] ?? "")));
      form.append(
        h("fieldset", {}, h("legend", "mg-asked", ...asked), h("div", "mg-choices", ...options)),
        h("div", "mg-row", press),
      );
    }
    form.append(this.hint);
    if (given !== null) {
      for (const input of this.inputs) input.disabled = true;
      press.disabled = true;
      press.textContent = "Locked";
    }
    onSubmit(form, () => this.submit());
    this.element = form;
  }

  private submit(): void {
    const [only] = this.inputs;
    const typed = this.question.choices === null ? only?.value : this.inputs.find((input) => input.checked)?.value;
    const given = typed === undefined ? null : judge(this.question, typed);
    if (given !== null) {
      this.lock(given);
      return;
    }
    say(this.hint, howTo(this.question));
    focus(only);
  }
}

/** The verdict on an answer that was given, and why the true one is true. */
export function reveal(question: Question, given: Given): HTMLElement[] {
  const line = given.right
    ? h("p", "mg-verdict mg-right", "Right: ", h("b", "mg-number", question.answer.text), ".")
    : h(
        "p",
        "mg-verdict mg-not",
        "You said ",
        h("b", "mg-number", given.text),
        ". It is ",
        h("b", "mg-number", question.answer.text),
        ".",
      );
  const rest = [given.mistake, question.because].filter((text) => text !== "");
  return [line, ...rest.map((text) => h("p", {}, ...prose(text)))];
}
