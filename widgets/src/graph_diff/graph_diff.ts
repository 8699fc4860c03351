/**
 * GraphDiff: two runs of one function side by side. As long as a question is open only the left
 * run is shown; then the rows of both, with what differs marked. All of it happens in the page.
 */

import { RovingFocus } from "../drawing/roving_focus.ts";
import { Viewport } from "../drawing/viewport.ts";
import type { RenderArguments, ViewModel, Widget } from "../page/anywidget.ts";
import { button, focus, h, listen, notice, prose, root, say } from "../page/dom.ts";
import { keyHelp } from "../page/key_help.ts";
import { keepSaved } from "../page/keep_saved.ts";
import { pinButton } from "../page/pin.ts";
import { saveMenu } from "../page/save_menu.ts";
import { Asking, reveal } from "../question/asking.ts";
import { isSettled, readGiven, type Given, type Question } from "../question/question.ts";
import { entries, MEANINGS, readDifference, type Difference, type Fold, type Kind } from "./difference.ts";
import { DifferenceDrawing } from "./difference_drawing.ts";
import { differenceTable } from "./difference_table.ts";

const KEYS =
  "In the picture: ↓ goes on to what was made from the node, ↑ back to what it was made from, → and ← to the " +
  "other run. Where there are several paths, → and ← take the next one.";
const REDRAWN = 24; // pixels by which the width must change

export default (): Widget => ({
  render: ({ model, el, signal }: RenderArguments) => {
    keepSaved(model);
    let view: DiffView | null = null;
    const show = (): void => {
      view?.close();
      view = new DiffView(model, el);
    };
    show();
    model.on("change:difference", show);
    const end = (): void => {
      model.off("change:difference", show);
      view?.close();
    };
    listen(signal, "abort", end);
    return end;
  },
});

class DiffView {
  private readonly closing = new AbortController();
  private readonly frame: HTMLElement;
  private readonly status = h("p", { class: "mg-status mg-summary", role: "status", "data-mg-status": true });
  private readonly principle = h("p", "mg-words mg-principle"); // said only when the answers are in
  private readonly questions = h("div", "mg-diff-questions");
  private readonly stage = h("div", "mg-stage");
  private readonly tools = h("div", "mg-row");
  private readonly legend = legend();
  private readonly opened = new Set<number>();
  private readonly path = h("p", { class: "mg-note mg-path", "aria-live": "polite" }); // at a fork, which one is taken
  private roving: RovingFocus | null = null;
  private viewport: Viewport | null = null;
  private difference: Difference | null = null;
  private asking: Asking | null = null; // the question that is open
  private tabular = false;
  private width = 640;

  constructor(
    private readonly model: ViewModel,
    el: HTMLElement,
  ) {
    const { signal } = this.closing;
    this.frame = root(el, "graph-diff");
    const read = readDifference(model.get("difference"));
    if (!read.ok) {
      this.frame.append(notice(read.problem));
      return;
    }
    this.difference = read.data;
    const name = read.data.function;
    const title = h("h3", "mg-title", "Two runs", ...(name === "" ? [] : [" of ", h("span", "mg-math", name)]));
    const tools = h("div", "mg-row", this.tools, pinButton(this.frame, "GraphDiff"));
    this.frame.append(h("div", "mg-bar", title, tools), this.questions, this.status, this.stage);
    this.frame.append(this.legend, this.principle);
    const repaint = (): void => this.paint();
    model.on("change:given", repaint);
    listen(signal, "abort", () => model.off("change:given", repaint));
    const observer = new ResizeObserver(() => this.resize());
    observer.observe(this.stage);
    listen(signal, "abort", () => observer.disconnect());
    this.paint();
  }

  close(): void {
    this.closing.abort();
    this.frame.remove();
  }

  /** The answers so far; null for a question that was passed over. */
  private given(): (Given | null)[] {
    const given = this.model.get("given");
    return Array.isArray(given) ? given.map(readGiven) : [];
  }

  private settle(answers: (Given | null)[]): void {
    this.model.set("given", answers);
    this.model.save_changes();
    this.paint();
    if (this.asking) this.asking.focus();
    else focus(this.questions.querySelector<HTMLElement>(":last-child > .mg-result > .mg-said"));
  }

  private paint(): void {
    if (this.difference === null) return;
    const given = this.given();
    const open = settledOf(given) >= this.difference.questions.length;
    this.frame.dataset.mgDiff = open ? "shown" : "asking";
    this.paintQuestions(this.difference, given);
    say(this.status, open ? `${this.difference.summary}.` : "");
    say(this.principle, open ? (this.difference.principle ?? "") : "");
    this.principle.hidden = this.principle.textContent === "";
    this.status.hidden = !open;
    this.legend.hidden = !open || this.tabular;
    this.paintTools(open);
    this.draw(open);
  }

  private paintQuestions({ questions }: Difference, given: readonly (Given | null)[]): void {
    const done = settledOf(given);
    let asking: Asking | null = null;
    const shown = questions.slice(0, done + 1).map((question, at) => {
      const answer = given[at] ?? null;
      if (at < done) return answer ? settled(question, answer) : h("div", {});
      asking = new Asking(question, answer, (locked) => this.settle([...given.slice(0, at), locked]));
      const all = questions.map((_, i) => told(given[i] ?? null));
      const pass = button("Show without answering", () => this.settle(all), "mg-link");
      return h("div", {}, asking.element, pass);
    });
    this.questions.replaceChildren(...shown);
    this.asking = asking as Asking | null;
    this.asking?.speak();
    this.questions.hidden = questions.length === 0 || (done >= questions.length && given.every((one) => one === null));
  }

  private paintTools(open: boolean): void {
    const name = this.tabular ? "Picture" : "Table";
    const toggle = button(name, () => {
      this.tabular = !this.tabular;
      this.paint();
      this.tools.querySelector<HTMLElement>("button")?.focus();
    });
    const save = saveMenu("two_runs", this.model, ["difference", "given"], () => this.picture().svg);
    this.tools.replaceChildren(...(open ? [toggle, save, keyHelp(KEYS)] : []));
  }

  private picture(): DifferenceDrawing {
    const difference = this.difference as Difference;
    const open = this.frame.dataset.mgDiff === "shown";
    return new DifferenceDrawing(difference, entries(difference.rows, this.opened), this.width, open, (fold) =>
      this.toggle(fold),
    );
  }

  private draw(open: boolean): void {
    if (open && this.tabular) {
      this.stage.replaceChildren(differenceTable(this.difference as Difference));
      return;
    }
    const drawing = this.picture();
    const focused = this.stage.querySelector(".mg-node:focus") !== null;
    this.roving = new RovingFocus(
      drawing.ground(),
      {
        open: () => {},
        seen: (at) => this.viewport?.reveal(at),
        chosen: (text) => say(this.path, text),
      },
      this.roving?.current,
    );
    for (const id of drawing.ground().ids()) this.roving.admit(id, "node");
    if (this.viewport === null) {
      this.viewport = new Viewport(drawing.svg, this.closing.signal, true);
    } else {
      this.viewport.adopt(drawing.svg);
    }
    this.viewport.setBox(drawing.bounds());
    if (focused) focus(drawing.ground().elementOf(this.roving.current));
    if (!this.stage.contains(this.viewport.element)) this.stage.replaceChildren(this.viewport.element, this.path);
  }

  private toggle(fold: Fold): void {
    if (!this.opened.delete(fold.key)) this.opened.add(fold.key);
    this.draw(true);
    this.frame.querySelector<SVGElement>(`[data-mg-fold="${fold.key}"]`)?.focus();
  }

  private resize(): void {
    const width = this.stage.clientWidth;
    if (width === 0 || Math.abs(width - this.width) < REDRAWN) return;
    this.width = width;
    if (!this.tabular) this.draw(this.frame.dataset.mgDiff === "shown");
  }
}

/** How many questions are behind us: those that are settled, and those that were passed over. */
function settledOf(given: readonly (Given | null)[]): number {
  const open = given.findIndex((one) => one !== null && !isSettled(one));
  return open < 0 ? given.length : open;
}

/** An answer whose question is given up. */
const told = (given: Given | null): Given | null => given && { ...given, shown: true };

/** A question that was answered, with its verdict. */
function settled(question: Question, answer: Given): HTMLElement {
  const said = h("div", { class: "mg-said", role: "status", tabindex: -1 });
  said.append(h("p", "mg-words", ...prose(question.question)), ...reveal(question, answer));
  return h("div", { "data-mg-predict": answer.right ? "right" : "wrong" }, h("div", "mg-result", said));
}

function legend(): HTMLElement {
  const words: [Kind, string, string][] = [
    ["same", "=", "same place, same value"],
    ["value", "≠", "same place, other value or shape"],
    ["left", "◂", "no counterpart on the right"],
    ["right", "▸", "no counterpart on the left"],
  ];
  const items = words.map(([kind, sign, meaning]) =>
    h(
      "li",
      {},
      h("span", { class: `mg-word-sign mg-is-${kind}`, "aria-hidden": "true" }, sign),
      h("b", {}, MEANINGS[kind]),
      ` ${meaning}`,
    ),
  );
  return h("ul", { class: "mg-legend", "aria-label": "Legend" }, ...items);
}
