/**
 * The words for one node: its title on the graph, its label for a screen reader, its
 * tooltip. Everything here is a plain string; only `textContent` ever receives it.
 */

import { short } from "./numbers.ts";
import { marksOf } from "./marks.ts";
import type { NodeData } from "./tape.ts";
import { joined, list } from "./text.ts";

/** The best short handle for a node: its variable, or else its formula. */
export function handle(node: NodeData): string {
  return node.names[0] ?? (node.formula || node.op || "unnamed");
}

/** "e = c * d"; a leaf is its name alone. */
export function title(node: NodeData): string {
  const name = node.names[0];
  if (node.kind === "leaf" || node.kind === "data" || node.kind === "given") return handle(node);
  if (node.kind === "sign") return node.formula;
  if (node.kind === "earlier") return handle(node);
  return name === undefined ? handle(node) : `${name} = ${node.formula || node.op}`;
}

/** "also decoder.weight" of a weight with several paths, which is one tensor; "" of any other. */
export function also({ names }: NodeData): string {
  const paths = names.filter((name) => name.includes("."));
  return paths.length < 2 ? "" : `also ${list(paths.filter((path) => path !== names[0]))}`;
}

/** "In [3], line 2", or "" when nobody knows. */
export function origin(node: NodeData): string {
  const place = node.cell || node.file;
  if (place === "") return "";
  return node.line === null ? place : `${place}, line ${node.line}`;
}

const KINDS: Record<NodeData["kind"], string> = {
  op: "operation",
  sign: "operation",
  leaf: "leaf that requires a gradient",
  data: "leaf that requires no gradient (data)",
  given: "array that the program is given",
  earlier: "result of an operation that is not drawn: it came before",
  value: "value",
  failed: "operation that failed",
  box: "",
};

/** What it is. */
export const kindWords = (node: NodeData): string =>
  isOfProgram(node) && node.kind === "op" ? "line of the program" : KINDS[node.kind];

const STATES = {
  alive: "",
  spent: "spent: backward has taken its saved values",
  gone: "freed",
} as const;

/** Is it a line of a program, or what that is given? Then no graph holds its value. */
export const isOfProgram = (node: NodeData): boolean => node.until !== undefined;

/** What has become of its value; "" if there is nothing to say. */
export const stateWords = (node: NodeData): string => node.until ?? STATES[node.state];

/** "value 7"; of an operation that failed, the shapes that it was called with. */
const valueWords = (node: NodeData, limit: number): string =>
  node.kind === "failed" ? node.numbers : `value ${short(node.value, limit)}`;

/** What a screen reader says for the node. */
export function label(node: NodeData): string {
  const made = origin(node);
  if (node.kind === "box") return joined([node.formula, node.note ?? "", node.numbers]);
  return joined([
    joined([title(node), also(node), kindWords(node), valueWords(node, 24)]),
    made && `made in ${made}`,
    stateWords(node),
    joined(marksOf(node).map((word) => `marked “${word}”`)),
  ]);
}

/** What hovering shows: the same, with the source line. */
export function tooltip(node: NodeData): string {
  const marks = (node.marks ?? []).map((mark) => mark.text);
  if (node.kind === "box") return joined([node.formula, node.note ?? "", node.numbers, ...marks], "\n");
  const name = joined([title(node), also(node)]);
  const rest = [stateWords(node), origin(node), node.source.trim(), ...marks];
  return joined([name, valueWords(node, 60), ...rest], "\n");
}
