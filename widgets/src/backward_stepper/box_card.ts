/** The card of a step that goes through a closed box: what comes in, and what it sends on. */

import type { Step, Value } from "../data/tape.ts";
import { pretty } from "../data/text.ts";
import { button, h } from "../page/dom.ts";
import { valueElement } from "../page/value_element.ts";
import type { Plan } from "./plan.ts";

type Visit = Extract<Step, { kind: "visit" }>;

/** Does this step go through a closed box? */
export const isThroughBox = (plan: Plan, step: Visit): boolean => plan.nodes.get(step.node)?.kind === "box";

export function boxCard(plan: Plan, step: Visit, open: (box: string) => void): HTMLElement[] {
  const box = plan.nodes.get(step.node);
  const ins = step.arrivals.map(({ text, grad }) => entry(text === "the start" ? "from the start" : text, grad));
  const outs = step.outgoing.map(({ text, grad }) => entry(`to ${pretty(text)}`, grad));
  const what = [box?.note, box?.numbers].filter(Boolean).join(", ");
  const openButton = button("Open this box", () => open(step.node));
  const heading = h("h4", {}, h("span", "mg-kind", "Backward through"), " ", h("span", "mg-math", step.text));
  return [
    heading,
    h("div", "mg-row", h("p", "mg-words", `${what}, in one step.`), openButton),
    h("div", "mg-outs", part("gradient in", ins), part(outs.length === 1 ? "gradient out" : "gradients out", outs)),
  ];
}

function part(title: string, entries: HTMLElement[][]): HTMLElement {
  const content = entries.length > 0 ? entries.flat() : [h("dd", {}, "none: no input needs a gradient")];
  return h("section", "mg-out", h("div", "mg-out-head", h("h5", {}, title)), h("dl", "mg-entries", ...content));
}

function entry(term: string, grad: Value): HTMLElement[] {
  const value = valueElement(grad, term);
  value.classList.add("mg-grad");
  return [h("dt", {}, term), h("dd", {}, h("div", "mg-equation", value))];
}
