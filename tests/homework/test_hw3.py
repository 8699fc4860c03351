"""HW3, the bug hunt: evidence, a cause and a mended function for each of eight programs."""

from __future__ import annotations

import ast
import inspect
from pathlib import Path

import numpy as np
import pytest
import solved

from minigrad.homework.assignment import Assignment
from minigrad.homework.building import files_for_students, notebook_for_students, prove
from minigrad.homework.grading import grade
from minigrad.lesson import judge

FOLDER = Path(__file__).resolve().parents[2] / "homework" / "hw3"
NAMES = ["Ada Lovelace", "李善蘭"]
PROGRAMS = ["taxi", "heights", "kinds", "ridge", "report", "layers", "scores", "average"]
AS_IT_WAS = "before it was mended, to the last digit"


@pytest.fixture(scope="module")
def hw3():
    with solved.neighbours(FOLDER):
        yield Assignment(FOLDER)


@pytest.fixture(scope="module")
def solution(hw3):
    return solved.sources(hw3)


@pytest.mark.parametrize("student", NAMES)
def test_the_solution_has_all_points_whoever_hands_it_in(hw3, solution, student):
    verdicts = [solved.verdict(hw3, name, source, student) for name, source in solution.items()]
    assert [one.message for one in verdicts] == ["right."] * 16
    assert sum(one.points for one in verdicts) == 100


def test_what_is_handed_out_runs_shows_each_symptom_and_asks_for_sixteen_answers(hw3):
    notebook = notebook_for_students(hw3)
    said = solved.printed(solved.written(notebook, {}, "Ada"))
    assert said.count("not attempted yet.") == 16
    assert "graphs that live at the same time: 1" in said


def test_the_solved_notebook_runs_and_each_check_is_passed(hw3):
    said = solved.printed(hw3.notebook)
    assert said.count("✓") == 16 and "✗" not in said


# --------------------------------------------------------------------------- wrong answers

WRONG = [
    ("taxi", "the weights never move", {"backward()\n": "backward()\n        w.grad.zero_()\n"}),
    ("taxi", AS_IT_WAS, {"        optimizer.zero_grad()\n": ""}),
    (
        "taxi",
        "treats the symptom",
        {"        optimizer.zero_grad()\n": "", "lr=rate": "lr=rate / 10"},
    ),
    ("taxi", "hidden one is not: another number of steps", {"range(steps)": "range(40)"}),
    ("heights", "the predictions were averaged", {"predicted.flatten()": "predicted.mean()"}),
    ("heights", "the loss adds up the trees", {"** 2).mean()": "** 2).sum()"}),
    ("heights", AS_IT_WAS, {"predicted.flatten() - y": "predicted - y[None]"}),
    (
        "heights",
        "hidden one is not: another number of examples",
        {"predicted.flatten() - y": "predicted - y.reshape(COUNT, 1)"},
    ),
    (
        "kinds",
        "takes probabilities themselves",
        {"F.cross_entropy(scores,": "F.nll_loss(torch.softmax(scores, dim=1),"},
    ),
    (
        "kinds",
        "add up to 1 over the examples",
        {"F.cross_entropy(scores,": "F.nll_loss(torch.log_softmax(scores, dim=0),"},
    ),
    ("kinds", AS_IT_WAS, {"scores = x @ w": "scores = torch.softmax(x @ w, dim=1)"}),
    (
        "kinds",
        "hidden one is not: another number of kinds",
        {"shape[1], classes": "shape[1], KINDS"},
    ),
    (
        "ridge",
        "at half its strength",
        {"lr=rate": "lr=rate, weight_decay=strength", "m()\n": "m().item()\n"},
    ),
    ("ridge", "the mean of the squares", {"(w * w).sum()": "(w * w).mean()"}),
    ("ridge", AS_IT_WAS, {"(w * w).sum()": "(w * w).sum().detach()"}),
    ("ridge", "hidden one is not: another strength", {"penalty = strength": "penalty = STRENGTH"}),
    ("report", "the report is another one", {"np.abs(sizes)": "sizes"}),
    ("report", "the hidden weights never move", {"loss = ((h @ v": "loss = ((h.detach() @ v"}),
    ("report", AS_IT_WAS, {"np.abs(sizes)": "np.abs(sizes, out=sizes)"}),
    ("layers", "the last one has stopped", {"(model.parameters()": "(model.hidden.parameters()"}),
    ("layers", AS_IT_WAS, {"nn.ModuleList(self.hidden)": "self.hidden"}),
    (
        "layers",
        "the hidden layers' gradients add up",
        {
            "nn.ModuleList(self.hidden)": "self.hidden",
            "model.parameters()": "[model.last.weight, *[one.weight for one in model.hidden]]",
        },
    ),
    (
        "layers",
        "what lies between does not",
        {"self.hidden = nn.ModuleList(": "self.one = (", "hidden)\n": "hidden)[0]\n"},
    ),
    (
        "layers",
        "hidden one is not: another number of hidden layers",
        {"self.hidden = nn.ModuleList(self.hidden)": "self.one, self.two = (self.hidden * 2)[:2]"},
    ),
    ("scores", AS_IT_WAS, {"norm.eval()": "norm.train()"}),
    ("scores", "the training, too, normalises", {".double()\n": ".double().eval()\n"}),
    (
        "scores",
        "gathers averages of its own",
        {
            "return (": "var = x.var(0, correction=0) + 1e-5\n    return (",
            "norm(torch.tensor(new))": "(torch.tensor(new) - x.mean(0)) / var**0.5",
        },
    ),
    ("average", "the running average is gone", {"0.9 * smooth + 0.1 * loss.item()": "loss.item()"}),
    ("average", "still alive", {"loss.item()": "loss", "append(smooth)": "append(smooth.item())"}),
    (
        "average",
        "the weights never move",
        {"= loss_of(w)": "= loss_of(w.detach()).requires_grad_()"},
    ),
]
"""Ways to mend a program that are wrong: the program, what is said of it, what is another way."""


def mistaken(source, changes, hw3, student):
    """The solution with these changes; the words in capitals are numbers of this student's data."""
    known = {
        "COUNT": len(hw3.module.programs.heights_data(student)[1]),
        "KINDS": hw3.module.programs.kinds_data(student)[2],
        "STRENGTH": hw3.module.programs.ridge_data(student)[2],
    }
    for right, wrong in changes.items():
        for word, number in known.items():
            wrong = wrong.replace(word, str(number))
        source = solved.spoilt(source, right, wrong)
    return source


@pytest.mark.parametrize("one", WRONG, ids=[f"{name}: {says}" for name, says, _ in WRONG])
def test_a_wrong_way_to_mend_loses_the_points_of_that_function_and_is_named(hw3, solution, one):
    program, says, changes = one
    name = f"{program}_mended"
    source = mistaken(solution[name], changes, hw3, "Bo")
    verdict = solved.verdict(hw3, name, source, "Bo")
    assert verdict.attempted and verdict.points == 0
    assert says in verdict.message


def test_each_wrong_way_has_a_message_of_its_own():
    said = [(name, says) for name, says, _ in WRONG]
    assert len(set(said)) == len(said) > 8


# -------------------------------------------------------------------------------- evidence


def by_name(hw3, student):
    return {exercise.name: exercise for exercise in hw3.exercises(student)}


def evidence(hw3, program, student):
    case = getattr(hw3.module.programs, f"{program}_data")(student)
    return (hw3.module.CAUSE_OF[program], *hw3.module.MEASURED[program](*case))


@pytest.mark.parametrize("program", PROGRAMS)
def test_evidence_that_shows_nothing_has_no_points_and_is_told_why(hw3, program):
    exercise = by_name(hw3, "Bo")[f"{program}_evidence"]
    cause, first, second = evidence(hw3, program, "Bo")
    others = [one for one in hw3.module.CAUSES if one != cause]
    for wrong, says in (
        (cause, "three things are wanted"),
        (("it is broken", first, second), "none of the names in CAUSES"),
        ((cause, "large", "small"), "two numbers are wanted"),
        ((cause, float("nan"), second), "no measurement"),
        ((cause, second, second), "speaks against"),
        ((cause, second, first), "the wrong way round"),
        ((cause, first, second + 1.5), "The second is not"),
        ((cause, first + 1.5, second), "The first is not"),
        ((cause, first + 1.5, second - 2.5), "not the numbers that the program gives"),
        *[((one, first, second), "not what is wrong with this program") for one in others],
    ):
        verdict = judge(exercise, wrong)
        assert verdict.points == 0
        assert says in verdict.message


def test_the_open_check_does_not_tell_which_cause_it_is(hw3):
    for exercise in hw3.exercises("Bo"):
        if exercise.name.endswith("evidence"):
            said = {
                judge(exercise, (cause, 1, 2), hidden=False).message for cause in hw3.module.CAUSES
            }
            assert said == {"right."}


def test_each_program_has_a_cause_of_its_own_and_four_do_not_occur(hw3):
    causes = hw3.module.CAUSE_OF
    assert list(causes) == PROGRAMS
    assert len(set(causes.values())) == 8
    assert len({*hw3.module.CAUSES} - {*causes.values()}) == 4


def test_whoever_asks_has_numbers_that_differ_and_hardly_anybody_has_the_same(hw3):
    people = [f"student {number}" for number in range(25)]
    for program in PROGRAMS:
        found = [evidence(hw3, program, one) for one in people]
        for _, first, second in found:
            assert abs(first - second) > 0.02 * max(abs(first), abs(second))
        assert sum(one == found[0] for one in found[1:]) < 10


# ---------------------------------------------------------------------------- the programs


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("student", NAMES)
def test_sound_unmended_and_wrongly_mended_programs_differ_in_what_they_return(
    hw3, program, student
):
    module = hw3.module
    (known,) = [one for one in module.PROGRAMS if one.name == program]
    case = module.case_of(known, student)
    model = getattr(module.models, program)
    results = [list(model(*case).values())]
    results += [list(model(*case, slip=slip).values()) for slip in known.ways]
    if program != "average":
        returned = module.parts_of(known, module.unmended(known, case))
        results.append(list(returned))
    together = [module.flat(one) for one in results]
    for place, one in enumerate(together):
        assert np.isfinite(together[0]).all()
        assert not any(module.alike(one, other) for other in together[:place])


def test_the_notebook_shows_the_programs_as_they_are_run(hw3):
    cells = {cell.id: cell.source for cell in hw3.cells}
    for program in PROGRAMS:
        shown = ast.parse(cells[f"{program}-program"]).body
        for one in shown:
            own = ast.parse(inspect.getsource(getattr(hw3.module.programs, one.name))).body[0]
            assert ast.dump(own) == ast.dump(one)


def test_no_cause_measured_number_or_secret_is_handed_out(hw3):
    with solved.neighbours(FOLDER):
        prove(hw3)
    text = "\n".join(content.decode() for _, content in files_for_students(hw3))
    for told in ("CAUSE_OF", "MEASURED", "SECRET", "norm.eval()", "ModuleList(", "_measured"):
        assert told not in text


# ------------------------------------------------------------------------- the real grader


@pytest.mark.processes
def test_a_right_fix_without_evidence_loses_the_points_of_the_evidence(hw3, solution, tmp_path):
    stubs = {
        cell.tagged("answer:"): cell.source
        for cell in solved.notebooks.code_cells(notebook_for_students(hw3))
        if cell.tagged("answer:")
    }
    answers = {
        **stubs,
        "average_mended": solution["average_mended"],
        "scores_evidence": 'scores_evidence = ("shapes are broadcast", 3, 4)',
        "scores_mended": solution["scores_mended"],
    }
    notebook = solved.written(notebook_for_students(hw3), answers, "Ada Lovelace")
    graded = grade(hw3, solved.save(notebook, tmp_path / "hw3.ipynb"))
    brought = {one.name: (one.points, one.state) for one in graded.questions}
    assert brought.pop("average_mended") == brought.pop("scores_mended") == (9, "passed")
    assert brought.pop("scores_evidence") == (0, "not passed")
    assert {*brought.values()} == {(0, "not attempted")}
    assert graded.possible == 100
