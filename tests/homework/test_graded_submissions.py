"""One submission graded: points, messages, and what an answer needs from other cells."""

from __future__ import annotations

import pytest
import small_assignment as small

from minigrad.homework.assignment import Assignment
from minigrad.homework.building import notebook_for_students
from minigrad.homework.grading import grade
from minigrad.homework.notebooks import Cell, NotebookError, needed

pytestmark = [pytest.mark.processes]


@pytest.fixture(scope="module")
def assignment(tmp_path_factory):
    return Assignment(small.make_assignment(tmp_path_factory.mktemp("graded")))


def graded(assignment, folder, cells):
    return grade(assignment, small.write(folder / "submitted.ipynb", cells))


def test_the_teachers_own_notebook_gets_all_points_and_twice_the_same(assignment, tmp_path):
    first = graded(assignment, tmp_path, small.cells_of(small.RIGHT))
    assert (first.points, first.possible) == (12, 12)
    assert graded(assignment, tmp_path, small.cells_of(small.RIGHT)).as_data() == first.as_data()


def test_what_is_handed_out_gets_nothing_and_says_that_nothing_is_there(assignment, tmp_path):
    result = graded(assignment, tmp_path, notebook_for_students(assignment)["cells"])
    assert result.points == 0
    assert {one.state for one in result.questions} == {"not attempted"}


def test_a_mistake_has_its_name_and_its_line(assignment, tmp_path):
    answers = {
        "double": "def double(x):\n    return x * x",
        "value": small.VALUE.replace("one.grad += other.data\n", "one.grad += 0 / 0\n"),
        "number": "slope = 8",
    }
    result = graded(assignment, tmp_path, small.cells_of(answers))
    double, value, number = (one.message for one in result.questions)
    assert double == "that squares."
    assert value == (
        "it raised ZeroDivisionError: division by zero\n  cell 4, line 12: one.grad += 0 / 0"
    )
    assert number == "one path only."


def test_right_answers_may_print_much_and_rest_on_cells_of_ones_own(assignment, tmp_path):
    own = small.cell("factor = 2\ndef times(x):\n    print('x' * 10**7)\n    return x * factor")
    cells = small.cells_of({**small.RIGHT, "double": "def double(x):\n    return times(x)"})
    result = graded(assignment, tmp_path, [cells[0], own, *cells[1:]])
    assert result.points == result.possible


def test_a_function_may_be_traced_through_minigrad_where_that_is_allowed(tmp_path):
    exercises = """import minigrad as torch
from minigrad import lesson
EXERCISES = [
    lesson.Exercise(
        "double",
        answer=lambda x: x * 2,
        cases=lambda random: (torch.tensor(random.normal(size=3), requires_grad=True),),
        seconds=5,
    ),
]
"""
    room = tmp_path / "small"
    room.mkdir()
    (room / "exercises.py").write_text(exercises, encoding="utf-8")
    small.write(room / "small.ipynb", small.cells_of({"double": small.marked(small.DOUBLE)}))
    assignment = Assignment(room)
    wrong = "def double(x):\n    return (x * 2).detach()"
    right, cut = (
        graded(assignment, tmp_path, small.cells_of({"double": source})).questions[0]
        for source in (small.DOUBLE, wrong)
    )
    assert right.state == "passed"
    assert cut.message == "the result has no history, so no gradient flows back through it."


# -------------------------------------------------------------------------- what an answer needs


def sources(*cells, expression="f"):
    cells = [Cell(number, source) for number, source in enumerate(cells, 1)]
    return [(label, places) for label, _, places in needed(cells, expression)]


def test_a_statement_is_run_only_if_the_answer_needs_it():
    assert sources("exit()\nimport math", "while True: pass", "def f(): return math.pi") == [
        ("cell 1", [1]),
        ("cell 3", [0]),
    ]


def test_what_is_written_into_a_needed_thing_is_needed():
    cells = ("class V: pass", "def g(self): pass", "V.back = g\nv = V()", "f = V\nf.g()\nprint(f)")
    assert sources(*cells) == [
        ("cell 1", [0]),
        ("cell 2", [0]),
        ("cell 3", [0]),
        ("cell 4", [0, 1]),
    ]


def test_a_call_in_the_answer_counts_for_all_that_it_is_given_was_made_of():
    given = "import t\nw = t.ones(2)\nmodel = t.Net(w)", "loss = model(3)"
    backward = "loss = model(2)\nloss.backward()\nprint(loss)\nf = w.grad"
    assert sources(*given, backward) == [("cell 1", [0, 1, 2]), ("cell 3", [0, 1, 3])]
    fitted = "def fit(m): m.learn()\nfit(model)\nf = w"
    assert sources(*given, fitted) == [("cell 1", [0, 1, 2]), ("cell 3", [0, 1, 2])]


def test_a_call_in_another_cell_counts_for_what_stands_before_its_dot():
    cells = "w = [1]\nloss = made(w)", "loss.backward()", "f = w"
    assert sources(*cells) == [("cell 1", [0]), ("cell 3", [0])]


def test_a_call_that_has_nothing_to_do_with_the_answer_is_not_run():
    assert sources("other = [1]", "other.sort()\nstop(other)\nf = 3") == [("cell 2", [2])]


def test_a_function_may_use_what_stands_behind_it():
    assert sources("def f(): return g()\ndef g(): return 1\ndef h(): pass") == [("cell 1", [0, 1])]


def test_a_cell_that_cannot_be_read_costs_only_those_who_need_it():
    assert sources("def broken(:", "def f(): return 1") == [("cell 2", [0])]
    with pytest.raises(SyntaxError):
        sources("x = 1", "def f(:")


def test_a_name_of_the_teachers_is_not_replaced():
    cells = [Cell(1, "def run(x): return x", given=True), Cell(2, "run = 0\nf = 1")]
    assert needed(cells, "run(f)") == [
        ("cell 1", cells[0].source, [0]),
        ("cell 2", "run = 0\nf = 1", [1]),
    ]


def test_exercises_and_answer_cells_must_agree(tmp_path):
    room = small.make_assignment(tmp_path)
    small.write(room / "small.ipynb", small.cells_of({"double": small.DOUBLE}))
    with pytest.raises(NotebookError, match="each exercise needs one cell of its name"):
        Assignment(room)


EARLIER = Cell(1, "class Value:\n    import minigrad\n    raise NotImplementedError")


@pytest.mark.parametrize(
    "source",
    [
        "class Value:\n    def double(self):\n        return Value(2)",
        "def wrap(x):\n    return Value(x)\nclass Value:\n    def two(self):\n        wrap(2)",
        "def Value(n):\n    return [Value(n - 1) for _ in range(n)]",
        "Value = lambda n: Value(n - 1)",
    ],
)
def test_a_class_that_mentions_itself_needs_no_earlier_one(source):
    assert needed([EARLIER, Cell(2, source)], "Value") == [
        ("cell 2", source, list(range(source.count("\nclass") + 1)))
    ]


@pytest.mark.parametrize(
    "source",
    [
        "class Value(Value):\n    pass",
        "Old = Value\nclass Value(Old):\n    pass",
        "class Value:\n    one = Value()\n    def double(self):\n        return Value(2)",
        "def wrap(x):\n    return Value(x)\nclass Value:\n    one = wrap(1)",
        "class Value:\n    all = [Value(n) for n in range(3)]",
        "def Value(n, one=Value):\n    return Value(n)",
        "if True:\n    def Value(n):\n        return Value(n)",
    ],
)
def test_what_is_used_before_a_name_is_made_anew_needs_the_earlier_one(source):
    assert [label for label, _, _ in needed([EARLIER, Cell(2, source)], "Value")] == [
        "cell 1",
        "cell 2",
    ]
