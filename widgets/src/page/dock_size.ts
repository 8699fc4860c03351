/** Where a dock stands and how large it is: the handle, its keys, and the room that the notebook keeps. */

import { h, listen } from "./dom.ts";

export type Side = "side" | "bottom";

const WIDE = 1000; // pixels from which on there is room at the side
const STEP = 32; // pixels for one press of an arrow key
const SMALLEST = { side: 320, bottom: 160 };
const LEFT = { side: 320, bottom: 160 }; // what the notebook keeps at least
const PART = { side: 0.42, bottom: 0.45 }; // of the room, at first

export class DockSize {
  readonly handle = h("div", {
    class: "mg-dock-handle",
    role: "separator",
    tabindex: 0,
    "aria-label": "Size of the dock",
  });
  side: Side;

  /** What was chosen is kept at the host, for the next dock. */
  constructor(private readonly host: HTMLElement) {
    this.side = (host.dataset.mgPlace as Side | undefined) ?? (this.#room("side") >= WIDE ? "side" : "bottom");
    this.#listen();
  }

  turn(): void {
    this.side = this.side === "side" ? "bottom" : "side";
    this.host.dataset.mgPlace = this.side;
    this.apply();
  }

  /** Give the dock its size, as far as there is room. */
  apply(): void {
    const { host, handle, side } = this;
    const room = this.#room(side);
    const most = Math.max(SMALLEST[side], room - LEFT[side]);
    const wanted = Number(host.dataset[this.#kept] ?? room * PART[side]);
    const size = Math.round(Math.min(room, most, Math.max(SMALLEST[side], wanted)));
    const notebook = host.querySelector<HTMLElement>(":scope > .jp-NotebookPanel-notebook");
    host.dataset.mgDock = side;
    host.style.setProperty("--mg-dock-size", `${size}px`);
    host.style.setProperty("--mg-dock-top", `${notebook?.offsetTop ?? 0}px`);
    handle.ariaOrientation = side === "side" ? "vertical" : "horizontal";
    handle.ariaValueMin = String(SMALLEST[side]);
    handle.ariaValueMax = String(most);
    handle.ariaValueNow = String(size);
    handle.ariaValueText = `${size} pixels`;
  }

  get #kept(): string {
    return this.side === "side" ? "mgSide" : "mgBottom";
  }

  /** The extent of the host in the direction in which the dock takes room. */
  #room(side: Side): number {
    return side === "side" ? this.host.clientWidth : Math.min(this.host.clientHeight, innerHeight);
  }

  #resize(wanted: number): void {
    const { ariaValueMin, ariaValueMax } = this.handle;
    this.host.dataset[this.#kept] = String(Math.min(Number(ariaValueMax), Math.max(Number(ariaValueMin), wanted)));
    this.apply();
  }

  #listen(): void {
    const { handle } = this;
    listen(handle, "pointerdown", (event) => {
      handle.setPointerCapture(event.pointerId);
      event.preventDefault();
    });
    listen(handle, "pointermove", (event) => {
      if (!handle.hasPointerCapture(event.pointerId)) return;
      const { right, bottom } = handle.parentElement!.getBoundingClientRect();
      this.#resize(this.side === "side" ? right - event.clientX : bottom - event.clientY);
    });
    listen(handle, "keydown", (event) => {
      const size = Number(handle.ariaValueNow);
      const sizes: Record<string, number> = {
        [this.side === "side" ? "ArrowLeft" : "ArrowUp"]: size + STEP,
        [this.side === "side" ? "ArrowRight" : "ArrowDown"]: size - STEP,
        Home: -Infinity,
        End: Infinity,
      };
      const wanted = sizes[event.key];
      if (wanted === undefined) return;
      event.preventDefault();
      this.#resize(wanted);
    });
  }
}
