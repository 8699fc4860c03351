/**
 * The window onto the graph: an ordinary scrolling box, so that the wheel, the keyboard
 * and a touch screen do what they do elsewhere; plus drag to pan, buttons and ctrl + wheel
 * to zoom. A small graph keeps its natural size; a wide one shrinks as far as it stays
 * legible, and then scrolls.
 */

import { button, calm, h, listen } from "../page/dom.ts";
import type { Box, Point } from "./pixels.ts";

export const LEGIBLE = 0.75; // a graph that has to scroll does not shrink further than this
const LEAST_TO_FIT = 0.62; // one that nearly fits may, if that shows all of it
const LEAST_IN_LITTLE_ROOM = 0.45; // where it is pinned, or narrow: all of it in sight says more than its numbers
const NARROW = 560; // pixels
const HIGHEST = 460; // pixels of the window (`viewport.css`)
const SMALLEST = 0.12;
const LEAST_FIT = 0.2; // of a very large graph, "Fit" shows a part in which signs can be read
const LARGEST = 2.5;

const NO_ROOM = { left: 0, right: 0, top: 0, bottom: 0 };

interface Room {
  before: number;
  after: number;
  scroll: number;
}

/** How large the picture is in its window now. */
export interface Extent {
  scale: number;
  width: number; // of the window; 0 while it is not shown
  drawn: number; // the width of the picture
}

export class Viewport {
  readonly element: HTMLElement;
  readonly tools: HTMLElement;
  #box: Box = { x: 0, y: 0, width: 0, height: 0 };
  #chosen: number | "auto" = "auto"; // the scale that the reader chose, if any
  #scale = 1;
  #place: string | undefined; // where it is pinned: with each change, all of the picture is shown
  #drawn: Box = { x: 0, y: 0, width: 0, height: 0 }; // the picture, without the room around it
  #around = NO_ROOM; // so that what the reader looks at can stay where it is, in units of the graph
  #width = 0; // of the window; kept, because to ask for it would force a layout
  onResize?: (now: Extent) => void;
  #wanted: Point | null = null;
  #frame = 0;

  #svg: SVGSVGElement;

  constructor(svg: SVGSVGElement, signal: AbortSignal, focusable: boolean) {
    this.#svg = svg;
    const reach = focusable ? { tabindex: 0, role: "group", "aria-label": "Graph, scrollable" } : {};
    this.element = h("div", { class: "mg-canvas", ...reach }, svg);
    this.tools = h(
      "div",
      { class: "mg-zoom", role: "group", "aria-label": "Zoom" },
      button("−", () => this.zoomAt(1 / 1.25), "mg-button mg-square", "Zoom out"),
      button("Fit", () => this.fit()),
      button("+", () => this.zoomAt(1.25), "mg-button mg-square", "Zoom in"),
    );
    const observer = new ResizeObserver(() => {
      this.#width = this.element.clientWidth;
      const place = this.element.closest<HTMLElement>(".mg-dock")?.dataset.mgPlace;
      const moved = place !== this.#place;
      this.#place = place;
      if (moved) this.fit();
      else this.#resize();
    });
    observer.observe(this.element);
    listen(signal, "abort", () => {
      observer.disconnect();
      cancelAnimationFrame(this.#frame);
    });
    this.#listen();
  }

  /** Another drawing in the same window, at the same scale and place. */
  adopt(svg: SVGSVGElement): void {
    this.#svg.replaceWith(svg);
    this.#svg = svg;
  }

  setBox(drawn: Box): void {
    this.#drawn = drawn;
    const { left, right, top, bottom } = this.#around;
    const box = {
      x: drawn.x - left,
      y: drawn.y - top,
      width: drawn.width + left + right,
      height: drawn.height + top + bottom,
    };
    const view = `${box.x} ${box.y} ${box.width} ${box.height}`;
    if (this.#svg.getAttribute("viewBox") === view) return;
    this.#box = box;
    this.#svg.setAttribute("viewBox", view);
    this.#resize();
  }

  /** Does the window show the beginning of the picture? */
  get isAtStart(): boolean {
    return this.element.scrollLeft < 8 && this.#around.left === 0;
  }

  /** Show the beginning, without room around the picture, at the scale that the reader chose, if any. */
  toStart(): void {
    this.#around = NO_ROOM;
    this.setBox(this.#drawn);
    this.#resize();
    this.element.scrollTo(0, this.element.scrollTop);
  }

  /** The point of the graph that stands in the middle of the window. */
  middle(): Point {
    const frame = this.element.getBoundingClientRect();
    const svg = this.#svg.getBoundingClientRect();
    const x = frame.left + Math.min(frame.width, svg.width) / 2 - svg.left;
    const y = frame.top + Math.min(frame.height, svg.height) / 2 - svg.top;
    return { x: this.#box.x + x / this.#scale, y: this.#box.y + y / this.#scale };
  }

  /** Where in the window, in pixels, a point of the graph stands. */
  placeOf(point: Point | null): (Point & { scale: number }) | null {
    if (!point || this.#width === 0) return null;
    const frame = this.element.getBoundingClientRect();
    const svg = this.#svg.getBoundingClientRect();
    return {
      x: svg.left - frame.left + (point.x - this.#box.x) * this.#scale,
      y: svg.top - frame.top + (point.y - this.#box.y) * this.#scale,
      scale: this.#scale,
    };
  }

  /**
   * Another drawing is in the window: it is shown at the same scale, and with this point at this
   * place: exactly, if need be with room around it, or as nearly as the drawing allows.
   */
  hold(point: Point | null, at: (Point & { scale: number }) | null, exactly: boolean): void {
    if (!point || !at || this.#drawn.width === 0) return;
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    this.#wanted = null;
    const { element } = this;
    const { scale } = at;
    this.#chosen = scale;
    const most = parseFloat(getComputedStyle(element).maxHeight) || element.clientHeight;
    const x = roomFor((point.x - this.#drawn.x) * scale, at.x, this.#drawn.width * scale, element.clientWidth);
    const y = roomFor((point.y - this.#drawn.y) * scale, at.y, this.#drawn.height * scale, most);
    this.#around = NO_ROOM;
    if (exactly)
      this.#around = { left: x.before / scale, right: x.after / scale, top: y.before / scale, bottom: y.after / scale };
    this.setBox(this.#drawn);
    this.#resize();
    element.scrollTo(x.scroll, y.scroll);
  }

  /** Bring a point of the graph, if there is one, into view in the next frame: then it is laid out. */
  reveal(point: Point | null): void {
    this.#wanted = point ?? this.#wanted;
    if (this.#frame !== 0) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      if (this.#wanted) this.#scrollTo(this.#wanted);
    });
  }

  #scrollTo(point: Point): void {
    const { element } = this;
    const scale = this.#scale;
    const box = this.#box;
    const x = (point.x - box.x) * scale;
    const y = (point.y - box.y) * scale;
    const room = {
      x: Math.min(110 * scale, element.clientWidth / 2),
      y: Math.min(60 * scale, element.clientHeight / 2),
    };
    const left = clampInto(element.scrollLeft, x - room.x, x + room.x, element.clientWidth);
    const top = clampInto(element.scrollTop, y - room.y, y + room.y, element.clientHeight);
    if (left === element.scrollLeft && top === element.scrollTop) return;
    element.scrollTo({ left, top, behavior: calm() ? "auto" : "smooth" });
  }

  fit(): void {
    this.#around = NO_ROOM;
    this.setBox(this.#drawn);
    const { clientWidth, clientHeight } = this.element;
    if (clientWidth === 0 || this.#box.width === 0) return;
    const scale = Math.min(clientWidth / this.#box.width, Math.max(clientHeight, 160) / this.#box.height, 1);
    this.#chosen = Math.max(LEAST_FIT, scale);
    this.#resize();
  }

  /** Without a point, the middle stays where it is. */
  zoomAt(factor: number, at?: Point): void {
    const { element } = this;
    at ??= { x: element.clientWidth / 2, y: element.clientHeight / 2 };
    const x = (element.scrollLeft + at.x) / this.#scale;
    const y = (element.scrollTop + at.y) / this.#scale;
    this.#chosen = Math.min(LARGEST, Math.max(SMALLEST, this.#scale * factor));
    this.#resize();
    element.scrollLeft = x * this.#scale - at.x;
    element.scrollTop = y * this.#scale - at.y;
  }

  #resize(): void {
    this.#scale = this.#chosen === "auto" ? this.#natural() : this.#chosen;
    this.#svg.setAttribute("width", String(Math.floor(this.#box.width * this.#scale)));
    // Rounded up: a height that is too small would shrink the width as well.
    this.#svg.setAttribute("height", String(Math.ceil(this.#box.height * this.#scale)));
    this.onResize?.({ scale: this.#scale, width: this.#width, drawn: this.#box.width * this.#scale });
  }

  /** The scale at which the picture fits, unless that would be too small to read. */
  #natural(): number {
    if (this.#width === 0) return 1;
    const fitting = Math.min(1, this.#width / Math.max(1, this.#box.width));
    const hasLittleRoom = this.#width < NARROW || this.element.closest(".mg-dock") !== null;
    if (fitting < (hasLittleRoom ? LEAST_IN_LITTLE_ROOM : LEAST_TO_FIT)) return LEGIBLE;
    const whole = Math.min(fitting, HIGHEST / Math.max(1, this.#box.height));
    return !hasLittleRoom && whole >= LEAST_TO_FIT ? whole : fitting;
  }

  #listen(): void {
    const { element } = this;
    const on = <K extends keyof HTMLElementEventMap>(type: K, react: (event: HTMLElementEventMap[K]) => void): void =>
      listen(element, type, react);
    // The plain wheel scrolls the notebook; only with ctrl does it zoom.
    on("wheel", (event) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      const frame = element.getBoundingClientRect();
      const factor = Math.exp(-Math.max(-50, Math.min(50, event.deltaY)) / 150);
      this.zoomAt(factor, { x: event.clientX - frame.left, y: event.clientY - frame.top });
    });
    let start: { x: number; y: number } | null = null; // of the scroll offsets and the pointer together
    let panning = false;
    const stop = (): void => {
      start = null;
      panning = false;
      element.classList.remove("mg-panning");
    };
    on("pointerdown", (event) => {
      if (event.button !== 0 || event.pointerType !== "mouse") return;
      start = { x: element.scrollLeft + event.clientX, y: element.scrollTop + event.clientY };
    });
    on("pointermove", (event) => {
      if (!start || event.buttons === 0) return stop();
      const left = start.x - event.clientX;
      const top = start.y - event.clientY;
      if (!panning) {
        if (Math.hypot(left - element.scrollLeft, top - element.scrollTop) < 4) return;
        panning = true;
        element.classList.add("mg-panning");
        element.setPointerCapture(event.pointerId);
      }
      element.scrollTo(left, top);
    });
    on("pointerup", stop);
    on("pointercancel", stop);
  }
}

/** How far to scroll so that `from` stands at `to`, and the room that this needs before and after. */
function roomFor(from: number, to: number, size: number, windowSize: number): Room {
  const before = Math.max(0, to - from);
  const scroll = Math.max(0, from - to);
  const after = scroll > 0 ? Math.max(0, scroll + windowSize - size) : 0;
  return { before, after, scroll };
}

/** The scroll offset nearest to `now` at which the interval [from, to] is inside the window. */
function clampInto(now: number, from: number, to: number, windowSize: number): number {
  if (from < now) return Math.max(0, from);
  return to > now + windowSize ? to - windowSize : now;
}
