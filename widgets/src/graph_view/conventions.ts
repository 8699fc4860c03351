/**
 * Three ways to draw the same graph. Books and programs mean different things by "node":
 * the operation, its value, or both. So the reader chooses, and the legend says which.
 */

import { isOfProgram } from "../data/node_words.ts";
import type { Input, NodeData } from "../data/tape.ts";
import { joined, plural } from "../data/text.ts";
import type { Arrows } from "./arrows.ts";

export type Convention = "operations" | "values" | "both";

export const CONVENTIONS: Record<Convention, string> = {
  operations: "operations",
  values: "values",
  both: "both",
};

export const NODE_WORDS: Record<Convention, string> = {
  operations: "an operation that was recorded",
  values: "a value: a tensor with its numbers",
  both: "an operation or a value",
};

/** The node that stands for an operation's value where operations are nodes too. */
const valueOf = (id: string): string => (id.startsWith("n") ? `${id}=` : id);

/** The record behind a node of the picture. */
export const recordOf = (id: string): string => id.replace(/=$/, "");

/** The nodes of the picture that one record of the tape (or one box) becomes. */
export function drawnAs(node: NodeData, convention: Convention): NodeData[] {
  if (convention === "operations") return [node];
  if (convention === "values") return [node.kind === "op" ? { ...node, kind: "value" } : node];
  const asValues = (all: Input[]): Input[] =>
    all.map((input) => ({ ...input, id: input.id === null ? null : valueOf(input.id) }));
  const inputs = asValues(node.inputs);
  if (node.kind !== "op") return [{ ...node, id: valueOf(node.id), inputs, cut: node.cut && asValues(node.cut) }];
  const out = { id: node.id, arg: "", text: node.op };
  return [
    { ...node, kind: "sign", inputs, marks: undefined },
    { ...node, kind: "value", id: valueOf(node.id), inputs: [out], state: node.state === "gone" ? "gone" : "alive" },
  ];
}

/**
 * How many there are, in this way of counting: "5 named values", "8 nodes: 3 operations and 5 values".
 * Only where the arrows are PyTorch's list of edges does it tell of the nodes behind the leaves.
 */
export function countText(nodes: readonly NodeData[], convention: Convention, arrows: Arrows): string {
  const operations = nodes.filter((node) => node.kind === "op").length;
  const leaves = nodes.filter((node) => node.kind === "leaf").length;
  if (convention === "operations") {
    if (nodes.some(isOfProgram)) return plural(operations, "line");
    const each = leaves === 1 ? "drawn as the leaf" : "one for each leaf, drawn as the leaves";
    const behind = leaves > 0 && arrows === "next_functions" ? `and ${leaves} AccumulateGrad, ${each}` : "";
    return joined([plural(operations, "operation"), behind]);
  }
  if (convention === "both") {
    const parts = `${plural(operations, "operation")} and ${plural(nodes.length, "value")}`;
    return `${plural(nodes.length + operations, "node")}: ${parts}; numbers such as 1 are not counted`;
  }
  const named = nodes.filter((node) => node.names.length > 0).length;
  return named === nodes.length ? plural(named, "named value") : `${plural(nodes.length, "value")}, ${named} named`;
}
