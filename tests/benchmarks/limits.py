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
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from playwright.sync_api import sync_playwright  # noqa: E402

import lab  # noqa: E402
import minigrad as torch  # noqa: E402
from minigrad import nn  # noqa: E402
from minigrad.tape import rehearse, tape  # noqa: E402
from minigrad_widgets import GraphView, TrainingLoop, training_loop  # noqa: E402


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

    ``filing``: with the work that a view's thread does afterwards.
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
    for name, value, limit, unit in (
        ("import minigrad, after NumPy", import_time(), 40, "ms"),
        ("100,000 operations: build, differentiate, free", long_chain(), 0.8, "s"),
        ("an operation while watched, times unwatched", watching(), 3, "x"),
        ("the same, with what a view's thread does later", watching(filing=True), None, "x"),
        ("a step of an MLP with Adam in TrainingLoop", training(mlp), 1.1, "x"),
        ("a step of a digits CNN with Adam in TrainingLoop", training(cnn), 1.1, "x"),
        ("one step in the page at 500 nodes", step_in_the_page(), 5, "ms"),
        ("first paint of 100 nodes", first_paint(100), 100, "ms"),
        ("first paint of 1,000 nodes", first_paint(1000), 500, "ms"),
        ("first paint of 10,000 nodes, folded", first_paint(10_000, True), 2000, "ms"),
        ("a node added to 500", node_added(), 20, "ms"),
        ("state of 1,000 nodes with matrices", state_size(), 1, "MB"),
    ):
        shown = "not measured: no Chromium" if value is None else f"{value:8.2f} {unit}"
        print(f"{name:52}{shown}" + ("" if limit is None else f"   (limit {limit} {unit})"))


if __name__ == "__main__":
    main()
