"""JupyterLite with the lessons: Python runs in the reader's browser, from the site's own files.

What a lesson imports is among Pyodide's packages (``lock``), so the notebooks are as they are on
disk. Nothing is asked of any other server while they run.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import lab

from . import copies, lock, slim, versions
from .downloads import fetch, installed, needed, packages_of, pure_wheels, pyodide

ROOT = Path(__file__).resolve().parents[1]

BUILD: dict[str, Any] = {
    "contents": ["files"],
    "apps": ["lab", "notebooks", "tree"],
    "output_dir": "output",
    "no_sourcemaps": True,
    "no_unused_shared_packages": True,
    "ignore_sys_prefix": ["federated_extensions"],
}

LABEXTENSIONS = "share/jupyter/labextensions"

EXTENSIONS = ["anywidget", "@jupyter-widgets/jupyterlab-manager"]
"""Of JupyterLab here, those that the site gets: what draws views. Others may be installed."""

APP: dict[str, Any] = {"appName": "minigrad", "exposeAppInBrowser": True}
"""Of JupyterLite's own page. The tests, and whoever writes a script, reach it as `jupyterapp`."""

SETTINGS: dict[str, Any] = {
    **lab.SETTINGS,
    # A cell that is out of sight is there all the same: links lead into it, and so does Ctrl-F.
    "@jupyterlab/notebook-extension:tracker": {"windowingMode": "none"},
    # Seconds. The work is saved in the same browser, so that costs next to nothing.
    "@jupyterlab/docmanager-extension:plugin": {"autosaveInterval": 5},
}


def build(out: Path, kept: Path) -> None:
    """Put the live lessons into the folder ``out``; ``kept`` is for downloads.

    Raises downloads.Missing if something cannot be had.
    """
    work = kept / "lite"
    shutil.rmtree(work, ignore_errors=True)  # the builder is wrong about what has changed
    python = work / "static" / "pyodide"
    python.mkdir(parents=True)
    put_python(python, pyodide(kept))
    slim.slim(python)
    own = project_wheel(work / "wheel")
    pins = ["-c", str(ROOT / "constraints.txt"), "--no-deps"]
    wheels = pure_wheels(kept / "widgets", *pins, *versions.WIDGETS, *versions.WIDGETS_NEED)
    lock.add(python, [own, *wheels], loaded={"widgets"})
    (work / "pypi").mkdir()
    for wheel in wheels:
        shutil.copy(wheel, work / "pypi")
    put_lessons(work / "files")
    lessons = copies.record(work / "files")
    write(
        work / "jupyter-lite.json", {"jupyter-lite-schema-version": 0, "jupyter-config-data": APP}
    )
    builder = installed(kept / "builder", *versions.BUILDER)
    for name in EXTENSIONS:
        shutil.copytree(Path(sys.prefix, LABEXTENSIONS, name), work / "extensions" / name)
    folders = [builder / LABEXTENSIONS, work / "extensions", copies.EXTENSIONS]
    extensions = {"extra_labextensions_path": list(map(str, folders))}
    config = {"LiteBuildConfig": BUILD, "FederatedExtensionAddon": extensions}
    write(work / "jupyter_lite_config.json", config)
    write(work / "overrides.json", SETTINGS)
    run_builder(builder, work)
    shutil.rmtree(out, ignore_errors=True)
    shutil.move(work / "output", out)
    write(out / "lessons.json", lessons)
    shutil.rmtree(work)


def put_python(folder: Path, source: Path) -> None:
    """Pyodide's own files, and those of its packages that the lessons load."""
    unused = set().union(*slim.UNUSED.values(), slim.ABSENT)
    for package in needed(packages_of(source), versions.LOADED):
        if package["name"] not in unused:
            shutil.copy(fetch(source, package), folder)
    for file in source.iterdir():
        if file.name.startswith(("pyodide", "python_stdlib")) and file.suffix != ".map":
            shutil.copy(file, folder)


def project_wheel(folder: Path) -> Path:
    """minigrad and its views as the wheel that would be published."""
    options = ["--no-deps", "--no-build-isolation", "--quiet", "--disable-pip-version-check"]
    run([sys.executable, "-m", "pip", "wheel", *options, "--wheel-dir", folder, ROOT])
    (wheel,) = folder.iterdir()
    return wheel


def put_lessons(folder: Path) -> None:
    folder.mkdir()
    for pattern in ("*.ipynb", "*.md", "*.svg"):
        for file in sorted(lab.NOTEBOOKS.glob(pattern)):
            shutil.copy(file, folder)
    unwanted = shutil.ignore_patterns("__pycache__")
    shutil.copytree(lab.NOTEBOOKS / "exercises", folder / "exercises", ignore=unwanted)


def write(file: Path, content: Mapping[str, Any]) -> None:
    file.write_text(json.dumps(content, indent=1), encoding="utf-8")


def run_builder(builder: Path, folder: Path) -> None:
    program = [sys.executable, "-m", "jupyterlite_core.app", "build", "--lite-dir", "."]
    run(program, folder, {**os.environ, "PYTHONPATH": str(builder)})


def run(command: list[Any], folder: Path = ROOT, environment: Any = None) -> None:
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"{done.stdout[-4000:]}{done.stderr[-4000:]}")
