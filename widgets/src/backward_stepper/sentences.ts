/** One full sentence or two for each step: the status line, and all that a screen reader needs. */

import { short } from "../data/numbers.ts";
import type { Arrival, Outgoing, Step, Value } from "../data/tape.ts";
import { joined, list, plural } from "../data/text.ts";
import { isPending, isSecret, type Exercise } from "./ask_first.ts";
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
      return `Start at ${step.text}. Its gradient with respect to itself is ${short(step.grad)}.`;
    case "land":
      return pending ? `${arriving(step.arrivals)} What is ${step.text}.grad now?` : landing(plan, step);
    case "visit": {
      const hidden = pending && step.arrivals.length > 1;
      const incoming = hidden ? arriving(step.arrivals) : `Gradient in ${gradientIn(plan, step)}.`;
      if (step.outgoing.length === 0) return `Visit ${step.text}. ${incoming} It sends nothing on.`;
      if (pending) {
        const receivers = list([...new Set(step.outgoing.map((out) => out.text))]);
        return `Visit ${step.text}. ${incoming} What does it send to ${receivers}?`;
      }
      const sent = list(step.outgoing.map((out) => `${short(out.grad)} to ${out.text}`));
      return `Visit ${step.text}. ${incoming} It sends ${sent}.${sums(plan, exercise, step.outgoing, position)}`;
    }
  }
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
  if (!step.before) return `${name} becomes ${after}${from}.${verdict}`;
  const added = `${short(step.grad)} is added${from}`;
  return `${name} was ${short(step.before)}; ${added}; it becomes ${after}.${verdict}`;
}

/** Of a wrong engine: is what it lands right all the same? */
function landingVerdict(plan: Plan, step: Landing): string {
  if (plan.engine === null) return "";
  const truth = rightLanding(plan, step);
  return truth ? ` That is wrong: ${short(truth.after)} is right.` : " That is right.";
}

/** A gradient; and the right one, where it is another. */
export function gradText(grad: Value, right: Value | undefined): string {
  const text = short(grad, 10);
  if (right === undefined) return text;
  const truth = short(right, 10);
  // They may read alike: of a large tensor, only the shape is written.
  return text === truth ? `${text}, wrong` : `${text} ≠ ${truth}`;
}
