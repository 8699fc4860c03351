/**
 * The graph with boxes in place of the operations that share one. Which do, the kernel has
 * worked out (`minigrad_widgets/folding.py`); here boxes are opened and closed.
 */

import { marksWithin } from "../data/marks.ts";
import type { Group, NodeData } from "../data/tape.ts";
import { plural } from "../data/text.ts";

const MOST_LEAVES = 8;
export const LEAVES = "b:leaves";

/** A box that is open. */
export interface Opened {
  id: string;
  title: string;
  note: string;
  shown: string[]; // what it shows, inputs first: operations and boxes
  depth: number; // how many open boxes it is in
}

export interface Folded {
  records: NodeData[]; // boxes and single nodes, inputs first
  open: Opened[];
  holder: ReadonlyMap<string, string>; // a node → the box that stands for it, or itself
}

const isOperation = ({ kind }: NodeData): boolean => kind === "op" || kind === "failed";

const membersOf = (group: Group): string[] =>
  group.groups.length > 0 ? group.groups.flatMap(membersOf) : group.members;

/** The boxes that hold an operation, outermost first. */
export function around(groups: readonly Group[], id: string): string[] {
  for (const group of groups) {
    const inner = group.groups.length > 0 ? around(group.groups, id) : [];
    if (inner.length > 0 || group.members.includes(id)) return [group.id, ...inner];
  }
  return [];
}

/**
 * `opened`: the boxes that are open, and the leaves that stand outside of any. `allLeaves`: all
 * that require a gradient do.
 */
export function fold(
  nodes: ReadonlyMap<string, NodeData>,
  groups: readonly Group[],
  opened: ReadonlySet<string>,
  allLeaves = false,
): Folded {
  const isAlone = ({ id, kind }: NodeData): boolean => opened.has(id) || (allLeaves && kind === "leaf");
  const open: Folded["open"] = [];
  const holder = new Map<string, string>(); // node → the box or node that stands for it
  const boxes = new Map<string, { title: string; note: string | undefined; members: NodeData[] }>();
  const order: string[] = []; // what stands in the picture
  const single = (id: string): void => {
    holder.set(id, id);
    order.push(id);
  };
  const spread = (group: Group, depth: number): void => {
    const all = membersOf(group);
    const members = all.flatMap((id) => nodes.get(id) ?? []);
    // Where only a part of them is shown, the passes are not counted.
    const isPart = members.length < all.length;
    const title = isPart ? group.title.replace(/, \d+ times$/, "") : group.title;
    const note = isPart ? group.note?.replace(/(^|, )\d+ (times|pass|passes)( drawn)?$/, "") : group.note;
    if (members.length === 0) return;
    if (members.length > 1 && !opened.has(group.id)) {
      order.push(group.id);
      boxes.set(group.id, { title, note, members });
      for (const { id } of members) holder.set(id, group.id);
      return;
    }
    const at = order.length;
    const mark: Opened = { id: group.id, title, note: note ?? "", shown: [], depth };
    const isBox = members.length > 1;
    if (isBox) open.push(mark);
    if (group.groups.length > 0) for (const inner of group.groups) spread(inner, isBox ? depth + 1 : depth);
    else members.forEach(({ id }) => single(id));
    mark.shown = order.slice(at);
  };
  for (const group of groups) spread(group, 0);

  // What is newer than the boxes stands for itself.
  const users = new Map<string, Set<string>>();
  for (const node of nodes.values()) {
    if (isOperation(node) && !holder.has(node.id)) single(node.id);
    for (const { id } of node.inputs) {
      if (id !== null) users.set(id, (users.get(id) ?? new Set()).add(holder.get(node.id) ?? ""));
    }
  }
  // What only one box uses goes into it, but a few leaves are always shown; of many others,
  // one box is made.
  const few = [...nodes.values()].filter((node) => node.kind === "leaf").length <= MOST_LEAVES;
  const outside: NodeData[] = [];
  const inside = new Map<string, number>();
  for (const leaf of nodes.values()) {
    if (isOperation(leaf)) continue;
    const [only = "", another] = users.get(leaf.id) ?? [];
    const hidden = another === undefined && boxes.has(only) && !(few && leaf.kind === "leaf") && !isAlone(leaf);
    holder.set(leaf.id, hidden ? only : leaf.id);
    if (hidden) inside.set(only, (inside.get(only) ?? 0) + 1);
    else outside.push(leaf);
  }
  const together = outside.filter((leaf) => !isAlone(leaf));
  const many = together.length > MOST_LEAVES;
  if (many) for (const { id } of together) holder.set(id, LEAVES);
  const alone = many ? outside.filter(isAlone) : outside;
  const leaves = (count: number): string => plural(count, "leaf", "leaves");

  const records = order.map((id) => {
    const box = boxes.get(id);
    const node = nodes.get(id);
    if (!box) {
      return { ...node!, inputs: folded(node!.inputs, holder) };
    }
    const taken = inside.get(id) ?? 0;
    const count = plural(box.members.length, "operation") + (taken === 0 ? "" : ` and ${taken} data`);
    const from = new Set(
      box.members.flatMap((member) => member.inputs.map((input) => holder.get(input.id ?? "") ?? id)),
    );
    from.delete(id);
    return {
      ...boxRecord(id, box.title, box.members, count),
      ...(box.note ? { note: box.note } : {}),
      inputs: [...from].map((source) => ({ id: source, arg: "", text: "" })),
    };
  });
  const rest = many ? [boxRecord(LEAVES, leaves(together.length), together, "")] : [];
  return { records: [...rest, ...alone, ...records], open, holder };
}

/** The inputs that are in a box come from there: one edge from each box. */
function folded(inputs: NodeData["inputs"], holder: ReadonlyMap<string, string>): NodeData["inputs"] {
  const seen = new Set<string>();
  return inputs.map((input) => {
    const source = holder.get(input.id ?? "") ?? null;
    const isAgain = source !== null && source !== input.id && seen.has(source);
    if (source !== null) seen.add(source);
    return { ...input, id: isAgain ? null : source };
  });
}

function boxRecord(id: string, title: string, members: NodeData[], count: string): NodeData {
  return {
    ...members.at(-1)!,
    id,
    kind: "box",
    op: "",
    names: [],
    formula: title,
    numbers: count,
    grad: null,
    inputs: [],
    cut: undefined,
    marks: marksWithin(members),
    state: stateOf(members),
  };
}

/** The state that all have; else alive if any is alive, and spent if none is. */
function stateOf(members: readonly NodeData[]): NodeData["state"] {
  const [state = "alive", ...others] = new Set(members.map((node) => node.state));
  if (others.length === 0) return state;
  return [state, ...others].includes("alive") ? "alive" : "spent";
}
