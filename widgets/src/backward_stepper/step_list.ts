/**
 * All steps as a table: number and sentence, the same as the status line says. In a large graph the
 * steps of one source line (or operation, where no line is known) are one group, whose rows are made
 * when it is opened.
 */

import { joined } from "../data/text.ts";
import { button, h, listen } from "../page/dom.ts";
import { newExercise } from "./ask_first.ts";
import type { Plan } from "./plan.ts";
import { happens } from "./sentences.ts";

const LARGE = 60; // nodes; from here on the steps are grouped

interface Group {
  title: string;
  positions: number[];
  element: HTMLElement;
}

export class StepList {
  readonly element = h("div", {
    class: "mg-table mg-steps",
    tabindex: 0,
    role: "group",
    "aria-label": "All steps, scrollable",
  });
  readonly large: boolean;
  #rows = new Map<number, HTMLElement>();
  #groups: Group[] = [];
  #plan: Plan;
  #jump: (position: number) => void;

  constructor(plan: Plan, jump: (position: number) => void) {
    this.#plan = plan;
    this.#jump = jump;
    this.large = plan.nodes.size > LARGE;
    const all = plan.steps.map((_, index) => index + 1);
    if (this.large) this.#group(all);
    else this.element.append(this.#table(all));
  }

  /** Mark the step that is shown, and its group. */
  mark(position: number): void {
    for (const old of this.element.querySelectorAll("[aria-current]")) old.ariaCurrent = null;
    const group = this.#groups.find(({ positions }) => positions.includes(position));
    for (const now of [this.#rows.get(position), group?.element.firstElementChild]) {
      if (now) now.ariaCurrent = "step";
    }
  }

  #group(all: number[]): void {
    const groups = new Map<string, Group>();
    for (const position of all) {
      const title = this.#line(position);
      const group = groups.get(title) ?? { title, positions: [], element: h("details") };
      groups.set(title, group);
      group.positions.push(position);
    }
    for (const { title, positions, element } of groups.values()) {
      element.append(h("summary", {}, positions.length === 1 ? title : `${title} (${positions.length}×)`));
      listen(element, "toggle", () => {
        if (element.childElementCount === 1) element.append(this.#table(positions));
      });
    }
    this.#groups = [...groups.values()];
    this.element.append(...this.#groups.map(({ element }) => element));
  }

  #line(position: number): string {
    const step = this.#plan.steps[position - 1];
    const node = this.#plan.nodes.get(step?.node ?? "");
    if (step?.kind === "land") return "Gradients land";
    if (node?.kind === "box") return joined([node.formula, node.note ?? ""]);
    return node?.line == null ? (node?.op ?? "") : `Line ${node.line}: ${node.source.trim()}`;
  }

  #table(positions: readonly number[]): HTMLElement {
    const rows = positions.map((position) => {
      const press = button(`${position}`, () => this.#jump(position), "mg-link", `Go to step ${position}`);
      const row = h(
        "tr",
        {},
        h("th", { scope: "row" }, press),
        h("td", {}, happens(this.#plan, newExercise(false), position)),
      );
      this.#rows.set(position, row);
      return row;
    });
    const head = h("tr", {}, h("th", { scope: "col" }, "Step"), h("th", { scope: "col" }, "What happens"));
    return h("table", {}, h("thead", {}, head), h("tbody", {}, ...rows));
  }
}
