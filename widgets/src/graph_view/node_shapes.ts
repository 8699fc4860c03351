/**
 * How GraphView draws nodes: as the stepper does, with tags for the cell and the state, and
 * in three more ways: an operation as its sign alone, as its result, and many in one box.
 */

import type { NodeData } from "../data/tape.ts";
import { fit } from "../data/text.ts";
import { operationOrPill, symbol } from "../drawing/node_group.ts";
import { boxSize, OP_BOX } from "../drawing/pixels.ts";
import { rect, s } from "../page/dom.ts";

export function watchedNode(node: NodeData): SVGElement[] {
  return [...body(node), ...tags(node)];
}

function body(node: NodeData): SVGElement[] {
  if (node.kind === "sign") return sign(node);
  if (node.kind === "box") return box(node);
  return operationOrPill(node);
}

function sign(node: NodeData): SVGElement[] {
  const { width, height } = boxSize("sign");
  return [rect(width, height, 12, "mg-box"), rect(44, 32, 9, "mg-badge"), symbol(node.symbol || node.op, 0)];
}

/** Three sheets on top of each other: where the folded operations stand, and how many. */
function box(node: NodeData): SVGElement[] {
  const { width, height } = OP_BOX;
  const sheet = (shift: number): SVGElement => rect(width - 2 * shift, height, 6, "mg-box", 0, -shift);
  const [, where = "", times = ""] = /^(.*?)(?:, (\d+ times))?$/.exec(node.formula) ?? [];
  const lines = [where, times, node.numbers.replace(/ and .*/, "")].filter((line) => line !== "");
  const text = (line: string, index: number): SVGElement =>
    s(
      "text",
      { y: 4 + 16 * (index - (lines.length - 1) / 2), class: `mg-box-line mg-middle${index === 0 ? " mg-first" : ""}` },
      fit(line, 22),
    );
  return [sheet(8), sheet(4), sheet(0), ...lines.map(text)];
}

const STATE_WORDS = { alive: "", spent: "spent", gone: "freed" } as const;

/** The cell that made the node, on its upper edge; its state, on its lower edge. */
function tags(node: NodeData): SVGElement[] {
  const { width, height } = boxSize(node.kind);
  const result: SVGElement[] = [];
  if (node.cell !== "" && node.kind !== "sign") {
    const text = fit(node.cell, 10);
    const inset = node.kind === "op" || node.kind === "box" ? 10 : 4;
    result.push(tag("mg-tag", text, width / 2 - inset - tagWidth(text) / 2, -height / 2 - 3));
  }
  const word = STATE_WORDS[node.state];
  // A box has three lines, which the word must not cover.
  if (word !== "") result.push(tag("mg-state", word, 0, height / 2 + (node.kind === "box" ? 9 : 3)));
  return result;
}

const tagWidth = (text: string): number => text.length * 5.6 + 12;

function tag(className: string, text: string, x: number, y: number): SVGElement {
  const width = tagWidth(text);
  return s(
    "g",
    { class: className, transform: `translate(${x} ${y})` },
    rect(width, 16, 8),
    s("text", { y: 3.5 }, text),
  );
}
