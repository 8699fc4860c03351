/** What a node comes from and what it goes into, in the picture or in the data. */

import { handle } from "../data/node_words.ts";
import { edgesInto } from "../data/marks.ts";
import type { NodeData } from "../data/tape.ts";
import { joined, list, pretty } from "../data/text.ts";

export type Nodes = ReadonlyMap<string, NodeData>;

/** The nodes that it was made from, each once. Those of a freed operation are still drawn, and so they count. */
export function sourcesOf(nodes: Nodes, id: string): NodeData[] {
  const node = nodes.get(id);
  if (node === undefined) return [];
  return [...new Set(edgesInto(node).map((input) => input.id ?? ""))].flatMap((source) => nodes.get(source) ?? []);
}

/** The nodes that use it. */
export const usersOf = (nodes: Nodes, id: string): NodeData[] =>
  [...nodes.values()].filter((node) => edgesInto(node).some((input) => input.id === id));

const names = (nodes: readonly NodeData[]): string => pretty(list(nodes.map(handle)));

/** "comes from a and b; goes into e" */
export function neighbourText(nodes: Nodes, id: string): string {
  const sources = names(sourcesOf(nodes, id));
  const users = names(usersOf(nodes, id));
  return joined([sources && `comes from ${sources}`, users && `goes into ${users}`], "; ");
}
