/**
 * Which way the arrows lead. With the data: from what is used to the node that uses it. Or as
 * PyTorch's `next_functions`: from each node to those that a gradient is sent to.
 */

import { handle } from "../data/node_words.ts";
import type { NodeData } from "../data/tape.ts";
import { joined, pretty } from "../data/text.ts";
import type { Nodes } from "../drawing/neighbours.ts";

export type Arrows = "data" | "next_functions";

export const ARROWS: Record<Arrows, string> = { data: "with the data", next_functions: "as next_functions" };

export const ARROW_WORDS: Record<Arrows, string> = {
  data: "lead from what is used to the node that uses it; a gradient walks them backwards",
  next_functions: "lead to where a gradient is sent. This is PyTorch's convention: next_functions of a node lists them",
};

export const readArrows = (x: unknown): Arrows => (x === "next_functions" ? x : "data");

/** One entry of the list of edges that PyTorch keeps at a node. */
function nextFunction(nodes: Nodes, input: NodeData["inputs"][number]): string {
  const node = nodes.get(input.id ?? "");
  if (node === undefined || node.kind === "data") return `None for ${input.text}`;
  return node.kind === "leaf" ? `AccumulateGrad of ${handle(node)}` : `the node of ${handle(node)}`;
}

/** What stands in an operation's `next_functions`, in words. */
export const nextFunctions = (nodes: Nodes, { inputs }: NodeData): string =>
  pretty(joined(inputs.map((input) => nextFunction(nodes, input))));
