/**
 * BackwardStepper: a backward pass, one step at a time. The whole schedule arrives at once
 * and everything happens here, so stepping works while the kernel is busy, and when it has
 * gone.
 */

import { readSchedule } from "../data/incoming.ts";
import { brief } from "../data/numbers.ts";
import type { Engine, Schedule, Value } from "../data/tape.ts";
import { pretty } from "../data/text.ts";
import { idOf } from "../drawing/node_group.ts";
import { Viewport } from "../drawing/viewport.ts";
import type { Model, RenderArguments, Widget } from "../page/anywidget.ts";
import { button, focus, h, listen, notice, root, say } from "../page/dom.ts";
import { saveMenu } from "../page/save_menu.ts";
import { isPending, isSecret, judge, newExercise, questionsAt, reach, scoreText, switchOn } from "./ask_first.ts";
import { AskFirstForm } from "./ask_first_form.ts";
import { Controls, keyHelp } from "./controls.ts";
import { EngineSwitch } from "./engine_switch.ts";
import { MarkedDrawing } from "./marked_drawing.ts";
import { edgeMark, makePlan, nodeMark, rightLanding, samePosition, touchedBetween, type Plan } from "./plan.ts";
import { gradText, sentence } from "./sentences.ts";
import { stepCard } from "./step_card.ts";
import { StepList } from "./step_list.ts";
import { stepperLegend } from "./stepper_legend.ts";

const MOST_DRAWN = 1000;
const PLAY_EVERY = 1300; // milliseconds

export default (): Widget => ({
  render: ({ model, el, signal }: RenderArguments) => {
    let close = open(model, el);
    const show = (): void => {
      close();
      close = open(model, el);
    };
    model.on("change:schedule", show);
    const end = (): void => {
      model.off("change:schedule", show);
      close();
    };
    listen(signal, "abort", end);
    return end;
  },
});

/** Show a schedule, or say in plain words why it cannot be shown. */
function open(model: Model, el: HTMLElement): () => void {
  const frame = root(el, "stepper");
  const closing = new AbortController();
  const read = readSchedule(model.get("schedule"));
  if (!read.ok) {
    frame.append(notice(read.problem));
  } else {
    try {
      new Stepper(read.data, frame, closing.signal, model);
    } catch (error) {
      console.error(error);
      frame.replaceChildren(notice("This backward pass cannot be shown: its steps do not fit its graph."));
    }
  }
  return () => {
    closing.abort();
    frame.remove();
  };
}

class Stepper {
  #plan: Plan;
  readonly #drawing = new MarkedDrawing("Computation graph of the backward pass", 8);
  readonly #viewport: Viewport;
  readonly #controls: Controls;
  readonly #status = h("p", { class: "mg-status", role: "status", "data-mg-status": true });
  readonly #card = h("div", "mg-card-body");
  readonly #prediction = h("div", { class: "mg-prediction", "data-mg-prediction": true });
  #form: AskFirstForm | null = null;
  #exercise = newExercise(false);
  #position = 0;
  #timer: ReturnType<typeof setInterval> | undefined;
  #list: StepList;
  #listed = false;
  readonly #place = h("div");
  readonly #toggle = button("Table", () => this.#paintList(!this.#listed));

  constructor(
    private readonly schedule: Schedule,
    private readonly frame: HTMLElement,
    signal: AbortSignal,
    model: Model,
  ) {
    this.#plan = makePlan(schedule);
    this.#list = new StepList(this.#plan, (position) => this.#seek(position));
    for (const node of schedule.nodes.slice(0, MOST_DRAWN)) this.#drawing.show(node);
    this.#viewport = new Viewport(this.#drawing.svg, signal, true);
    this.#viewport.setBox(this.#drawing.bounds());
    this.#controls = new Controls(this.#plan.steps.length, {
      back: () => this.#seek(this.#position - 1),
      step: () => this.#step(),
      play: () => this.#play(this.#timer === undefined),
      reset: () => this.#reset(),
      seek: (position) => this.#seek(position),
      ask: (on) => this.#ask(on),
    });
    listen(signal, "abort", () => this.#play(false));

    const usable = schedule.mode !== "unavailable";
    frame.append(
      h(
        "div",
        "mg-bar",
        h("h3", "mg-title", "Backward pass of ", h("span", "mg-math", pretty(schedule.title))),
        h(
          "div",
          "mg-row",
          this.#viewport.tools,
          this.#toggle,
          saveMenu("backward_pass", model, ["schedule"], () => this.#drawing.svg),
          keyHelp(),
        ),
      ),
      h("p", "mg-note", schedule.mode === "replayed" ? "Replayed: the pass that was watched." : ""),
      usable ? h("p", "mg-note", schedule.message) : notice(schedule.message || "There is no backward pass to show."),
    );
    const engines = new EngineSwitch(schedule.engines ?? [], (engine) => this.#run(engine));
    if (usable) frame.append(engines.element, engines.banner);
    this.#viewport.tools.hidden = this.#drawing.nodes.size === 0;
    if (this.#drawing.nodes.size > 0) frame.append(this.#viewport.element, stepperLegend());
    if (!usable) return;
    frame.append(
      this.#controls.element,
      h("section", { class: "mg-card", "aria-label": "This step" }, this.#status, this.#card, this.#prediction),
      this.#place,
    );
    this.#paintList(this.#list.large);
    listen(frame, "keydown", (event) => this.#key(event));
    listen(this.#drawing.svg, "click", (event) => this.#jump(idOf(event.target)));
    this.#paint(0, this.#plan.steps.length);
  }

  /** The list would answer the questions, so it waits until there are none. */
  #paintList(on = this.#listed): void {
    const asking = this.#exercise.on;
    this.#listed = on;
    this.#toggle.ariaPressed = String(this.#listed);
    this.#toggle.disabled = asking;
    this.#toggle.title = asking ? "It would give the answers away." : "";
    this.#place.replaceChildren(...(this.#listed && !asking ? [this.#list.element] : []));
  }

  /** One step on; a question that is still open comes first. */
  #step(): void {
    if (isPending(this.#exercise, this.#plan, this.#position)) {
      this.#form?.complain(0, "Answer first, or choose “Show me”.");
      return;
    }
    this.#seek(this.#position + 1);
  }

  #seek(wanted: number): void {
    const old = this.#position;
    this.#position = reach(this.#exercise, this.#plan, wanted);
    if (this.#position === this.#plan.steps.length) this.#play(false);
    this.#paint(old, this.#position);
    if (this.#position !== old) this.#form?.focus();
  }

  #reset(): void {
    this.#play(false);
    this.#exercise = newExercise(this.#exercise.on);
    this.#seek(0);
  }

  #ask(on: boolean): void {
    this.#play(false);
    this.#exercise = on ? switchOn(this.#plan, this.#position) : newExercise(false);
    this.#paintList();
    this.#paint(0, this.#plan.steps.length);
  }

  /** Show the same pass by another engine; null: the right one. */
  #run(engine: Engine | null): void {
    this.#play(false);
    this.#exercise = newExercise(false);
    const old = this.#plan;
    this.#plan = makePlan(this.schedule, engine);
    this.#position = samePosition(old, this.#plan, this.#position);
    this.#list = new StepList(this.#plan, (position) => this.#seek(position));
    this.#paintList();
    this.frame.classList.toggle("mg-wrong", engine !== null);
    this.#controls.steps(this.#plan.steps.length, engine === null);
    this.#repaint({ nodes: this.#drawing.nodes.keys(), edges: this.#drawing.edges.keys() });
  }

  #answer(answers: string[] | null): void {
    const judged = judge(this.#exercise, this.#plan, this.#position, answers);
    if (judged.kind === "unreadable") {
      this.#form?.complain(judged.index, judged.message);
      return;
    }
    this.#exercise = judged.exercise;
    this.#paint(this.#position, this.#position);
    focus(this.#controls.stepButton);
  }

  #play(on: boolean): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    if (on && !this.#exercise.on) {
      if (this.#position === this.#plan.steps.length) this.#seek(0);
      this.#timer = setInterval(() => this.#seek(this.#position + 1), PLAY_EVERY);
    }
    this.#paintControls();
  }

  /** A click on a node goes to the step that visits it. */
  #jump(id: string): void {
    const at = this.#plan.visitAt.get(id) ?? this.#plan.landAt.get(id);
    if (at !== undefined) this.#seek(at);
  }

  #key(event: KeyboardEvent): void {
    if ((event.target as Element).matches("select, input:not([type=checkbox])")) return;
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const actions: Record<string, () => void> = {
      ArrowRight: () => this.#step(),
      ArrowLeft: () => this.#seek(this.#position - 1),
      Home: () => this.#seek(0),
      End: () => this.#seek(this.#plan.steps.length),
    };
    const action = actions[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  }

  /** Bring the page to the present position, touching only what the steps between change. */
  #paint(from: number, to: number): void {
    this.#repaint(touchedBetween(this.#plan, from, to));
  }

  #repaint(touched: { nodes: Iterable<string>; edges: Iterable<string> }): void {
    const plan = this.#plan;
    const exercise = this.#exercise;
    const position = this.#position;
    const pending = isPending(exercise, plan, position);
    for (const id of touched.nodes) this.#paintNode(id);
    for (const key of touched.edges) {
      const mark = edgeMark(plan, key, position);
      const secret = pending && mark?.active === true;
      this.#drawing.markEdge(key, mark && { text: secret ? "?" : brief(mark.grad), active: mark.active, secret });
    }
    say(this.#status, sentence(plan, exercise, position));
    this.#card.replaceChildren(...stepCard(plan, exercise, position));
    this.#paintPrediction(pending);
    this.#paintControls();
    this.#list.mark(position);
    this.#viewport.reveal(this.#drawing.centreOf(plan.steps[position - 1]?.node));
  }

  #paintNode(id: string): void {
    const plan = this.#plan;
    const exercise = this.#exercise;
    const position = this.#position;
    const mark = nodeMark(plan, id, position);
    const secret = isSecret(exercise, plan, id, position);
    const truth = mark.landed ? rightLanding(plan, plan.steps[(plan.landAt.get(id) ?? 0) - 1]) : null;
    const shown = (grad: Value): string => (secret ? "?" : gradText(grad, truth?.grad));
    this.#drawing.markNode(id, {
      chip: mark.grad === null ? "" : `grad ${shown(mark.grad)}`,
      visited: mark.visited || mark.landed,
      current: mark.current,
      secret,
    });
  }

  #paintPrediction(pending: boolean): void {
    this.#form = pending
      ? new AskFirstForm(questionsAt(this.#plan, this.#position), (answers) => this.#answer(answers))
      : null;
    const verdicts = this.#exercise.settled.get(this.#position) ?? [];
    const lines = verdicts.map(({ text, right }) =>
      h("p", { class: right ? "mg-verdict mg-right" : "mg-verdict" }, text),
    );
    this.#prediction.replaceChildren(...(this.#form ? [this.#form.element] : lines));
  }

  #paintControls(): void {
    this.#controls.paint({
      position: this.#position,
      playing: this.#timer !== undefined,
      asking: this.#exercise.on,
      score: this.#exercise.on ? scoreText(this.#exercise) : "",
    });
  }
}
