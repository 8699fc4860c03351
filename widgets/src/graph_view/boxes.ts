/** Which boxes of a folded graph are open, and the row of buttons that close them. */

import type { NodeData } from "../data/tape.ts";
import { button, h } from "../page/dom.ts";
import { fold, LEAVES, type Folded } from "./folding.ts";
import type { GraphState } from "./graph_state.ts";

export class Boxes {
  readonly element = h("div", { class: "mg-boxes", role: "group", "aria-label": "Opened boxes" });
  readonly #opened = new Set<string>();
  readonly #changed: (focus: string) => void;
  #open: Folded["open"] = [];

  /** `changed`: draw anew; then the focus goes to this node. */
  constructor(
    public folded: boolean,
    changed: (focus: string) => void,
  ) {
    this.#changed = changed;
  }

  /** The nodes of the picture, folded or not. */
  records({ nodes, groups }: GraphState): NodeData[] {
    const folded =
      this.folded && groups.length > 0 ? fold(nodes, groups, this.#opened) : { records: [...nodes.values()], open: [] };
    this.#open = folded.open;
    this.element.replaceChildren(
      ...this.#open.map(({ id, title }) =>
        button(`▾ ${title}`, () => this.#close(id), undefined, `Close the box ${title}`),
      ),
    );
    return folded.records;
  }

  /** Open a box. False for what is none. */
  open(id: string): boolean {
    if (!id.startsWith("b")) return false;
    if (id !== LEAVES) {
      this.#opened.add(id);
      this.#changed("");
      this.#changed(this.#open.find((box) => box.id === id)?.first ?? "");
    }
    return true;
  }

  #close(id: string): void {
    this.#opened.delete(id);
    this.#changed(id);
  }

  setFolded(on: boolean): void {
    this.folded = on;
    this.#opened.clear();
    this.#changed("");
  }
}
