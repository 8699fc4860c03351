"""What a submission does to its grader costs no other one its grade, nor the teacher the tables."""

from __future__ import annotations

import csv
import json
import os
import signal
import sys

import pytest
import small_assignment as small

from minigrad.homework import classroom, gradescope, grading, notebooks, stand_in
from minigrad.homework.__main__ import main
from minigrad.homework.assignment import Assignment
from minigrad.homework.classroom import submissions
from minigrad.homework.grading import grade
from minigrad.homework.notebooks import Cell, NotebookError, code_cells, needed
from minigrad.lesson.own_class import own_class

pytestmark = [pytest.mark.processes]


@pytest.fixture(scope="module")
def assignment(tmp_path_factory):
    return Assignment(small.make_assignment(tmp_path_factory.mktemp("others")))


@pytest.fixture
def graded(assignment, tmp_path):
    def graded(answers):
        cells = small.cells_of({**small.RIGHT, **answers})
        return grade(assignment, small.write(tmp_path / "submitted.ipynb", cells))

    return graded


def points_of_a_class(assignment, room):
    """The points of each, as they stand in the table."""
    out = room.parent / "out"
    options = ["--assignment", str(assignment.folder), "-o", str(out), "--workers", "2"]
    assert main(["grade", str(room), *options]) == 0
    assert (out / "class.html").read_text("utf-8").endswith("</html>\n")
    with (out / "canvas.csv").open(encoding="utf-8", newline="") as file:
        return {row[0]: row[-1] for row in list(csv.reader(file))[2:]}


@pytest.mark.skipif(os.name != "posix", reason="links and pipes")
def test_links_pipes_and_folders_are_no_submissions(assignment, tmp_path):
    room = tmp_path / "in"
    room.mkdir()
    small.write(room / "ada.ipynb", small.cells_of(small.RIGHT))
    (room / "bo.ipynb").symlink_to(room / "ada.ipynb")
    (room / "cy.ipynb").symlink_to(assignment.folder / "small.ipynb")
    (room / "di.ipynb").symlink_to("/nowhere")
    os.mkfifo(room / "ed.ipynb")
    (room / "flo.ipynb").mkdir()
    half = small.cells_of({**small.RIGHT, "number": "slope = '\udc80'"})
    small.write(room / "gus.ipynb", half)
    assert points_of_a_class(assignment, room) == {
        "ada": "12",
        **dict.fromkeys(("bo", "cy", "di", "ed"), "0"),
        "gus": "10",
    }


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no links for everybody")
def test_gradescope_takes_no_link_to_the_teachers_notebook(assignment, tmp_path):
    (tmp_path / "mine.ipynb").symlink_to(assignment.folder / "small.ipynb")
    found = gradescope.results(assignment, tmp_path)
    assert {one["score"] for one in found["tests"]} == {0.0}


def killed_by_bo(folder, submission, target):
    """A worker that this submission takes with it."""
    if "BO" in small.Path(submission).read_text("utf-8"):
        os.kill(os.getpid(), signal.SIGKILL)
    classroom.keep(grade(classroom.assignment_in(folder), submission).as_data(), target)


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_a_submission_that_loses_its_worker_each_time_is_a_zero(assignment, tmp_path, monkeypatch):
    room = tmp_path / "in"
    room.mkdir()
    for name in ("ada", "bo", "cy"):
        answers = {**small.RIGHT, "number": f"slope = 15  # {name.upper()}"}
        small.write(room / f"{name}.ipynb", small.cells_of(answers))
    monkeypatch.setattr(classroom, "graded_and_kept", killed_by_bo)
    assert points_of_a_class(assignment, room) == {"ada": "12", "bo": "0", "cy": "12"}
    (lost,) = [
        result
        for result in map(json.loads, (one.read_text("utf-8") for one in written(tmp_path)))
        if not result["points"]
    ]
    assert {one["message"] for one in lost["questions"]} == {classroom.LOST}


def written(folder):
    return (folder / "out" / "results").glob("*.json")


def test_an_error_of_the_grader_itself_is_a_zero_with_a_reason(graded, monkeypatch):
    def stumbles(*arguments):
        raise RecursionError("too deep")

    monkeypatch.setattr(grading.notebooks, "needed", stumbles)
    result = graded({"number": "slope = 14"})
    assert result.points == 0
    assert "RecursionError" in result.questions[0].message


def test_waiting_in_each_question_ends_with_the_time_of_the_submission(graded, monkeypatch):
    monkeypatch.setattr(grading, "seconds_in_all", lambda exercises: 3.0)
    waits = "\nimport time\n{0} = [time.sleep(100), {0}][1]"
    answers = {
        name: text + waits.format(small.ATTEMPTS[name]) for name, text in small.RIGHT.items()
    }
    result = graded(answers)
    assert result.points == 0
    assert "does it wait" in result.questions[0].message
    assert result.questions[2].message == "stopped: the time for grading it was over."


HIDDEN_ONE = """import os
def double(x):
    if str(x) == "3.5":
        {}
    return x * 2"""


def test_hidden_cases_are_not_told_by_an_error(graded):
    kind = HIDDEN_ONE.format("raise {}(f'it was {{x}}')")
    for raised, said in (("ValueError", "ValueError."), ("type('X35', (Exception,), {})", "an ")):
        message = graded({"double": kind.format(raised)}).questions[0].message
        assert message.startswith("the open check is passed, and a hidden one is not: it raised ")
        assert said in message and "3.5" not in message and "35" not in message
    message = graded({"double": HIDDEN_ONE.format("os._exit(35)")}).questions[0].message
    assert message.endswith("it did not come to its end.")


@pytest.mark.parametrize("kind", ["Exception", "leaf x 0.4", "Borrowed"])
def test_hidden_programs_are_not_told_by_an_error_of_an_engine(kind):
    judge = own_class([[["leaf", "x", 0.4], ["value", "x"]]], (), hidden=True)
    error = {"kind": kind, "text": "0.4", "line": "cell 4, line 4: 0.4"}
    message = judge(lambda program: {"looks": [], "error": error})
    assert message.startswith(("it raised", "it rests on another library."))
    assert "0.4" not in message and "line" not in message


FORGED = """def double(x):
    import os
    reply = REPLY
    for number in range(3, 20):
        try: os.write(number, (reply + chr(10)).encode())
        except OSError: pass
    return x"""


@pytest.mark.parametrize(
    "reply",
    [
        """'{"value": {"set": [' + ','.join('{"int": "%x"}' % (n * (2**61 - 1))"""
        """ for n in range(1, 60000)) + ']}}'""",
        """'{"value": {"int": "' + 'f' * 10**6 + '"}}'""",
        """'{"value": {"list": [' + ','.join('{"object": [%d, "x"]}' % n"""
        """ for n in range(10**5, 2 * 10**5 + 10)) + ']}}'""",
    ],
    ids=["a set with one hash", "a long number", "many things"],
)
def test_a_forged_reply_costs_the_grader_little(reply, graded):
    result = graded({"double": FORGED.replace("REPLY", reply)})
    assert [one.points for one in result.questions] == [0, 6, 2]
    assert result.questions[0].message == stand_in.UNREADABLE


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("raise type('ﬁ' * 190_000, (Exception,), {})('x' * 10**6)", "it raised"),
        ("import signal\n    signal.raise_signal(40)", "Python itself came to its end"),
        (
            "import os\n    os.write(2, b'File \"cell 1\", line ' + b'9' * 6000)\n    os._exit(1)",
            "it ended Python itself",
        ),
    ],
)
def test_no_message_is_longer_than_a_page(body, said, graded):
    message = graded({"double": f"def double(x):\n    {body}"}).questions[0].message
    assert message.startswith(said)
    assert len(message) <= grading.LONGEST + 1


def test_a_judge_that_repeats_what_it_got_is_cut_short(graded):
    value = small.VALUE.replace("one.grad += other.data", "one.grad = Long()")
    value += "\nclass Long:\n    def __float__(self): raise ValueError('x' * 10**6)"
    assert len(graded({"value": value}).questions[1].message) <= grading.LONGEST + 1


@pytest.mark.parametrize("before", ["", "if 0: f{0} = 0\n"])
def test_a_chain_of_functions_is_looked_through_at_once(before, monkeypatch):
    rounds = []
    whole = notebooks.chosen_backwards
    monkeypatch.setattr(
        notebooks, "chosen_backwards", lambda *given: rounds.append(1) or whole(*given)
    )
    count = 600
    source = "".join(before.format(n) for n in range(count))
    source += "\n".join(f"def f{n}(): return f{n + 1}()" for n in range(count))
    source += f"\ndef f{count}(): return 1"
    ((_, _, places),) = needed([Cell(1, source)], "f0")
    assert len(places) == count + 1
    assert len(rounds) == 2


def test_notebooks_that_are_too_long_are_refused_before_they_are_parsed():
    with pytest.raises(NotebookError, match="statements"):
        needed([Cell(1, "x = 1\n" * 5_000)], "x")
    long = "%" + "(" * 250_000
    assert code_cells(small.notebook([small.cell(long)]))[0].source == long
    with pytest.raises(NotebookError, match="MB of code"):
        code_cells(small.notebook([small.cell("#" * 250_000)] * 9))


@pytest.mark.parametrize(
    ("names", "numbers"),
    [
        (["Bo_102_assignsubmission_file_x_101_assignsubmission_y.ipynb"], ["102"]),
        (
            ["ada_101_9001_hw.ipynb", "bo_102_9002_x_101_assignsubmission_y.ipynb"],
            ["101", "102"],
        ),
        (
            ["Ada L_101_assignsubmission_file_", "Bo_102_assignsubmission_file_7_8_hw.ipynb"],
            ["101", "102"],
        ),
    ],
)
def test_nobody_hands_in_under_the_number_of_another(names, numbers, tmp_path):
    for name in names:
        path = tmp_path / name if name.endswith(".ipynb") else tmp_path / name / "hw.ipynb"
        path.parent.mkdir(exist_ok=True)
        path.write_text("{}", encoding="utf-8")
    assert sorted(one.number for one in submissions(tmp_path)) == numbers


def test_two_names_with_one_number_are_told_aloud(assignment, tmp_path, capsys):
    for name in ("ada_101_1_small.ipynb", "bo_101_2_small.ipynb"):
        (tmp_path / "in").mkdir(exist_ok=True)
        (tmp_path / "in" / name).write_text("{}", encoding="utf-8")
    options = ["--assignment", str(assignment.folder), "-o", str(tmp_path / "out")]
    assert main(["grade", str(tmp_path / "in"), *options]) == 1
    assert "the number 101 stands in two names: bo_101" in capsys.readouterr().err
    assert (tmp_path / "out" / "canvas.csv").exists()
