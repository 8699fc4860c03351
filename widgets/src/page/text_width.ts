/**
 * How wide a text will be, without laying out the page: a canvas that is never shown
 * measures it in the same font. SVG text neither wraps nor cuts itself off, so labels
 * are fitted to their boxes here.
 */

import { fit } from "../data/text.ts";

const SERIF = '"STIX Two Text", Cambria, Georgia, "Liberation Serif", "Times New Roman", serif';
const SANS = 'system-ui, -apple-system, "Segoe UI", sans-serif';

export const FONTS = {
  formula: `italic 15px ${SERIF}`,
  second: `italic 13px ${SERIF}`,
  name: `italic 700 15px ${SERIF}`,
  sign: `600 17px ${SANS}`,
  word: `600 10.5px ${SANS}`,
  value: '600 13px ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace',
} as const;

let context: CanvasRenderingContext2D | null | undefined;

// Letters that were measured before, by font: a graph has hundreds of labels and few letters.
const widths = new Map<string, Map<string, number>>();

/** Letter by letter: kerning, which would make it a little less, is left out. */
export function textWidth(text: string, font: string): number {
  const known = widths.get(font) ?? new Map<string, number>();
  widths.set(font, known);
  let total = 0;
  for (const letter of text) {
    let width = known.get(letter);
    if (width === undefined) known.set(letter, (width = measured(letter, font)));
    total += width;
  }
  return total;
}

function measured(letter: string, font: string): number {
  context ??= document.createElement("canvas").getContext("2d");
  if (!context) return 8;
  context.font = font;
  return context.measureText(letter).width;
}

/** The longest beginning of the text that fits, with "…" where something was cut off. */
export function fitWidth(text: string, width: number, font: string): string {
  // Few letters are narrower than four pixels: do not measure a page of text.
  let shown = fit(text, width / 4);
  while (shown.length > 1 && textWidth(shown, font) > width) shown = fit(text, shown.length - 1);
  return shown;
}
