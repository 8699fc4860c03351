/**
 * What GraphView knows, as a pure function of what the kernel sent. A snapshot is the
 * whole truth; a delta adds to it, if it is the next one. When a number is missing, a
 * message was lost on the way: the page asks once for a new snapshot and waits for it.
 */

import { edgesInto } from "../data/marks.ts";
import type { Delta, Group, NodeData, Snapshot } from "../data/tape.ts";

export interface GraphState {
  nodes: ReadonlyMap<string, NodeData>; // in the order in which they were made
  number: number; // the last delta that is in here
  omitted: number;
  latest: NonNullable<Snapshot["latest"]>; // the cell that ended last, and what it has added
  groups: readonly Group[]; // how it folds
  ended?: boolean | undefined; // nothing more will come
  behind?: string | undefined; // the tensor that it led to, if nothing was watched
  unheard?: string | undefined; // what to write where nobody tells when a cell runs
  waiting: boolean; // a snapshot has been asked for
}

/** What a reader of the state has to do about a change. */
export interface Change {
  rebuilt: boolean; // nodes have gone or moved in the order: draw everything anew
  touched: string[]; // new nodes and nodes whose record changed
  resync: boolean; // ask the kernel for a snapshot
}

export const NOTHING: Change = { rebuilt: false, touched: [], resync: false };

export const EMPTY: GraphState = {
  nodes: new Map(),
  number: 0,
  omitted: 0,
  latest: { cell: "", made: 0 },
  groups: [],
  waiting: false,
};

export interface Result {
  state: GraphState;
  change: Change;
}

export function withSnapshot(old: GraphState, snapshot: Snapshot): Result {
  const nodes = new Map(snapshot.nodes.map((node) => [node.id, node]));
  const touched = snapshot.nodes.filter((node) => !same(old.nodes.get(node.id), node)).map((node) => node.id);
  return {
    state: {
      nodes,
      number: snapshot.number,
      omitted: snapshot.omitted,
      latest: snapshot.latest ?? old.latest,
      groups: snapshot.groups ?? [],
      ended: snapshot.ended,
      behind: snapshot.behind,
      unheard: snapshot.unheard,
      waiting: false,
    },
    change: { rebuilt: !continues(old.nodes, nodes), touched, resync: false },
  };
}

export function withDelta(old: GraphState, delta: Delta): Result {
  if (delta.number <= old.number) return { state: old, change: NOTHING };
  if (delta.number !== old.number + 1) {
    return { state: { ...old, waiting: true }, change: { ...NOTHING, resync: !old.waiting } };
  }
  const nodes = new Map(old.nodes);
  for (const node of delta.nodes) nodes.set(node.id, node);
  return {
    state: { ...old, nodes, number: delta.number },
    change: { ...NOTHING, touched: delta.nodes.map((node) => node.id) },
  };
}

/** Is every node we know still there, in the same order, with new ones only behind? */
function continues(old: ReadonlyMap<string, NodeData>, next: ReadonlyMap<string, NodeData>): boolean {
  const later = next.values();
  for (const node of old.values()) {
    const other = later.next().value;
    if (other?.id !== node.id || wiring(other) !== wiring(node)) return false;
  }
  return true;
}

/** What the picture's shape depends on: another run may give a known name to another node. */
const wiring = (node: NodeData): string => `${node.op}|${node.kind}|${edgesInto(node).map((input) => input.id).join()}`;

function same(a: NodeData | undefined, b: NodeData): boolean {
  return a !== undefined && JSON.stringify(a) === JSON.stringify(b);
}

export function operations(state: GraphState): NodeData[] {
  return [...state.nodes.values()].filter((node) => node.kind === "op");
}
