/** The marks of nodes: what was cut from the graph, what shares memory, and what failed. */

import type { Input, NodeData, NodeMark } from "./tape.ts";
import { plural } from "./text.ts";

type Kind = NodeMark["kind"];

/** The word that stands at the node. */
export const MARK_WORDS: Record<Kind, string> = { failed: "failed", cut: "cut", read: "read", memory: "shared" };

export const MARK_KINDS = Object.keys(MARK_WORDS) as Kind[];

/** All edges into a node: of its inputs, and from where its value was cut. */
export const edgesInto = ({ inputs, cut }: Pick<NodeData, "inputs" | "cut">): Input[] =>
  cut ? [...inputs, ...cut] : inputs;

/** What is said of a node under this mark. */
export const markTexts = ({ marks }: NodeData, kind: Kind): string[] =>
  (marks ?? []).flatMap((mark) => (mark.kind === kind ? [mark.text] : []));

/** The words of the marks that a node carries: "cut", "shared". */
export const marksOf = (node: NodeData): string[] =>
  MARK_KINDS.filter((kind) => markTexts(node, kind).length > 0).map((kind) => MARK_WORDS[kind]);

/** The marks of a box: how many of its nodes carry which. */
export function marksWithin(members: readonly NodeData[]): NodeMark[] {
  return MARK_KINDS.flatMap((kind) => {
    const count = members.filter((node) => markTexts(node, kind).length > 0).length;
    const text = `${plural(count, "node")} in it with the mark “${MARK_WORDS[kind]}”`;
    return count === 0 ? [] : [{ kind, text }];
  });
}
