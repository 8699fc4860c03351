"""What people get from the wheel and the sdist.

A green run in a checkout proves little: an editable install finds every file of the repository.
So the wheel is built, installed somewhere else, and used from there by a Python that knows
nothing of the checkout.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tarfile
from importlib.metadata import PathDistribution
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
STATIC = ROOT / "widgets" / "minigrad_widgets" / "static"


def run(*command, cwd):
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def build(kind, folder):
    """The one file that `python -m build` makes of the checkout."""
    run(sys.executable, "-m", "build", kind, "--no-isolation", "--outdir", folder, cwd=ROOT)
    (built,) = folder.iterdir()
    return built


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """A folder with the installed wheel and nothing else."""
    wheel = build("--wheel", tmp_path_factory.mktemp("wheel"))
    site = tmp_path_factory.mktemp("site")
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check"]
    run(*pip, "install", "--no-deps", "--no-index", "--target", site, wheel, cwd=site)
    return site


@pytest.fixture
def python(site, tmp_path):
    """Run a program with the installed wheel, far away from the checkout; return what it prints."""

    def run_program(program):
        start = f"import sys; sys.path.insert(0, {str(site)!r})\n"
        return run(sys.executable, "-I", "-c", start + program, cwd=tmp_path).strip()

    return run_program


def test_the_wheel_holds_the_two_packages_and_a_setting_of_jupyterlab_and_nothing_else(site):
    names = {path.name for path in site.iterdir() if path.name != "bin"}
    assert {name for name in names if not name.endswith(".dist-info")} == {
        "minigrad",
        "minigrad_widgets",
        "share",
    }
    shared = [path for path in (site / "share").rglob("*") if path.is_file()]
    (setting,) = shared
    assert setting.relative_to(site / "share/jupyter/lab/settings/overrides.d")
    assert json.loads(setting.read_text("utf-8")) == {
        "@jupyter-widgets/jupyterlab-manager:plugin": {"saveState": True}
    }


def test_the_installed_core_computes_a_gradient(python, site):
    where, gradients = python(
        "import minigrad\n"
        "a = minigrad.tensor(2.0, requires_grad=True)\n"
        "b = minigrad.tensor(6.0, requires_grad=True)\n"
        "(a * b).backward()\n"
        "print(minigrad.__file__)\n"
        "print(a.grad.item(), b.grad.item())"
    ).splitlines()
    assert Path(where).is_relative_to(site)
    assert gradients == "6.0 2.0"


def test_the_installed_widgets_can_be_imported(python, site):
    where = python("import minigrad_widgets; print(minigrad_widgets.__file__)")
    assert Path(where).is_relative_to(site)


def test_the_front_end_travels_in_the_wheel(python):
    sizes = python(
        "import importlib.resources\n"
        "for file in importlib.resources.files('minigrad_widgets').joinpath('static').iterdir():\n"
        "    print(file.name, len(file.read_bytes()))"
    )
    assert dict(line.split() for line in sizes.splitlines()) == {
        file.name: str(file.stat().st_size) for file in STATIC.iterdir()
    }
    assert any(file.suffix == ".js" for file in STATIC.iterdir())


def test_the_data_sets_travel_in_the_wheel(python, site):
    sizes = python(
        "from minigrad import datasets\n"
        "for data in (datasets.digits(), datasets.names(), datasets.penguins()):\n"
        "    print(len(data.x) + len(data.x_test))"
    )
    assert sizes.split() == ["1797", "6000", "342"]
    assert (site / "minigrad" / "datasets" / "SOURCES.md").exists()


def test_both_packages_say_that_they_are_typed(site):
    assert (site / "minigrad" / "py.typed").exists()
    assert (site / "minigrad_widgets" / "py.typed").exists()


def test_the_bare_install_needs_numpy_alone(site):
    (info,) = site.glob("*.dist-info")
    requirements = PathDistribution(info).requires
    assert [line for line in requirements if "extra ==" not in line] == ["numpy>=2.0"]


def test_the_version_is_the_one_that_minigrad_names(python, site):
    (info,) = site.glob("*.dist-info")
    assert python("import minigrad; print(minigrad.__version__)") == PathDistribution(info).version


def test_the_sdist_brings_tests_and_notebooks_but_no_node_modules(tmp_path):
    with tarfile.open(build("--sdist", tmp_path)) as sdist:
        names = [name.partition("/")[2] for name in sdist.getnames()]
    assert {"lab.py", "constraints.txt", "tests/conftest.py", "tests/packaging/test_wheel.py"} <= {
        *names
    }
    assert any(name.startswith("notebooks/") and name.endswith(".ipynb") for name in names)
    assert any(name.startswith("widgets/src/") for name in names)
    assert "examples/spring.py" in names
    assert not [name for name in names if "node_modules" in name or "__pycache__" in name]
    assert not [name for name in names if name.startswith((".ci/", ".github/"))]
