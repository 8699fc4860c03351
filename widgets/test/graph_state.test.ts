// What GraphView knows after each message, and the question it asks.
import assert from "node:assert/strict";
import test from "node:test";
import { EMPTY, withDelta, withSnapshot, type GraphState } from "../src/graph_view/graph_state.ts";
import { canLock, lock, onCell, predictionText, readGuess, type Prediction } from "../src/graph_view/next_cell.ts";
import { emptyText, statusText } from "../src/graph_view/status_text.ts";
import { Store } from "../src/graph_view/store.ts";
import type { CellEvent, Delta, NodeData, Snapshot } from "../src/data/tape.ts";
import colah from "./colah.json";
import { node } from "./make.ts";

const nodes = colah.snapshot.nodes as NodeData[];
const delta = (number: number, ...made: NodeData[]): Delta => ({ type: "delta", number, nodes: made });
const snapshot = (number: number, ...made: NodeData[]): Snapshot => ({ version: 1, number, nodes: made, omitted: 0 });
const cell = (phase: "begin" | "end", name: string, made = 0): CellEvent => ({ type: "cell", phase, cell: name, made });

function after(...deltas: Delta[]): GraphState {
  return deltas.reduce((state, one) => withDelta(state, one).state, EMPTY);
}

test("a delta adds its nodes in order", () => {
  const state = after(delta(1, node("t1", "leaf")), delta(2, node("n2", "op", ["t1"])));
  assert.deepEqual([...state.nodes.keys()], ["t1", "n2"]);
  assert.equal(state.number, 2);
});

test("a node that comes again replaces its record and keeps its place", () => {
  const state = after(delta(1, node("n1", "op"), node("n2", "op")), delta(2, node("n1", "op", [], { state: "gone" })));
  assert.deepEqual([...state.nodes.keys()], ["n1", "n2"]);
  assert.equal(state.nodes.get("n1")?.state, "gone");
});

test("a gap in the numbers asks for a snapshot, once", () => {
  const first = withDelta(after(delta(1, node("n1", "op"))), delta(3, node("n3", "op")));
  assert.ok(first.change.resync);
  assert.ok(!first.state.nodes.has("n3"));
  const second = withDelta(first.state, delta(4, node("n4", "op")));
  assert.ok(!second.change.resync);
});

test("the snapshot that answers heals the gap", () => {
  const gap = withDelta(after(delta(1, node("n1", "op"))), delta(3, node("n3", "op"))).state;
  const { state, change } = withSnapshot(gap, snapshot(3, node("n1", "op"), node("n2", "op"), node("n3", "op")));
  assert.deepEqual([...state.nodes.keys()], ["n1", "n2", "n3"]);
  assert.deepEqual(change.touched, ["n2", "n3"]);
  assert.ok(!change.rebuilt);
  assert.ok(!withDelta(state, delta(4, node("n4", "op"))).change.resync);
});

test("a delta that the snapshot already holds changes nothing", () => {
  const { state } = withSnapshot(EMPTY, snapshot(5, node("n1", "op")));
  const again = withDelta(state, delta(5, node("n1", "op", [], { state: "gone" })));
  assert.equal(again.state, state);
  assert.deepEqual(again.change.touched, []);
});

test("a snapshot that repeats what is known touches nothing", () => {
  const state = after(delta(1, ...nodes));
  const { change } = withSnapshot(state, snapshot(1, ...structuredClone(nodes)));
  assert.deepEqual(change, { rebuilt: false, touched: [], resync: false });
});

test("a snapshot without a known node is drawn anew", () => {
  const state = after(delta(1, node("n1", "op"), node("n2", "op")));
  assert.ok(withSnapshot(state, snapshot(2, node("n2", "op"))).change.rebuilt);
  assert.ok(withSnapshot(state, snapshot(2, node("n2", "op"), node("n1", "op"))).change.rebuilt);
});

test("the status says what the cell added, in all, and how many are alive", () => {
  const state = after(delta(1, ...nodes));
  assert.equal(statusText(state, "In [3]"), "In [3] added 1 operation: e. 3 operations in all, 3 alive.");
  assert.equal(statusText(state, "In [2]"), "In [2] added 2 operations: c and d. 3 operations in all, 3 alive.");
  assert.equal(statusText(state, "In [9]"), "In [9] added no operation. 3 operations in all, 3 alive.");
  const freed = withDelta(state, delta(2, { ...(nodes[3] as NodeData), state: "gone" })).state;
  assert.match(statusText(freed, "In [3]"), /3 operations in all, 2 alive\.$/);
});

test("operations beyond the drawing limit count in the status", () => {
  const { state } = withSnapshot(EMPTY, { ...snapshot(1, node("n1", "op")), omitted: 41 });
  assert.equal(statusText(state, ""), "42 operations in all, 1 alive.");
});

test("a prediction is revealed when the next cell has ended", () => {
  const state = after(delta(1, ...nodes));
  let prediction: Prediction = lock({ phase: "open" }, 3);
  assert.equal(predictionText(prediction, state), "Locked in: 3. Run the next cell.");
  prediction = onCell(prediction, cell("begin", "In [2]"));
  assert.equal(predictionText(prediction, state), "Locked in: 3. In [2] is running.");
  prediction = onCell(prediction, cell("end", "In [2]", 2));
  assert.equal(predictionText(prediction, state), "You said 3, it added 2: c and d.");
  assert.ok(canLock(prediction));
});

test("a right prediction is called right", () => {
  let prediction: Prediction = lock({ phase: "open" }, 1);
  prediction = onCell(onCell(prediction, cell("begin", "In [3]")), cell("end", "In [3]", 1));
  assert.equal(predictionText(prediction, after(delta(1, ...nodes))), "You said 1, it added 1. Right.");
});

test("a locked prediction cannot be changed", () => {
  const locked = lock({ phase: "open" }, 3);
  assert.equal(lock(locked, 2), locked);
  const running = onCell(locked, cell("begin", "In [2]"));
  assert.equal(lock(running, 2), running);
});

test("the end of a cell that began before the prediction does not reveal it", () => {
  const locked = lock({ phase: "open" }, 3);
  assert.equal(onCell(locked, cell("end", "In [1]", 4)), locked);
});

test("cells run as ever when the question is ignored", () => {
  const open: Prediction = { phase: "open" };
  assert.equal(onCell(onCell(open, cell("begin", "In [1]")), cell("end", "In [1]", 2)), open);
});

test("only a whole number that is not negative can be predicted", () => {
  assert.equal(readGuess(" 2 "), 2);
  assert.equal(readGuess("0"), 0);
  for (const text of ["", "-1", "1.5", "two", "1e3", "99999999"]) assert.equal(readGuess(text), null, text);
});

class FakeModel {
  sent: unknown[] = [];
  private handlers = new Map<string, ((message?: unknown) => void)[]>();
  constructor(public graph: unknown) {}
  get(): unknown {
    return this.graph;
  }
  on(name: string, handler: (message?: unknown) => void): void {
    this.handlers.set(name, [...(this.handlers.get(name) ?? []), handler]);
  }
  off(): void {}
  send(content: unknown): void {
    this.sent.push(content);
  }
  emit(name: string, message?: unknown): void {
    for (const handler of this.handlers.get(name) ?? []) handler(message);
  }
}

test("messages that arrive before any view are kept, and a gap is reported to the kernel once", () => {
  const model = new FakeModel(null);
  const store = new Store(model);
  model.emit("msg:custom", delta(1, ...nodes));
  assert.equal(store.state.nodes.size, 5);
  model.emit("msg:custom", delta(4));
  model.emit("msg:custom", delta(5));
  assert.deepEqual(model.sent, [{ type: "resync" }]);
});

test("an old node that is freed or renamed does not change which cell was last", () => {
  const model = new FakeModel(null);
  const store = new Store(model);
  model.emit("msg:custom", delta(1, ...nodes));
  model.emit("msg:custom", delta(2, { ...(nodes[2] as NodeData), names: ["renamed"] }));
  assert.equal(store.lastCell, "In [3]");
});

test("after a page reload the snapshot alone restores the graph", () => {
  const store = new Store(new FakeModel(snapshot(7, ...nodes)));
  assert.equal(store.state.number, 7);
  assert.equal(store.state.nodes.size, 5);
});

test("damaged messages and unknown ones are ignored", () => {
  const model = new FakeModel(null);
  const store = new Store(model);
  for (const message of [
    null,
    7,
    {},
    { type: "delta", number: 1 },
    { type: "delta", number: 1, nodes: [{ id: 5 }] },
    { type: "?" },
  ]) {
    model.emit("msg:custom", message);
  }
  assert.equal(store.state.nodes.size, 0);
  assert.equal(store.problem, "");
});

test("a snapshot in a newer format is explained, not drawn", () => {
  const store = new Store(new FakeModel({ version: 2, number: 0, nodes: [], omitted: 0 }));
  assert.match(store.problem, /format 2.*format 1/);
});

test("the latest cell is counted whole, though not all of its operations are drawn", () => {
  const last = { ...snapshot(1, node("n9", "op", [], { names: ["y"], cell: "In [4]" })), omitted: 11, latest: { cell: "In [4]", made: 12 } };
  const { state } = withSnapshot(EMPTY, last);
  assert.equal(statusText(state, "In [4]"), "In [4] added 12 operations: y. 12 operations in all, 1 alive.");
  const next = withDelta(state, delta(2, node("n10", "op", [], { cell: "In [5]" }))).state;
  assert.match(statusText(next, "In [5]"), /^In \[5\] added 1 operation: mul\. /);
});

test("in a list of several, a formula that would fill the line gives way to its operation", () => {
  const formula = "addmm([[-0.6232, -0.2162, -0.4887]], weight, bias)";
  const whole = { ...snapshot(0, node("n9", "op", [], { formula, op: "addmm" })), ended: true };
  assert.equal(statusText(withSnapshot(EMPTY, whole).state, ""), "The block has ended. It recorded 1 operation: addmm. 1 alive.");
});

test("a block whose graph is gone has recorded something", () => {
  const { state } = withSnapshot(EMPTY, { ...snapshot(0), ended: true, omitted: 3 });
  assert.equal(statusText(state, ""), "The block has ended. It recorded 3 operations, of which none is alive.");
});

test("where nobody tells when a cell runs, the view says what to write, unless its block has ended", () => {
  const unheard = "Write `with GraphView() as view:`.";
  const { state } = withSnapshot(EMPTY, { ...snapshot(0), unheard });
  assert.equal(emptyText(state, false), unheard);
  assert.match(emptyText(withSnapshot(EMPTY, snapshot(0)).state, false), /^Watching/);
  assert.match(emptyText({ ...state, ended: true }, false), /^Nothing was recorded in the block/);
});

test("the graph behind a result is told as such", () => {
  const last = { ...snapshot(0, node("n9", "op", [], { names: ["loss"] })), ended: true, behind: "loss" };
  assert.equal(statusText(withSnapshot(EMPTY, last).state, ""), "1 operation led to loss: loss. 1 alive.");
  const leaf = { ...snapshot(0, node("t1", "leaf")), ended: true, behind: "a" };
  assert.equal(statusText(withSnapshot(EMPTY, leaf).state, ""), "a is a leaf: no recorded operation led to it.");
});
