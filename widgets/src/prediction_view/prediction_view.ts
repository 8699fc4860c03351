/**
 * PredictionView: a question, an answer that is locked in, and only then what is true. It is all
 * judged here, without the kernel. The answer that was given is kept in the model, so that all
 * views of it, and those that are opened later, show the same.
 */

import type { RenderArguments, ViewModel, Widget } from "../page/anywidget.ts";
import { focus, h, listen, notice, root } from "../page/dom.ts";
import { readGiven, readQuestion, stateOf } from "../question/question.ts";
import { QuestionForm, reveal } from "../question/question_form.ts";

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
  const form = new QuestionForm(question, given, (answer) => {
    const focused = frame.contains(document.activeElement);
    model.set("given", answer);
    model.save_changes();
    if (focused) focus(frame.querySelector<HTMLElement>(".mg-result"));
  });
  frame.replaceChildren(form.element, result);
  if (given !== null) result.append(...reveal(question, given));
  frame.dataset.mgPredict = stateOf(given);
}
