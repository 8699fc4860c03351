/**
 * A stepper in the page: the sliders of a call above it, and a new stepper where the graph has become
 * another one.
 */

import { readRun, readSchedule } from "../data/incoming.ts";
import type { Schedule } from "../data/tape.ts";
import type { Model } from "../page/anywidget.ts";
import type { Camera } from "../drawing/camera.ts";
import { opensFolded } from "../drawing/boxes.ts";
import { h, notice, say } from "../page/dom.ts";
import { Knobs } from "../page/knobs.ts";
import { SliceSource } from "../page/slice_source.ts";
import { Folding } from "./folding.ts";
import { foldPass } from "./folded_pass.ts";

const MANY = 120; // operations: up to so many, one may step through all of them at once

/** What shows one schedule. */
interface Shown<S> {
  position: number;
  seek(position: number): void;
  camera: Camera;

  follow(schedule: Schedule): boolean; // other numbers of the same graph; false if it is another graph
  resume(before: S): string; // go on where another one stood; says what has changed, or ""
}

/**
 * The numbers of the call, if there are any, and the pass below them. When they change, what is shown
 * follows; a pass through another graph is drawn anew, and the sliders stay where the hand is.
 */
export class StepperView<S extends Shown<S>> {
  readonly #body = h("div");
  readonly #note = h("p", { class: "mg-note mg-path", role: "status" });
  readonly #knobs: Knobs;
  readonly #folding: Folding;
  #last: number[] = []; // for each step that is shown, how many of the whole pass are done then
  readonly #ending = new AbortController();
  #closing = new AbortController();
  #stepper: S | null = null; // the latest that could be shown
  #shown = false; // is it shown now?
  #refolds = false; // is it the same pass, with other boxes open?

  constructor(
    private readonly model: Model,
    private readonly frame: HTMLElement,
    private readonly make: (schedule: Schedule, place: HTMLElement, signal: AbortSignal, folding: Folding) => S,
  ) {
    this.#folding = new Folding(frame, (kept) => this.#refold(kept));
    this.#knobs = new Knobs((message) => model.send(message), model.get("offline") === true);
    this.#note.hidden = true;
    frame.append(this.#knobs.element, this.#note, this.#body);
    new SliceSource(frame, model, "schedule", this.#ending.signal);
    model.on("change:schedule", this.#show);
    model.on("change:run", this.#paintKnobs);
    this.#paintKnobs();
    this.#show();
  }

  close(): void {
    this.model.off("change:schedule", this.#show);
    this.model.off("change:run", this.#paintKnobs);
    this.#closing.abort();
    this.#ending.abort();
    this.frame.remove();
  }

  readonly #paintKnobs = (): void => {
    const run = readRun(this.model.get("run"));
    if (!run) return;
    this.#knobs.paint(run);
    this.#note.hidden = false;
  };

  /** The pass with its closed boxes as single steps. A large graph opens folded. */
  #folded(schedule: Schedule): Schedule {
    const { nodes, groups = [] } = schedule;
    if (this.#stepper === null) {
      const whole = { nodes: new Map(nodes.map((node) => [node.id, node])), groups };
      if (opensFolded(whole, MANY)) this.#folding.boxes.closeAll();
    }
    const folded = foldPass(schedule, this.#folding.boxes);
    this.#last = folded.last;
    return folded.schedule;
  }

  /** Boxes were opened or closed: as much of the pass is done as before, and the picture stays where it is. */
  #refold(kept: string): void {
    const before = this.#stepper;
    if (!before) return;
    const done = this.#last[before.position - 1] ?? 0;
    const { id, at } = before.camera.standOf(kept);
    this.#refolds = true;
    this.#shown = false;
    this.#show();
    this.#refolds = false;
    const after = this.#stepper;
    after?.seek(this.#last.filter((last) => last <= done).length);
    after?.camera.stand(this.#folding.boxes.heirOf(id), at, kept !== "");
  }

  /** Show the schedule, or say in plain words why it cannot be shown. */
  readonly #show = (): void => {
    const read = readSchedule(this.model.get("schedule"));
    const schedule = read.ok ? this.#folded(read.data) : null;
    if (schedule && this.#shown && this.#stepper?.follow(schedule)) return;
    this.#closing.abort();
    this.#closing = new AbortController();
    this.#body.replaceChildren();
    this.#shown = false;
    // The keys of a pass that is gone are not listened to any more.
    const place = h("div");
    this.#body.append(place);
    if (!read.ok || !schedule) {
      place.append(notice(read.ok ? "" : read.problem));
      return;
    }
    try {
      const stepper = this.make(schedule, place, this.#closing.signal, this.#folding);
      this.#folding.paint((schedule.groups ?? []).length > 0);
      if (schedule.mode === "unavailable") return;
      const note = this.#stepper ? stepper.resume(this.#stepper) : "";
      if (!this.#refolds) say(this.#note, note);
      this.#stepper = stepper;
      this.#shown = true;
    } catch (error) {
      console.error(error);
      place.replaceChildren(notice("This backward pass cannot be shown: its steps do not fit its graph."));
    }
  };
}
