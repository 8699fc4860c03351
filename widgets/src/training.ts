/**
 * The course of a training without a page: what the kernel sends (`training_record.py` and
 * `training_loop.py` write it), and the words for it.
 */

import type { Scalar } from "./values.ts";
import { asNumber, formatNumber } from "./values.ts";

export const KINDS = ["forward", "backward", "step", "zero"] as const;
export type Kind = (typeof KINDS)[number];

export interface TrainingEvent {
  n: number; // counted from 1, over the whole training
  kind: Kind;
  step: number;
  value: Scalar;
  grad: Scalar | null; // null: None
  loss: Scalar | null;
  passes: number; // backward passes since the gradients were last cleared
  before: Scalar | null; // of a step: the value before it
  rate: Scalar | null; // and the learning rate
  plain: boolean; // was it value − rate · grad?
}

export type Point = [step: number, value: Scalar];

export interface Course {
  version: number;
  state: "ready" | "running" | "finished" | "stopped" | "failed";
  model: string;
  optimizer: string;
  message: string;
  progress: string;
  expected: number | null;
  parameter: string;
  steps: number;
  notes: string[];
  lines: string[]; // what may be asked for
  loss: Point[];
  norms: { name: string; points: Point[]; mean?: Point[] }[];
  loss_mean?: Point[]; // centred means; none of a short training
  windows?: [loss: number, norms: number]; // the steps that each of them is over; 0: none
  events: TrainingEvent[];
}

/** What was asked in the page: the trait `asked`, {} before. */
export interface Asked {
  line: string;
  problem: string;
  question: unknown;
  curves: (number | null)[][];
}

type Fields = Record<string, unknown>;
const isFields = (x: unknown): x is Fields => typeof x === "object" && x !== null && !Array.isArray(x);
const isScalar = (x: unknown): boolean => typeof x === "number" || typeof x === "string";
const isPoint = (x: unknown): boolean => Array.isArray(x) && x.length === 2 && typeof x[0] === "number" && isScalar(x[1]);
const isPoints = (x: unknown): boolean => Array.isArray(x) && x.every(isPoint);
const isWindows = (x: unknown): boolean => Array.isArray(x) && x.length === 2 && x.every((size) => typeof size === "number");
const isTexts = (x: unknown): boolean => Array.isArray(x) && x.every((text) => typeof text === "string");

function isEvent(x: unknown): boolean {
  if (!isFields(x) || typeof x.n !== "number" || typeof x.step !== "number" || typeof x.passes !== "number") return false;
  const numbers = [x.grad, x.loss, x.before, x.rate];
  return KINDS.includes(x.kind as Kind) && isScalar(x.value) && numbers.every((part) => part === null || isScalar(part));
}

/** What came from the kernel, or from a notebook that somebody else saved; null if it is damaged. */
export function readCourse(x: unknown): Course | null {
  const good =
    isFields(x) &&
    x.version === 1 &&
    ["state", "model", "optimizer", "message", "progress", "parameter"].every((name) => typeof x[name] === "string") &&
    typeof x.steps === "number" &&
    isTexts(x.notes) &&
    isTexts(x.lines) &&
    isPoints(x.loss) &&
    isPoints(x.loss_mean ?? []) &&
    isWindows(x.windows ?? [0, 0]) &&
    Array.isArray(x.norms) &&
    x.norms.every((layer) => isFields(layer) && typeof layer.name === "string" && isPoints(layer.points) && isPoints(layer.mean ?? [])) &&
    Array.isArray(x.events) &&
    x.events.every(isEvent);
  return good ? (x as unknown as Course) : null;
}

export function readAsked(x: unknown): Asked | null {
  const good = isFields(x) && typeof x.line === "string" && typeof x.problem === "string" && Array.isArray(x.curves);
  return good ? (x as unknown as Asked) : null;
}

/** A number after a sign: a negative one needs brackets. */
const bracketed = (x: Scalar): string => (asNumber(x) < 0 ? `(${formatNumber(x)})` : formatNumber(x));

export const gradText = (grad: Scalar | null): string => (grad === null ? "None" : formatNumber(grad));

/** What an event did to the number: the rule, and the same with numbers. */
export function formula(event: TrainingEvent, optimizer: string): [rule: string, numbers: string] {
  const { kind, value, grad, before, rate, passes } = event;
  if (kind === "forward") return ["value is used", "nothing changes"];
  if (kind === "zero") return [`grad ← ${gradText(grad)}`, "the next backward pass starts afresh"];
  if (kind === "backward") {
    return passes > 1 ? ["grad ← grad + new", `now the sum of ${passes.toLocaleString("en")} passes`] : ["grad ← new", `grad = ${gradText(grad)}`];
  }
  if (before === null || grad === null) return ["value stays", grad === null ? "grad is None" : ""];
  if (event.plain && rate !== null) {
    return ["value ← value − lr · grad", `${formatNumber(before)} − ${formatNumber(rate)} · ${bracketed(grad)} = ${formatNumber(value)}`];
  }
  const change = Number((asNumber(before) - asNumber(value)).toPrecision(4));
  const how = optimizer === "" ? "by hand" : `${optimizer}${rate === null ? "" : `, lr ${formatNumber(rate)}`}`;
  return [`value ← value − update (${how})`, `${formatNumber(before)} − ${bracketed(change)} = ${formatNumber(value)}`];
}

/** An event in one sentence. */
export function eventText(event: TrainingEvent, optimizer: string): string {
  const [rule, numbers] = formula(event, optimizer);
  const loss = event.kind === "backward" && event.loss !== null ? ` The loss is ${formatNumber(event.loss)}.` : "";
  const change = event.kind === "forward" ? "" : ` ${rule}${numbers === "" ? "" : `: ${numbers}`}.`;
  return `Step ${event.step.toLocaleString("en")}, ${event.kind}.${loss} value ${formatNumber(event.value)}, grad ${gradText(event.grad)}.${change}`;
}

/** Where an event stands among those that can be gone through. */
export function eventPlace(course: Course, place: number): string {
  const { events, steps } = course;
  // What came after the last step belongs to none that is done.
  const among = new Set(events.map((event) => Math.min(event.step, Math.max(1, steps)))).size;
  const last = (events[0]?.n ?? 1) > 1 ? "the last " : "";
  return `event ${place + 1} of ${events.length}, in ${last}${among} ${among === 1 ? "step" : "steps"}`;
}

/** What the thick lines of a chart are, if there are any. */
export function meanText(size: number | undefined): string {
  return size ? `thick: mean of ${size.toLocaleString("en")} steps` : "";
}

/** The state of the training in a sentence; while it runs, without what changes all the time. */
export function stateText(course: Course): string {
  const last = course.loss.at(-1);
  const loss = last === undefined ? "" : ` The last loss is ${formatNumber(last[1])}.`;
  const message = course.message === "" ? "" : `${course.message[0]?.toUpperCase()}${course.message.slice(1)}.`;
  const states = {
    ready: "Nothing has been trained yet: put the loop into a with block of this view.",
    running: "The training runs.",
    finished: `Done: ${course.progress}.${loss}`,
    stopped: `${message}${loss}`,
    failed: `${message}${loss}`,
  };
  return [states[course.state] ?? "", ...course.notes].join(" ");
}

/** A few round numbers between two others. */
export function ticks(low: number, high: number, most = 4): number[] {
  if (!(high > low)) return [low];
  const raw = (high - low) / most;
  const size = 10 ** Math.floor(Math.log10(raw));
  const step = size * ([1, 2, 5, 10].find((factor) => factor * size >= raw) ?? 10);
  const found: number[] = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high * (1 + 1e-9); i += 1) found.push(Number((i * step).toPrecision(12)));
  return found;
}

/** Powers of ten between two numbers, at most five; if they are few, with twice and five times as much. */
export function powers(low: number, high: number): number[] {
  if (high < 100 * low) {
    const steps = [-1, 0, 1, 2].map((more) => Math.floor(Math.log10(low)) + more);
    const all = steps.flatMap((power) => [1, 2, 5].map((factor) => Number(`${factor}e${power}`)));
    return all.filter((tick) => tick >= low * (1 - 1e-9) && tick <= high * (1 + 1e-9));
  }
  const [first, last] = [Math.ceil(Math.log10(low) - 1e-9), Math.floor(Math.log10(high) + 1e-9)];
  const every = Math.max(1, Math.ceil((last - first + 1) / 5));
  const found: number[] = [];
  for (let power = first; power <= last; power += every) found.push(Number(`1e${power}`));
  return found;
}
