/**
 * Stopping a training in a kernel that cannot be interrupted, for it runs in the browser and hears nothing
 * while a cell is at work. It asks for an address now and then: when that is taken away, it stops.
 */

import { button, dim, h, say } from "../page/dom.ts";
import type { Course } from "./training.ts";

const ONLY_RESTART = "This kernel cannot be interrupted: only Restart stops the training.";
const PRESSED = "It stops after this step.";

export class Stop {
  private readonly button = button("Stop", () => this.press());
  private readonly note = h("p", { class: "mg-hint", role: "status" });
  readonly elements = [this.button, this.note];
  private address = "";
  private taken = ""; // the address that was taken away: of another training, there is another

  paint({ state, stop }: Course): void {
    const running = state === "running";
    this.address = (running && stop) || "";
    this.button.hidden = this.address === "";
    const pressed = this.address !== "" && this.address === this.taken;
    dim(this.button, pressed);
    const note = running && stop === "" ? ONLY_RESTART : "";
    say(this.note, pressed ? PRESSED : note);
  }

  private press(): void {
    if (this.address === this.taken) return;
    URL.revokeObjectURL(this.address);
    this.taken = this.address;
    dim(this.button, true);
    say(this.note, PRESSED);
  }
}
