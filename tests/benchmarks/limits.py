"""The project's own limits, measured: import, a long chain, watching, training, and the page.

    python tests/benchmarks/limits.py

The page is measured in Chromium if it is there, on the widgets without Jupyter (see
``widgets/test/page``). Times are those of the machine at hand; the limits leave room.
"""

from __future__ import annotations

import contextlib
import functools
import gc
import http.server
import io
import json
import statistics
import subprocess
import sys
import threading
import time
import tracemalloc
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

import memory  # noqa: E402
from playwright.sync_api import sync_playwright  # noqa: E402

import lab  # noqa: E402
import minigrad as torch  # noqa: E402
from minigrad import nn  # noqa: E402
from minigrad.tape import rehearse, tape  # noqa: E402
from minigrad_widgets import BackwardStepper, GraphView, TrainingLoop, training_loop  # noqa: E402
from minigrad_widgets.pulse import Pulse  # noqa: E402


def median(function, rounds=40):
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        function()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def import_time():
    """Milliseconds that `import minigrad` adds to NumPy's own import."""
    program = (
        "import time, numpy; t = time.perf_counter(); import minigrad; "
        "print((time.perf_counter() - t) * 1e3)"
    )
    return statistics.median(
        float(subprocess.check_output([sys.executable, "-c", program], cwd=ROOT)) for _ in range(7)
    )


def long_chain(operations=100_000):
    """Seconds to build, differentiate and free a chain, with the collector off."""
    gc.disable()
    try:
        x = torch.tensor(1.0, requires_grad=True)
        start = time.perf_counter()
        h = x
        for _ in range(operations // 2):
            h = h * 1.00001
            h = h + 0.00001
        h.backward()
        del h
        return time.perf_counter() - start
    finally:
        gc.enable()


def watching(filing=False):
    """How many times longer a recorded operation takes while somebody watches.

    ``filing``: with the work that is put off until somebody reads.
    """
    a = torch.tensor(2.0, requires_grad=True)
    b = torch.tensor(3.0, requires_grad=True)

    def operations():
        h = a
        for _ in range(50):
            h = h * b
            h = h + a
            h = h - b
            h = torch.tanh(h)

    def filed():
        operations()
        tape.catch_up()

    before = median(operations)
    reader = tape.watch()
    during = median(filed if filing else operations)
    tape.catch_up()
    tape.release(reader)
    return during / statistics.mean([before, median(operations)])


def mlp():
    model = nn.Sequential(nn.Linear(64, 32), nn.Tanh(), nn.Linear(32, 10))
    return model, torch.randn(32, 64), 600


def cnn():
    model = nn.Sequential(
        nn.Conv2d(1, 8, 3, padding=1),
        nn.ReLU(),
        nn.MaxPool2d(2),
        nn.Conv2d(8, 16, 3, padding=1),
        nn.ReLU(),
        nn.MaxPool2d(2),
        nn.Flatten(),
        nn.Linear(64, 10),
    )
    return model, torch.randn(32, 1, 8, 8), 120


def training(make, rounds=20):
    """How many times longer a training takes in a TrainingLoop, its updates of the page included.

    With and without take turns, in pieces of a hundred milliseconds; the median of the ratios.
    """
    torch.manual_seed(0)
    model, x, steps = make()
    y = torch.randint(0, 10, (32,))
    optimizer = torch.optim.Adam(model.parameters())

    def train(over):
        start = time.perf_counter()
        for _ in over:
            optimizer.zero_grad()
            loss = nn.functional.cross_entropy(model(x), y)
            loss.backward()
            optimizer.step()
        return time.perf_counter() - start

    ratios = []
    for number in range(rounds):
        loop = TrainingLoop(model, optimizer)
        before = train(range(steps)) if number % 2 else 0
        with contextlib.redirect_stdout(io.StringIO()), loop:
            during = train(loop.progress(range(steps)))
            start = time.perf_counter()
            loop.training = loop._told(True)
            update = time.perf_counter() - start
        during += update * min(10 * during, training_loop.SHARE * during / update)
        ratios.append(during / (before or train(range(steps))))
        loop.close()
    return statistics.median(ratios)


def under_a_view(steps=1000, rounds=5):
    """How many times the CPU of a training loop costs under an open GraphView; under an ended one.

    First while the loop runs and sends the view what is new; then with the end of the cell, whose
    picture has 10,000 operations, in it. With and without take turns; the medians.
    """
    torch.manual_seed(0)
    model, x, _ = mlp()
    y = torch.randint(0, 10, (32,))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)

    def train(view=None, end=False):
        pulse = Pulse(view.bring_up_to_date if view else lambda: None)
        start = time.process_time()
        pulse.begin()
        for _ in range(steps):
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(x), y).backward()
            optimizer.step()
        pulse.end()
        if end:
            view.cell_ends("")
        return time.process_time() - start

    ratios = []
    for _ in range(rounds):
        view = GraphView()
        for _ in range(3):  # until it draws no more
            train(view, end=True)
        running = train(view)
        with_end = train(view, end=True)
        view.__exit__(None, None, None)
        ended = train(end=False)
        view.cell_ends("")
        plain = train()
        view.close()
        ratios.append([running / plain, with_end / plain, ended / train()])
    return [statistics.median(column) for column in zip(*ratios, strict=True)]


def under_memory_tape(rounds=15):
    """How many times the CPU of a program costs while a MemoryTape measures it: the slowest."""
    programs = memory.numbers, memory.small_vectors, memory.training, memory.depth_64
    return max(memory.ratio(program, rounds) for program in programs)


def stepper_opens(operations=10_000):
    """CPU seconds until a stepper on so many operations is made: of numbers, of 8 × 8 matrices."""
    number = torch.tensor(1.0, requires_grad=True)
    matrix = torch.rand(8, 8, requires_grad=True)
    seconds = []
    for h, factor in ((number, 1.01), (matrix, torch.rand(8, 8, requires_grad=True))):
        for _ in range(operations // 2):
            h = torch.tanh(h) * factor
        loss = h.sum() if h.dim() else h
        start = time.process_time()
        BackwardStepper(loss).close()
        seconds.append(time.process_time() - start)
    return max(seconds)


def cell_under_views(views=50, cells=5):
    """CPU seconds of a cell of 40 operations under so many open views, each cell added to all."""
    opened = []
    for number in range(views):
        opened.append(GraphView())
        opened[-1]._made_at = number  # as if each were in a cell of its own

    def beat():
        for view in opened:
            view.bring_up_to_date()

    pulse = Pulse(beat)
    a = torch.tensor(2.0, requires_grad=True)
    start = time.process_time()
    for _ in range(cells):
        pulse.begin()
        h = a
        for _ in range(20):
            h = torch.tanh(h) * 1.01
        pulse.end()
        for view in opened:
            view.cell_ends("")
    seconds = time.process_time() - start
    for view in opened:
        view.close()
    return seconds / cells


def memory_of_watching(steps=4000):
    """Megabytes that a tape and a view hold after so many steps of a training."""
    model, x, _ = mlp()
    y = torch.randint(0, 10, (32,))
    tracemalloc.start()
    view = GraphView()
    for number in range(steps):
        nn.functional.cross_entropy(model(x), y).backward()
        if not number % 500:
            view.cell_ends("")
    held, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    view.close()
    return held / 1e6


@contextlib.contextmanager
def opened_page():
    """The widgets without Jupyter in Chromium; None if there is none."""
    chromium = lab.find_chromium()
    if chromium is None:
        yield None
        return
    handler = functools.partial(Quiet, directory=ROOT / "widgets")
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        with sync_playwright() as playwright:
            options = {"executable_path": str(chromium), "args": ["--no-sandbox"]}
            browser = playwright.chromium.launch(**options)
            page = browser.new_page()
            page.goto(f"http://127.0.0.1:{server.server_port}/test/page/index.html")
            page.wait_for_function("() => window.mg?.ready")
            yield page
            browser.close()
        server.shutdown()


def step_in_the_page(nodes=500):
    """Milliseconds of one step of the stepper on a graph of this size, in Chromium."""
    h = torch.tensor(1.0, requires_grad=True)
    for _ in range(nodes):
        h = torch.tanh(h)
    schedule = rehearse(tape, h)
    with opened_page() as page:
        if page is None:
            return None
        page.evaluate("schedule => mg.show('backward_stepper', {schedule})", schedule)
        times = page.evaluate(
            """() => {
                const step = [...document.querySelectorAll('button')]
                    .find(button => button.textContent.includes('Step'));
                return Array.from({length: 200}, () => {
                    const start = performance.now();
                    step.click();
                    return performance.now() - start;
                });
            }"""
        )
    return statistics.median(times)


def picture(operations, folded):
    """The state of a GraphView of a training-like graph of so many operations."""
    with GraphView() as view:
        h = torch.tensor(0.5, requires_grad=True)
        b = torch.tensor(1.0, requires_grad=True)
        for _ in range(operations // 4):
            h = h * b
            h = torch.tanh(h)
            h = h + b
            h = h - b
    graph = view.graph
    view.close()
    return graph if folded else {**graph, "groups": []}


def first_paint(operations, folded=False):
    """Milliseconds from a view's beginning to its first frame, in Chromium; the median of five."""
    graph = picture(operations, folded)
    with opened_page() as page:
        if page is None:
            return None
        return page.evaluate(
            """async graph => {
                const module = await import('../../minigrad_widgets/static/graph_view.js');
                const times = [];
                for (let i = 0; i < 5; i += 1) {
                    const traits = { graph: structuredClone(graph) };
                    const model = { get: name => traits[name], on() {}, off() {}, send() {} };
                    const el = document.createElement('div');
                    document.body.replaceChildren(el);
                    const start = performance.now();
                    const widget = module.default();
                    await widget.initialize({ model });
                    const close = await widget.render({ model, el });
                    await new Promise(done => requestAnimationFrame(() => setTimeout(done)));
                    times.push(performance.now() - start);
                    close();
                }
                return times.sort((a, b) => a - b)[2];
            }""",
            graph,
        )


def node_added(operations=500):
    """Milliseconds to take in, draw and lay out one node more; the median of sixty."""
    graph = picture(operations, folded=False)
    with opened_page() as page:
        if page is None:
            return None
        page.evaluate("graph => mg.show('graph_view', { graph })", graph)
        return page.evaluate(
            """async last => {
                const times = [];
                const real = window.requestAnimationFrame;
                let frame;
                window.requestAnimationFrame = paint => { frame = paint; return 1; };
                for (let i = 1; i <= 60; i += 1) {
                    const from = i === 1 ? last.id : `n9${i - 1}`;
                    const inputs = [{ id: from, arg: '', text: '' }];
                    const node = { ...last, id: `n9${i}`, inputs };
                    const number = mg.model.get('graph').number + i;
                    const start = performance.now();
                    mg.push({ type: 'delta', number, nodes: [node] });
                    frame();
                    document.body.getBoundingClientRect();
                    times.push(performance.now() - start);
                }
                window.requestAnimationFrame = real;
                return times.sort((a, b) => a - b)[30];
            }""",
            graph["nodes"][-1],
        )


def loop_for_the_page(steps=1000):
    """What a view of a training loop has sent in one cell, and its picture at the end."""
    model, x, _ = mlp()
    y = torch.randint(0, 10, (32,))
    view = GraphView()
    sent = []
    view.send = lambda message, buffers=None: sent.append(message)
    pulse = Pulse(view.bring_up_to_date)
    pulse.begin()
    for _ in range(steps):
        nn.functional.cross_entropy(model(x), y).backward()
    pulse.end()
    view.cell_ends("")
    view.close()
    return sent, view.graph


def stalls():
    """CPU milliseconds of the longest task of the page: for a watched loop; for 10,000 operations.

    As the browser's own trace counts them, so that a busy machine changes little.
    """
    with opened_page() as page:
        if page is None:
            return None, None
        sent, last = loop_for_the_page()
        page.evaluate("() => mg.show('graph_view', { graph: null })")
        deltas = "async all => { for (const one of all) { mg.push(one); await mg_pause(60); } }"
        page.evaluate("() => { window.mg_pause = ms => new Promise(done => setTimeout(done, ms)) }")
        loop = longest_task(page, deltas, sent)
        loop = max(loop, longest_task(page, "graph => mg.set('graph', graph)", last))
        shown = "graph => { mg.show('graph_view', { graph }) }"
        return loop, longest_task(page, shown, picture(10_000, folded=True))


def longest_task(page, action, argument):
    """CPU milliseconds of the longest task of the page's main thread, with what follows."""
    page.evaluate("data => { window.mg_data = data }", argument)
    page.evaluate("() => mg_pause(500)")
    browser = page.context.browser
    browser.start_tracing(page=page, categories=["toplevel", "devtools.timeline"])
    page.evaluate(f"() => ({action})(mg_data)")
    page.evaluate("() => mg_pause(3000)")
    events = json.loads(browser.stop_tracing())["traceEvents"]
    main = {
        (event["pid"], event["tid"])
        for event in events
        if event["name"] == "thread_name" and event["args"]["name"] == "CrRendererMain"
    }
    tasks = [e for e in events if "RunTask" in e["name"] and (e["pid"], e["tid"]) in main]
    return max(task.get("tdur", 0) for task in tasks) / 1e3


def state_size():
    """Megabytes of the state of 1,000 nodes with matrices and their gradients."""
    with GraphView() as view:
        h = torch.ones(8, 8, requires_grad=True) * 0.37
        for _ in range(499):
            h = torch.tanh(h) * 1.01
        h.sum().backward()
    size = len(json.dumps(view.graph).encode()) / 1e6
    view.close()
    return size


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *args):
        pass


def main():
    running, with_end, ended = under_a_view()
    loop_stall, large_stall = stalls()
    for name, value, limit, unit in (
        ("import minigrad, after NumPy", import_time(), 40, "ms"),
        ("100,000 operations: build, differentiate, free", long_chain(), 0.8, "s"),
        ("an operation while watched, times unwatched", watching(), 3, "x"),
        ("the same, with what is put off until it is read", watching(filing=True), None, "x"),
        ("a step of an MLP with Adam in TrainingLoop", training(mlp), 1.1, "x"),
        ("a step of a digits CNN with Adam in TrainingLoop", training(cnn), 1.1, "x"),
        ("1,000 steps of an MLP under an open GraphView", running, 4, "x"),
        ("the same, with the end of the cell", with_end, 8, "x"),
        ("the same under a view whose block has ended", ended, 1.1, "x"),
        ("the slowest of four programs under a MemoryTape", under_memory_tape(), 4, "x"),
        ("a stepper on 10,000 operations opens", stepper_opens(), 3, "s"),
        ("a cell of 40 operations under 50 open views", cell_under_views(), 1, "s"),
        ("what watching 4,000 steps keeps", memory_of_watching(), 40, "MB"),
        ("one step in the page at 500 nodes", step_in_the_page(), 5, "ms"),
        ("first paint of 100 nodes", first_paint(100), 100, "ms"),
        ("first paint of 1,000 nodes", first_paint(1000), 500, "ms"),
        ("first paint of 10,000 nodes, folded", first_paint(10_000, True), 2000, "ms"),
        ("a node added to 500", node_added(), 20, "ms"),
        ("longest task of the page, of a watched loop", loop_stall, 200, "ms"),
        ("longest task of the page, of 10,000 nodes, folded", large_stall, 200, "ms"),
        ("state of 1,000 nodes with matrices", state_size(), 1, "MB"),
    ):
        shown = "not measured: no Chromium" if value is None else f"{value:8.2f} {unit}"
        print(f"{name:52}{shown}" + ("" if limit is None else f"   (limit {limit} {unit})"))


if __name__ == "__main__":
    main()
