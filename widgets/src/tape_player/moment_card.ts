/** The card of one moment: an operation as formula and numbers, a visit with its chain rule, or what a line wrote. */

import { newExercise } from "../backward_stepper/ask_first.ts";
import { stepCard } from "../backward_stepper/step_card.ts";
import { title } from "../data/node_words.ts";
import type { NodeData } from "../data/tape.ts";
import { pretty } from "../data/text.ts";
import { h } from "../page/dom.ts";
import { hidden, valueElement } from "../page/value_element.ts";
import type { PassPlans } from "./pass_plans.ts";
import { stateAt } from "./playing.ts";
import type { Change, Moment, Recording } from "./recording.ts";
import { scopeOf } from "./words.ts";

const noBox = (): void => {}; // of a moment there is one operation at a time

/** `open`: a question about it is open, so nothing may be told of what it brings. */
export function momentCard(
  recording: Recording,
  plans: PassPlans,
  moment: Moment | undefined,
  position: number,
  open: boolean,
): HTMLElement[] {
  if (!moment || open) return [];
  if (moment.kind === "step") {
    const plan = plans.of(moment);
    return plan ? stepCard(plan, newExercise(false), moment.step ?? 0, noBox) : [];
  }
  const node = plans.nodeOf(moment);
  const list = h("dl", "mg-entries");
  const add = (term: string, content: HTMLElement): void => list.append(h("dt", {}, term), h("dd", {}, content));
  if (moment.kind === "op" && node) addOperation(node, add);
  const before = stateAt(recording, position - 1);
  for (const change of moment.changes) {
    if (node && change.name === node.names[0]) continue; // its value stands there already
    const old = before.get(`${change.call} ${change.name}`)?.change;
    add(change.name, written(change, old, moment.kind === "call"));
  }
  if (moment.returned !== undefined && moment.kind === "line") add("returns", number(moment.returned));
  const head = heading(recording, moment, node);
  return list.childElementCount > 0 ? [head, list] : [head, h("p", "mg-words", nothing(moment))];
}

function heading(recording: Recording, moment: Moment, node: NodeData | undefined): HTMLElement {
  if (moment.kind === "op" && node) return kind("Operation", h("span", "mg-math", pretty(title(node))));
  if (moment.kind === "call") return kind("Call of", h("code", {}, scopeOf(recording, moment.call)));
  return kind(moment.raised ? "Raised" : "Ran", h("code", {}, moment.raised || lineOf(recording, moment)));
}

function addOperation(node: NodeData, add: (term: string, content: HTMLElement) => void): void {
  const value = valueElement(node.value, title(node));
  const sum = node.numbers === "" ? [] : [h("span", "mg-math", pretty(node.numbers)), h("span", "mg-operator", "=")];
  add("value", h("div", "mg-equation", ...sum, value));
  if (node.scope !== "") add("in", h("span", {}, node.scope));
  if (node.fused) add("is", h("span", {}, node.fused));
}

function written(change: Change, old: Change | undefined, isNew: boolean): HTMLElement {
  const now = change.value ? valueElement(change.value, change.name) : number(change.text ?? "gone");
  if (isNew || !old) return h("div", "mg-equation", now);
  const was = old.value ? valueElement(old.value, `${change.name} before`) : number(old.text ?? "");
  return h("div", "mg-equation", was, h("span", { class: "mg-operator" }, "→"), now);
}

function nothing(moment: Moment): string {
  if (moment.raised) return "The line did not come to its end.";
  if (moment.kind === "call") return "It has no arguments that are shown here.";
  return "It wrote none of the variables shown here.";
}

/** The text of the line that a moment stands at. */
export function lineOf({ source }: Recording, { file, line }: Moment): string {
  const block = source.filter((one) => one.file === file).flatMap(({ lines }) => lines);
  return block.find(({ number: at }) => at === line)?.text.trim() ?? "";
}

const kind = (word: string, what: HTMLElement): HTMLElement => h("h4", {}, h("span", "mg-kind", word), " ", what);
const number = (text: string): HTMLElement => h("span", "mg-number", text);

/** What stands for a moment whose question is open. */
export const closedCard = (): HTMLElement => h("p", "mg-words", "This step brings ", hidden(), " – answer first.");
