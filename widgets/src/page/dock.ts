/**
 * The dock of a pinned view: its frame, as it is, moves to the side or to the bottom of the
 * notebook, and a line in its cell says so and leads there.
 *
 * There is one dock in a notebook. Each kind of view has this code in a bundle of its own, so what
 * all of them must know stands at the element beside which the dock is.
 */

import { DockSize } from "./dock_size.ts";
import { button, focus, h, listen, pressAgain, say } from "./dom.ts";

/** The element beside which a dock stands: the panel of a notebook, or else the whole page. */
export interface Host extends HTMLElement {
  mgPinned?: Pinned;
}

/** What was pinned last. */
export interface Pinned {
  kind: string;
  cell: Element;
  release: () => void; // take it out of the dock
  vacant: () => boolean; // has the view gone, while nobody took it out?
}

export const hostOf = (element: Element): Host =>
  element.closest<Host>(".jp-NotebookPanel") ?? document.documentElement;

export const cellOf = (frame: Element): Element => frame.closest(".jp-Cell") ?? frame.parentElement!;

const PAUSE = 100; // milliseconds between two looks for a view that comes
const PATIENCE = 15; // looks

export class Dock {
  readonly #closing = new AbortController();
  readonly #host: Host;
  readonly #cell: Element;
  readonly #size: DockSize;
  readonly #where = h("span");
  readonly #go = button("Go to the picture", () => this.#enter());
  readonly #line = h("div", "mg-root mg-pinned", this.#where, this.#go, this.#bringButton());
  readonly #turn = button("", () => this.#turnOver());
  readonly #bring = this.#bringButton();
  readonly #empty = h("p", { class: "mg-dock-empty", role: "status" });
  readonly #body = h("div", "mg-dock-body");
  readonly #element: HTMLElement;
  #from: Element | null = this.#go; // where the focus was before it came into the dock

  constructor(
    private readonly frame: HTMLElement,
    kind: string,
  ) {
    const { activeElement } = document;
    const host = (this.#host = hostOf(frame));
    this.#cell = cellOf(frame);
    this.#size = new DockSize(host);
    const title = `Pinned: ${kind}`;
    this.#element = h(
      "section",
      { class: "mg-root mg-dock", tabindex: -1, "aria-label": title },
      this.#size.handle,
      h("header", "mg-dock-bar", h("h2", "mg-dock-title", title), h("div", "mg-row", this.#turn, this.#bring)),
      this.#empty,
      this.#body,
    );
    const pressed = frame.contains(activeElement);
    const inherits = activeElement?.closest(".mg-dock") != null && !pressed;
    host.mgPinned?.release();
    frame.replaceWith(this.#line);
    this.#body.append(frame);
    (host === document.documentElement ? document.body : host).append(this.#element);
    host.mgPinned = {
      kind,
      cell: this.#cell,
      release: () => this.#release(),
      vacant: () => frame.parentElement !== this.#body && !this.#line.isConnected,
    };
    this.#size.apply();
    this.#turned();
    this.#watch();
    if (pressed) focus(this.#bring);
    else if (inherits) focus(this.#element);
  }

  #bringButton(): HTMLButtonElement {
    return button("Bring it back", () => this.#bringBack());
  }

  #turnOver(): void {
    this.#size.turn();
    this.#turned();
  }

  /** Say where it stands. */
  #turned(): void {
    const atSide = this.#size.side === "side";
    this.#element.dataset.mgPlace = this.#size.side;
    say(this.#turn, atSide ? "To the bottom" : "To the side");
    say(this.#where, atSide ? "Pinned at the side." : "Pinned at the bottom.");
  }

  #watch(): void {
    const { signal } = this.#closing;
    const leaving = new MutationObserver(() => this.#lost());
    leaving.observe(this.#body, { childList: true });
    const resizing = new ResizeObserver(() => this.#size.apply());
    resizing.observe(this.#host);
    listen(signal, "abort", () => {
      leaving.disconnect();
      resizing.disconnect();
    });
    listen(this.#element, "keydown", (event) => this.#key(event));
    document.addEventListener("keydown", (event) => this.#shortcut(event), { signal, capture: true });
    // JupyterLab would take keys for its own.
    for (const element of [this.#element, this.#line]) {
      listen(element, "focusin", ({ target }) =>
        (target as Element).setAttribute("data-lm-suppress-shortcuts", "true"),
      );
    }
  }

  // ---- the focus ----------------------------------------------------------------------------

  #enter(): void {
    this.#from = document.activeElement;
    focus(this.#element);
  }

  /** The cell that the learner is at. */
  get #current(): HTMLElement | null {
    return this.#host.querySelector<HTMLElement>(".jp-Cell.jp-mod-active");
  }

  /** Back to where the focus came from, or to the line in the view's cell. */
  #leave(): void {
    const goal = [this.#from, this.#go, this.#current].find((one) => one?.isConnected);
    (goal as HTMLElement | undefined)?.focus();
  }

  /** Escape leads back; what runs a cell runs the one that the learner is at. */
  #key(event: KeyboardEvent): void {
    if (event.defaultPrevented) return;
    const runs = event.key === "Enter" && (event.shiftKey || event.ctrlKey || event.metaKey);
    if (event.key === "Escape") this.#leave();
    else if (runs && this.#current) pressAgain(this.#current, event);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Alt + Shift + P leads into the dock from anywhere, and back. */
  #shortcut(event: KeyboardEvent): void {
    if (!event.altKey || !event.shiftKey || event.code !== "KeyP" || !this.#element.checkVisibility()) return;
    event.preventDefault();
    event.stopPropagation();
    if (this.#element.contains(document.activeElement)) this.#leave();
    else this.#enter();
  }

  // ---- the end ------------------------------------------------------------------------------

  /** The view has gone: its cell runs again, its output was cleared, or it was closed. */
  #lost(looks = 0): void {
    if (this.#closing.signal.aborted || this.#body.contains(this.frame)) return;
    const running = this.#cell.querySelector(".jp-InputPrompt")?.textContent?.includes("*") ?? false;
    this.#line.remove();
    say(this.#empty, running ? "Its cell is running." : "");
    // While a new view may come, the page does not jump.
    if (looks > PATIENCE) this.#close();
    else setTimeout(() => this.#lost(running ? 0 : looks + 1), PAUSE);
  }

  #bringBack(): void {
    const focused = [this.#element, this.#line].some((one) => one.contains(document.activeElement));
    this.#release();
    delete this.#host.mgPinned;
    if (focused) this.frame.querySelector<HTMLElement>(".mg-pin")?.focus();
  }

  #release(): void {
    if (this.#line.parentElement && this.#body.contains(this.frame)) this.#line.replaceWith(this.frame);
    this.#close();
  }

  #close(): void {
    if (this.#closing.signal.aborted) return;
    this.#closing.abort();
    if (this.#element.contains(document.activeElement)) this.#leave();
    this.#line.remove();
    this.#element.remove();
    delete this.#host.dataset.mgDock;
  }
}
