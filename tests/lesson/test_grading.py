"""``judge``: a verdict with points, without a word, and by hidden cases too."""

from __future__ import annotations

import pytest

from minigrad.lesson import Exercise, broke, check, judge, tries

double = Exercise(
    "double",
    answer=lambda x: x * 2,
    cases=[(2.0,)],
    hidden=[(3.25,), (-1.0,)],
    mistakes={lambda x: x * x: broke("local", "that squares x."), lambda x: 4: "that is always 4."},
    points=5,
)


def test_a_right_attempt_gets_the_points_and_a_wrong_one_none():
    assert judge(double, lambda x: x + x).points == 5
    assert judge(double, lambda x: x).points == 0
    assert judge(double, lambda x: x).attempted


def test_nothing_is_printed_shown_or_remembered(capsys):
    def talks(x):
        print("passed!")
        return x

    before = dict(tries.kept)
    first = judge(double, talks)
    assert capsys.readouterr() == ("", "")
    assert tries.kept == before
    assert judge(double, talks).text == first.text


def test_hidden_cases_count_for_judge_and_not_for_check():
    assert check(double, lambda x: 4.0).passed
    assert not judge(double, lambda x: 4.0).passed
    assert judge(double, lambda x: 4.0, hidden=False).passed


def test_what_is_said_of_a_hidden_case_names_the_mistake_and_its_rule():
    verdict = judge(double, lambda x: x * x)
    assert verdict.message.endswith("a hidden one is not: that squares x.")
    assert verdict.rule == "local"


@pytest.mark.parametrize(
    ("attempt", "said"),
    [
        (lambda x: 4.0 if x > 0 else 5.0, "a number is wrong."),
        (lambda x: 4.0 if x == 2 else "4", "what comes back is of another kind or shape."),
        (lambda x: 4.0 if x == 2 else float("nan"), "there is a nan in it."),
    ],
)
def test_what_is_said_of_a_hidden_case_has_no_number_in_it(attempt, said):
    message = judge(double, attempt).message
    assert message == "the open check is passed, and a hidden one is not: " + said


def test_a_judge_may_have_a_hidden_judge_beside_it():
    even = Exercise(
        "even",
        judge=lambda n: "" if n % 2 == 0 else "it is odd.",
        hidden=lambda n: "" if n > 10 else "it is small.",
    )
    assert judge(even, 12).passed
    assert judge(even, 11).message == "it is odd."
    assert (
        judge(even, 4).message == "the open check is passed, and a hidden one is not: it is small."
    )


def test_what_is_no_attempt_or_raises_gets_no_points_and_says_so():
    def unwritten(x):
        raise NotImplementedError

    assert not judge(double, unwritten).attempted
    assert not judge(double).attempted
    assert judge(double, lambda x: x / 0).message.startswith("it raised ZeroDivisionError")


@pytest.mark.parametrize(
    "options",
    [
        {"answer": 1.0, "points": -1},
        {"answer": 1.0, "points": float("inf")},
        {"answer": 1.0, "hidden": [(1,)]},
        {"answer": abs, "cases": [(1,)], "hidden": []},
        {"judge": lambda attempt: "", "hidden": [(1,)]},
    ],
)
def test_an_exercise_with_wrong_points_or_hidden_cases_is_refused(options):
    with pytest.raises((ValueError, TypeError), match="what"):
        Exercise("what", **options)
