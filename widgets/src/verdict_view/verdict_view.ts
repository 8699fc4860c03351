/** VerdictView: what `check` found, as a box with a sign and a sentence. */

import type { RenderArguments, Widget } from "../page/anywidget.ts";
import { h, notice, prose, root } from "../page/dom.ts";

const SIGNS: Record<string, [sign: string, word: string]> = {
  passed: ["✓", "passed"],
  failed: ["✗", "not yet"],
  open: ["…", "open"],
};

export default (): Widget => ({
  render: ({ model, el }: RenderArguments) => {
    const frame = root(el, "check");
    const { state, name, message } = (model.get("verdict") ?? {}) as Record<string, unknown>;
    const look = SIGNS[String(state)];
    if (look === undefined) {
      frame.append(notice("This verdict cannot be read. Run the cell again."));
    } else {
      frame.dataset.mgCheck = String(state);
      frame.append(
        h("span", { class: "mg-check-sign", role: "img", "aria-label": look[1] }, look[0]),
        h(
          "p",
          { class: "mg-check-text", role: "status" },
          h("b", {}, `${String(name)}:`),
          " ",
          ...prose(String(message)),
        ),
      );
    }
    return () => frame.remove();
  },
});
