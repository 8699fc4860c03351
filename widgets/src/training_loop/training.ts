/**
 * The course of a training without a page: what the kernel sends (`training_record.py` and
 * `training_loop.py` write it), and the words for it.
 */

import { isFields, isText, isTexts } from "../data/checks.ts";
import { asNumber, formatNumber, type Scalar } from "../data/numbers.ts";
import { joined } from "../data/text.ts";

export const KINDS = ["zero", "forward", "backward", "step"] as const;
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
  old?: Scalar | null; // of a backward pass: the gradient before it, if that is known
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
  unit?: "step" | "pass"; // what is counted: without any step, the backward passes
  steps: number;
  notes: string[];
  never?: string[]; // the kinds of calls that never came
  stop?: string; // an address that a running kernel asks for; "": it can only be restarted
  lines: string[]; // what may be asked for
  unasked?: string; // why nothing may be asked for
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
  curves: Point[][];
}

const isScalar = (x: unknown): boolean => typeof x === "number" || typeof x === "string";
const isPoint = (x: unknown): boolean =>
  Array.isArray(x) && x.length === 2 && typeof x[0] === "number" && isScalar(x[1]);
const isPoints = (x: unknown): boolean => Array.isArray(x) && x.every(isPoint);
const isWindows = (x: unknown): boolean =>
  Array.isArray(x) && x.length === 2 && x.every((size) => typeof size === "number");

function isEvent(x: unknown): boolean {
  if (!isFields(x) || typeof x.n !== "number" || typeof x.step !== "number" || typeof x.passes !== "number") {
    return false;
  }
  const numbers = [x.grad, x.loss, x.before, x.rate, x.old ?? null];
  return (
    KINDS.includes(x.kind as Kind) && isScalar(x.value) && numbers.every((part) => part === null || isScalar(part))
  );
}

/** What came from the kernel, or from a notebook that somebody else saved; null if it is damaged. */
export function readCourse(x: unknown): Course | null {
  const good =
    isFields(x) &&
    x.version === 1 &&
    ["state", "model", "optimizer", "message", "progress", "parameter"].every((name) => typeof x[name] === "string") &&
    typeof x.steps === "number" &&
    ["step", "pass"].includes((x.unit ?? "step") as string) &&
    isText(x.stop ?? "") &&
    isText(x.unasked ?? "") &&
    isTexts(x.notes) &&
    isTexts(x.never ?? []) &&
    isTexts(x.lines) &&
    isPoints(x.loss) &&
    isPoints(x.loss_mean ?? []) &&
    isWindows(x.windows ?? [0, 0]) &&
    Array.isArray(x.norms) &&
    x.norms.every(
      (layer) =>
        isFields(layer) && typeof layer.name === "string" && isPoints(layer.points) && isPoints(layer.mean ?? []),
    ) &&
    Array.isArray(x.events) &&
    x.events.every(isEvent);
  return good ? (x as unknown as Course) : null;
}

export function readAsked(x: unknown): Asked | null {
  const good =
    isFields(x) &&
    typeof x.line === "string" &&
    typeof x.problem === "string" &&
    Array.isArray(x.curves) &&
    x.curves.every(isPoints);
  return good ? (x as unknown as Asked) : null;
}

/** A number with a minus sign: − stands in the formulas beside it too. */
export const signed = (x: Scalar): string => formatNumber(x).replaceAll("-", "−");

/** A number after a sign: a negative one needs brackets. */
const bracketed = (x: Scalar): string => (asNumber(x) < 0 ? `(${signed(x)})` : signed(x));

const digits = (x: number): number => Number(x.toPrecision(4));

export const gradText = (grad: Scalar | null): string => (grad === null ? "None" : signed(grad));

/** With a capital at the beginning. */
const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

export const counted = (n: number): string => n.toLocaleString("en");

/** What an event did to the number: the rule, and the same with numbers. */
export function formula(event: TrainingEvent, optimizer: string): [rule: string, numbers: string] {
  const { kind, value, grad, before, rate, passes, old } = event;
  if (kind === "forward") return ["value is used", "nothing changes"];
  if (kind === "zero" && grad !== null && asNumber(grad) !== 0) {
    return [`grad stays ${signed(grad)}`, "zero_grad() did not reach it"];
  }
  if (kind === "zero") return [`grad ← ${gradText(grad)}`, "the next backward pass starts afresh"];
  if (kind === "backward") {
    const rule = `grad ← grad + new${passes > 1 ? `: the sum of ${counted(passes)} passes` : ""}`;
    if (grad === null) return ["grad stays None", "this pass did not reach it"];
    if (old === undefined) return [rule, `grad = ${signed(grad)}`];
    if (old === null) return ["grad ← new", `grad was None, and is ${signed(grad)} now`];
    const more = digits(asNumber(grad) - asNumber(old));
    return [rule, `${signed(old)} + ${bracketed(more)} = ${signed(grad)}`];
  }
  if (before === null || grad === null) return ["value stays", grad === null ? "grad is None" : ""];
  if (asNumber(value) === asNumber(before) && rate === null && optimizer !== "") {
    return ["value stays", "this optimizer does not hold it"];
  }
  if (event.plain && rate !== null) {
    const product = `${signed(rate)} · ${bracketed(grad)}`;
    return ["value ← value − lr · grad", `${signed(before)} − ${product} = ${signed(value)}`];
  }
  const change = digits(asNumber(before) - asNumber(value));
  const withRate = rate === null ? optimizer : `${optimizer}, lr ${signed(rate)}`;
  const how = optimizer === "" ? "by hand" : withRate;
  return [`value ← value − update (${how})`, `${signed(before)} − ${bracketed(change)} = ${signed(value)}`];
}

/** What is counted: "step", or of a loop that takes none "backward pass". */
export const unitOf = ({ unit }: Course): string => (unit === "pass" ? "backward pass" : "step");

export const units = (course: Course): string => (course.unit === "pass" ? "backward passes" : "steps");

/** In which step an event was: "Step 3"; "After step 20" of what came after the last one. */
export function stepText(course: Course, event: TrainingEvent): string {
  const late = event.step > course.steps && course.steps > 0;
  const text = `${unitOf(course)} ${counted(late ? course.steps : event.step)}`;
  return late ? `After ${text}` : capital(text);
}

/** Which steps before an event of the list are not there: "Steps 11 to 1,300 are not kept", or "". */
export function gapText(course: Course, place: number): string {
  const before = course.events[place - 1];
  const event = course.events[place];
  if (before === undefined || event === undefined || event.n === before.n + 1) return "";
  const first = before.step + 1;
  const last = event.step - 1;
  if (last < first) return "Some moments before this one are not kept";
  if (last === first) return `${capital(unitOf(course))} ${counted(first)} is not kept`;
  return `${capital(units(course))} ${counted(first)} to ${counted(last)} are not kept`;
}

/** An event of the list in one sentence, or two. */
export function eventText(course: Course, place: number): string {
  const event = course.events[place]!;
  const [rule, numbers] = formula(event, course.optimizer);
  const gap = gapText(course, place);
  const loss = event.kind === "backward" && event.loss !== null ? ` The loss is ${signed(event.loss)}.` : "";
  const change = event.kind === "forward" ? "" : ` ${joined([rule, numbers], ": ")}.`;
  const when = joined([gap, `${stepText(course, event)}, ${event.kind}`], ". ");
  return `${when}.${loss} value ${signed(event.value)}, grad ${gradText(event.grad)}.${change}`;
}

/** Where an event stands among those that can be gone through. */
export const eventPlace = ({ events }: Course, place: number): string => `moment ${place + 1} of ${events.length}`;

/** Which steps can be gone through, if not all. */
export function keptText(course: Course): string {
  const { events, steps } = course;
  // What came after the last step belongs to none that is done.
  const among = (part: readonly TrainingEvent[]): number =>
    new Set(part.map((event) => Math.min(event.step, Math.max(1, steps)))).size;
  const cut = events.findIndex((_, place) => place > 0 && gapText(course, place) !== "");
  const [first, last] = cut < 0 ? [0, among(events)] : [among(events.slice(0, cut)), among(events.slice(cut))];
  if (first === 0 && (events[0]?.n ?? 1) === 1) return "";
  const number = (n: number): string => (n === 1 ? "" : ` ${n}`);
  const parts = [...(first > 0 ? [`the first${number(first)}`] : []), `the last${number(last)}`];
  return `Kept: ${parts.join(" and ")} of ${counted(steps)} ${units(course)}.`;
}

/** What the thick lines of a chart are, if there are any. */
export function meanText(course: Course, size: number | undefined): string {
  return size ? `thick: mean of ${counted(size)} ${units(course)}` : "";
}

/** The state of the training in a sentence; while it runs, without what changes all the time. */
export function stateText(course: Course): string {
  const last = course.loss.at(-1);
  const loss = last === undefined ? "" : ` The last loss is ${signed(last[1])}.`;
  const message = course.message === "" ? "" : `${capital(course.message)}.`;
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
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high * (1 + 1e-9); i += 1) {
    found.push(Number((i * step).toPrecision(12)));
  }
  return found;
}

/** Powers of ten between two numbers, at most five; if they are few, with twice and five times as much. */
export function powers(low: number, high: number): number[] {
  if (high < 100 * low) {
    const steps = [-1, 0, 1, 2].map((more) => Math.floor(Math.log10(low)) + more);
    const all = steps.flatMap((power) => [1, 2, 5].map((factor) => Number(`${factor}e${power}`)));
    return all.filter((tick) => tick >= low * (1 - 1e-9) && tick <= high * (1 + 1e-9));
  }
  const first = Math.ceil(Math.log10(low) - 1e-9);
  const last = Math.floor(Math.log10(high) + 1e-9);
  const every = Math.max(1, Math.ceil((last - first + 1) / 5));
  const found: number[] = [];
  for (let power = first; power <= last; power += every) found.push(Number(`1e${power}`));
  return found;
}
