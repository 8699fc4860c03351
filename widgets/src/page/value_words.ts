/** What is said of a value of which not all numbers are shown. */

import type { Matrix, Scale } from "../data/slices.ts";
import { joined } from "../data/text.ts";

/** Why numbers are not here: the rest of a sentence about them. */
export const REASONS: Record<string, string> = {
  bare: "were not kept.",
  gone: "are not there any more: the program has dropped them.",
  written: "are not there any more: the program has written over them.",
  silent: "are not stored with this view, and no kernel has answered so far.",
  offline: "are not stored with this view, and there is no kernel.",
};

/** Of a large matrix not each row is shown. */
export function steps({ step: [rows, columns] }: Matrix): string {
  const each = (by: number, word: string): string => (by === 1 ? "" : `one of ${by} ${word}`);
  const said = joined([each(rows!, "rows"), each(columns!, "columns")], " and ");
  return said && `Shown is ${said}.`;
}

/** The scales of a picture; three matrices one behind the other may be colours. */
export function scales(leading: readonly number[]): [Scale, string][] {
  const found: [Scale, string][] = [
    ["grey", "grey: least to largest"],
    ["diverging", "blue to red: 0 in the middle"],
  ];
  if (leading.at(-1) === 3) found.push(["rgb", `dim ${leading.length - 1} as red, green, blue`]);
  return found;
}
