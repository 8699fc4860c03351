/** Which boxes of a folded graph are open, one by one or by levels, and the row of buttons that close them. */

import type { Group, NodeData } from "../data/tape.ts";
import { joined, plural } from "../data/text.ts";
import { button, h } from "../page/dom.ts";
import { around, fold, LEAVES, type Folded, type Opened } from "./folding.ts";

/** A graph that can be folded. */
export interface Foldable {
  nodes: ReadonlyMap<string, NodeData>;
  groups: readonly Group[];
}

export const MANY = 30; // operations: up to so many, a graph opens unfolded (`folding.py`)
const AT_FIRST = 12; // operations and boxes: as many levels are open at first as show no more (`folding.py`)
const TOO_MANY = 300; // operations: of more, an unfolded picture keeps the page waiting
const MOST_BUTTONS = 8;

/**
 * Draw anew. `kept`: the node or box that stays where it is, or what then stands for it; "": the
 * one in the middle of the window. It may get the focus, too.
 */
export type Regroup = (kept: string, focus: boolean) => void;

export class Boxes {
  readonly element = h("div", { class: "mg-boxes", role: "group", "aria-label": "Opened boxes" });
  readonly #opened = new Set<string>();
  readonly #changed: Regroup;
  #groups: readonly Group[] = [];
  #open: readonly Opened[] = [];
  #holder: Folded["holder"] = new Map();
  #isFirst = true; // is the first picture still to come?
  #way: string[] = []; // what was opened to show a node, and closes when another one is to be shown
  #isFramed: boolean; // has the reader folded anything? Before, nothing tells of boxes

  constructor(
    public folded: boolean,
    changed: Regroup,
    private readonly allLeaves = false, // do they all stand outside of the boxes?
  ) {
    this.#changed = changed;
    this.#isFramed = folded;
  }

  /** The nodes of the picture, folded or not; folded, if it is too large and the reader has not chosen. */
  records({ nodes, groups }: Foldable): NodeData[] {
    if (!this.#isFramed && opensFolded({ nodes, groups }, TOO_MANY)) this.folded = this.#isFramed = true;
    this.#groups = groups;
    if (this.#isFirst && this.folded) for (const id of openAtFirst(groups)) this.#opened.add(id);
    this.#isFirst = false;
    const isFolded = this.folded && groups.length > 0;
    this.#open = [];
    this.#holder = new Map();
    let records = [...nodes.values()];
    if (isFolded || this.#isFramed) {
      const opened = isFolded ? this.#opened : new Set([...all(groups), ...nodes.keys()]);
      const folded = fold(nodes, groups, opened, this.allLeaves);
      this.#open = folded.open;
      if (isFolded) {
        this.#holder = folded.holder;
        records = folded.records;
      }
    }
    this.#paintButtons(isFolded ? this.#open : []);
    return records;
  }

  /** The boxes that are open in the picture. */
  get open(): readonly Opened[] {
    return this.#open;
  }

  /** Is there a box to open in the picture, and one to close? */
  get levels(): { more: boolean; less: boolean } {
    return { more: this.folded && this.#closed().length > 0, less: this.#open.length > 0 };
  }

  /** What stands in the picture for this node: itself, or a box. */
  holderOf(id: string): string {
    return this.#holder.get(id) ?? id;
  }

  /** What stands in the picture for this node or box now that boxes were opened or closed. */
  heirOf(id: string): string {
    const opened = this.#open.find((box) => box.id === id);
    if (opened) return opened.shown[0] ?? id;
    const path = pathTo(this.#groups, id);
    const closed = this.folded ? path.find((one) => !this.#opened.has(one) && one !== id) : undefined;
    return closed ?? this.holderOf(id);
  }

  /** Open a box before the picture is drawn. */
  openFirst(id: string): void {
    this.#opened.add(id);
  }

  /** Open the boxes around a node, and close those that were opened for the one before. */
  openAround(id: string, { nodes, groups }: Foldable): void {
    for (const one of this.#way) this.#opened.delete(one);
    const boxes = nodes.get(id)?.kind === "op" ? around(groups, id) : [id];
    this.#way = boxes.filter((one) => !this.#opened.has(one));
    for (const one of this.#way) this.#opened.add(one);
  }

  /** Close all boxes. */
  closeAll(): void {
    this.folded = true;
    this.#isFramed = true;
    this.#opened.clear();
    this.#way = [];
  }

  /** What was opened to show a node stays open. */
  keepOpen(): void {
    this.#way = [];
  }

  /** Open a box. False for what is none. */
  openBox(id: string): boolean {
    if (!id.startsWith("b")) return false;
    if (id !== LEAVES) {
      this.#opened.add(id);
      this.#changed(id, true);
    }
    return true;
  }

  /** Close a box, at one of its nodes. */
  close(id: string, from = ""): void {
    this.#foldFrom();
    this.#opened.delete(id);
    const first = this.#open.find((box) => box.id === id)?.shown[0];
    this.#changed(from || (first ?? ""), true);
  }

  /** Close the innermost open box around a node of the picture. False if there is none. */
  closeAround(id: string): boolean {
    const path = pathTo(this.#groups, id).filter((one) => one !== id && !this.#isClosed(one));
    const found = path.at(-1) ?? this.#open.findLast((box) => box.shown.includes(id))?.id;
    if (found === undefined) return false;
    this.close(found, id);
    return true;
  }

  /** Open all boxes that the picture shows. */
  openLevel(): void {
    for (const id of this.#closed()) this.#opened.add(id);
    this.#changed("", false);
  }

  /** Close all boxes in which no other one is open. */
  closeLevel(): void {
    this.#foldFrom();
    const innermost = this.#open.filter(({ id }) => !this.#hasOpen(find(this.#groups, id)?.groups ?? []));
    for (const { id } of innermost) this.#opened.delete(id);
    this.#changed("", false);
  }

  setFolded(on: boolean): void {
    this.folded = on;
    this.#isFramed = true;
    this.#opened.clear();
    this.#changed("", false);
  }

  /** From a picture without closed boxes, on to one in which all are open. */
  #foldFrom(): void {
    this.#isFramed = true;
    if (this.folded) return;
    this.folded = true;
    for (const id of all(this.#groups)) this.#opened.add(id);
  }

  #isClosed(id: string): boolean {
    return this.folded && !this.#opened.has(id);
  }

  #hasOpen(groups: readonly Group[]): boolean {
    return groups.some((group) => this.#opened.has(group.id) || this.#hasOpen(group.groups));
  }

  #closed(): string[] {
    return [...new Set(this.#holder.values())].filter((id) => id.startsWith("b") && id !== LEAVES);
  }

  #paintButtons(open: readonly Opened[]): void {
    const shown = open.slice(0, MOST_BUTTONS);
    const close = shown.map((box) => {
      const name = fullName(box);
      return button(`▾ ${name}`, () => this.close(box.id), undefined, `Close the box ${name}`);
    });
    const rest = open.length - shown.length;
    const more = rest > 0 ? [h("span", "mg-note", `and ${plural(rest, "more open box", "more open boxes")}`)] : [];
    this.element.replaceChildren(...close, ...more);
  }
}

/** "encoder.layers.0, Block, pass 1 of 4" */
export const fullName = ({ title, note }: Opened): string => joined([title, note]);

/** Does a graph open folded? */
export const opensFolded = ({ nodes, groups }: Foldable, most = MANY): boolean =>
  groups.length > 0 && [...nodes.values()].filter(({ kind }) => kind === "op").length > most;

/** The boxes that are open at first. */
export function openAtFirst(groups: readonly Group[]): string[] {
  const opened: string[] = [];
  let level = groups; // what the picture shows
  for (;;) {
    const boxes = level.filter(({ id }) => id.startsWith("b"));
    const next = level.flatMap((group) => (group.id.startsWith("b") ? within(group) : [group]));
    if (boxes.length === 0 || next.length > AT_FIRST) return opened;
    opened.push(...boxes.map(({ id }) => id));
    level = next;
  }
}

const within = ({ groups, members }: Group): readonly Group[] =>
  groups.length > 0 ? groups : members.map((id) => ({ id, title: "", members: [id], groups: [] }));

/** All boxes; what holds a single operation is none. */
const all = (groups: readonly Group[]): string[] =>
  groups.flatMap((group) => [group.id, ...all(group.groups)]).filter((id) => id.startsWith("b"));

const find = (groups: readonly Group[], id: string): Group | undefined => {
  for (const group of groups) {
    const found = group.id === id ? group : find(group.groups, id);
    if (found) return found;
  }
  return undefined;
};

/** The boxes on the way to a node or a box, outermost first, with itself. */
function pathTo(groups: readonly Group[], id: string): string[] {
  for (const group of groups) {
    if (group.id === id) return [id];
    const inner = pathTo(group.groups, id);
    if (inner.length > 0) return [group.id, ...inner];
    if (group.members.includes(id)) return [group.id, id];
  }
  return [];
}
