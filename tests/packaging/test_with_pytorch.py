"""Views and lessons on real PyTorch are tested where it can be had; nothing here depends on it.

Where this environment has PyTorch, these tests run with all others. Else they run here, with
PyTorch in a folder of its own that is deleted afterwards: it takes 900 MB and, where it need not
come from far, about a minute.
"""

from __future__ import annotations

import importlib.metadata
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
VIEWS = sorted(str(file.relative_to(ROOT)) for file in ROOT.glob("tests/widgets/test_torch_*.py"))
LESSONS = [f"tests/notebooks/claims/test_nb{number}.py" for number in (12, 14)]
TESTS = [*VIEWS, *LESSONS]

VERSION = "2.13.0"
SECONDS = 240  # for the installation; where it takes longer, the tests are skipped
# The index of Python's packages has for Linux only the one for graphics cards, with 3 GB of theirs.
EXACT = f"torch=={VERSION}{'' if sys.platform == 'darwin' else '+cpu'}"
PLACES = [[], ["--index-url", "https://download.pytorch.org/whl/cpu"]]

pytestmark = [pytest.mark.index, pytest.mark.processes]


def is_here():
    try:
        return importlib.metadata.version("torch").partition("+")[0] == VERSION
    except importlib.metadata.PackageNotFoundError:
        return False


def install(folder):
    """Install PyTorch into a folder, from where pip looks, else from PyTorch's own index."""
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--retries=1", "install"]
    options = ["--quiet", "--only-binary=:all:", "--target", folder]
    for place in PLACES:
        command = [*pip, *options, *place, EXACT]
        try:
            done = subprocess.run(command, timeout=SECONDS, capture_output=True, text=True)
        except subprocess.TimeoutExpired:
            pytest.skip(f"PyTorch {VERSION} could not be installed within {SECONDS} seconds")
        if done.returncode == 0:
            return
    last = done.stderr.strip().rpartition("\n")[2]
    pytest.skip(f"PyTorch {VERSION} cannot be had here ({last})")


@pytest.fixture
def pytorch(tmp_path):
    """A folder with PyTorch in it."""
    if is_here():
        pytest.skip(f"PyTorch {VERSION} is installed: its tests run with all others")
    folder = tmp_path / "pytorch"
    install(folder)
    yield folder
    shutil.rmtree(folder)


def test_the_views_on_pytorch_pass_their_tests(pytorch, tmp_path):
    places = os.pathsep.join(map(str, [pytorch, ROOT, ROOT / "widgets"]))
    command = [sys.executable, "-m", "pytest", "-q", "-o", f"cache_dir={tmp_path / 'cache'}"]
    options = {"cwd": ROOT, "env": {**os.environ, "PYTHONPATH": places}}
    done = subprocess.run([*command, *TESTS], capture_output=True, text=True, **options)
    assert done.returncode == 0, f"with PyTorch {VERSION}:\n{done.stdout}{done.stderr}"
    assert "passed" in done.stdout and "skipped" not in done.stdout
