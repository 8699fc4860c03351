/**
 * The nudge in the page: which number, how much, and the same controls and keys as the backward pass.
 * While it is on, the picture is its own; the stepper's parts are hidden meanwhile.
 */

import { formatNumber } from "../data/numbers.ts";
import type { NudgedLeaf, Schedule } from "../data/tape.ts";
import { button, h, listen, say } from "../page/dom.ts";
import { item } from "../page/legend.ts";
import { Controls } from "./controls.ts";
import type { MarkedDrawing } from "./marked_drawing.ts";
import { makeNudge, nudgeSentence, verdict, type NudgePlan } from "./nudge.ts";
import { nudgeCard, nudgeTable } from "./nudge_card.ts";
import { clearNudge, clearPass, markNudge } from "./nudge_marks.ts";

const AT_FIRST = 0.01; // the h that is chosen
const PLAY_EVERY = 1300; // milliseconds

/** What the stepper does for the nudge. */
export interface Host {
  changed(on: boolean): void; // the mode was switched
  look(id: string | undefined): void; // this node is the current one
}

export class NudgeMode {
  readonly element = h("div", "mg-nudge");
  readonly #parts: HTMLElement[]; // what stands in it while the mode is on
  readonly toggle = button("Nudge", () => this.#switch());
  readonly legend = nudgeLegend();
  on = false;
  #plan: NudgePlan | null = null;
  #at = 0;
  #timer: ReturnType<typeof setInterval> | undefined;
  #leaf = ""; // the ids and sizes that are chosen
  #h = AT_FIRST;
  readonly #leaves = h("select", { class: "mg-select", "aria-label": "Number to nudge" });
  readonly #sizes = h("select", { class: "mg-select", "aria-label": "Size h of the nudge" });
  readonly #status = h("p", { class: "mg-status", role: "status", "data-mg-nudge": true });
  readonly #card = h("div", "mg-card-body");
  readonly #why = h("p", { class: "mg-words mg-why", role: "status" });
  readonly #table = h("div");
  #listed = false;
  readonly #controls: Controls;

  constructor(
    private readonly drawing: MarkedDrawing,
    private readonly host: Host,
  ) {
    const actions = {
      back: () => this.seek(this.#at - 1),
      step: () => this.seek(this.#at + 1),
      play: () => this.#play(this.#timer === undefined),
      reset: () => this.seek(0),
      seek: (position: number) => this.seek(position),
    };
    this.#controls = new Controls(0, actions);
    this.toggle.ariaPressed = "false";
    this.toggle.hidden = true;
    for (const select of [this.#leaves, this.#sizes]) {
      listen(select, "change", () => {
        this.#leaf = this.#leaves.value;
        this.#h = Number(this.#sizes.value);
        this.#replan();
      });
    }
    this.legend.hidden = true;
    this.#parts = [
      h("div", "mg-row mg-nudged", h("label", {}, "Nudge ", this.#leaves), h("label", {}, "by h = ", this.#sizes)),
      this.#controls.element,
      h("section", { class: "mg-card", "aria-label": "This step of the nudge" }, this.#status, this.#card, this.#why),
      this.#table,
    ];
  }

  /** The numbers of a schedule, new or changed. The place is kept as far as there is one. */
  show(schedule: Schedule): void {
    const leaves = schedule.nudges?.leaves ?? [];
    this.toggle.hidden = leaves.length === 0;
    const kept = leaves.find(({ id }) => id === this.#leaf) ?? leaves[0];
    this.#leaf = kept?.id ?? "";
    this.#leaves.replaceChildren(...leaves.map(({ id, name }) => h("option", { value: id }, name)));
    const sizes = (kept?.runs ?? []).map((run) => run.h);
    this.#sizes.replaceChildren(...sizes.map((size) => h("option", { value: size }, formatNumber(size))));
    if (!sizes.includes(this.#h)) this.#h = sizes[0] ?? AT_FIRST;
    this.#leaves.value = this.#leaf;
    this.#sizes.value = String(this.#h);
    this.#make = (): NudgePlan | null => {
      const leaf = leaves.find(({ id }) => id === this.#leaf);
      const nudge = leaf?.runs.find((run) => run.h === this.#h);
      return leaf && nudge ? makeNudge(schedule, leaf as NudgedLeaf, nudge) : null;
    };
    if (leaves.length === 0) this.set(false);
    else this.#replan();
  }

  #make: () => NudgePlan | null = () => null;

  /** Switched on, it shows the nudge at once, so that something moves. */
  #switch(): void {
    this.set(!this.on);
    if (this.on && this.#at === 0) this.seek(1);
  }

  set(on: boolean): void {
    if (on === this.on) return;
    this.on = on;
    this.toggle.ariaPressed = String(on);
    this.element.replaceChildren(...(on ? this.#parts : []));
    this.legend.hidden = !on;
    this.#play(false);
    if (on) clearPass(this.drawing);
    else clearNudge(this.drawing);
    this.host.changed(on);
    if (on) this.#paint();
  }

  /** Go on where another one stood. */
  resume(before: NudgeMode): void {
    this.#h = before.#h;
    this.#sizes.value = String(before.#h);
    if ([...this.#leaves.options].some(({ value }) => value === before.#leaf)) {
      this.#leaf = this.#leaves.value = before.#leaf;
    }
    const wasAtTheEnd = before.#plan !== null && before.#at === before.#plan.end;
    this.#at = before.#at;
    this.#replan();
    if (wasAtTheEnd) this.#at = this.#plan?.end ?? 0;
    this.set(before.on);
  }

  seek(wanted: number): void {
    const end = this.#plan?.end ?? 0;
    this.#at = Math.max(0, Math.min(wanted, end));
    if (this.#at === end) this.#play(false);
    this.#paint();
  }

  /** What the arrow keys do. */
  readonly keys: Record<string, () => void> = {
    ArrowRight: () => this.seek(this.#at + 1),
    ArrowLeft: () => this.seek(this.#at - 1),
    Home: () => this.seek(0),
    End: () => this.seek(Infinity),
  };

  /** The next of these nodes to be reached, or the first one. */
  jump(ids: readonly string[]): void {
    const positions = ids.map((id) => this.#plan?.at.get(id) ?? 0).filter((position) => position > 0);
    const next = positions.find((position) => position > this.#at) ?? positions[0];
    if (next !== undefined) this.seek(next);
  }

  list(on: boolean): void {
    this.#listed = on;
    this.#paintTable();
  }

  stop(): void {
    this.#play(false);
  }

  #replan(): void {
    this.#plan = this.#make();
    const end = this.#plan?.end ?? 0;
    this.#at = Math.min(this.#at, end);
    this.#controls.steps(end, true);
    this.#paintTable();
    if (this.on) this.#paint();
  }

  #play(on: boolean): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    if (on) {
      if (this.#at === this.#plan?.end) this.seek(0);
      this.#timer = setInterval(() => this.seek(this.#at + 1), PLAY_EVERY);
    }
    this.#paintControls();
  }

  #paint(): void {
    const plan = this.#plan;
    if (!plan || !this.on) return;
    markNudge(this.drawing, plan, this.#at);
    say(this.#status, nudgeSentence(plan, this.#at));
    this.#card.replaceChildren(...nudgeCard(plan, this.#at));
    say(this.#why, this.#at === plan.end ? verdict(plan) : "");
    this.#paintControls();
    this.#markRow();
    this.host.look((plan.steps[this.#at - 1] ?? (this.#at > 0 ? plan.steps.at(-1) : undefined))?.node.id);
  }

  #paintTable(): void {
    const plan = this.#plan;
    if (!this.#listed || !plan) {
      this.#table.replaceChildren();
      return;
    }
    const press = (position: number): HTMLElement =>
      button(`${position}`, () => this.seek(position), "mg-link", `Go to step ${position}`);
    this.#table.replaceChildren(nudgeTable(plan, press));
    this.#markRow();
  }

  #markRow(): void {
    this.#table.querySelectorAll("tbody tr").forEach((row, index) => {
      row.ariaCurrent = index + 1 === this.#at ? "step" : null;
    });
  }

  #paintControls(): void {
    this.#controls.paint({ position: this.#at, playing: this.#timer !== undefined, asking: false, score: "" });
  }
}

function nudgeLegend(): HTMLElement {
  const value = h("span", "mg-sign mg-number", "1.5");
  const change = h("span", "mg-sign mg-number mg-change", "Δ");
  return h(
    "ul",
    { class: "mg-legend", "aria-label": "Legend of the nudge" },
    item("value", "before the nudge", value),
    item("change", "what the nudge has added to the value", change),
  );
}

/** Where there is nothing to nudge: how to get it. */
export const nudgeNote = ({ nudges }: Schedule): string => nudges?.note ?? "";
