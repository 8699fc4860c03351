/** One full sentence or two for each step: the status line, and all that a screen reader needs. */

import { short } from "../data/numbers.ts";
import type { Arrival, Outgoing, Step, Value } from "../data/tape.ts";
import { joined, list, plural } from "../data/text.ts";
import { isPending, isSecret, type Exercise } from "./ask_first.ts";
import { isThroughBox } from "./box_card.ts";
import { rightLanding, type Landing, type Plan } from "./plan.ts";

export function sentence(plan: Plan, exercise: Exercise, position: number): string {
  const total = plan.steps.length;
  if (position === 0) return `Before the backward pass. ${plural(total, "step")}.`;
  const end = position === total && !isPending(exercise, plan, position) ? " The backward pass is complete." : "";
  return `Step ${position} of ${total}. ${happens(plan, exercise, position)}${end}`;
}

/** What happens in the step, without its number. */
export function happens(plan: Plan, exercise: Exercise, position: number): string {
  const step = plan.steps[position - 1];
  const pending = isPending(exercise, plan, position);
  switch (step?.kind) {
    case undefined:
      return "";
    case "start":
      if (plan.engine?.own) return `Your engine starts at ${step.text} with ${short(step.grad)}.`;
      return `Start at ${step.text}. Its gradient with respect to itself is ${short(step.grad)}.`;
    case "land":
      return pending ? `${arriving(step.arrivals)} What is ${step.text}.grad now?` : landing(plan, step);
    case "visit": {
      if (isThroughBox(plan, step)) return throughBox(step);
      const hidden = pending && step.arrivals.length > 1;
      const incoming = hidden ? arriving(step.arrivals) : `The grad is ${gradientIn(plan, step)}.`;
      if (step.outgoing.length === 0) return `Visit ${step.text}. ${incoming} It sends nothing on.`;
      if (pending) {
        const receivers = list([...new Set(step.outgoing.map((out) => out.text))]);
        return `Visit ${step.text}. ${incoming} What does it send to ${receivers}?`;
      }
      const sent = list(
        step.outgoing.map((out) => `${short(out.grad)} to ${out.text}${pathOf(plan, step.outgoing, out, position)}`),
      );
      return `Visit ${step.text}. ${incoming} It sends ${sent}.${sums(plan, exercise, step.outgoing, position)}`;
    }
  }
}

/** "Backward through encoder.layers.0. Gradient in: 2×3 numbers. Gradients out: 5 to b and 2×3 numbers to x." */
function throughBox({ text, grad, arrivals, outgoing }: Extract<Step, { kind: "visit" }>): string {
  const came = arrivals.length > 1 ? list(arrivals.map((one) => `${short(one.grad)} from ${one.text}`)) : short(grad);
  const sent = list(outgoing.map((out) => `${short(out.grad)} to ${out.text}`));
  const out = outgoing.length === 1 ? "Gradient out" : "Gradients out";
  return `Backward through ${text}. Gradient in: ${came}. ${sent === "" ? "It sends nothing on." : `${out}: ${sent}.`}`;
}

/** " (path 2 of 2)" where several paths lead to the same place; else "". */
function pathOf(plan: Plan, outgoing: readonly Outgoing[], out: Outgoing, position: number): string {
  const all = plan.received.get(out.to) ?? [];
  if (plan.engine !== null || all.length < 2) return "";
  const twins = outgoing.filter((other) => other.to === out.to);
  const before = all.filter(({ at }) => at < position).length;
  return ` (path ${before + twins.indexOf(out) + 1} of ${all.length})`;
}

function gradientIn(plan: Plan, step: Extract<Step, { kind: "visit" }>): string {
  if (step.arrivals.length < 2) return short(step.grad);
  return `${short(step.grad)}: ${viaAndKept(plan, step.arrivals)}`;
}

const via = (arrivals: readonly Arrival[]): string => list(arrivals.map((a) => `${short(a.grad)} via ${a.text}`));

/** The arrivals, and which of them the engine keeps, if not all. */
const viaAndKept = (plan: Plan, arrivals: readonly Arrival[]): string => joined([via(arrivals), plan.joins.kept]);

const arriving = (arrivals: readonly Arrival[]): string =>
  `${via(arrivals)} arrive${arrivals.length === 1 ? "s" : ""}.`;

/** Where something had arrived before, say the running sum, unless a question is open. */
function sums(plan: Plan, exercise: Exercise, outgoing: readonly Outgoing[], position: number): string {
  if (plan.engine?.own) return ""; // nobody knows how it joins them
  return outgoing
    .filter((out) => out.sumBefore && !isSecret(exercise, plan, out.to, position))
    .map((out) => ` At ${out.text} that ${plan.joins.leaves} ${short(out.sum)}.`)
    .join("");
}

function landing(plan: Plan, step: Landing): string {
  const from = step.arrivals.length > 1 ? `: ${viaAndKept(plan, step.arrivals)}` : "";
  const name = `${step.text}.grad`;
  const verdict = landingVerdict(plan, step);
  const after = short(step.after);
  if (plan.engine?.own) return `Your engine returns ${short(step.grad)} for ${step.text}.${landingVerdict(plan, step)}`;
  if (!step.before) return `${name} becomes ${after}${from}.${verdict}`;
  const added = `${short(step.grad)} is added${from}`;
  return `${name} was ${short(step.before)}; ${added}; it becomes ${after}.${verdict}`;
}

/** Of another engine: is what it lands right? */
function landingVerdict(plan: Plan, step: Landing): string {
  if (plan.engine === null) return "";
  const truth = rightLanding(plan, step);
  const right = plan.engine.own ? truth?.grad : truth?.after;
  return right ? ` That is wrong: ${short(right)} is right.` : " That is right.";
}

/** A gradient; and the right one, where it is another. */
export function gradText(grad: Value, right: Value | undefined): string {
  const text = short(grad, 10);
  if (right === undefined) return text;
  const truth = short(right, 10);
  // They may read alike: of a large tensor, only the shape is written.
  return text === truth ? `${text}, wrong` : `${text} ≠ ${truth}`;
}
