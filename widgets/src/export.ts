/**
 * Pictures to keep: the graph as SVG or PNG, and a view as one HTML file that works
 * without a kernel and asks the network for nothing.
 */

/** What a shape's look depends on. In a file of its own there is no stylesheet. */
const LOOK =
  "fill fill-opacity stroke stroke-width stroke-opacity stroke-dasharray stroke-linecap stroke-linejoin opacity paint-order font-family font-size font-style font-weight text-anchor".split(" ");

/** An `<svg>` of the page as a file: its styles stand at its elements. */
export function exportSvg(svg: SVGSVGElement): string {
  const copy = svg.cloneNode(true) as SVGSVGElement;
  const originals = [svg, ...svg.querySelectorAll<SVGElement>("*")];
  const blank = getComputedStyle(document.createElementNS(svg.namespaceURI, "g"));
  [copy, ...copy.querySelectorAll<SVGElement>("*")].forEach((element, index) => {
    const style = getComputedStyle(originals[index]!);
    for (const name of [...element.getAttributeNames()]) {
      if (/^(class|style|tabindex|role|data-|aria-(?!label))/.test(name)) element.removeAttribute(name);
    }
    const { transform } = originals[index]!.style;
    if (transform !== "") element.setAttribute("transform", transform.replaceAll("px", ""));
    for (const property of LOOK) {
      const value = style.getPropertyValue(property);
      const given = element.parentElement && getComputedStyle(originals[index]!.parentElement!).getPropertyValue(property);
      if (element !== copy && value === given) continue;
      if (value !== "" && value !== blank.getPropertyValue(property)) element.setAttribute(property, value);
    }
  });
  const [x, y, width, height] = (svg.getAttribute("viewBox") ?? "0 0 1 1").split(" ") as [string, string, string, string];
  const paper = document.createElementNS(svg.namespaceURI, "rect");
  const ground = svg.parentElement === null ? "" : getComputedStyle(svg.parentElement).backgroundColor;
  Object.entries({ x, y, width, height, fill: ground || "none" }).forEach(([name, value]) => paper.setAttribute(name, value));
  copy.prepend(paper);
  Object.entries({ role: "img", width, height }).forEach(([name, value]) => copy.setAttribute(name, value));
  return new XMLSerializer().serializeToString(copy);
}

/** The same as a PNG, with two pixels for one (fewer where the picture is very large). */
export async function exportPng(svg: SVGSVGElement): Promise<Blob> {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(exportSvg(svg))}`;
  await image.decode();
  const scale = Math.min(2, 8000 / Math.max(image.width, image.height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.ceil(image.width * scale);
  canvas.height = Math.ceil(image.height * scale);
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((done) => canvas.toBlob((blob) => done(blob!)));
}

/** What the page of its own does: a model that only answers, in place of the kernel's. */
const LOADER = `const d=JSON.parse(document.getElementById("data").textContent),n=()=>{};
const model={get:n=>d[n],set:n,save_changes:n,on:n,off:n,send:n};
const w=globalThis.mgWidget,{initialize,render}=typeof w=="function"?await w():w;
await initialize?.({model});await render({model,el:document.getElementById("view")})`;

/**
 * A view as one HTML file: its script, its stylesheet and its data (the traits of its
 * model), in which nothing can end the element that they stand in.
 */
export function exportHtml(title: string, script: string, data: Record<string, unknown>, style = ""): string {
  const json = JSON.stringify({ ...data, offline: true }).replaceAll("<", "\\u003c");
  const widget = script.replace(/export\s*\{\s*([\w$]+) as default\s*\};?\s*$/, (_, name: string) => `globalThis.mgWidget=${name};`);
  const part = (type: string, text: string): string => `<script id="data" type="${type}">${text}<\/script>`;
  return [
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title.replace(/[&<]/g, " ")}</title>`,
    '<meta name="viewport" content="width=device-width"><link rel="icon" href="data:,">',
    `<style>body{margin:0;padding:16px;color-scheme:light dark}${style}</style></head><body><main id="view"></main>`,
    part("application/json", json),
    part("module", widget.replaceAll("</", "<\\/")),
    part("module", LOADER),
  ].join("\n");
}

/** Let the reader keep a file. */
export function save(name: string, content: Blob | string, type = "text/plain"): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
