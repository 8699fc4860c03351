/** The field in which a reader looks for nodes. It opens with "/", and Escape leads back. */

import { title } from "../data/node_words.ts";
import type { NodeData } from "../data/tape.ts";
import { joined, pretty } from "../data/text.ts";
import { button, focus, h, listen, say } from "../page/dom.ts";
import { foundIn, foundText } from "./found.ts";

/** The picture in which something is looked for. */
export interface Searched {
  nodes(): ReadonlyMap<string, NodeData>;
  show(id: string): void; // bring this node into the picture
  mark(): void; // what is found has changed
  back(id: string): void; // the search is over; it led to this node, or to none
}

export class Finder {
  readonly button = button("Find", () => this.toggle(), undefined, "Find a node");
  readonly element = h("div", { class: "mg-search", role: "search", "aria-label": "Find a node", hidden: true });
  ids: string[] = []; // of the nodes that were found
  at = -1; // which of them was led to
  readonly #input = h("input", {
    class: "mg-input",
    type: "text",
    "aria-label": "Find a node by its name, operation, formula, shape or module",
    placeholder: "name, operation, formula, shape or module",
    spellcheck: "false",
    autocomplete: "off",
  });
  readonly #said = h("span", { class: "mg-count", role: "status" });

  constructor(
    root: HTMLElement,
    private readonly picture: Searched,
  ) {
    this.element.append(
      this.#input,
      button("‹", () => this.#step(-1), "mg-button mg-square", "Previous"),
      button("›", () => this.#step(1), "mg-button mg-square", "Next"),
      button("×", () => this.#close(), "mg-button mg-square mg-shut", "Close the search"),
      this.#said,
    );
    listen(this.#input, "input", () => {
      this.at = -1;
      this.refresh();
      picture.mark();
    });
    listen(this.#input, "keydown", (event) => {
      if (event.key !== "Enter") return;
      event.preventDefault();
      this.#step(event.shiftKey ? -1 : 1);
    });
    listen(root, "keydown", (event) => this.#key(event));
  }

  /** The node that was led to; "" before the first step. */
  get here(): string {
    return this.ids[this.at] ?? "";
  }

  toggle(): void {
    if (this.element.hidden) this.#open();
    else this.#close();
  }

  /** Other nodes may have come. The one that was led to stays. */
  refresh(): void {
    if (this.element.hidden) return;
    const { here } = this;
    this.ids = foundIn(this.picture.nodes().values(), this.#input.value);
    this.at = this.ids.indexOf(here);
    this.#tell();
  }

  #key(event: KeyboardEvent): void {
    const typing = (event.target as Element).matches("input, select, textarea");
    if (event.key !== "/" || typing || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    this.#open();
  }

  #open(): void {
    this.element.hidden = false;
    this.button.ariaPressed = "true";
    focus(this.#input);
    this.#input.select();
    this.refresh();
    this.picture.mark();
  }

  #close(): void {
    const { here } = this;
    this.element.hidden = true;
    this.button.ariaPressed = "false";
    this.ids = [];
    this.at = -1;
    this.picture.mark();
    this.picture.back(here);
  }

  #step(by: 1 | -1): void {
    const count = this.ids.length;
    if (count === 0) return;
    const from = this.at < 0 && by < 0 ? 0 : this.at;
    this.at = (from + by + count) % count;
    this.picture.show(this.here);
    this.#tell();
  }

  #tell(): void {
    const node = this.picture.nodes().get(this.here);
    const what = node ? joined([pretty(title(node)), node.scope && `in ${node.scope}`]) : "";
    say(this.#said, foundText(this.#input.value, this.ids.length, this.at, what));
  }
}
