/**
 * How GraphView draws nodes: as the stepper does, with tags for the cell and the state, and
 * in three more ways: an operation as its sign alone, as its result, and many in one box.
 */

import { stateWords } from "../data/node_words.ts";
import type { NodeData } from "../data/tape.ts";
import { fit } from "../data/text.ts";
import { markTags, tag, tagWidth } from "../drawing/mark_tags.ts";
import { operationOrPill, pill, symbol } from "../drawing/node_group.ts";
import { boxSize, OP_BOX } from "../drawing/pixels.ts";
import { rect, s } from "../page/dom.ts";

export function watchedNode(node: NodeData): SVGElement[] {
  return [...body(node), ...tags(node)];
}

/** The same, where an arrow into a leaf means the node that PyTorch keeps behind it. */
export function withAccumulateGrad(node: NodeData): SVGElement[] {
  if (node.kind !== "leaf") return watchedNode(node);
  const behind = s("text", { y: 14, class: "mg-box-line mg-middle" }, "AccumulateGrad");
  return [...pill(node, behind), ...tags(node)];
}

function body(node: NodeData): SVGElement[] {
  if (node.kind === "sign") return sign(node);
  return operationOrPill(node);
}

function sign(node: NodeData): SVGElement[] {
  const { width, height } = boxSize("sign");
  return [rect(width, height, 12, "mg-box"), rect(44, 32, 9, "mg-badge"), symbol(node.symbol || node.op, 0)];
}

/** The cell that made the node, on its upper edge; its state and its marks, on its lower edge. */
function tags(node: NodeData): SVGElement[] {
  const { width, height } = boxSize(node.kind);
  const result: SVGElement[] = [];
  const inset = width === OP_BOX.width ? 10 : 4;
  if (node.cell !== "" && node.kind !== "sign") {
    const text = fit(node.cell, 16);
    result.push(tag("mg-tag", text, width / 2 - inset - tagWidth(text) / 2, -height / 2 - 3));
  }
  const word = stateWords(node).replace(/:.*/, "");
  // A box has three lines, which the word must not cover.
  const below = height / 2 + (node.kind === "box" ? 9 : 3);
  if (word !== "") result.push(tag("mg-state", word, 0, below));
  return [...result, ...markTags(node, below)];
}
