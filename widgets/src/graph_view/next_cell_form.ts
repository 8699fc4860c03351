/** The question below the graph, "How many operations will the next cell add?". */

import { h, onSubmit, say } from "../page/dom.ts";
import { canLock, predictionText, readGuess } from "./next_cell.ts";
import type { Store } from "./store.ts";

const QUESTION = "How many operations will the next cell add?";

export class NextCellForm {
  readonly element: HTMLElement;
  readonly #input = h("input", {
    type: "number",
    min: 0,
    step: 1,
    inputmode: "numeric",
    class: "mg-input",
    "aria-label": QUESTION,
  });
  readonly #press = h("button", { type: "submit", class: "mg-button mg-main" }, "Lock in");
  readonly #verdict = h("p", { class: "mg-verdict", "data-mg-prediction": true, "aria-live": "polite" });

  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
    const form = h("form", "mg-question", h("span", { "aria-hidden": "true" }, QUESTION), this.#input, this.#press);
    onSubmit(form, () => {
      const guess = readGuess(this.#input.value);
      if (guess === null) {
        say(this.#verdict, "Type a whole number, such as 2.");
        this.#input.focus();
      } else {
        store.lockIn(guess);
      }
    });
    this.element = h("div", "mg-ask", form, this.#verdict);
  }

  paint(): void {
    const { prediction, state } = this.#store;
    const free = canLock(prediction);
    if (free && this.#input.disabled) this.#input.value = "";
    this.#input.disabled = !free;
    this.#press.disabled = !free;
    this.#verdict.dataset.phase = prediction.phase;
    const right = prediction.phase === "revealed" && prediction.guess === prediction.made;
    this.#verdict.classList.toggle("mg-right", right);
    say(this.#verdict, predictionText(prediction, state));
  }
}
