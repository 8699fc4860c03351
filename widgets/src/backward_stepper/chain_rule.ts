/**
 * The two rules behind every step, by their names: the chain rule, where what arrived is multiplied by
 * a local slope, and the sum over paths, where several arrive. The first time, the card explains them.
 */

import { short } from "../data/numbers.ts";
import type { Outgoing, Step } from "../data/tape.ts";
import { pretty } from "../data/text.ts";
import { h, rect, s } from "../page/dom.ts";
import { fitWidth, FONTS } from "../page/text_width.ts";
import type { Plan } from "./plan.ts";

type Visit = Extract<Step, { kind: "visit" }>;

/** Is this gradient a product of what arrived and a local slope? */
export const isProduct = (out: Outgoing): boolean => out.local !== null;

/** The position of the first visit that multiplies; 0 if none does. Wrong engines are no examples. */
export function firstProduct(plan: Plan): number {
  if (plan.engine !== null) return 0;
  return plan.steps.findIndex((step) => step.kind === "visit" && step.outgoing.some(isProduct)) + 1;
}

/** The position of the first step at which several gradients are added; 0 if there is none. */
export function firstSum(plan: Plan): number {
  if (plan.engine !== null) return 0;
  return (
    plan.steps.findIndex((step) => {
      if (step.kind === "start") return false;
      const meets = step.kind === "visit" && step.outgoing.some((out) => out.sumBefore !== null);
      return meets || step.arrivals.length > 1;
    }) + 1
  );
}

export const tag = (text: string): HTMLElement => h("span", "mg-tag", text);

/** The rule by its name, with the picture of one node: what arrived, times the local slope, goes on. */
export function chainRule(plan: Plan, step: Visit): HTMLElement[] {
  const out = step.outgoing.find(isProduct);
  if (!out) return [];
  const from = plan.nodes.get(step.node)?.names[0] ?? "this node";
  const loss = plan.nodes.get(plan.steps[0]?.node ?? "")?.names[0] ?? "loss";
  const numbers = out.numbers === null ? "" : ` Here that is ${pretty(out.numbers)} = ${short(out.grad)}.`;
  return [
    h(
      "figure",
      "mg-chain",
      picture(out.text, plan.nodes.get(step.node)?.symbol ?? "", loss),
      h(
        "figcaption",
        {},
        "This is the ",
        h("strong", {}, "chain rule"),
        ": what arrived at ",
        math(from),
        " is multiplied by the local slope, and the product goes on to ",
        math(out.text),
        `.${numbers}`,
      ),
    ),
  ];
}

/** The sum by its name, where paths meet for the first time. */
export function sumOverPaths(where: string): HTMLElement {
  return h(
    "p",
    "mg-named",
    "Two paths meet at ",
    math(where),
    ": what arrives along them is added. This is the ",
    h("strong", {}, "sum over paths"),
    ".",
  );
}

const math = (text: string): HTMLElement => h("span", "mg-math", pretty(text));

const WIDTH = 96;
const Y = 62;

/** value → operation → loss, and the way back above it. */
function picture(value: string, node: string, loss: string): SVGElement {
  const places = [56, 244, 432];
  const boxes = [value, node, loss].map((text, i) => box(text, places[i] ?? 0, i === 1 ? "mg-box" : "mg-box mg-faint"));
  return s(
    "svg",
    {
      class: "mg-chain-svg",
      viewBox: "0 0 488 92",
      role: "img",
      "aria-label":
        `An arrow leads from ${value} to the operation ${node}, and on to ${loss}. On the way back, what arrived ` +
        "is multiplied by the local slope of the operation, and goes on to " +
        `${value}.`,
    },
    ...[0, 1].flatMap((i) => forward((places[i] ?? 0) + WIDTH / 2, (places[i + 1] ?? 0) - WIDTH / 2)),
    ...back(432, 244, "what arrived"),
    ...back(244, 56, "× local slope"),
    ...boxes,
  );
}

function box(text: string, x: number, name: string): SVGElement {
  const shown = fitWidth(pretty(text), WIDTH - 14, FONTS.name);
  return s("g", {}, rect(WIDTH, 34, 10, name, x, Y), s("text", { x, y: Y + 5, class: "mg-name mg-middle" }, shown));
}

const forward = (from: number, to: number): SVGElement[] => [
  s("path", { class: "mg-line", d: `M${from} ${Y} H${to - 2}` }),
  s("path", { class: "mg-head", d: `M${to - 9} ${Y - 5} L${to - 1} ${Y} L${to - 9} ${Y + 5} Z` }),
];

/** A gradient on its way back, above the boxes. */
const back = (from: number, to: number, text: string): SVGElement[] => [
  s("path", { class: "mg-back-line", d: `M${from - 12} 44 C${from - 30} 22 ${to + 34} 22 ${to + 14} 42` }),
  s("path", { class: "mg-back-tip", d: `M${to + 21} 33 L${to + 12} 44 L${to + 26} 42 Z` }),
  s("text", { x: (from + to) / 2, y: 18, class: "mg-back-text mg-middle" }, text),
];
