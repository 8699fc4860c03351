/**
 * MemoryTape: what nodes have saved over time, alive and freed, and who keeps it alive at the moment
 * one points at. Before the curve of a block is shown, the height of its peak is asked for.
 */

import type { RenderArguments, ViewModel, Widget } from "../page/anywidget.ts";
import { button, dim, focus, h, listen, notice, ownName, prose, root, say } from "../page/dom.ts";
import { keepSaved } from "../page/keep_saved.ts";
import { keyHelp } from "../page/key_help.ts";
import { pinButton } from "../page/pin.ts";
import { saveMenu } from "../page/save_menu.ts";
import { Asking } from "../question/asking.ts";
import { isSettled, readGiven, type Given } from "../question/question.ts";
import { SourceText } from "../tape_player/source_text.ts";
import { lineKey } from "../tape_player/playing.ts";
import { keepersPanel, memoryLegend } from "./end_panel.ts";
import {
  bytesAt,
  lastOf,
  momentOf,
  momentText,
  peakOf,
  readMemory,
  sizeText,
  type Buffer,
  type MemoryData,
} from "./memory.ts";
import { MemoryChart } from "./memory_chart.ts";
import { momentPanel } from "./moment_panel.ts";

const KEYS =
  "→ next moment, ← moment before, Home the beginning, End the end, p the peak. " +
  "Tab goes to the lines, each of which leads to its next moment, and to the arrays, which say who saved them.";
const REDRAWN = 24; // pixels by which the width must change

export default (): Widget => ({
  render: ({ model, el, signal }: RenderArguments) => {
    keepSaved(model);
    const view = new MemoryView(model, root(el, "memory"));
    const end = (): void => view.close();
    listen(signal, "abort", end);
    return end;
  },
});

class MemoryView {
  readonly #status = h("p", { class: "mg-status", role: "status", "data-mg-status": true });
  readonly #stage = h("div", "mg-memory-stage");
  readonly #panel = h("div", "mg-memory-parts");
  readonly #question = h("div", "mg-prediction");
  readonly #slider = h("input", { type: "range", min: 0, max: 1, value: 0, class: "mg-range", "aria-label": "Moment" });
  readonly #count = h("span", "mg-count");
  readonly #back = button("◂ Back", () => this.#go(this.#at - 1), undefined, "Back");
  readonly #next = button("Next ▸", () => this.#go(this.#at + 1), "mg-button mg-main", "Next");
  readonly #observer = new ResizeObserver(() => this.#resize());
  readonly #changed = (): void => {
    cancelAnimationFrame(this.#frame);
    this.#frame = requestAnimationFrame(() => this.#show());
  };
  #data: MemoryData | null = null;
  #chart: MemoryChart | null = null;
  #source: SourceText | null = null;
  #asking: Asking | null = null;
  #saves: HTMLElement | null = null;
  #at = 0;
  #follows = true; // the end, while it grows
  #chosen: readonly Buffer[] = [];
  #passed = false; // is the question passed over?
  #width = 640;
  #frame = 0;
  readonly #hatch = ownName();

  constructor(
    private readonly model: ViewModel,
    private readonly element: HTMLElement,
  ) {
    element.style.setProperty("--mg-hatch", `url("#${this.#hatch}")`);
    listen(this.#slider, "input", () => this.#go(Number(this.#slider.value)));
    listen(element, "keydown", (event) => this.#key(event));
    model.on("change:memory", this.#changed);
    model.on("change:given", this.#changed);
    this.#observer.observe(element);
    this.#show();
  }

  close(): void {
    cancelAnimationFrame(this.#frame);
    this.#observer.disconnect();
    this.model.off("change:memory", this.#changed);
    this.model.off("change:given", this.#changed);
    this.element.remove();
  }

  #key(event: KeyboardEvent): void {
    const target = event.target as Element;
    const isTyped = target.matches("input") && !(event.key === "p" && target.matches("[type=range]"));
    if (this.#isOpen || isTyped) return;
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const peak = this.#data ? peakOf(this.#data) : 0;
    const goals: Record<string, number> = {
      ArrowRight: this.#at + 1,
      ArrowLeft: this.#at - 1,
      Home: 0,
      End: Infinity,
      p: peak,
    };
    const wanted = goals[event.key];
    if (wanted === undefined) return;
    event.preventDefault();
    this.#go(wanted);
  }

  get #given(): Given | null {
    return readGiven(this.model.get("given"));
  }

  /** Is the question open, and the curve not shown yet? */
  get #isOpen(): boolean {
    return Boolean(this.#data?.question) && !this.#passed && !isSettled(this.#given);
  }

  /** The data has come, or has changed. */
  #show(): void {
    const read = readMemory(this.model.get("memory"));
    if (!read.ok) {
      this.element.replaceChildren(notice(read.problem));
      return;
    }
    const data = read.data;
    this.#data = data;
    this.#chosen = [];
    if (data.ended && this.#follows) this.#at = peakOf(data);
    else if (this.#follows) this.#at = lastOf(data);
    this.#at = Math.max(data.dropped, Math.min(lastOf(data), this.#at));
    const saves = saveMenu("memory", this.model, ["memory", "given"], () => this.#picture());
    this.#saves = saves;
    const tools = h("div", "mg-row", saves, pinButton(this.element, "MemoryTape"), keyHelp(KEYS));
    const title = h("h3", "mg-title", "Memory that graphs keep");
    const runs = new Set(data.moments.map(([, line]) => keyOf(data, line)));
    this.#source = new SourceText(data.source, runs, (file, line) => this.#goToLine(lineKey(file, line)), "Go to");
    this.element.replaceChildren(h("div", "mg-bar", title, tools), ...notes(data), this.#question);
    this.element.append(this.#body(data));
    this.#redraw();
  }

  #body(data: MemoryData): HTMLElement {
    const peak = button("Peak", () => this.#goToPeak());
    const end = button("End", () => this.#go(Infinity));
    this.#slider.min = String(data.dropped);
    this.#slider.max = String(lastOf(data));
    const controls = h(
      "div",
      "mg-controls",
      h("div", "mg-row", this.#back, this.#next, peak, end),
      h("div", "mg-scrub", this.#slider, this.#count),
    );
    const shown = [this.#stage, memoryLegend(data), controls, this.#status];
    const beside = h("div", "mg-playing mg-memory-beside", this.#source!.element, this.#panel);
    const curve = h("div", { class: "mg-memory-curve" }, ...shown);
    return h("div", { class: "mg-memory-body" }, curve, beside, keepersPanel(data));
  }

  #redraw(): void {
    const data = this.#data;
    if (!data) return;
    const open = this.#isOpen;
    const empty = data.moments.length === 0;
    this.element.dataset.mgMemory = open ? "asking" : "shown";
    const parts = ".mg-memory-curve, .mg-memory-parts, .mg-memory-end";
    for (const part of this.element.querySelectorAll<HTMLElement>(parts)) {
      part.hidden = open || (empty && !part.matches(".mg-memory-end"));
    }
    if (this.#saves) this.#saves.hidden = open || empty;
    this.#paintQuestion(open);
    if (open || empty) {
      this.#source?.mark("", "");
      return;
    }
    const acts = { point: (at: number) => this.#go(at), choose: (one: Buffer) => this.#choose([one]) };
    this.#chart = new MemoryChart(data, this.#width, this.#hatch, acts);
    this.#stage.replaceChildren(this.#chart.element);
    this.#paint();
  }

  #paintQuestion(open: boolean): void {
    const question = this.#data?.question;
    const given = this.#given;
    if (!question || this.#passed) {
      this.#question.replaceChildren();
      return;
    }
    this.#asking = new Asking(question, given, (answer) => this.#give(answer));
    const pass = button("Show without answering", () => this.#pass(), "mg-link");
    this.#question.replaceChildren(this.#asking.element, ...(open && given === null ? [pass] : []));
    this.#asking.speak();
  }

  #give(given: Given): void {
    this.model.set("given", given);
    this.model.save_changes();
    this.#redraw();
    this.#asking?.focus();
  }

  #pass(): void {
    this.#passed = true;
    this.#redraw();
    focus(this.#next);
  }

  #go(wanted: number): void {
    const data = this.#data;
    if (!data || this.#isOpen) return;
    this.#at = Math.max(data.dropped, Math.min(lastOf(data), wanted));
    this.#follows = !data.ended && this.#at === lastOf(data);
    this.#paint();
  }

  #goToPeak(): void {
    if (this.#data) this.#go(peakOf(this.#data));
  }

  /** To the next moment of a line; after the last one, to the first. */
  #goToLine(line: string): void {
    const data = this.#data;
    if (!data) return;
    const all = data.moments.flatMap(([, at], index) => (keyOf(data, at) === line ? [data.dropped + index + 1] : []));
    const next = all.find((at) => at > this.#at) ?? all[0];
    if (next !== undefined) this.#go(next);
  }

  /** Arrays are chosen: their bands and their line are marked, and they say who saved them. */
  #choose(all: readonly Buffer[]): void {
    this.#chosen = all.length === this.#chosen.length && all[0] === this.#chosen[0] ? [] : all;
    const index = [...this.#panel.querySelectorAll(".mg-array")].indexOf(document.activeElement as Element);
    this.#paint();
    focus(this.#panel.querySelectorAll<HTMLElement>(".mg-array")[index]);
  }

  #paint(): void {
    const data = this.#data;
    if (!data || this.#isOpen) return;
    const pointing = { at: this.#at, chosen: this.#chosen };
    this.#chart?.paint(pointing);
    const text = momentText(data, this.#at);
    this.#status.replaceChildren(...prose(text));
    this.#slider.value = String(this.#at);
    this.#slider.ariaValueText = text.replaceAll("`", "");
    const last = lastOf(data);
    say(this.#count, `moment ${this.#at} of ${last} · ${sizeText(bytesAt(data, this.#at))}`);
    dim(this.#back, this.#at <= data.dropped);
    dim(this.#next, this.#at >= last);
    const [kind, line, place] = momentOf(data, this.#at) ?? ["", -1, -1];
    const saver = data.nodes[this.#chosen[0]?.by[0] ?? place];
    this.element.dataset.mgPart = kind === "visit" ? "backward" : "forward";
    this.#source?.mark(keyOf(data, line), saver ? keyOf(data, saver.line) : "");
    this.#panel.replaceChildren(...momentPanel(data, pointing, (all) => this.#choose(all)));
  }

  #picture(): SVGSVGElement {
    return this.#chart!.element;
  }

  #resize(): void {
    const width = this.element.clientWidth - 30;
    if (width <= 0 || Math.abs(width - this.#width) < REDRAWN) return;
    this.#width = width;
    this.#redraw();
  }
}

function keyOf(data: MemoryData, line: number): string {
  const found = data.lines[line];
  return found ? lineKey(found.file, found.line) : "";
}

/** What is to be said of the whole. */
function notes(data: MemoryData): HTMLElement[] {
  const { dropped, leaves, note } = data;
  const cut = dropped === 0 ? "" : `This is the end of a longer run: the ${dropped} moments before are not kept.`;
  const isGone = dropped > 0 && data.peak.at <= dropped;
  const higher = isGone ? ` The peak of all was among them: ${sizeText(data.peak.bytes)}.` : "";
  const own = leaves === 0 ? "" : `Not counted: ${sizeText(leaves)} of parameters that operations have saved too.`;
  return [note, cut + higher, own].filter((text) => text !== "").map((text) => h("p", "mg-note", text));
}
