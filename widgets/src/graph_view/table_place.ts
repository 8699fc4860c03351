/** Where the picture stands as a table, if the reader wants it so. */

import type { NodeData } from "../data/tape.ts";
import { h } from "../page/dom.ts";
import { nodeTable } from "./node_table.ts";

export class TablePlace {
  readonly element = h("div");

  show(records: readonly NodeData[], open: (id: string) => void): void {
    this.element.replaceChildren(nodeTable(records, open));
  }

  hide(): void {
    this.element.replaceChildren();
  }

  /** The button in the row of a node. */
  rowOf(id: string): HTMLElement | undefined {
    return [...this.element.querySelectorAll<HTMLElement>("[data-mg-row]")].find((one) => one.dataset.mgRow === id);
  }

  /** Let this row be seen, and mark it. */
  look(id: string): void {
    const row = this.rowOf(id);
    this.element.querySelector("[aria-current]")?.removeAttribute("aria-current");
    row?.setAttribute("aria-current", "true");
    row?.scrollIntoView({ block: "nearest" });
  }
}
