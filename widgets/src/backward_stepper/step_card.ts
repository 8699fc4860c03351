/** The card below the graph: one step of the backward pass in full, as numbers and formulas. */

import { short } from "../data/numbers.ts";
import type { Arrival, Outgoing, Step, Value } from "../data/tape.ts";
import { pretty } from "../data/text.ts";
import { h } from "../page/dom.ts";
import { hidden, valueElement } from "../page/value_element.ts";
import { isPending, isSecret, type Exercise } from "./ask_first.ts";
import { rightLanding, visitOrdinal, type Plan } from "./plan.ts";

export function stepCard(plan: Plan, exercise: Exercise, position: number): HTMLElement[] {
  const step = plan.steps[position - 1];
  if (!step) return before(plan);
  const pending = isPending(exercise, plan, position);
  switch (step.kind) {
    case "start":
      return [
        heading("Start at", step.text),
        entries([
          "gradient",
          equation(strong(step.grad, "gradient"), words("the derivative of a value with respect to itself")),
        ]),
      ];
    case "land":
      return [heading("Land in", `${step.text}.grad`), landing(plan, step, pending)];
    case "visit":
      return visit(plan, exercise, step, position, pending);
  }
}

function before(plan: Plan): HTMLElement[] {
  const start = plan.steps[0];
  const text = start
    ? `Step starts at ${start.text} and goes back to the leaves.`
    : "There is nothing to step through.";
  return [h("p", "mg-words", text)];
}

function visit(
  plan: Plan,
  exercise: Exercise,
  step: Extract<Step, { kind: "visit" }>,
  position: number,
  pending: boolean,
): HTMLElement[] {
  const asksSum = plan.sums.get(step.node) === position;
  const incoming = entries(["gradient in", arrivals(plan, step.arrivals, step.grad, pending && asksSum)]);
  if (step.outgoing.length === 0) enter(incoming, "sends", words("nothing on: no input needs a gradient"));
  const name = plan.nodes.get(step.node)?.names[0] ?? null;
  const outs = step.outgoing.map((out) =>
    outgoing(plan, name, out, pending, isSecret(exercise, plan, out.to, position)),
  );
  return [
    heading(`Visit ${circled(visitOrdinal(plan, position))}`, pretty(step.text)),
    incoming,
    h("div", "mg-outs", ...outs),
  ];
}

/** Everything about one gradient that is passed on. */
function outgoing(plan: Plan, from: string | null, out: Outgoing, pending: boolean, secret: boolean): HTMLElement {
  const list = entries();
  const add = (term: string, content: HTMLElement): void => enter(list, term, content);
  if (out.local !== null) {
    const formula = `${derivative(from, out.text)}${pretty(out.local)}`;
    // When the derivative is a plain number already, the number is not repeated.
    const alone = !out.localValue || out.local === short(out.localValue);
    add(
      "local derivative",
      alone
        ? equation(math(formula))
        : equation(
            math(formula),
            sign("="),
            unless(pending, valueElement(out.localValue as Value, "local derivative")),
          ),
    );
  }
  add("engine's rule", h("code", {}, out.rule));
  const product = out.numbers !== null && !pending ? [math(pretty(out.numbers)), sign("=")] : [];
  add(`sent to ${pretty(out.text)}`, equation(...product, unless(pending, strong(out.grad, "gradient sent"))));
  if (out.sumBefore) {
    const before = strong(out.sumBefore, "arrived before");
    add(
      `${plan.engine === null ? "sum" : "now"} at ${pretty(out.text)}`,
      equation(
        before,
        between(plan),
        unless(pending, strong(out.grad, "arriving")),
        sign("="),
        unless(secret, strong(out.sum, "sum")),
      ),
    );
  }
  return h("section", "mg-out", h("h5", {}, words("to "), math(pretty(out.text))), list);
}

function landing(plan: Plan, step: Extract<Step, { kind: "land" }>, pending: boolean): HTMLElement {
  const old = step.before ? strong(step.before, "before") : h("span", "mg-number mg-none", "None");
  const list = entries(
    ["arrived", arrivals(plan, step.arrivals, step.grad, pending)],
    [`${step.text}.grad`, equation(old, sign("→"), unless(pending, strong(step.after, `${step.text}.grad`)))],
  );
  const truth = plan.truth.get(step.node);
  if (truth) {
    const wrong = rightLanding(plan, step) !== null;
    const right = valueElement(truth.after, "right value");
    right.classList.add("mg-truth");
    const verdict = equation(right, words(wrong ? "✗ this engine is wrong here" : "✓ right here, by luck"));
    verdict.dataset.mgTruth = wrong ? "differs" : "same";
    enter(list, "right value", verdict);
  }
  return list;
}

/** What stands between two arrivals: a plus, unless the engine is wrong just there. */
function between({ joins }: Plan): HTMLElement {
  const isWord = /\p{L}/u.test(joins.between);
  return isWord ? words(joins.between) : sign(joins.between);
}

/** "7 via c + 8 via d = 15": a fork of the forward pass is a sum of the backward pass. */
function arrivals(plan: Plan, list: readonly Arrival[], sum: Value, hideSum: boolean): HTMLElement {
  const [only] = list;
  if (list.length < 2) {
    return equation(strong(sum, "gradient in"), ...(only ? [words(from(only))] : []));
  }
  const parts: HTMLElement[] = [];
  for (const arrival of list) {
    if (parts.length > 0) parts.push(between(plan));
    parts.push(strong(arrival.grad, "arrived"), words(from(arrival)));
  }
  return equation(...parts, sign("="), unless(hideSum, strong(sum, "sum")));
}

const from = (arrival: Arrival): string => (arrival.from === "seed" ? "from the start" : `via ${arrival.text}`);

function derivative(from: string | null, to: string): string {
  const plain = /^[\p{L}\p{N}_.]{1,12}$/u;
  return from !== null && plain.test(from) && plain.test(to) ? `∂${from}/∂${to} = ` : "";
}

function entries(...pairs: [string, HTMLElement][]): HTMLElement {
  const list = h("dl", "mg-entries");
  for (const [term, content] of pairs) enter(list, term, content);
  return list;
}

const enter = (list: HTMLElement, term: string, content: HTMLElement): void =>
  list.append(h("dt", {}, term), h("dd", {}, content));

const heading = (kind: string, text: string): HTMLElement => h("h4", {}, h("span", "mg-kind", kind), " ", math(text));
const math = (text: string): HTMLElement => h("span", "mg-math", text);
const words = (text: string): HTMLElement => h("span", "mg-words", text);
const sign = (text: string): HTMLElement => h("span", "mg-operator", text);
const equation = (...parts: HTMLElement[]): HTMLElement => h("div", "mg-equation", ...parts);

function strong(value: Value, caption: string): HTMLElement {
  const view = valueElement(value, caption);
  view.classList.add("mg-grad");
  return view;
}

/** What is shown, unless it would answer an open question. */
const unless = (secret: boolean, shown: HTMLElement): HTMLElement => (secret ? hidden() : shown);

/** ① … ⑩, which every font has, and plain digits beyond. */
const circled = (n: number): string => (n >= 1 && n <= 10 ? String.fromCodePoint(0x245f + n) : `(${n})`);
