// What holds for every source file: how it begins, how long it is, what it may import and never does.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import test from "node:test";

// The tests run from the folder that holds package.json.
const files = readdirSync("src", { recursive: true, encoding: "utf8" }).filter((name) => /\.\w+$/.test(name));
const sources = files.map((name) => ({ name: name.replaceAll("\\", "/"), text: readFileSync(`src/${name}`, "utf8") }));

// Each folder may import from those before it; the folders of the views come last, side by side.
const SHARED = ["data", "page", "drawing", "question"];

// A recording has backward passes in it, which the player shows as the stepper does, by its parts; the
// lines that have saved something stand beside the curve as those that were played do.
const BUILDS_ON: Record<string, string> = { memory_tape: "tape_player", tape_player: "backward_stepper" };

const folderOf = (file: string): string => posix.dirname(file);

test("a view imports what is shared, never another view, and what is shared imports no view", () => {
  for (const { name, text } of sources) {
    const here = folderOf(name);
    for (const [, path] of text.matchAll(/from "([^"]+)"/g)) {
      const goal = folderOf(posix.join(here, path ?? ""));
      if (goal === here || goal === BUILDS_ON[here]) continue;
      const floor = SHARED.indexOf(goal);
      assert.ok(floor >= 0, `${name} imports ${path}, of a view`);
      const own = SHARED.indexOf(here);
      assert.ok(own < 0 || floor < own, `${name} imports ${path}, of a folder above its own`);
    }
  }
});

test("no source file can write markup, evaluate text or reach the network", () => {
  // Labels are data: nothing in the source can turn a string into markup or code.
  const banned =
    /\binnerHTML\b|\bouterHTML\b|insertAdjacentHTML|document\.write|\beval\(|new Function|\bfetch\(|XMLHttpRequest|WebSocket|DOMParser|import\(/;
  for (const { name, text } of sources) assert.doesNotMatch(text, banned, name);
});

test("every source file begins with what lives in it", () => {
  for (const { name, text } of sources) assert.match(text, /^\/\*/, name);
});

test("no source file is longer than 300 lines, and no line than 120 columns", () => {
  for (const { name, text } of sources) {
    const lines = text.split("\n");
    assert.ok(lines.length <= 300, name);
    assert.ok(Math.max(...lines.map((line) => line.length)) <= 120, name);
  }
});
