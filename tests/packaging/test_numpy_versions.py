"""What pyproject.toml promises: the core works with every NumPy that it allows.

All other tests run with the NumPy of this environment, the newest when constraints.txt was made.
Here the core's tests run with the oldest one that is allowed, and with the newest if there is a
newer one by now, each in a folder of its own that stands before the environment's packages.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import numpy as np
import pytest
from packaging.requirements import Requirement
from packaging.version import Version

ROOT = Path(__file__).resolve().parents[2]

pytestmark = pytest.mark.index


def allowed(numpys):
    """The releases that pyproject.toml allows, oldest first."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    (numpy,) = map(Requirement, project["dependencies"])
    return sorted(numpy.specifier.filter(numpys), key=Version)


@pytest.fixture(scope="module", params=["oldest", "newest"])
def python(request, numpys, tmp_path_factory):
    """Run Python in the checkout with this NumPy; None where all other tests have it already."""
    version = allowed(numpys)[0 if request.param == "oldest" else -1]
    if version == np.__version__:
        return None
    folder = tmp_path_factory.mktemp("numpy")
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "install", "--quiet"]
    options = ["--no-deps", "--only-binary=:all:", "--target", folder]
    subprocess.run([*pip, *options, f"numpy=={version}"], check=True)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(folder), str(ROOT)])}

    def run(*arguments):
        command = [sys.executable, *arguments]
        done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
        assert done.returncode == 0, f"with NumPy {version}:\n{done.stdout}{done.stderr}"
        return done.stdout.strip()

    assert run("-c", "import numpy; print(numpy.__version__)") == version
    return run


def test_the_core_is_imported_without_a_warning(python):
    if python is not None:
        python("-W", "error", "-c", "import minigrad")


def test_the_core_passes_its_tests(python, tmp_path):
    if python is not None:
        python("-m", "pytest", "-q", "tests/core", "-o", f"cache_dir={tmp_path}")
