/** What is there at a moment: who keeps it, and the largest arrays, each of which leads to its line. */

import { plural } from "../data/text.ts";
import { button, h, prose } from "../page/dom.ts";
import {
  buffersText,
  byLine,
  bytesAt,
  groupsAt,
  keptAt,
  placeText,
  sizeText,
  sumOf,
  type Buffer,
  type Group,
  type Kept,
  type MemoryData,
} from "./memory.ts";
import type { Pointing } from "./memory_chart.ts";

const GRAPHS = 6;
const ARRAYS = 10;

type Choose = (all: readonly Buffer[]) => void;

export const momentPanel = (data: MemoryData, pointing: Pointing, choose: Choose): HTMLElement[] => [
  keptPanel(data, pointing.at),
  arraysPanel(data, pointing, choose),
];

function keptPanel(data: MemoryData, at: number): HTMLElement {
  const all = keptAt(data, at);
  const rows = all.slice(0, GRAPHS).map((kept) => h("li", {}, ...prose(keptText(data, kept))));
  const more = all.length - rows.length;
  if (more > 0) rows.push(h("li", {}, `and ${plural(more, "smaller graph")}`));
  const none = bytesAt(data, at) > 0 ? "Only graphs that were made before." : "No graph is alive.";
  const body = rows.length === 0 ? h("p", "mg-words", none) : h("ul", "mg-kept-list", ...rows);
  return h("section", { class: "mg-memory-part" }, h("h4", {}, "Who keeps this alive"), body);
}

/** "`total` (In [3], line 4) → its graph of 400 nodes: 12 MiB. Until …" */
export function keptText(data: MemoryData, kept: Kept): string {
  const { results, graph, bytes, line, name, formula } = kept;
  const subject = name === "" ? formula : name;
  const what = results === 1 ? `\`${subject}\`` : `${results} results \`${subject}\``;
  const where = placeText(data, line);
  const its = results === 1 ? "its graph" : "their graphs";
  const at = where === "" ? "" : ` (${where})`;
  const start = `${what}${at} → ${its} of ${plural(graph, "node")}: ${sizeText(bytes)}`;
  return `${start}. ${lifeText(data, kept)}`;
}

function lifeText(data: MemoryData, { until, keepers, justMade, results }: Kept): string {
  const made = justMade ? "Just made. " : "";
  if (until !== null) return `${made}Alive until moment ${until}${byLine(data, until)}.`;
  const still = data.ended ? "Still there at the end" : "Still there";
  if (keepers.length === 0) return `${made}${still}.`;
  const by = keepers.map((name) => `\`${name}\``).join(" and ");
  return `${made}${still}: ${by} ${keepers.length === 1 ? "keeps" : "keep"} ${results === 1 ? "it" : "them"}.`;
}

function arraysPanel(data: MemoryData, { at, chosen }: Pointing, choose: Choose): HTMLElement {
  const all = groupsAt(data, at);
  const largest = all[0]?.bytes ?? 1;
  const rows = all.slice(0, ARRAYS).map((one) => h("li", {}, bar(data, one, largest, chosen, choose)));
  const more = all.slice(ARRAYS).flatMap((group) => group.all);
  if (more.length > 0) {
    rows.push(h("li", "mg-words", `and ${plural(more.length, "smaller array")}: ${sizeText(sumOf(more))}`));
  }
  const count = all.reduce((sum, group) => sum + group.all.length, 0);
  const title = h("h4", {}, `What is saved: ${plural(count, "array")}`);
  const said = h("p", { class: "mg-words mg-array-says", role: "status" }, ...prose(buffersText(data, chosen)));
  const body = all.length === 0 ? h("p", "mg-words", "Nothing.") : h("ol", "mg-arrays", ...rows);
  return h("section", { class: "mg-memory-part" }, title, body, said);
}

/** One line of the list: pressed, its arrays are marked in the curve, and its line in the source. */
function bar(data: MemoryData, group: Group, largest: number, chosen: readonly Buffer[], choose: Choose): HTMLElement {
  const [first] = group.all;
  const node = data.nodes[first?.by[0] ?? -1];
  const text = node ? (node.name === "" ? node.formula : `${node.name} = ${node.formula}`) : "graphs made before";
  const line = node ? data.lines[node.line] : undefined;
  const count = group.all.length;
  const press = button("", () => choose(group.all), "mg-array");
  press.ariaPressed = String(first !== undefined && chosen.includes(first));
  press.style.setProperty("--mg-share", `${Math.max(1, (100 * group.bytes) / largest)}%`);
  const size = count > 1 && node ? `${count} × ${sizeText(first!.bytes)}` : "";
  press.append(
    h("span", "mg-array-bar"),
    h("code", {}, text),
    h("span", "mg-array-size", size),
    h("span", "mg-array-size", sizeText(group.bytes)),
    h("span", "mg-array-line", line ? `line ${line.line}` : ""),
  );
  return press;
}
