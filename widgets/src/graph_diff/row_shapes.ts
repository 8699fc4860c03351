/**
 * How one node of a run is drawn: as a box or a pill, or, if it has no counterpart, as a box that
 * points to its own side; and what is written on it, and between the two nodes of a row.
 */

import type { NodeData } from "../data/tape.ts";
import { rect, s } from "../page/dom.ts";
import { fitWidth, FONTS, textWidth } from "../page/text_width.ts";
import { equation, meaningOf, type Kind, type Row } from "./difference.ts";

export const POINT = 13; // how far the shape of a lone node sticks out
export const PILL = 14; // how much narrower a pill is at either end
export const HEIGHT = 44; // of a box

export const SIGN_FONT = '600 11.5px system-ui, -apple-system, "Segoe UI", sans-serif'; // as in graph_diff.css

export const SIGNS: Record<Kind, [wide: (row: Row) => string, narrow: string]> = {
  same: [() => "=", "="],
  value: [(row) => `≠ ${meaningOf(row)}`, "≠"],
  left: [() => "◂ only left", "◂"],
  right: [() => "only right ▸", "▸"],
};

/** An operation is a box, everything else a pill. */
export function plain(half: number, kind: NodeData["kind"]): SVGElement {
  const inset = kind === "op" ? 0 : PILL;
  return rect(2 * (half - inset), HEIGHT, kind === "op" ? 11 : HEIGHT / 2, "mg-box");
}

/** A box that points to its own side. */
export function pointed(half: number, side: "left" | "right"): SVGElement {
  const out = side === "left" ? -1 : 1;
  const near = -out * half;
  const far = out * half;
  const tip = out * (half + POINT);
  const y = HEIGHT / 2;
  return s("path", { class: "mg-box", d: `M${near} ${-y} L${far} ${-y} L${tip} 0 L${far} ${y} L${near} ${y} Z` });
}

/** "x = x · 2", the name in bold. */
export function label(node: NodeData, x: number, room: number, isOperation: boolean): SVGElement {
  const whole = equation(node);
  const name = node.names[0];
  const split = isOperation && name !== undefined && whole.startsWith(`${name} = `);
  const text = s("text", { class: isOperation ? "mg-formula" : "mg-name mg-middle", x, y: -4 });
  if (!split) {
    text.append(fitWidth(whole, room, isOperation ? FONTS.formula : FONTS.name));
    return text;
  }
  const bold = fitWidth(name, room * 0.5, FONTS.name);
  const rest = fitWidth(whole.slice(name.length), Math.max(0, room - textWidth(bold, FONTS.name)), FONTS.formula);
  text.append(s("tspan", "mg-name", bold), s("tspan", "mg-formula", rest));
  return text;
}
