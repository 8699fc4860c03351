/**
 * A backward pass in which each closed box is one step: what comes into it, and what it sends on.
 * It is a schedule like any other, so that nothing else has to know of boxes.
 */

import { asNumber, formatNumber, size } from "../data/numbers.ts";
import type { Arrival, Outgoing, Schedule, Step, Value } from "../data/tape.ts";
import { list } from "../data/text.ts";
import type { Boxes } from "../drawing/boxes.ts";

type Visit = Extract<Step, { kind: "visit" }>;

export interface FoldedPass {
  schedule: Schedule;
  last: number[]; // for each step, how many steps of the whole pass are done then
}

/** `boxes` says which are closed; one whose visits are not one behind the other is opened first. */
export function foldPass(schedule: Schedule, boxes: Boxes): FoldedPass {
  const whole = { nodes: new Map(schedule.nodes.map((node) => [node.id, node])), groups: schedule.groups ?? [] };
  let nodes = boxes.records(whole);
  for (let torn = tornApart(schedule.steps, boxes); torn.size > 0; torn = tornApart(schedule.steps, boxes)) {
    for (const id of torn) boxes.openFirst(id);
    nodes = boxes.records(whole);
  }
  const titles = new Map(nodes.flatMap(({ kind, id, formula }) => (kind === "box" ? [[id, formula] as const] : [])));
  if (titles.size === 0) return { schedule, last: schedule.steps.map((_, index) => index + 1) };
  const steps: Step[] = [];
  const last: number[] = [];
  const pass = new Pass(schedule.steps, boxes, titles);
  for (let at = 0; at < schedule.steps.length; ) {
    const { step, count } = pass.stepAt(at);
    at += count;
    steps.push(step);
    last.push(at);
  }
  const nudges = { note: "Unfold all boxes to nudge a number.", exact: false, leaves: [] };
  // A line that made a box's last operation did not make the box.
  const placed = nodes.map((node) => (node.kind === "box" ? { ...node, line: null, source: "", file: "" } : node));
  return { schedule: { ...schedule, nodes: placed, steps, engines: [], nudges }, last };
}

/** The closed boxes whose visits do not come one behind the other. */
function tornApart(steps: readonly Step[], boxes: Boxes): Set<string> {
  const seen = new Set<string>();
  const torn = new Set<string>();
  let before = "";
  for (const step of steps) {
    if (step.kind !== "visit") continue;
    const here = boxes.holderOf(step.node);
    if (here !== before && here !== step.node && seen.has(here)) torn.add(here);
    seen.add(here);
    before = here;
  }
  return torn;
}

class Pass {
  readonly #doors = new Map<string, Set<string>>(); // of each box, its nodes that get a gradient from outside

  constructor(
    private readonly steps: readonly Step[],
    private readonly boxes: Boxes,
    private readonly titles: ReadonlyMap<string, string>,
  ) {
    for (const step of steps) {
      if (step.kind !== "visit") continue;
      for (const { to } of step.outgoing) {
        const box = boxes.holderOf(to);
        if (box === to || box === boxes.holderOf(step.node)) continue;
        this.#doors.set(box, (this.#doors.get(box) ?? new Set()).add(to));
      }
    }
  }

  /** The step that begins there, and how many of the whole pass it stands for. */
  stepAt(at: number): { step: Step; count: number } {
    const step = this.steps[at]!;
    const box = this.boxes.holderOf(step.node);
    if (step.kind === "start") return { step: { ...step, node: box }, count: 1 };
    if (step.kind === "land") return { step: { ...step, arrivals: this.#arrivals(step.arrivals) }, count: 1 };
    if (box === step.node) {
      const outgoing = step.outgoing.map((out) => this.#towards(out));
      return { step: { ...step, arrivals: this.#arrivals(step.arrivals), outgoing }, count: 1 };
    }
    const visits: Visit[] = [];
    for (const other of this.steps.slice(at)) {
      if (other.kind !== "visit" || this.boxes.holderOf(other.node) !== box) break;
      visits.push(other);
    }
    return { step: this.#through(box, visits), count: visits.length };
  }

  /** All visits in a box as one: only what crosses its border is told. */
  #through(box: string, visits: readonly Visit[]): Step {
    const arrivals: Arrival[] = [];
    const sent = new Map<string, Outgoing[]>();
    for (const visit of visits) {
      const outside = visit.arrivals.filter(({ from }) => from === "seed" || this.boxes.holderOf(from) !== box);
      if (outside.length > 0) {
        const grad = outside.map((arrival) => arrival.grad).reduce(added);
        const from = [...new Set(this.#arrivals(outside).map(({ text }) => text))];
        arrivals.push({ from: outside[0]!.from, text: `${list(from)} at ${visit.text.split(" = ")[0]}`, grad });
      }
      for (const out of visit.outgoing) {
        if (this.boxes.holderOf(out.to) !== box) sent.set(out.to, [...(sent.get(out.to) ?? []), out]);
      }
    }
    const outgoing = [...sent.values()].map((outs) => this.#towards(together(outs)));
    const grad = arrivals.length === 1 ? arrivals[0]!.grad : several(arrivals.length);
    return { kind: "visit", node: box, text: this.titles.get(box) ?? "", arrivals, grad, outgoing };
  }

  #arrivals(arrivals: readonly Arrival[]): Arrival[] {
    const found = new Map<string, Arrival>();
    for (const arrival of arrivals) {
      const from = arrival.from === "seed" ? "seed" : this.boxes.holderOf(arrival.from);
      const known = found.get(from);
      const text = this.titles.get(from) ?? arrival.text;
      // What comes out of an open node twice stays two arrivals.
      if (known && this.titles.has(from)) found.set(from, { from, text, grad: added(known.grad, arrival.grad) });
      else found.set(known ? `${from} ${found.size}` : from, { from, text, grad: arrival.grad });
    }
    return [...found.values()];
  }

  /** The same, into the box that holds where it goes. */
  #towards(out: Outgoing): Outgoing {
    const to = this.boxes.holderOf(out.to);
    const doors = this.#doors.get(to)?.size ?? 0;
    if (doors < 2) return { ...out, to };
    return { ...out, to, sumBefore: null, sum: several(doors) };
  }
}

/** Of what a box sends to one place, the sum. */
function together(outs: readonly Outgoing[]): Outgoing {
  const [first] = outs;
  const last = outs.at(-1)!;
  const grad = first!.sumBefore === null ? last.sum : outs.map((out) => out.grad).reduce(added);
  return { ...last, grad, sumBefore: first!.sumBefore, local: null, localValue: null, numbers: null, rule: "" };
}

/** The sum of two gradients, as far as they are shown. */
export function added(one: Value, other: Value): Value {
  const data = one.data.map((x, i) => plain(asNumber(x) + asNumber(other.data[i] ?? NaN)));
  const isRow = one.shape.length === 1 && data.length === size(one);
  const text = isRow ? `[${data.map(formatNumber).join(", ")}]` : `${one.shape.join("×")} numbers`;
  return { ...one, data, text };
}

/** As the kernel writes numbers: JSON has no NaN and no infinity. */
const plain = (x: number): number | string =>
  Number.isFinite(x) ? x : String(x).replace("Infinity", "inf").toLowerCase();

/** More gradients than one arrive: there is no one number for it. */
const several = (count: number): Value => ({ shape: [], dtype: "", text: "", data: [`of ${count} values`], shown: [] });
