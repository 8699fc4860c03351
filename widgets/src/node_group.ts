/**
 * One node as SVG: a rounded box with an operator badge for an operation, a pill for a
 * leaf, a dashed pill for data that needs no gradient. Built once; later only what changes
 * is written.
 */

import { s } from "./dom.ts";
import { boxSize, OP_BOX } from "./geometry.ts";
import { fitWidth, FONTS, textWidth } from "./measure.ts";
import type { NodeData } from "./tape.ts";
import { fit, handle, label, pretty, tooltip } from "./text.ts";
import { short } from "./values.ts";

export interface Mark {
  chip: string; // "grad 7", or "" for none
  visited: boolean;
  current: boolean;
  secret: boolean;
}

export class NodeGroup {
  readonly element: SVGGElement;
  private readonly shape: SVGGElement;
  private readonly tip = s("title");
  private chip: SVGGElement | null = null;
  private tick: SVGGElement | null = null;

  constructor(
    public data: NodeData,
    hue: number | null,
    private readonly marksState: boolean,
  ) {
    this.shape = s("g", { class: "mg-node-shape" });
    this.element = s("g", { class: "mg-node", role: "img", "data-mg-node": data.id }, this.tip, this.shape);
    if (hue !== null) this.element.style.setProperty("--mg-hue", String(hue));
    this.update(data);
  }

  update(data: NodeData): void {
    this.data = data;
    const { dataset } = this.element;
    dataset.kind = data.kind;
    dataset.state = data.state;
    if (data.kind === "op") {
      dataset.op = data.op;
      dataset.formula = data.formula;
    }
    if (data.names[0] === undefined) delete dataset.name;
    else dataset.name = data.names[0];
    this.element.setAttribute("aria-label", label(data));
    this.tip.textContent = tooltip(data);
    this.shape.replaceChildren(...(data.kind === "op" ? operation(data) : pill(data)));
    if (this.marksState) this.shape.append(...tags(data));
  }

  moveTo(x: number, y: number): void {
    this.element.style.transform = `translate(${x}px, ${y}px)`;
  }

  mark(mark: Mark): void {
    this.element.classList.toggle("mg-current", mark.current);
    this.element.classList.toggle("mg-visited", mark.visited);
    this.tick = toggle(this.element, this.tick, mark.visited, () => tick(this.data.kind));
    this.chip?.remove();
    this.chip = mark.chip === "" ? null : chip(mark, boxSize(this.data.kind).height / 2);
    if (this.chip !== null) this.element.append(this.chip);
    this.element.setAttribute(
      "aria-label",
      [label(this.data), mark.chip, mark.visited ? "visited" : ""].filter((part) => part !== "").join(", "),
    );
  }
}

function toggle(parent: Element, element: SVGGElement | null, on: boolean, make: () => SVGGElement): SVGGElement | null {
  if (on && element === null) {
    const made = make();
    parent.append(made);
    return made;
  }
  if (!on) element?.remove();
  return on ? element : null;
}

function operation(node: NodeData): SVGElement[] {
  const { width, height } = OP_BOX;
  const left = -width / 2;
  const textLeft = left + 46;
  const name = node.names[0];
  const formula = pretty(node.formula || node.op);
  const room = width - 46 - 9;
  const line = s("text", { x: textLeft, y: -4, class: "mg-formula" });
  if (name === undefined) {
    line.append(fitWidth(formula, room, FONTS.formula));
  } else {
    const shown = fitWidth(name, room, FONTS.name);
    line.append(s("tspan", { class: "mg-name" }, shown));
    const left = room - textWidth(shown, FONTS.name);
    const rest = fitWidth(` = ${formula}`, left, FONTS.formula);
    // Half a formula says less than none when only a letter or two would be left.
    if (rest.length > 5 || rest === ` = ${formula}`) line.append(rest);
  }
  return [
    s("rect", { class: "mg-box", x: left, y: -height / 2, width, height, rx: 12 }),
    s("rect", { class: "mg-badge", x: left + 7, y: -15, width: 32, height: 30, rx: 9 }),
    symbol(node.symbol || node.op, left + 23),
    line,
    s("text", { x: textLeft, y: 16, class: "mg-value" }, fitWidth(short(node.value, 13), room, FONTS.value)),
  ];
}

function symbol(text: string, x: number): SVGElement {
  const shown = fit(text, 6);
  const small = shown.length > 2;
  // A long word is squeezed into the badge; glyphs for + and × get their natural size.
  const squeeze = shown.length > 4 ? { textLength: 28, lengthAdjust: "spacingAndGlyphs" } : {};
  return s("text", { x, y: small ? 3.5 : 6, class: small ? "mg-symbol mg-word" : "mg-symbol", ...squeeze }, shown);
}

function pill(node: NodeData): SVGElement[] {
  const { width, height } = boxSize(node.kind);
  const rx = height / 2;
  return [
    s("rect", { class: "mg-box", x: -width / 2, y: -height / 2, width, height, rx }),
    s("text", { x: 0, y: -2, class: "mg-name mg-middle" }, fitWidth(handle(node), width - 28, FONTS.name)),
    s("text", { x: 0, y: 15, class: "mg-value mg-middle" }, fitWidth(short(node.value, 13), width - 16, FONTS.value)),
  ];
}

const STATE_WORDS = { alive: "", spent: "spent", gone: "freed" } as const;

/** The cell that made the node, on its upper edge; its state, on its lower edge. */
function tags(node: NodeData): SVGElement[] {
  const { width, height } = boxSize(node.kind);
  const result: SVGElement[] = [];
  if (node.cell !== "") {
    const text = fit(node.cell, 10);
    const inset = node.kind === "op" ? 10 : 4;
    result.push(tag("mg-tag", text, width / 2 - inset - tagWidth(text) / 2, -height / 2 - 3));
  }
  const word = STATE_WORDS[node.state];
  if (word !== "") result.push(tag("mg-state", word, 0, height / 2 + 3));
  return result;
}

const tagWidth = (text: string): number => text.length * 5.6 + 12;

function tag(className: string, text: string, x: number, y: number): SVGElement {
  const width = tagWidth(text);
  return s(
    "g",
    { class: className, transform: `translate(${x} ${y})` },
    s("rect", { x: -width / 2, y: -8, width, height: 16, rx: 8 }),
    s("text", { y: 3.5 }, text),
  );
}

function chip(mark: Mark, y: number): SVGGElement {
  const width = mark.chip.length * 6.7 + 16;
  return s(
    "g",
    { class: mark.secret ? "mg-chip mg-secret" : "mg-chip", transform: `translate(0 ${y + 5})` },
    s("rect", { x: -width / 2, y: -9, width, height: 18, rx: 9 }),
    s("text", { y: 4 }, mark.chip),
  );
}

function tick(kind: NodeData["kind"]): SVGGElement {
  const { width, height } = boxSize(kind);
  const inset = kind === "op" ? 3 : 10;
  return s(
    "g",
    { class: "mg-tick", transform: `translate(${width / 2 - inset} ${-height / 2 + 2})` },
    s("circle", { r: 9 }),
    s("path", { d: "M-4 0 L-1 3 L4 -3.5" }),
  );
}
