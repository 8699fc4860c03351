/** GraphView in a sentence: what the latest cell added and how much there is, or why there is nothing. */

import { handle } from "../data/node_words.ts";
import type { NodeData } from "../data/tape.ts";
import { list, plural } from "../data/text.ts";
import { operations, type GraphState } from "./graph_state.ts";

/** What stands where the graph would be. */
export function emptyText(state: GraphState, called: boolean): string {
  if (called) return "This call recorded no operation: it has no graph.";
  return state.ended === true
    ? "Nothing was recorded in the block: no operation there had an operand that requires a gradient."
    : "Watching. Run a cell that computes with tensors that require gradients: its operations appear here.";
}

/** "In [3] added 1 operation: e. 3 operations in all, 3 alive." */
export function statusText(state: GraphState, lastCell: string): string {
  const ops = operations(state);
  const ended = state.ended === true;
  if (ops.length === 0) return ended ? "The block has ended. It recorded no operation." : "No operations yet.";
  const made = ops.filter((node) => lastCell !== "" && node.cell === lastCell);
  const alive = ops.filter((node) => node.state !== "gone").length;
  const total = ops.length + state.omitted;
  if (ended) {
    return `The block has ended. It recorded ${plural(total, "operation")}: ${list(ops.map(handle))}. ${alive} alive.`;
  }
  return `${addedText(lastCell, made)}${plural(total, "operation")} in all, ${alive} alive.`;
}

function addedText(cell: string, made: readonly NodeData[]): string {
  if (cell === "") return "";
  if (made.length === 0) return `${cell} added no operation. `;
  return `${cell} added ${plural(made.length, "operation")}: ${list(made.map(handle))}. `;
}
