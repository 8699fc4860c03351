/**
 * "What happens when a line is left out?" The learner picks a line, the kernel runs the loop
 * with and without it, and the page asks for a prediction before it shows what was measured.
 */

import { isFields } from "../data/checks.ts";
import type { ViewModel } from "../page/anywidget.ts";
import { button, h, prose, s } from "../page/dom.ts";
import { Asking } from "../question/asking.ts";
import { isSettled, readGiven, readQuestion, stateOf } from "../question/question.ts";
import { chart } from "./line_chart.ts";
import { readAsked, signed, type Asked, type Course } from "./training.ts";

const NO_OPTIMIZER =
  "Without its optimizer, this view cannot ask what happens when a line is left out: TrainingLoop(model, optimizer).";
const RUNS = "The kernel runs the loop twice, with the line and without …";
const AGAIN = "run the cell of this training again, and then ask.";
const NO_SIGN =
  "The kernel has not taken up this question: it is busy with another cell, or it was restarted. " +
  `After a restart, ${AGAIN}`;
const NO_ANSWER = `The kernel has not answered this question: it was restarted, or stopped. In that case, ${AGAIN}`;
const SIGN_WITHIN = 5_000; // milliseconds until the kernel says that it has heard the question
const ANSWER_WITHIN = 90_000; // and until it answers: it gives up by itself before

const TITLES: Record<string, string> = {
  zero_grad: "without zero_grad()",
  backward: "without backward()",
  step: "without step()",
  order: "step() before backward()",
};

export class LeftOut {
  readonly element = h("section", { class: "mg-left-out", "aria-label": "What happens when a line is left out?" });
  private readonly buttons = h("div", "mg-ask");
  private readonly missing = h("p", "mg-hint");
  private readonly place = h("div", "mg-left-out-answer");
  private readonly waiting = h("p", { class: "mg-hint", role: "status" });
  private shown = "";
  private readonly earlier = new Map<string, { asked: unknown; given: unknown }>(); // by line; measured and answered

  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly take = (message: unknown): void => this.hear(message);

  constructor(private readonly model: ViewModel) {
    this.element.append(this.missing, this.buttons, this.waiting, this.place);
    model.on("msg:custom", this.take);
  }

  close(): void {
    clearTimeout(this.timer);
    this.model.off("msg:custom", this.take);
  }

  /** Say what is waited for, and what it means if nothing comes. */
  private wait(text: string, within = 0, then = ""): void {
    clearTimeout(this.timer);
    this.waiting.textContent = text;
    if (then !== "") this.timer = setTimeout(() => this.wait(then), within);
  }

  private hear(message: unknown): void {
    const type = isFields(message) ? message.type : "";
    if (type === "heard") this.wait(RUNS, ANSWER_WITHIN, NO_ANSWER);
    if (type === "answered") this.wait(""); // perhaps with the words that stand there already
  }

  paint(course: Course, width: number): void {
    const asked = readAsked(this.model.get("asked"));
    const over = course.state !== "running" && course.state !== "ready" && this.model.get("offline") !== true;
    const free = over && course.lines.length > 0;
    const why = course.optimizer === "" ? NO_OPTIMIZER : course.unasked;
    this.missing.textContent = why ?? "";
    this.missing.hidden = !over || why === undefined;
    this.element.hidden = asked === null && !free && this.missing.hidden;
    const focused = this.buttons.querySelector<HTMLElement>(":focus")?.dataset.mgLine;
    this.buttons.hidden = !free;
    if (this.buttons.childElementCount === 0 && free) {
      this.buttons.append(
        h("b", {}, "What happens "),
        ...course.lines.map((line) => this.choice(line)),
        h("span", "mg-hint", "?"),
      );
    }
    for (const press of this.buttons.querySelectorAll("button")) {
      press.ariaPressed = String(press.dataset.mgLine === asked?.line);
    }
    if (focused !== undefined) this.buttons.querySelector<HTMLElement>(`[data-mg-line="${focused}"]`)?.focus();
    this.paintAnswer(asked, width);
  }

  private choice(line: string): HTMLButtonElement {
    const press = button(TITLES[line] ?? line, () => {
      const before = this.earlier.get(line);
      if (before !== undefined) {
        this.wait("");
        this.model.set("asked", before.asked);
        this.model.set("given", before.given);
        this.model.save_changes();
        return;
      }
      this.wait(RUNS, SIGN_WITHIN, NO_SIGN);
      this.model.send({ type: "ask", line });
    });
    press.dataset.mgLine = line;
    return press;
  }

  private paintAnswer(asked: Asked | null, width: number): void {
    const given = readGiven(this.model.get("given"));
    const state = JSON.stringify([asked, given, width]);
    if (state === this.shown) return;
    const before = JSON.parse(this.shown || "[null]") as unknown[];
    const another = JSON.stringify(asked) !== JSON.stringify(before[0]);
    this.shown = state;
    if (asked === null) return;
    if (another) this.wait("");
    const question = readQuestion(asked.question);
    if (question === null) {
      const problem = asked.problem || "This question cannot be read.";
      this.place.replaceChildren(h("p", { class: "mg-note", role: "status" }, ...prose(problem)));
      return;
    }
    this.earlier.set(asked.line, { asked: this.model.get("asked"), given });
    const focused = this.place.matches(":focus-within");
    const asking = new Asking(question, given, (answer) => {
      this.model.set("given", answer);
      this.model.save_changes();
    });
    asking.element.dataset.mgPredict = stateOf(question, given);
    this.place.replaceChildren(asking.element);
    asking.speak();
    if (another ? given === null : focused) asking.focus();
    if (!isSettled(given)) return;
    const picture = comparison(asked, width);
    asking.element.append(picture);
    if (!another && !isSettled(readGiven(before[1]))) picture.scrollIntoView({ block: "nearest" });
  }
}

/** Both runs as curves: the loss on the first batch, of which the question speaks too. */
function comparison(asked: Asked, width: number): SVGSVGElement {
  const names = ["as it is", asked.line === "order" ? "other order" : "without"];
  const lines = asked.curves.map((points, i) => ({
    name: `${names[i]}: ${signed(points.at(-1)?.[1] ?? "nan")}`,
    points,
  }));
  const start = asked.curves[0]?.[0]?.[1] ?? "nan";
  const wide = Math.min(width, 560);
  const height = 214;
  const picture = chart(lines, {
    title: "loss on the first batch",
    note: `dotted: ${signed(start)}, the start`,
    axis: "steps taken",
    from: 0,
    level: start,
    x: 0,
    y: 4,
    width: wide,
    height,
  });
  const steps = asked.curves[0]?.at(-1)?.[0] ?? 0;
  const label = `The loss on the first batch, from the start over ${steps} steps, with the loop as it is and changed`;
  return s(
    "svg",
    {
      class: "mg-training-svg",
      viewBox: `0 0 ${wide} ${height + 8}`,
      width: wide,
      height: height + 8,
      role: "img",
      "aria-label": label,
    },
    picture,
  );
}
