/** The code beside the graph. The line of the current node has an arrow; a line leads to its visit. */

import type { NodeData, SourceBlock } from "../data/tape.ts";
import { button, h, say } from "../page/dom.ts";
import { isShort, sourceParts, widest, type SourceLine } from "./source_lines.ts";

export class SourcePanel {
  readonly element = h("details", "mg-source");
  readonly #now = h("span", "mg-source-now");
  readonly #at: string; // what stands there while no line is marked
  readonly #rows = new Map<string, { row: HTMLElement; arrow: HTMLElement; where: string }>(); // per node

  constructor(
    blocks: readonly SourceBlock[],
    nodes: readonly NodeData[],
    private readonly go: (ids: string[]) => void,
  ) {
    const parts = sourceParts(blocks, nodes);
    this.element.hidden = parts.length === 0;
    this.element.open = isShort(parts);
    this.element.style.setProperty("--mg-letters", String(widest(parts)));
    this.element.append(h("summary", {}, "Code", this.#now));
    for (const { file, lines } of parts) {
      const list = h("ol", { "aria-label": `Code of ${file}` }, ...lines.map((line) => this.#line(file, line)));
      // One block is named beside the word "Code" already.
      this.element.append(...(parts.length > 1 ? [h("p", "mg-source-file", file)] : []), list);
    }
    this.#at = parts.length === 1 ? (parts[0]?.file ?? "") : "";
    say(this.#now, this.#at);
  }

  /** Mark the line that made this node; none for a leaf, which no line made. */
  mark(id: string | undefined): void {
    for (const { row, arrow } of this.#rows.values()) {
      row.ariaCurrent = null;
      say(arrow, "");
    }
    const now = this.#rows.get(id ?? "");
    say(this.#now, now?.where ?? this.#at);
    if (!now) return;
    now.row.ariaCurrent = "step";
    say(now.arrow, "▸");
    this.#reveal(now.row);
  }

  /** Bring a line into sight within the panel; the page stays where it is. */
  #reveal(row: HTMLElement): void {
    const { element } = this;
    const top = row.offsetTop - element.offsetTop;
    const isSeen = top >= element.scrollTop && top + row.offsetHeight <= element.scrollTop + element.clientHeight;
    if (element.open && !isSeen) element.scrollTop = top - element.clientHeight / 2;
  }

  #line(file: string, { number, text, made, after }: SourceLine): HTMLElement {
    const arrow = h("span", { class: "mg-arrow", "aria-hidden": "true" });
    const code = h("code", {}, text);
    const where = h("span", "mg-line-number", `${number}`);
    const row = h("li", { class: after ? "mg-after" : "" }, arrow, where);
    if (made.length === 0) {
      row.append(code);
      return row;
    }
    const press = button("", () => this.go(made), "mg-code-line", `Line ${number}: ${text.trim()}. Go to its visit`);
    press.append(code);
    row.append(press);
    for (const id of made) this.#rows.set(id, { row, arrow, where: `${file}, line ${number}` });
    return row;
  }
}

const LEGIBLE = 0.75; // a graph that is drawn smaller than this scrolls

/** The graph and its code: side by side, if the whole graph stays in sight, or one below the other. */
export function sideBySide(graph: HTMLElement, width: number, source: HTMLElement): HTMLElement {
  const side = h("div", "mg-side", graph, source);
  side.style.setProperty("--mg-graph", `${Math.round(width * LEGIBLE)}px`);
  return side;
}
