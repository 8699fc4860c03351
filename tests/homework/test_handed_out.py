"""What ``build`` makes: no answer is in it, its checks work, and an archive is always the same."""

from __future__ import annotations

import json
import subprocess
import sys
import zipfile

import pytest
import small_assignment as small

from minigrad.homework import gradescope
from minigrad.homework.__main__ import main
from minigrad.homework.assignment import Assignment, loaded
from minigrad.homework.building import files_for_students, without_regions
from minigrad.homework.notebooks import NotebookError
from minigrad.lesson import check, judge

pytestmark = [pytest.mark.processes]


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    folder = tmp_path_factory.mktemp("built")
    small.make_assignment(folder)
    assert main(["build", str(folder / "small"), "--for", "gradescope", "-o", str(folder)]) == 0
    with zipfile.ZipFile(folder / "small.zip") as archive:
        archive.extractall(folder / "student")
    return folder


def test_no_solution_right_answer_or_hidden_case_is_handed_out(built):
    files = [path for path in (built / "student").rglob("*") if path.is_file()]
    text = "\n".join(path.read_text(encoding="utf-8") for path in files)
    assert {path.name for path in files} == {"small.ipynb", "exercises.py", "records.json"}
    for told in ("SOLUTION", "self.back", "slope = 15", "x * 2", "15.0", "hidden", "3.5"):
        assert told not in text


def test_the_checks_of_the_students_version_say_what_they_said(built):
    open_checks = loaded(built / "student" / "small" / "exercises.py")
    double, _, number = open_checks.EXERCISES
    assert check(double, lambda x: x * 2).passed
    assert check(double, lambda x: x * x).message == "that squares."
    assert check(double, lambda x: x * 3).message.endswith("the result is 6: too large.")
    assert check(number, 15).passed and check(number, 15.0000001).passed
    assert check(number, 8).message == "one path only."
    assert check(number, 16).message == "it is 16, which is not right."
    assert (double.points, double.hidden) == (4, None)
    assert judge(double, lambda x: x + x).points == 4


def test_the_handed_out_notebook_has_stubs_and_cells_that_stay(built):
    notebook = json.loads((built / "student" / "small" / "small.ipynb").read_text("utf-8"))
    answers = [one for one in notebook["cells"] if one["id"].startswith("answer-")]
    assert [one["source"] for one in answers] == [
        f"# Your answer goes here.\n{name} = ..." for name in ("double", "Value", "slope")
    ]
    assert all(one["metadata"]["deletable"] is False for one in notebook["cells"])


def test_the_same_assignment_makes_the_same_bytes(built, tmp_path):
    assert main(["build", str(built / "small"), "-o", str(tmp_path)]) == 0
    for name in ("small.zip", "small-grader.zip", "small-notes.md"):
        assert (tmp_path / name).read_bytes() == (built / name).read_bytes()


def test_the_notes_have_points_mistakes_and_solutions(built):
    notes = (built / "small-notes.md").read_text("utf-8")
    for told in ("3 questions, 12 points", "- that squares.", "x * 2", "with hidden cases"):
        assert told in notes


def test_answers_that_could_be_read_are_refused(tmp_path, capsys):
    room = small.make_assignment(tmp_path)
    text = (room / "exercises.py").read_text("utf-8")
    text = text.replace("EXERCISES = [", "made = lesson.Exercise\nEXERCISES = [", 1)
    text = text.replace('    lesson.Exercise(\n        "double"', '    made(\n        "double"')
    (room / "exercises.py").write_text(text, encoding="utf-8")
    assert main(["build", str(room), "-o", str(tmp_path / "out")]) == 1
    assert "students could read the answer of double" in capsys.readouterr().err


def test_regions_are_cut_and_what_is_around_them_stays():
    source = "a = 1\nif a:\n    ### BEGIN SOLUTION\n    b = 2\n    ### END SOLUTION\nc = 3"
    assert without_regions(source, "pass") == "a = 1\nif a:\n    pass\nc = 3"


def test_gradescopes_archive_grades_and_writes_its_results(built, tmp_path):
    source = tmp_path / "source"
    with zipfile.ZipFile(built / "small-gradescope.zip") as archive:
        archive.extractall(source)
    assert {"setup.sh", "run_autograder"} <= {path.name for path in source.iterdir()}
    submission = tmp_path / "submission"
    submission.mkdir()
    small.write(submission / "mine.ipynb", small.cells_of({**small.RIGHT, "number": "slope = 8"}))
    target = tmp_path / "results.json"
    command = [sys.executable, "-m", "minigrad.homework.gradescope", "small"]
    environment = {"PYTHONPATH": str(source), "PATH": "/usr/bin:/bin"}
    subprocess.run(
        [*command, str(submission), str(target)], cwd=source, check=True, env=environment
    )
    tests = {one["name"]: one for one in json.loads(target.read_text("utf-8"))["tests"]}
    assert [tests[name]["score"] for name in small.RIGHT] == [4, 6, 0]
    assert tests["number"]["output"] == "one path only."


def test_no_notebook_or_two_of_them_say_so(built, tmp_path):
    found = gradescope.results(Assignment(built / "small"), tmp_path)
    assert {one["score"] for one in found["tests"]} == {0}
    assert found["tests"][0]["output"] == "one notebook is wanted, and there are 0."


def test_numbers_of_ones_own_need_a_judge(tmp_path):
    room = small.make_assignment(tmp_path, imports="def exercises(student): return EXERCISES")
    with pytest.raises(NotebookError, match="needs a judge for double"):
        list(files_for_students(Assignment(room)))
