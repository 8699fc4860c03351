/**
 * TapePlayer: a block of a program, played forwards and backwards beside its source text. The whole
 * recording arrives at once and everything happens here, with a kernel and without one.
 */

import { Controls, onKeys } from "../backward_stepper/controls.ts";
import type { NodeData } from "../data/tape.ts";
import { plural, pretty } from "../data/text.ts";
import type { Model, RenderArguments, Widget } from "../page/anywidget.ts";
import { button, dim, focus, h, listen, notice, root, say } from "../page/dom.ts";
import { exportHtml, save } from "../page/export.ts";
import { keepSaved } from "../page/keep_saved.ts";
import { keyHelp } from "../page/key_help.ts";
import { pinButton } from "../page/pin.ts";
import { SliceSource } from "../page/slice_source.ts";
import { Asking } from "../question/asking.ts";
import { isSettled, type Given } from "../question/question.ts";
import { Asks, isOpen, newExercise, reach, scoreText, type Exercise } from "./asks.ts";
import { momentCard } from "./moment_card.ts";
import { PassPlans } from "./pass_plans.ts";
import { lineKey, linesThatRun, momentAt, nextAtLine, nextFlaw, type Found } from "./playing.ts";
import { readRecording, type Moment, type Recording } from "./recording.ts";
import { SourceText } from "./source_text.ts";
import { VariablesPanel } from "./variables_panel.ts";
import { sentence, whereText } from "./words.ts";

const PLAY_EVERY = 900; // milliseconds
const KEYS =
  "→ next step, ← step before, Space plays and pauses, Home the beginning, End the end, n the next NaN or infinity. " +
  "Tab goes to the lines, each of which one can run to, and to the variables, which say who wrote them last.";

export default (): Widget => ({
  render: ({ model, el, signal }: RenderArguments) => {
    keepSaved(model);
    const frame = root(el, "player");
    const pin = pinButton(frame, "TapePlayer");
    let ending = new AbortController();
    const show = (): void => {
      ending.abort();
      ending = new AbortController();
      new SliceSource(frame, model, "recording", ending.signal);
      const read = readRecording(model.get("recording"));
      frame.replaceChildren();
      if (read.ok) new Player(read.data, frame, ending.signal, [saveButton(model), pin]);
      else frame.append(notice(read.problem));
    };
    show();
    model.on("change:recording", show);
    const end = (): void => {
      model.off("change:recording", show);
      ending.abort();
      frame.remove();
    };
    listen(signal, "abort", end);
    return end;
  },
});

/** Keep the view as one file; none where the page has no script to put into it. */
function saveButton(model: Model): HTMLElement {
  const script = model.get("_esm");
  const keep = (): void => {
    const data = { recording: model.get("recording") };
    const file = exportHtml("tape", String(script), data, String(model.get("_css") ?? ""));
    save("tape.html", file, "text/html");
  };
  const press = button("Save", keep, undefined, "Save as one HTML file that works offline");
  press.hidden = typeof script !== "string";
  return press;
}

class Player {
  readonly #plans: PassPlans;
  readonly #asks: Asks;
  readonly #controls: Controls;
  readonly #source: SourceText;
  readonly #status = h("p", { class: "mg-status", role: "status", "data-mg-status": true });
  readonly #found = h("p", { class: "mg-note", role: "status" }); // what a search has to say
  readonly #card = h("div", "mg-card-body");
  readonly #question = h("div", "mg-prediction");
  readonly #variables: VariablesPanel;
  readonly #flaw: HTMLButtonElement;
  #asking: Asking | null = null;
  #exercise: Exercise = newExercise(false, 0);
  #position = 0;
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(
    private readonly recording: Recording,
    private readonly frame: HTMLElement,
    signal: AbortSignal,
    tools: HTMLElement[],
  ) {
    const total = recording.moments.length;
    this.#plans = new PassPlans(recording);
    this.#asks = new Asks(recording, this.#plans);
    this.#controls = new Controls(total, {
      back: () => this.#seek(this.#position - 1),
      step: () => this.#step(),
      play: () => this.#play(this.#timer === undefined),
      reset: () => this.#reset(),
      seek: (position) => this.#seek(position),
      ask: (on) => this.#ask(on),
    });
    this.#source = new SourceText(recording.source, linesThatRun(recording), (file, line) => this.#runTo(file, line));
    this.#flaw = button("Next NaN", () => this.#runToFlaw(), undefined, "Next NaN or infinity");
    this.#variables = new VariablesPanel(recording, this.#plans, (position) => this.#seek(position));
    if (nextFlaw(recording, this.#plans.nodes, 0) === null) {
      dim(this.#flaw, true);
      this.#flaw.title = "No value in this recording is NaN or infinite.";
    }
    listen(signal, "abort", () => this.#play(false));
    const name = recording.title === "" ? [] : [" of ", h("code", {}, pretty(recording.title))];
    const head = h("h3", "mg-title", "Tape", ...name);
    frame.append(h("div", "mg-bar", head, h("div", "mg-row", ...tools, keyHelp(KEYS))), ...this.#notes());
    if (total === 0) return;
    const card = { class: "mg-card", "aria-label": "This step" };
    const step = h("section", card, this.#status, this.#card, this.#question);
    const beside = h("div", "mg-playing", this.#source.element, this.#variables.element);
    this.#controls.element.append(this.#flaw);
    frame.append(this.#controls.element, this.#found, beside, step);
    this.#listenToKeys();
    if (recording.ask) this.#exercise = newExercise(true, 0);
    this.#paint();
  }

  /** What is to be said of the whole recording. */
  #notes(): HTMLElement[] {
    const { dropped, note, moments } = this.recording;
    const before = `The ${plural(dropped, "step")} before ${dropped === 1 ? "is" : "are"} not kept`;
    const known = "what was written there is known at the beginning";
    const cut = dropped === 0 ? "" : `This is the end of a longer run. ${before}, but ${known}.`;
    const empty = moments.length === 0 && note === "" ? "The block recorded nothing." : "";
    return [note, cut, empty].filter((text) => text !== "").map((text) => h("p", "mg-note", text));
  }

  #listenToKeys(): void {
    onKeys(this.frame, () => ({
      ArrowRight: () => this.#step(),
      ArrowLeft: () => this.#seek(this.#position - 1),
      Home: () => this.#seek(0),
      End: () => this.#seek(this.recording.moments.length),
      n: () => this.#runToFlaw(),
    }));
    listen(this.frame, "keydown", (event) => {
      const pressed = (event.target as Element).matches("button, summary, input, select");
      if (event.key !== " " || pressed || event.altKey || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      this.#play(this.#timer === undefined);
    });
  }

  get #isOpen(): boolean {
    return isOpen(this.#exercise, this.#asks, this.#position);
  }

  #step(): void {
    if (this.#isOpen) this.#asking?.focus();
    else this.#seek(this.#position + 1);
  }

  #seek(wanted: number, said = ""): void {
    const total = this.recording.moments.length;
    const goal = Math.max(0, Math.min(wanted, total));
    const asked = this.#position;
    this.#position = reach(this.#exercise, this.#asks, asked, goal);
    if (this.#position === total) this.#play(false);
    say(this.#found, this.#position === goal ? said : "");
    this.#paint();
    if (this.#isOpen && this.#position !== asked) this.#asking?.focus();
  }

  #runTo(file: string, line: number): void {
    this.#goTo(nextAtLine(this.recording, file, line, this.#position), `Line ${line} does not run again after this`);
  }

  #runToFlaw(): void {
    const found = nextFlaw(this.recording, this.#plans.nodes, this.#position);
    this.#goTo(found, "No NaN or infinity comes after this");
  }

  #goTo(found: Found | null, none: string): void {
    this.#play(false);
    if (found === null) return;
    this.#seek(found.at, found.again ? `${none}: the first time is step ${found.at}.` : "");
  }

  #reset(): void {
    this.#play(false);
    this.#exercise = newExercise(this.#exercise.on, 0);
    this.#seek(0);
  }

  #ask(on: boolean): void {
    this.#play(false);
    this.#exercise = newExercise(on, this.#position);
    this.#paint();
  }

  #play(on: boolean): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    if (on && !this.#exercise.on) {
      if (this.#position === this.recording.moments.length) this.#seek(0);
      this.#timer = setInterval(() => this.#seek(this.#position + 1), PLAY_EVERY);
    }
    this.#paintControls();
  }

  #give(given: Given): void {
    this.#exercise = { ...this.#exercise, given: new Map(this.#exercise.given).set(this.#position, given) };
    this.#paint();
    if (isSettled(given)) focus(this.#controls.stepButton);
    else this.#asking?.focus();
  }

  #paint(): void {
    const { recording } = this;
    const position = this.#position;
    const moment = momentAt(recording, position);
    const open = this.#isOpen;
    const backward = moment?.kind === "step";
    this.frame.dataset.mgPart = backward ? "backward" : "forward";
    const said = open ? `Step ${position} of ${recording.moments.length}.` : sentence(recording, this.#plans, position);
    say(this.#status, said);
    this.#card.replaceChildren(...momentCard(recording, this.#plans, moment, position, open));
    this.#paintQuestion(position);
    this.#paintLines(moment, open);
    this.#variables.paint(position, open);
    this.#paintControls();
  }

  #paintLines(moment: Moment | undefined, open: boolean): void {
    const asksLine = open && this.#asks.at(this.#position)?.choices !== null;
    const shown = asksLine ? momentAt(this.recording, this.#position - 1) : moment;
    const node: NodeData | undefined = shown?.kind === "step" ? this.#plans.nodeOf(shown) : undefined;
    const visited = node?.kind === "op" ? lineKey(node.file, node.line) : "";
    this.#source.mark(shown ? lineKey(shown.file, shown.line) : "", visited);
  }

  #paintQuestion(position: number): void {
    const question = this.#exercise.on && position > this.#exercise.from ? this.#asks.at(position) : null;
    const given = this.#exercise.given.get(position) ?? null;
    this.#asking = question ? new Asking(question, given, (answer) => this.#give(answer)) : null;
    const pass = button("Show without answering", () => this.#pass(), "mg-link");
    const open = this.#isOpen && given === null ? [pass] : [];
    this.#question.replaceChildren(...(this.#asking ? [this.#asking.element, ...open] : []));
    this.#asking?.speak();
  }

  /** The question is passed over. */
  #pass(): void {
    this.#exercise = { ...this.#exercise, from: this.#position };
    this.#paint();
    focus(this.#controls.stepButton);
  }

  #paintControls(): void {
    this.#controls.paint({
      position: this.#position,
      playing: this.#timer !== undefined,
      asking: this.#exercise.on,
      score: this.#exercise.on ? scoreText(this.#exercise) : "",
    });
    const where = momentAt(this.recording, this.#position);
    this.frame.dataset.mgWhere = where ? whereText(where) : "";
  }
}
