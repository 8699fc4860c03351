/** What stays when the numbers of a call change: the picture of the same graph, and the place in its pass. */

import type { NodeData, Schedule } from "../data/tape.ts";
import { plural } from "../data/text.ts";
import { samePosition, type Plan } from "./plan.ts";

/** Would both be drawn alike, and stepped through alike? */
export function isSameGraph(one: Schedule, other: Schedule): boolean {
  return one.mode === other.mode && outline(one) === outline(other);
}

/** All but names and numbers. */
function outline({ nodes, steps }: Schedule): string {
  const drawn = nodes.map(({ id, kind, op, inputs }) => [id, kind, op, inputs.map((input) => input.id)]);
  return JSON.stringify([drawn, steps.map(({ kind, node }) => [kind, node])]);
}

/** Where to stand in the pass of another graph: at its beginning or end, or at the same node. */
export function nearest(from: Plan, to: Plan, position: number): number {
  return position === 0 ? 0 : samePosition(from, to, position);
}

const operations = (nodes: readonly NodeData[]): number => nodes.filter(({ kind }) => kind === "op").length;

/** Says that the program has taken another path. */
export function anotherGraph(before: Schedule, now: Schedule): string {
  const counts = [operations(now.nodes), operations(before.nodes)] as const;
  const many = plural(counts[0], "operation");
  const than = counts[0] === counts[1] ? `${many}, as before, but others` : `${many} now, ${counts[1]} before`;
  return `With these numbers the program takes another path, so this is another graph: ${than}.`;
}
