/**
 * The stepper's arithmetic: at which position which node has received what, which edge
 * has carried it, and which gradients are sums. Position 0 is before the pass; position
 * n is after the first n steps. All of it is computed once, so that a step only has to
 * look up the few things that it changes.
 */

import { asNumber, matches } from "../data/numbers.ts";
import type { Engine, Joining, NodeData, Schedule, Step, Value } from "../data/tape.ts";
import { edgeKey } from "../drawing/lanes.ts";

export interface Plan {
  steps: Step[];
  nodes: Map<string, NodeData>;
  received: Map<string, Receipt[]>; // per node, in the order of arrival
  visitAt: Map<string, number>;
  landAt: Map<string, number>;
  carried: Map<string, Receipt[]>; // per edge; once, in a right pass
  touched: { nodes: string[]; edges: string[] }[]; // per step
  sums: Map<string, number>; // node whose gradient is a sum → the first step that uses it
  engine: Engine | null; // which other engine this is; null: the right one
  joins: Joining; // how this engine speaks of several arrivals
  isRehearsal: boolean; // nothing lands in a .grad
  truth: Map<string, Landing>; // the right engine's landings, if this is a wrong one
}

export type Landing = Extract<Step, { kind: "land" }>;

export interface Receipt {
  at: number; // the position from which on it is there
  grad: Value; // at a node, the sum so far; on an edge, what it carried
}

/** The right engine adds. */
const ADDING: Joining = { between: "+", kept: "", leaves: "makes" };

export function makePlan(schedule: Schedule, engine: Engine | null = null): Plan {
  const plan: Plan = {
    steps: engine?.steps ?? schedule.steps,
    nodes: new Map(schedule.nodes.map((node) => [node.id, node])),
    received: new Map(),
    visitAt: new Map(),
    landAt: new Map(),
    carried: new Map(),
    touched: [],
    sums: new Map(),
    engine,
    joins: engine?.joins ?? ADDING,
    isRehearsal: schedule.mode === "rehearsed",
    truth: new Map(),
  };
  if (engine) {
    for (const step of schedule.steps) {
      if (step.kind === "land") plan.truth.set(step.node, step);
    }
  }
  plan.steps.forEach((step, index) => addStep(plan, step, index + 1));
  return plan;
}

function addStep(plan: Plan, step: Step, at: number): void {
  const touched = { nodes: [step.node], edges: [] as string[] };
  plan.touched.push(touched);
  if (step.kind === "start") {
    receive(plan.received, step.node, at, step.grad);
    return;
  }
  if (step.arrivals.length > 1 && !plan.sums.has(step.node)) plan.sums.set(step.node, at);
  if (step.kind === "land") {
    plan.landAt.set(step.node, at);
    return;
  }
  if (!plan.visitAt.has(step.node)) plan.visitAt.set(step.node, at);
  const used = new Set<string>();
  for (const out of step.outgoing) {
    receive(plan.received, out.to, at, out.sum);
    touched.nodes.push(out.to);
    const key = findEdge(plan.nodes.get(step.node), out.to, out.arg, used);
    if (key === null) continue;
    used.add(key);
    receive(plan.carried, key, at, out.grad);
    touched.edges.push(key);
  }
}

function receive(receipts: Map<string, Receipt[]>, id: string, at: number, grad: Value): void {
  receipts.set(id, [...(receipts.get(id) ?? []), { at, grad }]);
}

/** The drawn edge for one outgoing gradient; x * x has two edges to the same input. */
function findEdge(node: NodeData | undefined, to: string, arg: string, used: Set<string>): string | null {
  if (!node) return null;
  const candidates = node.inputs
    .map((input, operand) => ({ input, key: edgeKey(node.id, operand) }))
    .filter(({ input, key }) => input.id === to && !used.has(key));
  const exact = candidates.find(({ input }) => input.arg === arg);
  return (exact ?? candidates[0])?.key ?? null;
}

export interface NodeMark {
  grad: Value | null; // what has arrived, summed; null: nothing yet
  arrivals: number;
  visited: boolean;
  landed: boolean;
  current: boolean;
}

export function nodeMark(plan: Plan, id: string, position: number): NodeMark {
  const here = (plan.received.get(id) ?? []).filter((receipt) => receipt.at <= position);
  const landAt = plan.landAt.get(id) ?? Infinity;
  // What a learner's engine returns need not be the sum of what has arrived.
  const returned = plan.engine?.own && landAt <= position ? plan.steps[landAt - 1]?.grad : null;
  return {
    grad: returned ?? here.at(-1)?.grad ?? null,
    arrivals: here.length,
    visited: (plan.visitAt.get(id) ?? Infinity) <= position,
    landed: landAt <= position,
    current: plan.steps[position - 1]?.node === id,
  };
}

export interface EdgeMark {
  grad: Value;
  active: boolean; // used by the current step
}

export function edgeMark(plan: Plan, key: string, position: number): EdgeMark | null {
  const carried = plan.carried.get(key)?.findLast(({ at }) => at <= position);
  return carried ? { grad: carried.grad, active: carried.at === position } : null;
}

/** Everything whose look may differ between two positions. */
export function touchedBetween(plan: Plan, a: number, b: number): { nodes: Set<string>; edges: Set<string> } {
  // The step at the lower position loses its highlight, so it is included.
  const all = plan.touched.slice(Math.max(0, Math.min(a, b) - 1), Math.max(a, b));
  return { nodes: new Set(all.flatMap(({ nodes }) => nodes)), edges: new Set(all.flatMap(({ edges }) => edges)) };
}

/** Where in another engine's pass the same thing happens; else as far on, if it is that long. */
export function samePosition(from: Plan, to: Plan, position: number): number {
  if (position === from.steps.length) return to.steps.length;
  const step = from.steps[position - 1];
  const same = to.steps.findIndex((other) => other.kind === step?.kind && other.node === step?.node);
  return same >= 0 ? same + 1 : Math.min(position, to.steps.length);
}

/** What should have landed here, where this engine lands something else. */
export function rightLanding(plan: Plan, step: Step | undefined): Landing | null {
  const truth = step?.kind === "land" ? plan.truth.get(step.node) : undefined;
  if (!truth || !step) return null;
  return truth.grad.data.every((x, i) => matches(asNumber(step.grad.data[i] ?? NaN), x)) ? null : truth;
}

/** Which visit this is, counted from 1, for the heading "Visit ③". */
export function visitOrdinal(plan: Plan, position: number): number {
  return plan.steps.slice(0, position).filter((step) => step.kind === "visit").length;
}

/** The first visit (or landing) of one of these nodes after a position; the first of all, if there is none. */
export function nextVisit(plan: Plan, ids: readonly string[], position: number): number | undefined {
  const all = ids.map((id) => plan.visitAt.get(id) ?? plan.landAt.get(id) ?? Infinity).filter(Number.isFinite);
  all.sort((one, other) => one - other);
  return all.find((at) => at > position) ?? all[0];
}
