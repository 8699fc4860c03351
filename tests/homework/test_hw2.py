"""HW2, loops, branches and rows of any length: each mistake costs its item, and is named."""

from __future__ import annotations

import ast
import inspect
from pathlib import Path

import numpy as np
import pytest
import solved

from minigrad import tensor
from minigrad.homework.assignment import Assignment
from minigrad.homework.building import files_for_students, notebook_for_students, prove
from minigrad.homework.grading import grade
from minigrad.lesson import judge

FOLDER = Path(__file__).resolve().parents[2] / "homework" / "hw2"
NAMES = ["Ada Lovelace", "Bo", "李善蘭"]
ITEMS = ["rounds", "branch", "masked_loss", "read", "settle", "tree"]
SLOW = {
    "masked_loss": "loss_one_by_one",
    "read": "read_one_by_one",
    "settle": "settle_one_by_one",
}


@pytest.fixture(scope="module")
def hw2():
    with solved.neighbours(FOLDER):
        yield Assignment(FOLDER)


@pytest.fixture(scope="module")
def solution(hw2):
    return solved.sources(hw2)


@pytest.mark.parametrize("student", NAMES)
def test_the_solution_has_all_points_whoever_hands_it_in(hw2, solution, student):
    verdicts = [solved.verdict(hw2, name, solution[name], student) for name in ITEMS]
    assert [one.message for one in verdicts] == ["right."] * 6
    assert sum(one.points for one in verdicts) == 100


def test_what_is_handed_out_runs_and_asks_for_six_answers(hw2):
    said = solved.printed(solved.written(notebook_for_students(hw2), {}, "Ada"))
    assert said.count("not attempted yet.") == 6


def test_the_solved_notebook_runs_and_each_check_is_passed(hw2):
    said = solved.printed(hw2.notebook)
    assert said.count("✓") == 6 and "✗" not in said


# --------------------------------------------------------------------------- wrong answers

MASKED = "torch.where(is_real, predicted - target, 0.0)"
WRONG = [
    (
        "masked_loss",
        "the mask is forgotten",
        {MASKED: "predicted - target", "sum(lengths)": "predicted.numel()"},
    ),
    ("masked_loss", "divided by all places", {"sum(lengths)": "predicted.numel()"}),
    (
        "masked_loss",
        "the mean of the sequences' means",
        {"(off**2).sum() / sum(lengths)": "((off**2).sum(1) / torch.tensor(lengths)).mean()"},
    ),
    ("masked_loss", "by the number of sequences", {"sum(lengths)": "len(lengths)"}),
    ("masked_loss", "not been divided", {" / sum(lengths)": ""}),
    ("masked_loss", "one place too short in the sum", {"places < ": "places + 1 < "}),
    ("masked_loss", "one place too long in the sum", {"places < ": "places <= "}),
    (
        "masked_loss",
        "one place too short: the last",
        {"places < ": "places + 1 < ", "sum(lengths)": "is_real.sum()"},
    ),
    ("masked_loss", "the padding counts in the sum", {MASKED: "predicted - target"}),
    ("masked_loss", "nan times 0", {MASKED: "(predicted - target) * is_real"}),
    (
        "masked_loss",
        "a nan in the gradient for predicted",
        {MASKED: "predicted - target", "(off**2)": "torch.where(is_real, off**2, 0.0)"},
    ),
    ("masked_loss", "has no history", {"predicted - target": "predicted.detach() - target"}),
    ("masked_loss", "it raised RuntimeError", {"(is_real,": "(is_real.T,"}),
    ("read", "the mask is forgotten", {"torch.where((place < lengths)[:, None], new, h)": "new"}),
    ("read", "its memory is wiped", {"new, h)": "new, 0.0)"}),
    ("read", "the last letter", {"place < lengths": "place < lengths - 1"}),
    ("read", "one letter too far", {"place < lengths": "place <= lengths"}),
    ("read", "u is transposed", {"h @ u": "h @ u.T"}),
    ("read", "h does not reach the next step", {" + h @ u": ""}),
    ("read", "knows only the last letter", {"h @ u": "h.detach() @ u"}),
    ("read", "should have the shape (5, 3)", {"return h": "return h.T"}),
    (
        "settle",
        "the mask is forgotten",
        {"torch.where(goes_on[:, None], x @ w, x)": "x @ w"},
    ),
    ("settle", "when the first one has settled", {"goes_on.any()": "goes_on.all()"}),
    ("settle", "knows only the last round", {"x @ w": "x.detach() @ w"}),
    ("settle", "its size is what counts", {".abs()": ""}),
    ("settle", "w is transposed", {"x @ w": "x @ w.T"}),
    (
        "tree",
        "the matrices are transposed",
        {"value(left) @ a + value(right) @ b": "a @ value(left) + b @ value(right)"},
    ),
    ("tree", "left and right are exchanged", {"left, right = part": "right, left = part"}),
    ("tree", "should go through b", {"@ b": "@ a"}),
    ("tree", "the right part does not reach", {" + value(right) @ b": ""}),
    ("tree", "taken through tanh, too", {"return x[part]": "return torch.tanh(x[part])"}),
    ("tree", "tanh is missing", {"return torch.tanh(": "return ("}),
    (
        "tree",
        "a tensor is wanted, and it returns nothing",
        {"    return value(tree)": "    value(0)"},
    ),
    (
        "tree",
        "hidden one is not: other trees, deep ones among them",
        {
            "return value(tree)": "join = lambda one, other: torch.tanh(one @ a + other @ b)\n"
            "    return TREES[tree](lambda row: x[row], join)"
        },
    ),
]
"""Wrong answers: the item, what is said of it, and what stands there instead."""


@pytest.mark.parametrize("one", WRONG, ids=[f"{name}: {says}" for name, says, _ in WRONG])
def test_a_mistake_loses_the_points_of_its_item_and_is_named(hw2, solution, one):
    name, says, changes = one
    source = solution[name]
    for right, wrong in changes.items():
        source = solved.spoilt(source, right, wrong)
    verdict = solved.verdict(hw2, name, source, "Bo")
    assert verdict.attempted and verdict.points == 0
    assert says in verdict.message


@pytest.mark.parametrize("name", SLOW)
def test_the_slow_program_is_right_and_no_answer(hw2, name):
    verdict = solved.verdict(hw2, name, f"{name} = {SLOW[name]}", "Bo")
    assert "the numbers are right" in verdict.message
    assert "Take them all at once" in verdict.message


@pytest.mark.parametrize("student", NAMES)
def test_each_number_by_hand_has_its_mistakes_and_they_are_named(hw2, student):
    by_hand = hw2.module
    exercises = {one.name: one for one in hw2.exercises(student)}
    right, mistakes = by_hand.rounds(by_hand.numbers(student, "rounds"))
    assert judge(exercises["rounds"], right).points == 10
    for wrong, text in mistakes.items():
        assert judge(exercises["rounds"], wrong).message == text
    parts = by_hand.branch(by_hand.numbers(student, "branch"))
    answer = [right for right, _ in parts]
    assert judge(exercises["branch"], answer).points == 15
    for place, (_, mistakes) in enumerate(parts):
        for wrong, text in mistakes.items():
            mine = [*answer[:place], wrong, *answer[place + 1 :]]
            assert judge(exercises["branch"], mine).message.endswith(text)
    assert "3 numbers are wanted" in judge(exercises["branch"], answer[0]).message


def test_the_numbers_by_hand_are_those_of_autograd(hw2):
    for student in NAMES:
        n = hw2.module.numbers(student, "rounds")
        x = tensor(n["x"], requires_grad=True)
        y = x
        while y < n["limit"]:
            y = n["a"] * y + x
        y.backward()
        assert x.grad.item() == pytest.approx(hw2.module.rounds(n)[0])
        n = hw2.module.numbers(student, "branch")
        t = tensor(n["t"], requires_grad=True)
        y = n["a"] * t + n["c"] if t > n["t"] else n["b"] * t
        y.backward()
        assert t.grad.item() == hw2.module.branch(n)[0][0]


# ---------------------------------------------------------------------------- the checks


@pytest.mark.parametrize("student", [*NAMES, "Zoë", "Wu"])
def test_no_mistake_looks_like_the_truth_or_like_another_one(hw2, student):
    """On the data of whoever asks: so a mistake shows, and by its own name."""
    module = hw2.module
    for item in module.ITEMS:
        case = module.cases_of(item, student)[-1 if item.name == "tree" else 0]
        found = [module.outcome(one, case) for one in (item.right, *item.mistakes.values())]
        for place, one in enumerate(found):
            assert one[0] is not None
            assert not any(module.same(one, other) for other in found[:place])


def test_gradients_are_those_of_differences(hw2):
    """Of the slow programs and the trees, which all else is compared with."""
    module = hw2.module
    for item in module.ITEMS:
        leaves, others = module.cases_of(item, "Bo")[-1 if item.name == "tree" else 0]
        value, *gradients = module.outcome(item.right, (leaves, others))
        weights = np.linspace(0.5, 1.5, value.size).reshape(value.shape)
        for place, (leaf, gradient) in enumerate(zip(leaves, gradients)):
            entry = np.unravel_index(np.argmax(np.abs(gradient)), leaf.shape)
            ends = []
            for step in (1e-6, -1e-6):
                moved = leaf.copy()
                moved[entry] += step
                there = [*leaves[:place], moved, *leaves[place + 1 :]]
                ends.append((module.outcome(item.right, (there, others))[0] * weights).sum())
            assert (ends[0] - ends[1]) / 2e-6 == pytest.approx(gradient[entry], rel=1e-4)


def test_the_notebook_shows_the_slow_programs_as_they_are_run(hw2):
    cells = {cell.id: cell.source for cell in hw2.cells}
    for name, slow in SLOW.items():
        shown = ast.parse(cells[f"{name}-given"]).body[0]
        own = ast.parse(inspect.getsource(getattr(hw2.module.given, slow))).body[0]
        assert ast.dump(own) == ast.dump(shown)


def test_no_solution_hidden_case_or_secret_is_handed_out(hw2):
    with solved.neighbours(FOLDER):
        prove(hw2)
    text = "\n".join(content.decode() for _, content in files_for_students(hw2))
    for told in ("SECRET", "MORE_TREES", "goes_on =", "(place < lengths)", "is_real", "walked"):
        assert told not in text


# ------------------------------------------------------------------------- the real grader


@pytest.mark.processes
def test_the_grader_takes_the_points_of_a_wrong_item_and_of_no_other(hw2, solution, tmp_path):
    notebook = notebook_for_students(hw2)
    stubs = {
        cell.tagged("answer:"): cell.source
        for cell in solved.notebooks.code_cells(notebook)
        if cell.tagged("answer:")
    }
    answers = {
        **stubs,
        "read": solution["read"],
        "settle": solved.spoilt(solution["settle"], ".any()", ".all()"),
        "tree": solution["tree"],
    }
    graded = grade(
        hw2, solved.save(solved.written(notebook, answers, "Bo"), tmp_path / "hw2.ipynb")
    )
    assert [one.points for one in graded.questions] == [0, 0, 0, 25, 0, 15]
    assert "when the first one has settled" in graded.questions[4].message
    assert [one.state for one in graded.questions[:3]] == ["not attempted"] * 3
