"""The project's address is set in one place, and README's badges are made from it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

import lab
from website import __main__ as website
from website import versions

WORKFLOW = Path(lab.ROOT, ".github", "workflows", "site.yml")
in_a_checkout = pytest.mark.skipif(not WORKFLOW.exists(), reason="an sdist comes without it")
README = Path(lab.ROOT, "README.md").read_text(encoding="utf-8")


def test_a_repositorys_pages_are_where_its_host_puts_them():
    assert versions.page_of("Ada/minigrad") == "https://ada.github.io/minigrad/"


def test_the_readme_opens_the_site_and_binder_of_this_repository():
    site = versions.page_of(versions.REPOSITORY)
    assert f"]({site}live/lab/index.html?path=00_start_here.ipynb)" in README.split("\n## ")[0]
    assert f"https://mybinder.org/v2/gh/{versions.REPOSITORY}/HEAD?" in README


def test_a_release_that_is_not_known_is_refused_with_a_sentence():
    environment = {**os.environ, versions.CHOICE: "9.9"}
    command = [sys.executable, "-m", "website"]
    done = subprocess.run(command, env=environment, cwd=lab.ROOT, capture_output=True, text=True)
    assert done.returncode == 1
    assert done.stderr.strip() == f"{versions.CHOICE} is '9.9', and can be 0.6.4 or 0.8.6."


@in_a_checkout
def test_the_workflow_publishes_what_the_command_builds(monkeypatch):
    steps = yaml.safe_load(WORKFLOW.read_text("utf-8"))["jobs"]["publish"]["steps"]
    ((command, environment),) = [(step["run"], step["env"]) for step in steps if "run" in step]
    (uploaded,) = [step["with"]["path"] for step in steps if "path" in step.get("with", {})]
    built = []
    monkeypatch.setattr(website, "build", lambda out, kept: built.append(out))
    monkeypatch.setattr(website.sizes, "table", lambda out: "")
    assert environment[versions.CHOICE] in versions.RELEASES
    assert command.split()[:3] == ["python", "lab.py", "site"]
    assert website.main(command.split()[3:]) == 0
    assert built == [Path(lab.ROOT, uploaded)]
