"""A real JupyterLab and a real Chromium, shared by the browser tests.

Screenshots go to ``tests/browser/screenshots`` (not committed).
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest
import two_notebooks
from playwright.sync_api import expect, sync_playwright

import lab

expect.set_options(timeout=60_000)  # a busy machine is slow, not wrong

ROOT = Path(__file__).resolve().parents[2]
SCREENSHOTS = Path(__file__).parent / "screenshots"

FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
)


@pytest.fixture(scope="session")
def browser(chromium):
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=str(chromium), args=list(FLAGS))
        yield launched
        launched.close()


@pytest.fixture(scope="session")
def server(tmp_path_factory):
    """The address of a JupyterLab, and the folder that it shows."""
    home = tmp_path_factory.mktemp("jupyter")
    root = home / "root"
    shutil.copytree(ROOT / "notebooks", root, ignore=shutil.ignore_patterns(".*"))
    two_notebooks.write(root)
    settings = home / "settings" / "@jupyterlab" / "notebook-extension"
    settings.mkdir(parents=True)
    (settings / "tracker.jupyterlab-settings").write_text('{"windowingMode": "none"}')
    defaults = home / "config" / "labconfig"
    defaults.mkdir(parents=True)
    (defaults / "default_setting_overrides.json").write_text(json.dumps(lab.SETTINGS))
    port = free_port()
    environment = {
        **os.environ,
        "HOME": str(home),
        "IPYTHONDIR": str(home / "ipython"),
        "JUPYTER_CONFIG_DIR": str(home / "config"),
        "JUPYTER_DATA_DIR": str(home / "data"),
        "JUPYTER_RUNTIME_DIR": str(home / "runtime"),
        "JUPYTERLAB_SETTINGS_DIR": str(home / "settings"),
        "JUPYTERLAB_WORKSPACES_DIR": str(home / "workspaces"),
    }
    environment.pop("PYTHONWARNINGS", None)
    log = (home / "server.log").open("w")
    process = subprocess.Popen(
        [
            sys.executable,
            "-m",
            "jupyterlab",
            "--no-browser",
            "--allow-root",
            "--ip=127.0.0.1",
            f"--port={port}",
            "--ServerApp.port_retries=0",
            "--IdentityProvider.token=",
            "--ServerApp.password=",
            f"--ServerApp.root_dir={root}",
            "--ServerApp.disable_check_xsrf=True",
            "--LabApp.expose_app_in_browser=True",
            "--JupyterNotebookApp.expose_app_in_browser=True",
            "--LabServerApp.extension_manager=readonly",
        ],
        env=environment,
        stdout=log,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )
    address = f"http://127.0.0.1:{port}"
    try:
        wait_for(address, process, home / "server.log")
        yield address, root
    finally:
        os.killpg(process.pid, signal.SIGTERM)  # the kernels too
        process.wait(timeout=120)
        log.close()


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_for(address, process, log):
    for _ in range(300):
        if process.poll() is not None:
            raise RuntimeError("JupyterLab ended early:\n" + log.read_text())
        try:
            urllib.request.urlopen(address + "/api", timeout=1).close()
            return
        except OSError:
            time.sleep(0.2)
    raise RuntimeError("JupyterLab did not answer:\n" + log.read_text())


class Notebook:
    """A notebook open in JupyterLab, driven like a person would, but by cell number."""

    def __init__(self, page, errors, requests):
        self.page, self.errors, self.requests = page, errors, requests

    READY = """async () => {
        const panel = window.jupyterapp?.shell.currentWidget;
        if (!panel?.context) return false;
        await panel.context.ready;
        await panel.sessionContext.ready;
        const kernel = panel.sessionContext.session?.kernel;
        if (!kernel) return false;
        await kernel.info;
        return kernel.connectionStatus === 'connected' && kernel.status === 'idle';
    }"""

    def wait_until_ready(self):
        for _ in range(600):
            if self.page.evaluate(self.READY):
                return self
            self.page.wait_for_timeout(100)
        raise TimeoutError("the kernel did not become ready")

    def wear(self, theme):
        """Change JupyterLab's theme: "Light" or "Dark". All notebooks of this server have it."""
        self.page.evaluate(
            """theme => window.jupyterapp.commands.execute(
                'apputils:change-theme', {theme: `JupyterLab ${theme}`})""",
            theme,
        )
        self.page.wait_for_function(
            "light => document.body.dataset.jpThemeLight === light",
            arg=str(theme == "Light").lower(),
        )

    def sources(self):
        return self.page.evaluate(
            """() => [...window.jupyterapp.shell.currentWidget.content.widgets]
                .map(cell => [cell.model.type, cell.model.sharedModel.getSource()])"""
        )

    def code_cells(self):
        return [i for i, (kind, _) in enumerate(self.sources()) if kind == "code"]

    def find(self, text):
        """The number of the code cell that contains this text."""
        matches = [i for i, (kind, s) in enumerate(self.sources()) if kind == "code" and text in s]
        assert matches, f"no cell contains {text!r}"
        return matches[0]

    def start(self, index):
        """Start to run a cell, without waiting for it."""
        self.page.evaluate(
            """index => {
                const app = window.jupyterapp;
                app.shell.currentWidget.content.activeCellIndex = index;
                window.mgRunning = app.commands.execute('notebook:run-cell');
            }""",
            index,
        )

    def wait(self):
        """Wait until the cell that was started has ended."""
        self.page.evaluate("() => window.mgRunning")

    def run(self, index):
        self.start(index)
        self.wait()

    def run_through(self, index):
        for cell in self.code_cells():
            if cell <= index:
                self.run(cell)

    def append(self, source):
        """A new code cell at the end; returns its number."""
        return self.page.evaluate(
            """source => {
                const notebook = window.jupyterapp.shell.currentWidget.content;
                notebook.model.sharedModel.addCell({cell_type: 'code', source});
                return notebook.widgets.length - 1;
            }""",
            source,
        )

    def output(self, index):
        cell = self.page.locator(".jp-Notebook .jp-Cell").nth(index)
        return cell.locator(".jp-Cell-outputArea").inner_text()

    def cell(self, index):
        return self.page.locator(".jp-Notebook .jp-Cell").nth(index)

    def restart_kernel(self):
        self.page.evaluate(
            "async () => window.jupyterapp.shell.currentWidget.sessionContext.restartKernel()"
        )
        self.wait_until_ready()


@pytest.fixture
def open_notebook(browser, server, request):
    """Open a notebook; afterwards, no console error and no request to the outside is left.

    ``place`` is "doc/tree" for JupyterLab and "notebooks" for Notebook 7: one server has both.
    """
    address, root = server
    opened = []

    def open_(name="growing.ipynb", *, dark=False, width=1280, place="doc/tree"):
        context = browser.new_context(
            viewport={"width": width, "height": 900},
            color_scheme="dark" if dark else "light",
            reduced_motion="reduce",
            device_scale_factor=2,
        )
        page = context.new_page()
        errors, requests = [], []
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on(
            "console",
            lambda message: errors.append(message.text) if message.type == "error" else None,
        )
        page.on("request", lambda sent: requests.append(sent.url))
        copy = root / f"{request.node.name}_{len(opened)}.ipynb"
        shutil.copy(root / name, copy)
        page.goto(f"{address}/{place}/{copy.name}")
        page.wait_for_selector(".jp-Notebook")
        notebook = Notebook(page, errors, requests)
        opened.append((context, notebook))
        notebook.wait_until_ready().wear("Dark" if dark else "Light")
        return notebook

    yield open_
    problems = []
    for context, notebook in opened:
        problems += [e for e in notebook.errors if not harmless(e)]
        problems += [
            f"request to the outside: {url}"
            for url in notebook.requests
            if not url.startswith((address, "data:", "blob:", "ws:"))
        ]
        context.close()
    assert not problems


def harmless(error):
    """What JupyterLab itself writes to the console on an ordinary day."""
    usual = "favicon", "/api/kernels", "Failed to load resource"
    # Notebook 7 starts with two complaints about parts of JupyterLab that it does not have.
    absent = "(reading 'schema')", "Command 'filebrowser:open-path' not registered"
    return any(words in error for words in (*usual, *absent))


@pytest.fixture
def screenshot():
    def take(target, name):
        SCREENSHOTS.mkdir(exist_ok=True)
        target.screenshot(path=str(SCREENSHOTS / f"{name}.png"))

    return take
