"""What all tests share: no trace in the user's home, and who needs more than Python says so."""

from __future__ import annotations

import functools
import gc
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
import size

import lab


def pytest_addoption(parser):
    parser.addoption(
        "--twelve",
        action="store_true",
        help="hand twelve submissions in to nbgrader and Otter, and not only three",
    )


def pytest_configure(config):
    # The kernels that run the notebooks inherit these, so that neither their history nor their
    # caches end up in the user's home, and no setting from there changes a result.
    worker = os.environ.get("PYTEST_XDIST_WORKER", "alone")
    for variable in ("IPYTHONDIR", "JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "MPLCONFIGDIR"):
        os.environ[variable] = str(config.cache.mkdir(f"{variable.lower()}-{worker}"))
    # Who is told to end lets the tests' servers, kernels and browsers end first.
    signal.signal(signal.SIGTERM, signal.default_int_handler)


def pytest_collection():
    # The thousands of tests that are being made are no garbage, nor are they later.
    gc.disable()


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop():
    gc.freeze()
    gc.enable()


LONG = {
    "test_core",
    "test_build",
    "test_programs",
    "test_exercises",
    "test_notebooks",
    "test_play",
    "test_binder",
    "test_lab",
    "test_memory",
    "test_numpy_versions",
    "test_with_pytorch",
    "test_in_marimo",
    "test_style",
    "test_attempt",
    "03_control_flow_becomes_graph",
    "05_the_training_loop",
}
"""The files whose tests take longest together: where several processes share, they begin."""


def pytest_collection_modifyitems(config, items):
    if sys.gettrace() is not None:
        leave_out_untraced(config, items)
    # tests/browser keeps one browser from its first test to its last, and Playwright allows one at
    # a time: so those that open their own come before.
    items.sort(key=lambda item: ("browser" in item.path.parts, item.path.stem not in LONG))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    # Who runs the tests in one process, or in a browser, need not have xdist.
    from xdist.scheduler import LoadFileScheduling

    class Pieces(LoadFileScheduling):
        def _split_scope(self, nodeid):
            return piece_of(nodeid)

    return Pieces(config, log)


BY_LESSON = {"test_play", "test_all_notebooks"}
"""The files with so many tests of each lesson that several processes share them."""


def piece_of(nodeid):
    """What one process runs in one piece: a file's tests, or in some files those of a lesson.

    >>> piece_of("tests/core/test_kinks.py::test_relu[float32]")
    'tests/core/test_kinks.py'
    >>> piece_of("tests/notebooks/test_play.py::test_each_cell[02_backprop]")
    'tests/notebooks/test_play.py 02'
    """
    file, _, test = nodeid.partition("::")
    lesson = re.search(r"\[(\d\d)", test)
    return f"{file} {lesson[1]}" if Path(file).stem in BY_LESSON and lesson else file


def leave_out_untraced(config, items):
    """Under coverage or a debugger, what interrupts at any place could interrupt the tracer."""
    left_out = {item for item in items if item.get_closest_marker("untraced")}
    config.hook.pytest_deselected(items=left_out)
    items[:] = [item for item in items if item not in left_out]


def pytest_terminal_summary(terminalreporter):
    """Say which rooms have grown beyond their plan, where the house rules were tested too."""
    reports = terminalreporter.getreports("passed") + terminalreporter.getreports("failed")
    if any("test_style.py" in report.nodeid for report in reports):
        for notice in size.notices(size.nodes_by_room(), size.planned()):
            terminalreporter.write_line(f"notice: {notice}")


def pytest_runtest_setup(item):
    for marker, find, need in (
        ("node", lab.find_npm, "needs node and npm"),
        ("browser", lab.find_chromium, "needs Chromium"),
        ("index", find_numpys, "needs a package index that offers NumPy"),
    ):
        if item.get_closest_marker(marker) and find() is None:
            # `lab.py test --all` promises to leave nothing out.
            (pytest.fail if "MINIGRAD_TEST_ALL" in os.environ else pytest.skip)(need)


@functools.cache
def find_numpys():
    """The releases of NumPy that the package index has for this Python; None without an index."""
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--retries=1"]
    command = [*pip, "index", "versions", "numpy", "--only-binary=:all:", "--timeout=20"]
    answer = subprocess.run(command, capture_output=True, text=True).stdout
    found = re.search(r"Available versions: (.+)", answer)
    return found and found[1].split(", ")


@pytest.fixture(scope="session")
def numpys():
    """The releases of NumPy that the package index has for this Python."""
    return find_numpys()


@pytest.fixture(scope="session")
def chromium():
    """The path of a Chromium, for Playwright's `executable_path`."""
    return lab.find_chromium()


@pytest.fixture(scope="session")
def front_end():
    """The folder of the front end, with the packages that its build and its tests need."""
    folder = Path(lab.ROOT, "widgets")
    options = ["--ignore-scripts", "--no-audit", "--no-fund", "--no-package-lock"]
    with lab.alone():  # of several processes, one after the other
        subprocess.run([lab.find_npm(), "install", *options], cwd=folder, check=True)
    return folder
