/**
 * The graph with boxes in place of the operations that share one. Which do, the kernel has
 * worked out (`minigrad_widgets/folding.py`); here boxes are opened and closed.
 */

import type { Group, NodeData } from "../data/tape.ts";
import { plural } from "../data/text.ts";

const MOST_LEAVES = 8;
export const LEAVES = "b:leaves";

export interface Folded {
  records: NodeData[]; // boxes and single nodes, inputs first
  open: { id: string; title: string; first: string }[]; // opened boxes, and what each shows first
}

const membersOf = (group: Group): string[] =>
  group.groups.length > 0 ? group.groups.flatMap(membersOf) : group.members;

export function fold(
  nodes: ReadonlyMap<string, NodeData>,
  groups: readonly Group[],
  opened: ReadonlySet<string>,
): Folded {
  const open: Folded["open"] = [];
  const holder = new Map<string, string>(); // node → the box or node that stands for it
  const boxes = new Map<string, { title: string; members: NodeData[] }>();
  const order: string[] = []; // what stands in the picture
  const single = (id: string): void => {
    holder.set(id, id);
    order.push(id);
  };
  const spread = (group: Group): void => {
    const members = membersOf(group).flatMap((id) => nodes.get(id) ?? []);
    if (members.length === 0) return;
    if (members.length > 1 && !opened.has(group.id)) {
      order.push(group.id);
      boxes.set(group.id, { title: group.title, members });
      for (const { id } of members) holder.set(id, group.id);
      return;
    }
    const at = order.length;
    const mark = { id: group.id, title: group.title, first: "" };
    if (members.length > 1) open.push(mark);
    if (group.groups.length > 0) group.groups.forEach(spread);
    else members.forEach(({ id }) => single(id));
    mark.first = order[at] ?? "";
  };
  groups.forEach(spread);

  // What is newer than the boxes stands for itself.
  const users = new Map<string, Set<string>>();
  for (const node of nodes.values()) {
    if (node.kind === "op" && !holder.has(node.id)) single(node.id);
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
    if (leaf.kind === "op") continue;
    const [only = "", another] = users.get(leaf.id) ?? [];
    const hidden = another === undefined && boxes.has(only) && !(few && leaf.kind === "leaf");
    holder.set(leaf.id, hidden ? only : leaf.id);
    if (hidden) inside.set(only, (inside.get(only) ?? 0) + 1);
    else outside.push(leaf);
  }
  const many = outside.length > MOST_LEAVES;
  if (many) for (const { id } of outside) holder.set(id, LEAVES);
  const leaves = (count: number): string => plural(count, "leaf", "leaves");

  const records = order.map((id) => {
    const box = boxes.get(id);
    const node = nodes.get(id);
    if (!box) {
      return { ...node!, inputs: node!.inputs.map((input) => ({ ...input, id: holder.get(input.id ?? "") ?? null })) };
    }
    const taken = inside.get(id) ?? 0;
    const count = plural(box.members.length, "operation") + (taken === 0 ? "" : ` and ${taken} data`);
    const from = new Set(
      box.members.flatMap((member) => member.inputs.map((input) => holder.get(input.id ?? "") ?? id)),
    );
    from.delete(id);
    return {
      ...boxRecord(id, box.title, box.members, count),
      inputs: [...from].map((source) => ({ id: source, arg: "", text: "" })),
    };
  });
  return {
    records: [...(many ? [boxRecord(LEAVES, leaves(outside.length), outside, "")] : outside), ...records],
    open,
  };
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
    state: stateOf(members),
  };
}

/** The state that all have; else alive if any is alive, and spent if none is. */
function stateOf(members: readonly NodeData[]): NodeData["state"] {
  const [state = "alive", ...others] = new Set(members.map((node) => node.state));
  if (others.length === 0) return state;
  return [state, ...others].includes("alive") ? "alive" : "spent";
}
