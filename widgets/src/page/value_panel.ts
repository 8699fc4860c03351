/**
 * A large value, or one of many dimensions: choosers for all dimensions but the last two, and the
 * matrix there as numbers or as a picture. What is not here is asked for; what cannot be had is
 * said to be missing.
 */

import { formatNumber, type Scalar } from "../data/numbers.ts";
import { cornerOf, dimensions, samePlace, windowOf, type Matrix, type Scale } from "../data/slices.ts";
import type { Value } from "../data/tape.ts";
import { joined } from "../data/text.ts";
import { button, dim, h, listen, say } from "./dom.ts";
import { sourceOf, type SliceSource } from "./slice_source.ts";
import { numberTable } from "./value_table.ts";
import { valuePicture } from "./value_picture.ts";
import { REASONS, scales, steps } from "./value_words.ts";

const WINDOW = 8; // rows and columns of numbers
const OVERVIEW = 128; // rows and columns that one slice can have, see `slices.py`

/** What a reader has chosen: the same for all values of one shape, so that they can be compared. */
interface Look {
  at: number[];
  picture: boolean | null; // null: not chosen
  scales: { value?: Scale; grad?: Scale };
  first: [number, number]; // row and column of the numbers
}

const looks = new Map<string, Look>();

export class ValuePanel {
  readonly element: HTMLElement;
  readonly #body = h("div");
  readonly #note = h("p", { class: "mg-note", role: "status" });
  readonly #tools = h("div", "mg-value-tools");
  readonly #choosers: { chooser: HTMLInputElement; dimension: number }[] = [];
  readonly #switch: [HTMLButtonElement, HTMLButtonElement];
  readonly #scale = h("select", { class: "mg-select", "aria-label": "Scale" });
  readonly #moves: { text: HTMLElement; back: HTMLButtonElement; on: HTMLButtonElement }[] = [];
  readonly #look: Look;
  readonly #key: string;
  readonly #size: [number, number];
  readonly #leading: number[];
  #source: SliceSource | null = null;
  #asked = ""; // the place that was asked for last,
  #why = ""; // and why its slice could not be had
  #drawn = "";

  /** `names`: of the dimensions, where they are known. */
  constructor(
    private readonly value: Value,
    private readonly caption: string,
    private readonly gradient: boolean,
    names: readonly string[] = [],
  ) {
    const { leading, rows, columns } = dimensions(value);
    this.#leading = leading;
    this.#size = [rows, columns];
    this.#key = value.shape.join();
    const look: Look = { at: leading.map(() => 0), picture: null, scales: {}, first: [0, 0] };
    this.#look = looks.get(this.#key) ?? look;
    looks.set(this.#key, this.#look);
    for (const [dimension, count] of leading.entries()) {
      if (count > 1) this.#tools.append(this.#chooser(dimension, count, names[dimension] ?? ""));
    }
    const ways = ["Numbers", "Picture"].map((text, i) => button(text, () => this.#choose({ picture: i === 1 })));
    this.#switch = ways as [HTMLButtonElement, HTMLButtonElement];
    for (const [scale, text] of scales(leading)) this.#scale.append(h("option", { value: scale }, text));
    listen(this.#scale, "change", () => {
      this.#choose({ scales: { ...this.#look.scales, [this.#kind]: this.#scale.value as Scale } });
    });
    const group = h("div", { class: "mg-value-switch", role: "group", "aria-label": "Shown as" }, ...ways);
    this.#tools.append(group, this.#scale, this.#move(0), this.#move(1));
    const label = joined([caption, value.shape.join("×")]);
    this.element = h("div", { class: "mg-value-panel", role: "group", "aria-label": label });
    this.element.append(this.#tools, this.#body, this.#note);
    listen(this.element, "mg-look" as "change", () => this.#show());
    queueMicrotask(() => this.#show()); // only then does it stand in its view, which has the slices
  }

  // ---- what the reader chooses -----------------------------------------------------------

  #chooser(dimension: number, count: number, name: string): HTMLElement {
    const of = `dim ${dimension}${name && ` (${name})`}`;
    const chooser = h("input", {
      type: "number",
      class: "mg-input",
      min: 0,
      max: count - 1,
      title: `0 to ${count - 1}`,
      "aria-label": `${of}, of ${count}`,
    });
    chooser.value = String(this.#look.at[dimension]);
    listen(chooser, "input", () => {
      const index = chooser.valueAsNumber;
      if (!Number.isInteger(index) || index < 0 || index >= count) return;
      this.#choose({ at: this.#look.at.map((old, i) => (i === dimension ? index : old)) });
    });
    // What cannot be chosen was not.
    listen(chooser, "change", () => (chooser.value = String(this.#look.at[dimension])));
    this.#choosers.push({ chooser, dimension });
    return h("label", "mg-chooser", `${of}: `, chooser, ` of ${count}`);
  }

  /** Which rows, or columns, stand in the table of numbers. */
  #move(axis: 0 | 1): HTMLElement {
    const word = this.#word(axis);
    const step = (by: number): void => {
      const last = Math.max(0, this.#size[axis] - WINDOW);
      const first = [...this.#look.first] as [number, number];
      const wanted = Math.max(0, Math.min(last, first[axis] + by));
      if (wanted === first[axis]) return;
      first[axis] = wanted;
      this.#choose({ first });
    };
    const text = h("span");
    const back = button("‹", () => step(-WINDOW), "mg-button mg-square", `${word} before`);
    const on = button("›", () => step(WINDOW), "mg-button mg-square", `next ${word}`);
    this.#moves.push({ text, back, on });
    return h("span", { class: "mg-chooser", hidden: this.#size[axis] <= WINDOW }, text, back, on);
  }

  #word(axis: number): string {
    if (axis === 0) return "rows";
    return this.value.shape.length < 2 ? "entries" : "columns";
  }

  #choose(chosen: Partial<Look>): void {
    Object.assign(this.#look, chosen);
    const others = this.element.closest(".mg-root")?.querySelectorAll(".mg-value-panel") ?? [this.element];
    for (const other of others) other.dispatchEvent(new Event("mg-look"));
  }

  // ---- what is shown ----------------------------------------------------------------------

  /** Under which the rest is asked for; 0: only the corner is to be had. */
  get #more(): number {
    return this.value.more ?? 0;
  }

  get #kind(): "grad" | "value" {
    return this.gradient ? "grad" : "value";
  }

  get #asPicture(): boolean {
    const large = this.value.shape.length > 1 && Math.max(...this.#size) > WINDOW;
    return this.#look.picture ?? (large && this.#more !== 0);
  }

  get #scaleNow(): Scale {
    return this.#look.scales[this.#kind] ?? (this.gradient ? "diverging" : "grey");
  }

  /** The slices at this place that are here. */
  #known(at: readonly number[]): Matrix[] {
    const corner = cornerOf(this.value);
    const own = samePlace(corner.at, at) ? [corner] : [];
    const others = this.#source?.known(this.#more, at) ?? [];
    return [...others, ...own];
  }

  /** The places of the matrices that are shown: one, or one for each colour. */
  get #places(): number[][] {
    const { at } = this.#look;
    return this.#asPicture && this.#scaleNow === "rgb" ? [0, 1, 2].map((i) => [...at.slice(0, -1), i]) : [at];
  }

  #show(): void {
    this.#source ??= sourceOf(this.element);
    const { at } = this.#look;
    const known = this.#places.flatMap((place) => this.#known(place));
    const drawn = JSON.stringify([this.#look, this.#why, known.map((one) => [one.at, one.start, one.step, one.shown])]);
    if (drawn === this.#drawn) return;
    this.#drawn = drawn;
    const asPicture = this.#asPicture;
    for (const { chooser, dimension } of this.#choosers) {
      chooser.disabled = this.#places.length > 1 && dimension === at.length - 1;
      if (!chooser.matches(":focus")) chooser.value = String(at[dimension]);
    }
    this.#switch.forEach((way, i) => (way.ariaPressed = String(asPicture === (i === 1))));
    this.#scale.hidden = !asPicture;
    this.#scale.value = this.#scaleNow;
    this.#moves.forEach(({ text, back, on }, axis) => {
      const [first, size] = [this.#look.first[axis]!, this.#size[axis]!];
      say(text, `${this.#word(axis)} ${first}–${Math.min(size, first + WINDOW) - 1} of ${size} `);
      dim(back, first === 0);
      dim(on, first + WINDOW >= size);
      text.parentElement!.hidden = asPicture || size <= WINDOW;
    });
    if (asPicture) this.#showPicture();
    else this.#showNumbers(known);
  }

  #showPicture(): void {
    const isFine = ({ step, shown }: Matrix): boolean => Math.max(...step) === 1 || Math.max(...shown) >= OVERVIEW / 2;
    const isFull = (one: Matrix): boolean => this.#covers(one) && isFine(one);
    const places = this.#places;
    const found = places.map((place) => this.#overview(place));
    const full = found.every((one) => one !== undefined && isFull(one));
    for (const place of full ? [] : places) this.#ask(place, [0, 0], null);
    const matrices = found.filter((one) => one !== undefined);
    const [best] = matrices;
    if (!best || matrices.length < places.length || matrices.some(({ shown }) => !samePlace(shown, best.shown))) {
      return this.#missing();
    }
    const tell = (row: number, column: number, numbers: Scalar[]): string => {
      const colours = places.length > 1 ? this.#leading.length - 1 : -1;
      const index = this.#index(row, column).map((i, axis) => (axis === colours ? ":" : i));
      return `[${index.join(", ")}] is ${numbers.map((x) => formatNumber(this.#scalar(x))).join(", ")}`;
    };
    this.#fill(valuePicture(matrices, this.#scaleNow, { name: this.caption, tell }));
    this.#say([steps(best), this.#covers(best) ? "" : this.#part(best.shown), full ? "" : this.#reason()]);
  }

  /** Of the slices at this place, the finest of those that cover all of it. */
  #overview(place: readonly number[]): Matrix | undefined {
    const area = ({ shown }: Matrix): number => shown[0]! * shown[1]!;
    const known = this.#known(place);
    const covering = known.filter((one) => this.#covers(one));
    return covering.sort((one, other) => area(other) - area(one))[0] ?? known[0];
  }

  #covers({ start, step, shown }: Matrix): boolean {
    return this.#size.every((size, axis) => start[axis] === 0 && shown[axis]! * step[axis]! >= size);
  }

  #showNumbers(known: Matrix[]): void {
    const [row0, column0] = this.#look.first;
    const part = this.#size.map((size, axis) => Math.min(WINDOW, size - this.#look.first[axis]!));
    const found = windowOf(known, this.#look.first, part);
    const table = found.map((line) => line.map((x) => (x === undefined ? x : this.#scalar(x))));
    const whole = table.every((line) => !line.includes(undefined));
    if (!whole) {
      const small = this.#size.every((size) => size <= OVERVIEW);
      this.#ask(this.#look.at, small ? [0, 0] : [row0, column0], small ? null : [1, 1]);
    }
    if (table.every((line) => line.every((x) => x === undefined))) return this.#missing();
    const index = (i: number, j: number): number[] => this.#index(row0 + i, column0 + j);
    const name = joined([this.caption, this.value.shape.join("×")]);
    this.#fill(numberTable(table, name, index));
    this.#say([this.#more === 0 && !samePlace(part, this.#size) ? this.#part(part) : "", whole ? "" : this.#reason()]);
  }

  /** The full index of a number. */
  #index(row: number, column: number): number[] {
    const inside = this.value.shape.length < 2 ? [column] : [row, column];
    return [...this.#look.at, ...inside];
  }

  /** In a slice truth values are numbers. */
  #scalar = (x: Scalar): Scalar => (this.value.dtype === "bool" ? Boolean(x) : x);

  // ---- what is not here -------------------------------------------------------------------

  #ask(at: number[], start: number[], step: number[] | null): void {
    if (this.#more === 0 || !this.#source) {
      this.#why = "bare";
      return;
    }
    if (this.#asked !== this.#look.at.join()) this.#why = "";
    this.#asked = this.#look.at.join();
    this.#source.ask(this.#more, at, start, step, (why) => {
      this.#why = why;
      if (this.element.isConnected) this.#show();
    });
  }

  #missing(): void {
    // While the kernel is asked, what stands below stays there.
    this.#fill("", this.#why === "" ? `${this.#body.offsetHeight}px` : "");
    this.#say([this.#reason(`The numbers at [${this.#look.at.join(", ")}]`)]);
  }

  #fill(content: HTMLElement | string, height = ""): void {
    this.#body.style.minHeight = height;
    this.#body.replaceChildren(content);
  }

  #part([rows, columns]: readonly number[]): string {
    const of = this.#size.join("×");
    const at = this.#leading.length === 0 ? "" : ` at [${this.#look.at.join(", ")}]`;
    if (this.value.shape.length < 2) return `The first ${columns} of ${this.#size[1]}.`;
    return `The first ${rows}×${columns} of the ${of}${at}.`;
  }

  #reason(subject = "The other numbers"): string {
    if (this.#why === "") return "Asking the kernel …";
    const stored = this.#source?.stored(this.#more).map(({ at }) => `[${at.join(", ")}]`) ?? [];
    const few = [...stored.slice(0, 4), ...(stored.length > 4 ? [`${stored.length - 4} more`] : [])].join(", ");
    const kept = this.#leading.length > 0 && few !== "" ? ` Stored are ${few}.` : "";
    return `${subject} ${REASONS[this.#why]}${kept}`;
  }

  #say = (parts: string[]): void => say(this.#note, joined(parts, " "));
}
