/**
 * Three ways to draw the same graph. Books and programs mean different things by "node":
 * the operation, its value, or both. So the reader chooses, and the legend says which.
 */

import type { NodeData } from "../data/tape.ts";
import { plural } from "../data/text.ts";

export type Convention = "operations" | "values" | "both";

export const CONVENTIONS: Record<Convention, { node: string; edge: string }> = {
  operations: { node: "an operation that was recorded", edge: "its result goes into the next one" },
  values: { node: "a value: a tensor with its numbers", edge: "was used to compute" },
  both: { node: "an operation or a value", edge: "goes into an operation, or comes out of it" },
};

/** The node that stands for an operation's value where operations are nodes too. */
const valueOf = (id: string): string => (id.startsWith("n") ? `${id}=` : id);

/** The record behind a node of the picture. */
export const recordOf = (id: string): string => id.replace(/=$/, "");

/** The nodes of the picture that one record of the tape (or one box) becomes. */
export function drawnAs(node: NodeData, convention: Convention): NodeData[] {
  if (convention === "operations") return [node];
  if (convention === "values") return [node.kind === "op" ? { ...node, kind: "value" } : node];
  const inputs = node.inputs.map((input) => ({ ...input, id: input.id === null ? null : valueOf(input.id) }));
  if (node.kind !== "op") return [{ ...node, inputs }];
  const out = { id: node.id, arg: "", text: node.op };
  return [
    { ...node, kind: "sign", inputs },
    { ...node, kind: "value", id: valueOf(node.id), inputs: [out], state: node.state === "gone" ? "gone" : "alive" },
  ];
}

/** "3 operations", "5 named values", "8 nodes": how many there are, in this way of counting. */
export function countText(nodes: readonly NodeData[], convention: Convention): string {
  const operations = nodes.filter((node) => node.kind === "op").length;
  if (convention === "operations") return plural(operations, "operation");
  if (convention === "both") return `${plural(nodes.length + operations, "node")}, numbers such as 1 not counted`;
  const named = nodes.filter((node) => node.names.length > 0).length;
  return named === nodes.length ? plural(named, "named value") : `${plural(nodes.length, "value")}, ${named} named`;
}
