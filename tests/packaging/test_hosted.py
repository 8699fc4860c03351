"""What a host and git are told to run is there, and has the versions of pyproject.toml."""

from __future__ import annotations

import re
import shlex
import sys
import tomllib
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement

import lab

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
WORKFLOW = ROOT / ".github" / "workflows" / "tests.yml"
HOOKS = ROOT / ".pre-commit-config.yaml"

in_a_checkout = pytest.mark.skipif(not WORKFLOW.exists(), reason="an sdist comes without it")


def jobs():
    return yaml.safe_load(WORKFLOW.read_text("utf-8"))["jobs"]


def supported_pythons():
    """Those of the classifiers, oldest first."""
    pattern = r"Programming Language :: Python :: (3\.\d+)"
    found = [re.fullmatch(pattern, line) for line in PROJECT["classifiers"]]
    return sorted((match[1] for match in found if match), key=lambda text: int(text[2:]))


def matrix():
    return jobs()["quick"]["strategy"]["matrix"]


def steps(job, key):
    return [step[key] for step in jobs()[job]["steps"] if key in step]


# --- The hosted tests ----------------------------------------------------------------------------


@in_a_checkout
def test_the_quick_tests_run_with_the_oldest_and_the_newest_python():
    oldest, *_, newest = supported_pythons()
    assert PROJECT["requires-python"] == f">={oldest}"
    assert [versions["python"] for versions in matrix()["versions"]] == [oldest, newest]
    pythons = [
        given["python-version"]
        for given in steps("everything", "with")
        if "python-version" in given
    ]
    assert pythons == [newest]


@in_a_checkout
def test_the_oldest_python_has_the_oldest_numpy_and_the_newest_any():
    (numpy,) = map(Requirement, PROJECT["dependencies"])
    (lowest,) = (part.version for part in numpy.specifier if part.operator == ">=")
    assert [versions["numpy"] for versions in matrix()["versions"]] == [
        f"=={lowest}.*",
        str(numpy.specifier),
    ]


@in_a_checkout
def test_the_quick_tests_run_on_the_three_systems():
    assert [name.partition("-")[0] for name in matrix()["os"]] == ["ubuntu", "macos", "windows"]


@in_a_checkout
@pytest.mark.parametrize("job", ["quick", "everything"])
def test_each_command_of_lab_is_one_that_it_knows(job, monkeypatch):
    calls = []
    monkeypatch.setattr(lab, "ensure_environment", lambda extra: sys.executable)
    monkeypatch.setattr(lab, "find_npm", lambda: "npm")
    monkeypatch.setattr(lab, "find_chromium", lambda: "chromium")
    monkeypatch.setattr(lab, "run", lambda command, **_: calls.append(command) or 0)
    commands = [shlex.split(line) for line in steps(job, "run") if "lab.py" in line]
    assert ["python", "lab.py", "test"] in [command[:3] for command in commands]
    for command in commands:
        python, file, *arguments = command
        assert (python, file) == ("python", "lab.py")
        assert lab.main(arguments) == 0
    assert len(calls) >= len(commands)


# --- The hooks of git ----------------------------------------------------------------------------


def test_the_hooks_are_the_projects_own_tools_and_fetch_nothing():
    (source,) = yaml.safe_load(HOOKS.read_text("utf-8"))["repos"]
    assert source["repo"] == "local"
    assert {hook["language"] for hook in source["hooks"]} == {"system"}
    assert [hook["entry"] for hook in source["hooks"]] == [
        "python -m ruff check .",
        "python -m ruff format --check .",
        "python -m mypy",
    ]


def test_the_hooks_are_what_the_house_rules_run():
    """A commit that passes them passes the tests of style as well."""
    rules = (ROOT / "tests" / "test_style.py").read_text("utf-8")
    (source,) = yaml.safe_load(HOOKS.read_text("utf-8"))["repos"]
    for hook in source["hooks"]:
        words = hook["entry"].removeprefix("python -m ").split()
        arguments = ", ".join(f'"{word}"' for word in words)
        assert f"check({arguments})" in rules
