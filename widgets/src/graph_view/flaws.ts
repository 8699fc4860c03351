/**
 * The first NaN or infinity of a graph, in the order in which its operations ran, and what is known
 * of the inputs that it came from. Nothing is called finite that nobody has looked at.
 */

import { handle, origin, title } from "../data/node_words.ts";
import { size } from "../data/numbers.ts";
import type { NodeData } from "../data/tape.ts";
import { joined, list, pretty } from "../data/text.ts";
import type { Nodes } from "../drawing/neighbours.ts";

export interface Flaws {
  ids: string[]; // of the first that is not finite; then of the first NaN, if that is another one
  unknown: boolean; // are there values before it that nobody kept?
}

const SETTLES = new Set(["softmax", "_softmax", "log_softmax", "_log_softmax"]); // of minus infinity they make 0

/**
 * The infinities that only tell a softmax what to leave out, as the mask of an attention does, and
 * of which it has made finite numbers: nothing is wrong there.
 */
function masks(nodes: readonly NodeData[]): Set<string> {
  const users = new Map<string, NodeData[]>();
  for (const node of nodes) {
    for (const { id } of node.inputs) users.set(id ?? "", [...(users.get(id ?? "") ?? []), node]);
  }
  const found = new Set<string>();
  for (const { id, value } of [...nodes].reverse()) {
    const all = users.get(id) ?? [];
    const isSettled = (user: NodeData): boolean => found.has(user.id) || (SETTLES.has(user.op) && !user.value.flaw);
    if (value.flaw === "inf" && all.length > 0 && all.every(isSettled)) found.add(id);
  }
  return found;
}

const isUnknown = ({ value }: NodeData): boolean => value.data.length === 0 && size(value) > 0;
const isNan = (flaw: string): boolean => flaw.startsWith("nan");

export function firstFlaws(given: Iterable<NodeData>): Flaws {
  const nodes = [...given];
  const meant = nodes.some(({ value }) => value.flaw) ? masks(nodes) : new Set<string>();
  let unknown = false;
  let before = false; // was there one that nobody kept before the first flaw?
  let first = "";
  let nan = "";
  let now = ""; // a leaf that is flawed now, and perhaps was not when it was used
  for (const { id, value, rewritten, ...node } of nodes) {
    unknown ||= isUnknown({ id, value, ...node });
    const flaw = value.flaw ?? "";
    if (flaw === "" || meant.has(id)) continue;
    if (rewritten) {
      now ||= id;
      continue;
    }
    if (first === "") before = unknown;
    first ||= id;
    if (isNan(flaw)) nan ||= id;
  }
  const ids = [...new Set([first || now, nan])].filter((id) => id !== "");
  return { ids, unknown: before };
}

const WORDS: Record<string, string> = { nan: "NaN", inf: "infinity", "nan and inf": "NaN and infinity" };

/** "NaN", "infinity" */
export const flawWord = ({ value }: NodeData): string => WORDS[value.flaw ?? ""] ?? "";

/** "first NaN": what stands at the node. */
export const flawTag = (node: NodeData): string => (node.rewritten ? "" : "first ") + flawWord(node);

/** "The first NaN is in y = log(x), made in In [3], line 2. x was finite." */
export function flawText(node: NodeData, nodes: Nodes, unknown: boolean, omitted: number): string {
  const name = pretty(title(node));
  if (node.rewritten) {
    return `${name} holds ${flawWord(node)} now. It was changed after it was first used, by nothing that is drawn.`;
  }
  const made = origin(node);
  const parts = [`The first ${flawWord(node)} is in ${name}${made && `, made in ${made}`}.`, cameFrom(node, nodes)];
  if (unknown) parts.push("Of some values before it nothing is known.");
  if (omitted > 0) parts.push("Operations before those that are drawn are not looked at.");
  return joined(parts, " ");
}

function cameFrom(node: NodeData, nodes: Nodes): string {
  if (node.kind === "earlier") return "The operation that made it is not drawn.";
  if (node.kind !== "op") return "It was there when it was first used: no recorded operation made it.";
  const finite: string[] = [];
  const changed: string[] = [];
  const unknown: string[] = [];
  const held: string[] = [];
  const texts = new Map(node.inputs.map(({ id, text }) => [id, text]));
  texts.delete(null); // a plain number is no node
  for (const [id, text] of texts) {
    const input = nodes.get(id ?? "");
    const name = pretty(text || (input ? handle(input) : "an input"));
    if (input === undefined || isUnknown(input)) unknown.push(name);
    else if (input.rewritten) changed.push(name);
    else if (input.value.flaw) held.push(`${name} held ${flawWord(input)}.`);
    else finite.push(name);
  }
  const were = (names: string[]): string => (names.length === 1 ? "was" : "were");
  return joined(
    [
      ...held,
      finite.length > 0 ? `${list(finite)} ${were(finite)} finite.` : "",
      changed.length > 0 ? `What ${list(changed)} held then is not known: there are other numbers now.` : "",
      unknown.length > 0 ? `Of ${list(unknown)} nothing is known.` : "",
    ],
    " ",
  );
}
