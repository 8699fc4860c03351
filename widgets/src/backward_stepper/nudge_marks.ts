/** What a nudge leaves on the picture: the change of each value that it has reached, and its way there. */

import { label } from "../data/node_words.ts";
import { joined } from "../data/text.ts";
import { edgeKey } from "../drawing/lanes.ts";
import { boxSize } from "../drawing/pixels.ts";
import { pill, type MarkedDrawing } from "./marked_drawing.ts";
import { changeText, type NudgePlan } from "./nudge.ts";

const NOTHING = { chip: "", visited: false, landed: false, current: false, secret: false };

/** Take off the picture what a backward pass has left there. */
export function clearPass(drawing: MarkedDrawing): void {
  for (const id of drawing.nodes.keys()) drawing.markNode(id, NOTHING);
  for (const key of drawing.edges.keys()) drawing.markEdge(key, null);
}

/** Take off what a nudge has left there. */
export function clearNudge(drawing: MarkedDrawing): void {
  for (const old of drawing.svg.querySelectorAll(".mg-delta")) old.remove();
  for (const name of ["mg-moved", "mg-moving"]) {
    for (const old of drawing.svg.querySelectorAll(`.${name}`)) old.classList.remove(name);
  }
}

export function markNudge(drawing: MarkedDrawing, plan: NudgePlan, position: number): void {
  clearNudge(drawing);
  plan.steps.forEach((step, index) => {
    const { node } = step;
    const group = drawing.nodes.get(node.id);
    if (!group) return;
    const isReached = index < position;
    const isNow = index + 1 === position;
    const text = `Δ ${changeText(step)}`;
    group.element.ariaLabel = joined([label(group.data), isReached ? text : ""]);
    if (!isReached) return;
    group.element.classList.add(isNow ? "mg-moving" : "mg-moved");
    group.element.append(pill("mg-delta", false, text, { x: 0, y: boxSize(node.kind).height / 2 + 5 }));
    node.inputs.forEach(({ id }, operand) => {
      const from = plan.at.get(id ?? "");
      if (from === undefined || from > position) return;
      drawing.edges.get(edgeKey(node.id, operand))?.element.classList.add(isNow ? "mg-moving" : "mg-moved");
    });
  });
}
