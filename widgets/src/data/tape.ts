/**
 * The tape as the page sees it: plain data, written by `minigrad/tape/`, and the
 * widgets' only source. Version 1. Everything the page needs to draw a graph and to step
 * through a backward pass is in here; the kernel is not asked again.
 *
 * JSON has no NaN, infinity or 64-bit integers: such numbers arrive as strings
 * ("nan", "inf", "-inf", "9007199254740993").
 */

export const TAPE_VERSION = 1;

/** A bounded summary of a tensor's value: never more than 8 × 8 numbers. */
export interface Value {
  shape: number[];
  dtype: string; // "float32"
  // Short, for a label: "56", "[7]", "[[1, 2], [3, 4]]", "64×32 numbers"; of a single number that
  // is not known, its dtype, or what it is: "a number".
  text: string;
  data: (number | string | boolean)[]; // the shown corner, row-major
  shown: number[]; // shape of that corner: [] for 0-d, [n], or [rows, cols]
  flaw?: string; // "nan", "inf" or "nan and inf", anywhere in it; absent: nothing known of any
  more?: number; // under which the kernel can be asked for the rest; absent: there is none to be had
}

/** Slices of large values that are stored with a view, by the values' `more` (see `slices.ts`). */
export type Stored = Record<string, unknown[]>;

export interface Input {
  id: string | null; // null: a Python number, which is no node
  arg: string; // PyTorch's argument name: "input", "other"
  text: string; // "a", "1"
}

/** What is to be said of a node beside its value: a sentence, which names the line. */
export interface NodeMark {
  // Its value left the graph, or came from where it did; its memory is shared; it raised an error.
  kind: "cut" | "read" | "memory" | "failed";
  text: string;
}

/** What an operation keeps for its backward pass. */
export interface Saved {
  arg: string; // "other", or "out" for the result
  text: string; // "d"
  bytes: number; // 0: a Python number
  why: string[]; // the rules that name it, for whose gradient: "c: g * d"
}

export interface NodeData {
  id: string; // "n12" for an operation, "t3" for a tensor that no recorded operation made
  // leaf: requires a gradient; data: does not; earlier: the result of an operation that came
  // before what is shown; failed: an operation that raised an error. The others are made in the
  // page: an operation drawn as its result or as its sign alone, and many that are folded into a box.
  kind: "op" | "leaf" | "data" | "given" | "earlier" | "failed" | "value" | "sign" | "box";
  op: string; // "mul"; "" unless kind is "op"
  symbol: string; // "×", "tanh"; "" unless kind is "op"
  names: string[]; // variables that hold the value, best first; may be empty
  formula: string; // "c * d"; "" unless kind is "op"
  cell: string; // the cell that was running: "In [3]"; "" when unknown
  line: number | null; // the line that made it, within `file`
  file: string; // where that line stands: "In [2]" or a file name
  source: string; // the text of that line
  scope: string; // the function that it stands in: "Net.forward"; "" for a cell's own code
  spot: string; // which instruction of it: the same in each pass through a loop
  call?: number; // which call of a module by that line has made it; 0 or absent: none
  note?: string; // of a box: what else is to be said of it
  fused?: string; // which nodes of PyTorch's it stands for, if for several
  marks?: NodeMark[] | undefined;
  cut?: Input[] | undefined; // of data: what its value came from, without its history
  rewritten?: boolean; // a leaf that holds other numbers than when it was first used
  value: Value;
  grad: Value | null; // what the latest watched pass brought; of a leaf, its .grad
  numbers: string; // the formula with numbers: "8 * 7"; "" unless they are single numbers
  saved: Saved[];
  inputs: Input[]; // operands in order; empty unless kind is "op"
  state: "alive" | "spent" | "gone"; // spent: backward took its saved values; gone: freed
  until?: string; // of a program's line, how long its value is there: "deleted after v3"; or ""
}

/** Kernel → page, while cells run (custom message). */
export interface Delta {
  type: "delta";
  number: number; // 1, 2, 3 …; on a gap the page asks for a snapshot with {type: "resync"}
  nodes: NodeData[]; // new nodes, or nodes whose record changed (same id: replace)
}

/** Kernel → page, when a cell begins and when it has ended (custom message). */
export interface CellEvent {
  type: "cell";
  phase: "begin" | "end";
  cell: string; // "In [3]"
  made: number; // operation nodes this cell made (0 at "begin")
}

/** The trait `run`: what `watch(f, a=2.0)` called, and what came of it. */
export interface RunData {
  version: number;
  answers: number; // the number of the page's message that this answers
  name: string; // "f"
  knobs: Knob[];
  result: string; // "56"; "" when it raised
  problem: string; // what it raised, and in which line; "" while all is well
  printed: string;
}

/** A number that the page may change. */
export interface Knob {
  name: string;
  value: number;
  whole: boolean; // an integer
  least: number;
  most: number;
  step: number;
}

/** Page → kernel: call the function again, with these numbers. */
export interface RunAgain {
  type: "run";
  number: number; // 1, 2, 3 …; comes back as `answers`
  values: Record<string, number>;
}

/** The trait `graph`: the whole picture, written when a cell has ended. */
export interface Snapshot {
  version: number;
  number: number; // the last delta it contains
  nodes: NodeData[]; // in the order in which they were made
  omitted: number; // operations made beyond the drawing limit
  slices?: Stored;
  latest?: { cell: string; made: number }; // the cell that ended last, and how many it has added
  groups?: Group[]; // how a large graph folds; empty or absent for a small one
  ended?: boolean; // only a block was watched, and it has ended
  behind?: string; // nothing was watched: it is what led to this tensor
  unheard?: string; // what to write where nobody tells when a cell runs; else ""
}

/** Operations that share a box. In it they are in boxes again, or on their own. */
export interface Group {
  id: string; // "b0:n12"; of a single operation, its own
  title: string; // "lines 3–5, 48 times", "encoder.layers.0"
  note?: string; // what else is to be said: "30 passes", "call 2 of 3", "Linear"
  members: string[]; // empty if there are `groups`
  groups: Group[];
}

export interface Arrival {
  from: string; // id of the node whose visit sent it, or "seed"
  text: string; // "e", "the start"
  grad: Value;
}

/** One gradient that a visit passes on to one differentiable input. */
export interface Outgoing {
  to: string; // id of the node or leaf that receives it
  text: string; // its variable or short formula: "d"
  arg: string; // "input"
  rule: string; // the engine's own rule, with names filled in: "g * d"
  local: string | null; // the local derivative when the operation is element-wise: "d"
  localValue: Value | null; // the same with numbers
  numbers: string | null; // "1 * 7", for single numbers
  grad: Value; // what is sent
  sumBefore: Value | null; // what had arrived there already; null: nothing yet
  sum: Value; // and the sum after this arrival
}

export type Step =
  | { kind: "start"; node: string; text: string; grad: Value }
  | {
      kind: "visit";
      node: string;
      text: string; // "e = c * d"
      arrivals: Arrival[]; // more than one: the grad is their sum
      grad: Value; // what has arrived
      outgoing: Outgoing[];
    }
  | {
      kind: "land"; // a leaf or a retain_grad() tensor: what would land in .grad
      node: string;
      text: string; // "b"
      arrivals: Arrival[];
      grad: Value; // the sum of the arrivals
      before: Value | null; // .grad before the pass (null: None)
      after: Value; // .grad after a real backward()
    };

/** How an engine speaks of several gradients that arrive at one place. */
export interface Joining {
  between: string; // stands between two of them: "+", "overwritten by"
  kept: string; // is said after all of them: "of which the last is kept", or ""
  leaves: string; // what a later one does, before the number: "makes", "leaves"
}

/** The same pass by an engine that is wrong on purpose, with its own words (`minigrad/lesson/engines.py`). */
export interface Engine {
  id: string; // "overwrite"
  title: string;
  what: string; // "it overwrites what has arrived instead of adding to it"
  joins: Joining;
  steps: Step[]; // empty when there are too many to show
  own?: boolean; // not wrong on purpose: a function of the learner's
  problem?: string; // of such a one: what went wrong, or ""
}

/** The trait `schedule` of the stepper. */
export interface Schedule {
  version: number;
  title: string; // "e"
  mode: "rehearsed" | "replayed" | "unavailable";
  message: string; // for "unavailable": why, and how to get one; else a note or ""
  nodes: NodeData[]; // in the order in which they were made
  steps: Step[]; // empty when unavailable
  slices?: Stored;
  engines?: Engine[]; // other ones, most of them wrong; absent in older notebooks
  chosen?: string; // open with this one of the engines; absent: with the right one
  ask?: boolean; // open with "Ask me first" on
  rules?: Record<string, { offered: string[]; right: number }>; // three of the course to choose from, for each
  source?: SourceBlock[]; // the lines that made the nodes, as far as they are known
  nudges?: Nudges;
  groups?: Group[]; // how its graph folds; absent: nothing is known of that
}

/** A function, or a cell, whose lines made nodes. */
export interface SourceBlock {
  file: string; // as in a node's `file`
  lines: { number: number; text: string }[]; // of a long block, only those around what made nodes
}

/** What came of running the function again with a number that is a little larger. */
export interface Nudges {
  note: string; // why there are none, and what to do about it; "" if there are some
  exact: boolean; // computed in float64
  leaves: NudgedLeaf[];
}

export interface NudgedLeaf {
  id: string;
  name: string; // "rate"
  value: number;
  runs: Nudge[]; // one for each h
}

export interface Nudge {
  h: number; // what was added
  problem: string; // what that run raised, or ""
  parted: string; // the first line at which it took another path, or ""
  changes: Record<string, (number | string)[]>; // per node, of each of its numbers; no large ones
  loss: number | string | null; // the change of the result; null: unknown
}
