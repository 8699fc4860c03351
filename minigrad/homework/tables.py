"""The grades as tables: as Moodle's and Canvas's grade books read them."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from .classroom import Submission

Graded = list[tuple[Submission, dict[str, Any]]]


def harmless(text: str) -> str:
    """A text that no spreadsheet takes for a formula.

    >>> harmless("=1+1"), harmless("Ada")
    ("'=1+1", 'Ada')
    """
    return f"'{text}" if text[:1] in ("=", "+", "-", "@", "\t", "\r") else text


def feedback(result: dict[str, Any]) -> str:
    """What is said of each question, one a line."""
    lines = [
        f"{one['name']}: {one['points']:g} of {one['possible']:g}. {one['message']}"
        for one in result["questions"]
    ]
    return "\n".join([*lines, result["remark"]]).strip()


def write_table(path: Path, rows: Iterable[list[str]]) -> None:
    with path.open("w", encoding="utf-8", errors="replace", newline="") as file:
        csv.writer(file).writerows([harmless(cell) for cell in row] for row in rows)


def write_moodle(path: Path, graded: Graded) -> None:
    """Moodle's grading worksheet. It knows a submission by its participant's number."""
    rows = [["Identifier", "Full name", "Grade", "Maximum grade", "Feedback comments"]]
    for submission, result in graded:
        identifier = f"Participant {submission.number}" if submission.number else ""
        points = f"{result['points']:g}", f"{result['possible']:g}"
        rows.append([identifier, submission.student, *points, feedback(result)])
    write_table(path, rows)


def write_canvas(path: Path, graded: Graded, title: str) -> None:
    """Canvas's grade book: one column for the assignment, with its points in the second row."""
    rows = [["Student", "ID", "SIS User ID", "SIS Login ID", "Section", title]]
    if graded:
        rows.append(["    Points Possible", "", "", "", "", f"{graded[0][1]['possible']:g}"])
    for submission, result in graded:
        rows.append([submission.student, submission.number, "", "", "", f"{result['points']:g}"])
    write_table(path, rows)


def write_questions(path: Path, graded: Graded) -> None:
    """Every question of every student: points and message."""
    rows = [["Student", "Question", "Points", "Of", "Message", "Remark"]]
    for submission, result in graded:
        for one in result["questions"]:
            points = f"{one['points']:g}", f"{one['possible']:g}"
            rows.append(
                [submission.student, one["name"], *points, one["message"], result["remark"]]
            )
    write_table(path, rows)
