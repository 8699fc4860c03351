/**
 * PredictionView: a question, answers, and only at the end what is true. It is all
 * judged here, without the kernel. The answer that was given is kept in the model, so that all
 * views of it, and those that are opened later, show the same.
 */

import type { RenderArguments, ViewModel, Widget } from "../page/anywidget.ts";
import { listen, notice, root } from "../page/dom.ts";
import { keepSaved } from "../page/keep_saved.ts";
import { Asking } from "../question/asking.ts";
import { readGiven, readQuestion, stateOf } from "../question/question.ts";

export default (): Widget => ({
  render: ({ model, el, signal }: RenderArguments) => {
    keepSaved(model);
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
  const asking = new Asking(question, given, (answer) => {
    model.set("given", answer);
    model.save_changes();
  });
  const focused = frame.matches(":focus-within");
  frame.replaceChildren(asking.element);
  asking.speak();
  if (focused) asking.focus();
  frame.dataset.mgPredict = stateOf(question, given);
}
