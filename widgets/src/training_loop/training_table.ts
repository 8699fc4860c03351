/** The training as two tables: the curves at some steps, and the events that were recorded. */

import { joined } from "../data/text.ts";
import { h } from "../page/dom.ts";
import { formula, gradText, signed, unitOf, type Course, type Point } from "./training.ts";

const ROWS = 24; // of the curves

const head = (...names: string[]): HTMLElement =>
  h("thead", {}, h("tr", {}, ...names.map((name) => h("th", { scope: "col" }, name))));
const cell = (text: string): HTMLElement => h("td", {}, text);

export function trainingTable(course: Course): HTMLElement {
  return h("div", "mg-training-tables", curves(course), events(course));
}

function framed(name: string, table: HTMLElement): HTMLElement {
  return h("div", { class: "mg-table", tabindex: 0, role: "group", "aria-label": `${name}, scrollable` }, table);
}

/** The value at a step, or at the last one before it. */
function at(points: readonly Point[], step: number): string {
  let found: Point | undefined;
  for (const point of points) {
    if (point[0] > step) break;
    found = point;
  }
  return found === undefined ? "" : signed(found[1]);
}

function curves(course: Course): HTMLElement {
  const { loss, norms } = course;
  const every = Math.max(1, (loss.length - 1) / (ROWS - 1));
  const picked = new Set(Array.from({ length: Math.min(ROWS, loss.length) }, (_, i) => Math.round(i * every)));
  const rows = [...picked].map((index) => {
    const [step, value] = loss[index]!;
    return h(
      "tr",
      {},
      h("th", { scope: "row" }, step.toLocaleString("en")),
      cell(signed(value)),
      ...norms.map((layer) => cell(at(layer.points, step))),
    );
  });
  const caption = h("caption", {}, "Loss, and the norm of each parameter’s grad");
  return framed(
    "Loss and norms",
    h("table", {}, caption, head(unitOf(course), "loss", ...norms.map(({ name }) => name)), h("tbody", {}, ...rows)),
  );
}

function events(course: Course): HTMLElement {
  const { events: all, parameter, optimizer } = course;
  const rows = [...all]
    .reverse()
    .map((event) =>
      h(
        "tr",
        {},
        h("th", { scope: "row" }, event.step.toLocaleString("en")),
        cell(event.kind),
        cell(event.loss === null || event.kind !== "backward" ? "" : signed(event.loss)),
        cell(signed(event.value)),
        cell(gradText(event.grad)),
        cell(joined(formula(event, optimizer), ": ")),
      ),
    );
  const caption = h("caption", {}, `What happened to ${parameter}, the latest first`);
  return framed(
    "Moments",
    h("table", {}, caption, head(unitOf(course), "lamp", "loss", "value", "grad", "change"), h("tbody", {}, ...rows)),
  );
}
