// Labels are data: nothing in the source can turn a string into markup or code.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import test from "node:test";

// The tests run from the folder that holds package.json.
const files = readdirSync("src", { recursive: true, encoding: "utf8" }).filter((name) => /\.\w+$/.test(name));
const sources = files.map((name) => ({ name, text: readFileSync(`src/${name}`, "utf8") }));

test("no source file can write markup, evaluate text or reach the network", () => {
  const banned = /\binnerHTML\b|\bouterHTML\b|insertAdjacentHTML|document\.write|\beval\(|new Function|\bfetch\(|XMLHttpRequest|WebSocket|DOMParser|import\(/;
  for (const { name, text } of sources) assert.doesNotMatch(text, banned, name);
});

test("every source file begins with what lives in it", () => {
  for (const { name, text } of sources) assert.match(text, /^\/\*/, name);
});

test("no source file is longer than 300 lines, the stylesheet apart", () => {
  for (const { name, text } of sources) {
    if (name.endsWith(".ts")) assert.ok(text.split("\n").length <= 300, name);
  }
});
