"""The widgets in a real Chromium without Jupyter: the page of ``widgets/test/page``, served."""

from __future__ import annotations

import functools
import http.server
import math
import threading
from pathlib import Path

import pytest
from playwright.sync_api import expect, sync_playwright

from minigrad import lesson
from minigrad_widgets import runs
from minigrad_widgets.left_out import question as left_out
from minigrad_widgets.session import session

expect.set_options(timeout=60_000)  # a busy machine is slow, not wrong

WIDGETS = Path(__file__).resolve().parents[2] / "widgets"
FLAGS = ("--no-sandbox", "--disable-gpu", "--disable-background-networking")


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *arguments):
        pass


@pytest.fixture(autouse=True)
def time_enough(monkeypatch):
    """A run may take as long as it takes, so that a busy machine changes nothing."""
    monkeypatch.setattr(left_out, "SECONDS", math.inf)
    monkeypatch.setattr(runs, "DRAGGED_SECONDS", runs.SECONDS)


@pytest.fixture(autouse=True)
def no_view_left():
    """What a test leaves open is closed, so that the next one begins with no view."""
    yield
    for view in list(session.views):
        view.close()


@pytest.fixture(scope="module")
def address():
    handler = functools.partial(Quiet, directory=str(WIDGETS))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/test/page/index.html"
        server.shutdown()


@pytest.fixture(scope="module")
def chrome(chromium):
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=str(chromium), args=list(FLAGS))
        yield launched
        launched.close()


@pytest.fixture(params=["light", "dark"])
def show(chrome, address, request):
    """Show a widget in either theme; afterwards the console has no error."""
    page = chrome.new_page(color_scheme=request.param, reduced_motion="reduce")
    errors = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda m: errors.append(m.text) if m.type == "error" else None)
    page.goto(f"{address}?theme={request.param}")
    page.wait_for_function("() => window.mg?.ready")

    def show_(kind, traits, **options):
        page.evaluate(
            "([kind, traits, options]) => mg.show(kind, traits, options)", [kind, traits, options]
        )
        return page

    yield show_
    page.close()
    assert not errors


@pytest.fixture
def a_new_engine():
    """An engine that nobody has heard of: it is one class."""

    class Mean(lesson.engines.Wrong, name="mean"):
        title = "mean of all"
        what = "it takes the mean of what arrives"
        message = "That is a mean. Gradients that arrive are added."
        between = "averaged with"
        kept = "of which the mean is kept"
        leaves = "evens out at"

        @staticmethod
        def join(before, part):
            return (before + part) / 2

    yield Mean
    del lesson.engines.WRONG["mean"]
