/** What opens and closes boxes: buttons for all of them and for one level, and the keys + and −. */

import { idOf } from "./node_group.ts";
import { button, dim, h, listen, say } from "../page/dom.ts";
import type { Boxes } from "./boxes.ts";

export class FoldTools {
  readonly element: HTMLElement;
  readonly #all: HTMLButtonElement;
  readonly #less: HTMLButtonElement;
  readonly #more: HTMLButtonElement;

  constructor(
    private readonly boxes: Boxes,
    root: HTMLElement,
  ) {
    this.#all = button("Fold", () => boxes.setFolded(!boxes.folded), undefined, "Fold into boxes");
    this.#less = button("Level −", () => boxes.closeLevel(), undefined, "One level less: close the innermost boxes");
    this.#more = button("Level +", () => boxes.openLevel(), undefined, "One level more: open the boxes of the picture");
    this.element = h("div", "mg-row", this.#all, this.#less, this.#more);
    listen(root, "keydown", (event) => this.#key(event));
  }

  paint(hasBoxes: boolean): void {
    const { folded, levels } = this.boxes;
    this.element.hidden = !hasBoxes;
    say(this.#all, folded ? "Unfold" : "Fold");
    this.#all.ariaLabel = folded ? "Unfold all boxes" : "Fold into boxes";
    for (const button of [this.#less, this.#more]) button.hidden = !levels.more && !levels.less;
    dim(this.#less, !levels.less);
    dim(this.#more, !levels.more);
  }

  /** At a node of the picture, + opens the box and − closes the one that the node is in. */
  #key(event: KeyboardEvent): void {
    const id = idOf(event.target);
    if (id === "" || event.ctrlKey || event.metaKey || event.altKey) return;
    const { boxes } = this;
    const react = { "+": () => boxes.openBox(id), "-": () => boxes.closeAround(id) }[event.key];
    if (react?.() === true) event.preventDefault();
  }
}
