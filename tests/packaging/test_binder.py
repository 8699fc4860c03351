"""What Binder makes of `binder/`: the steps that repo2docker takes, without its container.

What this does not prove: the conda layer with Binder's own JupyterLab, and the hub.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BINDER = ROOT / "binder"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
BRINGS = {"jupyterlab", "ipykernel"}  # Binder's image, in versions of its own
PYTHON = re.fullmatch(r"python-(3\.\d+)\n", (BINDER / "runtime.txt").read_text("utf-8"))[1]


def names(requirements):
    return {re.match(r"[\w-]+", line)[0] for line in requirements}


def requirements():
    lines = (BINDER / "requirements.txt").read_text("utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def test_binder_installs_what_the_notebooks_need_beyond_its_own_jupyterlab():
    extras = PROJECT["optional-dependencies"]
    needed = names([*PROJECT["dependencies"], *extras["widgets"], *extras["notebooks"]])
    assert names(requirements()) == needed - BRINGS - {PROJECT["name"]}


def test_binder_installs_the_versions_that_are_tested():
    constraints = (ROOT / "constraints.txt").read_text("utf-8").splitlines()
    newest = f"python_full_version >= '{PYTHON}'"
    for line in requirements():
        assert {line, f"{line} ; {newest}"} & set(constraints), line


def test_only_third_party_packages_come_before_the_repository_so_that_the_layer_is_kept():
    assert not [line for line in requirements() if line.startswith((".", "-", PROJECT["name"]))]


def test_binder_has_a_python_that_the_project_supports():
    lowest = PROJECT["requires-python"].removeprefix(">=")
    assert tuple(map(int, PYTHON.split("."))) >= tuple(map(int, lowest.split(".")))
    assert f"Programming Language :: Python :: {PYTHON}" in PROJECT["classifiers"]


def test_nothing_else_in_the_repository_takes_binders_attention():
    assert {path.name for path in BINDER.iterdir()} == {
        "overrides.json",
        "postBuild",
        "requirements.txt",
        "runtime.txt",
    }
    assert not (ROOT / ".binder").exists()


def test_the_badge_opens_a_notebook_that_exists():
    readme = (ROOT / "README.md").read_text("utf-8")
    badge = r"\(https://mybinder\.org/v2/gh/[^)]*\?urlpath=lab/tree/([^)]+)\)"
    (target,) = re.findall(badge, readme)
    assert (ROOT / target).is_file()


def test_what_is_run_in_binder_is_saved_with_its_views_and_nobody_is_asked_anything():
    settings = json.loads((BINDER / "overrides.json").read_text("utf-8"))
    assert settings["@jupyter-widgets/jupyterlab-manager:plugin"] == {"saveState": True}
    assert settings["@jupyterlab/apputils-extension:notification"]["fetchNews"] == "false"


@pytest.mark.skipif(os.name == "nt", reason="Binder runs on Linux")
def test_post_build_leaves_both_packages_and_the_settings_in_the_environment(tmp_path):
    repository, prefix = tmp_path / "repository", tmp_path / "environment"
    left_out = shutil.ignore_patterns(".*", "node_modules", "__pycache__", "tests", "docs")
    shutil.copytree(ROOT, repository, ignore=left_out)
    assert os.access(repository / "binder" / "postBuild", os.X_OK)
    # The packages of requirements.txt are taken from the environment of the tests.
    venv = [sys.executable, "-m", "venv", "--system-site-packages", prefix]
    subprocess.run(venv, check=True, capture_output=True)
    site = next((prefix / "lib").glob("python*/site-packages"))
    (site / "tests.pth").write_text("\n".join(path for path in sys.path if "site-packages" in path))
    done = subprocess.run(
        ["./binder/postBuild"],
        cwd=repository,
        capture_output=True,
        text=True,
        env={
            "PATH": f"{prefix / 'bin'}:/usr/bin:/bin",
            "HOME": str(tmp_path),
            "NB_PYTHON_PREFIX": str(prefix),
            "PIP_DISABLE_PIP_VERSION_CHECK": "1",
            # pip gets hatchling from wherever this machine's index is.
            **{name: value for name, value in os.environ.items() if name.startswith("PIP_")},
        },
    )
    assert done.returncode == 0, done.stdout + done.stderr
    saved = prefix / "share/jupyter/lab/settings/overrides.json"
    assert json.loads(saved.read_text()) == json.loads((BINDER / "overrides.json").read_text())
    program = "import minigrad, minigrad_widgets as w; print(minigrad.__file__, w.__file__)"
    found = subprocess.run(
        [prefix / "bin/python", "-I", "-c", program], capture_output=True, text=True, check=True
    )
    assert found.stdout.count(str(repository)) == 2


def test_repo2docker_reads_the_files_as_meant():
    if shutil.which("repo2docker") is None:
        pytest.skip("needs repo2docker (`pip install jupyter-repo2docker`)")
    command = ["repo2docker", "--no-build", "--debug", str(ROOT)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    said = done.stdout + done.stderr
    assert f"python={PYTHON}" in said
    packages = said.index('pip install --no-cache-dir -r "binder/requirements.txt"')
    assert packages < said.index("RUN ./binder/postBuild")
