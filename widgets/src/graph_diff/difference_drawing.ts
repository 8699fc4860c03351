/**
 * Two runs as one picture: time runs downwards, nodes in the same place stand on one level, the
 * edges of each run bow out to its own side. A node that has no counterpart has another shape
 * (it points to its side), and the sign between the columns says so in words.
 */

import { tooltip } from "../data/node_words.ts";
import { short } from "../data/numbers.ts";
import type { NodeData } from "../data/tape.ts";
import { plural } from "../data/text.ts";
import { symbol } from "../drawing/node_group.ts";
import type { Box, Point } from "../drawing/pixels.ts";
import type { Ground } from "../drawing/roving_focus.ts";
import { listen, rect, s } from "../page/dom.ts";
import { fitWidth, FONTS, textWidth } from "../page/text_width.ts";
import {
  equation,
  foldText,
  lineOf,
  meaningOf,
  SIDES,
  sourceOf,
  type Difference,
  type Entry,
  type Fold,
  type Row,
} from "./difference.ts";
import { HEIGHT, label, PILL, plain, POINT, pointed, SIGN_FONT, SIGNS } from "./row_shapes.ts";

const STEP = 54; // from row to row
const FOLD_STEP = 40;
const HEADER = 52;

interface Columns {
  line: number; // x of the line numbers' right edge
  left: number; // x of the left column's centre
  right: number;
  half: number; // half the width of a box
  arcs: number; // room for the edges at either side
  narrow: boolean;
  width: number;
}

/** The columns for a window of this width. */
function columns(width: number): Columns {
  const narrow = width < 600;
  const [line, arcs, middle] = narrow ? [20, 34, 40] : [30, 46, 132];
  const half = Math.round(Math.min(130, Math.max(72, (width - line - 2 * arcs - middle) / 4)));
  const left = line + arcs + half;
  const right = left + 2 * half + middle;
  return { line, left, right, half, arcs, narrow, width: right + half + arcs };
}

export class DifferenceDrawing {
  readonly svg = s("svg", { class: "mg-svg", role: "group" });
  private readonly edges = s("g", { class: "mg-edges", "aria-hidden": "true" });
  private readonly boxes = s("g", "mg-nodes");
  private readonly heights = { left: new Map<string, number>(), right: new Map<string, number>() };
  private readonly round = { left: new Set<string>(), right: new Set<string>() }; // those drawn as pills
  private readonly placed = new Map<string, { element: SVGElement; at: Point; node: NodeData }>();
  private readonly columns: Columns;
  private bottom = HEADER;

  constructor(
    private readonly difference: Difference,
    entries: readonly Entry[],
    width: number,
    private readonly open: boolean, // may the right run be seen?
    private readonly toggle: (fold: Fold) => void,
  ) {
    this.columns = columns(width);
    this.svg.ariaLabel = open ? "Both runs, row by row" : "The left run; the right one is hidden until you answer";
    this.svg.append(this.edges, this.boxes);
    for (const side of SIDES) this.boxes.append(this.header(side));
    this.boxes.append(s("text", { class: "mg-small", x: 2, y: 38, "data-mg-lines": true }, "line"));
    for (const entry of entries) this.add(entry);
    for (const { row } of entries) {
      if (row === null) continue;
      for (const side of this.sides()) this.connect(row[side], side, open && row.kind === side);
    }
    if (!open) this.boxes.append(this.veil());
  }

  bounds(): Box {
    return { x: 0, y: 0, width: this.columns.width, height: this.bottom + 8 };
  }

  private header(side: "left" | "right"): SVGGElement {
    const { half } = this.columns;
    const { title, operations } = this.difference[side];
    const count = side === "left" || this.open ? plural(operations, "operation") : "how many operations?";
    return s(
      "g",
      { transform: `translate(${this.columns[side]} 0)` },
      s("text", { y: 20, class: "mg-name mg-middle" }, fitWidth(title || side, 2 * half, FONTS.name)),
      s("text", { y: 38, class: "mg-small mg-middle" }, title === "" ? count : `${side}, ${count}`),
    );
  }

  private add({ row, fold }: Entry): void {
    if (fold !== null) {
      const y = this.bottom + FOLD_STEP / 2;
      const rows = fold.open ? [] : fold.rows;
      for (const hidden of rows) this.placeBoth(hidden, y);
      this.boxes.append(this.bar(fold, y));
      this.bottom += FOLD_STEP;
      return;
    }
    if (row.kind === "right" && !this.open) return;
    const y = this.bottom + STEP / 2;
    const group = s("g", {
      class: `mg-row-${this.open ? row.kind : "same"}`,
      "data-mg-row": this.open ? row.kind : "left",
    });
    group.append(
      s(
        "text",
        { class: "mg-small mg-line-number", x: this.columns.line, y: y + 4 },
        s("title", {}, sourceOf(row)),
        lineOf(row),
      ),
    );
    this.placeBoth(row, y);
    for (const side of this.sides()) {
      const node = row[side];
      if (node === null) continue;
      if (node.kind !== "op") this.round[side].add(node.id);
      group.append(this.box(node, side, y, row));
    }
    if (this.open) group.append(...this.sign(row, y));
    this.boxes.append(group);
    this.bottom += STEP;
  }

  /** The runs that may be seen. */
  private sides(): readonly ("left" | "right")[] {
    return this.open ? SIDES : ["left"];
  }

  /** Both nodes of a row stand at this height; of a fold, where its bar is. */
  private placeBoth(row: Row, y: number): void {
    for (const side of SIDES) {
      const node = row[side];
      if (node !== null) this.heights[side].set(node.id, y);
    }
  }

  private box(node: NodeData, side: "left" | "right", y: number, row: Row): SVGGElement {
    const { half } = this.columns;
    const lone = this.open && row.kind === side;
    const words = [`${side}: ${equation(node)}`, `value ${short(node.value)}`, ...(this.open ? [meaningOf(row)] : [])];
    const group = s("g", {
      class: `mg-node${lone ? " mg-lone" : ""}`,
      role: "img",
      "data-mg-node": node.id,
      "data-side": side,
      "data-kind": node.kind,
      "aria-label": words.join(", "),
      transform: `translate(${this.columns[side]} ${y})`,
    });
    this.place(node, side, y, group);
    group.append(s("title", {}, tooltip(node)), lone ? pointed(half, side) : plain(half, node.kind));
    const hasBadge = node.kind === "op";
    if (hasBadge) {
      group.append(rect(28, 28, 8, "mg-badge", 20 - half), symbol(node.symbol || node.op, 20 - half, 24));
    }
    const x = hasBadge ? -half + 41 : 0;
    const room = hasBadge ? 2 * half - 48 : 2 * half - 28;
    group.append(label(node, x, room, hasBadge));
    group.append(
      s(
        "text",
        { class: hasBadge ? "mg-value" : "mg-value mg-middle", x, y: 14 },
        fitWidth(short(node.value, 18), room, FONTS.value),
      ),
    );
    return group;
  }

  /** For the keyboard: a node of either run has a key of its own, and edges to its own run only. */
  private place(node: NodeData, side: "left" | "right", y: number, element: SVGElement): void {
    const key = (id: string): string => `${side} ${id}`;
    const inputs = node.inputs.map((input) => ({ ...input, id: input.id === null ? null : key(input.id) }));
    const at = { x: this.columns[side], y };
    const known: NodeData = { ...node, id: key(node.id), inputs, state: "alive" }; // the edges of a freed run are drawn
    this.placed.set(known.id, { element, at, node: known });
  }

  /** The picture for the keyboard: edges lead downwards, the other run stands beside. */
  ground(): Ground {
    return {
      svg: this.svg,
      downwards: true,
      ids: () => this.placed.keys(),
      nodes: () => new Map([...this.placed].map(([id, { node }]) => [id, node])),
      idOf: (target) => [...this.placed].find(([, { element }]) => element.contains(target as Node))?.[0] ?? "",
      elementOf: (id) => this.placed.get(id)?.element,
      centreOf: (id) => this.placed.get(id)?.at ?? null,
    };
  }

  /** What stands between the two columns. */
  private sign(row: Row, y: number): SVGElement[] {
    const { kind } = row;
    const { left, right, half, narrow } = this.columns;
    const text = narrow ? SIGNS[kind][1] : SIGNS[kind][0](row);
    const middle = (left + right) / 2;
    const width = Math.max(24, textWidth(text, SIGN_FONT) + 24);
    const pill = s(
      "g",
      { class: `mg-diff-sign mg-is-${kind}`, transform: `translate(${middle} ${y})`, "aria-hidden": "true" },
      rect(width, 22, 11),
      s("text", { y: 4 }, text),
    );
    if (kind === "left" || kind === "right") return [pill];
    return [s("path", { class: `mg-level mg-is-${kind}`, d: `M${left + half} ${y} H${right - half}` }), pill];
  }

  private bar(fold: Fold, y: number): SVGGElement {
    const { left, right, half } = this.columns;
    const [from, to] = this.open ? [left - half, right + half] : [left - half, left + half];
    const count = this.open ? foldText(fold) : plural(fold.count, "operation");
    const opener = fold.open ? "▾" : "▸";
    const text = `${fold.fixed ? "⋯" : opener} ${count}`;
    const reach = fold.fixed
      ? {}
      : { role: "button", tabindex: 0, "aria-expanded": String(fold.open), "data-mg-fold": fold.key };
    const group = s(
      "g",
      { class: "mg-fold", ...reach, transform: `translate(0 ${y})` },
      rect(to - from, 28, 8, undefined, (from + to) / 2),
      s("text", { x: (from + to) / 2, y: 4 }, fitWidth(text, to - from - 16, "600 12px sans-serif")),
    );
    if (fold.fixed) return group;
    listen(group, "click", () => this.toggle(fold));
    listen(group, "keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      this.toggle(fold);
    });
    return group;
  }

  /** The edges into a node, from above: they bow out further the longer they are. */
  private connect(node: NodeData | null, side: "left" | "right", lone: boolean): void {
    if (node === null) return;
    const to = this.heights[side].get(node.id);
    if (to === undefined) return;
    const { half, arcs } = this.columns;
    const out = side === "left" ? -1 : 1;
    const x = this.columns[side] + out * half;
    node.inputs.forEach((input, operand) => {
      const from = input.id === null ? undefined : this.heights[side].get(input.id);
      if (from === undefined || from >= to) return;
      const start = from + 7;
      const end = to - 7 + operand * 9;
      const tip = x + out * (lone ? POINT * (1 - Math.abs(end - to) / (HEIGHT / 2)) + 1 : 0.5);
      const begin = this.round[side].has(input.id ?? "") ? x - out * PILL : x;
      const bow = x + out * Math.min(arcs - 6, 20 + ((to - from) / STEP) * 5 + operand * 3);
      const bend = Math.min(14, (end - start) / 2);
      const away = `M${begin} ${start} H${x} Q${bow} ${start} ${bow} ${start + bend}`;
      const back = `V${end - bend} Q${bow} ${end} ${tip + out * 3} ${end}`;
      const d = `${away} ${back}`;
      const head = `M${tip + out * 8} ${end - 4} L${tip} ${end} L${tip + out * 8} ${end + 4} Z`;
      this.edges.append(
        s("g", "mg-edge", s("path", { class: "mg-line", d }), s("path", { class: "mg-head", d: head })),
      );
    });
  }

  /** In place of the right run, as long as there is a question. */
  private veil(): SVGGElement {
    const { right, half } = this.columns;
    const height = Math.max(STEP, this.bottom - HEADER);
    return s(
      "g",
      { class: "mg-veil", "aria-hidden": "true" },
      s("rect", { x: right - half, y: HEADER, width: 2 * half, height, rx: 10 }),
      s("text", { x: right, y: HEADER + Math.min(height / 2, 200) + 8 }, "?"),
    );
  }
}
