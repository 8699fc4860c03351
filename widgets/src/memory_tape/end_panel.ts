/** What is still saved at the end, by the variable that keeps it; and what the signs of the curve mean. */

import { h, prose, s } from "../page/dom.ts";
import { item, sign } from "../page/legend.ts";
import { sizeText, type MemoryData, type Moment } from "./memory.ts";

const LEAKS: Record<string, string> = {
  nodes: "nodes remain after backward",
  activations: "never backward: all that was saved remains",
  outputs: "stored results keep their graphs",
};

export function keepersPanel(data: MemoryData): HTMLElement {
  const { keepers, nobody, curve, ended } = data;
  const left = curve.at(-1) ?? 0;
  const rows = keepers.map(({ leak, says }) => {
    const word = LEAKS[leak];
    const mark = word === undefined ? [] : [h("b", "mg-leak", word), " "];
    return h("li", {}, ...mark, ...prose(says));
  });
  if (nobody !== "") rows.push(h("li", {}, nobody));
  const when = ended ? "at the end" : "now";
  const none = left === 0 ? "Nothing is saved any more, and no variable keeps a graph." : "";
  const body = rows.length === 0 ? h("p", "mg-words", none) : h("ul", "mg-kept-list", ...rows);
  return h("section", { class: "mg-memory-end" }, h("h4", {}, `Still saved ${when}: ${sizeText(left)}`), body);
}

const patch = (name: string): SVGSVGElement =>
  sign("mg-memory-sign", s("rect", { class: name, x: -13, y: -6, width: 26, height: 12 }));

/** What the signs of the drawing mean: those that occur in it. */
export function memoryLegend({ buffers, moments, ended }: MemoryData): HTMLElement {
  const happens = (what: Moment[0]): boolean => moments.some(([kind]) => kind === what);
  const size = "an array, as high as its bytes";
  const goes = buffers.some(({ freed }) => freed !== null);
  const stays = ended ? "at the end" : "now";
  return h(
    "ul",
    "mg-legend",
    ...(goes ? [item("freed later", size, patch("mg-band"))] : []),
    ...(buffers.some(({ freed }) => freed === null)
      ? [item("still saved", goes ? stays : `${stays}; ${size}`, patch("mg-band mg-band-stays"))]
      : []),
    ...(happens("made") ? [item("operation", "below the curve", patch("mg-strip mg-strip-made"))] : []),
    ...(happens("visit") ? [item("visit", "of a backward pass", patch("mg-strip mg-strip-visit"))] : []),
    ...(happens("freed") ? [item("freed", "by a line of the program", patch("mg-strip mg-strip-freed"))] : []),
  );
}
