/**
 * PredictionView: a question, an answer that is locked in, and only then what is true. It is all
 * judged here, without the kernel. The answer that was given is kept in the model, so that all
 * views of it, and those that are opened later, show the same.
 */

import { focus, h, listen, notice, onSubmit, prose, root, say } from "../page/dom.ts";
import type { RenderArguments, ViewModel, Widget } from "../page/anywidget.ts";
import { howTo, judge, readGiven, readQuestion, type Given, type Question } from "../question/question.ts";

export default (): Widget => ({
  render: ({ model, el, signal }: RenderArguments) => {
    const frame = root(el, "predict");
    const show = (): void => open(model, frame);
    show();
    const traits = ["change:question", "change:given"];
    traits.forEach((trait) => model.on(trait, show));
    const end = (): void => {
      traits.forEach((trait) => model.off(trait, show));
      frame.remove();
    };
    listen(signal, "abort", end);
    return end;
  },
});

function open(model: ViewModel, frame: HTMLElement): void {
  const question = readQuestion(model.get("question"));
  if (question === null) {
    frame.replaceChildren(notice("This question cannot be read: its data is incomplete. Run the cell again."));
    return;
  }
  const given = readGiven(model.get("given"));
  // The live region is there before its text is, or a screen reader would not read it out.
  const result = h("div", { class: "mg-result", role: "status", tabindex: -1 });
  const fields = new Fields(question, given, (answer) => {
    const focused = frame.contains(document.activeElement);
    model.set("given", answer);
    model.save_changes();
    if (focused) focus(frame.querySelector<HTMLElement>(".mg-result"));
  });
  frame.replaceChildren(fields.element, result);
  if (given !== null) result.append(...reveal(question, given));
  frame.dataset.mgPredict = given === null ? "open" : given.right ? "right" : "wrong";
}

/** The question with its input or its choices, and the button that locks the answer in. */
export class Fields {
  readonly element: HTMLElement;
  private readonly inputs: HTMLInputElement[];
  private readonly hint = h("p", { class: "mg-hint", "aria-live": "polite" });

  constructor(
    private readonly question: Question,
    given: Given | null,
    private readonly lock: (given: Given) => void,
  ) {
    const { choices } = question;
    const asked = [h("span", "mg-kicker", "Predict"), " ", ...prose(question.question)];
    const group = `mg-${Math.random().toString(36).slice(2)}`; // radio buttons of one name exclude each other
    this.inputs = (choices ?? [""]).map((choice) =>
      choices === null
        ? h("input", { type: "text", class: "mg-input", id: group, autocomplete: "off", value: given?.text })
        : h("input", { type: "radio", name: group, value: choice, checked: given?.text === choice }),
    );
    const press = h("button", { type: "submit", class: "mg-button mg-main" }, "Lock in");
    const form = h("form", "mg-predict-form");
    if (choices === null) {
      form.append(h("label", { class: "mg-asked", for: group }, ...asked), h("div", "mg-row", ...this.inputs, press));
    } else {
      const options = this.inputs.map((input, i) => h("label", "mg-choice", input, ...prose(choices[i] ?? "")));
      form.append(
        h("fieldset", {}, h("legend", "mg-asked", ...asked), h("div", "mg-choices", ...options)),
        h("div", "mg-row", press),
      );
    }
    form.append(this.hint);
    if (given !== null) {
      for (const input of this.inputs) input.disabled = true;
      press.disabled = true;
      press.textContent = "Locked";
    }
    onSubmit(form, () => this.submit());
    this.element = form;
  }

  private submit(): void {
    const [only] = this.inputs;
    const typed = this.question.choices === null ? only?.value : this.inputs.find((input) => input.checked)?.value;
    const given = typed === undefined ? null : judge(this.question, typed);
    if (given !== null) {
      this.lock(given);
      return;
    }
    say(this.hint, howTo(this.question));
    focus(only);
  }
}

export function reveal(question: Question, given: Given): HTMLElement[] {
  const line = given.right
    ? h("p", "mg-verdict mg-right", "Right: ", h("b", "mg-number", question.answer.text), ".")
    : h(
        "p",
        "mg-verdict mg-not",
        "You said ",
        h("b", "mg-number", given.text),
        ". It is ",
        h("b", "mg-number", question.answer.text),
        ".",
      );
  const rest = [given.mistake, question.because].filter((text) => text !== "");
  return [line, ...rest.map((text) => h("p", {}, ...prose(text)))];
}
