/**
 * A recording as the page sees it: the moments of a block in their order, written by
 * `minigrad_widgets/player/recording.py`. Nothing else is needed to play it, not even a kernel.
 */

import {
  has,
  isBlock,
  isCount,
  isNode,
  isStep,
  isValue,
  isVersion,
  list,
  maybe,
  oneOf,
  optional,
  read,
  type Read,
} from "../data/incoming.ts";
import { isText } from "../data/checks.ts";
import type { NodeData, SourceBlock, Step, Value } from "../data/tape.ts";

/** A variable, a parameter or a gradient was written. */
export interface Change {
  name: string; // "w", "w.grad", "layers.0.weight"
  call: number; // the call whose variable it is; 0: the block
  value: Value | null; // of a tensor
  text: string | null; // short; null: the variable is gone
}

/** One thing that happened. */
export interface Moment {
  kind: "op" | "step" | "call" | "line"; // step: of a backward pass; line: a statement that made no operation
  call: number; // in which call it happened
  passes: number[]; // of the loops around the line, the outermost first
  file: string; // "In [2]"
  line: number | null; // null: nobody knows
  changes: Change[];
  node?: string; // of an operation
  pass?: number; // of a step: which backward pass,
  step?: number; // and which step of it, from 1
  raised?: string; // of a line: the error that it raised, or ""
  returned?: string; // what a function returned with it
}

/** A backward pass; of its nodes, those that are not among the operations. */
export interface Pass {
  title: string;
  mode: "rehearsed" | "replayed" | "unavailable";
  nodes: NodeData[];
  steps: Step[];
}

/** The trait `recording`. */
export interface Recording {
  version: number;
  title: string; // "In [3]"
  note: string; // what is to be said of it, or ""
  dropped: number; // moments before those that are kept
  followed: boolean; // were the lines between the operations followed?
  raised: string; // the error that ended the block, or ""
  first: Change[]; // what is known before the first moment
  calls: { id: number; scope: string }[]; // functions of the program
  nodes: NodeData[]; // the operations
  passes: Pass[];
  moments: Moment[];
  source: SourceBlock[];
  ask?: boolean; // open with "Ask me first" on
}

const isChange = has("name", { call: isCount, value: maybe(isValue), text: maybe(isText) });
const isMoment = has("file", {
  kind: oneOf("op step call line"),
  call: isCount,
  passes: list(isCount),
  line: maybe(isCount),
  changes: list(isChange),
  node: optional(isText),
  pass: optional(isCount),
  step: optional(isCount),
  raised: optional(isText),
  returned: optional(isText),
});
const isPass = has("title", {
  mode: oneOf("rehearsed replayed unavailable"),
  nodes: list(isNode),
  steps: list(isStep),
});
const isRecording = has("title note raised", {
  version: isVersion,
  dropped: isCount,
  first: list(isChange),
  calls: list(has("scope", { id: isCount })),
  nodes: list(isNode),
  passes: list(isPass),
  moments: list(isMoment),
  source: list(isBlock),
});

export const readRecording = (x: unknown): Read<Recording> => read(isRecording, "recording", x);
