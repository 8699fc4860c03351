/** The plans of the backward passes of a recording, each worked out when it is first looked at. */

import { makePlan, type Plan } from "../backward_stepper/plan.ts";
import { TAPE_VERSION, type NodeData, type Step } from "../data/tape.ts";
import type { Moment, Recording } from "./recording.ts";

export class PassPlans {
  readonly nodes: Map<string, NodeData>; // the operations of the recording
  readonly #plans = new Map<number, Plan>();

  constructor(private readonly recording: Recording) {
    this.nodes = new Map(recording.nodes.map((node) => [node.id, node]));
  }

  /** The plan of the pass that a moment is a step of. */
  of(moment: Moment): Plan | null {
    const number = moment.pass ?? -1;
    const pass = this.recording.passes[number];
    if (!pass) return null;
    const known = this.#plans.get(number);
    if (known) return known;
    const own = new Map(pass.nodes.map((node) => [node.id, node]));
    const nodes = [...new Set(pass.steps.flatMap(idsIn))].map((id) => own.get(id) ?? this.nodes.get(id));
    const { title, mode, steps } = pass;
    const shown = nodes.filter((node) => node !== undefined);
    const plan = makePlan({ version: TAPE_VERSION, title, mode, message: "", nodes: shown, steps });
    this.#plans.set(number, plan);
    return plan;
  }

  /** The node that a moment makes, or visits. */
  nodeOf(moment: Moment | undefined): NodeData | undefined {
    if (!moment) return undefined;
    if (moment.kind === "op") return this.nodes.get(moment.node ?? "");
    const plan = this.of(moment);
    return plan?.nodes.get(plan.steps[(moment.step ?? 0) - 1]?.node ?? "");
  }
}

const idsIn = (step: Step): string[] => [
  step.node,
  ...(step.kind === "visit" ? step.outgoing.map(({ to }) => to) : []),
];
