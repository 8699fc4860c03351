"""``judge``: the verdict of ``check`` in silence, with points, and by the hidden cases too.

It remembers nothing: neither what was tried before, nor that it was asked. So the same attempt gets
the same verdict, however often it is judged.
"""

from __future__ import annotations

import builtins
import contextlib
import io
from dataclasses import replace
from typing import Any

from .attempt import tried
from .checking import RIGHT, Exercise, Finding, Verdict, examined, outcomes
from .comparing import KIND, NAN, worst_difference
from .rules import broke, rule_of
from .values import words

HIDDEN = "the open check is passed, and a hidden one is not: "
DIFFERS = {KIND: "what comes back is of another kind or shape.", NAN: "there is a nan in it."}


def judge(exercise: Exercise, attempt: Any = ..., *, hidden: bool = True) -> Verdict:
    """The verdict on an attempt, without a word: nothing is printed, shown or remembered.

    ``hidden``: whether the exercise's hidden cases count too. What is said of these names the
    mistake, and never a number. ``points`` of the verdict are the exercise's if it is passed.

    It runs the attempt in this very process, like ``check``: where somebody may want to get round
    it, ``python -m minigrad.homework`` judges attempts in processes of their own.

    >>> import minigrad as torch
    >>> double = torch.lesson.Exercise(
    ...     "double", answer=lambda x: x * 2, cases=[(2.0,)], hidden=[(3.0,)], points=5
    ... )
    >>> verdict = torch.lesson.judge(double, lambda x: x * x)
    >>> verdict.passed, verdict.points, verdict.message
    (False, 0.0, 'the open check is passed, and a hidden one is not: a number is wrong.')
    >>> torch.lesson.judge(double, lambda x: x + x).points
    5.0
    """
    if not isinstance(exercise, Exercise):
        raise TypeError(f"judge(exercise, attempt): {words(exercise)} is not an Exercise")

    by_hidden = False

    def found() -> Finding | None:
        nonlocal by_hidden
        open_one = examined(exercise, attempt)
        if open_one != RIGHT or not hidden or exercise.hidden is None:
            return open_one
        by_hidden = True
        return hidden_finding(exercise, attempt)

    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        said = tried(found, exercise.seconds)
    if isinstance(said, Finding):
        said = said.text
    verdict = Verdict(exercise.name, said)
    verdict.by_hidden = by_hidden
    verdict.points = float(exercise.points) if verdict.passed else 0.0
    return verdict


def hidden_finding(exercise: Exercise, attempt: Any) -> Finding | None:
    """What is wrong by the hidden cases, without their numbers."""
    which = "cases" if exercise.judge is None else "judge"
    second = replace(exercise, hidden=None, **{which: exercise.hidden})
    try:
        found = examined(second, attempt)
        if found is None or found == RIGHT:
            return found
        text = found.text
        if exercise.judge is None and text not in exercise.mistakes.values():
            text = difference(second, attempt)
    except NotImplementedError:
        raise
    except Exception as error:  # its text is the attempt's, and could say what the cases are
        return Finding(HIDDEN + raised(error))
    rule = rule_of(found.text)
    return Finding(broke(rule, HIDDEN + text) if rule else HIDDEN + text)


def raised(error: Exception) -> str:
    """The kind of an error, if it is one of Python's own, and nothing else of it."""
    own = vars(builtins).get(type(error).__name__)
    is_own = isinstance(own, type) and isinstance(error, own)
    return f"it raised {type(error).__name__}." if is_own else "it raised an error of its own kind."


def difference(exercise: Exercise, attempt: Any) -> str:
    """In which way the outcomes differ, and nothing more."""
    right = outcomes(exercise, exercise.answer)
    worst = worst_difference(outcomes(exercise, attempt), right, exercise.tolerance)
    return DIFFERS.get(worst.rank, "a number is wrong.") if worst else "a number is wrong."
