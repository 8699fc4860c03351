"""A folder of submissions: nothing twice, resumable, tables, and what the class got wrong."""

from __future__ import annotations

import csv
import os

import pytest
import small_assignment as small

from minigrad.homework import classroom
from minigrad.homework.__main__ import main
from minigrad.homework.classroom import submissions

pytestmark = [pytest.mark.processes]

CLASS = {
    "Ada Lovelace_101_assignsubmission_file_": small.RIGHT,
    "Bo <b>Bold</b>_102_assignsubmission_file_": {**small.RIGHT, "number": "slope = 8 # <b>"},
    "=Cy_103_assignsubmission_file_": {**small.RIGHT, "number": "slope = 8  # longer"},
    "Di_104_assignsubmission_file_": {**small.RIGHT, "number": "slope = 1 / 0"},
}


@pytest.fixture(scope="module")
def room(tmp_path_factory):
    room = tmp_path_factory.mktemp("class")
    small.make_assignment(room)
    for folder, answers in CLASS.items():
        (room / "in" / folder.replace("/", "-")).mkdir(parents=True)
        path = room / "in" / folder.replace("/", "-") / "small.ipynb"
        small.write(path, small.cells_of(answers))
    return room


@pytest.fixture(scope="module")
def graded(room):
    assert run(room) == 0
    return room / "out"


def run(room):
    assignment = str(room / "small")
    options = ["--assignment", assignment, "-o", str(room / "out"), "--workers", "2"]
    return main(["grade", str(room / "in"), *options])


def rows(path):
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.reader(file))


def test_moodles_table_knows_each_participant_by_number(graded):
    head, ada, bo, cy, di = sorted(rows(graded / "moodle.csv"))
    assert head[:4] == ["Identifier", "Full name", "Grade", "Maximum grade"]
    assert ada[:4] == ["Participant 101", "Ada Lovelace", "12", "12"]
    assert [row[2] for row in (bo, cy, di)] == ["10", "10", "10"]
    assert "number: 0 of 2. one path only." in bo[4]
    assert cy[1] == "'=Cy"


def test_canvass_table_has_the_points_in_its_second_row(graded):
    head, possible, *students = rows(graded / "canvas.csv")
    assert head == ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "small"]
    assert possible[0].strip() == "Points Possible" and possible[-1] == "12"
    assert {row[1]: row[-1] for row in students}["101"] == "12"


def test_the_page_groups_by_mistake_and_shows_an_example_as_text(graded):
    page = (graded / "class.html").read_text("utf-8")
    assert "1 right, 3 wrong, 0 not attempted" in page
    assert '<strong>2 students</strong>: <span class="message">one path only.</span>' in page
    assert "slope = 8 # &lt;b&gt;" in page
    assert "Ada" not in page and "Cy" not in page and "<script" not in page


def test_nothing_is_graded_twice_and_what_has_changed_is(room, graded):
    results = graded / "results"
    before = {path.name: path.stat().st_mtime_ns for path in results.iterdir()}
    table = (graded / "moodle.csv").read_bytes()
    lost = sorted(before)[0]
    os.remove(results / lost)
    assert run(room) == 0
    after = {path.name: path.stat().st_mtime_ns for path in results.iterdir()}
    assert (graded / "moodle.csv").read_bytes() == table
    assert after.keys() == before.keys()
    assert {name for name in after if after[name] != before[name]} == {lost}


def test_a_lost_worker_costs_nothing(room, graded):
    """The first round ends early, as one does whose worker is killed; the next one goes on."""
    rounds = []

    def cut_short(folder, waiting):
        rounds.append(len(waiting))
        done = classroom.round_of_work(folder, waiting, workers=1)
        yield next(done)
        if len(rounds) > 1:
            yield from done

    found = classroom.grade_all(room / "small", room / "in", room / "again", cut_short)
    assert len(found) == 4 and rounds[0] == 4 and rounds[1] < 4
    assert [result["points"] for _, result in found] == [10, 12, 10, 10]


def test_names_of_files_are_those_of_moodle_canvas_or_ones_own(tmp_path):
    for name in ("adalovelace_LATE_77_9001_hw1.ipynb", "bo.ipynb", "cy/hw1.ipynb", ".x.ipynb"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("{}", encoding="utf-8")
    found = [(one.student, one.number) for one in submissions(tmp_path)]
    assert found == [("adalovelace", "77"), ("bo", ""), ("cy", "")]


def test_one_name_in_two_notebooks_is_told():
    ada = classroom.Submission(small.Path("a"), "ada")
    bo = classroom.Submission(small.Path("b"), "bo")
    results = [(ada, {"student": "Ada L."}), (bo, {"student": "ada l"})]
    remarks = [result["remark"] for _, result in classroom.with_same_names(results)]
    assert remarks[1] == "the same name, and so the same numbers, as in the notebook of ada"
    assert remarks[0].endswith("of bo")


def test_an_empty_folder_says_so(room, tmp_path, capsys):
    assignment = str(room / "small")
    assert (
        main(["grade", str(tmp_path), "--assignment", assignment, "-o", str(tmp_path / "o")]) == 1
    )
    assert "no notebooks in" in capsys.readouterr().err
