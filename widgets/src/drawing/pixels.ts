/**
 * From columns and lanes to pixels: box sizes, edge paths, where an edge's number stands,
 * and the bounds of the picture. Columns and lanes have fixed steps, so that a wide node
 * that comes later cannot push its elders aside.
 */

import type { NodeData } from "../data/tape.ts";
import type { Bend, Place, Route } from "./lanes.ts";

export const COLUMN_STEP = 216;
export const LANE_STEP = 88;
export const OP_BOX = { width: 160, height: 58 } as const;
export const LEAF_BOX = { width: 140, height: 48 } as const;
const MARGIN = { x: 16, y: 24 } as const;
const PORT_STEP = 13;

export interface Point {
  x: number;
  y: number;
}

export interface Box extends Point {
  width: number;
  height: number;
}

const SIGN_BOX = { width: 56, height: 44 } as const;

export function boxSize(kind: NodeData["kind"]): { width: number; height: number } {
  if (kind === "op" || kind === "box" || kind === "failed") return OP_BOX;
  return kind === "sign" ? SIGN_BOX : LEAF_BOX;
}

export function centre(place: Place): Point {
  return { x: place.column * COLUMN_STEP, y: place.lane * LANE_STEP };
}

/** Where the edges enter a box: one port per operand, ordered so that they do not cross. */
export function ports(routes: readonly Route[], places: ReadonlyMap<string, Place>): Map<string, number> {
  const arriving = routes.map((route) => {
    const last = route.bends.at(-1);
    return { route, lane: last?.lane ?? places.get(route.from)?.lane ?? 0 };
  });
  arriving.sort((a, b) => a.lane - b.lane || a.route.operand - b.route.operand);
  const step = Math.min(PORT_STEP, (OP_BOX.height - 20) / Math.max(1, routes.length - 1));
  const first = (-step * (routes.length - 1)) / 2;
  return new Map(arriving.map(({ route }, index) => [route.key, first + index * step]));
}

export interface EdgeShape {
  path: string;
  start: Point; // at the source
  end: Point; // at the consumer
  label: Point; // in the gap before the consumer
}

/**
 * The curve of one edge. It bends only in the gaps between columns and runs level across
 * each column, in a lane that is kept free (lanes.ts): so it never runs through a box.
 */
export function edgeShape(
  from: Place,
  fromKind: NodeData["kind"],
  bends: readonly Bend[],
  to: Place,
  port: number,
  toKind: NodeData["kind"] = "op",
): EdgeShape {
  const half = OP_BOX.width / 2;
  const source = centre(from);
  const target = centre(to);
  const start = { x: source.x + boxSize(fromKind).width / 2, y: source.y };
  const end = { x: target.x - boxSize(toKind).width / 2, y: target.y + port };
  let path = `M${start.x} ${start.y}`;
  let y = start.y;
  const curve = (column: number, nextY: number, stop: number): void => {
    const left = (column - 1) * COLUMN_STEP + half;
    const middle = (left + stop) / 2;
    path += ` H${left} C${middle} ${y} ${middle} ${nextY} ${stop} ${nextY}`;
    y = nextY;
  };
  for (const bend of bends) {
    const nextY = bend.lane * LANE_STEP;
    if (nextY !== y) curve(bend.column, nextY, bend.column * COLUMN_STEP - half);
  }
  const gate = target.x - half;
  const label = { x: gate - (COLUMN_STEP - OP_BOX.width) / 2, y: (y + end.y) / 2 };
  curve(to.column, end.y, gate);
  if (end.x !== gate) path += ` H${end.x}`;
  return { path, start, end, label };
}

/** The head of an arrow that meets a box at this point: from the left (1) or from the right (-1). */
export function arrowHead({ x, y }: Point, sign: 1 | -1): string {
  const back = x - 8 * sign;
  return `M${back} ${y - 4.5} L${x - 0.5 * sign} ${y} L${back} ${y + 4.5} Z`;
}

/** Push a new label down or up until it covers no label that is already there. */
export function clearOfOthers(label: Point, others: readonly Point[]): Point {
  const near = others.filter((other) => Math.abs(other.x - label.x) < 30);
  const clashes = (y: number): boolean => near.some((other) => Math.abs(other.y - y) < 17);
  for (let shift = 0; shift < 400; shift += 9) {
    for (const y of [label.y + shift, label.y - shift]) {
      if (!clashes(y)) return { x: label.x, y };
    }
  }
  return label;
}

/** The rectangle that holds every node, with a margin. */
export function bounds(places: Iterable<Place>, below: number): Box {
  let left = Infinity;
  let right = -Infinity;
  let top = Infinity;
  let bottom = -Infinity;
  for (const place of places) {
    const { x, y } = centre(place);
    left = Math.min(left, x);
    right = Math.max(right, x);
    top = Math.min(top, y);
    bottom = Math.max(bottom, y);
  }
  if (left === Infinity) return { x: 0, y: 0, width: 0, height: 0 };
  const halfWidth = OP_BOX.width / 2 + MARGIN.x;
  const halfHeight = OP_BOX.height / 2 + MARGIN.y;
  return {
    x: left - halfWidth,
    y: top - halfHeight,
    width: right - left + 2 * halfWidth,
    height: bottom - top + 2 * halfHeight + below,
  };
}
