"""HW1 through a real Otter: assigned, handed in, graded."""

from __future__ import annotations

import copy
import json
import zipfile
from types import SimpleNamespace

import pytest
from other_tools import HW1, POINTS, RIGHT, TELLS, answer_of, installed, read

from minigrad.homework import with_otter
from minigrad.homework.__main__ import main
from minigrad.homework.notebooks import NotebookError

VERSION = "7.0.0"
HOMEWORK = HW1.parent

pytestmark = pytest.mark.processes


@pytest.fixture(scope="module")
def handed_out(tmp_path_factory):
    out = tmp_path_factory.mktemp("handed_out")
    for name in ("hw0", "hw1"):
        made = main(["build", str(HOMEWORK / name), "--for", "otter", "-o", str(out)])
        assert made == 0
    return out


def settings_of(folder, name):
    first = read(folder / f"{name}-otter" / f"{name}.ipynb")["cells"][0]
    mark, _, told = first["source"].partition("\n")
    assert mark == "# ASSIGNMENT CONFIG"
    return json.loads(told)


def test_the_plugin_that_is_named_is_there_and_the_files_too(handed_out):
    for name in ("hw0", "hw1"):
        settings = settings_of(handed_out, name)
        ((plugin, options),) = settings["generate"]["plugins"][0].items()
        assert plugin == "minigrad.homework.with_otter.Grader"
        folder = handed_out / f"{name}-otter"
        assert (folder / options["grader"]).exists()
        assert all((folder / one).exists() for one in settings["files"])


def test_otter_tries_the_solutions_where_they_need_no_name(handed_out):
    assert settings_of(handed_out, "hw1")["run_tests"] is True
    assert settings_of(handed_out, "hw0")["run_tests"] is False


def test_without_the_plugin_nobody_has_points(handed_out):
    all_sources = sources(read(handed_out / "hw1-otter" / "hw1.ipynb"))
    tests = [source for source in all_sources if source.startswith('""" # BEGIN TEST')]
    assert len(tests) == len(RIGHT)
    for test in tests:
        with pytest.raises(RuntimeError, match="it was not asked"):
            exec(test, {})


def test_two_kinds_of_triple_quotes_in_one_answer_cell_are_refused():
    with pytest.raises(NotebookError, match="one kind of triple quotes"):
        with_otter.with_solution('def f():\n    """Of \'\'\'."""', "x = 1")


def test_the_plugin_leaves_nothing_to_run_and_writes_each_verdict(handed_out):
    folder = handed_out / "hw1-otter"
    notebook = read(folder / "hw1.ipynb")  # with the solutions
    plugin = with_otter.Grader(str(folder / "hw1.ipynb"), {}, {"grader": "hw1-grader.zip"})
    assert plugin.before_execution(notebook)["cells"] == []
    files = {name: Results() for name in RIGHT}
    plugin.after_grading(SimpleNamespace(results=files))
    assert sum(file.score for file in files.values()) == 100
    assert all(case.passed for file in files.values() for case in file.test_case_results)


class Results:
    """What Otter has of a question."""

    def __init__(self):
        case = SimpleNamespace(success_message=None)
        self.test_case_results = [SimpleNamespace(passed=False, message="", test_case=case)]

    def update_score(self, points):
        self.score = points


# ------------------------------------------------------------------------------ the round trip


@pytest.fixture(scope="module")
def otter(tmp_path_factory, handed_out):
    """A function that runs Otter's commands in the assignment's folder."""
    with installed(f"otter-grader=={VERSION}", tmp_path_factory.mktemp("otter")) as run:
        yield lambda *arguments: run(handed_out / "hw1-otter", "otter", *arguments)


def submission(notebook, answers):
    notebook = copy.deepcopy(notebook)
    for cell in notebook["cells"]:
        cell["source"] = answers.get(answer_of(cell), cell["source"])
    return notebook


@pytest.mark.index
def test_otter_has_the_points_and_messages_of_this_grader(otter, handed_out, submissions):
    folder = handed_out / "hw1-otter"
    otter("assign", "hw1.ipynb", "dist")  # it grades the solutions: all points, or it fails
    students = read(folder / "dist" / "student" / "hw1.ipynb")
    with zipfile.ZipFile(handed_out / "hw1.zip") as ours:
        same = json.loads(ours.read("hw1/hw1.ipynb"))
    assert sources(students) == sources(same)  # no import of Otter, no solution
    (grader,) = (folder / "dist" / "autograder").glob("*-autograder_*.zip")
    (folder / "results").mkdir()
    points, messages = {}, {}
    for student, answers in submissions.items():
        path = folder / f"{student}.ipynb"
        path.write_text(json.dumps(submission(students, answers)), encoding="utf-8")
        otter("run", "-a", grader, "-o", folder / "results", path)
        tests = read(folder / "results" / "results.json")["tests"]
        points[student] = sum(test["score"] for test in tests)
        messages[student] = "".join(t["output"] for t in tests if t["score"] < t["max_score"])
    assert points == {name: POINTS[name] for name in submissions}
    for student, told in messages.items():
        assert TELLS.get(student, "") in told
    assert len({*messages.values()}) == len(messages)


def sources(notebook):
    return ["".join(cell["source"]).strip() for cell in notebook["cells"]]
