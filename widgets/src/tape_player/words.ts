/** The sentences of the player: what happens in a moment, where, and who wrote what. */

import { newExercise } from "../backward_stepper/ask_first.ts";
import { happens } from "../backward_stepper/sentences.ts";
import { title } from "../data/node_words.ts";
import { short } from "../data/numbers.ts";
import { joined, list, plural, pretty } from "../data/text.ts";
import type { PassPlans } from "./pass_plans.ts";
import { lastWriter, momentAt, stateAt, type Known } from "./playing.ts";
import type { Change, Moment, Recording } from "./recording.ts";

const MOST_SAID = 4; // changes of one moment in a sentence

/** A value on one line. */
export const textOf = ({ value, text }: Change): string => (value ? short(value) : (text ?? "gone"));

/** The same where there is little room: "4×2". */
export function cellText({ value, text }: Change): string {
  if (!value) return text ?? "gone";
  return value.shape.length > 1 ? short(value, 16).replace(" numbers", "") : short(value, 16);
}

/** "pass 3"; of loops in each other, all of them. */
export function passText({ passes }: Moment): string {
  if (passes.length < 2) return passes.map((number) => `pass ${number}`).join("");
  if (passes.length > 2) return `passes ${list(passes.map(String))} of the loops around it`;
  return `pass ${passes[0]} of the outer loop, ${passes[1]} of the inner`;
}

/** "Line 14, pass 2", or "" where nobody knows. */
export const whereText = (moment: Moment): string =>
  moment.line === null ? "" : joined([`Line ${moment.line}`, passText(moment)]);

/** What the status line says at a position. */
export function sentence(recording: Recording, plans: PassPlans, position: number): string {
  const total = recording.moments.length;
  const moment = momentAt(recording, position);
  if (!moment) return `Before the first of ${plural(total, "step")}.`;
  const end = position === total ? " This is the end of the recording." : "";
  return `Step ${position} of ${total}. ${told(recording, plans, moment, position)}${end}`;
}

function told(recording: Recording, plans: PassPlans, moment: Moment, position: number): string {
  const where = whereText(moment);
  const lead = where === "" ? "" : `${where}: `;
  const returned = moment.returned === undefined ? "" : ` It is returned.`;
  switch (moment.kind) {
    case "op":
      return `${lead}${operation(recording, plans, moment)}${returned}`;
    case "step": {
      const plan = plans.of(moment);
      const pass = recording.passes[moment.pass ?? -1];
      if (!plan || !pass) return `${lead}A step of a backward pass.`;
      return `${lead}${passName(pass.title, pass.mode)}. ${happens(plan, newExercise(false), moment.step ?? 0)}`;
    }
    case "call": {
      const scope = scopeOf(recording, moment.call);
      const given = moment.changes.map((change) => `${change.name} = ${textOf(change)}`);
      return `${scope} is called${given.length === 0 ? "" : ` with ${list(given)}`}.`;
    }
    case "line":
      return lineText(recording, moment, position, where);
  }
}

const passName = (name: string, mode: string): string =>
  `${mode === "rehearsed" ? "Rehearsal of the backward pass" : "Backward pass"} of ${pretty(name)}`;

function operation(recording: Recording, plans: PassPlans, moment: Moment): string {
  const node = plans.nodeOf(moment);
  if (!node) return "An operation.";
  const name = node.names[0];
  const others = moment.changes.filter((change) => change.name !== name);
  const more = others.length === 0 ? "" : ` ${changesText(recording, others)}`;
  return `${pretty(title(node))} makes ${short(node.value)}.${more}`;
}

function lineText(recording: Recording, moment: Moment, position: number, where: string): string {
  const what = where === "" ? "A line" : where;
  if (moment.raised) {
    const last = position === recording.moments.length && recording.raised !== "";
    return `${what} raised ${last ? recording.raised : moment.raised}.`;
  }
  const scope = scopeOf(recording, moment.call);
  const returned = moment.returned === undefined ? "" : ` ${scope} returns ${moment.returned}.`;
  if (moment.changes.length === 0) return `${what} ran.${returned}`;
  return `${what} ran. ${changesText(recording, moment.changes, position)}${returned}`;
}

/** "w is 2.18 now, before 2." */
export function changesText(recording: Recording, changes: readonly Change[], position?: number): string {
  const before = position === undefined ? null : stateAt(recording, position - 1);
  const said = changes.slice(0, MOST_SAID).map((change) => {
    const old = before?.get(`${change.call} ${change.name}`)?.change;
    if (change.text === null) return `${change.name} is gone`;
    return `${change.name} is ${textOf(change)}${old ? `, before ${textOf(old)}` : ""}`;
  });
  const rest = changes.length - said.length;
  return `${said.join("; ")}${rest > 0 ? `; and ${plural(rest, "more change")}` : ""}.`;
}

/** The function of a call: "f", or "the block". */
export function scopeOf({ calls }: Recording, call: number): string {
  const scope = calls.find(({ id }) => id === call)?.scope ?? "";
  return scope === "" ? "the block" : scope.replace(/.*<locals>\./, "");
}

/** Which step wrote a variable last, in full sentences; and the position to go to, if there is one. */
export function writerText(
  recording: Recording,
  plans: PassPlans,
  { call, name }: Pick<Change, "call" | "name">,
  position: number,
): { text: string; at: number | null } {
  const at = lastWriter(recording, call, name, position);
  if (at === null) return { text: `${name} is not there at this step.`, at: null };
  if (at < position || at === 0) return { text: wroteAt(recording, plans, name, at), at: at || null };
  const before = lastWriter(recording, call, name, at - 1);
  const earlier = before === null ? `Before it, there was no ${name}.` : wroteAt(recording, plans, name, before);
  return { text: `This step writes ${name}. ${earlier}`, at: before || null };
}

function wroteAt(recording: Recording, plans: PassPlans, name: string, at: number): string {
  const moment = momentAt(recording, at);
  const kept = recording.dropped > 0 ? "the first step that is kept" : "the first step";
  if (!moment) return `${name} had its value before ${kept}.`;
  const node = plans.nodeOf(moment);
  const step = moment.kind === "step" && node ? `, where the backward pass reaches ${pretty(title(node))}` : "";
  const made = moment.kind === "op" && node ? `, by ${pretty(node.formula || node.op)}` : "";
  const where = whereText(moment).replace("Line", "line");
  return `${name} was last written in step ${at}${where === "" ? "" : `, ${where}`}${made}${step}.`;
}

/** What a screen reader says of a variable. */
export const knownText = ({ change, at }: Known): string =>
  `${change.name} is ${textOf(change)}, ${at === 0 ? "from the beginning" : `written in step ${at}`}`;
