/**
 * Four lamps, one for each part of a step, and the way from one to the next. A lamp is told apart
 * by its shape and its word; the one that is lit says "now".
 */

import { s } from "../page/dom.ts";
import { KINDS, type Kind } from "./training.ts";

const SHAPES: Record<Kind, string> = {
  forward: "M-8 -9 L9 0 L-8 9 Z",
  backward: "M8 -9 L-9 0 L8 9 Z",
  step: "M0 -10 L10 0 L0 10 L-10 0 Z",
  zero: "M-9 0 A9 9 0 1 1 9 0 A9 9 0 1 1 -9 0 Z",
};
const MEANINGS: Record<Kind, string> = {
  forward: "value is used",
  backward: "grad is filled",
  step: "value is moved",
  zero: "grad is cleared",
};
const GAP = 22; // between two lamps: an arrow stands there
const LAMP = 50; // the height of one
const TOP = 12; // above the lamps: room for the word "now"

/** `narrow`: they stand in two rows. Where they end. */
export function lamps(
  group: SVGElement,
  lit: Kind | null,
  never: readonly string[],
  narrow: boolean,
  width: number,
): number {
  const columns = narrow ? 2 : KINDS.length;
  const cell = (width - 4 - (columns - 1) * GAP) / columns;
  KINDS.forEach((kind, i) => {
    const row = Math.floor(i / columns);
    // On two rows they go round: the second runs from right to left.
    const column = row === 0 ? i : KINDS.length - 1 - i;
    const lamp = lampOf(kind, cell, kind === lit, never.includes(kind));
    lamp.setAttribute("transform", `translate(${2 + column * (cell + GAP)} ${TOP + row * (LAMP + GAP)})`);
    group.append(lamp);
  });
  return narrow ? wayRound(group, cell, width) : wayBack(group, cell, width);
}

function lampOf(kind: Kind, width: number, on: boolean, never: boolean): SVGGElement {
  const off = never && !on;
  const lamp = s(
    "g",
    { class: `mg-lamp mg-lamp-${kind}${on ? " mg-lit" : ""}${off ? " mg-never" : ""}`, "data-mg-lamp": kind },
    s("rect", { width, height: LAMP, rx: 10 }),
    s("path", { d: SHAPES[kind], transform: "translate(24 25)" }),
    s("text", { class: "mg-lamp-word", x: 44, y: 22 }, kind),
    s("text", { class: "mg-small", x: 44, y: 39 }, off ? "never called" : MEANINGS[kind]),
  );
  if (on) {
    lamp.append(
      s("rect", { class: "mg-now", x: width - 46, y: -8, width: 38, height: 18, rx: 9 }),
      s("text", { class: "mg-now-word", x: width - 27, y: 5 }, "now"),
    );
  }
  return lamp;
}

const arrow = (x: number, y: number, turn: number): SVGElement =>
  s("path", { class: "mg-way", d: "M-6 0 H5 M1 -4 L6 0 L1 4", transform: `translate(${x} ${y}) rotate(${turn})` });

/** Through two rows, in a circle. */
function wayRound(group: SVGElement, cell: number, width: number): number {
  const firstRow = TOP + LAMP / 2;
  const between = TOP + LAMP + GAP / 2;
  group.append(
    arrow(width / 2, firstRow, 0),
    arrow(width - 2 - cell / 2, between, 90),
    arrow(width / 2, firstRow + LAMP + GAP, 180),
    arrow(2 + cell / 2, between, -90),
  );
  return TOP + 2 * LAMP + GAP;
}

/** Along one row, and below it from the last lamp back to the first. */
function wayBack(group: SVGElement, cell: number, width: number): number {
  for (let i = 1; i < KINDS.length; i += 1) group.append(arrow(2 + i * (cell + GAP) - GAP / 2, TOP + LAMP / 2, 0));
  const from = width - 2 - cell / 2;
  const to = 2 + cell / 2;
  const foot = TOP + LAMP;
  const floor = foot + 12;
  const way = `M${from} ${foot + 2} V${floor} H${to} V${foot + 4}`;
  const head = `M${to - 4} ${foot + 8} L${to} ${foot + 3} L${to + 4} ${foot + 8}`;
  group.append(s("path", { class: "mg-way", d: `${way} ${head}` }));
  return floor;
}
