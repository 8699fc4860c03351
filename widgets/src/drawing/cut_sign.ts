/** The sign on an edge along which a value goes on without its history: two strokes across. */

import { s } from "../page/dom.ts";
import type { Point } from "./pixels.ts";

export const cutSign = ({ x, y }: Point): SVGElement =>
  s("path", { class: "mg-cut-sign", d: `M${x - 6} ${y + 7} l6 -14 M${x} ${y + 7} l6 -14` });
