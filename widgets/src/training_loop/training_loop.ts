/**
 * TrainingLoop: a training while it runs, and afterwards its first and last events one by one,
 * which the page calls moments. All that is shown came with the trait `training`, so going through it needs no kernel.
 */

import { joined } from "../data/text.ts";
import type { RenderArguments, ViewModel, Widget } from "../page/anywidget.ts";
import { button, calm, dim, h, listen, notice, root, say } from "../page/dom.ts";
import { keepSaved } from "../page/keep_saved.ts";
import { pinButton } from "../page/pin.ts";
import { saveMenu } from "../page/save_menu.ts";
import { LeftOut } from "./left_out.ts";
import { Stop } from "./stop.ts";
import {
  eventPlace,
  eventText,
  keptText,
  readCourse,
  stateText,
  stepText,
  type Course,
  type TrainingEvent,
} from "./training.ts";
import { drawing } from "./training_drawing.ts";
import { trainingTable } from "./training_table.ts";

const REDRAWN = 24; // pixels by which the width must change
const LAMP_FOR = 260; // milliseconds that a lamp stays lit while the training runs
const TRAITS = ["training", "asked", "given"];

export default (): Widget => ({
  render: ({ model, el, signal }: RenderArguments) => {
    keepSaved(model);
    const view = new TrainingView(model, root(el, "training"));
    const end = (): void => view.close();
    listen(signal, "abort", end);
    return end;
  },
});

class TrainingView {
  private readonly title = h("h3", "mg-title");
  private readonly bar = h(
    "div",
    { class: "mg-bar-outer", role: "progressbar", "aria-label": "Progress" },
    h("div", "mg-bar-inner"),
  );
  private readonly progress = h("p", "mg-progress");
  private readonly stop = new Stop();
  private readonly status = h("p", { class: "mg-status", role: "status", "data-mg-status": true });
  private readonly stage = h("div", "mg-training-stage");
  private readonly controls = h("div", "mg-controls");
  private readonly range = h("input", {
    type: "range",
    min: 1,
    max: 1,
    step: 1,
    value: 1,
    class: "mg-range",
    "aria-label": "Moment",
  });
  private readonly count = h("span", "mg-count");
  private readonly keptNote = h("p", "mg-hint mg-kept");
  private readonly toggle = button("Table", () => this.showTable(!this.tabular));
  private readonly buttons: Record<"back" | "next" | "end", HTMLButtonElement>;
  private readonly leftOut: LeftOut;
  private readonly observer = new ResizeObserver(() => this.resize());
  private readonly repaint = (): void => this.schedule();
  private course: Course | null = null;
  private seen: number | null = null; // the number of an event; null: none was chosen
  private going = false; // is the event told, and marked? Otherwise how the training stands
  private waiting: TrainingEvent[] = []; // the rest of a step that is shown slowly, while others run
  private slowly: TrainingEvent | null = null;
  private timer: ReturnType<typeof setInterval> | undefined;
  private tabular = false;
  private width = 640;
  private frame = 0;

  constructor(
    private readonly model: ViewModel,
    private readonly element: HTMLElement,
  ) {
    this.buttons = {
      back: button("◂ Back", () => this.go(this.place() - 1), undefined, "Back"),
      next: button("Next ▸", () => this.go(this.place() + 1), "mg-button mg-main", "Next"),
      end: button("Latest", () => this.go(Infinity)),
    };
    this.leftOut = new LeftOut(model);
    listen(this.range, "input", () => this.go(Number(this.range.value) - 1));
    const { back, next, end } = this.buttons;
    this.controls.append(
      h("div", "mg-row", back, next, end),
      h("div", "mg-scrub", this.range, this.count),
      this.keptNote,
    );
    const save = saveMenu("training", model, TRAITS, () => this.picture());
    element.append(
      h("div", "mg-bar", this.title, h("div", "mg-row", this.toggle, save, pinButton(element, "TrainingLoop"))),
      h("div", "mg-progress-row", this.bar, this.progress, ...this.stop.elements),
      this.stage,
      this.status,
      this.controls,
      this.leftOut.element,
    );
    listen(element, "keydown", (event) => this.key(event));
    TRAITS.forEach((trait) => model.on(`change:${trait}`, this.repaint));
    this.observer.observe(this.stage);
    this.paint();
  }

  close(): void {
    cancelAnimationFrame(this.frame);
    clearInterval(this.timer);
    this.observer.disconnect();
    this.leftOut.close();
    TRAITS.forEach((trait) => this.model.off(`change:${trait}`, this.repaint));
    this.element.remove();
  }

  /** Many messages may arrive between two frames. */
  private schedule(): void {
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(() => this.paint());
  }

  private paint(): void {
    this.course = readCourse(this.model.get("training"));
    if (this.course === null) {
      this.element.replaceChildren(
        notice("This training cannot be shown: its data is incomplete. Run the cell again."),
      );
      return;
    }
    const { course } = this;
    this.element.dataset.mgTraining = course.state;
    say(this.title, `Training of ${joined([course.model, course.optimizer], " with ")}`);
    const done = course.expected ? Math.min(1, course.steps / course.expected) : 0;
    this.bar.hidden = course.expected === null || course.state === "ready" || course.state === "finished";
    this.bar.style.setProperty("--mg-done", `${done * 100}%`);
    this.bar.ariaValueNow = String(Math.round(done * 100));
    this.bar.ariaValueText = course.progress;
    say(this.progress, course.state === "running" ? course.progress : "");
    this.stop.paint(course);
    this.runSlowly(course.state === "running" && !calm());
    this.paintEvent();
    this.leftOut.paint(course, this.width);
  }

  /** A training takes many steps in a second: of one after another, the lamps are lit in turn. */
  private runSlowly(on: boolean): void {
    if (!on) {
      clearInterval(this.timer);
      this.timer = undefined;
      this.slowly = null;
      return;
    }
    this.timer ??= setInterval(() => {
      if (this.waiting.length === 0) {
        const events = this.course?.events ?? [];
        const last = [...events].reverse().find((event) => event.kind === "step")?.step;
        this.waiting = events.filter((event) => event.step === last);
      }
      this.slowly = this.waiting.shift() ?? null;
      this.paintEvent();
    }, LAMP_FOR);
  }

  private get event(): TrainingEvent | null {
    return this.slowly ?? this.course?.events[this.place()] ?? null;
  }

  /** Where in the list of events we are: at first, when the training is over, at its beginning. */
  private place(): number {
    const { events = [], state } = this.course ?? {};
    const at = this.seen === null ? -1 : events.findIndex((event) => event.n === this.seen);
    if (at >= 0) return at;
    return state === "finished" || state === "stopped" ? 0 : events.length - 1;
  }

  private go(wanted: number): void {
    const events = this.course?.events ?? [];
    const at = Math.max(0, Math.min(events.length - 1, wanted));
    this.seen = events[at]?.n ?? null;
    this.going = wanted !== Infinity;
    this.paintEvent();
  }

  private paintEvent(): void {
    const { course, event } = this;
    if (course === null) return;
    const events = course.events;
    const place = this.place();
    // What is read out: where the learner has gone, or how the training stands; never each step.
    say(this.status, this.going && event !== null ? eventText(course, place) : stateText(course));
    this.controls.hidden = course.state === "running" || events.length === 0;
    this.range.max = String(Math.max(1, events.length));
    this.range.value = String(place + 1);
    this.range.style.setProperty("--mg-done", `${events.length < 2 ? 100 : (place / (events.length - 1)) * 100}%`);
    const text = eventPlace(course, place);
    this.range.ariaValueText = event === null ? text : `${text}: ${stepText(course, event)}, ${event.kind}`;
    say(this.count, text);
    // As wide as the longest: the slider must not move while it is pulled.
    this.count.style.minWidth = `${eventPlace(course, events.length - 1).length}ch`;
    say(this.keptNote, keptText(course));
    dim(this.buttons.back, place <= 0);
    dim(this.buttons.next, place >= events.length - 1);
    dim(this.buttons.end, place >= events.length - 1 && !this.going);
    this.toggle.ariaPressed = String(this.tabular);
    this.stage.replaceChildren(this.tabular ? trainingTable(course) : this.picture());
  }

  private picture(): SVGSVGElement {
    const shown = this.stage.querySelector<SVGSVGElement>(":scope > svg");
    const drawn = drawing(this.course!, this.event, this.going, this.width);
    // What is saved must stand in the page, where its styles are.
    if (shown === null) this.stage.replaceChildren(drawn);
    else shown.replaceWith(drawn);
    return drawn;
  }

  private showTable(on: boolean): void {
    this.tabular = on;
    this.paintEvent();
  }

  private resize(): void {
    const width = this.stage.clientWidth;
    if (width === 0 || Math.abs(width - this.width) < REDRAWN) return;
    this.width = width;
    this.schedule();
  }

  private key(event: KeyboardEvent): void {
    const { target } = event;
    if (event.altKey || event.ctrlKey || event.metaKey || this.controls.hidden) return;
    if (
      target instanceof HTMLInputElement ||
      (target instanceof Element && target.closest(".mg-table, .mg-left-out, .mg-save"))
    )
      return;
    const places: Record<string, number> = {
      ArrowRight: this.place() + 1,
      ArrowLeft: this.place() - 1,
      Home: 0,
      End: Infinity,
    };
    const wanted = places[event.key];
    if (wanted === undefined) return;
    event.preventDefault();
    this.go(wanted);
  }
}
