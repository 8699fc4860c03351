/** The list in which a reader chooses which way the arrows lead. The model keeps it, for all its views. */

import type { ViewModel } from "../page/anywidget.ts";
import { listen } from "../page/dom.ts";
import { ARROWS, readArrows, type Arrows } from "./arrows.ts";
import { Choice } from "./choice.ts";

export function arrowsChoice(model: ViewModel, signal: AbortSignal, turned: (now: Arrows) => void): Choice<Arrows> {
  const choice = new Choice("Arrows", ARROWS, (value) => {
    model.set("arrows", value);
    model.save_changes();
  });
  const turn = (): void => {
    const now = readArrows(model.get("arrows"));
    choice.show(now);
    turned(now);
  };
  choice.show(readArrows(model.get("arrows")));
  model.on("change:arrows", turn);
  listen(signal, "abort", () => model.off("change:arrows", turn));
  return choice;
}
