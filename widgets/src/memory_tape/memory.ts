/**
 * A measured memory as the page sees it: what nodes have saved over time, written by
 * `minigrad_widgets/memory/page_data.py`. Which graphs were alive at a moment is worked out here.
 */

import { isFields, isText } from "../data/checks.ts";
import { has, isBlock, isCount, isVersion, list, maybe, oneOf, read, type Read } from "../data/incoming.ts";
import type { SourceBlock } from "../data/tape.ts";
import { plural } from "../data/text.ts";
import { readQuestion, type Question } from "../question/question.ts";

/** What happened at a moment, the place of its line in `lines`, and that of its node in `nodes`; -1: none. */
export type Moment = ["made" | "visit" | "freed", number, number];

/** Moments are counted from 1, over all that were watched; 0 is before them. */
interface Life {
  made: number;
  freed: number | null; // the moment after which it was no more; null: it is there
}

export interface MemoryNode extends Life {
  line: number;
  name: string; // the variable that got the result, or ""
  formula: string;
  inputs: number[];
}

/** An array that some nodes have saved: the first of these first. */
export interface Buffer extends Life {
  bytes: number;
  by: number[];
}

export interface Keeper {
  name: string;
  leak: string; // "nodes", "activations" or "outputs": more is kept than one means to; "": it is not
  says: string;
  bytes: number;
  alone: number;
  graph: number; // how many nodes its graph has
  line: number;
  nodes: number[];
}

/** The trait `memory`. */
export interface MemoryData {
  version: number;
  dropped: number; // moments that are forgotten
  curve: number[]; // bytes: before the first moment that is kept, and after each
  moments: Moment[];
  nodes: MemoryNode[];
  buffers: Buffer[];
  lines: { file: string; line: number; text: string }[];
  peak: { at: number; bytes: number; line: number };
  leaves: number; // bytes of saved leaves, which are not counted
  keepers: Keeper[]; // at the end
  nobody: string; // what is kept at the end, and nobody knows by whom
  source: SourceBlock[];
  ended: boolean; // or does it still watch?
  note: string;
  question: Question | null;
}

const isLife = { made: isCount, freed: maybe(isCount) };
const counts = list(isCount);
const isMoment = (x: unknown): boolean =>
  Array.isArray(x) && x.length === 3 && oneOf("made visit freed")(x[0]) && isCount(x[1]) && isCount(x[2]);
const isMemory = has("nobody note", {
  version: isVersion,
  dropped: isCount,
  curve: (x) => counts(x) && (x as number[]).length > 0,
  moments: list(isMoment),
  nodes: list(has("name formula", { ...isLife, line: isCount, inputs: counts })),
  buffers: list(has("", { ...isLife, bytes: isCount, by: counts })),
  lines: list(has("file text", { line: isCount })),
  peak: has("", { at: isCount, bytes: isCount, line: isCount }),
  leaves: isCount,
  keepers: list(has("name leak says", { bytes: isCount, graph: isCount, line: isCount, nodes: counts })),
  source: list(isBlock),
  ended: (x) => typeof x === "boolean",
  question: maybe((x) => isFields(x) && isText(x.question) && readQuestion(x) !== null),
});

export const readMemory = (x: unknown): Read<MemoryData> => read(isMemory, "memory", x);

/** Bytes as people read them: "640 bytes", "1.5 KiB", "12 MiB". */
export function sizeText(bytes: number): string {
  if (bytes < 1024) return `${Math.round(bytes)} bytes`;
  const units = ["KiB", "MiB", "GiB"];
  let size = bytes / 1024;
  let unit = 0;
  while (size >= 1000 && unit < 2) {
    size /= 1024;
    unit += 1;
  }
  return `${Number(size.toFixed(size >= 100 ? 0 : size >= 10 ? 1 : 2))} ${units[unit]}`;
}

export const isThere = ({ made, freed }: Life, moment: number): boolean =>
  made <= moment && (freed === null || freed > moment);

/** The moment of the peak that is shown: of all, if it is kept. */
export function peakOf({ curve, dropped }: MemoryData): number {
  return dropped + curve.indexOf(Math.max(...curve));
}

export const lastOf = ({ curve, dropped }: MemoryData): number => dropped + curve.length - 1;

export const momentOf = (data: MemoryData, at: number): Moment | undefined => data.moments[at - data.dropped - 1];

export const bytesAt = (data: MemoryData, at: number): number => data.curve[at - data.dropped] ?? 0;

/** "In [3], line 4"; "" where nobody knows the line. */
export function placeText(data: MemoryData, line: number): string {
  const found = data.lines[line];
  return found ? `${found.file}, line ${found.line}` : "";
}

export const codeText = (data: MemoryData, line: number): string => data.lines[line]?.text ?? "";

/** What happened at a moment, and how much is saved after it. */
export function momentText(data: MemoryData, at: number): string {
  const moment = momentOf(data, at);
  const saved = `${sizeText(bytesAt(data, at))} are saved now.`;
  if (!moment) return `Before the first of ${plural(lastOf(data) - data.dropped, "moment")}: ${saved}`;
  const [kind, line, place] = moment;
  const node = data.nodes[place];
  const where = [`Moment ${at} of ${lastOf(data)}`, placeText(data, line)].filter((text) => text !== "").join(", ");
  const change = bytesAt(data, at) - bytesAt(data, at - 1);
  const freed = `${sizeText(-Math.min(0, change))} are freed`;
  const pass = node ? `the backward pass visits ${node.formula}` : "a backward pass";
  const made = `${node?.formula ?? "an operation"} saves ${change > 0 ? sizeText(change) : "nothing new"}`;
  const what = { made, visit: `${pass}: ${freed}`, freed: `\`${codeText(data, line)}\`: ${freed}` }[kind];
  return `${where}: ${what}. ${saved}`;
}

/** A graph that is alive at a moment, by the result that leads to it. */
export interface Kept {
  name: string;
  line: number;
  formula: string;
  results: number; // of one line
  graph: number; // nodes
  bytes: number;
  until: number | null; // the moment that has freed the last of the results; null: they are there
  keepers: string[]; // at the end
  justMade: boolean;
}

/** Who keeps what at a moment: each result that no other graph leads to, those of a line as one. */
export function keptAt(data: MemoryData, at: number): Kept[] {
  const { nodes } = data;
  const alive = nodes.map((node) => isThere(node, at));
  const used = new Set(nodes.flatMap((node, place) => (alive[place] ? node.inputs : [])));
  const groups = new Map<string, number[]>();
  nodes.forEach((node, place) => {
    if (!alive[place] || used.has(place)) return;
    const key = `${node.line} ${node.name || node.formula}`;
    groups.set(key, [...(groups.get(key) ?? []), place]);
  });
  const found = [...groups.values()].map((roots) => keptBy(data, roots, at));
  return found.sort((a, b) => b.bytes - a.bytes || b.graph - a.graph);
}

function keptBy(data: MemoryData, roots: number[], at: number): Kept {
  const { nodes } = data;
  const reached = behind(nodes, roots);
  const last = nodes[roots.at(-1)!]!;
  const ends = roots.map((place) => nodes[place]!.freed);
  const there = ends.some((end) => end === null);
  const keepers = data.keepers.filter((keeper) => keeper.nodes.some((place) => roots.includes(place)));
  return {
    name: last.name,
    line: last.line,
    formula: last.formula,
    results: roots.length,
    graph: reached.size,
    bytes: data.buffers
      .filter((one) => isThere(one, at) && one.by.some((place) => reached.has(place)))
      .reduce((sum, { bytes }) => sum + bytes, 0),
    until: there ? null : Math.max(...ends.map((end) => end ?? 0)),
    keepers: there ? keepers.map(({ name }) => name) : [],
    justMade: roots.length === 1 && last.made === at,
  };
}

/** These nodes, and all that their edges lead to. */
export function behind(nodes: readonly MemoryNode[], starts: readonly number[]): Set<number> {
  const found = new Set(starts);
  for (const place of found) for (const input of nodes[place]?.inputs ?? []) found.add(input);
  return found;
}

/** Arrays of one size that operations of one line have saved first. */
export interface Group {
  all: Buffer[];
  bytes: number; // of all together
}

/** The arrays that are there at a moment, those of a line and a size as one, the largest first. */
export function groupsAt(data: MemoryData, at: number): Group[] {
  const found = new Map<string, Buffer[]>();
  for (const one of data.buffers) {
    if (!isThere(one, at)) continue;
    const node = data.nodes[one.by[0] ?? -1];
    const key = node ? `${node.line} ${one.bytes} ${node.name} ${node.formula}` : "earlier";
    found.set(key, [...(found.get(key) ?? []), one]);
  }
  const groups = [...found.values()].map((all) => ({ all, bytes: sumOf(all) }));
  return groups.sort((a, b) => b.bytes - a.bytes);
}

export const sumOf = (all: readonly Buffer[]): number => all.reduce((sum, { bytes }) => sum + bytes, 0);

/** What has become of arrays: who has saved them, when, until when. */
export function buffersText(data: MemoryData, all: readonly Buffer[]): string {
  const [one] = all;
  if (!one) return "";
  const node = data.nodes[one.by[0] ?? -1];
  const what = all.length === 1 ? sizeText(one.bytes) : `${all.length} arrays of ${sizeText(one.bytes)}`;
  if (!node) return `${sizeText(sumOf(all))}, saved by graphs that were made before. ${endText(data, all)}`;
  const where = placeText(data, node.line);
  const moments = spread(all.map(({ made }) => made));
  const others = Math.max(...all.map(({ by }) => by.length - 1));
  const those = all.length === 1 ? "it" : "some of them";
  const also = others > 0 ? ` Another operation has saved ${those} too: it counts once.` : "";
  const line = where === "" ? "" : ` (${where})`;
  return `${what}, saved by \`${node.formula}\`${line} at ${moments}.${also} ${endText(data, all)}`;
}

const spread = (moments: number[]): string => {
  const [first, last] = [Math.min(...moments), Math.max(...moments)];
  return first === last ? `moment ${first}` : `moments ${first} to ${last}`;
};

function endText(data: MemoryData, all: readonly Buffer[]): string {
  const there = all.filter(({ freed }) => freed === null);
  const ends = all.flatMap(({ freed }) => (freed === null ? [] : [freed]));
  const gone = ends.length === 0 ? "" : `Freed at ${spread(ends)}${byLine(data, Math.max(...ends))}.`;
  if (there.length === 0) return gone;
  const by = new Set(there.flatMap((one) => one.by));
  const names = data.keepers.filter(({ nodes }) => nodes.some((place) => by.has(place)));
  const kept = names.length === 0 ? "" : `, kept by ${names.map(({ name }) => `\`${name}\``).join(" and ")}`;
  const some = gone === "" ? "" : `${there.length} of them are `;
  return `${gone} ${some === "" ? "S" : `${some}s`}till there${kept}.`.trim();
}

/** Which line has freed something: ", by `del total` (In [3], line 9)". */
export function byLine(data: MemoryData, at: number): string {
  const moment = momentOf(data, at);
  const where = moment ? placeText(data, moment[1]) : "";
  return moment && where !== "" ? ` by \`${codeText(data, moment[1])}\` (${where})` : "";
}
