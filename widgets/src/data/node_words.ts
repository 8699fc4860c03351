/**
 * The words for one node: its title on the graph, its label for a screen reader, its
 * tooltip. Everything here is a plain string; only `textContent` ever receives it.
 */

import { short } from "./numbers.ts";
import type { NodeData } from "./tape.ts";
import { joined } from "./text.ts";

/** The best short handle for a node: its variable, or else its formula. */
export function handle(node: NodeData): string {
  return node.names[0] ?? (node.formula || node.op || "unnamed");
}

/** "e = c * d"; a leaf is its name alone. */
export function title(node: NodeData): string {
  const name = node.names[0];
  if (node.kind === "leaf" || node.kind === "data") return name ?? "unnamed";
  if (node.kind === "sign") return node.formula;
  return name === undefined ? handle(node) : `${name} = ${node.formula || node.op}`;
}

/** "In [3], line 2", or "" when nobody knows. */
export function origin(node: NodeData): string {
  const place = node.cell || node.file;
  if (place === "") return "";
  return node.line === null ? place : `${place}, line ${node.line}`;
}

export const KINDS: Record<NodeData["kind"], string> = {
  op: "operation",
  sign: "operation",
  leaf: "leaf, requires a gradient",
  data: "data, no gradient",
  value: "value",
  box: "",
};
export const STATES = {
  alive: "",
  spent: "spent: backward has taken its saved values",
  gone: "freed",
} as const;

/** What a screen reader says for the node. */
export function label(node: NodeData): string {
  const made = origin(node);
  if (node.kind === "box") return `${node.formula}, ${node.numbers}`;
  return joined([
    `${title(node)}, ${KINDS[node.kind]}, value ${short(node.value)}`,
    made && `made in ${made}`,
    STATES[node.state],
  ]);
}

/** What hovering shows: the same, with the source line. */
export function tooltip(node: NodeData): string {
  if (node.kind === "box") return `${node.formula}\n${node.numbers}`;
  return joined(
    [title(node), `value ${short(node.value, 60)}`, STATES[node.state], origin(node), node.source.trim()],
    "\n",
  );
}
