"""An exercise is not turned by accident: not by an attempt, and not by a slip of its author."""

from __future__ import annotations

import pytest

import minigrad as torch
from minigrad import nn
from minigrad.lesson import Exercise, check


def vandal_of(model):
    def attempt(x):
        with torch.no_grad():
            for p in model.parameters():
                p.zero_()
        return x.sum(-1, keepdim=True) * 0

    return attempt


def test_an_attempt_that_destroys_what_the_answer_uses_is_still_wrong():
    model = nn.Linear(2, 1)
    exercise = Exercise("model", answer=lambda x: model(x).detach(), cases=[(torch.ones(1, 2),)])
    assert not check(exercise, vandal_of(model)).passed


def test_an_attempt_that_redefines_what_the_answer_uses_is_still_wrong():
    names = {"double": lambda x: 2 * x}

    def attempt(x):
        names["double"] = lambda x: 3 * x
        return 9 * x

    exercise = Exercise("four", answer=lambda x: names["double"](names["double"](x)), cases=[(1,)])
    assert not check(exercise, attempt).passed


@pytest.mark.parametrize("value", [True, False, 1, 0, [], {}, 2.5])
def test_a_judge_that_says_no_text_is_told_from_a_wrong_attempt(value, capsys):
    verdict = check(Exercise("it", judge=lambda attempt: value), 15)
    assert not verdict.passed and verdict.attempted
    assert "the exercise itself is ill-made" in verdict.message
    assert f"its judge returned {value}, and a text is wanted" in verdict.message
    assert "right." not in capsys.readouterr().out


def test_a_judge_may_say_that_there_is_no_attempt_yet():
    assert not check(Exercise("it", judge=lambda attempt: None), 15).attempted


@pytest.mark.parametrize("error", [NotImplementedError, ZeroDivisionError])
def test_an_answer_that_raises_is_told_from_an_attempt_that_does(error):
    def answer(x):
        raise error("not mine")

    verdict = check(Exercise("it", answer=answer, cases=[(1.0,)]), lambda x: x)
    assert not verdict.passed and verdict.attempted
    assert "ill-made" in verdict.message and f"raised {error.__name__}" in verdict.message


@pytest.mark.parametrize("why", ["", True, None])
def test_a_mistake_has_a_text_that_is_not_empty(why):
    with pytest.raises(TypeError, match="mistakes must map wrong answers to texts"):
        Exercise("it", answer=3, mistakes={4: why})


def test_a_judge_is_a_function():
    with pytest.raises(TypeError, match="judge must be a function"):
        Exercise("it", judge="right")
