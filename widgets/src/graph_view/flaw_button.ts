/** The button, and the key "n", that lead to the first NaN or infinity. It is there if there is one. */

import { button, h, listen, say } from "../page/dom.ts";
import { firstFlaws, flawTag, flawText, flawWord, type Flaws } from "./flaws.ts";
import type { GraphState } from "./graph_state.ts";

export class FlawButton {
  readonly element = button("", () => this.#step(), "mg-button mg-flaw");
  readonly text = h("p", { class: "mg-note mg-flaw-text", role: "status" });
  tags = new Map<string, string>(); // what stands at which node
  #flaws: Flaws = { ids: [], unknown: false };
  #at = -1; // which one was led to

  /** `show`: bring this node into the picture, and the focus to it. */
  constructor(
    root: HTMLElement,
    private readonly state: () => GraphState,
    private readonly show: (id: string) => void,
  ) {
    listen(root, "keydown", (event) => {
      const typing = (event.target as Element).matches("input, select, textarea");
      if (event.key !== "n" || typing || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      this.#step();
    });
  }

  refresh(): void {
    const { nodes } = this.state();
    const flaws = firstFlaws(nodes.values());
    if (flaws.ids.join() !== this.#flaws.ids.join()) this.#at = -1;
    this.#flaws = flaws;
    const all = flaws.ids.flatMap((id) => nodes.get(id) ?? []);
    this.tags = new Map(all.map((node) => [node.id, flawTag(node)]));
    const [first] = all;
    this.element.hidden = first === undefined;
    if (first) say(this.element, `${first.rewritten ? "Go to" : "First"} ${flawWord(first)}`);
    this.#tell();
  }

  #step(): void {
    const { ids } = this.#flaws;
    if (ids.length === 0) return;
    this.#at = (this.#at + 1) % ids.length;
    this.#tell();
    this.show(ids[this.#at] ?? "");
  }

  #tell(): void {
    const { nodes, omitted } = this.state();
    const { ids, unknown } = this.#flaws;
    const node = nodes.get(ids[this.#at] ?? "");
    const text = node ? flawText(node, nodes, unknown, omitted) : "";
    const further = node && this.#at === 0 && ids.length > 1 ? " Press n again for the first NaN." : "";
    say(this.text, text + further);
  }
}
