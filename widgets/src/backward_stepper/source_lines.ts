/**
 * The lines of code behind a pass: which line made which nodes. All of it without a page.
 */

import type { NodeData, SourceBlock } from "../data/tape.ts";

export interface SourceLine {
  number: number;
  text: string;
  made: string[]; // the nodes that it made, in their order
  after: boolean; // were lines left out before it?
}

export interface SourcePart {
  file: string; // "In [2]"
  lines: SourceLine[];
}

const FEW = 12; // lines that are shown from the beginning

export function sourceParts(blocks: readonly SourceBlock[], nodes: readonly NodeData[]): SourcePart[] {
  return blocks.map(({ file, lines }) => ({
    file,
    lines: lines.map(({ number, text }, index) => ({
      number,
      text,
      made: nodes.filter((node) => node.line === number && node.file === file).map(({ id }) => id),
      after: index > 0 && lines[index - 1]!.number + 1 < number,
    })),
  }));
}

export const isShort = (parts: readonly SourcePart[]): boolean =>
  parts.reduce((count, { lines }) => count + lines.length, 0) <= FEW;

/** The letters of the longest line. */
export const widest = (parts: readonly SourcePart[]): number =>
  Math.max(0, ...parts.flatMap(({ lines }) => lines.map(({ text }) => text.length)));
