/** The text that ran: an arrow at the line that runs, another where a gradient visits; a line leads to its runs. */

import type { SourceBlock } from "../data/tape.ts";
import { button, h, say } from "../page/dom.ts";
import { lineKey } from "./playing.ts";

interface Row {
  row: HTMLElement;
  sign: HTMLElement;
  word: HTMLElement; // what the sign means, for who does not see it
}

export class SourceText {
  readonly element = h("section", { class: "mg-source mg-played", "aria-label": "Source text", tabindex: 0 });
  readonly #rows = new Map<string, Row>();
  #marked: Row[] = [];

  constructor(
    blocks: readonly SourceBlock[],
    private readonly runs: ReadonlySet<string>,
    private readonly go: (file: string, line: number) => void,
    private readonly verb = "Run to", // what going to a line is called
  ) {
    this.element.hidden = blocks.length === 0;
    const widest = Math.max(0, ...blocks.flatMap(({ lines }) => lines.map(({ text }) => text.length)));
    this.element.style.setProperty("--mg-letters", String(widest));
    for (const [at, { file, lines }] of blocks.entries()) {
      const rows = lines.map(({ number, text }, index) =>
        this.#line(file, number, text, index > 0 && lines[index - 1]!.number + 1 < number),
      );
      const name = blocks[at - 1]?.file === file ? "⋮" : file;
      const head = h("p", { class: "mg-source-file", "aria-hidden": name !== file && "true" }, name);
      this.element.append(head, h("ol", { "aria-label": `Lines ${lines[0]?.number} and on of ${file}` }, ...rows));
    }
  }

  /** Mark the line that runs, and the one whose operation is visited. */
  mark(runs: string, visited: string): void {
    for (const { row, sign, word } of this.#marked) {
      row.ariaCurrent = null;
      row.classList.remove("mg-visited");
      say(sign, "");
      say(word, "");
    }
    this.#marked = [];
    if (visited !== "" && visited !== runs) this.#set(visited, "◂", " is visited", "mg-visited");
    const now = this.#set(runs, "▸", " runs", "");
    if (now) now.row.ariaCurrent = "step";
    this.#reveal((now ?? this.#marked[0])?.row);
  }

  #set(key: string, sign: string, word: string, name: string): Row | undefined {
    const found = this.#rows.get(key);
    if (!found) return undefined;
    say(found.sign, sign);
    say(found.word, word);
    if (name !== "") found.row.classList.add(name);
    this.#marked.push(found);
    return found;
  }

  /** Bring a line into sight within the text; the page stays where it is. */
  #reveal(row: HTMLElement | undefined): void {
    const { element } = this;
    if (!row) return;
    const top = row.offsetTop - element.offsetTop;
    const below = top + 3 * row.offsetHeight; // and two lines after it
    const isSeen = top >= element.scrollTop && below <= element.scrollTop + element.clientHeight;
    if (!isSeen) element.scrollTop = top - element.clientHeight / 2;
  }

  #line(file: string, number: number, text: string, after: boolean): HTMLElement {
    const sign = h("span", { class: "mg-arrow", "aria-hidden": "true" });
    const word = h("span", "mg-unseen");
    const row = h("li", { class: after ? "mg-after" : "" }, sign, h("span", "mg-line-number", `${number}`, word));
    const code = h("code", {}, text);
    this.#rows.set(lineKey(file, number), { row, sign, word });
    if (!this.runs.has(lineKey(file, number))) {
      row.append(code);
      return row;
    }
    const name = `${this.verb} line ${number}: ${text.trim()}`;
    const press = button("", () => this.go(file, number), "mg-code-line", name);
    press.append(code);
    row.append(press);
    return row;
  }
}
