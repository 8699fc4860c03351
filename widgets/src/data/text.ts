/** Texts of any kind: a formula as mathematics writes it, a text that is cut, a list in words. */

const SUPERSCRIPT = "⁰¹²³⁴⁵⁶⁷⁸⁹";

/** A formula as mathematics writes it: "c * d" becomes "c · d", "x ** 2" becomes "x²", "2e-05" is 2e-5. */
export function pretty(formula: string): string {
  return formula
    .replace(/\s*\*\*\s*(\d)(?![\d.])/g, (_, digit: string) => SUPERSCRIPT[Number(digit)] ?? "")
    .replace(/\s*\*\*\s*/g, "^")
    .replace(/\s*\*\s*/g, " · ")
    .replace(/(\de)\+?(-?)0?(?=\d)/g, "$1$2");
}

/** Cut a text that has no room; the whole of it stands in the tooltip and the details. */
export function fit(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, Math.max(0, length - 1))}…`;
}

/** The parts that say something, as one text. */
export const joined = (parts: readonly string[], between = ", "): string =>
  parts.filter((part) => part !== "").join(between);

/** "a", "a and b", "a, b and 5 more"; "y (3×)" for a word that comes three times in a row. */
export function list(all: readonly string[], most = 6): string {
  const runs: { word: string; times: number }[] = [];
  for (const word of all) {
    const last = runs.at(-1);
    if (last?.word === word) last.times += 1;
    else runs.push({ word, times: 1 });
  }
  const words = runs.map(({ word, times }) => (times === 1 ? word : `${word} (${times}×)`));
  if (words.length > most) {
    return `${words.slice(0, most - 1).join(", ")} and ${words.length - most + 1} more`;
  }
  if (words.length < 2) return words.join("");
  return `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}

/** "1 operation", "2 operations". */
export function plural(count: number, word: string, many = `${word}s`): string {
  return `${count} ${count === 1 ? word : many}`;
}

/** "1st", "2nd", "3rd", "4th", "11th". */
export function ordinal(place: number): string {
  const isTeen = Math.floor(place / 10) % 10 === 1;
  const ending = isTeen ? undefined : ["st", "nd", "rd"][(place % 10) - 1];
  return `${place}${ending ?? "th"}`;
}
