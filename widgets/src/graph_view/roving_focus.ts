/**
 * The keyboard on the graph: one node is in the tab order, the arrow keys move along the
 * edges (left to what it was made from, right to what was made from it) and up and down
 * within the picture, Enter or a click opens the node.
 */

import type { Drawing } from "../drawing/drawing.ts";
import { idOf } from "../drawing/node_group.ts";
import type { Point } from "../drawing/pixels.ts";
import { fill, focus, listen } from "../page/dom.ts";

export class RovingFocus {
  readonly #drawing: Drawing;
  readonly #open: (id: string) => void;
  readonly #seen: (at: Point | null) => void;

  constructor(
    drawing: Drawing,
    open: (id: string) => void,
    seen: (at: Point | null) => void,
    public current = "",
  ) {
    this.#drawing = drawing;
    this.#open = open;
    this.#seen = seen;
    const { svg } = drawing;
    listen(svg, "click", (event) => this.#press(event.target));
    listen(svg, "keydown", (event) => this.#key(event));
    listen(svg, "focusin", (event) => this.#setCurrent(idOf(event.target)));
  }

  /** New nodes start outside the tab order; the first one there is becomes its door. */
  admit(id: string): void {
    // Not a button: then the words in the picture would have to be part of its name.
    fill(this.#drawing.nodes.get(id)!.element, {
      tabindex: -1,
      "aria-roledescription": id.startsWith("b") ? "box, Enter opens it" : "node, Enter opens details",
      "aria-description": "the arrow keys follow the edges",
    });
    if (!this.#drawing.nodes.has(this.current) || id === this.current) this.#setCurrent(id);
  }

  #setCurrent(id: string): void {
    const next = this.#drawing.nodes.get(id);
    if (!next) return;
    const old = this.#drawing.nodes.get(this.current);
    if (old) old.element.tabIndex = -1;
    next.element.tabIndex = 0;
    this.current = id;
  }

  #press(target: EventTarget | null): void {
    const id = idOf(target);
    if (id === "") return;
    focus(this.#drawing.nodes.get(id)?.element);
    this.#open(id);
  }

  #key(event: KeyboardEvent): void {
    const id = idOf(event.target);
    if (id === "") return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.#open(id);
      return;
    }
    const next = this.#neighbour(id, event.key);
    if (next === null) return;
    event.preventDefault();
    focus(this.#drawing.nodes.get(next)?.element);
    this.#seen(this.#drawing.centreOf(next));
  }

  #neighbour(id: string, key: string): string | null {
    switch (key) {
      case "ArrowRight":
        return (
          [...this.#drawing.nodes.values()].find(
            ({ data }) => data.state !== "gone" && data.inputs.some((input) => input.id === id),
          )?.data.id ?? null
        );
      case "ArrowLeft": {
        // The edges into a freed operation went with it.
        const inputs = this.#alive(id) ? (this.#drawing.nodes.get(id)?.data.inputs ?? []) : [];
        return inputs.find((input) => input.id !== null && this.#drawing.nodes.has(input.id))?.id ?? null;
      }
      case "ArrowDown":
        return this.#vertical(id, 1);
      case "ArrowUp":
        return this.#vertical(id, -1);
      default:
        return null;
    }
  }

  #alive(id: string): boolean {
    return this.#drawing.nodes.get(id)?.data.state !== "gone";
  }

  #vertical(id: string, sign: 1 | -1): string | null {
    const here = this.#drawing.centreOf(id);
    if (!here) return null;
    let best: string | null = null;
    let least = Infinity;
    for (const other of this.#drawing.nodes.keys()) {
      const at = this.#drawing.centreOf(other);
      if (!at || (at.y - here.y) * sign <= 0) continue;
      const cost = Math.abs(at.y - here.y) + 2 * Math.abs(at.x - here.x);
      if (cost >= least) continue;
      best = other;
      least = cost;
    }
    return best;
  }
}
