/** The areas of the curve: of each array a band, as high as its bytes, for as long as it is there. */

import { isThere, type Buffer, type MemoryData } from "./memory.ts";

const MOST = 240; // bands; smaller arrays are one area at the bottom
const COLUMNS = 500;

/** From moment to moment, with its lower and its upper edge in bytes. */
export interface Piece {
  from: number;
  to: number;
  low: number;
  high: number;
}

export interface Band {
  buffer: Buffer | null; // null: the small ones together
  stays: boolean; // is it there at the end?
  pieces: Piece[];
}

/** The moments at which the picture may change: all, or of each few the one with most bytes. */
export function columns({ curve, dropped }: MemoryData, most = COLUMNS): number[] {
  if (curve.length <= most) return curve.map((_, index) => dropped + index);
  const found: number[] = [];
  for (let column = 0; column < most; column += 1) {
    const start = Math.floor((column * curve.length) / most);
    const end = Math.floor(((column + 1) * curve.length) / most);
    let best = start;
    for (let index = start; index < end; index += 1) if (curve[index]! > curve[best]!) best = index;
    found.push(dropped + best);
  }
  return found;
}

/** The bands, in the order in which their arrays came, each on those before it. */
export function bandsOf(data: MemoryData): Band[] {
  const large = new Set([...data.buffers].sort((a, b) => b.bytes - a.bytes).slice(0, MOST));
  const bands: Band[] = [{ buffer: null, stays: false, pieces: [] }];
  for (const buffer of data.buffers) {
    if (large.has(buffer)) bands.push({ buffer, stays: buffer.freed === null, pieces: [] });
  }
  const moments = columns(data);
  moments.forEach((at, index) => {
    const to = moments[index + 1] ?? data.dropped + data.curve.length;
    const from = index === 0 ? data.dropped : at;
    const before = moments[index - 1];
    const start = before === undefined ? from : Math.min(from, to);
    let low = 0;
    const all = data.curve[at - data.dropped] ?? 0;
    const known = bands.filter(({ buffer }) => buffer !== null && isThere(buffer, at));
    const rest = all - known.reduce((sum, { buffer }) => sum + (buffer?.bytes ?? 0), 0);
    if (rest > 0) low = put(bands[0]!, start, to, 0, rest);
    for (const band of known) low = put(band, start, to, low, low + (band.buffer?.bytes ?? 0));
  });
  return bands.filter(({ pieces }) => pieces.length > 0);
}

/** Lengthen the last piece, or begin another one. */
function put({ pieces }: Band, from: number, to: number, low: number, high: number): number {
  const last = pieces.at(-1);
  if (last && last.to >= from && last.low === low && last.high === high) last.to = to;
  else pieces.push({ from: last && last.to > from ? last.to : from, to, low, high });
  return high;
}
