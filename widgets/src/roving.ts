/**
 * The keyboard on the graph: one node is in the tab order, the arrow keys move along the
 * edges (left to what it was made from, right to what was made from it) and up and down
 * within the picture, Enter or a click opens the node.
 */

import { OWN_KEYS } from "./dom.ts";
import type { Drawing } from "./drawing.ts";
import type { Point } from "./geometry.ts";

export class Roving {
  private current = "";

  constructor(
    private readonly drawing: Drawing,
    private readonly open: (id: string) => void,
    private readonly seen: (at: Point) => void,
    signal: AbortSignal,
  ) {
    const { svg } = drawing;
    svg.addEventListener("click", (event) => this.press(event.target), { signal });
    svg.addEventListener("keydown", (event) => this.key(event), { signal });
    svg.addEventListener("focusin", (event) => this.setCurrent(idOf(event.target)), { signal });
  }

  /** New nodes start outside the tab order; the first one there is becomes its door. */
  admit(id: string): void {
    const element = this.drawing.nodes.get(id)?.element;
    element?.setAttribute("tabindex", "-1");
    for (const [name, value] of Object.entries(OWN_KEYS)) element?.setAttribute(name, value);
    element?.setAttribute("aria-description", "Enter opens details, the arrow keys follow the edges");
    if (!this.drawing.nodes.has(this.current)) this.setCurrent(id);
  }

  private setCurrent(id: string | null): void {
    const next = id === null ? undefined : this.drawing.nodes.get(id);
    if (id === null || next === undefined) return;
    this.drawing.nodes.get(this.current)?.element.setAttribute("tabindex", "-1");
    next.element.setAttribute("tabindex", "0");
    this.current = id;
  }

  private press(target: EventTarget | null): void {
    const id = idOf(target);
    if (id === null) return;
    this.drawing.nodes.get(id)?.element.focus({ preventScroll: true });
    this.open(id);
  }

  private key(event: KeyboardEvent): void {
    const id = idOf(event.target);
    if (id === null) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.open(id);
      return;
    }
    const next = this.neighbour(id, event.key);
    if (next === null) return;
    event.preventDefault();
    const group = this.drawing.nodes.get(next);
    const at = this.drawing.centreOf(next);
    group?.element.focus({ preventScroll: true });
    if (at !== null) this.seen(at);
  }

  private neighbour(id: string, key: string): string | null {
    switch (key) {
      case "ArrowRight":
        return this.drawing.consumers.get(id)?.[0] ?? null;
      case "ArrowLeft": {
        const inputs = this.drawing.nodes.get(id)?.data.inputs ?? [];
        return inputs.find((input) => input.id !== null && this.drawing.nodes.has(input.id))?.id ?? null;
      }
      case "ArrowDown":
        return this.vertical(id, 1);
      case "ArrowUp":
        return this.vertical(id, -1);
      default:
        return null;
    }
  }

  private vertical(id: string, sign: 1 | -1): string | null {
    const here = this.drawing.centreOf(id);
    if (here === null) return null;
    let best: string | null = null;
    let least = Infinity;
    for (const other of this.drawing.nodes.keys()) {
      const at = this.drawing.centreOf(other);
      if (at === null || (at.y - here.y) * sign <= 0) continue;
      const cost = Math.abs(at.y - here.y) + 2 * Math.abs(at.x - here.x);
      if (cost < least) [best, least] = [other, cost];
    }
    return best;
  }
}

export function idOf(target: EventTarget | null): string | null {
  const group = target instanceof Element ? target.closest("[data-mg-node]") : null;
  return group?.getAttribute("data-mg-node") ?? null;
}
