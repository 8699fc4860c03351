/** The button "Pin" of a view, which then stays in sight while the page scrolls. */

import { cellOf, Dock, hostOf } from "./dock.ts";
import { button } from "./dom.ts";

const PAUSE = 100; // milliseconds between two looks
const PATIENCE = 50; // looks

/** The button that pins the view with this frame. `kind` is the view's name. */
export function pinButton(frame: HTMLElement, kind: string): HTMLButtonElement {
  const pin = button("Pin", () => new Dock(frame, kind), "mg-button mg-pin", "Pin: keep in sight");
  // In VS Code the outputs of all cells are one page, which scrolls as a whole.
  pin.hidden = document.body.matches("[class*=vscode-]");
  setTimeout(() => succeed(frame, kind, PATIENCE));
  return pin;
}

/** What comes where a view of its kind was pinned and has gone takes over the pin. */
function succeed(frame: HTMLElement, kind: string, looks: number): void {
  // Its cell is known only when it has been put into the page.
  if (!frame.isConnected && looks > 0) setTimeout(() => succeed(frame, kind, looks - 1), PAUSE);
  if (!frame.isConnected) return;
  const host = hostOf(frame);
  // Each output stands alone: in Colab in a frame, in marimo in a tree that a dock would leave.
  const alone = (host === document.documentElement && parent !== window) || frame.getRootNode() !== document;
  if (alone) frame.querySelector<HTMLElement>(".mg-pin")!.hidden = true;
  const pinned = host.mgPinned;
  if (pinned?.kind === kind && pinned.cell === cellOf(frame) && pinned.vacant()) new Dock(frame, kind);
}
