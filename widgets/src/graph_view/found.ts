/** Which nodes are meant by what somebody typed: by name, operation, formula, shape or module. */

import { marksOf } from "../data/marks.ts";
import { title } from "../data/node_words.ts";
import type { NodeData } from "../data/tape.ts";

/** "2x3", "2×3", "[2, 3]" and "(2, 3)" are shapes, and so is "(3,)"; "3" alone is none. */
const SHAPE = /^[[(]?\d+(\s*[x×,]\s*\d+)*\s*,?[\])]?$/;

/** The shape that was typed, as "2×3"; "" if it is none. */
export function shapeIn(query: string): string {
  const isShape = SHAPE.test(query) && /[x×,[(]/.test(query);
  return isShape ? (query.match(/\d+/g) ?? []).join("×") : "";
}

// Looked through at each letter that is typed: worked out once for each record.
const texts = new WeakMap<NodeData, string>();

/** All that a node is known by, one to a line. */
function textOf(node: NodeData): string {
  let text = texts.get(node);
  if (text === undefined) {
    text = [...node.names, node.op, node.op.replaceAll("_", ""), node.scope, ...marksOf(node)].join("\n").toLowerCase();
    texts.set(node, text);
  }
  return text;
}

/** A formula without its gaps, as the program or as mathematics writes it: "a * b" and "a·b" are one. */
const bare = (formula: string): string => formula.replaceAll("·", "*").replaceAll(/\s+/g, "").toLowerCase();

/** "a + b", "tanh(h" and "y =" are parts of formulas; a name alone is none. */
const FORMULA = /[-+*·/@=(]/;

/**
 * The ids of the nodes in which every word is found, in the order of the nodes. A shape is found
 * where it is the whole shape: "2×3" is not in "12×34". A formula is found where it is drawn.
 */
export function foundIn(nodes: Iterable<NodeData>, query: string): string[] {
  const asked = query.trim().toLowerCase();
  if (asked === "") return [];
  const shape = shapeIn(asked);
  const words = asked.split(/\s+/).map((word) => word.replace(/(.)backward0?$/, "$1"));
  const isFound = (node: NodeData): boolean => {
    if (shape !== "") return node.value.shape.join("×") === shape;
    if (FORMULA.test(asked) && bare(title(node)).includes(bare(asked))) return true;
    return words.every((word) => textOf(node).includes(word));
  };
  return [...nodes].filter(isFound).map((node) => node.id);
}

/** "3 of 12: y = x · w"; before the first step, how many there are. */
export function foundText(query: string, count: number, at: number, what: string): string {
  if (query.trim() === "") return "";
  if (count === 0) return "Nothing found.";
  if (at < 0) return count === 1 ? "1 found. Enter leads to it." : `${count} found. Enter leads to the first.`;
  return `${at + 1} of ${count}: ${what}`;
}
