"""The walk-through for teachers: each command is run as printed, and prints what stands there."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from minigrad.homework.__main__ import main

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "docs" / "teaching.md").read_text("utf-8")
CONSOLE = re.findall(r"^```console\n(.*?)^```", TEXT, re.DOTALL | re.MULTILINE)
PYTHON = re.findall(r"^```python\n(.*?)^```", TEXT, re.DOTALL | re.MULTILINE)


def steps():
    """The commands of the page, each with what it prints."""
    for block in CONSOLE:
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, printed = part.partition("\n")
            yield command, printed


@pytest.mark.processes
@pytest.mark.skipif(os.name == "nt", reason="the commands are those of a POSIX shell")
def test_every_command_of_the_walk_through_prints_what_the_page_says(tmp_path):
    shutil.copytree(ROOT / "homework", tmp_path / "homework")
    path = os.pathsep.join([os.path.dirname(sys.executable), os.environ["PATH"]])
    environment = {**os.environ, "PATH": path, "PYTHONPATH": str(ROOT)}
    ran = 0
    for command, printed in steps():
        done = subprocess.run(
            command,
            shell=True,
            cwd=tmp_path,
            env=environment,
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        assert (command, done.stdout.replace("\r", "")) == (command, printed)
        ran += 1
    assert ran == 7


def test_the_assignment_of_ones_own_builds(tmp_path):
    solution, check, exercises = PYTHON[-3:]
    room = tmp_path / "mine"
    room.mkdir()
    (room / "exercises.py").write_text(exercises, encoding="utf-8")
    cells = [("answer", solution, ["answer:double"]), ("check", check, [])]
    notebook = {
        "cells": [
            {"cell_type": "code", "id": name, "metadata": {"tags": tags}, "source": source}
            for name, source, tags in cells
        ],
        "metadata": {},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    (room / "mine.ipynb").write_text(json.dumps(notebook), encoding="utf-8")
    assert main(["build", str(room), "-o", str(tmp_path / "out")]) == 0


def test_a_class_shares_its_predictions_as_the_page_says(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    share, collect = PYTHON[:-3]
    names = {}
    exec(share, names)
    Path("handed_in").mkdir()
    names["lesson"].poll("Whom do you believe?", ["the program"], mine="the program")
    Path("predictions.json").rename("handed_in/one.json")
    shown = collect.strip().rpartition("\n")
    exec(shown[0], names)
    assert "1 learners, 1 questions" in repr(eval(shown[2], names))
    names["lesson"].share_predictions(None)


def test_every_link_of_the_page_leads_to_a_file():
    links = re.findall(r"\]\((?!https:)([^)#]+)", TEXT)
    assert all((ROOT / "docs" / link).exists() for link in links)
