/** The gate of "Ask me first": one input for each number that the step would show. */

import { button, focus, h, onSubmit, say } from "../page/dom.ts";
import type { Question } from "./ask_first.ts";

export class AskFirstForm {
  readonly element: HTMLElement;
  readonly #inputs: HTMLInputElement[] = [];
  readonly #hint = h("p", { class: "mg-hint", "aria-live": "polite" });

  constructor(questions: readonly Question[], answer: (answers: string[] | null) => void) {
    const form = h("form", { class: "mg-questions", autocomplete: "off" });
    for (const question of questions) {
      const input = h("input", { type: "text", class: "mg-input", "aria-label": question.prompt });
      this.#inputs.push(input);
      form.append(h("label", {}, h("span", {}, question.prompt), input));
    }
    form.append(
      h(
        "div",
        "mg-row",
        h("button", { type: "submit", class: "mg-button mg-main", "aria-label": "Check" }, "Check"),
        button("Show me", () => answer(null)),
      ),
      this.#hint,
    );
    onSubmit(form, () => answer(this.#inputs.map((input) => input.value)));
    this.element = form;
  }

  focus(index = 0): void {
    focus(this.#inputs[index]);
  }

  /** Say what is wrong with an answer that cannot be read, and go there. */
  complain(index: number, message: string): void {
    say(this.#hint, message);
    this.focus(index);
  }
}
