/**
 * The words for one node: its title on the graph, its label for a screen reader, its
 * tooltip. Everything here is a plain string; only `textContent` ever receives it.
 */

import type { NodeData } from "./tape.ts";
import { short } from "./numbers.ts";

const SUPERSCRIPT = "⁰¹²³⁴⁵⁶⁷⁸⁹";

/** A formula as mathematics writes it: "c * d" becomes "c · d", "x ** 2" becomes "x²", "2e-05" is 2e-5. */
export function pretty(formula: string): string {
  return formula
    .replace(/\s*\*\*\s*(\d)(?![\d.])/g, (_, digit: string) => SUPERSCRIPT[Number(digit)] ?? "")
    .replace(/\s*\*\*\s*/g, "^")
    .replace(/\s*\*\s*/g, " · ")
    .replace(/(\de)\+?(-?)0?(?=\d)/g, "$1$2");
}

/** Cut a text that has no room; the whole of it stands in the tooltip and the details. */
export function fit(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, Math.max(0, length - 1))}…`;
}

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

/** The parts that say something, as one text. */
export const joined = (parts: readonly string[], between = ", "): string => parts.filter((part) => part !== "").join(between);

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
  return joined([title(node), `value ${short(node.value, 60)}`, STATES[node.state], origin(node), node.source.trim()], "\n");
}

/** "a", "a and b", "a, b and 5 more"; "y (3×)" for a word that comes three times in a row. */
export function list(all: readonly string[], most = 6): string {
  const runs: { word: string; times: number }[] = [];
  for (const word of all) {
    const last = runs.at(-1);
    if (last?.word === word) last.times += 1;
    else runs.push({ word, times: 1 });
  }
  const words = runs.map(({ word, times }) => (times === 1 ? word : `${word} (${times}×)`));
  if (words.length > most) {
    return `${words.slice(0, most - 1).join(", ")} and ${words.length - most + 1} more`;
  }
  if (words.length < 2) return words.join("");
  return `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}

/** "1 operation", "2 operations". */
export function plural(count: number, word: string, many = `${word}s`): string {
  return `${count} ${count === 1 ? word : many}`;
}
