// What a copy of a lesson has that the lesson had not, and what a newer lesson has that it had not.
// The copy remembers the lesson that it began from: see website/copies.py.
import { STATES, viewsOf } from "./states.js";

/** Nothing was written and no question answered. What only ran can run again. */
export function isUntouched(copy, began) {
  const cells = copy.cells.filter((cell) => cell.id in began.cells || textOf(cell).trim() !== "");
  const given = Object.entries(began.cells);
  const same = ([id, digest], at) => cells[at].id === id && digestOf(cells[at]) === digest;
  return cells.length === given.length && given.every(same) && !hasAnswers(copy);
}

function hasAnswers(copy) {
  const states = copy.metadata.widgets?.[STATES]?.state ?? {};
  return viewsOf(copy.cells).some((id) => states[id]?.state?.given);
}

/** The headings of the sections of a lesson in which cells are new or changed, each once. */
export function changedSections(lesson, began) {
  const sections = new Set();
  let heading = "The beginning";
  for (const cell of lesson.cells) {
    heading = (cell.cell_type === "markdown" && headingOf(cell)) || heading;
    if (lesson.metadata.minigrad.cells[cell.id] !== began.cells[cell.id]) sections.add(heading);
  }
  return [...sections];
}

/** A sentence of them. */
export function whatChanged(sections) {
  if (sections.length === 0) return "Cells were moved or taken out.";
  const named = sections.slice(0, 3).map((name) => `“${name}”`);
  const more = sections.length - named.length;
  if (more > 0) named.push(more === 1 ? "one more section" : `${more} more sections`);
  const last = named.pop();
  return `What changed: ${named.length > 0 ? `${named.join(", ")} and ${last}` : last}.`;
}

function headingOf(cell) {
  return textOf(cell)
    .match(/^#+\s+(.+)$/m)?.[1]
    .replace(/[*`_]/g, "");
}

function textOf(cell) {
  return [cell.source].flat().join("");
}

/** CRC-32 of a cell's type and text, as website/copies.py writes it. */
export function digestOf(cell) {
  let sum = -1;
  for (const byte of new TextEncoder().encode(`${cell.cell_type}\n${textOf(cell)}`)) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
  }
  return (~sum >>> 0).toString(16).padStart(8, "0");
}
