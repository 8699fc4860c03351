/**
 * "How many operations will the next cell add?" The answer is locked in before the cell
 * runs and judged when it has ended. To ignore the question costs nothing.
 */

import { handle } from "../data/node_words.ts";
import type { CellEvent } from "../data/tape.ts";
import { list } from "../data/text.ts";
import { operations, type GraphState } from "./graph_state.ts";

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
