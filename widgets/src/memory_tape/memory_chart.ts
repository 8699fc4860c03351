/** The curve as SVG: bands of arrays over the moments, the peak, what happened, and where one points. */

import { listen, s } from "../page/dom.ts";
import { bandsOf, type Band } from "./bands.ts";
import { buffersText, bytesAt, lastOf, peakOf, sizeText, type Buffer, type MemoryData } from "./memory.ts";

const LEFT = 66;
const RIGHT = 14;
const TOP = 30;
const DEPTH = 190; // of the field, in pixels
const STRIP = 10; // the height of the row that tells what happened
const BOTTOM = 40;

export interface Pointing {
  at: number;
  chosen: readonly Buffer[];
}

interface Acts {
  point(at: number): void;
  choose(buffer: Buffer): void;
}

export class MemoryChart {
  readonly element: SVGSVGElement;
  readonly #most: number;
  readonly #inner: number;
  readonly #cursor = s("g", { class: "mg-memory-cursor" });
  readonly #bands = new Map<Buffer, SVGPathElement>();

  constructor(
    private readonly data: MemoryData,
    width: number,
    hatch: string, // the name of the pattern of what stays
    acts: Acts,
  ) {
    this.#most = Math.max(1, ...data.curve);
    this.#inner = Math.max(120, width - LEFT - RIGHT);
    const height = TOP + DEPTH + STRIP + BOTTOM;
    const says = `${sizeText(data.peak.bytes)} at the peak, ${sizeText(data.curve.at(-1) ?? 0)} at the end.`;
    const box = { viewBox: `0 0 ${width} ${height}`, width, height, role: "img" };
    this.element = s("svg", { class: "mg-memory-chart", ...box, "aria-label": `Bytes saved over time. ${says}` });
    this.element.append(hatching(hatch), ...this.#axis(), ...this.#areas(acts), ...this.#strip(), ...this.#peak());
    this.element.append(this.#cursor);
    const point = (event: PointerEvent | MouseEvent): void => acts.point(this.#momentAt(event));
    listen(this.element, "pointerdown", point);
    listen(this.element, "pointermove", (event) => {
      if (event.buttons > 0) point(event);
    });
  }

  /** Show where one points, and which array is chosen. */
  paint({ at, chosen }: Pointing): void {
    const x = this.#x(at + 0.5);
    const y = this.#y(bytesAt(this.data, at));
    this.#cursor.replaceChildren(
      s("line", { x1: x, x2: x, y1: TOP - 4, y2: TOP + DEPTH + STRIP }),
      s("circle", { cx: x, cy: y, r: 4 }),
    );
    for (const [buffer, path] of this.#bands) path.classList.toggle("mg-chosen", chosen.includes(buffer));
  }

  #x(moment: number): number {
    const { dropped, curve } = this.data;
    return round(LEFT + ((moment - dropped) / curve.length) * this.#inner);
  }

  readonly #y = (bytes: number): number => round(TOP + DEPTH * (1 - bytes / this.#most));

  #momentAt({ clientX }: MouseEvent): number {
    const { left, width } = this.element.getBoundingClientRect();
    const x = ((clientX - left) / width) * this.element.viewBox.baseVal.width;
    const { dropped, curve } = this.data;
    const at = dropped + Math.floor(((x - LEFT) / this.#inner) * curve.length);
    return Math.max(dropped, Math.min(lastOf(this.data), at));
  }

  #axis(): SVGElement[] {
    const right = LEFT + this.#inner;
    return [0, 0.5, 1].flatMap((part) => {
      const y = this.#y(part * this.#most);
      const text = this.#most === 1 && part > 0 ? "" : sizeText(part * this.#most);
      return [
        s("line", { class: "mg-memory-grid", x1: LEFT, x2: right, y1: y, y2: y }),
        s("text", { class: "mg-small mg-end", x: LEFT - 7, y: y + 4 }, text),
      ];
    });
  }

  #areas(acts: Acts): SVGElement[] {
    return bandsOf(this.data).map((band) => {
      const { buffer, stays } = band;
      const name = buffer === null ? "mg-band mg-band-rest" : stays ? "mg-band mg-band-stays" : "mg-band";
      const path = s("path", { class: name, d: this.#outline(band) });
      if (buffer !== null) {
        path.append(s("title", {}, `${buffersText(this.data, [buffer]).replaceAll("`", "")}`));
        listen(path, "click", () => acts.choose(buffer));
        this.#bands.set(buffer, path);
      }
      return path;
    });
  }

  /** Along the upper edges to the right, and along the lower ones back. */
  #outline({ pieces }: Band): string {
    let way = "";
    let run: Band["pieces"] = [];
    const close = (): void => {
      if (run.length === 0) return;
      const at = (moment: number, bytes: number): string => `${this.#x(moment)} ${this.#y(bytes)}`;
      const upper = run.map(({ from, to, high }) => `${at(from, high)}L${at(to, high)}`);
      const lower = [...run].reverse();
      const back = lower.map(({ from, to, low }) => `${at(to, low)}L${at(from, low)}`);
      way += `M${upper.join("L")}L${back.join("L")}Z`;
      run = [];
    };
    for (const piece of pieces) {
      const last = run.at(-1);
      if (last && last.to < piece.from) close();
      run.push(piece);
    }
    close();
    return way;
  }

  /** What happened: operations, visits, lines that freed something; each in a height of its own. */
  #strip(): SVGElement[] {
    const { moments, dropped } = this.data;
    const top = TOP + DEPTH + 3;
    const found: SVGElement[] = [];
    let start = 0;
    moments.forEach(([kind], index) => {
      if (moments[index + 1]?.[0] === kind) return;
      const x = this.#x(dropped + start + 1);
      const width = Math.max(1.5, round(this.#x(dropped + index + 2) - x));
      const height = { made: STRIP, visit: STRIP, freed: STRIP / 2 }[kind];
      found.push(s("rect", { class: `mg-strip mg-strip-${kind}`, x, y: top, width, height }));
      start = index + 1;
    });
    const words = `${dropped > 0 ? `moments ${dropped} to` : "moments 0 to"} ${lastOf(this.data)}`;
    const x = LEFT + this.#inner;
    return [...found, s("text", { class: "mg-small mg-end", x, y: top + STRIP + 16 }, words)];
  }

  #peak(): SVGElement[] {
    if (this.data.peak.bytes === 0) return [];
    const at = peakOf(this.data);
    const x = this.#x(at + 0.5);
    const y = this.#y(bytesAt(this.data, at));
    const late = x > LEFT + this.#inner / 2;
    const text = `peak ${sizeText(bytesAt(this.data, at))}`;
    return [
      s("path", { class: "mg-memory-peak", d: `M${x - 5} ${y - 10}h10l-5 8z` }),
      s("text", { class: `mg-memory-peak-name${late ? " mg-end" : ""}`, x: late ? x - 9 : x + 9, y: y - 3 }, text),
    ];
  }
}

/** The pattern of what stays, so that it is not told by its colour alone. */
function hatching(id: string): SVGElement {
  const size = { width: 7, height: 7, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" };
  return s(
    "defs",
    {},
    s(
      "pattern",
      { id, ...size },
      s("rect", { class: "mg-hatch-ground", width: 7, height: 7 }),
      s("line", { class: "mg-hatch-line", x1: 0, x2: 0, y1: 0, y2: 7 }),
    ),
  );
}

const round = (pixel: number): number => Math.round(pixel * 10) / 10;
