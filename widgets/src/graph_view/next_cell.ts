/**
 * "How many operations will the next cell add?" The answer is locked in before the cell
 * runs and judged when it has ended. To ignore the question costs nothing.
 */

import { operations, type GraphState } from "./graph_state.ts";
import type { CellEvent } from "../data/tape.ts";
import { handle, list, plural } from "../data/text.ts";

export type Prediction =
  | { phase: "open" }
  | { phase: "locked"; guess: number }
  | { phase: "running"; guess: number; cell: string }
  | { phase: "revealed"; guess: number; cell: string; made: number };

/** Can a new answer be given now? A locked one cannot be changed. */
export const canLock = (prediction: Prediction): boolean =>
  prediction.phase === "open" || prediction.phase === "revealed";

export function lock(prediction: Prediction, guess: number): Prediction {
  return canLock(prediction) ? { phase: "locked", guess } : prediction;
}

export function onCell(prediction: Prediction, event: CellEvent): Prediction {
  if (event.phase === "begin" && prediction.phase === "locked") {
    return { phase: "running", guess: prediction.guess, cell: event.cell };
  }
  // An end without a begin belongs to a cell that ran before the answer was locked in.
  if (event.phase === "end" && prediction.phase === "running" && event.cell === prediction.cell) {
    return { phase: "revealed", guess: prediction.guess, cell: event.cell, made: event.made };
  }
  return prediction;
}

/** The whole number that was typed, or null. */
export function readGuess(text: string): number | null {
  return /^\s*\d{1,6}\s*$/.test(text) ? Number(text) : null;
}

/** What the prediction line says. The names are looked up late: variables bind at the end. */
export function predictionText(prediction: Prediction, state: GraphState): string {
  switch (prediction.phase) {
    case "open":
      return "";
    case "locked":
      return `Locked in: ${prediction.guess}. Run the next cell.`;
    case "running":
      return `Locked in: ${prediction.guess}. ${prediction.cell || "The cell"} is running.`;
    case "revealed": {
      const { guess, made, cell } = prediction;
      const names = operations(state)
        .filter((node) => cell !== "" && node.cell === cell)
        .map(handle);
      const shown = guess === made || names.length === 0 ? "." : `: ${list(names)}.`;
      return `You said ${guess}, it added ${made}${shown}${guess === made ? " Right." : ""}`;
    }
  }
}

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
  if (ended) return `The block has ended. It recorded ${plural(total, "operation")}: ${list(ops.map(handle))}. ${alive} alive.`;
  const first =
    lastCell === ""
      ? ""
      : made.length === 0
        ? `${lastCell} added no operation. `
        : `${lastCell} added ${plural(made.length, "operation")}: ${list(made.map(handle))}. `;
  return `${first}${plural(total, "operation")} in all, ${alive} alive.`;
}
