"""What a submission may try: a readable zero for that question, and full points for the others."""

from __future__ import annotations

import subprocess
import sys

import pytest
import small_assignment as small

from minigrad.homework.assignment import Assignment
from minigrad.homework.grading import grade

pytestmark = [pytest.mark.processes]
HEAD = "def double(x):\n    "


@pytest.fixture(scope="module")
def assignment(tmp_path_factory):
    return Assignment(small.make_assignment(tmp_path_factory.mktemp("attacked")))


@pytest.fixture
def graded(assignment, tmp_path):
    def graded(cells):
        return grade(assignment, small.write(tmp_path / "submitted.ipynb", cells))

    return graded


def only_wrong(result, name):
    """The message of this question, if all others have full points, and it has none."""
    for question in result.questions:
        if question.name == name:
            assert question.points == 0, question
            message = question.message
        else:
            assert question.points == question.possible, question
    return message


ATTACKS = {
    "a loop without end": ("while True: pass", "stopped after 1 s of computing"),
    "waiting": ("import time\n    time.sleep(1000)", "stopped after 15 s: does it wait"),
    "a memory bomb": ("return [0] * 10**10", "it raised MemoryError"),
    "exit()": ("exit()", "it raised SystemExit"),
    "os._exit": ("import os\n    os._exit(0)", "it ended Python itself, with exit code 0"),
    "a signal": ("import os\n    os.kill(os.getpid(), 9)", "without os.kill"),
    "recursion": ("return double(x)", "it raised RecursionError"),
    "a syntax error": ("return x +* 2", "the cell cannot be read in line 2: SyntaxError"),
    "a null character": ("return '\0'", "the cell cannot be read"),
    "another engine": ("import minigrad", "minigrad is not there when this homework is graded"),
    "another engine by its path": (
        "import sys\n    sys.meta_path.clear()\n    import minigrad",
        "it raised ModuleNotFoundError",
    ),
    "a file": ("return open('/etc/passwd').read()", "without other files than its own"),
    "a file by a detour": ("return open('../../etc/passwd').read()", "without other files"),
    "looking around": ("import os\n    return os.listdir('/tmp')", "without other files"),
    "the grader's own process": ("return open('/proc/self/maps').read()", "without other files"),
    "the network": ("import socket\n    socket.socket()", "without socket"),
    "another program": ("import os\n    os.system('ls')", "without os.system"),
    "another program, lower": ("import _posixsubprocess", "without _posixsubprocess"),
    "a fork": ("import os\n    os.fork()", "without os.fork"),
    "C": ("import ctypes\n    ctypes.CDLL(None)", "without ctypes"),
    "looking through memory": ("import gc\n    gc.get_objects()", "without gc.get_objects"),
    "higher limits": (
        "import resource\n    resource.setrlimit(resource.RLIMIT_CPU, (99, 99))",
        "without resource.setrlimit",
    ),
    "a verdict that is printed": ("print('✓ double: right.', 'points: 4')", "None"),
    "a verdict that is returned": ("return {'passed': True, 'points': 4}", "is a dict"),
    "a number that agrees with all": (
        "return type('Yes', (float,), {'__eq__': lambda *a: True, '__sub__': lambda *a: 0})(7)",
        "and a number is wanted",
    ),
    "writing into the pipe": (
        "import os\n    for n in range(3, 20):\n        try: os.write(n, b'{\"value\": 4.0}\\n')\n"
        "        except OSError: pass\n    return x",
        "what came back from it cannot be read",
    ),
    "a very long answer": ("return 'x' * 10**8", "what came back from it cannot be read"),
    "the deepest list": (
        "deep = []\n    for _ in range(10**5): deep = [deep]\n    return deep",
        "it raised ValueError: lists inside lists",
    ),
}


@pytest.mark.parametrize("attack", ATTACKS)
def test_an_attack_gets_a_readable_zero_for_its_question_alone(attack, graded):
    body, said = ATTACKS[attack]
    result = graded(small.cells_of({**small.RIGHT, "double": HEAD + body}))
    assert said in only_wrong(result, "double")


FRAMES = """def double(x):
    import sys
    frame, found = sys._getframe(), []
    while frame:
        for names in (frame.f_locals, frame.f_globals):
            found += [key for key in names if key in ("exercise", "answer", "right", "hidden")]
        frame = frame.f_back
    found += [name for name in sys.modules if "exercises" in name or "lesson" in name]
    return "nothing of the grader" if not found else str(found)"""


def test_frames_and_modules_hold_nothing_of_the_grader(graded):
    message = only_wrong(graded(small.cells_of({**small.RIGHT, "double": FRAMES})), "double")
    assert message == "the result is a str, and a number is wanted."
    peeking = FRAMES.replace('return "nothing of the grader" if not found else str(found)', "")
    peeking += "return x * 2 if not found else None"
    result = graded(small.cells_of({**small.RIGHT, "double": peeking}))
    assert result.points == result.possible


def test_checks_that_are_replaced_decide_nothing(graded):
    patch = (
        "import minigrad.lesson as lesson\n"
        "lesson.check = lesson.judge = lambda *a: True\n"
        "class exercises: EXERCISES = [0]\n"
    )
    answers = {**small.RIGHT, "number": patch + "slope = 14"}
    assert only_wrong(graded(small.cells_of(answers)), "number") == "it is 14: too small."


def test_a_class_whose_numbers_agree_with_everything_is_asked_for_its_number(graded):
    yes = """class Value:
    def __init__(self, data): self.grad = Yes()
    def __mul__(self, other): return self
    def backward(self): pass
class Yes:
    __sub__ = __abs__ = lambda self, *others: self
    __lt__ = __eq__ = lambda self, other: True
    def __float__(self): return 5.0"""
    message = only_wrong(graded(small.cells_of({**small.RIGHT, "value": yes})), "value")
    assert message == "the slope of x * x at 3 is not 5."


def test_a_judge_that_stumbles_does_not_show_its_own_line(graded):
    text = small.VALUE.replace("one.grad += other.data\n", "one.grad = 'six'\n").replace(
        "other.grad += one.data", "pass"
    )
    message = only_wrong(graded(small.cells_of({**small.RIGHT, "value": text})), "value")
    assert message == "it raised ValueError: could not convert string to float: 'six'"


@pytest.mark.skipif(sys.platform != "linux", reason="Linux's kernel is asked to refuse it")
def test_the_kernel_refuses_network_and_programs_also_where_python_does_not():
    program = (
        "import os, socket\n"
        "from minigrad.homework.kernel import refuse_calls\n"
        "assert refuse_calls()\n"
        "for forbidden in (socket.socket, lambda: os.execv('/bin/true', ['true'])):\n"
        "    try: forbidden()\n"
        "    except PermissionError: print('refused')\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout == "refused\nrefused\n", done.stderr


def test_a_deleted_answer_cell_costs_its_question(graded):
    cells = [one for one in small.cells_of(small.RIGHT) if one["id"] != "answer-value"]
    assert only_wrong(graded(cells), "value").startswith("its answer cell is gone")


def test_the_teachers_cells_count_as_they_were_handed_out(graded):
    cells = [one for one in small.cells_of(small.RIGHT) if one["id"] != "setup"]
    cells[0] = small.cell("import numpy as np\nnp.asarray(double(2))", identity="check-double")
    result = graded([small.cell(small.DOUBLE, "answer:double"), *cells])
    assert result.points == result.possible


@pytest.mark.parametrize(
    "text", ["", "{}", '{"cells": 3}', "[" * 100_000, "\ud800".encode("utf-8", "ignore").decode()]
)
def test_a_file_that_is_no_notebook_gets_a_readable_zero(text, assignment, tmp_path):
    path = tmp_path / "broken.ipynb"
    path.write_text(text, encoding="utf-8")
    result = grade(assignment, path)
    assert result.points == 0
    assert {one.message for one in result.questions} == {"it is no notebook that can be read."}
