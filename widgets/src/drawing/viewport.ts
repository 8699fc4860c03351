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
const SMALLEST = 0.12;
const LEAST_FIT = 0.2; // of a very large graph, "Fit" shows a part in which signs can be read
const LARGEST = 2.5;

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
      this.#resize();
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

  setBox(box: Box): void {
    const view = `${box.x} ${box.y} ${box.width} ${box.height}`;
    if (this.#svg.getAttribute("viewBox") === view) return;
    this.#box = box;
    this.#svg.setAttribute("viewBox", view);
    this.#resize();
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
    return fitting >= LEAST_TO_FIT ? fitting : LEGIBLE;
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

/** The scroll offset nearest to `now` at which the interval [from, to] is inside the window. */
function clampInto(now: number, from: number, to: number, windowSize: number): number {
  if (from < now) return Math.max(0, from);
  return to > now + windowSize ? to - windowSize : now;
}
