/**
 * The keyboard on a graph: one node is in the tab order, two arrow keys move along the edges (on
 * to what was made from the node, back to what it was made from), the two others move within the
 * picture. Where there are several paths, the first is taken and the others are named: then the
 * two others choose among them. Enter or a click opens the node.
 */

import { handle } from "../data/node_words.ts";
import type { NodeData } from "../data/tape.ts";
import { joined, pretty } from "../data/text.ts";
import { fill, focus, listen } from "../page/dom.ts";
import { neighbourText, sourcesOf, usersOf, type Nodes } from "./neighbours.ts";
import type { Point } from "./pixels.ts";

/** The picture on which the keys move. */
export interface Ground {
  svg: SVGSVGElement;
  downwards: boolean; // do the edges lead downwards, or to the right?
  ids(): Iterable<string>;
  nodes(): Nodes;
  idOf(target: EventTarget | null): string;
  elementOf(id: string): SVGElement | undefined;
  centreOf(id: string): Point | null;
}

/** What a move brings about. */
export interface Reactions {
  open(id: string): void;
  seen(at: Point | null): void;
  /** A path was chosen, along an edge between these two; or the choice is over. */
  chosen(text: string, edge: { from: string; to: string } | null): void;
}

/** One of several paths out of a node, or into it. */
export interface Choosing {
  from: string;
  options: readonly NodeData[];
  at: number;
  on: boolean; // with the data
}

/** "Path 1 of 2: b goes into c. ↓ takes path 2: d." */
export function pathText({ options, at, on }: Choosing, from: NodeData, key: string): string {
  const next = (at + 1) % options.length;
  const [here, there] = [options[at], options[next]].map((node) => (node ? pretty(called(node)) : ""));
  const way = `${pretty(called(from))} ${on ? "goes into" : "comes from"} ${here}`;
  return `Path ${at + 1} of ${options.length}: ${way}. ${key} takes path ${next + 1}: ${there}.`;
}

const called = (node: NodeData): string => (node.kind === "sign" ? node.formula : handle(node));

const KEYS = "the arrow keys follow the edges";
const FORWARD = new Set(["ArrowDown", "ArrowRight"]);
const ARROW_KEYS = new Set([...FORWARD, "ArrowUp", "ArrowLeft"]);

export class RovingFocus {
  #choosing: Choosing | null = null;
  #came = ""; // the node that was left: the way back to it comes first
  #going = false;

  constructor(
    private readonly ground: Ground,
    private readonly reactions: Reactions,
    public current = "",
  ) {
    const { svg } = ground;
    listen(svg, "click", (event) => this.#press(ground.idOf(event.target)));
    listen(svg, "keydown", (event) => this.#key(event));
    listen(svg, "focusin", (event) => this.#setCurrent(ground.idOf(event.target)));
  }

  /** New nodes start outside the tab order; the first one there is becomes its door. */
  admit(id: string, role: string): void {
    const element = this.ground.elementOf(id);
    // Not a button: then the words in the picture would have to be part of its name.
    if (element) fill(element, { tabindex: -1, "aria-roledescription": role, "aria-description": KEYS });
    if (!this.ground.elementOf(this.current) || id === this.current) this.#setCurrent(id);
  }

  #setCurrent(id: string): void {
    const next = this.ground.elementOf(id);
    if (!next) return;
    const old = this.ground.elementOf(this.current);
    if (old) old.tabIndex = -1;
    next.tabIndex = 0;
    this.current = id;
    next.setAttribute("aria-description", joined([neighbourText(this.ground.nodes(), id), KEYS], "; "));
    if (this.#going) return;
    this.#came = "";
    this.#choose(null);
  }

  #press(id: string): void {
    if (id === "") return;
    focus(this.ground.elementOf(id));
    this.reactions.open(id);
  }

  #key(event: KeyboardEvent): void {
    const id = this.ground.idOf(event.target);
    if (id === "") return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.reactions.open(id);
      return;
    }
    if (!ARROW_KEYS.has(event.key) || !this.#move(id, event.key)) return;
    event.preventDefault();
  }

  /** False where there is nothing in this direction. */
  #move(id: string, key: string): boolean {
    const { downwards } = this.ground;
    const [back, on] = downwards ? ["ArrowUp", "ArrowDown"] : ["ArrowLeft", "ArrowRight"];
    if (key === on || key === back) {
      if (this.#follow(id, key === on)) return true;
      if (!downwards) return false;
    } else if (this.#choosing) {
      const { options, at } = this.#choosing;
      const step = FORWARD.has(key) ? 1 : options.length - 1;
      this.#take({ ...this.#choosing, at: (at + step) % options.length });
      return true;
    }
    const next = this.#nearest(id, key);
    if (next === null) return false;
    focus(this.ground.elementOf(next));
    this.reactions.seen(this.ground.centreOf(next));
    return true;
  }

  #follow(id: string, on: boolean): boolean {
    const options = (on ? usersOf : sourcesOf)(this.ground.nodes(), id);
    if (options.length === 0) return false;
    const back = options.findIndex((node) => node.id === this.#came);
    this.#take({ from: id, options, at: Math.max(0, back), on });
    return true;
  }

  #take(choosing: Choosing): void {
    const to = choosing.options[choosing.at]?.id ?? "";
    this.#came = choosing.from;
    this.#going = true;
    focus(this.ground.elementOf(to));
    this.#going = false;
    this.reactions.seen(this.ground.centreOf(to));
    this.#choose(choosing.options.length > 1 ? choosing : null);
  }

  #choose(choosing: Choosing | null): void {
    const from = choosing && this.ground.nodes().get(choosing.from);
    const to = choosing?.options[choosing.at]?.id;
    this.#choosing = choosing;
    if (!from || to === undefined) this.reactions.chosen("", null);
    else {
      const text = pathText(choosing, from, this.ground.downwards ? "→" : "↓");
      const [source, user] = choosing.on ? [from.id, to] : [to, from.id];
      this.reactions.chosen(text, { from: source, to: user });
    }
  }

  /** The nearest node on this side. */
  #nearest(id: string, key: string): string | null {
    const here = this.ground.centreOf(id);
    if (!here) return null;
    const sign = FORWARD.has(key) ? 1 : -1;
    const upright = key === "ArrowDown" || key === "ArrowUp";
    let best: string | null = null;
    let least = Infinity;
    for (const other of this.ground.ids()) {
      const at = this.ground.centreOf(other);
      if (!at) continue;
      const [ahead, aside] = upright ? [at.y - here.y, at.x - here.x] : [at.x - here.x, at.y - here.y];
      const cost = Math.abs(ahead) + 2 * Math.abs(aside);
      if (ahead * sign <= 0 || cost >= least) continue;
      best = other;
      least = cost;
    }
    return best;
  }
}
