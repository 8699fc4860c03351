/** GraphView in a sentence: what the latest cell added and how much there is, or why there is nothing. */

import { handle, isOfProgram } from "../data/node_words.ts";
import type { NodeData, RunData } from "../data/tape.ts";
import { joined, list, plural, pretty } from "../data/text.ts";
import { opensFolded } from "../drawing/boxes.ts";
import { operations, type GraphState } from "./graph_state.ts";

const LONGEST = 24; // characters of a node's formula in a list

/** What the keys do. */
export const KEYS =
  "In the picture: → goes on to what was made from the node, ← back to what it was made from. Where there are " +
  "several paths, ↓ and ↑ take the next one; else they go to the node below or above. " +
  "Enter opens the details, or a box. + opens a box, too, and − closes the box that the node is in. " +
  "/ opens the search; there, Enter leads to the next node that was found, Shift + Enter to the one before, " +
  "and Escape leads back into the picture. n leads to the first NaN or infinity, if there is one.";

/** What stands where the graph would be. */
export function emptyText(state: GraphState, called: boolean): string {
  if (state.nodes.size > 0) return "Nothing of this graph is alive.";
  if (called) return "This call recorded no operation: it has no graph.";
  if (state.ended === true && state.omitted > 0) return "The graph that was recorded is gone: nothing holds it.";
  if (state.ended !== true && state.unheard) return state.unheard;
  return state.ended === true
    ? "Nothing was recorded in the block: no operation there had an operand that requires a gradient."
    : "Watching. Run a cell that computes with tensors that require gradients: its operations appear here.";
}

/** A node in a list of several: a formula that would fill the line gives way to its operation. */
const inShort = (node: NodeData): string => (handle(node).length > LONGEST ? node.op : handle(node));

/** "f(a = 2, b = 6) = 56. 3 operations." */
export function runText({ name, knobs, problem, result }: RunData, state: GraphState): string {
  const count = plural(operations(state).length, "operation");
  const called = knobs.map((knob) => `${knob.name} = ${knob.value}`).join(", ");
  const outcome = problem === "" ? `= ${result}. ${count}.` : `was stopped by an error after ${count}.`;
  return `${name}(${called}) ${outcome}`;
}

/** "In [3] added 1 operation: e. 3 operations in all, 3 alive. a @ b failed." */
export const statusText = (state: GraphState, lastCell: string): string =>
  joined([countedText(state, lastCell), ...[...state.nodes.values()].map(failedText)], " ");

const failedText = (node: NodeData): string => (node.kind === "failed" ? `${pretty(inShort(node))} failed.` : "");

function countedText(state: GraphState, lastCell: string): string {
  const ops = operations(state);
  const alive = ops.filter((node) => node.state !== "gone").length;
  const ended = state.ended === true;
  const total = ops.length + state.omitted;
  if (state.behind) return behindText(state.behind, ops, total, alive);
  if (ops.length === 0 && ended && total > 0) {
    return `The block has ended. It recorded ${plural(total, "operation")}, of which none is alive.`;
  }
  if (ops.length === 0) return ended ? "The block has ended. It recorded no operation." : "No operations yet.";
  const made = ops.filter((node) => lastCell !== "" && node.cell === lastCell);
  const { latest } = state;
  const count = latest.cell === lastCell ? latest.made : made.length; // not all of them may be drawn
  if (ended) {
    return `The block has ended. It recorded ${plural(total, "operation")}: ${list(ops.map(inShort))}. ${alive} alive.`;
  }
  return `${addedText(lastCell, made, count)}${plural(total, "operation")} in all, ${alive} alive.`;
}

/** "2 operations led to y: n and y. 2 alive." */
function behindText(name: string, ops: readonly NodeData[], total: number, alive: number): string {
  if (ops.length === 0) return `${name} is a leaf: no recorded operation led to it.`;
  if (ops.every(isOfProgram)) return `The program of ${name} has ${plural(total, "line")}.`;
  return `${plural(total, "operation")} led to ${name}: ${list(ops.map(inShort))}. ${alive} alive.`;
}

function addedText(cell: string, made: readonly NodeData[], count: number): string {
  if (cell === "") return "";
  if (count === 0) return `${cell} added no operation. `;
  return `${cell} added ${plural(count, "operation")}: ${list(made.map(inShort))}. `;
}

/** What is not drawn, and that folding helps. `shown`: the nodes of the picture. */
export function noteText(state: GraphState, shown: readonly string[], folded: boolean): string {
  const drawn = shown.filter((id) => state.nodes.get(id)?.kind === "op").length;
  const missing = (folded ? 0 : operations(state).length - drawn) + state.omitted;
  const parts = [
    missing > 0 ? `${plural(missing, "more operation is", "more operations are")} not drawn.` : "",
    !folded && opensFolded(state) ? "“Fold” puts the operations of each line or loop into a box." : "",
  ];
  return joined(parts, " ");
}
