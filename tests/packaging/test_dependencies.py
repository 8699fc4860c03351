"""What an import may load: the core NumPy alone, the widgets what their extra brings."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def run_program(program):
    start = f"import sys; sys.path[:0] = [{str(ROOT)!r}, {str(ROOT / 'widgets')!r}]\n"
    command = [sys.executable, "-I", "-c", start + program]
    return subprocess.run(command, capture_output=True, text=True)


def modules_loaded_by(name):
    done = run_program(f"import {name}; print(*{{m.partition('.')[0] for m in sys.modules}})")
    assert done.returncode == 0, done.stderr
    return set(done.stdout.split()) - set(sys.stdlib_module_names)


def test_the_core_loads_no_package_but_numpy():
    assert modules_loaded_by("minigrad") - modules_loaded_by("numpy") == {"minigrad"}


def test_widgets_without_their_dependencies_name_the_extra_that_brings_them():
    for missing in ("ipywidgets", "anywidget"):
        done = run_program(f"sys.modules[{missing!r}] = None\nimport minigrad_widgets")
        last_line = done.stderr.strip().splitlines()[-1]
        assert last_line == (
            "ImportError: minigrad_widgets needs ipywidgets and anywidget: "
            "pip install 'minigrad-lab[widgets]'"
        )
