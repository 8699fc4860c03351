/**
 * BackwardStepper: a backward pass, one step at a time. The whole schedule arrives at once and
 * everything happens here, so stepping works while the kernel is busy, and when it has gone.
 */

import type { Engine, Schedule } from "../data/tape.ts";
import { idOf } from "../drawing/node_group.ts";
import type { Camera } from "../drawing/camera.ts";
import { Viewport } from "../drawing/viewport.ts";
import type { Model, RenderArguments, Widget } from "../page/anywidget.ts";
import { button, focus, h, listen, root, say } from "../page/dom.ts";
import { keepSaved } from "../page/keep_saved.ts";
import { pinButton } from "../page/pin.ts";
import { saveMenu } from "../page/save_menu.ts";
import { picked, isPending, judge, newExercise, reach, scoreText, switchOn, type Exercise } from "./ask_first.ts";
import { formAt, verdictsAt, type AskFirstForm } from "./ask_first_form.ts";
import { Controls, keyHelp, onKeys, type Keys } from "./controls.ts";
import { EngineSwitch } from "./engine_switch.ts";
import type { Folding } from "./folding.ts";
import { MarkedDrawing } from "./marked_drawing.ts";
import { markPass } from "./pass_marks.ts";
import { NudgeMode, nudgeNote } from "./nudge_mode.ts";
import { makePlan, nextVisit, samePosition, touchedBetween, type Plan } from "./plan.ts";
import { anotherGraph, isSameGraph, nearest } from "./same_graph.ts";
import { sentence } from "./sentences.ts";
import { stepCard } from "./step_card.ts";
import { StepList } from "./step_list.ts";
import { SourcePanel, sideBySide } from "./source_panel.ts";
import { stepperHead } from "./stepper_head.ts";
import { StepperView } from "./stepper_view.ts";
import { stepperLegend } from "./stepper_legend.ts";

const MOST_DRAWN = 1000;
const PLAY_EVERY = 1300; // milliseconds

export default (): Widget => ({
  render: ({ model, el, signal }: RenderArguments) => {
    keepSaved(model);
    const frame = root(el, "stepper");
    const pin = pinButton(frame, "BackwardStepper");
    const view = new StepperView(model, frame, (...shown) => new Stepper(...shown, model, pin));
    listen(signal, "abort", () => view.close());
    return () => view.close();
  },
});

class Stepper {
  #plan: Plan;
  readonly #drawing = new MarkedDrawing("Computation graph of the backward pass", 8);
  readonly #viewport: Viewport;
  readonly #controls: Controls;
  readonly #engines: EngineSwitch;
  readonly #status = h("p", { class: "mg-status", role: "status", "data-mg-status": true });
  readonly #card = h("div", "mg-card-body");
  readonly #prediction = h("div", { class: "mg-prediction", "data-mg-prediction": true });
  #form: AskFirstForm | null = null;
  #exercise = newExercise(false);
  position = 0;
  readonly camera: Camera;
  #timer: ReturnType<typeof setInterval> | undefined;
  #list: StepList;
  #listed = false;
  readonly #kind = h("span", {}, "Backward pass of ");
  readonly #place = h("div");
  readonly #nudge: NudgeMode;
  readonly #source: SourcePanel;
  readonly #parts: HTMLElement[] = []; // of the backward pass; a nudge takes their place
  readonly #toggle = button("Table", () => this.#paintList(!this.#listed));

  constructor(
    private schedule: Schedule,
    private readonly frame: HTMLElement,
    signal: AbortSignal,
    private readonly folding: Folding,
    model: Model,
    pin: HTMLElement,
  ) {
    this.#plan = makePlan(schedule);
    this.#list = new StepList(this.#plan, (position) => this.seek(position));
    for (const node of schedule.nodes.slice(0, MOST_DRAWN)) this.#drawing.show(node);
    this.#viewport = new Viewport(this.#drawing.svg, signal, true);
    this.camera = folding.show(this.#drawing, this.#viewport);
    this.#viewport.setBox(this.#drawing.bounds());
    this.#controls = new Controls(this.#plan.steps.length, {
      back: () => this.seek(this.position - 1),
      step: () => this.#step(),
      play: () => this.#play(this.#timer === undefined),
      reset: () => this.#reset(),
      seek: (position) => this.seek(position),
      ask: (on) => this.#ask(on),
    });
    this.#nudge = new NudgeMode(this.#drawing, { changed: (on) => this.#nudged(on), look: (id) => this.#look(id) });
    listen(signal, "abort", () => this.#play(false));
    listen(signal, "abort", () => this.#nudge.stop());

    const save = saveMenu("backward_pass", model, ["schedule", "run"], () => this.#drawing.svg);
    const tools = [this.#viewport.tools, folding.tools, this.#nudge.toggle, this.#toggle, save, pin];
    frame.append(...stepperHead(schedule, this.#kind, [...tools, keyHelp(nudgeNote(schedule))]));
    const usable = schedule.mode !== "unavailable";
    this.#engines = new EngineSwitch(schedule.engines ?? [], (engine) => this.#run(engine));
    const above = h("div", {}, this.#engines.element, this.#engines.banner);
    const below = h("div", "mg-below");
    if (usable) frame.append(above);
    this.#viewport.tools.hidden = this.#drawing.nodes.size === 0;
    const legend = stepperLegend(this.#plan.isRehearsal, schedule.nodes);
    this.#parts.push(above, below, legend);
    this.#source = new SourcePanel(schedule.source ?? [], schedule.nodes, (ids) => this.#jump(ids));
    const side = sideBySide(this.#viewport.element, this.#drawing.bounds().width, this.#source.element);
    if (this.#drawing.nodes.size > 0) frame.append(side, folding.chips, legend, this.#nudge.legend);
    if (!usable) return;
    below.append(
      this.#controls.element,
      h("section", { class: "mg-card", "aria-label": "This step" }, this.#status, this.#card, this.#prediction),
      this.#place,
    );
    frame.append(below, this.#nudge.element);
    this.#nudge.show(schedule);
    this.#paintList(this.#list.large);
    const keys: Keys = {
      ArrowRight: () => this.#step(),
      ArrowLeft: () => this.seek(this.position - 1),
      Home: () => this.seek(0),
      End: () => this.seek(this.#plan.steps.length),
    };
    onKeys(frame, () => (this.#nudge.on ? this.#nudge.keys : keys));
    listen(this.#drawing.svg, "click", (event) => this.#jump([idOf(event.target)]));
    this.#paint(0, this.#plan.steps.length);
    this.#engines.open(schedule.chosen);
    if (schedule.ask && this.#plan.engine === null) this.#ask(true);
  }

  /** The same graph with other numbers: all stays where it is. False if it is another graph. */
  follow(schedule: Schedule): boolean {
    if (!isSameGraph(this.schedule, schedule)) return false;
    const open = isPending(this.#exercise, this.#plan, this.position);
    this.schedule = schedule;
    this.#plan = makePlan(schedule, this.#engines.follow(schedule.engines ?? []));
    this.#list = new StepList(this.#plan, (position) => this.seek(position));
    // A question that is open stays open: it asks for another number now.
    const seen = open ? this.position - 1 : this.position;
    this.#exercise = this.#exercise.on ? switchOn(this.#plan, seen) : newExercise(false);
    for (const node of schedule.nodes.slice(0, MOST_DRAWN)) this.#drawing.show(node);
    this.#paintList();
    this.#nudge.show(schedule);
    this.#repaintAll();
    return true;
  }

  /** Go on where another stepper stood; what has changed, in words, or "". */
  resume(before: Stepper): string {
    this.position = nearest(before.#plan, this.#plan, before.position);
    if (before.#exercise.on) this.#exercise = switchOn(this.#plan, this.position);
    this.#paintList(before.#listed);
    this.#repaintAll();
    this.#nudge.resume(before.#nudge);
    return isSameGraph(before.schedule, this.schedule) ? "" : anotherGraph(before.schedule, this.schedule);
  }

  /** The picture and its controls are the nudge's, or the backward pass's again. */
  #nudged(on: boolean): void {
    this.#play(false);
    this.frame.classList.toggle("mg-nudging", on);
    say(this.#kind, on ? "A nudge on its way to " : "Backward pass of ");
    for (const part of this.#parts) part.hidden = on;
    if (!on) this.#repaintAll();
  }

  /** Bring a node into sight, and mark the line that made it; without one, the node at which Step begins. */
  #look(id: string | undefined): void {
    this.#viewport.reveal(this.#drawing.centreOf(id ?? this.#plan.steps[0]?.node));
    this.#source.mark(id);
  }

  #repaintAll(): void {
    if (this.#nudge.on) return;
    this.#repaint({ nodes: this.#drawing.nodes.keys(), edges: this.#drawing.edges.keys() });
  }

  /** The list would answer the questions, so it waits until there are none. */
  #paintList(on = this.#listed): void {
    const asking = this.#exercise.on;
    this.#listed = on;
    this.#toggle.ariaPressed = String(this.#listed);
    for (const button of [this.#toggle, this.#nudge.toggle]) {
      button.disabled = asking;
      button.title = asking ? "It would give the answers away." : "";
    }
    this.#place.replaceChildren(...(this.#listed && !asking ? [this.#list.element] : []));
    this.#nudge.list(this.#listed);
  }

  /** One step on; a question that is still open comes first. */
  #step(): void {
    if (isPending(this.#exercise, this.#plan, this.position)) this.#form?.complain();
    else this.seek(this.position + 1);
  }

  seek(wanted: number): void {
    const old = this.position;
    this.position = reach(this.#exercise, this.#plan, wanted);
    if (this.position === this.#plan.steps.length) this.#play(false);
    this.#paint(old, this.position);
    if (this.position !== old) this.#form?.focus();
  }

  #reset(): void {
    this.#play(false);
    this.#exercise = newExercise(this.#exercise.on);
    this.seek(0);
  }

  #ask(on: boolean): void {
    this.#play(false);
    this.#exercise = on ? switchOn(this.#plan, this.position) : newExercise(false);
    this.#paintList();
    this.#paint(0, this.#plan.steps.length);
  }

  /** Show the same pass by another engine; null: the right one. */
  #run(engine: Engine | null): void {
    this.#play(false);
    this.#exercise = newExercise(false);
    const plan = makePlan(this.schedule, engine);
    this.position = samePosition(this.#plan, plan, this.position);
    this.#plan = plan;
    this.#list = new StepList(this.#plan, (position) => this.seek(position));
    this.#paintList();
    this.frame.classList.toggle("mg-wrong", engine !== null && !engine.own);
    this.#controls.steps(this.#plan.steps.length, engine === null);
    this.#repaintAll();
  }

  #answer(answers: string[] | null): void {
    const judged = judge(this.#exercise, this.#plan, this.position, answers);
    if (judged.kind === "unreadable") return this.#form?.complain(judged.index, judged.message);
    this.#goOn(judged.exercise);
  }

  #goOn(exercise: Exercise): void {
    this.#exercise = exercise;
    this.#paint(this.position, this.position);
    focus(this.#controls.stepButton);
    this.#form?.focus();
  }

  #play(on: boolean): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    if (on && !this.#exercise.on) {
      if (this.position === this.#plan.steps.length) this.seek(0);
      this.#timer = setInterval(() => this.seek(this.position + 1), PLAY_EVERY);
    }
    this.#paintControls();
  }

  /** A click on a node, or on a line that made some, goes to the step that visits it: to the next one. */
  #jump(ids: string[]): void {
    if (this.#nudge.on) return this.#nudge.jump(ids);
    const at = nextVisit(this.#plan, ids, this.position);
    if (at !== undefined) this.seek(at);
  }

  /** Bring the page to the present position, touching only what the steps between change. */
  #paint(from: number, to: number): void {
    this.#repaint(touchedBetween(this.#plan, from, to));
  }

  #repaint(touched: { nodes: Iterable<string>; edges: Iterable<string> }): void {
    const plan = this.#plan;
    const exercise = this.#exercise;
    const position = this.position;
    const pending = isPending(exercise, plan, position);
    markPass(this.#drawing, plan, exercise, position, touched);
    say(this.#status, sentence(plan, exercise, position));
    this.#card.replaceChildren(...stepCard(plan, exercise, position, this.folding.open));
    this.#paintPrediction(pending);
    this.#paintControls();
    this.#list.mark(position);
    this.#look(plan.steps[position - 1]?.node);
  }

  #paintPrediction(pending: boolean): void {
    const [exercise, position] = [this.#exercise, this.position];
    const pick = (another: boolean): void => this.#goOn(picked(exercise, position, another));
    const actions = { answer: this.#answer.bind(this), picked: pick };
    this.#form = pending ? formAt(this.#plan, exercise, position, this.schedule.rules, actions) : null;
    this.#prediction.replaceChildren(...(this.#form ? [this.#form.element] : verdictsAt(exercise, position)));
    this.#form?.speak();
  }

  #paintControls(): void {
    this.#controls.paint({
      position: this.position,
      playing: this.#timer !== undefined,
      asking: this.#exercise.on,
      score: this.#exercise.on ? scoreText(this.#exercise) : "",
    });
  }
}
