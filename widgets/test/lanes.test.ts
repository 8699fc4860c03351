// Leaf docking: what is shown stays where it is, boxes do not overlap, edges avoid boxes.
import assert from "node:assert/strict";
import test from "node:test";
import { centre, clearOfOthers, COLUMN_STEP, edgeShape, LANE_STEP, OP_BOX, ports } from "../src/drawing/pixels.ts";
import { Lanes, type Place, type Route } from "../src/drawing/lanes.ts";
import type { NodeData } from "../src/data/tape.ts";
import colah from "./colah.json";
import { node, randomTape } from "./make.ts";

function lay(nodes: NodeData[]): { lanes: Lanes; routes: Route[] } {
  const lanes = new Lanes();
  const routes = nodes.flatMap((one) => lanes.add(one).routes);
  return { lanes, routes };
}

const SEEDS = Array.from({ length: 40 }, (_, i) => i + 1);

test("operations never move, and a leaf moves at most once, when it is first used", () => {
  for (const seed of SEEDS) {
    const lanes = new Lanes();
    const before = new Map<string, Place>();
    const moves = new Map<string, number>();
    const used = new Set<string>();
    for (const one of randomTape(seed, 120)) {
      const { moved } = lanes.add(one);
      const inputs = new Set(one.inputs.map((input) => input.id));
      for (const [id, old] of before) {
        const now = lanes.places.get(id);
        if (now?.column === old.column && now.lane === old.lane) continue;
        assert.ok(id.startsWith("t"), `${id} is an operation and moved (seed ${seed})`);
        assert.ok(inputs.has(id) && !used.has(id), `${id} moved without being first used (seed ${seed})`);
        assert.ok(moved.includes(id), `the move of ${id} was not reported`);
        moves.set(id, (moves.get(id) ?? 0) + 1);
      }
      for (const id of inputs) if (id !== null) used.add(id);
      for (const [id, place] of lanes.places) before.set(id, { ...place });
    }
    for (const [id, count] of moves) assert.equal(count, 1, `${id} moved ${count} times`);
  }
});

test("no two boxes overlap", () => {
  for (const seed of SEEDS) {
    const { lanes } = lay(randomTape(seed, 200));
    const columns = new Map<number, number[]>();
    for (const { column, lane } of lanes.places.values()) columns.set(column, [...(columns.get(column) ?? []), lane]);
    for (const lanes of columns.values()) {
      lanes.sort((a, b) => a - b);
      for (let i = 1; i < lanes.length; i += 1) assert.ok((lanes[i] ?? 0) - (lanes[i - 1] ?? 0) >= 1);
    }
  }
});

test("every edge runs from left to right", () => {
  for (const seed of SEEDS) {
    const { lanes, routes } = lay(randomTape(seed, 200));
    for (const { from, to } of routes) {
      assert.ok((lanes.places.get(from)?.column ?? 0) < (lanes.places.get(to)?.column ?? 0));
    }
  }
});

test("no edge runs through a box, also not through one that came later", () => {
  for (const seed of SEEDS) {
    const { lanes, routes } = lay(randomTape(seed, 150));
    for (const { from, to, bends } of routes) {
      const first = (lanes.places.get(from)?.column ?? 0) + 1;
      const last = lanes.places.get(to)?.column ?? 0;
      for (let column = first; column < last; column += 1) {
        const lane = bends.findLast((bend) => bend.column <= column)?.lane;
        assert.ok(lane !== undefined, "a long edge has a lane in every column it crosses");
        for (const place of lanes.places.values()) {
          if (place.column === column) assert.ok(Math.abs(place.lane - lane) >= 0.5, `seed ${seed}: ${from} to ${to}`);
        }
      }
    }
  }
});

test("two edges of different sources never share a lane", () => {
  for (const seed of SEEDS) {
    const { lanes, routes } = lay(randomTape(seed, 120));
    const owners = new Map<string, string>();
    for (const { from, to, bends } of routes) {
      for (
        let column = (lanes.places.get(from)?.column ?? 0) + 1;
        column < (lanes.places.get(to)?.column ?? 0);
        column += 1
      ) {
        const spot = `${column}|${bends.findLast((bend) => bend.column <= column)?.lane}`;
        assert.equal(owners.get(spot) ?? from, from);
        owners.set(spot, from);
      }
    }
  }
});

test("Colah's graph: b feeds both c and d, which meet in e", () => {
  const { lanes, routes } = lay(colah.snapshot.nodes as NodeData[]);
  const at = (id: string): Place => lanes.places.get(id) ?? assert.fail(id);
  assert.deepEqual(
    { a: at("t1"), b: at("t2"), c: at("n3"), d: at("n4"), e: at("n5") },
    {
      a: { column: 0, lane: 0 },
      b: { column: 0, lane: 1 },
      c: { column: 1, lane: 0.5 },
      d: { column: 1, lane: 1.5 },
      e: { column: 2, lane: 1 },
    },
  );
  assert.equal(routes.filter((route) => route.from === "t2").length, 2);
});

test("a parameter docks beside the layer that uses it, and data runs straight on", () => {
  const tape = ["W1", "b1", "W2"].map((id) => node(id, "leaf"));
  tape.push(node("x", "data"), node("m1", "op", ["x", "W1"]), node("s1", "op", ["m1", "b1"]), node("h", "op", ["s1"]));
  tape.push(node("m2", "op", ["h", "W2"]));
  const { lanes } = lay(tape);
  const at = (id: string): Place => lanes.places.get(id) ?? assert.fail(id);
  for (const id of ["m1", "s1", "h", "m2"]) assert.equal(at(id).lane, at("x").lane);
  assert.equal(at("W2").column, at("m2").column - 1);
  assert.equal(Math.abs(at("W2").lane - at("m2").lane), 1);
});

test("a value that is used twice by one operation has two edges with two ports", () => {
  const { lanes, routes } = lay([node("x", "leaf"), node("y", "op", ["x", "x"])]);
  assert.deepEqual(
    routes.map((route) => route.key),
    ["y|0", "y|1"],
  );
  assert.equal(new Set(ports(routes, lanes.places).values()).size, 2);
});

test("an input that is not drawn is left out", () => {
  const { routes } = lay([node("y", "op", ["missing", null])]);
  assert.deepEqual(routes, []);
});

test("an edge's curve is level wherever a column could hold a box", () => {
  const shape = edgeShape({ column: 0, lane: 0 }, "op", [{ column: 1, lane: 0.5 }], { column: 3, lane: 0 }, 0);
  const stops = [...shape.path.matchAll(/[HC]([^HCM]*)/g)].map((part) => part[1]?.trim().split(" ").map(Number) ?? []);
  for (const stop of stops) {
    const x = stop[stop.length === 1 ? 0 : 4] ?? NaN;
    const offset = Math.abs(x - Math.round(x / COLUMN_STEP) * COLUMN_STEP);
    assert.equal(offset, OP_BOX.width / 2, "every bend begins and ends in a gap between columns");
  }
  assert.ok(shape.path.includes(` ${0.5 * LANE_STEP} `));
  assert.equal(shape.end.x, centre({ column: 3, lane: 0 }).x - OP_BOX.width / 2);
});

test("labels of neighbouring edges do not cover each other", () => {
  const first = { x: 0, y: 0 };
  const second = clearOfOthers({ x: 0, y: 4 }, [first]);
  assert.ok(Math.abs(second.y - first.y) >= 17);
});

test("ten thousand nodes are laid out: a long chain with one shared parameter", () => {
  const tape = [node("w", "leaf"), node("x", "leaf"), node("n0", "op", ["x", "w"])];
  for (let i = 1; i < 10_000; i += 1) tape.push(node(`n${i}`, "op", [`n${i - 1}`, "w"]));
  const { lanes } = lay(tape);
  assert.equal(lanes.places.size, 10_002);
});

test("ten thousand nodes are laid out: a random program", () => {
  assert.equal(lay(randomTape(7, 10_000)).lanes.places.size, 10_000);
});

test("ten thousand nodes are laid out: all side by side", () => {
  const tape = [node("x", "leaf")];
  for (let i = 0; i < 10_000; i += 1) tape.push(node(`n${i}`, "op", ["x"]));
  assert.equal(lay(tape).lanes.places.size, 10_001);
});

test("what one instruction makes again and again stands in rows, from top to bottom", () => {
  const lanes = new Lanes();
  const rows: number[] = [];
  lanes.add(node("w", "leaf"));
  for (let pass = 1; pass <= 5; pass += 1) {
    lanes.add(node(`x${pass}`, "data"));
    lanes.add(node(`y${pass}`, "op", [`x${pass}`, "w"], { file: "In [1]", spot: "12.-1" }));
    rows.push(lanes.places.get(`y${pass}`)!.lane);
  }
  assert.deepEqual(
    rows,
    [...rows].sort((a, b) => a - b),
  );
});
