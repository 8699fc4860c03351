"""The site, built once, and a Chromium that can reach nothing but this machine."""

from __future__ import annotations

import threading

import pytest
from playwright.sync_api import expect, sync_playwright

from website import __main__ as website
from website import downloads, lite
from website.serve import address_of, served

expect.set_options(timeout=60_000)  # a busy machine is slow, not wrong

FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
)


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    """The folder with the site's own pages."""
    out = tmp_path_factory.mktemp("site")
    website.build_pages(out)
    return out


@pytest.fixture(scope="session")
def live_folder(tmp_path_factory):
    """The folder with the living lessons; where the parts cannot be had, its tests are skipped."""
    out = tmp_path_factory.mktemp("live-site")
    try:
        lite.build(out / "live", website.KEPT)
    except downloads.Missing as missing:
        pytest.skip(str(missing))
    return out


@pytest.fixture(scope="session")
def address(folder):
    yield from serving(folder)


@pytest.fixture(scope="session")
def live_address(live_folder):
    yield from serving(live_folder)


def serving(folder):
    with served(folder) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield address_of(server)
        server.shutdown()


@pytest.fixture(scope="module")
def chrome(chromium):
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=str(chromium), args=list(FLAGS))
        yield launched
        launched.close()


@pytest.fixture
def open_page(chrome, address):
    """Open a page of the site; afterwards, the console is clean, and nothing was asked outside."""
    opened, wrong = [], []

    def open_(path, **options):
        context = chrome.new_context(**{"reduced_motion": "reduce", **options})
        opened.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("console", lambda said: said.type == "error" and wrong.append(said.text))
        page.on("request", lambda sent: sent.url.startswith(own(address)) or wrong.append(sent.url))
        page.goto(address + path)
        return page

    yield open_
    for context in opened:
        context.close()
    assert not wrong


def own(address):
    return (address, "data:", "blob:")
