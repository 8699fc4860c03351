/** The variables as they are at a position; and of the one that is asked about, who wrote it last. */

import { nodeMark } from "../backward_stepper/plan.ts";
import type { NodeData, Value } from "../data/tape.ts";
import { button, focus, h, say } from "../page/dom.ts";
import { valueElement } from "../page/value_element.ts";
import type { PassPlans } from "./pass_plans.ts";
import { momentAt, stateAt, visibleAt } from "./playing.ts";
import type { Recording } from "./recording.ts";
import { variablesTable, type Chosen } from "./variables_table.ts";
import { scopeOf, writerText } from "./words.ts";

export class VariablesPanel {
  readonly element: HTMLElement;
  readonly #table = h("section", { class: "mg-known", "aria-label": "Variables", tabindex: 0 });
  readonly #writer = h("div", { class: "mg-writer", hidden: true });
  readonly #wrote = h("p", { role: "status" });
  readonly #whole = h("div"); // its value
  readonly #there: HTMLButtonElement;
  #chosen: Chosen | null = null;
  #wroteAt: number | null = null;
  #shown: [position: number, open: boolean] = [0, false];

  constructor(
    private readonly recording: Recording,
    private readonly plans: PassPlans,
    go: (position: number) => void,
  ) {
    this.#there = button("Go there", () => go(this.#wroteAt ?? this.#shown[0]));
    this.#writer.append(this.#wrote, this.#there, this.#whole);
    this.element = h("div", "mg-beside", this.#table, this.#writer);
  }

  /** `open`: a question about the step is open, so all is as it was before. */
  paint(position: number, open: boolean): void {
    const { recording } = this;
    this.#shown = [position, open];
    const seen = open ? position - 1 : position;
    const several = visibleAt(recording, seen);
    const groups = several.map(({ call, known }) => {
      const alone = call === 0 && several.length === 1;
      return { title: alone ? "Variables" : `In ${scopeOf(recording, call)}`, known };
    });
    const focused = this.#table.querySelector<HTMLElement>(":focus")?.dataset.mgVariable;
    const gradients = open ? null : this.#gradients(position);
    const choose = (variable: Chosen): void => this.#choose(variable);
    this.#table.replaceChildren(...variablesTable(groups, open ? -1 : position, this.#chosen, gradients, choose));
    if (focused !== undefined) {
      const buttons = [...this.#table.querySelectorAll<HTMLElement>("[data-mg-variable]")];
      focus(buttons.find(({ dataset }) => dataset.mgVariable === focused));
    }
    this.#reveal(this.#table.querySelector<HTMLElement>(".mg-now"));
    this.#paintWriter(seen);
  }

  /** Bring what the step has written into sight within the table; the page stays where it is. */
  #reveal(row: HTMLElement | null): void {
    if (!row) return;
    const [box, at] = [this.#table.getBoundingClientRect(), row.getBoundingClientRect()];
    if (at.top < box.top) this.#table.scrollTop += at.top - box.top - at.height;
    else if (at.bottom > box.bottom) this.#table.scrollTop += at.bottom - box.bottom + at.height;
  }

  #paintWriter(position: number): void {
    this.#writer.hidden = this.#chosen === null;
    if (this.#chosen === null) return;
    const { call, name } = this.#chosen;
    const { text, at } = writerText(this.recording, this.plans, this.#chosen, position);
    this.#wroteAt = at;
    say(this.#wrote, text);
    this.#there.hidden = at === null;
    const value = stateAt(this.recording, position).get(`${call} ${name}`)?.change.value;
    this.#whole.replaceChildren(...(value && value.data.length > 1 ? [valueElement(value, name)] : []));
  }

  /** What has arrived at the variables so far in the pass that runs; null outside of one. */
  #gradients(position: number): Map<string, Value> | null {
    const moment = momentAt(this.recording, position);
    const plan = moment?.kind === "step" ? this.plans.of(moment) : null;
    if (!plan || !moment) return null;
    const found = new Map<string, Value>();
    for (const [key, { change, at }] of stateAt(this.recording, position)) {
      const made = momentAt(this.recording, at)?.node;
      const isIt = ({ kind, id, names }: NodeData): boolean =>
        names[0] === change.name && (kind !== "op" || id === made);
      const node = [...plan.nodes.values()].find(isIt);
      const grad = node && nodeMark(plan, node.id, moment.step ?? 0).grad;
      if (grad) found.set(key, grad);
    }
    return found;
  }

  #choose({ call, name }: Chosen): void {
    const same = this.#chosen?.call === call && this.#chosen.name === name;
    this.#chosen = same ? null : { call, name };
    this.paint(...this.#shown);
  }
}
