/**
 * The player's arithmetic: what is known at a position, who wrote it last, where a line runs next,
 * and where the first NaN is. Position 0 is before the recording, position n after n moments.
 */

import type { NodeData, Value } from "../data/tape.ts";
import type { Change, Moment, Recording } from "./recording.ts";

/** A variable as it stands at a position. */
export interface Known {
  change: Change;
  at: number; // the position from which on it has this value; 0: from the beginning
  before: Change | null; // the value that it had before that
}

const keyOf = ({ call, name }: Pick<Change, "call" | "name">): string => `${call} ${name}`;

/** The moment that leads to a position. */
export const momentAt = ({ moments }: Recording, position: number): Moment | undefined => moments[position - 1];

/** All variables at a position, in the order in which they came; those that are gone are not among them. */
export function stateAt({ first, moments }: Recording, position: number): Map<string, Known> {
  const state = new Map<string, Known>();
  const write = (change: Change, at: number): void => {
    const key = keyOf(change);
    if (change.text === null) state.delete(key);
    else state.set(key, { change, at, before: state.get(key)?.change ?? null });
  };
  for (const change of first) write(change, 0);
  moments.slice(0, position).forEach(({ changes }, index) => {
    for (const change of changes) write(change, index + 1);
  });
  return state;
}

/** The variables to be seen there: those of the call that runs, and those of the block. */
export function visibleAt(recording: Recording, position: number): { call: number; known: Known[] }[] {
  const state = [...stateAt(recording, position).values()];
  const running = momentAt(recording, position)?.call ?? 0;
  const calls = running === 0 ? [0] : [running, 0];
  return calls.map((call) => ({ call, known: sorted(state.filter(({ change }) => change.call === call)) }));
}

/** A gradient stands below what it is the gradient of. */
function sorted(known: Known[]): Known[] {
  const owner = ({ change }: Known): string => change.name.replace(/\.grad$/, "");
  const order = new Map<string, number>();
  for (const one of known) order.set(owner(one), order.get(owner(one)) ?? order.size);
  const place = (one: Known): number => 2 * (order.get(owner(one)) ?? 0) + (one.change.name === owner(one) ? 0 : 1);
  return [...known].sort((one, other) => place(one) - place(other));
}

/**
 * The position of the moment that wrote a variable last, at a position or before it; 0 if it has had
 * its value from the beginning, null if it was not there.
 */
export function lastWriter(recording: Recording, call: number, name: string, position: number): number | null {
  const wrote = (change: Change): boolean => change.call === call && change.name === name;
  for (let at = Math.min(position, recording.moments.length); at > 0; at -= 1) {
    if (recording.moments[at - 1]?.changes.some(wrote)) return at;
  }
  return recording.first.some(wrote) ? 0 : null;
}

export interface Found {
  at: number;
  again: boolean; // there was none after the position, so the search has begun anew
}

/** The next position after this one with such a moment; the first of all, if there is none. */
function nextWhere(recording: Recording, position: number, wanted: (moment: Moment) => boolean): Found | null {
  const after = recording.moments.findIndex((moment, index) => index >= position && wanted(moment));
  if (after >= 0) return { at: after + 1, again: false };
  const first = recording.moments.findIndex(wanted);
  return first < 0 ? null : { at: first + 1, again: true };
}

/** Where a line runs next: where it begins to, if it makes several moments on end. */
export function nextAtLine(recording: Recording, file: string, line: number, position: number): Found | null {
  const here = (moment: Moment | undefined): boolean => moment?.file === file && moment.line === line;
  const starts = new Set(recording.moments.filter((one, index) => here(one) && !sameRun(recording, index)));
  return nextWhere(recording, position, (moment) => starts.has(moment));
}

/** Does a moment go on with the line of the one before it? */
function sameRun({ moments }: Recording, index: number): boolean {
  const [before, now] = [moments[index - 1], moments[index]];
  if (!before || !now || before.kind === "line" || before.kind === "call" || now.kind === "call") return false;
  const same = before.file === now.file && before.line === now.line && before.call === now.call;
  return same && before.passes.join() === now.passes.join();
}

/** What is not finite in what a moment brought: "nan", "inf", "nan and inf", or "". */
export function flawOf(recording: Recording, nodes: Map<string, NodeData>, moment: Moment): string {
  const step = recording.passes[moment.pass ?? -1]?.steps[(moment.step ?? 0) - 1];
  const values: (Value | null | undefined)[] = [
    nodes.get(moment.node ?? "")?.value,
    ...moment.changes.map(({ value }) => value),
    step?.grad,
    ...(step?.kind === "visit" ? step.outgoing.map(({ grad }) => grad) : []),
    ...(step?.kind === "land" ? [step.after] : []),
  ];
  const plain = moment.changes.map(({ value, text }) => (value === null ? PLAIN_FLAWS[text ?? ""] : undefined));
  return [...values.map((value) => value?.flaw), ...plain].find((flaw) => flaw !== undefined) ?? "";
}

const PLAIN_FLAWS: Record<string, string | undefined> = { nan: "nan", inf: "inf", "-inf": "inf" };

/** The next moment that brings NaN or infinity; the first of all, if there is none after the position. */
export function nextFlaw(recording: Recording, nodes: Map<string, NodeData>, position: number): Found | null {
  return nextWhere(recording, position, (moment) => flawOf(recording, nodes, moment) !== "");
}

/** The lines that run, by their files: those that one may run to. */
export function linesThatRun({ moments }: Recording): Set<string> {
  return new Set(moments.filter(({ line }) => line !== null).map(({ file, line }) => lineKey(file, line)));
}

export const lineKey = (file: string, line: number | null): string => `${line} ${file}`;
