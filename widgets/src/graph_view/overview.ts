/**
 * A graph that is wider than its window: a button at each edge behind which there is more, and,
 * when it is made very small, each node as its sign or its name alone, large; a click goes closer.
 */

import { LEGIBLE, type Extent, type Viewport } from "../drawing/viewport.ts";
import { button, calm, focus, h, listen } from "../page/dom.ts";

const FAR = 0.4; // on a smaller scale nobody reads a formula

export function overview(viewport: Viewport): void {
  const { element } = viewport;
  let now: Extent = { scale: 1, width: 0, drawn: 0 };
  let left = 0; // kept, because to ask for it would force a layout
  const turn = (sign: 1 | -1, text: string, name: string): HTMLElement => {
    const press = (): void => element.scrollBy({ left: sign * 0.8 * now.width, behavior: calm() ? "auto" : "smooth" });
    return h("div", { class: "mg-more", hidden: true }, button(text, press, undefined, name));
  };
  const before = turn(-1, "◂ more", "more to the left");
  const after = turn(1, "more ▸", "more to the right");
  element.prepend(before);
  element.append(after);
  const paint = (): void => {
    const held = [before, after].find((one) => one.contains(document.activeElement));
    before.hidden = now.width === 0 || left < 8;
    after.hidden = now.width === 0 || now.drawn - now.width - left < 8;
    // Who came to the end by the keyboard finds the way back under their hands.
    if (held?.hidden) focus((held === before ? after : before).querySelector("button"));
  };
  viewport.onResize = (extent) => {
    now = extent;
    const far = now.scale < FAR;
    element.classList.toggle("mg-far", far);
    element.title = far ? "Click to go closer" : "";
    paint();
  };
  const scrolled = (): void => {
    left = element.scrollLeft;
    paint();
  };
  listen(element, "scroll", scrolled);
  const closer = (event: MouseEvent): void => {
    if (now.scale >= FAR || (event.target as Element).closest("button") !== null) return;
    const frame = element.getBoundingClientRect();
    viewport.zoomAt(LEGIBLE / now.scale, { x: event.clientX - frame.left, y: event.clientY - frame.top });
  };
  listen(element, "click", closer);
}
