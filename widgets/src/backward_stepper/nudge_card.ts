/** The card of one step of a nudge; at the end, the change of the result beside the gradient. */

import { title } from "../data/node_words.ts";
import { asNumber, formatNumber } from "../data/numbers.ts";
import { pretty } from "../data/text.ts";
import { h } from "../page/dom.ts";
import { changeText, fromTo, nudgeHappens, signed, speed, type NudgePlan, type NudgeStep } from "./nudge.ts";

type Entry = [term: string, ...parts: (HTMLElement | string)[]];

export function nudgeCard(plan: NudgePlan, position: number): HTMLElement[] {
  if (position === 0) {
    const words = "Step makes this number a little larger, and follows the change through the program.";
    return [heading("Nudge", plan.leaf.name), h("p", "mg-words", words)];
  }
  const step = plan.steps[position - 1];
  return step ? ofNode(plan, step) : atTheEnd(plan);
}

function ofNode(plan: NudgePlan, step: NudgeStep): HTMLElement[] {
  const isLeaf = step.node.id === plan.leaf.id;
  const both = fromTo(step);
  const rate = speed(plan, step);
  const rows: Entry[] = [["change", delta(changeText(step))]];
  if (both) rows.unshift(["value", number(both[0]), sign("→"), number(both[1])]);
  if (rate !== null) {
    const quotient = math(`${changeText(step)} / ${formatNumber(plan.nudge.h)}`);
    const meaning = isLeaf ? "this is the number that is nudged" : `times the nudge of ${plan.leaf.name}`;
    rows.push(["change / h", quotient, sign("="), number(formatNumber(rate)), words(meaning)]);
  }
  return [heading(isLeaf ? "Nudge" : "Moves", pretty(title(step.node))), entries(rows)];
}

function atTheEnd(plan: NudgePlan): HTMLElement[] {
  const { leaf, nudge, gradient, loss } = plan;
  const rows: Entry[] = [];
  if (nudge.loss !== null) {
    const change = asNumber(nudge.loss);
    const quotient = math(`${signed(change)} / ${formatNumber(nudge.h)}`);
    rows.push([`${loss} changed by`, delta(signed(change))]);
    rows.push(["divided by h", quotient, sign("="), number(formatNumber(change / nudge.h))]);
  }
  if (gradient !== null) {
    const grad = h("span", "mg-number mg-grad", formatNumber(gradient));
    rows.push(["gradient", grad, words(`came back to ${leaf.name}`)]);
  }
  return [heading("Compare", `${loss}, ${leaf.name}`), entries(rows)];
}

/** All steps, as the list below the card shows them. */
export function nudgeTable(plan: NudgePlan, seek: (position: number) => HTMLElement): HTMLElement {
  const rows = Array.from({ length: plan.end }, (_, index) =>
    h(
      "tr",
      {},
      h("th", { scope: "row" }, seek(index + 1)),
      h("td", {}, nudgeHappens(plan, index + 1)),
    ),
  );
  const head = h("tr", {}, h("th", { scope: "col" }, "Step"), h("th", { scope: "col" }, "What happens"));
  const table = h("table", {}, h("thead", {}, head), h("tbody", {}, ...rows));
  const place = { class: "mg-table mg-steps", tabindex: 0, role: "group", "aria-label": "All steps, scrollable" };
  return h("div", place, table);
}

function entries(rows: Entry[]): HTMLElement {
  const list = h("dl", "mg-entries");
  for (const [term, ...parts] of rows) {
    list.append(h("dt", {}, term), h("dd", {}, h("div", "mg-equation", ...parts)));
  }
  return list;
}

const heading = (kind: string, text: string): HTMLElement => h("h4", {}, h("span", "mg-kind", kind), " ", math(text));
const math = (text: string): HTMLElement => h("span", "mg-math", text);
const words = (text: string): HTMLElement => h("span", "mg-words", text);
const sign = (text: string): HTMLElement => h("span", "mg-operator", text);
const number = (text: string): HTMLElement => h("span", "mg-number", text);
const delta = (text: string): HTMLElement => h("span", "mg-number mg-change", `Δ ${text}`);
