/**
 * The numbers that a function was called with, as sliders and fields. A change goes to the
 * kernel, which calls the function again; while it is at it, only the latest change waits.
 */

import { formatNumber } from "../data/numbers.ts";
import type { Knob, RunAgain, RunData } from "../data/tape.ts";
import { h, listen, say } from "./dom.ts";

export class Knobs {
  readonly element = h("div", { class: "mg-knobs", role: "group", "aria-label": "Numbers of the call", hidden: true });
  readonly #problem = h("p", { class: "mg-problem", role: "alert" });
  readonly #printed = h("pre", "mg-printed");
  readonly #fields = new Map<string, { range: HTMLInputElement; field: HTMLInputElement }>();
  #run: RunData | null = null;
  #sent = 0;
  #asked = -Infinity; // when; a kernel that does not answer is asked again after a while
  #wanted: Record<string, number> | null = null;

  readonly #send: (message: RunAgain) => void;
  readonly #offline: boolean;

  constructor(send: (message: RunAgain) => void, offline: boolean) {
    this.#send = send;
    this.#offline = offline;
  }

  paint(run: RunData): void {
    if (this.#fields.size === 0) this.#build(run);
    this.element.hidden = false;
    say(this.#problem, run.problem);
    say(this.#printed, run.printed);
    if (run === this.#run) return;
    this.#run = run;
    this.#sent = Math.max(this.#sent, run.answers);
    this.#asked = -Infinity;
    if (this.#wanted === null) for (const knob of run.knobs) this.#show(knob);
    else this.#ask();
  }

  #build(run: RunData): void {
    for (const { name, whole, least, most, step } of run.knobs) {
      const range = h("input", {
        type: "range",
        class: "mg-range",
        min: least,
        max: most,
        step,
        "aria-label": `${name}, slider`,
      });
      const field = h("input", { type: "number", class: "mg-input", step: whole ? 1 : "any", "aria-label": name });
      for (const input of [range, field]) {
        input.disabled = this.#offline;
        listen(input, "input", () => {
          if (input.value === "" || !Number.isFinite(input.valueAsNumber)) return;
          (input === range ? field : range).value = input.value;
          this.#wanted = { ...this.#wanted, [name]: input.valueAsNumber };
          this.#ask();
        });
      }
      this.#fields.set(name, { range, field });
      this.element.append(
        h("div", "mg-knob", h("span", { class: "mg-math", "aria-hidden": "true" }, name), range, field),
      );
    }
    this.element.append(this.#problem, this.#printed);
  }

  #show({ name, value }: Knob): void {
    const inputs = this.#fields.get(name);
    if (!inputs) return;
    inputs.range.value = String(value);
    if (!inputs.field.matches(":focus")) inputs.field.value = formatNumber(value);
  }

  #ask(): void {
    if (this.#wanted === null || performance.now() - this.#asked < 5000) return;
    this.#asked = performance.now();
    this.#sent += 1;
    this.#send({ type: "run", number: this.#sent, values: this.#wanted });
    this.#wanted = null;
  }
}
