// What MemoryTape works out of its data, without a page.
import assert from "node:assert/strict";
import test from "node:test";
import { bandsOf, columns } from "../src/memory_tape/bands.ts";
import {
  buffersText,
  groupsAt,
  keptAt,
  momentText,
  readMemory,
  sizeText,
  type MemoryData,
} from "../src/memory_tape/memory.ts";

/** h = tanh(w); total += h.sum(), twice; then the first is freed. */
function measured(rest: Partial<MemoryData> = {}): MemoryData {
  return {
    version: 1,
    dropped: 0,
    curve: [0, 1024, 1024, 3072, 3072, 2048],
    moments: [
      ["made", 0, 0],
      ["made", 1, 1],
      ["made", 0, 2],
      ["made", 1, 3],
      ["freed", 2, -1],
    ],
    nodes: [
      { made: 1, freed: 5, line: 0, name: "h", formula: "tanh(w)", inputs: [] },
      { made: 2, freed: 5, line: 1, name: "one", formula: "sum(h)", inputs: [0] },
      { made: 3, freed: null, line: 0, name: "h", formula: "tanh(w)", inputs: [] },
      { made: 4, freed: null, line: 1, name: "two", formula: "sum(h)", inputs: [2] },
    ],
    buffers: [
      { bytes: 1024, made: 1, freed: 5, by: [0] },
      { bytes: 2048, made: 3, freed: null, by: [2, 3] },
    ],
    lines: [
      { file: "In [1]", line: 2, text: "h = torch.tanh(w)" },
      { file: "In [1]", line: 3, text: "two = h.sum()" },
      { file: "In [2]", line: 1, text: "del one" },
    ],
    peak: { at: 3, bytes: 3072, line: 0 },
    leaves: 0,
    keepers: [
      { name: "two", leak: "", says: "`two` keeps it.", bytes: 2048, alone: 2048, graph: 2, line: 1, nodes: [2, 3] },
    ],
    nobody: "",
    source: [],
    ended: true,
    note: "",
    question: null,
    ...rest,
  };
}

test("bytes are read as people read them, and as the kernel writes them", () => {
  const texts = ["0 bytes", "640 bytes", "1.5 KiB", "1 MiB", "8.13 MiB"];
  assert.deepEqual([0, 640, 1536, 1048576, 8519680].map(sizeText), texts);
});

test("at a moment a graph is kept by the result that no other graph leads to", () => {
  const kept = keptAt(measured(), 4);
  assert.deepEqual(
    kept.map(({ name, graph, bytes, until, keepers }) => ({ name, graph, bytes, until, keepers })),
    [
      { name: "two", graph: 2, bytes: 2048, until: null, keepers: ["two"] },
      { name: "one", graph: 2, bytes: 1024, until: 5, keepers: [] },
    ],
  );
});

test("a moment says what happened, where, and how much is there", () => {
  const data = measured();
  assert.equal(momentText(data, 0), "Before the first of 5 moments: 0 bytes are saved now.");
  assert.equal(momentText(data, 3), "Moment 3 of 5, In [1], line 2: tanh(w) saves 2 KiB. 3 KiB are saved now.");
  assert.equal(momentText(data, 4), "Moment 4 of 5, In [1], line 3: sum(h) saves nothing new. 3 KiB are saved now.");
  assert.equal(momentText(data, 5), "Moment 5 of 5, In [2], line 1: `del one`: 1 KiB are freed. 2 KiB are saved now.");
});

test("arrays say who has saved them, and what has become of them", () => {
  const data = measured();
  const [second, first] = groupsAt(data, 4);
  assert.equal(
    buffersText(data, first!.all),
    "1 KiB, saved by `tanh(w)` (In [1], line 2) at moment 1. Freed at moment 5 by `del one` (In [2], line 1).",
  );
  assert.equal(
    buffersText(data, second!.all),
    "2 KiB, saved by `tanh(w)` (In [1], line 2) at moment 3. Another operation has saved it too: it counts once. " +
      "Still there, kept by `two`.",
  );
});

test("bands lie on each other, and fall when one below them is freed", () => {
  const bands = bandsOf(measured());
  assert.deepEqual(
    bands.map(({ stays, pieces }) => ({ stays, pieces })),
    [
      { stays: false, pieces: [{ from: 1, to: 5, low: 0, high: 1024 }] },
      {
        stays: true,
        pieces: [
          { from: 3, to: 5, low: 1024, high: 3072 },
          { from: 5, to: 6, low: 0, high: 2048 },
        ],
      },
    ],
  );
});

test("of many moments the picture keeps the highest", () => {
  const curve = Array.from({ length: 5000 }, (_, i) => (i === 2345 ? 99 : i % 7));
  const kept = columns(measured({ curve, dropped: 10 }), 100);
  assert.equal(kept.length, 100);
  assert.ok(kept.includes(2355));
});

test("damaged data is refused", () => {
  assert.equal(readMemory(measured()).ok, true);
  assert.equal(readMemory({ ...measured(), curve: [] }).ok, false);
  assert.equal(readMemory({ ...measured(), moments: [["other", 0, 0]] }).ok, false);
  assert.equal(readMemory(null).ok, false);
});
