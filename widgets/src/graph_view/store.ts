/**
 * The one place that listens to a GraphView model. It is made when the model is, so that
 * messages which arrive before anything is displayed are not lost, and all views of the
 * model read from it.
 */

import { readCellEvent, readDelta, readRun, readSnapshot } from "../data/incoming.ts";
import type { RunData } from "../data/tape.ts";
import type { Model } from "../page/anywidget.ts";
import { EMPTY, NOTHING, withDelta, withSnapshot, type Change, type Result } from "./graph_state.ts";
import { lock, onCell, type Prediction } from "./next_cell.ts";

export type Listener = (change: Change) => void;

export class Store {
  state = EMPTY;
  prediction: Prediction = { phase: "open" };
  lastCell = "";
  run: RunData | null = null; // of `watch`: the call, its numbers and its result
  problem = ""; // why the data cannot be shown; "" while all is well
  readonly #listeners = new Set<Listener>();

  constructor(readonly model: Model) {
    this.#takeSnapshot();
    this.#takeRun();
    model.on("change:run", () => this.#takeRun());
    model.on("change:graph", () => this.#takeSnapshot());
    model.on("msg:custom", (message: unknown) => this.#take(message));
  }

  subscribe(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  lockIn(guess: number): void {
    this.prediction = lock(this.prediction, guess);
    this.#tell(NOTHING);
  }

  #takeSnapshot(): void {
    const read = readSnapshot(this.model.get("graph"));
    this.problem = read.ok ? "" : read.problem;
    if (read.ok) this.#apply(withSnapshot(this.state, read.data));
    else this.#tell(NOTHING);
  }

  #takeRun(): void {
    this.run = readRun(this.model.get("run"));
    this.#tell(NOTHING);
  }

  #take(message: unknown): void {
    const delta = readDelta(message);
    if (delta) {
      this.#apply(withDelta(this.state, delta));
      return;
    }
    const event = readCellEvent(message);
    if (!event) return;
    this.prediction = onCell(this.prediction, event);
    if (event.phase === "end") this.lastCell = event.cell;
    this.#tell(NOTHING);
  }

  #apply({ state, change }: Result): void {
    // Old nodes are touched when they are freed or renamed; only a new one names its cell.
    const added = change.touched.filter((id) => !this.state.nodes.has(id));
    this.state = state;
    const newest = added.map((id) => state.nodes.get(id)).findLast((node) => node?.kind === "op");
    if (newest && newest.cell !== "") this.lastCell = newest.cell;
    if (change.resync) this.model.send({ type: "resync" });
    this.#tell(change);
  }

  #tell(change: Change): void {
    for (const listener of this.#listeners) listener(change);
  }
}
