/**
 * Pictures to keep: the graph as SVG or PNG, and a view as one HTML file that works
 * without a kernel and asks the network for nothing.
 */

import { fill, h, s } from "./dom.ts";

/** What a shape's look depends on. In a file of its own there is no stylesheet. */
const LOOK = (
  "fill fill-opacity opacity paint-order text-anchor font-family font-size font-style font-weight " +
  "stroke stroke-width stroke-opacity stroke-dasharray stroke-linecap stroke-linejoin"
).split(" ");

/** An `<svg>` of the page as a file: its styles stand at its elements. */
export function exportSvg(svg: SVGSVGElement): string {
  const copy = svg.cloneNode(true) as SVGSVGElement;
  const originals = [svg, ...svg.querySelectorAll<SVGElement>("*")];
  const blank = getComputedStyle(s("g"));
  [copy, ...copy.querySelectorAll("*")].forEach((element, index) => {
    const original = originals[index]!;
    const style = getComputedStyle(original);
    for (const name of element.getAttributeNames()) {
      if (/^(class|style|tabindex|role|data-|aria-(?!label))/.test(name)) element.removeAttribute(name);
    }
    const { transform } = original.style;
    if (transform !== "") element.setAttribute("transform", transform.replaceAll("px", ""));
    const around = index > 0 && getComputedStyle(original.parentElement!);
    for (const property of LOOK) {
      const value = style.getPropertyValue(property);
      if (around && value === around.getPropertyValue(property)) continue;
      if (value !== "" && value !== blank.getPropertyValue(property)) element.setAttribute(property, value);
    }
  });
  const { x, y, width, height } = svg.viewBox.baseVal;
  const ground = svg.parentElement && getComputedStyle(svg.parentElement).backgroundColor;
  copy.prepend(s("rect", { x, y, width, height, fill: ground || "none" }));
  fill(copy, { role: "img", width, height });
  return new XMLSerializer().serializeToString(copy);
}

/** The same as a PNG, with two pixels for one (fewer where the picture is very large). */
export async function exportPng(svg: SVGSVGElement): Promise<Blob> {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(exportSvg(svg))}`;
  await image.decode();
  const scale = Math.min(2, 8000 / Math.max(image.width, image.height));
  const width = Math.ceil(image.width * scale);
  const height = Math.ceil(image.height * scale);
  const canvas = h("canvas", { width, height });
  canvas.getContext("2d")?.drawImage(image, 0, 0, width, height);
  return new Promise((done) => canvas.toBlob((blob) => done(blob!)));
}

/** What the page of its own does: a model that only answers, in place of the kernel's. */
const LOADER = `((w,d,n)=>{
const model={get:k=>d[k],set:n,save_changes:n,on:n,off:n,send:n},{initialize:i,render}=w();
i?.({model});render({model,el:document.querySelector("main")})})`;

/**
 * A view as one HTML file: its script, its stylesheet and its data (the traits of its
 * model), in which nothing can end the element that they stand in. The title is plain words.
 */
export function exportHtml(title: string, script: string, data: Record<string, unknown>, style: string): string {
  const json = JSON.stringify({ ...data, offline: true }).replaceAll("<", "\\u003c");
  const run = (_: string, widget: string): string => `;${LOADER}(${widget},${json},()=>{})`;
  const code = script.replaceAll("</", "<\\/").replace(/export\s*\{\s*([\w$]+) as default\s*\};?\s*$/, run);
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>${title}</title>
<meta name="viewport" content="width=device-width"><link rel="icon" href="data:,">
<style>body{margin:0;padding:16px;color-scheme:light dark}${style}</style>
<main></main><script type="module">${code}</script>`;
}

/** Let the reader keep a file. */
export function save(name: string, content: Blob | string, type: string): void {
  const href = URL.createObjectURL(new Blob([content], { type }));
  h("a", { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), 10_000);
}
