/**
 * The border: what arrives from the kernel (or from a saved notebook that somebody else
 * made) is checked here before anything relies on it. A page that is older than the
 * kernel, or data that was damaged, gets one plain sentence instead of an exception.
 */

import { isFields, isText } from "./checks.ts";
import {
  TAPE_VERSION,
  type CellEvent,
  type Delta,
  type RunData,
  type Schedule,
  type Snapshot,
  type Step,
} from "./tape.ts";

export type Read<T> = { ok: true; data: T } | { ok: false; problem: string };

type Test = (x: unknown) => boolean;

const isNumber: Test = (x) => typeof x === "number";
export const isCount: Test = (x) => Number.isInteger(x);
const isScalar: Test = (x) => /^(number|string|boolean)$/.test(typeof x);
export const isVersion: Test = (x) => x === TAPE_VERSION;

// Marked as without side effects: what a widget does not read is then left out of its bundle.
/* @__NO_SIDE_EFFECTS__ */
export const list =
  (test: Test): Test =>
  (x) =>
    Array.isArray(x) && x.every(test);
/* @__NO_SIDE_EFFECTS__ */
export const maybe =
  (test: Test): Test =>
  (x) =>
    x === null || test(x);
/* @__NO_SIDE_EFFECTS__ */
export const optional =
  (test: Test): Test =>
  (x) =>
    x === undefined || test(x);
/* @__NO_SIDE_EFFECTS__ */
export const oneOf =
  (words: string): Test =>
  (x) =>
    words.split(" ").includes(x as string);

/** Data in which these are texts, and the other fields pass their tests. */
/* @__NO_SIDE_EFFECTS__ */
export const has = (texts: string, tests: Record<string, Test>): Test => {
  const known = texts === "" ? [] : texts.split(" ");
  return (x) =>
    isFields(x) && known.every((name) => isText(x[name])) && Object.keys(tests).every((name) => tests[name]!(x[name]));
};

const counts = list(isCount);
const isFlaw = optional(isText);
export const isValue = has("text dtype", {
  shape: counts,
  shown: counts,
  data: list(isScalar),
  flaw: isFlaw,
  more: optional(isCount),
});

export const isNode = has("id op symbol formula cell file source scope spot numbers", {
  kind: oneOf("op leaf data given earlier failed"),
  state: oneOf("alive spent gone"),
  line: maybe(isCount),
  fused: optional(isText),
  until: optional(isText),
  marks: optional(list(has("text", { kind: oneOf("cut read memory failed") }))),
  cut: optional(list(has("text", { id: maybe(isText) }))),
  names: list(isText),
  inputs: list(has("text", { id: maybe(isText) })),
  saved: list(has("text", { bytes: isCount, why: list(isText) })),
  grad: maybe(isValue),
  value: isValue,
});

const arrivals = list(has("from text", { grad: isValue }));
const isOutgoing = has("to text arg rule", {
  local: maybe(isText),
  numbers: maybe(isText),
  localValue: maybe(isValue),
  sumBefore: maybe(isValue),
  grad: isValue,
  sum: isValue,
});
const isAnyStep = has("node text", { kind: oneOf("start visit land"), grad: isValue });
const isVisit = has("", { arrivals, outgoing: list(isOutgoing) });
const isLanding = has("", { arrivals, before: maybe(isValue), after: isValue });
export const isStep: Test = (x) =>
  isAnyStep(x) && { start: isAnyStep, visit: isVisit, land: isLanding }[(x as Step).kind](x);
const isEngine = has("id title what", {
  joins: has("between kept leaves", {}),
  steps: list(isStep),
  problem: optional(isText),
});

const isGroup: Test = has("id title", { members: list(isText), groups: (x) => list(isGroup)(x) });
const isSnapshot = has("", {
  version: isVersion,
  number: isCount,
  omitted: isCount,
  behind: optional(isText),
  unheard: optional(isText),
  latest: optional(has("cell", { made: isCount })),
  nodes: list(isNode),
  groups: optional(list(isGroup)),
});
export const isBlock = has("file", { lines: list(has("text", { number: isCount })) });
const isChanges: Test = (x) => isFields(x) && Object.values(x).every(list(isScalar));
const isNudge = has("problem parted", { h: isNumber, changes: isChanges, loss: maybe(isScalar) });
const isNudges = has("note", { leaves: list(has("id name", { value: isNumber, runs: list(isNudge) })) });
const isSchedule = has("title message", {
  version: isVersion,
  mode: oneOf("rehearsed replayed unavailable"),
  nodes: list(isNode),
  steps: list(isStep),
  engines: optional(list(isEngine)),
  rules: optional((x) => isFields(x) && Object.values(x).every(has("", { offered: list(isText), right: isCount }))),
  source: optional(list(isBlock)),
  nudges: optional(isNudges),
  groups: optional(list(isGroup)),
});
const isDelta = has("", { type: oneOf("delta"), number: isCount, nodes: list(isNode) });
const isCellEvent = has("cell", { type: oneOf("cell"), phase: oneOf("begin end"), made: isCount });
const isKnob = has("name", { value: isNumber, least: isNumber, most: isNumber, step: isNumber });
const isRun = has("name result problem printed", { answers: isCount, knobs: list(isKnob) });

export function problem(what: string, x: unknown): string {
  if (isFields(x) && isCount(x.version) && x.version !== TAPE_VERSION) {
    return (
      `This ${what} was written in format ${x.version}, and this page reads format ${TAPE_VERSION}. ` +
      "Restart the kernel and reload the page, so that both are of one version."
    );
  }
  return `This ${what} cannot be read: its data is incomplete. Run the cell again to make a new one.`;
}

export const read = <T>(good: Test, what: string, x: unknown): Read<T> =>
  good(x) ? { ok: true, data: x as T } : { ok: false, problem: problem(what, x) };

/** An absent snapshot is an empty one: the widget has just been made. */
export function readSnapshot(x: unknown): Read<Snapshot> {
  const absent = x === null || x === undefined || (isFields(x) && Object.keys(x).length === 0);
  return read(isSnapshot, "graph", absent ? { version: TAPE_VERSION, number: 0, nodes: [], omitted: 0 } : x);
}

export const readSchedule = (x: unknown): Read<Schedule> => read(isSchedule, "backward pass", x);
export const readDelta = (x: unknown): Delta | null => (isDelta(x) ? (x as Delta) : null);
export const readCellEvent = (x: unknown): CellEvent | null => (isCellEvent(x) ? (x as CellEvent) : null);
/** Null for a view that watches cells, and calls nothing itself. */
export const readRun = (x: unknown): RunData | null => (isRun(x) ? (x as RunData) : null);
