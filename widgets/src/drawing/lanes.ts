/**
 * In which column and lane each node stands, by "leaf docking".
 *
 * The graph flows left to right. A tape emits operations in topological order, so the
 * column of an operation (one more than the furthest of its inputs) is final when it
 * appears: it takes that column for ever, and the first free lane near its inputs. A
 * leaf waits in column 0 until something first uses it, and then docks once, in the
 * column before that operation and beside it. Nothing else ever moves, so a picture that
 * a learner has understood stays understood while it grows.
 *
 * Lanes come in halves, so that an operation can sit between two inputs. A box needs a
 * whole lane; an edge that crosses columns runs through half a lane that no box occupies,
 * and later boxes keep out of it. All edges of one source share one trunk.
 */

import { edgesInto } from "../data/marks.ts";
import type { NodeData } from "../data/tape.ts";

export interface Place {
  column: number;
  lane: number; // a multiple of one half; may be negative
}

/** From this column on, the edge runs in this lane. */
export interface Bend {
  column: number;
  lane: number;
}

export interface Route {
  key: string; // edgeKey(consumer, operand)
  from: string;
  to: string;
  operand: number; // which operand of the consumer it is
  bends: Bend[]; // empty when the two ends stand in neighbouring columns
}

/** What one `add` did: the new node, perhaps leaves that docked, and the new edges. */
export interface Added {
  moved: string[];
  routes: Route[];
}

type Rest = Partial<Pick<NodeData, "file" | "spot" | "op" | "cut">>;
export type LanesNode = Pick<NodeData, "id" | "kind" | "inputs"> & Rest;

export const edgeKey = (consumer: string, operand: number): string => `${consumer}|${operand}`;

const BOX = "#box";

/** A column and a half-lane as one number. */
const spot = (column: number, half: number): number => column * 1e6 + half;

export class Lanes {
  readonly places = new Map<string, Place>();
  readonly #waiting = new Set<string>();
  readonly #data = new Set<string>(); // the nodes that need no gradient
  readonly #trunks = new Map<string, { bends: Bend[]; end: number }>();
  // What stands where (see `spot`): BOX or the id of the edge's source.
  readonly #taken = new Map<number, string>();
  // A lower bound for the next search from the same spot; columns only fill up.
  readonly #searched = new Map<string, number>();
  // The latest lane of each instruction in a column: what it makes next stands below.
  readonly #rows = new Map<string, number>();
  #firstWaiting = 0;

  add(node: LanesNode): Added {
    const inputs = edgesInto({ cut: undefined, ...node })
      .map((input, operand) => ({ id: input.id, operand }))
      .filter((input): input is { id: string; operand: number } => input.id !== null && this.places.has(input.id));
    const isLeaf = ["leaf", "data", "given", "earlier"].includes(node.kind);
    if (isLeaf && inputs.length === 0) {
      if (node.kind === "data") this.#data.add(node.id);
      this.#wait(node.id);
      return { moved: [], routes: [] };
    }
    const ids = [...new Set(inputs.map((input) => input.id))];
    const fresh = ids.filter((id) => this.#waiting.has(id));
    const placed = ids.filter((id) => !this.#waiting.has(id));

    const moved: string[] = [];
    const column = Math.max(1, ...placed.map((id) => this.#at(id).column + 1));
    if (placed.length === 0) moved.push(...this.#gather(fresh));
    const near = this.#meanLane(placed.length === 0 ? this.#flow(fresh) : placed, column);
    const row = node.spot ? `${column}|${node.file}|${node.spot}|${node.op}` : "";
    const above = row === "" ? undefined : this.#rows.get(row);
    const lane = above === undefined ? this.#boxNear(column, near) : this.#boxBelow(column, Math.max(near, above));
    this.#rows.set(row, lane);
    this.places.set(node.id, { column, lane });
    this.#put(column, lane, BOX);
    if (placed.length > 0) moved.push(...this.#dock(fresh, column - 1, lane));

    const routes = inputs.map(({ id, operand }) => ({
      key: edgeKey(node.id, operand),
      from: id,
      to: node.id,
      operand,
      bends: this.#trunk(id, column),
    }));
    return { moved, routes };
  }

  #wait(id: string): void {
    let half = this.#firstWaiting;
    while (!this.#boxFree(0, half)) half += 1;
    if (half % 2 !== 0 && this.#boxFree(0, half + 1)) half += 1;
    this.#firstWaiting = half;
    this.places.set(id, { column: 0, lane: half / 2 });
    this.#put(0, half / 2, BOX);
    this.#waiting.add(id);
  }

  /** Inputs that all waited draw together around the topmost of them. */
  #gather(fresh: string[]): string[] {
    if (fresh.length === 0) return [];
    const top = fresh.reduce((a, b) => (this.#at(b).lane < this.#at(a).lane ? b : a));
    this.#waiting.delete(top);
    return this.#dock(
      fresh.filter((id) => id !== top),
      0,
      this.#at(top).lane,
    );
  }

  #dock(leaves: string[], column: number, near: number): string[] {
    const moved: string[] = [];
    for (const id of leaves) {
      const old = this.#at(id);
      this.#waiting.delete(id);
      this.#release(old);
      // Its own spot counts as free: a leaf that already stands well does not move.
      const lane = this.#boxNear(column, near);
      this.places.set(id, { column, lane });
      this.#put(column, lane, BOX);
      if (old.column !== column || old.lane !== lane) moved.push(id);
    }
    return moved;
  }

  /** Where data meets parameters, the data is the main line and runs straight on. */
  #flow(fresh: string[]): string[] {
    const data = fresh.filter((id) => this.#data.has(id));
    return data.length > 0 ? data : fresh;
  }

  /** The mean lane of the inputs in the column just before: the flow runs straight on. */
  #meanLane(ids: string[], column: number): number {
    const near = ids.filter((id) => this.#at(id).column === column - 1);
    if (near.length === 0) return 0;
    return near.reduce((sum, id) => sum + this.#at(id).lane, 0) / near.length;
  }

  /** The bends of the edge from `id` to `column`; extends the source's trunk as needed. */
  #trunk(id: string, column: number): Bend[] {
    const start = this.#at(id);
    let trunk = this.#trunks.get(id);
    if (!trunk) {
      trunk = { bends: [], end: start.column };
      this.#trunks.set(id, trunk);
    }
    let lane = trunk.bends.at(-1)?.lane ?? start.lane;
    while (trunk.end < column - 1) {
      trunk.end += 1;
      const next = this.#edgeNear(trunk.end, lane, id);
      this.#put(trunk.end, next, id);
      if (next !== lane || trunk.bends.length === 0) trunk.bends.push({ column: trunk.end, lane: next });
      lane = next;
    }
    return trunk.bends.filter((bend) => bend.column < column);
  }

  #boxNear(column: number, lane: number): number {
    return this.#nearest(column, lane, BOX, (half) => this.#boxFree(column, half));
  }

  #boxBelow(column: number, lane: number): number {
    let half = Math.round(lane * 2);
    while (!this.#boxFree(column, half)) half += 1;
    return half / 2;
  }

  #edgeNear(column: number, lane: number, source: string): number {
    return this.#nearest(column, lane, source, (half) => {
      const owner = this.#taken.get(spot(column, half));
      return owner === undefined || owner === source;
    });
  }

  /** The nearest half-lane that is free; of two equally near, the lower one. */
  #nearest(column: number, lane: number, who: string, free: (half: number) => boolean): number {
    const wanted = Math.round(lane * 2);
    const search = `${column}|${wanted}|${who}`;
    for (let distance = this.#searched.get(search) ?? 0; ; distance += 1) {
      for (const half of [wanted + distance, wanted - distance]) {
        if (free(half)) {
          if (distance > 8) this.#searched.set(search, distance);
          return half / 2;
        }
      }
    }
  }

  #boxFree(column: number, half: number): boolean {
    const at = spot(column, half);
    return !this.#taken.has(at) && this.#taken.get(at - 1) !== BOX && this.#taken.get(at + 1) !== BOX;
  }

  #put(column: number, lane: number, owner: string): void {
    this.#taken.set(spot(column, lane * 2), owner);
  }

  #release(place: Place): void {
    this.#taken.delete(spot(place.column, place.lane * 2));
    this.#firstWaiting = Math.min(this.#firstWaiting, Math.max(0, place.lane * 2));
    this.#searched.clear();
  }

  #at(id: string): Place {
    const place = this.places.get(id);
    if (!place) throw new Error(`no place for node ${id}`);
    return place;
  }
}
