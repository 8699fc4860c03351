"""Gradescope: the scripts that its container runs, and the results as it reads them."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from .assignment import Assignment
from .grading import grade, none_at_all

PACKAGE = Path(__file__).resolve().parents[1]

SETUP = """#!/usr/bin/env bash
python3 -m pip install 'numpy>=2.0'
"""
RUN = """#!/usr/bin/env bash
cd /autograder/source
PYTHONPATH=. python3 -m minigrad.homework.gradescope NAME /autograder/submission \\
    /autograder/results/results.json
"""


def scripts(name: str) -> list[tuple[str, bytes]]:
    return [
        ("setup.sh", SETUP.encode()),
        ("run_autograder", RUN.replace("NAME", name).encode()),
    ]


def results(assignment: Assignment, submission: Path) -> dict[str, Any]:
    """The results of the one notebook in a folder, or the word that there is none."""
    notebooks = sorted(submission.rglob("*.ipynb"))
    if len(notebooks) == 1:
        graded = grade(assignment, notebooks[0])
    else:
        why = f"one notebook is wanted, and there are {len(notebooks)}."
        graded = none_at_all(assignment, "", why)
    return {
        "tests": [
            {
                "name": one.name,
                "score": one.points,
                "max_score": one.possible,
                "status": "passed" if one.state == "passed" else "failed",
                "output": one.message,
                "output_format": "text",
                "visibility": "visible",
            }
            for one in graded.questions
        ]
    }


def main(arguments: list[str]) -> None:
    folder, submission, target = arguments
    found = results(Assignment(folder), Path(submission))
    Path(target).write_text(json.dumps(found, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
