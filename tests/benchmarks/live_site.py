"""The built site, measured in a cold and a warm browser: its pages, and its living lessons.

    python lab.py site --build-only
    python tests/benchmarks/live_site.py              # the site in site/
    python tests/benchmarks/live_site.py --only pages # or: lessons, node, training

Times of a living lesson are CPU seconds of the browser's processes, which other programs change
less than seconds on a clock; those of pages are the page's own. What is transferred is counted as
a host sends it that compresses. *Cold* is a browser that has never been there, *warm* the same one
at its second visit.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import statistics
import sys
import tempfile
import threading
import time
from pathlib import Path
from urllib.parse import unquote, urlsplit

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "website")]

from conftest import FLAGS  # noqa: E402
from playwright.sync_api import sync_playwright  # noqa: E402
from test_live import READY  # noqa: E402

import lab  # noqa: E402
from website.serve import address_of, served  # noqa: E402
from website.sizes import gzipped  # noqa: E402

PAGES = ["index.html", "lessons/00_start_here.html", "lessons/05_the_training_loop.html"]
LESSONS = ["01_a_graph_appears", "02_backprop_one_step_at_a_time", "05_the_training_loop"]

FIRST_VIEW = """() => new Promise(done => {
    const look = () => document.querySelector('[data-alive] .mg-root')
        ? done(performance.now()) : requestAnimationFrame(look);
    look();
})"""

TEXT = """() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime
    ?? performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd"""

FIRST_CELL = """async () => {
    const notebook = window.jupyterapp.shell.currentWidget.content;
    notebook.activeCellIndex = notebook.widgets.findIndex(cell => cell.model.type === 'code');
    await window.jupyterapp.commands.execute('notebook:run-cell');
}"""

RUN = """async source => {
    const notebook = window.jupyterapp.shell.currentWidget.content;
    await window.jupyterapp.commands.execute('notebook:insert-cell-below');
    notebook.activeCell.model.sharedModel.setSource(source);
    await window.jupyterapp.commands.execute('notebook:run-cell');
    return notebook.activeCell.model.outputs.toJSON().map(one =>
        [one.text ?? one.evalue ?? ''].flat().join('')).join('');
}"""

WATCH = "import minigrad as torch\nfrom minigrad_widgets import GraphView\nGraphView()"

APPEARED = """() => {
    window.appeared = new Map();
    const root = window.jupyterapp.shell.currentWidget.node;
    new MutationObserver(() => {
        for (const node of root.querySelectorAll('[data-mg-node][data-kind=op]'))
            if (!window.appeared.has(node.dataset.mgNode))
                window.appeared.set(node.dataset.mgNode, Date.now());
    }).observe(root, { childList: true, subtree: true });
}"""

OPERATIONS = """
import time
a = torch.tensor(2.0, requires_grad=True)
made = []
for step in range(20):
    made.append(round(time.time() * 1000))
    a = a * 1.01
    time.sleep(0.25)
print(*made)
"""

TRAINING = """
import time
import minigrad as torch
from minigrad import nn

digits = torch.datasets.digits()
data = torch.utils.data.TensorDataset(digits.x, digits.y)
torch.manual_seed(0)
loader = torch.utils.data.DataLoader(data, batch_size=32, shuffle=True)
model = nn.Sequential(nn.Flatten(), nn.Linear(64, 32), nn.Tanh(), nn.Linear(32, 10))
optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
times = []
for epoch in range(20):
    began = time.perf_counter()
    for x, y in loader:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
    times.append(time.perf_counter() - began)
print(min(times))
"""
"""The model, the data and the loop of lesson 05; the shortest epoch counts."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("site", nargs="?", type=Path, default=ROOT / "site")
    parser.add_argument("--only", choices=["pages", "lessons", "node", "training"])
    chosen = parser.parse_args()
    measured = [pages, lessons, node, training]
    with served(chosen.site) as server, sync_playwright() as playwright:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        for measure in measured:
            if chosen.only in (None, measure.__name__):
                measure(playwright, address_of(server), chosen.site)
        server.shutdown()


# ---------------------------------------------------------------------------------- browsers


@contextlib.contextmanager
def browser(playwright, profile):
    """A browser with this profile: a page of it, and the addresses that are asked for."""
    options = {"executable_path": str(lab.find_chromium()), "args": list(FLAGS)}
    context = playwright.chromium.launch_persistent_context(profile, **options)
    context.set_default_timeout(600_000)
    asked = []
    context.on("request", lambda sent: asked.append(sent.url))
    yield context.pages[0], asked
    context.close()


def visits(playwright):
    """A cold browser, then the same one warm."""
    with tempfile.TemporaryDirectory() as profile:
        for visit in ("cold", "warm"):
            with browser(playwright, profile) as (page, asked):
                yield visit, page, asked


def transferred(asked, site):
    """Bytes of these addresses as a host sends them that compresses."""
    paths = {unquote(urlsplit(address).path).lstrip("/") for address in asked}
    return sum(gzipped(site / path) for path in paths if path and (site / path).is_file())


def cpu_seconds():
    """What the processes that this one has started have taken so far, and their children."""
    children, taken = {}, {}
    for process in Path("/proc").iterdir():
        with contextlib.suppress(OSError, ValueError):
            number = int(process.name)
            fields = (process / "stat").read_text().rpartition(")")[2].split()
            children.setdefault(int(fields[1]), []).append(number)
            taken[number] = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    found = children.get(os.getpid(), [])
    for number in found:  # it grows on the way
        found += children.get(number, [])
    return sum(taken[number] for number in found)


def opened(page, address, lesson):
    page.goto(f"{address}live/lab/index.html?path={lesson}.ipynb")
    while not page.evaluate(READY):
        time.sleep(0.2)


# ----------------------------------------------------------------------------- what is measured


def pages(playwright, address, site):
    print("page, visit: text after, first view alive after, gzipped")
    for path in PAGES:
        for visit, page, asked in visits(playwright):
            page.goto(address + path, wait_until="commit")
            page.wait_for_load_state()
            page.evaluate("() => document.querySelector('[data-view]').scrollIntoView()")
            alive, text = page.evaluate(FIRST_VIEW), page.evaluate(TEXT)
            size = transferred(asked, site) / 1e3 if visit == "cold" else 0
            print(f"  {path} {visit}: {text:.0f} ms, {alive:.0f} ms, {size:.0f} KB", flush=True)


def lessons(playwright, address, site):
    print("lesson, visit: its first cell is done after, gzipped")
    for lesson in LESSONS:
        for visit, page, asked in visits(playwright):
            before, began = cpu_seconds(), time.monotonic()
            opened(page, address, lesson)
            page.evaluate(FIRST_CELL)
            cpu, took = cpu_seconds() - before, time.monotonic() - began
            size = transferred(asked, site) / 1e6 if visit == "cold" else 0
            told = f"{cpu:.1f} CPU s ({took:.0f} s on the clock), {size:.1f} MB"
            print(f"  {lesson} {visit}: {told}", flush=True)


def node(playwright, address, site):
    with tempfile.TemporaryDirectory() as profile, browser(playwright, profile) as (page, _):
        opened(page, address, LESSONS[0])
        page.evaluate(FIRST_CELL)
        page.evaluate(RUN, WATCH)
        page.locator(".mg-root").first.wait_for()
        page.evaluate(APPEARED)
        made = page.evaluate(RUN, OPERATIONS).split()
        seen = sorted(page.evaluate("() => [...window.appeared.values()]"))
    late = [there - int(then) for then, there in zip(made, seen)]
    told = f"median {statistics.median(late):.0f} ms, longest {max(late)} ms"
    print(f"a node is in the page after its operation, of {len(late)}: {told}", flush=True)


def training(playwright, address, site):
    with tempfile.TemporaryDirectory() as profile, browser(playwright, profile) as (page, _):
        opened(page, address, LESSONS[0])
        page.evaluate(FIRST_CELL)
        there = float(page.evaluate(RUN, TRAINING))
    heard: list[str] = []
    exec(TRAINING, {"print": lambda text: heard.append(text)})
    here = float(heard[0])
    told = f"{there:.2f} s in the browser, {here:.2f} s here: {there / here:.1f} times"
    print(f"an epoch of lesson 05: {told}", flush=True)


if __name__ == "__main__":
    main()
