// Small makers of tape data for the tests, and a random tape.
import type { NodeData, Value } from "../src/data/tape.ts";

export function value(data: Value["data"], shape: number[]): Value {
  return { shape, dtype: "float32", text: `[${data.join(", ")}]`, data, shown: shape };
}

export function node(
  id: string,
  kind: NodeData["kind"],
  inputs: (string | null)[] = [],
  rest: Partial<NodeData> = {},
): NodeData {
  return {
    id,
    kind,
    op: kind === "op" ? "mul" : "",
    symbol: kind === "op" ? "×" : "",
    names: [],
    formula: "",
    cell: "",
    line: null,
    file: "",
    source: "",
    scope: "",
    spot: "",
    value: value([1], [1]),
    grad: null,
    numbers: "",
    saved: [],
    inputs: inputs.map((input, i) => ({ id: input, arg: i === 0 ? "input" : "other", text: input ?? "2" })),
    state: "alive",
    ...rest,
  };
}

/** The same numbers every time: a tiny linear congruential generator. */
export function dice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
}

/** A tape in the order in which a program could have made it; some leaves are made early. */
export function randomTape(seed: number, length: number): NodeData[] {
  const roll = dice(seed);
  const tape: NodeData[] = [];
  for (let i = 0; i < length; i += 1) {
    const leaf = tape.length === 0 || roll(4) === 0;
    if (leaf) {
      tape.push(node(`t${i}`, roll(4) === 0 ? "data" : "leaf"));
      continue;
    }
    const recent = (): string => tape[Math.max(0, tape.length - 1 - roll(roll(3) === 0 ? tape.length : 5))]?.id ?? "";
    const inputs: (string | null)[] = [recent()];
    if (roll(3) > 0) inputs.push(roll(5) === 0 ? null : recent());
    tape.push(node(`n${i}`, "op", inputs));
  }
  return tape;
}
