/**
 * One node as SVG: a rounded box with an operator badge for an operation, a pill for a
 * leaf, a dashed pill for data that needs no gradient. Built once; later only what changes
 * is written.
 */

import { also, handle, label, tooltip } from "../data/node_words.ts";
import { short } from "../data/numbers.ts";
import type { NodeData } from "../data/tape.ts";
import { fit, pretty } from "../data/text.ts";
import { rect, s } from "../page/dom.ts";
import { fitWidth, FONTS, textWidth } from "../page/text_width.ts";
import { boxSize, OP_BOX } from "./pixels.ts";

export class NodeGroup {
  readonly element: SVGGElement;
  readonly #shape: SVGGElement;
  #tip: SVGTitleElement | undefined;
  readonly #draw: (node: NodeData) => SVGElement[];

  constructor(
    public data: NodeData,
    draw: (node: NodeData) => SVGElement[],
  ) {
    this.#draw = draw;
    this.#shape = s("g", "mg-node-shape");
    this.element = s("g", { class: "mg-node", role: "img", "data-mg-node": data.id }, this.#shape);
    this.update(data);
  }

  update(data: NodeData): void {
    this.data = data;
    const { dataset } = this.element;
    dataset.kind = data.kind === "sign" ? "op" : data.kind;
    dataset.state = data.state;
    if (data.op !== "") dataset.op = data.op;
    if (data.names[0] === undefined) delete dataset.name;
    else dataset.name = data.names[0];
    this.element.ariaLabel = label(data);
    if (this.#tip) this.#tip.textContent = tooltip(data);
    this.#shape.replaceChildren(...this.#draw(data));
  }

  /** The tooltip is made when the pointer comes: most nodes never need theirs. */
  hover(): void {
    if (this.#tip) return;
    this.#tip = s("title", {}, tooltip(this.data));
    this.element.prepend(this.#tip);
  }

  moveTo(x: number, y: number): void {
    this.element.style.transform = `translate(${x}px, ${y}px)`;
  }
}

/** The node that an element of the picture belongs to; "" for none. */
export const idOf = (target: EventTarget | null): string =>
  (target as Element | null)?.closest<SVGElement>("[data-mg-node]")?.dataset.mgNode ?? "";

/** A box with a badge for an operation, sheets for many of them, a pill for everything else. */
export function operationOrPill(node: NodeData): SVGElement[] {
  if (node.kind === "box") return sheets(node);
  return node.kind === "op" || node.kind === "failed" ? operation(node) : pill(node);
}

/** Three sheets on top of each other: where the folded operations stand, and how many. */
function sheets(node: NodeData): SVGElement[] {
  const { width, height } = OP_BOX;
  const sheet = (shift: number): SVGElement => rect(width - 2 * shift, height, 6, "mg-box", 0, -shift);
  const [, where = "", times = ""] = /^(.*?)(?:, (\d+ times))?$/.exec(node.formula) ?? [];
  const lines = [where, node.note ?? times, node.numbers.replace(/ and .*/, "")].filter((line) => line !== "");
  const text = (line: string, index: number): SVGElement =>
    s(
      "text",
      { y: 4 + 16 * (index - (lines.length - 1) / 2), class: `mg-box-line mg-middle${index === 0 ? " mg-first" : ""}` },
      fit(line, 22),
    );
  return [sheet(8), sheet(4), sheet(0), ...lines.map(text)];
}


function operation(node: NodeData): SVGElement[] {
  const { width, height } = OP_BOX;
  const left = 44 - width / 2;
  const room = width - 44 - 8;
  const name = node.names[0];
  const formula = pretty(node.formula || node.op);
  const value = node.kind === "failed" ? node.numbers : short(node.value, 13);
  const line = (y: number, className: string, text: string, font: string): SVGTextElement =>
    fitted(text, { x: left, y, class: className }, room, font);
  const body: SVGElement[] = [rect(width, height, 12, "mg-box"), rect(32, 30, 9, "mg-badge", left - 22)];
  body.push(symbol(node.symbol || node.op, left - 22));
  if (name === undefined) {
    return [...body, line(-4, "mg-formula", formula, FONTS.formula), line(16, "mg-value", value, FONTS.value)];
  }
  const rest = ` = ${formula}`;
  if (textWidth(name, FONTS.name) + textWidth(rest, FONTS.formula) <= room) {
    const both = s("text", { x: left, y: -4, class: "mg-formula" }, s("tspan", "mg-name", name), rest);
    return [...body, both, line(16, "mg-value", value, FONTS.value)];
  }
  // What does not fit on one line has two: neither the name nor the formula is lost.
  return [
    ...body,
    line(-12, "mg-name", name, FONTS.name),
    line(5, "mg-formula mg-second", `= ${formula}`, FONTS.second),
    line(21, "mg-value", value, FONTS.value),
  ];
}

const TIGHTEST = 0.7; // letters may be made so much narrower before the text is cut

/** A line of text that has this much room: drawn together a little, or else cut. */
export function fitted(
  text: string,
  attributes: Record<string, string | number>,
  room: number,
  font: string,
): SVGTextElement {
  const shown = fitWidth(text, room / TIGHTEST, font);
  const squeeze = textWidth(shown, font) > room ? { textLength: room, lengthAdjust: "spacingAndGlyphs" } : {};
  return s("text", { ...attributes, ...squeeze }, shown);
}

/** The sign or the short word of an operation, in a badge that has so much `room`. */
export function symbol(text: string, x: number, room = 28): SVGElement {
  const shown = fit(text, 7);
  const small = shown.length > 2;
  // What is wider than the badge is squeezed into it; glyphs for + and × get their natural size.
  const isWide = textWidth(shown, small ? FONTS.word : FONTS.sign) > room;
  const squeeze = isWide ? { textLength: room, lengthAdjust: "spacingAndGlyphs" } : {};
  return s("text", { x, y: small ? 3.5 : 6, class: small ? "mg-symbol mg-word" : "mg-symbol", ...squeeze }, shown);
}

/** `second` stands below the name: the value, or what else is to be said. */
export function pill(node: NodeData, second?: SVGElement): SVGElement[] {
  const { width, height } = boxSize(node.kind);
  const room = width - 18;
  const other = also(node);
  const at = other === "" ? { name: -2, value: 15 } : { name: -11, value: 18 };
  const middle = { y: at.value, class: "mg-value mg-middle" };
  const line = fitted(other, { y: 4, class: "mg-formula mg-second mg-middle" }, room, FONTS.second);
  return [
    rect(width, other === "" ? height : OP_BOX.height, height / 2, "mg-box"),
    fitted(handle(node), { y: at.name, class: "mg-name mg-middle" }, room, FONTS.name),
    ...(other === "" ? [] : [line]),
    second ?? fitted(short(node.value, 13), middle, room, FONTS.value),
  ];
}
