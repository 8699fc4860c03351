/**
 * A nudge: one number of the program is a little larger, and the change travels forward, node by node.
 * The changes come from a second run of the program (`nudges.py`); at the end their quotient meets the
 * gradient that came back. All of it without a page.
 */

import { title } from "../data/node_words.ts";
import { asNumber, formatNumber, short, size, type Scalar } from "../data/numbers.ts";
import type { NodeData, Nudge, NudgedLeaf, Schedule } from "../data/tape.ts";
import { pretty } from "../data/text.ts";

export interface NudgeStep {
  node: NodeData;
  changes: Scalar[] | null; // of each of its numbers; null: nobody knows
}

/** Position 0 is before the nudge; each step is a node; the last position, after them, compares. */
export interface NudgePlan {
  leaf: NudgedLeaf;
  nudge: Nudge;
  exact: boolean;
  steps: NudgeStep[];
  at: Map<string, number>; // node → its position
  end: number;
  loss: string; // what the last node is called
  gradient: number | null; // what the backward pass brings to the leaf
}

export function makeNudge(schedule: Schedule, leaf: NudgedLeaf, nudge: Nudge): NudgePlan {
  const root = schedule.steps[0]?.node;
  const moved = new Set([leaf.id]);
  const steps: NudgeStep[] = [];
  for (const node of schedule.nodes) {
    const changes = nudge.changes[node.id] ?? null;
    const isFed = node.inputs.some(({ id }) => id !== null && moved.has(id));
    const isMoved = node.id === leaf.id || isFed || (changes ?? []).some((change) => asNumber(change) !== 0);
    if (!isMoved) continue;
    moved.add(node.id);
    // On another path, nodes are not the same ones: only both ends can be compared.
    const isEnd = node.id === leaf.id || node.id === root;
    if (nudge.problem !== "" ? node.id === leaf.id : nudge.parted === "" || isEnd) {
      const loss = node.id === root && nudge.loss !== null ? [nudge.loss] : null;
      steps.push({ node, changes: loss ?? changes });
    }
  }
  const landing = schedule.steps.find((step) => step.kind === "land" && step.node === leaf.id);
  const arrived = landing?.grad.data[0];
  return {
    leaf,
    nudge,
    exact: schedule.nudges?.exact ?? true,
    steps,
    at: new Map(steps.map(({ node }, index) => [node.id, index + 1])),
    end: steps.length + 1,
    loss: pretty(schedule.title),
    gradient: arrived === undefined ? null : asNumber(arrived),
  };
}

// ----------------------------------------------------------------------------------- numbers

/** Where float64 itself rounds, there is no change to be told. */
const settle = (change: number, near: number): number =>
  Math.abs(change) < 1e-12 * Math.max(1, Math.abs(near)) ? 0 : change;

/** With its sign: "+0.03", "-0.1791", "0". */
export const signed = (x: number): string => (x > 0 ? "+" : "") + formatNumber(x);

/** The only number of a change; null where there are several, or where nobody knows. */
export function onlyChange({ node, changes }: NudgeStep): number | null {
  if (changes?.length !== 1) return null;
  return settle(asNumber(changes[0] ?? NaN), asNumber(node.value.data[0] ?? 0));
}

/** A change in few letters: "+0.03", "[+0.03, +0.06]", "5 changes", "?". */
export function changeText(step: NudgeStep): string {
  const only = onlyChange(step);
  if (only !== null) return signed(only);
  if (step.changes === null) return size(step.node.value) === 1 ? "?" : `${short(step.node.value)} change`;
  if (step.changes.length > 3) return `${step.changes.length} changes`;
  return `[${step.changes.map((change) => signed(settle(asNumber(change), 1))).join(", ")}]`;
}

/** What a value is before and after, where it is one number. */
export function fromTo(step: NudgeStep): [string, string] | null {
  const only = onlyChange(step);
  const before = step.node.value.data[0];
  if (only === null || before === undefined || size(step.node.value) !== 1) return null;
  return [formatNumber(before), formatNumber(asNumber(before) + only)];
}

/** change / h: how fast this value moves, as fast as the leaf or so many times. */
export function speed(plan: NudgePlan, step: NudgeStep): number | null {
  const only = onlyChange(step);
  return only === null ? null : only / plan.nudge.h;
}

// ----------------------------------------------------------------------------------- the end

export type Agreement = "same" | "close" | "apart" | "unknown";

/** Do the quotient and the gradient say the same? If not quite: do they with a smaller h? */
export function agreement(plan: NudgePlan): Agreement {
  const { gradient, leaf, nudge } = plan;
  const quotients = [...leaf.runs]
    .sort((one, other) => other.h - one.h)
    .filter(({ loss }) => loss !== null)
    .map(({ h, loss }) => asNumber(loss ?? NaN) / h);
  const here = nudge.loss === null ? NaN : asNumber(nudge.loss) / nudge.h;
  if (gradient === null || !Number.isFinite(gradient) || !Number.isFinite(here)) return "unknown";
  const scale = Math.max(Math.abs(gradient), Math.abs(here), 1e-9);
  const rounding = plan.exact ? 1e-6 : 1e-3;
  if (Math.abs(here - gradient) <= rounding * scale) return "same";
  const distances = quotients.map((quotient) => Math.abs(quotient - gradient));
  const least = distances.at(-1) ?? Infinity;
  const before = distances.at(-2) ?? Infinity;
  const isNear = least <= 0.02 * scale;
  const isNearing = least <= 0.3 * before;
  return isNear || isNearing ? "close" : "apart";
}

/** Why the quotient and the gradient differ, or that they do not. */
export function verdict(plan: NudgePlan): string {
  const { leaf, nudge } = plan;
  const before = formatNumber(leaf.value);
  const after = formatNumber(leaf.value + nudge.h);
  if (nudge.problem !== "") return `With ${leaf.name} = ${after} the program stops: ${nudge.problem.split("\n")[0]}`;
  const parted =
    nudge.parted === ""
      ? ""
      : `With ${leaf.name} = ${after} the program takes another path (${nudge.parted}), ` +
        "so only its result can be compared. ";
  const blurred = plan.exact ? "" : " This program computes in float32, whose rounding blurs a small h.";
  const words: Record<Agreement, string> = {
    same: `Both are the same: from ${before} to ${after} the result moves along a straight line.`,
    close:
      `They differ a little, because the result moves along a curve from ${before} to ${after}, and the ` +
      `gradient is its slope at ${before} itself. ` +
      (isSmallest(plan) ? "With a larger h they differ more." : "A smaller h comes closer."),
    apart:
      `They do not agree, and a smaller h does not bring them together. At ${leaf.name} = ${before} there is ` +
      "a kink or a jump: what the gradient says does not hold in this direction.",
    unknown: "They cannot be compared, because one of the numbers is not known or not finite.",
  };
  return parted + words[agreement(plan)] + blurred;
}

const isSmallest = ({ leaf, nudge }: NudgePlan): boolean => leaf.runs.every(({ h }) => nudge.h <= h);

// ----------------------------------------------------------------------------------- sentences

export function nudgeSentence(plan: NudgePlan, position: number): string {
  const { leaf, nudge, end } = plan;
  if (position === 0) {
    const larger = `${formatNumber(nudge.h)} larger`;
    return `Before the nudge. ${leaf.name} is ${formatNumber(leaf.value)}, and will be ${larger}.`;
  }
  return `Step ${position} of ${end}. ${nudgeHappens(plan, position)}`;
}

export function nudgeHappens(plan: NudgePlan, position: number): string {
  const step = plan.steps[position - 1];
  if (!step) return comparison(plan);
  const both = fromTo(step);
  const rate = speed(plan, step);
  const name = title(step.node);
  if (step.node.id === plan.leaf.id) return `${name} is nudged from ${both?.[0]} to ${both?.[1]}.`;
  if (!both || rate === null) return `${name} changes: Δ ${changeText(step)}.`;
  if (rate === 0) return `${name} stays ${both[0]}: Δ 0.`;
  const times = `Δ / h = ${formatNumber(rate)}`;
  return `${name} goes from ${both[0]} to ${both[1]}: Δ ${changeText(step)}, and ${times}.`;
}

function comparison(plan: NudgePlan): string {
  const { leaf, nudge, gradient, loss } = plan;
  if (nudge.problem !== "" || nudge.loss === null) return verdict(plan);
  const change = asNumber(nudge.loss);
  const quotient = `divided by h = ${formatNumber(nudge.h)} that is ${formatNumber(change / nudge.h)}`;
  const grad = gradient === null ? "not known" : formatNumber(gradient);
  return `${loss} changed by ${signed(change)}; ${quotient}. The gradient that came back to ${leaf.name} is ${grad}.`;
}
