/**
 * "Which rule was broken?" Whoever finds that has corrected the thought and not only the number.
 * One pick ends it: another one may be a good diagnosis too, so none is called wrong.
 */

import { button, h } from "../page/dom.ts";
import type { Rules } from "./question.ts";

/** `picked` is told whether it was another rule than the one that is meant. */
export function whichRule(rules: Rules, picked: (another: boolean) => void): HTMLElement {
  const buttons = rules.offered.map((text, index) => {
    const press = button(text, () => picked(index !== rules.right));
    press.classList.add("mg-rule");
    return press;
  });
  return h("fieldset", "mg-rules", h("legend", {}, "Which rule was broken?"), ...buttons);
}

/** The rule that is meant, once one was picked. */
export function rulePicked({ offered, right }: Rules, another: boolean): HTMLElement {
  const lead = another ? "Here it is another rule: " : "The rule: ";
  return h("p", "mg-broken", lead, offered[right] ?? "");
}
