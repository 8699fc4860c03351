/** A question as a form: its input or its choices, and the button that answers. */

import { focus, h, onSubmit, ownName, prose, say } from "../page/dom.ts";
import { howTo, isSettled, judge, wasTried, type Given, type Question } from "./question.ts";

const AGAIN = "That was tried already. Take another answer.";

/** What was wrong stays there: as the text to change, or as a choice that is crossed out. */
export class QuestionForm {
  readonly element: HTMLElement;
  private readonly inputs: HTMLInputElement[];
  private readonly hint = h("p", { class: "mg-hint", "aria-live": "polite" });

  constructor(
    private readonly question: Question,
    private readonly given: Given | null,
    private readonly lock: (given: Given) => void,
  ) {
    const { choices } = question;
    const asked = [h("span", "mg-kicker", "Predict"), " ", ...prose(question.question)];
    const group = ownName(); // radio buttons of one name exclude each other
    const last = isSettled(given) ? given?.text : undefined; // one that is crossed out is not chosen
    this.inputs = (choices ?? [""]).map((choice) =>
      choices === null
        ? h("input", { type: "text", class: "mg-input", id: group, autocomplete: "off", value: given?.text })
        : h("input", { type: "radio", name: group, value: choice, checked: choice === last }),
    );
    const press = h("button", { type: "submit", class: "mg-button mg-main" }, given === null ? "Lock in" : "Try again");
    const form = h("form", "mg-predict-form");
    if (choices === null) {
      form.append(h("label", { class: "mg-asked", for: group }, ...asked), h("div", "mg-row", ...this.inputs, press));
    } else {
      const options = this.inputs.map((input, i) => h("label", "mg-choice", input, ...prose(choices[i] ?? "")));
      for (const [i, choice] of choices.entries()) {
        if (!wasTried(given, choice)) continue;
        this.inputs[i]?.toggleAttribute("disabled", true);
        options[i]?.classList.add("mg-crossed");
      }
      form.append(
        h("fieldset", {}, h("legend", "mg-asked", ...asked), h("div", "mg-choices", ...options)),
        h("div", "mg-row", press),
      );
    }
    form.append(this.hint);
    if (isSettled(given)) {
      for (const input of this.inputs) input.disabled = true;
      press.disabled = true;
      press.textContent = "Locked";
    }
    onSubmit(form, () => this.submit());
    this.element = form;
  }

  /** Say why the answer in the call does not count: once the element is in the page. */
  speak(): void {
    if (this.given === null) say(this.hint, this.question.unread);
  }

  /** The field to type into again, or the first choice that is left. */
  focus(): void {
    const free = this.inputs.find((input) => !input.disabled);
    focus(free);
    if (this.question.choices === null) free?.select();
  }

  private submit(): void {
    const [only] = this.inputs;
    const free = this.inputs.filter((input) => !input.disabled);
    const typed = this.question.choices === null ? only?.value : free.find((input) => input.checked)?.value;
    const given = typed === undefined ? null : judge(this.question, typed, this.given);
    if (given !== null && (given.right || !wasTried(this.given, given.value))) {
      this.lock(given);
      return;
    }
    say(this.hint, given === null ? howTo(this.question) : AGAIN);
    this.focus();
  }
}

