/**
 * The border: what arrives from the kernel (or from a saved notebook that somebody else
 * made) is checked here before anything relies on it. A page that is older than the
 * kernel, or data that was damaged, gets one plain sentence instead of an exception.
 */

import { TAPE_VERSION, type CellEvent, type Delta, type NodeData, type RunData, type Schedule, type Snapshot, type Step } from "./tape.ts";

export type Read<T> = { ok: true; data: T } | { ok: false; problem: string };

type Fields = Record<string, unknown>;

const isFields = (x: unknown): x is Fields => typeof x === "object" && x !== null && !Array.isArray(x);
const isText = (x: unknown): x is string => typeof x === "string";
const isCount = (x: unknown): x is number => Number.isInteger(x);
const isListOf = (x: unknown, test: (item: unknown) => boolean): boolean => Array.isArray(x) && x.every(test);
const isScalar = (x: unknown): boolean => /^(number|string|boolean)$/.test(typeof x);
const hasTexts = (x: Fields, names: string): boolean => names.split(" ").every((name) => isText(x[name]));

function isValue(x: unknown): boolean {
  return (
    isFields(x) &&
    isListOf(x.shape, isCount) &&
    isListOf(x.shown, isCount) &&
    isListOf(x.data, isScalar) &&
    hasTexts(x, "text dtype")
  );
}

export function isNode(x: unknown): x is NodeData {
  return (
    isFields(x) &&
    hasTexts(x, "id op symbol formula cell file source scope spot numbers") &&
    ["op", "leaf", "data"].includes(x.kind as string) &&
    ["alive", "spent", "gone"].includes(x.state as string) &&
    (x.line === null || isCount(x.line)) &&
    isListOf(x.names, isText) &&
    isListOf(x.inputs, (input) => isFields(input) && (input.id === null || isText(input.id)) && isText(input.text)) &&
    isListOf(x.saved, (kept) => isFields(kept) && isText(kept.text) && isCount(kept.bytes) && isListOf(kept.why, isText)) &&
    (x.grad === null || isValue(x.grad)) &&
    isValue(x.value)
  );
}

const isArrival = (x: unknown): boolean => isFields(x) && hasTexts(x, "from text") && isValue(x.grad);

function isOutgoing(x: unknown): boolean {
  return (
    isFields(x) &&
    hasTexts(x, "to text arg rule") &&
    [x.local, x.numbers].every((text) => text === null || isText(text)) &&
    [x.localValue, x.sumBefore].every((value) => value === null || isValue(value)) &&
    isValue(x.grad) &&
    isValue(x.sum)
  );
}

function isStep(x: unknown): x is Step {
  if (!isFields(x) || !hasTexts(x, "node text") || !isValue(x.grad)) return false;
  if (x.kind === "start") return true;
  if (!isListOf(x.arrivals, isArrival)) return false;
  if (x.kind === "visit") return isListOf(x.outgoing, isOutgoing);
  return x.kind === "land" && (x.before === null || isValue(x.before)) && isValue(x.after);
}

const isEngine = (x: unknown): boolean =>
  isFields(x) &&
  hasTexts(x, "id title what") &&
  ["sum", "last", "first"].includes(x.joins as string) &&
  isListOf(x.steps, isStep);

export function problem(what: string, x: unknown): string {
  if (isFields(x) && isCount(x.version) && x.version !== TAPE_VERSION) {
    return (
      `This ${what} was written in format ${x.version}, and this page reads format ${TAPE_VERSION}. ` +
      "Restart the kernel and reload the page, so that both are of one version."
    );
  }
  return `This ${what} cannot be read: its data is incomplete. Run the cell again to make a new one.`;
}

const isGroup = (x: unknown): boolean =>
  isFields(x) && hasTexts(x, "id title") && isListOf(x.members, isText) && isListOf(x.groups, isGroup);

/** An absent snapshot is an empty one: the widget has just been made. */
export function readSnapshot(x: unknown): Read<Snapshot> {
  if (x === null || x === undefined || (isFields(x) && Object.keys(x).length === 0)) {
    return { ok: true, data: { version: TAPE_VERSION, number: 0, nodes: [], omitted: 0 } };
  }
  const good =
    isFields(x) &&
    x.version === TAPE_VERSION &&
    isCount(x.number) &&
    isCount(x.omitted) &&
    isListOf(x.nodes, isNode) &&
    isListOf(x.groups ?? [], isGroup);
  return good ? { ok: true, data: x as unknown as Snapshot } : { ok: false, problem: problem("graph", x) };
}

export function readSchedule(x: unknown): Read<Schedule> {
  const good =
    isFields(x) &&
    x.version === TAPE_VERSION &&
    ["rehearsed", "replayed", "unavailable"].includes(x.mode as string) &&
    hasTexts(x, "title message") &&
    isListOf(x.nodes, isNode) &&
    isListOf(x.steps, isStep) &&
    (x.engines === undefined || isListOf(x.engines, isEngine));
  return good ? { ok: true, data: x as unknown as Schedule } : { ok: false, problem: problem("backward pass", x) };
}

export function readDelta(x: unknown): Delta | null {
  const good = isFields(x) && x.type === "delta" && isCount(x.number) && isListOf(x.nodes, isNode);
  return good ? (x as unknown as Delta) : null;
}

export function readCellEvent(x: unknown): CellEvent | null {
  const good =
    isFields(x) && x.type === "cell" && (x.phase === "begin" || x.phase === "end") && isText(x.cell) && isCount(x.made);
  return good ? (x as unknown as CellEvent) : null;
}

const isKnob = (x: unknown): boolean =>
  isFields(x) && isText(x.name) && ["value", "least", "most", "step"].every((field) => typeof x[field] === "number");

/** Null for a view that watches cells, and calls nothing itself. */
export function readRun(x: unknown): RunData | null {
  const good =
    isFields(x) && isCount(x.answers) && hasTexts(x, "name result problem printed") && isListOf(x.knobs, isKnob);
  return good ? (x as unknown as RunData) : null;
}
