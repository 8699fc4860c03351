/** The picture of a training: four lamps, one number of the model, the loss, and the norms of the gradients. */

import { s } from "../page/dom.ts";
import { fitWidth } from "../page/text_width.ts";
import { lamps } from "./lamps.ts";
import { belowHeight, chart } from "./line_chart.ts";
import {
  counted,
  formula,
  gapText,
  gradText,
  meanText,
  signed,
  stepText,
  unitOf,
  units,
  type Course,
  type TrainingEvent,
} from "./training.ts";

const NARROW = 520;
const MOST_LINES = 6; // norms drawn; the table has all
const LONGEST = 18; // letters of a name at the end of its line; longer ones stand below the chart
const CODE = '600 13px ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace';
const WORDS = "15px system-ui, sans-serif";

/** `seen`: the event that is shown. `marked`: does the cursor stand in the charts? */
export function drawing(course: Course, seen: TrainingEvent | null, marked: boolean, width: number): SVGSVGElement {
  const narrow = width < NARROW;
  const group = s("g", {});
  const lampsEnd = lamps(group, seen?.kind ?? null, course.never ?? [], narrow, width);
  const numbersEnd = numbers(group, course, seen, narrow, width, lampsEnd + 14);
  const height = charts(group, course, marked && seen ? seen.step : null, width, numbersEnd + 18) + 4;
  return s(
    "svg",
    {
      class: "mg-training-svg",
      viewBox: `0 0 ${width} ${height}`,
      width,
      height,
      role: "img",
      "aria-label": described(course, seen),
    },
    group,
  );
}

/** The loss and the norms, side by side or below each other. Where they end. */
function charts(group: SVGElement, course: Course, cursor: number | null, width: number, y: number): number {
  const narrow = width < NARROW;
  const [over, overNorms] = course.windows ?? [0, 0];
  const height = (narrow ? 170 : 200) + (over || overNorms ? 16 : 0);
  const unit = unitOf(course);
  const done = course.state !== "running" && course.state !== "ready";
  const both = { cursor, unit };
  const half = narrow ? width : Math.floor((width - 24) * 0.46);
  const loss = { name: "", points: course.loss, mean: course.loss_mean };
  group.append(
    chart([loss], {
      ...both,
      title: `loss at each ${unit}`,
      note: meanText(course, over),
      empty: done ? "no backward pass, no loss" : undefined,
      x: 0,
      y,
      width: half,
      height,
    }),
  );
  const shown = course.norms.filter((layer) => layer.points.some(([, value]) => Number.isFinite(Number(value))));
  const lines = chosen(shown);
  const names = lines.map(({ name }) => name);
  const place = narrow ? { x: 0, y: y + height + 12, width } : { x: half + 24, y, width: width - half - 24 };
  const below = narrow || names.some((name) => name.length > LONGEST);
  const more = below ? belowHeight(names, place.width) : 0;
  const some = shown.length > MOST_LINES ? ` (${MOST_LINES} of ${shown.length})` : "";
  const norms = chart(lines, {
    ...both,
    ...place,
    title: `norm of each parameter’s grad${some}`,
    note: meanText(course, overNorms),
    empty: done ? "no grad" : undefined,
    height: height + more,
    below,
    log: true,
  });
  norms.classList.add("mg-norms");
  group.append(norms);
  return place.y + height + more;
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
  const number = `value and grad of ${course.parameter}`;
  const length = `${counted(course.steps)} ${units(course)}`;
  const charts = `the loss and the norms of the gradients over ${length}${means(course)}`;
  return `${lit}${never}; ${number}; ${charts}. The table has the numbers.`;
}

function means({ windows }: Course): string {
  const [loss, norms] = (windows ?? []).map((size) => size.toLocaleString("en"));
  const both = (windows ?? []).filter((size) => size > 0);
  if (both.length === 0) return "";
  if (both.length === 2 && loss !== norms) {
    return `, with thick lines for the means of ${loss} steps of the loss and ${norms} of the norms`;
  }
  return `, with thick lines for the means of ${both[0]!.toLocaleString("en")} steps`;
}

/** The number: what it is, its gradient, and what just happened to it. */
function numbers(
  group: SVGElement,
  course: Course,
  seen: TrainingEvent | null,
  narrow: boolean,
  width: number,
  y: number,
): number {
  const height = narrow ? 144 : 74;
  group.append(s("rect", { class: "mg-panel", x: 2, y, width: width - 4, height, rx: 10 }));
  // While it runs, how far it has come stands above, and runs ahead of the lamps.
  const step = seen === null || course.state === "running" ? "" : `${stepText(course, seen)}. `;
  const gap = seen === null ? "" : gapText(course, course.events.indexOf(seen));
  const words = `${step}${gap === "" ? "One number of the model:" : `${gap}.`}`;
  // A narrow window gives the name a line of its own: it must not be cut off.
  const title = narrow ? [words, course.parameter] : [`${words} ${course.parameter}`];
  title.forEach((text, row) => {
    group.append(
      s("text", { class: "mg-small mg-code", x: 16, y: y + 20 + 18 * row }, fitWidth(text, width - 40, CODE)),
    );
  });
  if (narrow) y += 18;
  const column = narrow ? (width - 32) / 2 : Math.min(150, (width - 32) * 0.2);
  const number = (x: number, word: string, text: string, className: string): void => {
    group.append(
      s("text", { class: "mg-small", x, y: y + 40 }, word),
      s("text", { class: `mg-big ${className}`, x, y: y + 62 }, text),
    );
  };
  number(16, "value", seen === null ? "–" : signed(seen.value), "mg-is-value");
  number(16 + column, "grad", seen === null ? "–" : gradText(seen.grad), "mg-is-grad");
  if (seen !== null) {
    const [rule, detail] = formula(seen, course.optimizer);
    const x = narrow ? 16 : 16 + 2 * column;
    const top = narrow ? y + 90 : y + 40;
    const room = width - x - 14;
    group.append(
      s("text", { class: "mg-rule", x, y: top }, fitWidth(rule, room, WORDS)),
      s("text", { class: "mg-detail", x, y: top + 22 }, fitWidth(detail, room, CODE)),
    );
  }
  return y + height - (narrow ? 18 : 0);
}
