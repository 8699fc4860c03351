/** Where the details of one node stand, and which one that is. */

import { focus, h } from "../page/dom.ts";
import type { WatchedDrawing } from "./watched_drawing.ts";
import type { Arrows } from "./arrows.ts";
import { recordOf } from "./conventions.ts";
import { details } from "./details.ts";
import type { Nodes } from "../drawing/neighbours.ts";

const FOCUSED = "button, input, select, [tabindex]";

export class DetailsPanel {
  readonly element = h("div");
  opened: string | null = null; // the node whose details are shown
  #marked: Element | undefined;

  /** `again`: show what there is now; `closed`: the reader closed the details of this node. */
  constructor(
    private readonly again: () => void,
    private readonly closed: (id: string) => void,
  ) {}

  /** Show the details of this node, or hide them. */
  press(id: string): void {
    this.opened = this.opened === id ? null : id;
    this.again();
  }

  show(nodes: Nodes, arrows: Arrows, drawing: WatchedDrawing): void {
    this.#marked?.removeAttribute("aria-current");
    const { opened } = this;
    const node = nodes.get(recordOf(opened ?? ""));
    if (opened === null || node === undefined) {
      this.opened = null;
      this.element.replaceChildren();
      return;
    }
    this.#marked = drawing.nodes.get(opened)?.element;
    this.#marked?.setAttribute("aria-current", "true");
    const place = this.#place(this.element.querySelector(":focus"));
    this.element.replaceChildren(details(node, nodes, arrows, () => this.#close(opened)));
    focus([...this.element.querySelectorAll<HTMLElement>(FOCUSED)][place]);
  }

  /** Where the focus stands among what can have it: it stays there when the details are made anew. */
  #place(focused: Element | null): number {
    return [...this.element.querySelectorAll(FOCUSED)].findIndex((one) => one === focused);
  }

  #close(id: string): void {
    this.opened = null;
    this.again();
    this.closed(id);
  }
}
