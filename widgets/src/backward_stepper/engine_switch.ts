/**
 * The stepper's switch between the right engine and those that are wrong on purpose, and the
 * banner that stands there as long as a wrong one is at work.
 */

import type { Engine } from "../data/tape.ts";
import { button, h, listen } from "../page/dom.ts";

export class EngineSwitch {
  readonly element: HTMLElement;
  readonly banner = h("div", { class: "mg-banner", role: "status", "data-mg-engine": true });
  readonly #select = h("select", { class: "mg-select", "aria-label": "Engine" });

  constructor(
    private readonly engines: readonly Engine[],
    private readonly choose: (engine: Engine | null) => void,
  ) {
    this.#select.append(h("option", { value: "" }, "right"));
    const wrong = h("optgroup", { label: "wrong on purpose" });
    for (const { id, title, steps } of engines) {
      const long = steps.length === 0;
      wrong.append(h("option", { value: id, disabled: long }, title + (long ? " (too many steps to show)" : "")));
    }
    this.#select.append(wrong);
    listen(this.#select, "change", () => this.#paint());
    this.element = h("label", "mg-engine", "Engine", this.#select);
    this.element.hidden = engines.length === 0;
  }

  #paint(): void {
    const engine = this.engines.find(({ id }) => id === this.#select.value) ?? null;
    const back = (): void => {
      this.#select.value = "";
      this.#paint();
      this.#select.focus();
    };
    const parts = engine && [
      h("span", { class: "mg-sign", "aria-hidden": "true" }, "⚠"),
      h("p", {}, h("strong", {}, "This engine is wrong on purpose:"), ` ${engine.what}.`),
      button("Back to the right engine", back),
    ];
    this.banner.replaceChildren(...(parts ?? []));
    this.choose(engine);
  }
}
