/**
 * The picture of a training: four lamps around one number, the loss, and the norms of the
 * gradients. A lamp is told apart by its shape and its word; the one that is lit says "now".
 */

import { s } from "../page/dom.ts";
import { fitWidth } from "../page/text_width.ts";
import { belowHeight, chart } from "./line_chart.ts";
import { formula, gapText, gradText, KINDS, meanText, signed, stepText, unitOf, type Course, type Kind, type TrainingEvent } from "./training.ts";

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
const NARROW = 520;
const MOST_LINES = 6; // norms drawn; the table has all
const LONGEST = 18; // letters of a name at the end of its line; longer ones stand below the chart
const CODE = '600 13px ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace';
const WORDS = "15px system-ui, sans-serif";

/** `seen`: the event that is shown. `marked`: does the cursor stand in the charts? */
export function drawing(course: Course, seen: TrainingEvent | null, marked: boolean, width: number): SVGSVGElement {
  const narrow = width < NARROW;
  const group = s("g", {});
  let y = lamps(group, seen?.kind ?? null, course.never ?? [], narrow, width) + 14;
  y = numbers(group, course, seen, narrow, width, y) + 18;
  const half = narrow ? width : Math.floor((width - 24) * 0.46);
  const [over, overNorms] = course.windows ?? [0, 0];
  const height = (narrow ? 170 : 200) + (over || overNorms ? 16 : 0);
  const unit = unitOf(course);
  const done = course.state !== "running" && course.state !== "ready";
  const both = { height, cursor: marked && seen ? seen.step : null, unit };
  const noLoss = done ? { empty: "no backward pass, no loss" } : {};
  group.append(chart([{ name: "", points: course.loss, mean: course.loss_mean }], { title: `loss at each ${unit}`, note: meanText(course, over), x: 0, y, width: half, ...both, ...noLoss }));
  const shown = course.norms.filter((layer) => layer.points.some(([, value]) => Number.isFinite(Number(value))));
  const lines = chosen(shown);
  const title = `norm of each parameter’s grad${shown.length > MOST_LINES ? ` (${MOST_LINES} of ${shown.length})` : ""}`;
  const place = narrow ? { x: 0, y: y + height + 12, width } : { x: half + 24, y, width: width - half - 24 };
  const names = lines.map(({ name }) => name);
  const below = narrow || names.some((name) => name.length > LONGEST);
  const more = below ? belowHeight(names, place.width) : 0;
  const noNorm = done ? { empty: "no grad" } : {};
  const norms = chart(lines, { title, note: meanText(course, overNorms), ...place, ...both, ...noNorm, height: height + more, below, log: true });
  norms.classList.add("mg-norms");
  group.append(norms);
  y += more;
  y += (narrow ? 2 * height + 12 : height) + 4;
  return s("svg", { class: "mg-training-svg", viewBox: `0 0 ${width} ${y}`, width, height: y, role: "img", "aria-label": described(course, seen) }, group);
}

/** The first and the last layers, and some between. */
function chosen(layers: Course["norms"]): Course["norms"] {
  if (layers.length <= MOST_LINES) return layers;
  const every = (layers.length - 1) / (MOST_LINES - 1);
  return Array.from({ length: MOST_LINES }, (_, i) => layers[Math.round(i * every)]!);
}

function described(course: Course, seen: TrainingEvent | null): string {
  const lit = seen === null ? "No lamp is lit" : `The lamp ${seen.kind} is lit`;
  const never = (course.never ?? []).map((kind) => `; ${kind} was never called`).join("");
  return `${lit}${never}; value and grad of ${course.parameter}; the loss and the norms of the gradients over ${course.steps.toLocaleString("en")} ${course.unit === "pass" ? "backward passes" : "steps"}${means(course)}. The table has the numbers.`;
}

function means({ windows }: Course): string {
  const [loss, norms] = (windows ?? []).map((size) => size.toLocaleString("en"));
  const both = (windows ?? []).filter((size) => size > 0);
  if (both.length === 0) return "";
  if (both.length === 2 && loss !== norms) return `, with thick lines for the means of ${loss} steps of the loss and ${norms} of the norms`;
  return `, with thick lines for the means of ${both[0]!.toLocaleString("en")} steps`;
}

function lamps(group: SVGElement, lit: Kind | null, never: string[], narrow: boolean, width: number): number {
  const columns = narrow ? 2 : 4;
  const cell = (width - 4 - (columns - 1) * GAP) / columns;
  KINDS.forEach((kind, i) => {
    const row = Math.floor(i / columns);
    // On two rows they go round: the second runs from right to left.
    const column = row === 0 ? i : KINDS.length - 1 - i;
    const x = 2 + column * (cell + GAP);
    const y = TOP + row * (LAMP + GAP);
    const on = kind === lit;
    const off = !on && never.includes(kind);
    const lamp = s(
      "g",
      { class: `mg-lamp mg-lamp-${kind}${on ? " mg-lit" : ""}${off ? " mg-never" : ""}`, transform: `translate(${x} ${y})`, "data-mg-lamp": kind },
      s("rect", { width: cell, height: LAMP, rx: 10 }),
      s("path", { d: SHAPES[kind], transform: "translate(24 25)" }),
      s("text", { class: "mg-lamp-word", x: 44, y: 22 }, kind),
      s("text", { class: "mg-small", x: 44, y: 39 }, off ? "never called" : MEANINGS[kind]),
    );
    if (on) {
      lamp.append(s("rect", { class: "mg-now", x: cell - 46, y: -8, width: 38, height: 18, rx: 9 }), s("text", { class: "mg-now-word", x: cell - 27, y: 5 }, "now"));
    }
    group.append(lamp);
  });
  const arrow = (x: number, y: number, turn: number): void => {
    group.append(s("path", { class: "mg-way", d: "M-6 0 H5 M1 -4 L6 0 L1 4", transform: `translate(${x} ${y}) rotate(${turn})` }));
  };
  const middle = TOP + LAMP / 2;
  if (narrow) {
    const below = middle + LAMP + GAP;
    arrow(width / 2, middle, 0);
    arrow(width - 2 - cell / 2, TOP + LAMP + GAP / 2, 90);
    arrow(width / 2, below, 180);
    arrow(2 + cell / 2, TOP + LAMP + GAP / 2, -90);
    return TOP + 2 * LAMP + GAP;
  }
  for (let i = 0; i < 3; i += 1) arrow(2 + (i + 1) * (cell + GAP) - GAP / 2, middle, 0);
  const [from, to, floor] = [width - 2 - cell / 2, 2 + cell / 2, TOP + LAMP + 12];
  group.append(s("path", { class: "mg-way", d: `M${from} ${TOP + LAMP + 2} V${floor} H${to} V${TOP + LAMP + 4} M${to - 4} ${TOP + LAMP + 8} L${to} ${TOP + LAMP + 3} L${to + 4} ${TOP + LAMP + 8}` }));
  return floor;
}

/** The number: what it is, its gradient, and what just happened to it. */
function numbers(group: SVGElement, course: Course, seen: TrainingEvent | null, narrow: boolean, width: number, y: number): number {
  const height = narrow ? 144 : 74;
  group.append(s("rect", { class: "mg-panel", x: 2, y, width: width - 4, height, rx: 10 }));
  // While it runs, how far it has come stands above, and runs ahead of the lamps.
  const step = seen === null || course.state === "running" ? "" : `${stepText(course, seen)}. `;
  const gap = seen === null ? "" : gapText(course, course.events.indexOf(seen));
  const words = `${step}${gap === "" ? "One number of the model:" : `${gap}.`}`;
  // A narrow window gives the name a line of its own: it must not be cut off.
  const title = narrow ? [words, course.parameter] : [`${words} ${course.parameter}`];
  title.forEach((text, row) => {
    group.append(s("text", { class: "mg-small mg-code", x: 16, y: y + 20 + 18 * row }, fitWidth(text, width - 40, CODE)));
  });
  if (narrow) y += 18;
  const column = narrow ? (width - 32) / 2 : Math.min(150, (width - 32) * 0.2);
  const number = (x: number, word: string, text: string, className: string): void => {
    group.append(s("text", { class: "mg-small", x, y: y + 40 }, word), s("text", { class: `mg-big ${className}`, x, y: y + 62 }, text));
  };
  number(16, "value", seen === null ? "–" : signed(seen.value), "mg-is-value");
  number(16 + column, "grad", seen === null ? "–" : gradText(seen.grad), "mg-is-grad");
  if (seen !== null) {
    const [rule, detail] = formula(seen, course.optimizer);
    const x = narrow ? 16 : 16 + 2 * column;
    const top = narrow ? y + 90 : y + 40;
    const room = width - x - 14;
    group.append(s("text", { class: "mg-rule", x, y: top }, fitWidth(rule, room, WORDS)), s("text", { class: "mg-detail", x, y: top + 22 }, fitWidth(detail, room, CODE)));
  }
  return y + height - (narrow ? 18 : 0);
}
