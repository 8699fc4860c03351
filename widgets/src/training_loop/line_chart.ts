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
  empty?: string; // what is said where there is nothing to draw
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
  let [row, x] = [0, 0];
  return names.map((name) => {
    const wide = SAMPLE + textWidth(name, SMALL) + 16;
    if (x > 0 && x + wide - 16 > width) [row, x] = [row + 1, 0];
    x += wide;
    return { row, x: x - wide };
  });
}

/** How much higher a chart is with these names below it. */
export function belowHeight(names: readonly string[], width: number): number {
  return names.length === 0 ? 0 : 6 + ROW * (1 + (inRows(names, width).at(-1)?.row ?? 0));
}

export function chart(lines: readonly Line[], options: ChartOptions): SVGGElement {
  const { title, note = "", x, y, width, cursor, from = 1, axis = "", below = false } = options;
  let TOP = TITLE;
  const group = s("g", { class: "mg-chart", transform: `translate(${x} ${y})` });
  const named = lines.flatMap(({ name, points }, index) => (name !== "" && points.length > 0 ? [{ name, index }] : []));
  const names = named.map(({ name }) => name);
  const height = options.height - (below ? belowHeight(names, width) : 0) - (axis === "" ? 0 : AXIS);
  const all = lines.flatMap((line) => line.points.map(([, value]) => asNumber(value)).filter(Number.isFinite));
  const positive = all.filter((value) => value > 0);
  const log = options.log === true && positive.length > 1;
  const values = log ? positive : all;
  group.append(s("text", { class: "mg-chart-title", x: 0, y: 13 }, `${title}${log ? ", logarithmic" : ""}`));
  if (note !== "" && values.length > 0) {
    TOP += NOTE;
    group.append(s("text", { class: "mg-small mg-chart-note", x: 0, y: TITLE + 4 }, note));
  }
  if (values.length === 0) {
    group.append(s("text", { class: "mg-small", x: LEFT, y: TOP + 24 }, options.empty ?? "no numbers yet"));
    return group;
  }
  const right = below || names.length === 0 ? 18 : Math.max(...names.map((name) => textWidth(name, SMALL))) + 14;
  const [inner, depth] = [Math.max(40, width - LEFT - right), height - TOP - BOTTOM];
  let [low, high] = [values.reduce((a, b) => Math.min(a, b)), values.reduce((a, b) => Math.max(a, b))];
  if (!log && low > 0 && low < 0.6 * high) low = 0;
  if (low === high) [low, high] = log ? [low / 2, high * 2] : [low - 0.5, high + 0.5];
  const last = Math.max(from + 1, ...lines.map((line) => line.points.at(-1)?.[0] ?? 1));
  const shape = log ? Math.log10 : (v: number): number => v;
  const place = (step: number): number => LEFT + ((step - from) / (last - from)) * inner;
  const rise = (value: number): number => TOP + depth * (1 - (shape(value) - shape(low)) / (shape(high) - shape(low)));
  const round = (pixel: number): number => Math.round(pixel * 10) / 10;

  for (const tick of log ? powers(low, high) : ticks(low, high)) {
    const at = round(rise(tick));
    group.append(
      s("line", { class: "mg-grid", x1: LEFT, x2: LEFT + inner, y1: at, y2: at }),
      s("text", { class: "mg-small mg-end", x: LEFT - 6, y: at + 4 }, signed(tick)),
    );
  }
  for (const tick of [from, ...ticks(from, last, inner < 200 ? 2 : 4).filter((step) => Number.isInteger(step) && step > from)]) {
    group.append(s("text", { class: "mg-small mg-middle", x: round(place(tick)), y: TOP + depth + 17 }, tick.toLocaleString("en")));
  }
  if (axis !== "") group.append(s("text", { class: "mg-small mg-middle", x: round(LEFT + inner / 2), y: TOP + depth + 17 + AXIS }, axis));
  const level = asNumber(options.level ?? "nan");
  if (Number.isFinite(level)) group.append(s("line", { class: "mg-level", x1: LEFT, x2: LEFT + inner, y1: round(rise(level)), y2: round(rise(level)) }));
  const ends: { text: string; at: number; index: number }[] = [];
  const drawable = (value: number): boolean => Number.isFinite(value) && (!log || value > 0);
  const pathOf = (points: readonly Point[]): string => {
    let path = "";
    let pen = false;
    for (const [step, raw] of points) {
      const value = asNumber(raw);
      if (drawable(value)) path += `${pen ? "L" : "M"}${round(place(step))} ${round(rise(value))}`;
      pen = drawable(value);
    }
    return path;
  };
  const over: SVGElement[] = []; // the means, above all pale curves, with room around them
  lines.forEach((line, index) => {
    const path = pathOf(line.points);
    if (path === "") return;
    const mean = pathOf(line.mean ?? []);
    const look = `mg-curve mg-curve-${index % 6}`;
    group.append(s("path", { class: mean === "" ? look : `${look} mg-pale`, d: path }));
    if (mean !== "") over.unshift(s("path", { class: "mg-halo", d: mean }));
    if (mean !== "") over.push(s("path", { class: `${look} mg-mean`, d: mean }));
    const end = [...(mean === "" ? line.points : line.mean!)].reverse().find(([, value]) => drawable(asNumber(value)));
    if (line.name !== "" && end && !below) ends.push({ text: line.name, at: rise(asNumber(end[1])) + 4, index });
  });
  group.append(...over);
  ends.sort((a, b) => a.at - b.at);
  for (let i = 1; i < ends.length; i += 1) ends[i]!.at = Math.max(ends[i]!.at, ends[i - 1]!.at + LINE);
  const beyond = (ends.at(-1)?.at ?? 0) - (TOP + depth);
  if (beyond > 0) for (const end of ends) end.at -= beyond;
  for (let i = ends.length - 2; i >= 0; i -= 1) ends[i]!.at = Math.min(ends[i]!.at, ends[i + 1]!.at - LINE);
  for (const { text, at, index } of ends) {
    group.append(s("text", { class: `mg-small mg-curve-name-${index % 6}`, x: LEFT + inner + 8, y: round(at) }, text));
  }
  if (below) {
    inRows(names, width).forEach((at, i) => {
      const { name, index } = named[i]!;
      const top = height + (axis === "" ? 0 : AXIS) + 6 + at.row * ROW;
      group.append(
        s("path", { class: `mg-curve mg-curve-${index % 6} mg-mean`, d: `M${round(at.x)} ${top + 8}h${SAMPLE - 7}` }),
        s("text", { class: `mg-small mg-curve-name-${index % 6}`, x: round(at.x + SAMPLE), y: top + 12 }, name),
      );
    });
  }
  const odd = lines.flatMap((line) => line.points).find(([, value]) => !Number.isFinite(asNumber(value)));
  if (odd && lines.length === 1) {
    const at = round(place(odd[0]));
    group.append(
      s("line", { class: "mg-odd-line", x1: at, x2: at, y1: TOP, y2: TOP + depth }),
      s("text", { class: `mg-small mg-alarm${at > LEFT + inner / 2 ? " mg-end" : ""}`, x: at + (at > LEFT + inner / 2 ? -5 : 5), y: TOP + 12 }, `${odd[1]} at ${options.unit ?? "step"} ${odd[0].toLocaleString("en")}`),
    );
  }
  if (cursor !== null && cursor !== undefined && cursor <= last) {
    const at = round(place(cursor));
    group.append(s("line", { class: "mg-cursor", x1: at, x2: at, y1: TOP, y2: TOP + depth }));
  }
  return group;
}
