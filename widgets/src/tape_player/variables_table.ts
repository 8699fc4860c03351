/** The variables at a position, what this step has written, and which one is asked about. */

import type { Value } from "../data/tape.ts";
import { button, h } from "../page/dom.ts";
import type { Known } from "./playing.ts";
import { cellText, knownText } from "./words.ts";

export interface Chosen {
  call: number;
  name: string;
}

export interface Group {
  title: string; // "in f", "in the block"
  known: Known[];
}

/** `gradients`: what has arrived so far in the pass that runs, by variable; null outside of a pass. */
export function variablesTable(
  groups: readonly Group[],
  position: number,
  chosen: Chosen | null,
  gradients: ReadonlyMap<string, Value> | null,
  choose: (variable: Chosen) => void,
): HTMLElement[] {
  const several = groups.length > 1;
  return groups.flatMap(({ title, known }) => {
    if (known.length === 0) return several ? [] : [h("p", "mg-words", "No variable is known yet.")];
    const body = h("tbody", {}, ...known.map((one) => row(one, position, chosen, gradients, choose)));
    const heads = ["variable", "value", ...(gradients ? ["gradient"] : []), "written in"];
    const head = h("thead", {}, h("tr", {}, ...heads.map((text) => h("th", { scope: "col" }, text))));
    return [h("table", { class: "mg-variables" }, h("caption", {}, title), head, body)];
  });
}

function row(
  known: Known,
  position: number,
  chosen: Chosen | null,
  gradients: ReadonlyMap<string, Value> | null,
  choose: (variable: Chosen) => void,
): HTMLElement {
  const { change, at } = known;
  const isChosen = chosen?.call === change.call && chosen.name === change.name;
  const press = button(change.name, () => choose(change), "mg-variable", `${knownText(known)}. Who wrote it last?`);
  press.ariaPressed = String(isChosen);
  press.dataset.mgVariable = `${change.call} ${change.name}`;
  const now = at === position && at > 0;
  const flaw = change.value?.flaw !== undefined || /^(nan|-?inf)$/.test(change.text ?? "");
  const value = h("td", { class: flaw ? "mg-odd" : "" }, cellText(change));
  const gradient = gradients?.get(`${change.call} ${change.name}`);
  const column = gradients ? [h("td", "mg-grad", gradient ? cellText({ ...change, value: gradient }) : "")] : [];
  const written = at === 0 ? "" : now ? "this step" : `step ${at}`;
  const head = h("th", { scope: "row" }, press);
  return h("tr", { class: now ? "mg-now" : "" }, head, value, ...column, h("td", {}, written));
}
