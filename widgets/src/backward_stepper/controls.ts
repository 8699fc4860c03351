/** The stepper's controls: Back, Step, Play, Reset, the position and the switch. */

import { button, dim, h, listen, say } from "../page/dom.ts";

const NO_PLAYING = "Playing would give the answers away: switch off “Ask me first” to play.";

export interface Actions {
  back(): void;
  step(): void;
  play(): void;
  reset(): void;
  seek(position: number): void;
  ask?(on: boolean): void; // where there is nothing to be asked, the switch is absent
}

export class Controls {
  readonly element: HTMLElement;
  readonly stepButton: HTMLButtonElement;
  readonly #backButton: HTMLButtonElement;
  readonly #playButton: HTMLButtonElement;
  readonly #resetButton: HTMLButtonElement;
  readonly #range: HTMLInputElement;
  readonly #count = h("span", "mg-count");
  readonly #box = h("input", { type: "checkbox" });
  readonly #score = h("span", { class: "mg-score", "aria-live": "polite" });

  constructor(
    private total: number,
    actions: Actions,
  ) {
    this.#backButton = button("◂ Back", actions.back, undefined, "Back");
    this.stepButton = button("Step ▸", actions.step, "mg-button mg-main", "Step");
    this.#playButton = button("Play", actions.play);
    this.#resetButton = button("Reset", actions.reset);
    this.#range = h("input", {
      type: "range",
      min: 0,
      max: total,
      step: 1,
      value: 0,
      class: "mg-range",
      "aria-label": "Position",
    });
    listen(this.#range, "input", () => actions.seek(Number(this.#range.value)));
    listen(this.#box, "change", () => actions.ask?.(this.#box.checked));
    const asking = h("div", "mg-row", h("label", "mg-switch", this.#box, "Ask me first"), this.#score);
    this.element = h(
      "div",
      "mg-controls",
      h("div", "mg-row", this.#backButton, this.stepButton, this.#playButton, this.#resetButton),
      h("div", "mg-scrub", this.#range, this.#count),
      ...(actions.ask ? [asking] : []),
    );
  }

  /** Another pass, with this many steps; numbers are asked for in a right one only. */
  steps(total: number, right: boolean): void {
    this.total = total;
    this.#range.max = String(total);
    this.#box.disabled = !right;
    this.#box.title = right ? "" : "A wrong engine’s numbers are no exercise.";
  }

  paint(state: { position: number; playing: boolean; asking: boolean; score: string }): void {
    const { position, playing, asking } = state;
    const text = `step ${position} of ${this.total}`;
    this.#range.value = String(position);
    this.#range.ariaValueText = text;
    this.#range.style.setProperty("--mg-done", `${this.total === 0 ? 0 : (position / this.total) * 100}%`);
    say(this.#count, text);
    dim(this.#backButton, position === 0);
    dim(this.stepButton, position === this.total);
    dim(this.#resetButton, position === 0);
    say(this.#playButton, playing ? "Pause" : "Play");
    this.#playButton.disabled = asking;
    this.#playButton.title = asking ? NO_PLAYING : "";
    this.#box.checked = asking;
    say(this.#score, state.score);
  }
}

/** What the keys do, for those who ask. */
export function keyHelp(note: string): HTMLElement {
  const text =
    "→ next step, ← step before, Home the beginning, End the end. " +
    "Tab goes to the controls; a click on a node goes to its visit.";
  return h("details", "mg-keys", h("summary", "mg-button", "Keys"), h("p", {}, text, note && " ", note));
}

export type Keys = Record<string, () => void>;

/** Let keys do what they do everywhere in a stepper but where one writes or chooses. */
export function onKeys(frame: HTMLElement, keys: () => Keys): void {
  listen(frame, "keydown", (event) => {
    if ((event.target as Element).matches("select, input:not([type=checkbox])")) return;
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const action = keys()[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  });
}
