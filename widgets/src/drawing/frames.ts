/**
 * What an opened box holds, on a ground of its own behind the nodes: exactly its nodes and the
 * edges between them, wherever these stand. Its name stands above the first of them; a click on
 * it closes the box.
 */

import type { EdgeGroup } from "./drawing.ts";
import type { NodeGroup } from "./node_group.ts";
import { boxSize, type Point } from "./pixels.ts";
import { listen, rect, s } from "../page/dom.ts";
import { fitWidth, textWidth } from "../page/text_width.ts";
import { fullName } from "./boxes.ts";
import type { Opened } from "./folding.ts";

const MOST_RECTANGLES = 4000;
const FONT = '600 11px system-ui, -apple-system, "Segoe UI", sans-serif'; // as the page shows them
const ROOM = 206; // pixels for all names above a node
const LEAST = 42; // and for each of several
const ABOVE = 41; // pixels from the middle of a node to the middle of the name above it

/** The picture, as far as it is needed here. */
export interface Picture {
  svg: SVGSVGElement;
  nodes: ReadonlyMap<string, NodeGroup>;
  edges: ReadonlyMap<string, EdgeGroup>;
  centreOf(id: string): Point | null;
}

/** Draw the grounds and the names. `close`: what a click on a name does. */
export function drawFrames(picture: Picture, opened: readonly Opened[], close: (id: string) => void): void {
  for (const old of picture.svg.querySelectorAll(":scope > :is(.mg-frames, .mg-frame-names)")) old.remove();
  if (opened.length === 0) return;
  const grounds = s("g", { class: "mg-frames", "aria-hidden": "true" });
  const names = s("g", { class: "mg-frame-names", "aria-hidden": "true" });
  const lines = new Map<string, Opened[]>(); // boxes that begin with the same node share a line
  let room = MOST_RECTANGLES;
  for (const box of opened) {
    room -= box.shown.length;
    if (room < 0) break;
    grounds.append(ground(picture, box));
    const first = box.shown.find((id) => picture.nodes.has(id));
    if (first !== undefined) lines.set(first, [...(lines.get(first) ?? []), box]);
  }
  for (const [id, boxes] of lines) {
    const at = picture.centreOf(id);
    if (at) names.append(nameLine(at, boxes));
  }
  picture.svg.prepend(grounds);
  picture.svg.append(names);
  listen(names, "click", (event) => {
    const id = (event.target as Element).closest<SVGElement>("[data-mg-frame]")?.dataset.mgFrame;
    if (id !== undefined) close(id);
  });
}

function ground(picture: Picture, { shown, depth }: Opened): SVGGElement {
  const result = s("g", "mg-frame");
  const pad = Math.max(3, 13 - 3 * depth);
  const aside = Math.max(4, 26 - 4 * depth);
  const inside = new Set(shown);
  for (const id of shown) {
    const node = picture.nodes.get(id);
    const at = picture.centreOf(id);
    if (!node || !at) continue;
    const { width, height } = boxSize(node.data.kind);
    result.append(rect(width + 2 * aside, height + 2 * pad, 14, undefined, at.x, at.y));
  }
  for (const { route, shape } of picture.edges.values()) {
    if (!inside.has(route.from) || !inside.has(route.to)) continue;
    result.append(s("path", { d: shape.path, "stroke-width": 2 * pad + 14 }));
  }
  return result;
}

/** "▾ … ▾ layers.0": each with its own place to click, the innermost with most room. */
function nameLine(at: Point, boxes: readonly Opened[]): SVGGElement {
  const result = s("g", { transform: `translate(${at.x - 84} ${at.y - ABOVE})` });
  let x = 0;
  boxes.forEach((box, index) => {
    const isLast = index === boxes.length - 1;
    const room = isLast ? Math.max(LEAST, ROOM - x) : Math.max(LEAST, (ROOM - LEAST) / boxes.length);
    const text = `▾ ${fitWidth(isLast ? fullName(box) : box.title, room - 26, FONT)}`;
    const width = textWidth(text, FONT) + 10;
    const part = s("g", { class: "mg-frame-name", "data-mg-frame": box.id });
    part.append(rect(width, 16, 6, undefined, x + width / 2));
    part.append(s("title", {}, `Close ${fullName(box)}`), s("text", { x: x + 5, y: 4 }, text));
    result.append(part);
    x += width + 3;
  });
  return result;
}
