/** The menu "Save": the picture as SVG or PNG, the view as one HTML file. */

import type { Model } from "./anywidget.ts";
import { button, h } from "./dom.ts";
import { exportHtml, exportPng, exportSvg, save } from "./export.ts";

const item = (text: string, name: string, onPress: () => void): HTMLElement => button(text, onPress, undefined, name);

/** `traits`: the names of those that hold the view's data. */
export function saveMenu(name: string, model: Model, traits: string[], picture: () => SVGSVGElement): HTMLElement {
  const script = model.get("_esm");
  const data = (): Record<string, unknown> => Object.fromEntries(traits.map((trait) => [trait, model.get(trait)]));
  const menu = h(
    "details",
    "mg-save",
    h("summary", "mg-button", "Save"),
    item("SVG", "Save as SVG", () => save(`${name}.svg`, exportSvg(picture()), "image/svg+xml")),
    item("PNG", "Save as PNG", () => void exportPng(picture()).then((png) => save(`${name}.png`, png, "image/png"))),
  );
  if (typeof script === "string") {
    const html = (): string => exportHtml(name, script, data(), String(model.get("_css") ?? ""));
    menu.append(
      item("HTML", "Save as one HTML file that works offline", () => save(`${name}.html`, html(), "text/html")),
    );
  }
  return menu;
}
