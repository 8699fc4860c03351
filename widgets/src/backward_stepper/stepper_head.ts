/** The top of a stepper: its title, its buttons, and what is to be said of the pass. */

import type { Schedule } from "../data/tape.ts";
import { pretty } from "../data/text.ts";
import { h, notice } from "../page/dom.ts";

/** `kind` says what is shown: a backward pass, or a nudge. */
export function stepperHead(schedule: Schedule, kind: HTMLElement, tools: HTMLElement[]): HTMLElement[] {
  const { mode, message, title } = schedule;
  const bar = h(
    "div",
    "mg-bar",
    h("h3", "mg-title", kind, h("span", "mg-math", pretty(title))),
    h("div", "mg-row", ...tools),
  );
  const replayed = h("p", "mg-note", mode === "replayed" ? "Replayed: the pass that was watched." : "");
  if (mode === "unavailable") return [bar, replayed, notice(message || "There is no backward pass to show.")];
  return [bar, replayed, h("p", "mg-note", message)];
}
