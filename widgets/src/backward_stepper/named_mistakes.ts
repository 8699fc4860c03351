/**
 * What a wrong answer to a question of the stepper was probably made of: each mistake has the number
 * that it leads to, the rule of the course that it breaks, and a text that tells no right number.
 */

import { asNumber, matches, size } from "../data/numbers.ts";
import type { Arrival, Outgoing, Step, Value } from "../data/tape.ts";
import { list } from "../data/text.ts";
import type { Landing, Plan } from "./plan.ts";

export interface Mistake {
  value: number;
  rule: string; // its name in `minigrad/lesson/rules.py`; "" where none is broken
  text: string;
}

/** A mistake that cannot be made with these numbers has none. */
type Draft = [value: number | null, rule: string, text: string];

/** Which number of a tensor is asked for: the second one, or the only one. */
export const entry = (value: Value): number | null => {
  const x = value.data[size(value) === 1 ? 0 : 1];
  return x === undefined ? null : asNumber(x);
};

const product = (a: number | null, b: number | null): number | null => (a === null || b === null ? null : a * b);
const sum = (a: number | null, b: number | null): number | null => (a === null || b === null ? null : a + b);
const negative = (a: number | null): number | null => (a === null ? null : -a);

export function mistakesSending(
  step: Extract<Step, { kind: "visit" }>,
  out: Outgoing,
  value: Value | null = null,
): Mistake[] {
  const g = entry(step.grad);
  const local = out.localValue && entry(out.localValue);
  const others = step.outgoing.filter((other) => other !== out && other.to !== out.to);
  return kept(entry(out.grad), [
    ...others.map((other): Draft => [entry(other.grad), "local", "You took the local slope for the other input."]),
    ...others.map((other): Draft => [
      other.localValue && entry(other.localValue),
      "local",
      "You took the local slope for the other input, and did not multiply it by what arrived.",
    ]),
    [
      local,
      "multiply",
      "That is the local slope alone. You forgot the grad that arrived: the two are multiplied.",
    ],
    [g, "multiply", "You passed on what arrived as it was. You forgot to multiply it by the local slope."],
    [sum(g, local), "multiply", "You added the local slope to what arrived. Along a path they are multiplied."],
    ...single(step.arrivals).map(([part, text]): Draft => [product(part, local), "add", text]),
    [negative(entry(out.grad)), "local", "The sign is the other way round: look for a minus in the local slope."],
    [
      out.sumBefore && entry(out.sum),
      "",
      `That is what has arrived at ${out.text} in all. Asked is what this one edge carries.`,
    ],
    [
      value && entry(value),
      "direction",
      `That is the value of ${out.text}. Asked is how the loss moves when this value moves.`,
    ],
    [0, "local", "A slope of 0 would mean that the result does not move at all when this input moves."],
  ]);
}

export function mistakesSumming(arrivals: readonly Arrival[], total: Value): Mistake[] {
  const parts = arrivals.map(({ grad }) => entry(grad));
  return kept(entry(total), [
    ...single(arrivals).map(([part, text]): Draft => [part, "add", text]),
    [parts.reduce(product, 1), "add", "You multiplied what arrived. Where paths meet, it is added."],
    [negative(entry(total)), "", "The sign is the other way round."],
  ]);
}

export function mistakesLanding(plan: Plan, step: Landing): Mistake[] {
  const before = step.before && entry(step.before);
  const arrived = entry(step.grad);
  const early = step.arrivals.map(({ from }): Draft => {
    const visit = plan.steps.find((other) => other.kind === "visit" && other.node === from);
    return [
      visit ? entry(visit.grad) : null,
      "multiply",
      "You stopped one node early: that is what arrived at the node before. Its local slope is still to come.",
    ];
  });
  return kept(entry(step.after), [
    [step.before && arrived, "accumulate", "That replaces what was in .grad. backward() adds to it."],
    [before, "accumulate", "That is what was in .grad before. Something has arrived since."],
    ...mistakesSumming(step.arrivals, step.grad).map(({ value, rule, text }): Draft => [value, rule, text]),
    ...early,
  ]);
}

/** Only one of several arrivals was counted. */
function single(arrivals: readonly Arrival[]): [number | null, string][] {
  if (arrivals.length < 2) return [];
  const which = (i: number): string => {
    if (i === 0) return "the first arrival";
    return i === arrivals.length - 1 ? "the last arrival" : "one of the arrivals";
  };
  return arrivals.map(({ grad, text }, i) => [entry(grad), `That is only ${which(i)}, via ${text}. Add all of them.`]);
}

/** Those that lead to a number, and to another one than is right. */
function kept(truth: number | null, drafts: Draft[]): Mistake[] {
  return drafts.flatMap(([value, rule, text]) => {
    const wrong = value !== null && truth !== null && !Number.isNaN(value) && !matches(value, truth);
    return wrong ? [{ value, rule, text }] : [];
  });
}

/** The mistake behind an answer, if it is a known one. */
export const mistakeOf = (mistakes: readonly Mistake[], answer: number): Mistake | undefined =>
  mistakes.find(({ value }) => matches(answer, value));

/** What helps at the second wrong answer: what is to be done, without numbers. */
export const hintSending = (step: Extract<Step, { kind: "visit" }>, out: Outgoing): string =>
  `what is sent to ${out.text} is \`${out.rule}\`, where \`g\` is what arrived at ${step.text.split(" = ")[0]}.`;

export function hintSumming(arrivals: readonly Arrival[], before: Value | null): string {
  const from = list(arrivals.map(({ text }) => text));
  const first = `look at each edge along which something arrived (via ${from}), and add.`;
  return before ? `${first} And .grad was not empty before.` : first;
}
