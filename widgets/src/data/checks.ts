/** Of what kind a piece of data is that came from outside: the questions that all readers of it ask. */

export const isFields = (x: unknown): x is Record<string, unknown> =>
  typeof x === "object" && x !== null && !Array.isArray(x);
export const isText = (x: unknown): x is string => typeof x === "string";
export const isTexts = (x: unknown): x is string[] => Array.isArray(x) && x.every(isText);
