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
    private engines: readonly Engine[],
    private readonly choose: (engine: Engine | null) => void,
  ) {
    this.#select.append(h("option", { value: "" }, "right"));
    const own = engines.find((engine) => engine.own);
    if (own) this.#select.append(h("option", { value: own.id }, own.title));
    const wrong = h("optgroup", { label: "wrong on purpose" });
    for (const { id, title, steps } of engines) {
      if (id === own?.id) continue;
      const long = steps.length === 0;
      wrong.append(h("option", { value: id, disabled: long }, title + (long ? " (too many steps to show)" : "")));
    }
    if (wrong.childElementCount > 0) this.#select.append(wrong);
    listen(this.#select, "change", () => this.#paint());
    this.element = h("label", "mg-engine", "Engine", this.#select);
    this.element.hidden = engines.length === 0;
  }

  /** Begin with the learner's own engine, or with the one that was chosen, if it is there. */
  open(chosen = ""): void {
    const first = this.engines.find(({ id, own, steps }) => own || (id === chosen && steps.length > 0));
    if (!first) return;
    this.#select.value = first.id;
    this.#paint();
  }

  /** The same engines with other numbers; returns the one that is at work. */
  follow(engines: readonly Engine[]): Engine | null {
    this.engines = engines;
    return this.#current();
  }

  #current(): Engine | null {
    return this.engines.find(({ id }) => id === this.#select.value) ?? null;
  }

  #paint(): void {
    const engine = this.#current();
    const back = (): void => {
      this.#select.value = "";
      this.#paint();
      this.#select.focus();
    };
    const parts = engine && [
      h("span", { class: "mg-sign", "aria-hidden": "true" }, engine.own ? "✎" : "⚠"),
      h("p", {}, ...words(engine)),
      button(engine.own ? "Show the right engine" : "Back to the right engine", back),
    ];
    this.banner.classList.toggle("mg-own", engine?.own === true);
    this.banner.replaceChildren(...(parts ?? []));
    this.choose(engine);
  }
}

/** Which engine it is; and of the learner's own, what went wrong. */
function words({ own, what, problem }: Engine): (Node | string)[] {
  if (!own) return [h("strong", {}, "This engine is wrong on purpose:"), ` ${what}.`];
  const [name = "", ...said] = (problem ?? "").split(": ");
  const trouble = problem ? [" ", h("span", "mg-problem", h("code", {}, name), `: ${said.join(": ")}`)] : [];
  return [h("strong", {}, "Your engine:"), ` ${what}.`, ...trouble];
}
