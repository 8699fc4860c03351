"""The README is right: its example gives the numbers it says, and its links lead somewhere."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def test_the_first_example_prints_what_it_says(capsys):
    readme = (ROOT / "README.md").read_text("utf-8")
    program = re.findall(r"```python\n(.*?)```", readme, re.S)[0]
    exec(program, {})
    assert capsys.readouterr().out.splitlines() == re.findall(r"print\(.*\)  # (.*)", program)


def test_the_training_runs_in_a_fresh_notebook_as_it_stands(capsys):
    readme = (ROOT / "README.md").read_text("utf-8")
    (program,) = re.findall(r"```python\n([^`]*with TrainingLoop[^`]*)```", readme)
    names = {}
    exec(program, names)
    assert capsys.readouterr().out == "1,350 steps done\n"
    assert names["loop"].losses[-1] < names["loop"].losses[0] / 10


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"])
def test_every_link_to_a_file_leads_to_one(page):
    targets = re.findall(r"\]\(([^)#:]+)\)", (ROOT / page).read_text("utf-8"))
    assert [target for target in targets if not (ROOT / target).exists()] == []
