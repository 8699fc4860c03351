/**
 * A matrix as a picture: a cell for each number, a scale with its ends written out, and the number
 * under the pointer or the arrow keys. What is not finite has a sign, not only a colour.
 */

import { asNumber, formatNumber, type Scalar } from "../data/numbers.ts";
import { colourOf, rangeOf, type Matrix, type Range, type Scale } from "../data/slices.ts";
import { h, listen, say } from "./dom.ts";

const SIDE = 252; // pixels of a picture
const CELL = 20; // and of a cell, at most

export interface PictureText {
  name: string; // of what
  tell: (row: number, column: number, numbers: Scalar[]) => string; // "[0, 3, 1, 4] is 0.5"
}

/** `matrices`: one, or three of one size for the colours. */
export function valuePicture(matrices: readonly Matrix[], scale: Scale, text: PictureText): HTMLElement {
  const { start, step, shown } = matrices[0]!;
  const [rows, columns] = shown as [number, number];
  const wide = Math.max(2, Math.min(CELL, Math.floor(SIDE / Math.max(rows, columns))));
  const high = rows < 3 ? Math.max(wide, 14) : wide;
  const range = rangeOf(matrices);
  const canvas = h("canvas", {
    class: "mg-heat-map",
    width: columns * wide,
    height: rows * high,
    tabindex: 0,
    role: "application",
    "aria-roledescription": "picture",
    "aria-label": `${text.name}, ${rows} rows and ${columns} columns; arrow keys read the numbers`,
  });
  const cursor = h("i", { class: "mg-cell-mark", hidden: true });
  cursor.style.width = `${100 / columns}%`;
  cursor.style.height = `${100 / rows}%`;
  const told = h("p", { class: "mg-told", "aria-live": "polite" }, HINT);
  paint(canvas, matrices, range, scale, wide, high);

  let at: [number, number] | null = null;
  const look = (row: number, column: number): void => {
    at = [Math.max(0, Math.min(rows - 1, row)), Math.max(0, Math.min(columns - 1, column))];
    const [i, j] = at;
    cursor.hidden = false;
    cursor.style.left = `${(j / columns) * 100}%`;
    cursor.style.top = `${(i / rows) * 100}%`;
    const numbers = matrices.map(({ data }) => data[i * columns + j]!);
    say(told, text.tell(start[0]! + i * step[0]!, start[1]! + j * step[1]!, numbers));
  };
  const point = ({ offsetX, offsetY }: PointerEvent): void =>
    look(Math.floor((offsetY / canvas.clientHeight) * rows), Math.floor((offsetX / canvas.clientWidth) * columns));
  listen(canvas, "pointermove", point);
  listen(canvas, "pointerdown", point);
  listen(canvas, "keydown", (event) => {
    const move = MOVES[event.key];
    if (!move || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation(); // in a stepper they lead to another step
    if (at === null) return look(0, 0);
    look(at[0] + move[0], at[1] + move[1]);
  });
  return h(
    "div",
    "mg-picture",
    h("div", "mg-picture-place", canvas, cursor),
    scaleElement(range, scale),
    ...oddElement(range),
    told,
  );
}

const HINT = "Point at a cell, or press the arrow keys, to read its number.";
const FAR = 1e9;
const MOVES: Record<string, [number, number]> = {
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  Home: [0, -FAR],
  End: [0, FAR],
};

function paint(
  canvas: HTMLCanvasElement,
  matrices: readonly Matrix[],
  range: Range,
  scale: Scale,
  wide: number,
  high: number,
): void {
  const pen = canvas.getContext("2d");
  if (!pen) return;
  const [rows, columns] = matrices[0]!.shown as [number, number];
  const odd: [number, number, string][] = [];
  for (let k = 0; k < rows * columns; k += 1) {
    const [x, y] = [(k % columns) * wide, Math.floor(k / columns) * high];
    const numbers = matrices.map(({ data }) => asNumber(data[k]!));
    const none = numbers.find((one) => !Number.isFinite(one));
    if (none === undefined) {
      pen.fillStyle = `rgb(${colourOf(numbers, range, scale).join()})`;
      pen.fillRect(x, y, wide, high);
    } else {
      odd.push([x, y, SIGNS[formatNumber(none)]!]);
    }
  }
  const size = Math.max(9, Math.min(wide, high)); // in a fine picture a sign covers its neighbours
  pen.font = `bold ${size}px sans-serif`;
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  for (const [x, y, sign] of odd) {
    const [left, top] = [x + (wide - size) / 2, y + (high - size) / 2];
    pen.fillStyle = ODD_GROUND;
    pen.fillRect(left, top, size, size);
    pen.fillStyle = "#000";
    pen.fillText(sign, x + wide / 2, y + high / 2 + 1);
  }
}

const ODD_GROUND = "#ffd400";
const SIGNS: Record<string, string> = { nan: "×", inf: "▲", "-inf": "▼" };

/** The scale with its ends written out; of a diverging one, the middle too. */
function scaleElement({ least, largest }: Range, scale: Scale): HTMLElement {
  if (least > largest) return h("p", "mg-note", "No number here is finite.");
  if (least === largest) return h("div", "mg-scale mg-ends", `all finite numbers here are ${formatNumber(least)}`);
  const far = formatNumber(Math.max(Math.abs(least), Math.abs(largest)));
  if (scale === "diverging") {
    const half = (end: string): HTMLElement => h("i", `mg-half mg-${end}`);
    return h("div", "mg-scale mg-ends", `-${far}`, half("below"), "0", half("above"), far);
  }
  const [from, to] = [formatNumber(least), formatNumber(largest)];
  return h("div", "mg-scale mg-ends", from, h("i", "mg-grey"), to);
}

/** How many are not finite, with their signs. */
function oddElement({ odd }: Range): HTMLElement[] {
  const found = Object.entries(odd).filter(([, count]) => count > 0);
  if (found.length === 0) return [];
  const parts = found.map(([name, count]) =>
    h("span", {}, h("b", "mg-odd-sign", SIGNS[name]!), ` ${name === "nan" ? "NaN" : name}: ${count}`),
  );
  return [h("p", "mg-odds", ...parts)];
}
