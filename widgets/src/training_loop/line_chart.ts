/** A line chart as SVG: the loss, the norms of the gradients, and the two runs of an experiment. */

import { asNumber, type Scalar } from "../data/numbers.ts";
import { s } from "../page/dom.ts";
import { textWidth } from "../page/text_width.ts";
import { powers, signed, ticks, type Point } from "./training.ts";

export interface Line {
  name: string; // "" for the only one
  points: readonly Point[];
  mean?: readonly Point[] | undefined; // drawn over the points, which are pale then
}

export interface ChartOptions {
  title: string;
  note?: string; // a line below the title
  x: number;
  y: number;
  width: number;
  height: number;
  log?: boolean;
  cursor?: number | null; // a step to mark
  from?: number; // the first step: 1, if it is not given
  axis?: string; // what stands below the steps
  level?: Scalar; // a value to mark
  unit?: string; // what is counted: step, if it is not given
  empty?: string | undefined; // what is said where there is nothing to draw
  below?: boolean; // do the names stand below, with a piece of their line, or at the lines' ends?
}

const LEFT = 50;
const TITLE = 26; // the height of the title
const NOTE = 16; // and of the line below it
const BOTTOM = 24;
const LINE = 14; // between two names at the right
const AXIS = 15; // the height of the axis' name
const ROW = 18; // and of a row of names
const SAMPLE = 30; // the width of a piece of line and the room after it
const SMALL = "12px system-ui, sans-serif";

/** The names of a chart in rows, as they stand below it. */
function inRows(names: readonly string[], width: number): { row: number; x: number }[] {
  let row = 0;
  let next = 0;
  return names.map((name) => {
    const wide = SAMPLE + textWidth(name, SMALL);
    if (next > 0 && next + wide > width) {
      row += 1;
      next = 0;
    }
    const x = next;
    next += wide + 16;
    return { row, x };
  });
}

/** How much higher a chart is with these names below it. */
export function belowHeight(names: readonly string[], width: number): number {
  return names.length === 0 ? 0 : 6 + ROW * (1 + (inRows(names, width).at(-1)?.row ?? 0));
}

/** Where steps and values stand in the field of a chart. */
interface Scale {
  top: number;
  inner: number; // the field's width
  depth: number; // its height
  from: number; // the first step
  last: number;
  low: number; // the least value
  high: number;
  log: boolean;
}

const round = (pixel: number): number => Math.round(pixel * 10) / 10;

const xOf = ({ inner, from, last }: Scale, step: number): number => LEFT + ((step - from) / (last - from)) * inner;

function yOf({ top, depth, low, high, log }: Scale, value: number): number {
  const shape = log ? Math.log10 : (v: number): number => v;
  return top + depth * (1 - (shape(value) - shape(low)) / (shape(high) - shape(low)));
}

const drawable = ({ log }: Scale, value: number): boolean => Number.isFinite(value) && (!log || value > 0);

const colour = (index: number): number => index % 6;

export function chart(lines: readonly Line[], options: ChartOptions): SVGGElement {
  const { title, note = "", x, y, below = false } = options;
  const finite = lines.flatMap((line) => line.points.map(([, value]) => asNumber(value)).filter(Number.isFinite));
  const positive = finite.filter((value) => value > 0);
  const log = options.log === true && positive.length > 1;
  const values = log ? positive : finite;
  const heading = s("text", { class: "mg-chart-title", x: 0, y: 13 }, `${title}${log ? ", logarithmic" : ""}`);
  const group = s("g", { class: "mg-chart", transform: `translate(${x} ${y})` }, heading);
  if (values.length === 0) {
    group.append(s("text", { class: "mg-small", x: LEFT, y: TITLE + 24 }, options.empty ?? "no numbers yet"));
    return group;
  }
  if (note !== "") group.append(s("text", { class: "mg-small mg-chart-note", x: 0, y: TITLE + 4 }, note));
  const scale = scaleOf(lines, options, values, log);
  group.append(...valueTicks(scale), ...stepTicks(scale, options.axis ?? ""));
  const level = asNumber(options.level ?? "nan");
  if (Number.isFinite(level)) {
    const at = round(yOf(scale, level));
    group.append(s("line", { class: "mg-level", x1: LEFT, x2: LEFT + scale.inner, y1: at, y2: at }));
  }
  group.append(...curves(lines, scale));
  group.append(...(below ? namesBelow(lines, options, scale) : namesAtEnds(lines, scale)));
  if (lines.length === 1) group.append(...firstOdd(lines[0]!, scale, options.unit ?? "step"));
  const { cursor } = options;
  if (cursor !== null && cursor !== undefined && cursor <= scale.last) {
    group.append(upright("mg-cursor", round(xOf(scale, cursor)), scale));
  }
  return group;
}

/** The lines that have a name and something to draw, with their places in the list. */
const named = (lines: readonly Line[]): { name: string; index: number }[] =>
  lines.flatMap(({ name, points }, index) => (name !== "" && points.length > 0 ? [{ name, index }] : []));

function scaleOf(lines: readonly Line[], options: ChartOptions, values: readonly number[], log: boolean): Scale {
  const { width, note = "", from = 1, axis = "", below = false } = options;
  const names = named(lines).map(({ name }) => name);
  const height = options.height - (below ? belowHeight(names, width) : 0) - (axis === "" ? 0 : AXIS);
  const top = TITLE + (note === "" ? 0 : NOTE);
  const right = below || names.length === 0 ? 18 : Math.max(...names.map((name) => textWidth(name, SMALL))) + 14;
  const last = Math.max(from + 1, ...lines.map((line) => line.points.at(-1)?.[0] ?? 1));
  const [low, high] = rangeOf(values, log);
  return { top, inner: Math.max(40, width - LEFT - right), depth: height - top - BOTTOM, from, last, low, high, log };
}

/** From the least value to the largest; from zero, if that is not far. */
function rangeOf(values: readonly number[], log: boolean): [low: number, high: number] {
  const low = values.reduce((a, b) => Math.min(a, b));
  const high = values.reduce((a, b) => Math.max(a, b));
  if (!log && low > 0 && low < 0.6 * high) return [0, high];
  if (low < high) return [low, high];
  return log ? [low / 2, high * 2] : [low - 0.5, high + 0.5];
}

function valueTicks(scale: Scale): SVGElement[] {
  const { low, high, inner } = scale;
  return (scale.log ? powers(low, high) : ticks(low, high)).flatMap((tick) => {
    const at = round(yOf(scale, tick));
    return [
      s("line", { class: "mg-grid", x1: LEFT, x2: LEFT + inner, y1: at, y2: at }),
      s("text", { class: "mg-small mg-end", x: LEFT - 6, y: at + 4 }, signed(tick)),
    ];
  });
}

function stepTicks(scale: Scale, axis: string): SVGElement[] {
  const { from, last, inner } = scale;
  const y = scale.top + scale.depth + 17;
  const later = ticks(from, last, inner < 200 ? 2 : 4).filter((step) => Number.isInteger(step) && step > from);
  const marks = [from, ...later].map((tick) =>
    s("text", { class: "mg-small mg-middle", x: round(xOf(scale, tick)), y }, tick.toLocaleString("en")),
  );
  if (axis === "") return marks;
  return [...marks, s("text", { class: "mg-small mg-middle", x: round(LEFT + inner / 2), y: y + AXIS }, axis)];
}

/** The points as the data of a path; where a value cannot be drawn, the pen is lifted. */
function pathOf(points: readonly Point[], scale: Scale): string {
  let path = "";
  let pen = false;
  for (const [step, raw] of points) {
    const value = asNumber(raw);
    const draws = drawable(scale, value);
    if (draws) path += `${pen ? "L" : "M"}${round(xOf(scale, step))} ${round(yOf(scale, value))}`;
    pen = draws;
  }
  return path;
}

function curves(lines: readonly Line[], scale: Scale): SVGElement[] {
  const under: SVGElement[] = [];
  const halos: SVGElement[] = []; // room around the means, which stand above all pale curves
  const means: SVGElement[] = [];
  lines.forEach((line, index) => {
    const d = pathOf(line.points, scale);
    if (d === "") return;
    const look = `mg-curve mg-curve-${colour(index)}`;
    const mean = pathOf(line.mean ?? [], scale);
    if (mean === "") {
      under.push(s("path", { class: look, d }));
      return;
    }
    under.push(s("path", { class: `${look} mg-pale`, d }));
    halos.unshift(s("path", { class: "mg-halo", d: mean }));
    means.push(s("path", { class: `${look} mg-mean`, d: mean }));
  });
  return [...under, ...halos, ...means];
}

/** Each name beside the end of its line; names that would cover each other move apart. */
function namesAtEnds(lines: readonly Line[], scale: Scale): SVGElement[] {
  const ends = named(lines).flatMap(({ name, index }) => {
    const { points, mean = [] } = lines[index]!;
    const drawn = pathOf(mean, scale) === "" ? points : mean;
    const end = drawn.findLast(([, value]) => drawable(scale, asNumber(value)));
    return end ? [{ name, index, at: yOf(scale, asNumber(end[1])) + 4 }] : [];
  });
  ends.sort((a, b) => a.at - b.at);
  for (let i = 1; i < ends.length; i += 1) ends[i]!.at = Math.max(ends[i]!.at, ends[i - 1]!.at + LINE);
  // Those that were moved beyond the field go back into it, and push the others up.
  const beyond = (ends.at(-1)?.at ?? 0) - (scale.top + scale.depth);
  if (beyond > 0) for (const end of ends) end.at -= beyond;
  for (let i = ends.length - 2; i >= 0; i -= 1) ends[i]!.at = Math.min(ends[i]!.at, ends[i + 1]!.at - LINE);
  const x = LEFT + scale.inner + 8;
  return ends.map(({ name, at, index }) =>
    s("text", { class: `mg-small mg-curve-name-${colour(index)}`, x, y: round(at) }, name),
  );
}

/** The names below the chart, each with a piece of its line. */
function namesBelow(lines: readonly Line[], { width, axis = "" }: ChartOptions, scale: Scale): SVGElement[] {
  const all = named(lines);
  const rows = inRows(
    all.map(({ name }) => name),
    width,
  );
  const first = scale.top + scale.depth + BOTTOM + (axis === "" ? 0 : AXIS) + 6;
  return all.flatMap(({ name, index }, i) => {
    const { row, x } = rows[i]!;
    const top = first + row * ROW;
    return [
      s("path", { class: `mg-curve mg-curve-${colour(index)} mg-mean`, d: `M${round(x)} ${top + 8}h${SAMPLE - 7}` }),
      s("text", { class: `mg-small mg-curve-name-${colour(index)}`, x: round(x + SAMPLE), y: top + 12 }, name),
    ];
  });
}

/** Where the line first is no number, or infinite. */
function firstOdd({ points }: Line, scale: Scale, unit: string): SVGElement[] {
  const odd = points.find(([, value]) => !Number.isFinite(asNumber(value)));
  if (odd === undefined) return [];
  const [step, value] = odd;
  const x = round(xOf(scale, step));
  const text = `${value} at ${unit} ${step.toLocaleString("en")}`;
  const y = scale.top + 12;
  const onTheRight = x > LEFT + scale.inner / 2;
  const words = onTheRight
    ? s("text", { class: "mg-small mg-alarm mg-end", x: x - 5, y }, text)
    : s("text", { class: "mg-small mg-alarm", x: x + 5, y }, text);
  return [upright("mg-odd-line", x, scale), words];
}

/** A line through the whole height of the field. */
const upright = (className: string, x: number, { top, depth }: Scale): SVGElement =>
  s("line", { class: className, x1: x, x2: x, y1: top, y2: top + depth });
