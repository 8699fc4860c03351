/**
 * One node as SVG: a rounded box with an operator badge for an operation, a pill for a
 * leaf, a dashed pill for data that needs no gradient. Built once; later only what changes
 * is written.
 */

import { handle, label, tooltip } from "../data/node_words.ts";
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

/** A box with a badge for an operation, a pill for everything else. */
export const operationOrPill = (node: NodeData): SVGElement[] => (node.kind === "op" ? operation(node) : pill(node));

function operation(node: NodeData): SVGElement[] {
  const { width, height } = OP_BOX;
  const textLeft = 46 - width / 2;
  const name = node.names[0];
  const formula = pretty(node.formula || node.op);
  const room = width - 46 - 9;
  const line = s("text", { x: textLeft, y: -4, class: "mg-formula" });
  if (name === undefined) {
    line.append(fitWidth(formula, room, FONTS.formula));
  } else {
    const shown = fitWidth(name, room, FONTS.name);
    line.append(s("tspan", "mg-name", shown));
    const left = room - textWidth(shown, FONTS.name);
    const rest = fitWidth(` = ${formula}`, left, FONTS.formula);
    // Half a formula says less than none when only a letter or two would be left.
    if (rest.length > 5 || rest === ` = ${formula}`) line.append(rest);
  }
  return [
    rect(width, height, 12, "mg-box"),
    rect(32, 30, 9, "mg-badge", textLeft - 23),
    symbol(node.symbol || node.op, textLeft - 23),
    line,
    s("text", { x: textLeft, y: 16, class: "mg-value" }, fitWidth(short(node.value, 13), room, FONTS.value)),
  ];
}

export function symbol(text: string, x: number): SVGElement {
  const shown = fit(text, 6);
  const small = shown.length > 2;
  // A long word is squeezed into the badge; glyphs for + and × get their natural size.
  const squeeze = shown.length > 4 ? { textLength: 28, lengthAdjust: "spacingAndGlyphs" } : {};
  return s("text", { x, y: small ? 3.5 : 6, class: small ? "mg-symbol mg-word" : "mg-symbol", ...squeeze }, shown);
}

function pill(node: NodeData): SVGElement[] {
  const { width, height } = boxSize(node.kind);
  return [
    rect(width, height, height / 2, "mg-box"),
    s("text", { y: -2, class: "mg-name mg-middle" }, fitWidth(handle(node), width - 28, FONTS.name)),
    s("text", { y: 15, class: "mg-value mg-middle" }, fitWidth(short(node.value, 13), width - 16, FONTS.value)),
  ];
}
