"""``check``: feedback in the order that helps, whatever the attempt does."""

from __future__ import annotations

import numpy as np
import pytest

import minigrad as torch
from minigrad.lesson import Exercise, broke, check, in_order, same_graph

nan = float("nan")


def leaf(value, **options):
    return torch.tensor(value, requires_grad=True, **options)


def vectors(random):
    x = torch.tensor(random.normal(size=(2, 3)), requires_grad=True)
    return x, torch.tensor(random.normal(size=(1, 3)), requires_grad=True)


def reference(x, w):
    return (x * w).tanh()


product = Exercise(
    "product",
    answer=reference,
    cases=vectors,
    mistakes={
        lambda x, w: (x + w).tanh(): "that adds. Multiply.",
        lambda x, w: x * w: "the tanh is missing.",
        lambda x, w: (x * w.detach()).tanh(): "no gradient reaches w.",
    },
)
slope = Exercise("slope", answer=15.0, mistakes={8.0: "only through d.", 7.0: "only through c."})


def said(exercise, attempt):
    return check(exercise, attempt).message


@pytest.mark.parametrize("attempt", [..., None, [1, ...], (..., 2)])
def test_what_is_not_attempted_says_so_and_does_not_raise(attempt, capsys):
    verdict = check(slope, attempt)
    assert capsys.readouterr().out.startswith("… slope: not attempted yet")
    assert not verdict.passed and not verdict.attempted
    assert repr(verdict) == "Verdict('slope', not attempted)"


def test_a_list_that_is_filled_in_partly_is_told_how_much_is_left(capsys):
    grads = Exercise("grads", answer=[1.0, 2.0, 3.0])
    assert not check(grads, [1.0, ..., ...]).attempted
    assert capsys.readouterr().out == "… grads: not attempted yet: 2 of 3 answers are still open.\n"


def test_without_an_attempt_there_is_none():
    assert not check(slope).attempted


@pytest.mark.parametrize("attempt", [15, 15.0, torch.tensor(15.0), leaf([15.0]), np.float32(15)])
def test_a_right_value_passes_in_any_form(attempt, capsys):
    assert check(slope, attempt).passed
    assert capsys.readouterr().out == "✓ slope: right.\n"


def test_feedback_on_a_value_comes_in_its_order():
    assert said(slope, "15") == "it is a str, and a number is wanted."
    assert said(slope, lambda: 15) == "it is a function, and a number is wanted."
    assert said(slope, [1.0, 2.0]) == "it has shape (2,), and () is wanted."
    assert said(slope, nan) == "it is nan: not a number."
    assert said(slope, 8) == "only through d."
    assert said(slope, 12) == "it is 12: too small."


# --- The ladder ----------------------------------------------------------------------------------

helped = Exercise(
    "slope",
    answer=15.0,
    mistakes={8.0: broke("add", "only through d.")},
    hint="Count the paths.",
    because="7 + 8.",
)


def climb(exercise, *attempts):
    return [check(exercise, attempt) for attempt in attempts]


def test_what_is_right_is_told_at_the_third_wrong_attempt_and_not_before():
    first, second, third = climb(helped, 8, 12, 20)
    assert first.text == "✗ slope: only through d."
    assert second.text == "✗ slope: it is 12: too small.\n  Hint: Count the paths."
    assert third.text.splitlines() == [
        "✗ slope: it is 20: too large.",
        "  It is 20, and should be 15 (relative error 0.33).",
        "  7 + 8.",
    ]
    assert [verdict.rung for verdict in (first, second, third)] == [1, 2, 3]
    assert (first.rule, second.rule) == ("add", "")


def test_a_known_mistake_is_told_what_is_right_too_when_it_is_the_third():
    *_, last = climb(helped, 12, 20, 8)
    assert last.lines == ["It is 8, and should be 15 (relative error 0.47).", "7 + 8."]


def test_the_same_attempt_again_stays_on_its_rung():
    assert [verdict.tries for verdict in climb(helped, 12, 12, 12.0)] == [1, 1, 1]
    assert [verdict.tries for verdict in climb(helped, 13, 12)] == [2, 2]


def test_what_is_open_or_right_or_raises_an_error_is_no_wrong_attempt():
    def raising(x, w):
        raise ValueError("no")

    attempts = (..., 15, lambda x, w: x + w, raising, ...)
    assert [verdict.tries for verdict in climb(product, *attempts)] == [0, 1, 2, 2, 0]
    assert check(helped, 15).text == "✓ slope: right.\n  7 + 8."
    assert check(helped, 15).rung == 0


def test_more_wrong_attempts_are_counted_but_there_is_no_fourth_rung():
    *_, last = climb(helped, 8, 12, 20, 21)
    assert (last.tries, last.rung) == (4, 3) and "should be 15" in last.text


def test_an_exercise_that_is_made_anew_goes_on_where_it_was():
    made = [Exercise("graph 1", answer=4.0) for _ in range(3)]
    rungs = [check(exercise, wrong).rung for wrong, exercise in enumerate(made, 5)]
    assert rungs == [1, 2, 3]
    assert check(Exercise("graph 1", answer=5.0), 6).rung == 1


def test_a_function_is_told_in_which_call_and_what_is_right_at_last():
    double = Exercise("double", answer=lambda x: 2 * x, cases=[(3.0,)])
    first, _, third = climb(double, lambda x: x, lambda x: -x, lambda x: 3 * x)
    assert first.text == "✗ double: called with 3, the result is 3: too small."
    assert third.lines == ["Called with 3, the result is 9, and should be 6 (relative error 0.5)."]


def test_several_arguments_are_told_with_the_names_of_the_attempt():
    sloped = Exercise("sloped", answer=lambda v, x: v * x, cases=[(2.0, 3.0)])
    assert check(sloped, lambda v, x: v).text == (
        "✗ sloped: called with v = 2, x = 3, the result is 2: too small."
    )
    assert "called with 2, 3, the result" in check(sloped, lambda *all: all[1]).text


def test_a_result_that_is_off_by_more_than_itself_has_no_relative_error():
    doubled = Exercise("doubled", answer=lambda x: 2 * x, cases=[(3.0,)])
    *_, last = [check(doubled, lambda x, k=k: k * x) for k in (-1, -2, -7)]
    assert last.lines == ["Called with 3, the result is -21, and should be 6."]


def test_a_judge_may_break_rules_and_have_an_example():
    judge = in_order({"e": [], "c": ["e"]})
    either = Exercise("order", judge=judge, answer=["e", "c"], because="c needs e.")
    *_, last = climb(either, ["c"], ["c", "e"], ["e"])
    assert last.lines == ["A right answer is [e, c].", "c needs e."]
    ruled = Exercise("ruled", judge=lambda attempt: broke("wait", "too early."))
    assert check(ruled, 1).rule == "wait"


@pytest.mark.parametrize("option", ["hint", "because"])
def test_help_that_is_no_text_is_an_error_at_once(option):
    with pytest.raises(TypeError, match="hint and because must be texts"):
        Exercise("slope", answer=15.0, **{option: 5})


# --- Functions -----------------------------------------------------------------------------------


def test_feedback_on_a_function_comes_in_its_order():
    def raising(x, w):
        return x @ undefined_name  # noqa: F821

    assert "raised NameError: name 'undefined_name' is not defined" in said(product, raising)
    assert said(product, 5) == "it is 5, and a function is wanted."
    assert said(product, lambda x, w: "hello") == "the result is a str, and a number is wanted."
    assert said(product, lambda x, w: None or None) == "not attempted yet."
    assert "has shape (2,), and (2, 3) is wanted" in said(product, lambda x, w: (x * w).sum(1))
    assert "is nan: not a number" in said(product, lambda x, w: (x * w).tanh() * nan)
    assert said(product, lambda x, w: w * x) == "the tanh is missing."
    off = said(product, lambda x, w: (x * w).tanh() * 1.5)
    assert off.startswith("called with x = [[") and off.endswith(": too large.")
    assert check(product, lambda x, w: torch.tanh(w * x)).passed


STUBS = ["...", "pass", "return None", "'What it does.'", "'What it does.'\n    pass\n    ..."]


@pytest.mark.parametrize("body", STUBS)
def test_a_function_without_a_body_is_not_attempted_yet(body):
    namespace = {}
    exec(f"def attempt(x, w):\n    {body}\n", namespace)
    assert said(product, namespace["attempt"]) == "not attempted yet."


@pytest.mark.parametrize("body", ["x * w", "y = 5", "print(end='')", "if x.ndim: pass"])
def test_one_that_does_something_and_returns_nothing_is(body):
    namespace = {}
    exec(f"def attempt(x, w):\n    {body}\n", namespace)
    assert said(product, namespace["attempt"]) == "the result is None, and a number is wanted."


def test_gradients_are_compared_too():
    assert said(product, lambda x, w: (x * w.detach()).tanh()) == "no gradient reaches w."
    assert "has no history" in said(product, lambda x, w: (x * w).tanh().detach())
    wrong = said(product, lambda x, w: (x.detach() * w).tanh())
    assert "of the gradient for argument 1 is 0: too small." in wrong


def test_the_line_that_raised_is_theirs_and_not_ours():
    source = "def attempt(x, w):\n    y = x * w\n    return y.reshape(7, 7)\n"
    namespace = {}
    exec(compile(source, "their_notebook.py", "exec"), namespace)
    message = said(product, namespace["attempt"])
    assert "raised RuntimeError" in message and "their_notebook.py, line 3" in message
    assert "lesson" not in message


@pytest.mark.parametrize(
    "error", [KeyError("x"), RecursionError(), SystemExit(3), ValueError("é" * 9999)]
)
def test_whatever_is_raised_is_told_in_few_lines(error):
    def attempt(x, w):
        raise error

    verdict = check(product, attempt)
    assert verdict.attempted and not verdict.passed
    assert type(error).__name__ in verdict.message
    assert len(verdict.message) < 800 and len(verdict.message.splitlines()) <= 8


def test_an_interrupt_is_not_swallowed():
    def attempt(x, w):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        check(product, attempt)


def test_a_function_with_an_empty_body_is_no_attempt():
    def dots(x, w): ...

    def passing(x, w):
        """With a docstring."""
        pass

    def open_(x, w):
        raise NotImplementedError("your turn")

    def half(x, w):
        return ...

    for attempt in (dots, passing, open_, half):
        assert not check(product, attempt).attempted


def test_a_function_that_forgets_to_return_is_an_attempt():
    def forgetful(x, w):
        y = x * w
        y.tanh()

    assert said(product, forgetful) == "the result is None, and a number is wanted."


def test_the_wrong_number_of_arguments_is_told():
    assert "raised TypeError" in said(product, lambda x: x)


def test_cases_are_made_anew_so_a_vandal_only_hurts_itself():
    def vandal(x, w):
        result = (x * w).tanh()
        x.data.zero_()
        return result

    check(product, vandal)
    assert check(product, reference).passed


def test_huge_results_make_short_messages():
    for attempt in (list(range(10**5)), "x" * 10**6, np.zeros((1000, 1000))):
        assert len(said(slope, attempt)) < 200
    assert len(said(product, lambda x, w: torch.zeros(500, 500))) < 200


def test_several_results_are_compared_one_by_one():
    both = Exercise("both", answer=lambda x, y: (x * y, x + y), cases=[(3.0, 4.0)])
    assert check(both, lambda x, y: (x * y, x + y)).passed
    assert said(both, lambda x, y: x * y) == "1 result, and 2 are wanted."
    assert "result 2 is -1: the sign is wrong." in said(both, lambda x, y: (x * y, x - y))


def test_a_number_cannot_stand_for_a_truth_value_nor_a_text_for_a_list():
    assert not check(Exercise("is leaf", answer=True), 1).passed
    assert check(Exercise("is leaf", answer=True), True).passed
    assert not check(Exercise("ops", answer=["add", "mul"]), "add").passed
    ops = Exercise("ops", answer=["add", "mul"])
    assert said(ops, ["add", "sub"]) == "entry [1] of it is sub, which is not right."
    assert said(ops, ["add"]) == "it is [add], which is not right."
    assert check(Exercise("nothing", answer=None), None).passed


def test_an_entry_is_named_by_its_place():
    table = Exercise("table", answer=torch.tensor([[1.0, 2.0], [3.0, 4.0]]))
    assert said(table, [[1, 2], [3, 5]]) == "entry [1, 1] of it is 5: too large."
    assert said(table, [[1, 2], [nan, 5]]) == "entry [1, 0] of it is nan: not a number."
    assert said(table, [[1, 2], [3]]) == "it is a list, and a number is wanted."


def test_a_known_mistake_of_another_shape_is_named_too():
    rows = Exercise(
        "rows",
        answer=lambda x, w: x.sum(1),
        cases=vectors,
        mistakes={lambda x, w: x.sum(0): "it adds along the columns."},
    )
    assert said(rows, lambda x, w: x.sum(0)) == "it adds along the columns."
    assert "has shape (), and (2,) is wanted" in said(rows, lambda x, w: x.sum())


def test_a_mistake_may_be_recognised_by_a_function():
    exercise = Exercise("sign", answer=3.0, mistakes={lambda v: v < 0: "the sign is wrong."})
    assert said(exercise, -2) == "the sign is wrong."
    assert said(exercise, 2).startswith("it is 2")


def test_the_same_cases_come_from_the_same_seed():
    first, again = ([a[0].tolist() for a in product.generated()] for _ in range(2))
    assert first == again and len(first) == 5 and first[0] != first[1]


def test_to_compare_functions_an_exercise_needs_cases():
    with pytest.raises(ValueError, match="needs cases"):
        Exercise("f", answer=abs)


def test_an_attempt_that_cannot_even_be_looked_at_stops_nothing():
    endless = []
    endless.append(endless)
    assert said(slope, endless) == "it is a list, and a number is wanted."
    assert said(product, lambda x, w: ()) == "0 results, and 3 are wanted."


def test_none_is_no_attempt_where_a_judge_decides():
    assert not check(order, None).attempted


def test_only_exercises_can_be_checked():
    with pytest.raises(TypeError, match="is not an Exercise"):
        check("slope", 15)


# --- Exercises with several right answers --------------------------------------------------------

NEEDS = {"e": [], "c": ["e"], "d": ["e"], "a": ["c"], "b": ["c", "d"]}
order = Exercise("order", judge=in_order(NEEDS))


@pytest.mark.parametrize("lines", ["ecdab", "edcab", "edcba", "ecadb", "ecdba"])
def test_every_topological_order_is_right(lines):
    assert check(order, list(lines)).passed


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ("ecbda", "b comes before d, which it needs."),
        ("cedab", "c comes before e, which it needs."),
        ("ecda", "b is missing."),
        ("ecdabx", "x is none of the lines."),
        ("eecdab", "e comes twice."),
    ],
)
def test_every_other_order_is_told_what_is_wrong(lines, message):
    assert said(order, list(lines)) == message


def test_an_order_is_a_list():
    assert said(order, "ecdab") == "a list of lines is wanted, in the order in which they run."
    assert not check(order, [..., "e"]).attempted
    assert said(order, [["e"]]) == "['e'] is none of the lines."


def test_a_graph_is_the_same_whatever_its_values_and_names():
    a, b, p, q = leaf(2.0), leaf(6.0), leaf([1.0, 2.0]), leaf([3.0, 4.0])
    picture = Exercise("picture", judge=same_graph((a + b) * (b + 1)))
    assert check(picture, (p + q) * (q + 5)).passed
    assert check(picture, (5 + q) * (q + p)).passed
    assert check(picture, (a + b) * (a + 1)).passed
    assert "yours has 1 add, 1 mul" in said(picture, (p + q) * q)
    assert "connected differently" in said(picture, (p + q) * (p + p))
    assert "a tensor is wanted" in said(picture, 56)
    assert "no operations" in said(picture, torch.tensor(56.0))


def test_sharing_a_result_is_told_from_computing_it_twice():
    x = leaf(2.0)
    shared = x * x
    assert not check(Exercise("p", judge=same_graph(shared * shared)), (x * x) * (x * x)).passed
    assert check(Exercise("p", judge=same_graph(shared * shared)), (lambda s: s * s)(x * x)).passed
    assert not check(Exercise("p", judge=same_graph(((x * x) * x) * x)), shared * shared).passed


def test_which_of_two_leaves_is_used_twice_does_not_matter_but_that_one_is():
    a, b, c = leaf(1.0), leaf(2.0), leaf(3.0)
    judge = same_graph((a * b) + a)
    assert judge((b * a) + b) == "" and judge(b + (a * b)) == ""
    assert judge((a * b) + c) != ""


def test_the_order_of_operands_matters_where_it_matters():
    a, b = leaf(1.0), leaf(2.0)
    judge = same_graph((a * b) - a)
    assert judge((b * a) - b) == ""
    assert judge(a - (a * b)) != ""
