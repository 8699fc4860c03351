/** A list to choose from, with its label. */

import { h, listen } from "../page/dom.ts";

export class Choice<Value extends string> {
  readonly element: HTMLElement;
  readonly #select = h("select", "mg-select");

  /** `options`: what each value is called. */
  constructor(label: string, options: Record<Value, string>, chosen: (value: Value) => void) {
    for (const value in options) this.#select.append(h("option", { value }, options[value]));
    listen(this.#select, "change", () => chosen(this.#select.value as Value));
    this.element = h("label", "mg-choose", label, this.#select);
  }

  show(value: Value): void {
    this.#select.value = value;
  }
}
