"""The core passes its tests in WebAssembly: Python and NumPy as a browser has them.

In Pyodide a pointer has 32 bits, and there are no threads and no processes. Tests that need what
is not there say so by a marker, and are left out for that reason alone.
"""

from __future__ import annotations

import hashlib
import subprocess
from pathlib import Path

import pytest

from website import downloads, versions
from website.__main__ import KEPT

pytestmark = [pytest.mark.node, pytest.mark.index]

ROOT = Path(__file__).resolve().parents[2]

TOOLS = ["pytest==8.4.2", "hypothesis==6.149.1"]
"""The newest that need nothing compiled."""


@pytest.fixture(scope="module")
def wheels():
    """A folder with pytest's wheels, and those of the other packages that the tests import."""
    downloads.pure_wheels(KEPT / "testing", *TOOLS)
    return KEPT / "testing"


@pytest.fixture(scope="module")
def pyodide():
    """A folder with Pyodide and its wheel of NumPy, whose hash is the one that Pyodide tells."""
    folder = downloads.pyodide(KEPT)
    try:
        downloads.fetch(folder, downloads.packages_of(folder)["numpy"])
    except downloads.Missing as missing:
        pytest.skip(str(missing))
    return folder


def test_the_core_passes_its_tests_in_webassembly(pyodide, wheels):
    driver = Path(__file__).with_name("run_pytest.mjs")
    command = ["node", driver, pyodide, wheels, ROOT, "-q", "--tb=short", "tests/core"]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8")
    said = f"{done.stdout[-20_000:]}{done.stderr[-2_000:]}"  # a crash prints Pyodide's one line
    assert done.returncode == 0, f"in Pyodide {versions.PYODIDE}:\n{said}"
    assert " passed" in done.stdout


def test_a_wheel_that_is_not_the_one_that_pyodide_tells_is_not_taken(tmp_path, monkeypatch):
    there = tmp_path / "there"
    there.mkdir()
    (there / "numpy.whl").write_bytes(b"another")
    monkeypatch.setattr(downloads, "WHEELS", there.as_uri())
    monkeypatch.setattr(downloads, "pip_download", lambda *arguments: None)
    package = {"file_name": "numpy.whl", "sha256": hashlib.sha256(b"the one").hexdigest()}
    with pytest.raises(downloads.Missing, match=r"no numpy\.whl there, or not the one"):
        downloads.fetch(tmp_path, package)
    assert not (tmp_path / "numpy.whl").exists()
    (there / "numpy.whl").write_bytes(b"the one")
    downloads.fetch(tmp_path, package)
    assert (tmp_path / "numpy.whl").read_bytes() == b"the one"
