/** What legends are made of: a sign, a word of the course, and what it means. */

import { h, s } from "./dom.ts";

export function sign(className: string, ...content: SVGElement[]): SVGSVGElement {
  return s("svg", { class: `mg-sign ${className}`, viewBox: "-15 -9 30 18", width: 30, height: 18 }, ...content);
}

export function item(word: string, meaning: string, picture: Element): HTMLElement {
  picture.ariaHidden = "true";
  return h("li", {}, picture, h("b", {}, word), ` ${meaning}`);
}
