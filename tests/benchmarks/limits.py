"""The project's own limits, measured: import, a long chain, watching, and a step in the page.

    python tests/benchmarks/limits.py

The page is measured in Chromium if it is there, on the widgets without Jupyter (see
``widgets/test/page``). Times are those of the machine at hand; the limits leave room.
"""

from __future__ import annotations

import functools
import gc
import http.server
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
from minigrad.tape import rehearse, tape  # noqa: E402


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


def step_in_the_page(nodes=500):
    """Milliseconds of one step of the stepper on a graph of this size, in Chromium."""
    chromium = lab.find_chromium()
    if chromium is None:
        return None
    h = torch.tensor(1.0, requires_grad=True)
    for _ in range(nodes):
        h = torch.tanh(h)
    schedule = rehearse(tape, h)
    handler = functools.partial(Quiet, directory=ROOT / "widgets")
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(chromium), args=["--no-sandbox"])
        page = browser.new_page()
        page.goto(f"http://127.0.0.1:{server.server_port}/test/page/index.html")
        page.wait_for_function("() => window.mg?.ready")
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
        browser.close()
    server.shutdown()
    return statistics.median(times)


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *args):
        pass


def main():
    for name, value, limit, unit in (
        ("import minigrad, after NumPy", import_time(), 40, "ms"),
        ("100,000 operations: build, differentiate, free", long_chain(), 0.8, "s"),
        ("an operation while watched, times unwatched", watching(), 3, "x"),
        ("the same, with what a view's thread does later", watching(filing=True), None, "x"),
        ("one step in the page at 500 nodes", step_in_the_page(), 5, "ms"),
    ):
        shown = "not measured: no Chromium" if value is None else f"{value:8.2f} {unit}"
        print(f"{name:52}{shown}" + ("" if limit is None else f"   (limit {limit} {unit})"))


if __name__ == "__main__":
    main()
