/**
 * VerdictView: what `check` found, as a box with a sign and a sentence. Where a rule of the course
 * was broken it first asks which, and then tells the mistake. What is right is told on request.
 */

import { isTexts } from "../data/checks.ts";
import type { RenderArguments, Widget } from "../page/anywidget.ts";
import { button, focus, h, notice, prose, root } from "../page/dom.ts";
import { keepSaved } from "../page/keep_saved.ts";
import { isRules } from "../question/question.ts";
import { rulePicked, whichRule } from "../question/which_rule.ts";

const SIGNS: Record<string, [sign: string, word: string]> = {
  passed: ["✓", "passed"],
  failed: ["✗", "not yet"],
  open: ["…", "open"],
};

export default (): Widget => ({
  render: ({ model, el }: RenderArguments) => {
    keepSaved(model);
    const frame = root(el, "check");
    const { state, name, message, lines, told, rule } = (model.get("verdict") ?? {}) as Record<string, unknown>;
    const look = SIGNS[String(state)];
    if (look === undefined) {
      frame.append(notice("This verdict cannot be read. Run the cell again."));
      return () => frame.remove();
    }
    frame.dataset.mgCheck = String(state);
    const title = h("b", {}, `${String(name)}:`);
    const text = h("div", { class: "mg-check-text", role: "status", tabindex: -1 });
    const body = h("div", "mg-check-body", text);
    frame.append(h("span", { class: "mg-check-sign", role: "img", "aria-label": look[1] }, look[0]), body);
    const rest = isTexts(lines) ? lines.map((line) => h("p", {}, ...prose(line))) : [];
    const folded = told === true && rest.length > 0;
    const more = folded ? [h("details", {}, h("summary", {}, "What is right?"), ...rest)] : rest;
    const say = (...words: (Node | string)[]): void =>
      text.replaceChildren(h("p", {}, title, " ", ...words), ...more);
    const tell = (): void => say(...prose(String(message)));
    if (!isRules(rule)) {
      tell();
      return () => frame.remove();
    }
    say("not yet."); // and the hint of a second try, which waits for no rule
    const picked = (another: boolean): void => {
      help.remove();
      tell();
      text.prepend(rulePicked(rule, another));
      focus(text);
    };
    const show = button("Show me", () => picked(false));
    const help = h("div", "mg-help", whichRule(rule, picked), h("div", "mg-row", show));
    body.append(help);
    return () => frame.remove();
  },
});
