/** What of the graph is shown: everything, only what is alive, or only what led to the latest result. */

import { handle } from "../data/node_words.ts";
import type { NodeData } from "../data/tape.ts";
import { plural, pretty } from "../data/text.ts";
import { Choice } from "./choice.ts";
import { operations, type GraphState } from "./graph_state.ts";

export type Shown = "all" | "alive" | "pass";

export const SHOWN: Record<Shown, string> = {
  all: "everything",
  alive: "only what is alive",
  pass: "this pass only",
};

/** The latest operation and all that led to it. */
function behindTheLatest(state: GraphState): Set<string> {
  const all = [...state.nodes.values()].reverse();
  const latest = all.find((node) => node.kind === "op" || node.kind === "failed");
  const kept = new Set(latest ? [latest.id] : []);
  // Inputs come before what uses them.
  for (const { id, inputs } of all) {
    if (kept.has(id)) for (const input of inputs) if (input.id !== null) kept.add(input.id);
  }
  return kept;
}

/** What is alive, and the leaves that it uses, freed or not. */
function alive(state: GraphState): Set<string> {
  const kept = new Set<string>();
  for (const { id, state: now, inputs } of state.nodes.values()) {
    if (now === "gone") continue;
    kept.add(id);
    for (const input of inputs) if (input.id !== null) kept.add(input.id);
  }
  return kept;
}

export function shownOf(state: GraphState, shown: Shown): GraphState {
  if (shown === "all") return state;
  const kept = shown === "alive" ? alive(state) : behindTheLatest(state);
  const nodes = new Map([...state.nodes].filter(([id]) => kept.has(id)));
  return { ...state, nodes };
}

/** What is left out, and why. */
export function shownText(state: GraphState, part: GraphState, shown: Shown): string {
  const left = operations(state).length - operations(part).length;
  if (shown === "alive") {
    if (left === 0) return "Nothing was freed.";
    return `${plural(left, "freed operation is", "freed operations are")} left out.`;
  }
  const latest: NodeData | undefined = operations(part).at(-1);
  if (shown === "all" || latest === undefined) return "";
  const others = `${plural(left, "other operation is", "other operations are")} left out.`;
  return `This pass is what led to ${pretty(handle(latest))}, the latest operation. ${others}`;
}

/** The list in which a reader chooses that. Each view has its own. */
export class ShownChoice {
  readonly choice = new Choice("Show", SHOWN, (value: Shown) => {
    this.shown = value;
    this.changed();
  });
  shown: Shown = "all";
  #of: GraphState | undefined;
  #by: Shown = "all";
  #part: GraphState | undefined;

  constructor(
    private readonly changed: () => void,
    private readonly state: () => GraphState,
  ) {}

  /** What is shown now; worked out once for each state. */
  get part(): GraphState {
    const state = this.state();
    if (this.#part === undefined || this.#of !== state || this.#by !== this.shown) {
      this.#of = state;
      this.#by = this.shown;
      this.#part = shownOf(state, this.shown);
    }
    return this.#part;
  }

  /** There is a choice where a part is less than everything. */
  refresh(): void {
    const state = this.state();
    const all = operations(state).length;
    const isLess = (shown: Shown): boolean => operations(shownOf(state, shown)).length < all;
    this.choice.element.hidden = this.shown === "all" && !isLess("alive") && !isLess("pass");
  }

  get note(): string {
    return shownText(this.state(), this.part, this.shown);
  }
}
