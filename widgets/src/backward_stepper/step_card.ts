/** The card below the graph: one step of the backward pass in full, as numbers and formulas. */

import { also } from "../data/node_words.ts";
import { short } from "../data/numbers.ts";
import type { Arrival, Outgoing, Step, Value } from "../data/tape.ts";
import { pretty } from "../data/text.ts";
import { h } from "../page/dom.ts";
import { hidden, valueElement } from "../page/value_element.ts";
import { isPending, isSecret, type Exercise } from "./ask_first.ts";
import { boxCard, isThroughBox } from "./box_card.ts";
import { chainRule, firstProduct, firstSum, isProduct, sumOverPaths, tag } from "./chain_rule.ts";
import { rightLanding, visitOrdinal, type Plan } from "./plan.ts";

/** `open`: opens a box, where the step goes through one. */
export function stepCard(
  plan: Plan,
  exercise: Exercise,
  position: number,
  open: (box: string) => void,
): HTMLElement[] {
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
      return [
        ...landingHead(plan, step),
        landing(plan, step, pending),
        ...(firstSum(plan) === position && !pending ? [sumOverPaths(step.text)] : []),
      ];
    case "visit":
      if (isThroughBox(plan, step)) return boxCard(plan, step, open);
      return visit(plan, exercise, step, position, pending);
  }
}

/** Where it lands; and of a rehearsal, that it does not. */
function landingHead(plan: Plan, { node, text }: Extract<Step, { kind: "land" }>): HTMLElement[] {
  if (plan.engine?.own) return [heading("Returned for", text)];
  const leaf = plan.nodes.get(node);
  const other = leaf ? also(leaf) : "";
  const shared = other === "" ? [] : [h("p", "mg-words", `${text}, ${other}: one tensor, with one .grad.`)];
  if (!plan.isRehearsal) return [heading("Land in", `${text}.grad`), ...shared];
  const note = "This is a rehearsal: .grad stays as it is.";
  return [heading("Would land in", `${text}.grad`), ...shared, h("p", "mg-words", note)];
}

function before(plan: Plan): HTMLElement[] {
  const start = plan.steps[0];
  const text = start
    ? `Step starts at ${start.text} and goes back to the leaves.`
    : plan.engine?.problem || "There is nothing to step through.";
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
  const incoming = entries(["grad that arrived", arrivals(plan, step.arrivals, step.grad, pending && asksSum)]);
  if (step.outgoing.length === 0) enter(incoming, "sends", words("nothing on: no input needs a gradient"));
  const name = plan.nodes.get(step.node)?.names[0] ?? null;
  const outs = step.outgoing.map((out) =>
    outgoing(plan, name, out, pending, isSecret(exercise, plan, out.to, position)),
  );
  const named = pending || firstProduct(plan) !== position ? [] : chainRule(plan, step);
  const meets = step.outgoing.find((out) => out.sumBefore && !isSecret(exercise, plan, out.to, position));
  const where = meets?.text ?? (step.arrivals.length > 1 ? title(plan, step.node) : null);
  const summed = pending || firstSum(plan) !== position || where === null ? [] : [sumOverPaths(where)];
  return [
    heading(`Visit ${circled(visitOrdinal(plan, position))}`, pretty(step.text)),
    incoming,
    h("div", "mg-outs", ...outs),
    ...named,
    ...summed,
  ];
}

const title = (plan: Plan, id: string): string => plan.nodes.get(id)?.names[0] ?? "this node";

/** The names of the rules that made this gradient, short: they were explained where they came first. */
function tags(plan: Plan, out: Outgoing, pending: boolean, secret: boolean): HTMLElement[] {
  if (plan.engine !== null || pending) return [];
  const product = isProduct(out) ? [tag("chain rule")] : [];
  return out.sumBefore && !secret ? [...product, tag("sum over paths")] : product;
}

/** Everything about one gradient that is passed on. */
function outgoing(plan: Plan, from: string | null, out: Outgoing, pending: boolean, secret: boolean): HTMLElement {
  const list = entries();
  const add = (term: string, content: HTMLElement): void => enter(list, term, content);
  if (out.local !== null && !pending) {
    const formula = `${derivative(from, out.text)}${pretty(out.local)}`;
    // When the derivative is a plain number already, the number is not repeated.
    const alone = !out.localValue || out.local === short(out.localValue);
    add(
      "local slope",
      alone
        ? equation(math(formula))
        : equation(math(formula), sign("="), valueElement(out.localValue as Value, "local slope")),
    );
  }
  if (!pending) add("as code", h("code", {}, out.rule));
  const product = out.numbers !== null && !pending ? [math(pretty(out.numbers)), sign("=")] : [];
  add(`sent to ${pretty(out.text)}`, equation(...product, unless(pending, strong(out.grad, "grad sent"))));
  if (out.sumBefore && !plan.engine?.own) {
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
  const head = h("div", "mg-out-head", h("h5", {}, words("to "), math(pretty(out.text))));
  head.append(...tags(plan, out, pending, secret));
  const columns = Math.max(0, ...[...list.querySelectorAll("tr")].map((row) => row.childElementCount));
  const card = h("section", "mg-out", head, list);
  card.style.setProperty("--mg-columns", String(columns));
  return card;
}

function landing(plan: Plan, step: Extract<Step, { kind: "land" }>, pending: boolean): HTMLElement {
  const old = step.before ? strong(step.before, "before") : h("span", "mg-number mg-none", "None");
  if (plan.engine?.own) return returned(plan, step);
  const list = entries(
    ["arrived", arrivals(plan, step.arrivals, step.grad, pending)],
    [`${step.text}.grad`, equation(old, sign("→"), unless(pending, strong(step.after, `${step.text}.grad`)))],
  );
  addTruth(plan, step, list, plan.truth.get(step.node)?.after);
  return list;
}

/** What the learner's own engine returned for a leaf: nothing lands. */
function returned(plan: Plan, step: Extract<Step, { kind: "land" }>): HTMLElement {
  const list = entries(
    ["arrived", arrivals(plan, step.arrivals, step.grad, false)],
    ["returned", strong(step.grad, "returned")],
  );
  addTruth(plan, step, list, plan.truth.get(step.node)?.grad);
  return list;
}

/** Of another engine: what would be right. */
function addTruth(plan: Plan, step: Extract<Step, { kind: "land" }>, list: HTMLElement, truth?: Value): void {
  if (truth) {
    const wrong = rightLanding(plan, step) !== null;
    const right = valueElement(truth, "right value", true);
    right.classList.add("mg-truth");
    const luck = plan.engine?.own ? "✓ right" : "✓ right here, by luck";
    const other = plan.engine?.own ? "✗ yours is another" : "✗ this engine is wrong here";
    const verdict = equation(right, words(wrong ? other : luck));
    verdict.dataset.mgTruth = wrong ? "differs" : "same";
    enter(list, "right value", verdict);
  }
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
    return equation(strong(sum, "grad that arrived"), ...(only ? [words(from(only))] : []));
  }
  const parts: HTMLElement[] = [];
  for (const arrival of list) {
    if (parts.length > 0) parts.push(between(plan));
    parts.push(strong(arrival.grad, "arrived"), words(from(arrival)));
  }
  const own = plan.engine?.own === true;
  const named = plan.engine === null && !hideSum ? [tag("sum over paths")] : [];
  const total = strong(sum, own ? "passed on" : "sum");
  return equation(...parts, sign(own ? "→" : "="), unless(hideSum, total), ...named);
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
  const view = valueElement(value, caption, true);
  view.classList.add("mg-grad");
  return view;
}

/** What is shown, unless it would answer an open question. */
const unless = (secret: boolean, shown: HTMLElement): HTMLElement => (secret ? hidden() : shown);

/** ① … ⑩, which every font has, and plain digits beyond. */
const circled = (n: number): string => (n >= 1 && n <= 10 ? String.fromCodePoint(0x245f + n) : `(${n})`);
