/**
 * Two runs side by side as plain data: written by `minigrad_widgets/graph_diff.py`, checked here
 * when it arrives, and folded: a long stretch of rows of one kind shows its two ends.
 */

import { isFields, isText } from "../data/checks.ts";
import { isNode, problem, type Read } from "../data/incoming.ts";
import { handle } from "../data/node_words.ts";
import { TAPE_VERSION, type NodeData } from "../data/tape.ts";
import { plural, pretty } from "../data/text.ts";
import { readQuestion, type Question } from "../question/question.ts";

/** Same place and value; same place, other value; only in the left run; only in the right one. */
export type Kind = "same" | "value" | "left" | "right";

export interface Row {
  kind: Kind;
  left: NodeData | null;
  right: NodeData | null;
  skipped: number; // rows of this kind that were left out here; then there is no node
}

export interface Side {
  title: string; // "a = 1.9"
  operations: number;
}

/** The trait `difference`. */
export interface Difference {
  version: number;
  function: string;
  summary: string;
  principle?: string; // what the comparison shows of every graph; absent in older notebooks
  left: Side;
  right: Side;
  rows: Row[];
  questions: Question[]; // asked in this order before anything of the right run is shown
}

export const SIDES = ["left", "right"] as const;

const isCount = (x: unknown): x is number => typeof x === "number" && Number.isInteger(x) && x >= 0;
const isSide = (x: unknown): boolean => isFields(x) && isText(x.title) && isCount(x.operations);

/** The runs that have a node in a row of this kind. */
const sidesOf = (kind: unknown): unknown[] => (kind === "left" || kind === "right" ? [kind] : [...SIDES]);

function isRow(x: unknown): boolean {
  if (!isFields(x) || !isCount(x.skipped)) return false;
  const wanted = x.skipped > 0 ? [] : sidesOf(x.kind);
  return (
    ["same", "value", "left", "right"].includes(x.kind as string) &&
    SIDES.every((side) => (wanted.includes(side) ? isNode(x[side]) : x[side] === null))
  );
}

export function readDifference(x: unknown): Read<Difference> {
  const good =
    isFields(x) &&
    x.version === TAPE_VERSION &&
    isText(x.function) &&
    isText(x.summary) &&
    isText(x.principle ?? "") &&
    isSide(x.left) &&
    isSide(x.right) &&
    Array.isArray(x.rows) &&
    x.rows.every(isRow) &&
    Array.isArray(x.questions) &&
    x.questions.every((question) => readQuestion(question) !== null);
  return good ? { ok: true, data: x as unknown as Difference } : { ok: false, problem: problem("comparison", x) };
}

// ---- folding --------------------------------------------------------------------------------

export interface Fold {
  key: number; // the position of its first row
  kind: Kind;
  rows: Row[];
  count: number; // how many rows it stands for
  open: boolean;
  fixed: boolean; // its rows are not here, so it cannot be opened
}

/** What stands below each other in the picture: rows, and folds in place of rows. */
export type Entry = { row: Row; fold: null } | { row: null; fold: Fold };

const LONGEST = 8; // rows of one kind that are shown without folding
const ENDS = 2; // rows of a fold that stay in sight at either end

export function entries(rows: readonly Row[], opened: ReadonlySet<number>): Entry[] {
  const result: Entry[] = [];
  const show = (shown: readonly Row[]): void => {
    for (const row of shown) result.push({ row, fold: null });
  };
  let start = 0;
  while (start < rows.length) {
    const first = rows[start] as Row;
    let end = start + 1;
    while (end < rows.length && rows[end]?.kind === first.kind && rows[end]?.skipped === 0 && first.skipped === 0) {
      end += 1;
    }
    const stretch = rows.slice(start, end);
    if (first.skipped > 0) {
      result.push({
        row: null,
        fold: { key: start, kind: first.kind, rows: [], count: first.skipped, open: false, fixed: true },
      });
    } else if (stretch.length <= LONGEST) {
      show(stretch);
    } else {
      const inner = stretch.slice(ENDS, -ENDS);
      const open = opened.has(start);
      show(stretch.slice(0, ENDS));
      result.push({
        row: null,
        fold: { key: start, kind: first.kind, rows: inner, count: inner.length, open, fixed: false },
      });
      if (open) show(inner);
      show(stretch.slice(-ENDS));
    }
    start = end;
  }
  return result;
}

const KINDS: Record<Kind, [before: string, after: string]> = {
  same: ["equal ", ""],
  value: ["", " with other values"],
  left: ["", " on the left only"],
  right: ["", " on the right only"],
};

/** "38 equal operations", "40 operations with other values" */
export function foldText(fold: Fold): string {
  const [before, after] = KINDS[fold.kind];
  return `${plural(fold.count, `${before}operation`)}${after}`;
}

/** How the rows of a kind differ, in words: nothing rests on its colour or shape. */
export const MEANINGS: Record<Kind, string> = {
  same: "equal",
  value: "other value",
  left: "only left",
  right: "only right",
};

/** How this row differs, in words: where the shapes differ, that says more than that the values do. */
export function meaningOf({ kind, left, right }: Row): string {
  const same = left?.value?.shape.join() === right?.value?.shape.join();
  return kind === "value" && !same ? "other shape" : MEANINGS[kind];
}

/** The node as it would be written: "y = x * 3". */
export function equation(node: NodeData): string {
  const name = node.names[0];
  if (node.kind !== "op") return handle(node);
  return pretty(name === undefined ? node.formula || node.op : `${name} = ${node.formula || node.op}`);
}

/** The line that made it; a leaf was there before. */
export const lineOf = (row: Row): string => String((row.left ?? row.right)?.line ?? "–");
export const sourceOf = (row: Row): string => (row.left ?? row.right)?.source.trim() ?? "";
