"""HW1, build your own autograd: the solution has all points, and each mistake costs its own."""

from __future__ import annotations

import json
import math
import re
import sys
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hw1_wrong import WRONG

from minigrad import lesson
from minigrad import tensor as minigrad_tensor
from minigrad.homework.assignment import Assignment
from minigrad.homework.building import files_for_students
from minigrad.lesson.own_class import Engine, slips, slips_of_calls
from minigrad.lesson.own_class.programs import operations, random_graph

FOLDER = Path(__file__).resolve().parents[2] / "homework" / "hw1"
sys.path.insert(0, str(FOLDER))
try:
    import exercises as hw1
    import runner
    import stepping
finally:
    sys.path.remove(str(FOLDER))
    sys.modules.pop("exercises")  # every assignment has a module of this name

NOTEBOOK = json.loads((FOLDER / "hw1.ipynb").read_text(encoding="utf-8"))
NAMES = [exercise.name for exercise in hw1.EXERCISES]
BY_NAME = {exercise.name: exercise for exercise in hw1.EXERCISES}


def tag(cell):
    tags = cell["metadata"].get("tags", [])
    return next((one.removeprefix("answer:") for one in tags if one.startswith("answer:")), "")


ANSWERS = {tag(cell): "".join(cell["source"]) for cell in NOTEBOOK["cells"] if tag(cell)}


def graded(answers, *names):
    """The verdicts on these answers, each run with no other, but the one that it extends."""
    found = {}
    for name in names or NAMES:
        names_of_cell = {"math": math, "np": np}
        try:
            if name == "control_flow":
                exec(answers["arrays"], names_of_cell)
            exec(answers[name], names_of_cell)
            attempt = runner.runs_on(names_of_cell["Value"])
        except NotImplementedError:
            attempt = ...
        found[name] = lesson.judge(BY_NAME[name], attempt)
    return found


def points(verdicts):
    return sum(verdict.points for verdict in verdicts.values())


def test_the_exercises_are_worth_a_hundred_points_and_each_has_its_answer_cell():
    assert sum(exercise.points for exercise in hw1.EXERCISES) == 100
    assert list(ANSWERS) == NAMES


def test_the_solution_has_all_points():
    verdicts = graded(ANSWERS)
    assert points(verdicts) == 100, [str(verdict.text) for verdict in verdicts.values()]


def test_an_empty_submission_has_none_and_raises_nothing():
    stub = "class Value:\n    raise NotImplementedError"
    verdicts = graded(dict.fromkeys(NAMES, stub))
    assert points(verdicts) == 0
    assert not any(verdict.attempted for verdict in verdicts.values())


@pytest.mark.parametrize("one", WRONG, ids=[one.mistake for one in WRONG])
def test_a_mistake_costs_the_points_of_its_stage_and_is_named(one):
    source = ANSWERS[one.answer]
    if one.mistake == "recursive":
        spoilt = ANSWERS["order"]
    else:
        assert source.count(one.right) == 1, "the solution has changed"
        spoilt = source.replace(one.right, one.wrong)
    # Every other answer is run on its own, and is not touched by this one.
    verdict = graded({**ANSWERS, one.answer: spoilt}, one.answer)[one.answer]
    assert verdict.attempted and not verdict.passed
    assert one.says in verdict.message
    assert "nan" not in verdict.message


def test_each_mistake_has_its_own_message():
    said = {}
    for one in WRONG:
        if one.mistake != "recursive":
            spoilt = ANSWERS[one.answer].replace(one.right, one.wrong)
            verdict = graded({**ANSWERS, one.answer: spoilt}, one.answer)[one.answer]
            said[one.mistake] = verdict.message.splitlines()[0]
    doubles = (
        {"overwrites", "overwrites in order"},
        {"before its users", "a stack's order", "marked when it is put on the list"},
        {"adds to None in a fork", "adds to None in order"},
        {"walks in a thread with a stack of its own", "switches the count off"},
    )
    alone = set(said) - set.union(*doubles)
    assert len({said[mistake] for mistake in alone}) == len(alone)


def test_a_spoilt_arrays_answer_leaves_control_flow_alone():
    """The one answer that is built on another: its programs need no broadcasting."""
    spoilt = ANSWERS["arrays"].replace("if length == 1 and", "if False and")
    verdicts = graded({**ANSWERS, "arrays": spoilt}, "arrays", "control_flow")
    assert points(verdicts) == 10


def test_an_engine_is_shown_the_smallest_program_on_which_it_differs():
    spoilt = ANSWERS["reuse"].replace("else self.grad + g", "else g")
    message = graded({**ANSWERS, "reuse": spoilt}, "reuse")["reuse"].message
    assert message.splitlines()[-1].startswith("  Your engine first differs on x * x  at x = ")


def test_a_failing_random_graph_is_shrunk_to_one_product():
    program = random_graph(np.random.default_rng(3), 8)
    assert operations(program) > 6
    said = lesson.own_class.own_class([program])(slips.Overwrite().run)
    first, *lines = said.split("differs on ")[1].splitlines()
    assert not lines, said
    assert first.split("  at ")[0] in ("a * a", "b * b", "a + a", "b + b")


def test_forty_doublings_along_every_path_are_stopped():
    path_by_path = ANSWERS["reuse"]
    verdict = graded({**ANSWERS, "order": path_by_path}, "order")["order"]
    assert "along every path" in verdict.message


def test_a_changed_recursion_limit_is_noticed():
    spoilt = ANSWERS["depth"].replace(
        "        order = []\n",
        "        import sys\n        sys.setrecursionlimit(99_999)\n        order = []\n",
    )
    verdict = graded({**ANSWERS, "depth": spoilt}, "depth")["depth"]
    assert "it changes the recursion limit, and that is not the way" in verdict.message


def test_a_grad_that_begins_as_0_is_shown_where_the_named_value_occurs():
    spoilt = ANSWERS["accumulate"].replace("self.grad = None", "self.grad = 0.0")
    said, *lines = graded({**ANSWERS, "accumulate": spoilt}, "accumulate")[
        "accumulate"
    ].message.splitlines()
    named = said.split(".grad")[0]
    assert any(re.search(rf"\b{named}\b", line) for line in lines[1:]), lines


@pytest.mark.parametrize("wrong", ["other - self", "Value.of(other) * self"])
def test_a_number_on_the_left_is_tried_with_arrays_too(wrong):
    right = "return Value.of(other) * self**-1"
    assert ANSWERS["arrays"].count(right) == 1
    spoilt = ANSWERS["arrays"].replace(right, f"return {wrong}")
    assert graded({**ANSWERS, "arrays": spoilt}, "arrays")["arrays"].points == 0


def test_operators_that_call_each_other_without_end_are_told_apart_from_a_deep_graph():
    right = "return (-self) + other"
    assert ANSWERS["scalars"].count(right) == 1
    spoilt = ANSWERS["scalars"].replace(right, "return other - self")
    message = graded({**ANSWERS, "scalars": spoilt}, "scalars")["scalars"].message
    assert message.startswith("its operators call each other without end")


def test_so_they_are_where_somebody_else_s_function_is_the_one_too_many():
    """A clock that looks at each line is called at the greatest depth, too."""
    spoilt = ANSWERS["scalars"].replace("return (-self) + other", "return other - self")

    def traced(*about):
        one_deeper()
        return traced

    before = sys.gettrace()
    attempt = _run(spoilt)
    sys.settrace(traced)
    try:
        made = attempt([["leaf", "x", 3.0], ["sub", "c", 2.0, "x"], ["value", "c"]])
    finally:
        sys.settrace(before)
    assert made["error"]["kind"] == "OperatorsInACircle"


def one_deeper():
    pass


def test_a_result_that_has_no_name_is_called_what_it_was_made_of():
    spoilt = ANSWERS["scalars"].replace("return (-self) + other", "return (-self) + 2 * other")
    said, program = graded({**ANSWERS, "scalars": spoilt}, "scalars")[
        "scalars"
    ].message.splitlines()
    made_of = program.partition("differs on ")[2].partition("  at ")[0]
    assert re.fullmatch(r"[\d.]+ - x", made_of)
    assert said.startswith(f"({made_of}).data is ")


MINUS_BY_PRODUCT = """class Value:
    def __init__(self, data):
        self.data = data
        self.grad = None
        self.edges = []

    def __add__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data + other.data)
        out.edges = [(self, lambda g: g), (other, lambda g: g)]
        return out

    __radd__ = __add__

    def __mul__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data * other.data)
        out.edges = [(self, lambda g: g * self.data), (other, lambda g: g * other.data)]
        return out

    __rmul__ = __mul__

    def __neg__(self):
        return self * -1

    def __sub__(self, other):
        return self + other * -1

    def __rsub__(self, other):
        return self * -1 + other

    def __pow__(self, n):
        out = Value(self.data**n)
        out.edges = [(self, lambda g: g * n * self.data ** (n - 1))]
        return out

    def tanh(self):
        t = math.tanh(self.data)
        out = Value(t)
        out.edges = [(self, lambda g: g * (1 - t**2))]
        return out

    def backward(self, g=1.0):
        self.grad = g
        for operand, rule in self.edges:
            operand.backward(rule(g))
"""


def test_swapped_factors_are_named_too_where_a_minus_is_a_product():
    verdict = lesson.judge(BY_NAME["scalars"], _run(MINUS_BY_PRODUCT))
    assert "its own value times g" in verdict.message
    right = MINUS_BY_PRODUCT.replace("g * self.data),", "g * other.data_),")
    right = right.replace("g * other.data)", "g * self.data)").replace("data_", "data")
    assert lesson.judge(BY_NAME["scalars"], _run(right)).passed


@pytest.mark.parametrize("name", NAMES)
def test_an_empty_answer_cell_is_no_attempt(name):
    assert not lesson.judge(BY_NAME[name], runner.runs_on(...)).attempted


def test_the_judge_itself_is_no_engine_to_borrow():
    class Value:
        def __init__(self, data):
            self.made = Engine()

        def __add__(self, other):
            self.made.run([["leaf", "x", 1.0]])
            return self

    verdict = lesson.judge(BY_NAME["scalars"], runner.runs_on(Value))
    assert "it rests on minigrad" in verdict.message


def test_the_notebook_s_last_cells_leave_the_class_alone():
    own = [c for c in NOTEBOOK["cells"] if c["cell_type"] == "code" and not tag(c)]
    assert not any(re.search(r"\bas Value\b|^Value =", "".join(c["source"]), re.M) for c in own)


def test_stage_5_s_first_run_works_on_the_class_of_stage_5_as_well(capsys):
    cell = next(c for c in NOTEBOOK["cells"] if c["id"] == "s5-fails")
    names = {"math": math, "np": np}
    exec(ANSWERS["accumulate"], names)
    source = "".join(cell["source"]).replace("y.backward()", "y.backward(retain_graph=True)")
    exec(source, names)
    assert "after two passes: 24.0" in capsys.readouterr().out


def test_what_is_handed_out_mentions_no_name_that_was_cut_from_it():
    handed_out = dict(files_for_students(Assignment(FOLDER)))
    source = handed_out["exercises.py"].decode()
    assert not re.search(r"MORE|SEED_OF_HIDDEN|hidden|TREE", source)
    assert not re.search(r"[ \t]+\n|\n{4}|\n\n\Z", source)
    cells = json.loads(handed_out["hw1.ipynb"])["cells"]
    last = next(c for c in cells if tag(c) == "control_flow")
    assert "Value = ..." not in last["source"]
    assert last["source"].startswith("class Value(Value):")


def test_minigrad_is_no_answer():
    class Value:
        def __init__(self, data):
            self.inside = data if hasattr(data, "grad_fn") else minigrad_tensor(data)

        def __add__(self, other):
            return Value(self.inside + getattr(other, "inside", other))

    verdict = lesson.judge(BY_NAME["scalars"], runner.runs_on(Value))
    assert "it rests on minigrad" in verdict.message


def test_hidden_checks_name_the_concept_and_show_no_number():
    spoilt = ANSWERS["scalars"].replace("g * n * self.data ** (n - 1)", "g * 3 * self.data**2")
    verdict = graded({**ANSWERS, "scalars": spoilt}, "scalars")["scalars"]
    assert not verdict.passed
    assert "differs on" not in BY_NAME["scalars"].hidden(_run(spoilt))


def _run(source):
    return runner.runs_on(class_of(source))


def class_of(source):
    names = {"math": math, "np": np}
    exec(source, names)
    return names["Value"]


# ------------------------------------------------------------------------ the notebook


def test_the_notebook_runs_from_top_to_bottom_and_the_engine_trains_on_digits(capsys, monkeypatch):
    monkeypatch.syspath_prepend(str(FOLDER))
    monkeypatch.setitem(sys.modules, "exercises", hw1)
    names = {"__name__": "__main__"}
    for cell in NOTEBOOK["cells"]:
        if cell["cell_type"] == "code":
            source = "".join(cell["source"])
            if cell["id"] == "s3-fails":
                source = source.replace("(14, 16, 18, 20)", "(4, 6)")
            exec(compile(source, f"<cell {cell['id']}>", "exec"), names)
            if cell["id"] == "step":
                own = names["visits_of"](names["Value"])
                stepper = names["BackwardStepper"](names["e"], engine=own)
                assert repr(stepper).endswith("Value.backward; all gradients are right)")
    said = capsys.readouterr().out
    assert said.count("✓") == len(NAMES)
    assert "✗" not in said
    assert "after two passes: 36.0" in said  # stage 4's engine: what stage 5 begins with
    shares = [float(line.split("%")[0]) for line in said.splitlines() if "new digits" in line]
    assert len(shares) == 2
    assert min(shares) > 93
    assert names["my_losses"] == pytest.approx(names["its_losses"])


def test_the_stepper_takes_a_class_that_tells_leaves_by_a_mark_of_its_own():
    edges = "for operand, _ in value.edges:"
    assert ANSWERS["arrays"].count(edges) == 1
    marked = edges.replace("value.edges", "([] if value.is_leaf else value.edges)")
    a, b = (minigrad_tensor(number, requires_grad=True) for number in (2.0, 6.0))
    loss = (a + b) * b.tanh()
    arrived = stepping.visits_of(class_of(ANSWERS["arrays"].replace(edges, marked)))(loss)
    loss.backward()
    assert {leaf: float(g) for leaf, g in arrived.items()} == pytest.approx(
        {leaf: leaf.grad.item() for leaf in (a, b)}
    )


def test_each_stage_but_the_first_begins_with_a_failing_run_of_the_one_before():
    """On the class as the cell before has left it, and the check of the next stage sees it."""
    for before, name in pairwise(NAMES):
        attempt = _run(ANSWERS[before])
        assert not lesson.judge(BY_NAME[name], attempt).passed


# ------------------------------------------------------------------------ the programs


def test_the_truth_is_what_minigrad_says():
    """On random graphs, of an engine that shares no line with it."""
    random = np.random.default_rng(0)
    for _ in range(40):
        program = random_graph(random, 7)
        made = {
            step[1]: minigrad_tensor(np.float64(step[2]), requires_grad=True)
            for step in program
            if step[0] == "leaf"
        }
        leaves = dict(made)
        for verb, name, *parts in program:
            if verb in runner.BINARY:
                made[name] = runner.BINARY[verb](*[made[part] for part in parts])
            elif verb == "tanh":
                made[name] = made[parts[0]].tanh()
        made["y"].backward()
        wanted = [None if one.grad is None else one.grad.item() for one in leaves.values()]
        assert Engine().run(program)["looks"][1:] == pytest.approx(wanted)


STAGES = {
    "scalars": [*slips.RULES_WRONG, *slips.CHAINS],
    "reuse": slips.REUSES,
    "order": slips.ORDERS,
    "accumulate": slips_of_calls.SEVERAL,
    "arrays": [*slips_of_calls.BROADCASTS, *slips_of_calls.ARRAYS, *slips_of_calls.SHARED],
}
EACH = [(stage, slip) for stage, known in STAGES.items() for slip in known]


@pytest.mark.parametrize(
    ("stage", "slip"), EACH, ids=[f"{stage}: {slip.text[:50]}" for stage, slip in EACH]
)
def test_no_mistake_looks_like_the_truth_or_like_another_on_the_programs_of_its_stage(stage, slip):
    """So the judge says this slip's text, and never another one's."""

    def attempt(program):
        try:
            return slip.makes().run(program)
        except slips.TooLong:
            return {"looks": [], "error": {"kind": "TooMuchWork", "text": "", "line": ""}}

    message = BY_NAME[stage].judge(attempt)
    assert message
    assert message.startswith((slip.text, "it called", "it was stopped", "it raised RuntimeError"))


def test_a_class_that_changes_its_operands_is_caught():
    spoilt = ANSWERS["arrays"].replace(
        "return Value.made(np.log(self.data)",
        "self.data += 1\n        return Value.made(np.log(self.data)",
    )
    assert not graded({**ANSWERS, "arrays": spoilt}, "arrays")["arrays"].passed


@pytest.mark.parametrize("name", NAMES)
def test_whatever_an_attempt_hands_out_is_no_error_of_the_grader(name):
    for attempt in (3, lambda program: None, lambda program: {"looks": [None], "error": {}}):
        verdict = lesson.judge(BY_NAME[name], attempt)
        assert not verdict.passed
        assert "ill-made" not in verdict.message


def test_the_files_that_are_handed_out_hold_no_answer():
    for name in ("runner.py", "stepping.py"):
        source = (FOLDER / name).read_text(encoding="utf-8")
        assert "1 - t**2" not in source and "expand_dims" not in source
    shown, *hidden = (FOLDER / "exercises.py").read_text(encoding="utf-8").split("### BEGIN HIDDEN")
    assert len(hidden) == 2
    assert "SEED_OF_HIDDEN" not in shown + hidden[0].split("### END HIDDEN")[1]


def test_what_is_handed_out_has_no_seed_and_no_structure_of_the_hidden_programs():
    handed_out = "\n".join(
        content.decode() for _, content in files_for_students(Assignment(FOLDER))
    )
    for told in ("SEED_OF_HIDDEN =", "MORE:", "PRODUCTS:", "LONG_LADDER", "NESTED", "pow c x 4"):
        assert told not in handed_out
    assert "set the seed to a" not in handed_out


@pytest.mark.parametrize("seed", [3, 4])
def test_a_teacher_may_take_another_seed_and_the_solution_still_has_all_points(seed):
    source = (FOLDER / "exercises.py").read_text(encoding="utf-8")
    own_seed = re.sub(r"SEED_OF_HIDDEN = [\d_]+", f"SEED_OF_HIDDEN = {seed}", source)
    assert own_seed != source
    names = {"__name__": "another_seed"}
    exec(compile(own_seed, "exercises.py", "exec"), names)
    for exercise in names["EXERCISES"]:
        own = ANSWERS[exercise.name]
        if exercise.name == "control_flow":
            own = ANSWERS["arrays"] + "\n" + own
        assert exercise.hidden(_run(own)) == ""
