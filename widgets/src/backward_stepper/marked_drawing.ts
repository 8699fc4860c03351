/** What a backward pass leaves on the picture: gradients at nodes and on edges, and visits. */

import { label } from "../data/node_words.ts";
import type { NodeData } from "../data/tape.ts";
import { joined } from "../data/text.ts";
import { Drawing } from "../drawing/drawing.ts";
import { withMarksAbove } from "../drawing/mark_tags.ts";
import { boxSize, clearOfOthers, type Point } from "../drawing/pixels.ts";
import { rect, s } from "../page/dom.ts";
import { fitWidth, textWidth } from "../page/text_width.ts";
import { checkMark, landedMark } from "./stepper_legend.ts";

export interface Mark {
  chip: string; // "grad 7", or "" for none
  visited: boolean;
  landed: boolean;
  current: boolean;
  secret: boolean;
}

export interface EdgeLook {
  text: string; // the gradient it carried
  active: boolean;
  secret: boolean;
}

export class MarkedDrawing extends Drawing {
  readonly #layer = s("g", { class: "mg-labels", "aria-hidden": "true" });
  readonly #points = new Map<string, Point>(); // where each edge's label stands
  readonly #labels = new Map<string, SVGGElement>();

  constructor(name: string, below: number) {
    super(name, below, withMarksAbove);
    this.svg.append(this.#layer);
  }

  markNode(id: string, mark: Mark): void {
    const group = this.nodes.get(id);
    if (!group) return;
    const { element, data } = group;
    element.classList.toggle("mg-current", mark.current);
    element.classList.toggle("mg-visited", mark.visited || mark.landed);
    for (const old of element.querySelectorAll(".mg-chip, .mg-tick")) old.remove();
    if (mark.landed) element.append(tick(data.kind, "mg-tick mg-landed", landedMark(9)));
    else if (mark.visited) element.append(tick(data.kind, "mg-tick", checkMark(9)));
    if (mark.chip !== "") {
      element.append(pill("mg-chip", mark.secret, mark.chip, { x: 0, y: boxSize(data.kind).height / 2 + 5 }));
    }
    element.ariaLabel = joined([label(data), mark.chip, doneWith(mark)]);
  }

  markEdge(key: string, look: EdgeLook | null): void {
    const edge = this.edges.get(key);
    if (!edge) return;
    const { element, shape } = edge;
    element.classList.toggle("mg-used", look !== null);
    element.classList.toggle("mg-active", look?.active ?? false);
    this.#labels.get(key)?.remove();
    if (!look) return;
    if (!element.querySelector(".mg-back-head")) {
      const { x, y } = shape.start;
      element.append(
        s("path", { class: "mg-back-head", d: `M${x + 10} ${y - 5.5} L${x + 1} ${y} L${x + 10} ${y + 5.5} Z` }),
      );
    }
    const text = pill(
      look.active ? "mg-edge-label mg-active" : "mg-edge-label",
      look.secret,
      look.text,
      this.#point(key),
    );
    this.#labels.set(key, text);
    this.#layer.append(text);
    // An active edge is drawn last, above its neighbours.
    if (look.active) element.parentNode?.append(element);
  }

  #point(key: string): Point {
    if (this.#points.size < this.edges.size) {
      const placed = [...this.#points.values()];
      for (const [other, { shape }] of this.edges) {
        if (this.#points.has(other)) continue;
        // Only recent neighbours can be in the way: a column is filled at one time.
        const at = clearOfOthers(shape.label, placed.slice(-40));
        placed.push(at);
        this.#points.set(other, at);
      }
    }
    return this.#points.get(key) ?? { x: 0, y: 0 };
  }
}

const LABEL_FONT = '600 12px ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace';
const WIDEST = 186; // two pills in neighbouring columns do not touch

/** A rounded label; `className` says of what. */
export function pill(className: string, secret: boolean, text: string, { x, y }: Point): SVGGElement {
  const shown = fitWidth(text, WIDEST, LABEL_FONT);
  const width = textWidth(shown, LABEL_FONT) + 9;
  return s(
    "g",
    { class: secret ? `${className} mg-secret` : className, transform: `translate(${x} ${y})` },
    rect(width, 18, 9),
    s("text", { y: 4 }, shown),
  );
}

function doneWith({ visited, landed }: Mark): string {
  if (landed) return "landed";
  return visited ? "visited" : "";
}

function tick(kind: NodeData["kind"], name: string, mark: SVGElement[]): SVGGElement {
  const { width, height } = boxSize(kind);
  const inset = kind === "op" ? 3 : 10;
  return s("g", { class: name, transform: `translate(${width / 2 - inset} ${-height / 2 + 2})` }, ...mark);
}
