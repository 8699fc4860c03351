/** What a backward pass has left on the picture at a position: gradients at nodes and on edges, visits. */

import { brief } from "../data/numbers.ts";
import type { Value } from "../data/tape.ts";
import { isPending, isSecret, type Exercise } from "./ask_first.ts";
import type { MarkedDrawing } from "./marked_drawing.ts";
import { edgeMark, nodeMark, rightLanding, type Plan } from "./plan.ts";
import { gradText } from "./sentences.ts";

export function markPass(
  drawing: MarkedDrawing,
  plan: Plan,
  exercise: Exercise,
  position: number,
  touched: { nodes: Iterable<string>; edges: Iterable<string> },
): void {
  const pending = isPending(exercise, plan, position);
  for (const id of touched.nodes) markNode(drawing, plan, exercise, position, id);
  for (const key of touched.edges) {
    const mark = edgeMark(plan, key, position);
    const secret = pending && mark?.active === true;
    drawing.markEdge(key, mark && { text: secret ? "?" : brief(mark.grad), active: mark.active, secret });
  }
}

function markNode(drawing: MarkedDrawing, plan: Plan, exercise: Exercise, position: number, id: string): void {
  const mark = nodeMark(plan, id, position);
  const secret = isSecret(exercise, plan, id, position);
  const truth = mark.landed ? rightLanding(plan, plan.steps[(plan.landAt.get(id) ?? 0) - 1]) : null;
  const shown = (grad: Value): string => (secret ? "?" : gradText(grad, truth?.grad));
  drawing.markNode(id, {
    chip: mark.grad === null ? "" : `grad ${shown(mark.grad)}`,
    visited: mark.visited,
    landed: mark.landed,
    current: mark.current,
    secret,
  });
}
