/** Small words at the edge of a node: its cell, its state, its marks; and what the marks mean. */

import { markTexts, MARK_WORDS } from "../data/marks.ts";
import type { NodeData, NodeMark } from "../data/tape.ts";
import { h, rect, s } from "../page/dom.ts";
import { item, sign } from "../page/legend.ts";
import { cutSign } from "./cut_sign.ts";
import { operationOrPill } from "./node_group.ts";
import { boxSize } from "./pixels.ts";

export const tagWidth = (text: string): number => text.length * 5.6 + 12;

export function tag(className: string, text: string, x: number, y: number): SVGElement {
  const width = tagWidth(text);
  return s(
    "g",
    { class: className, transform: `translate(${x} ${y})` },
    rect(width, 16, 8),
    s("text", { y: 3.5 }, text),
  );
}

const SIDES = { cut: -1, read: -1, failed: -1, memory: 1 } as const;

/** The marks of a node in the corners of its lower edge, or where `y` says; `room`: of the corners. */
export function markTags(node: NodeData, y: number, room = 0): SVGElement[] {
  const { width } = boxSize(node.kind);
  const inset = room + (node.kind === "op" || node.kind === "box" || node.kind === "failed" ? 10 : 4);
  return (Object.keys(SIDES) as NodeMark["kind"][]).flatMap((kind) => {
    const text = MARK_WORDS[kind];
    const x = SIDES[kind] * (width / 2 - inset - tagWidth(text) / 2);
    return isSeen(node, kind) ? [tag(`mg-state mg-mark mg-mark-${kind}`, text, x, y)] : [];
  });
}

const CORNER = 10; // pixels of the sign of a visit

/** A node of the stepper: its gradient stands below it, so its marks stand above. */
export const withMarksAbove = (node: NodeData): SVGElement[] => [
  ...operationOrPill(node),
  ...markTags(node, -boxSize(node.kind).height / 2 - 3, CORNER),
];

/** A value that was cut and read is called cut: there is one place, and that says more. */
const isSeen = (node: NodeData, kind: NodeMark["kind"]): boolean =>
  markTexts(node, kind).length > 0 && !(kind === "read" && markTexts(node, "cut").length > 0);

const MEANINGS: Record<NodeMark["kind"], string> = {
  failed: "an operation that raised an error, with what it was called with. It made no node, and is not counted",
  cut: "a value left the graph here, or came from where it did: no gradient passes back",
  read: "its value was read as a Python number or an array: no gradient comes back from what is made of that",
  memory: "its memory is that of another node too: a view, a detached value, a write in place",
};
const BROKEN = "from where a value was cut, to the value without its history";

/** What the marks mean that are there, and the broken edges. */
export function markLegend(nodes: readonly NodeData[], hasCuts: boolean): HTMLElement[] {
  const items = (Object.keys(MEANINGS) as NodeMark["kind"][]).flatMap((kind) => {
    const word = MARK_WORDS[kind];
    const isThere = nodes.some((node) => isSeen(node, kind));
    return isThere ? [item(word, MEANINGS[kind], h("span", "mg-word-sign", word))] : [];
  });
  if (!hasCuts) return items;
  const line = s("path", { class: "mg-line", d: "M-14 0 H14" });
  return [...items, item("broken edge", BROKEN, sign("mg-cut", line, cutSign({ x: 0, y: 0 })))];
}
