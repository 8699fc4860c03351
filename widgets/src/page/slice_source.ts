/**
 * Where the slices of a view's values come from: those stored with it, those that the kernel sent,
 * and the kernel itself. What draws a value finds its source by an event that rises to the root.
 */

import { readSlice, readSliceReply, samePlace, storedSlices, type Matrix, type SliceRequest } from "../data/slices.ts";
import type { Model } from "./anywidget.ts";
import { listen } from "./dom.ts";

const REMEMBERED = 40; // slices; each has up to 128 KB
const PATIENCE = 4000; // milliseconds; then the reader is told that nobody answers

/** Called when there is an answer; `why` is "", or why there is no slice, see `REASONS`. */
type Done = (why: string) => void;

export class SliceSource {
  readonly #fetched = new Map<string, { of: number; matrix: Matrix }>();
  readonly #waiting = new Map<string, { of: number; told: Set<Done> }>();

  /** `trait`: of the model, the one that has `slices`. */
  constructor(
    root: HTMLElement,
    private readonly model: Model,
    private readonly trait: string,
    closing: AbortSignal,
  ) {
    const take = (message: unknown): void => this.#take(message);
    model.on("msg:custom", take);
    listen(closing, "abort", () => model.off("msg:custom", take));
    const found = (event: Event): void => void ((event as CustomEvent<Asked>).detail.source = this);
    root.addEventListener("mg-source", found, { signal: closing });
  }

  /** The slices at this place that are here. */
  known(of: number, at: readonly number[]): Matrix[] {
    const fetched = [...this.#fetched.values()].filter((one) => one.of === of).map(({ matrix }) => matrix);
    return [...fetched, ...this.stored(of)].filter((one) => samePlace(one.at, at));
  }

  /** Those that were stored with the view. */
  stored(of: number): Matrix[] {
    return storedSlices(this.model.get(this.trait), of);
  }

  /** Ask the kernel. An answer that comes late is told as well. */
  ask(of: number, at: readonly number[], start: number[], step: number[] | null, done: Done): void {
    const asked = JSON.stringify([of, at, start, step]);
    if (this.model.get("offline") === true) return done("offline");
    const others = this.#waiting.get(asked)?.told;
    if (others) return void others.add(done);
    this.#waiting.set(asked, { of, told: new Set([done]) });
    this.model.send({ type: "slice", asked, of, at: [...at], start, step } satisfies SliceRequest);
    setTimeout(() => this.#tell(asked, "silent"), PATIENCE);
  }

  #take(message: unknown): void {
    const reply = readSliceReply(message);
    if (!reply) return;
    const matrix = readSlice(reply.slice);
    const of = this.#waiting.get(reply.asked)?.of;
    if (of !== undefined && matrix) {
      this.#fetched.set(reply.asked, { of, matrix });
      if (this.#fetched.size > REMEMBERED) this.#fetched.delete(this.#fetched.keys().next().value!);
    }
    this.#tell(reply.asked, matrix ? "" : reply.why === "written" ? "written" : "gone");
    this.#waiting.delete(reply.asked);
  }

  #tell(asked: string, why: string): void {
    for (const done of this.#waiting.get(asked)?.told ?? []) done(why);
  }
}

interface Asked {
  source: SliceSource | null;
}

/** The source of the view that an element stands in. */
export function sourceOf(element: HTMLElement): SliceSource | null {
  const detail: Asked = { source: null };
  element.dispatchEvent(new CustomEvent("mg-source", { bubbles: true, detail }));
  return detail.source;
}
