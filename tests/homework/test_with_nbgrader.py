"""HW1 through a real nbgrader: handed out, handed in, graded, and told."""

from __future__ import annotations

import copy
import csv
import html
import json
import shutil

import pytest
from other_tools import HW1, POINTS, RIGHT, TELLS, answer_of, installed, read

from minigrad.homework import with_nbgrader
from minigrad.homework.__main__ import main
from minigrad.homework.assignment import Assignment
from minigrad.homework.grading import Question
from minigrad.homework.notebooks import NotebookError

VERSION = "0.9.6"

pytestmark = pytest.mark.processes


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    out = tmp_path_factory.mktemp("handed_out")
    assert main(["build", str(HW1), "--for", "nbgrader", "-o", str(out)]) == 0
    return out / "hw1-nbgrader"


def test_what_nbgrader_hands_out_holds_no_answer_and_each_check_has_its_points(course):
    for path in (course / "source").rglob("*.*"):
        text = path.read_text(encoding="utf-8")
        assert "BEGIN SOLUTION" not in text and "SEED_OF_HIDDEN =" not in text
    cells = read(course / "source" / "hw1" / "hw1.ipynb")["cells"]
    known = [cell["metadata"]["nbgrader"] for cell in cells if "nbgrader" in cell["metadata"]]
    assert [one["grade_id"] for one in known if one["grade"]] == list(RIGHT)
    assert sum(one.get("points", 0) for one in known) == 100
    assert [one["grade_id"] for one in known if one["solution"]] == [f"answer-{n}" for n in RIGHT]


@pytest.mark.parametrize(
    ("points", "streams", "number"), [(4, "stdout", None), (0, "stderr", None), (1, "stdout", "1")]
)
def test_a_verdict_is_written_as_nbgrader_reads_points(points, streams, number):
    question = Question("double", points, 4, "", "a message")
    stream, *more = with_nbgrader.outputs_of(question, dict)
    assert (stream["name"], stream["text"]) == (streams, "a message\n")
    assert [one["data"]["text/plain"] for one in more] == ([number] if number else [])


def test_an_answer_without_a_check_behind_it_is_refused(tmp_path):
    room = shutil.copytree(HW1, tmp_path / "hw1")
    notebook = read(room / "hw1.ipynb")
    notebook["cells"] = [cell for cell in notebook["cells"] if cell["id"] != "check-order"]
    (room / "hw1.ipynb").write_text(json.dumps(notebook), encoding="utf-8")
    with pytest.raises(NotebookError, match="none with an id behind order"):
        list(with_nbgrader.course(Assignment(room)))


# ------------------------------------------------------------------------------ the round trip


@pytest.fixture(scope="module")
def nbgrader(tmp_path_factory, course):
    """A function that runs nbgrader's commands in the course."""
    with installed(f"nbgrader=={VERSION}", tmp_path_factory.mktemp("nbgrader")) as run:
        yield lambda *arguments: run(course, "nbgrader", *arguments)


def hand_in(course, student, answers, changes=lambda notebook: None):
    notebook = copy.deepcopy(read(course / "release" / "hw1" / "hw1.ipynb"))
    for cell in notebook["cells"]:
        cell["source"] = answers.get(answer_of(cell), cell["source"])
    changes(notebook)
    folder = course / "submitted" / student / "hw1"
    folder.mkdir(parents=True)
    (folder / "hw1.ipynb").write_text(json.dumps(notebook), encoding="utf-8")


def believes_its_own_checks(notebook):
    """Each check prints that all is well, and wants a thousand points for it."""
    for cell in notebook["cells"]:
        if cell["metadata"].get("nbgrader", {}).get("grade"):
            cell["source"] = "1000.0"
            cell["metadata"]["nbgrader"]["points"] = 1000.0


@pytest.mark.index
def test_nbgrader_has_the_points_and_messages_of_this_grader(nbgrader, course, submissions):
    nbgrader("generate_assignment", "hw1")
    for student, answers in submissions.items():
        hand_in(course, student, answers)
    hand_in(course, "tampered", {}, believes_its_own_checks)
    nbgrader("autograde", "hw1")
    nbgrader("export")
    with (course / "grades.csv").open(encoding="utf-8") as table:
        points = {row["student_id"]: float(row["score"]) for row in csv.DictReader(table)}
    assert points == {**{name: POINTS[name] for name in submissions}, "tampered": 0}
    nbgrader("generate_feedback", "hw1")
    for student in submissions:
        path = course / "feedback" / student / "hw1" / "hw1.html"
        page = html.unescape(path.read_text(encoding="utf-8"))
        assert TELLS.get(student, "") in page
