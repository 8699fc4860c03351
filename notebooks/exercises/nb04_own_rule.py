"""Notebook 04's last exercise: an operation of the learner's own, and a rule for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

import minigrad as torch
from minigrad import lesson
from minigrad.lesson import broke

from .nb04_rules import IGNORES
from .nb04_showing import moved

SIZES = ((0.2, 0.9), (1.1, 2.0), (0.2, 0.9), (1.1, 2.0))
"""How far from 0 the numbers of each case are: asin wants small ones, and acosh large ones."""


class Case(NamedTuple):
    """One x, and what is compared there: all as arrays."""

    x: np.ndarray
    slopes: np.ndarray  # slopes[i]: how far each entry of y moves with x[i]
    v: np.ndarray
    sent: np.ndarray  # by the learner's rule
    wanted: np.ndarray  # by nudging

    @property
    def agrees(self) -> bool:
        return np.allclose(self.sent, self.wanted, rtol=1e-4, atol=1e-6)


def judge_own(attempt: Any) -> str | None:
    """The learner's function and its rule, which are compared by nudging."""
    if not isinstance(attempt, tuple) or len(attempt) != 2 or not all(map(callable, attempt)):
        return "two functions are wanted: check(nb04.own_rule, (mine, rule))."
    mine, rule = attempt
    random = np.random.default_rng(4)
    four = torch.tensor(with_both_signs(random, 0.2, 0.9), requires_grad=True)
    y = mine(four)
    if is_open(y):
        written = not is_open(rule(torch.ones(4), four.detach()))
        return "mine is still to be written: let it return an operation on x." if written else None
    if y is four:
        return "mine gives x back unchanged. Let it return an operation on x, such as x ** 3."
    if not isinstance(y, torch.Tensor):
        return f"mine returns a {type(y).__name__}, and a tensor is wanted."
    if y.grad_fn is None:
        return "there is no graph behind the result of mine: no recorded operation made it of x."
    xs = list(inputs(mine, random))
    if not xs:
        return "mine gives no finite numbers for random x. Choose another operation."
    if all(occurred(x, mine(x)) for x in xs):
        return "that operation occurred above, in this lesson. Choose another one."
    cases = []
    for x in xs:
        v = torch.tensor(random.uniform(0.5, 1.5, tuple(mine(x).shape)))
        sent = rule(v, x)
        if is_open(sent):
            return None
        if tuple(getattr(sent, "shape", ())) != (4,):
            shape = tuple(getattr(sent, "shape", ()))
            return broke("shape", f"the rule gives the shape {shape}, and x has the shape (4,).")
        slopes = np.stack([moved(mine, x, i) for i in range(4)])
        wanted = (slopes * array(v)).reshape(4, -1).sum(1)
        cases.append(Case(array(x), slopes, array(v), array(sent), wanted))
    wrong = [case for case in cases if not case.agrees]
    return said_of(wrong[0], cases, rule) if wrong else ""


def is_open(result: Any) -> bool:
    return result is ... or result is None


def array(tensor: Any) -> np.ndarray:
    return np.asarray(tensor.detach(), float)


def with_both_signs(random: np.random.Generator, least: float, most: float) -> np.ndarray:
    return random.uniform(least, most, 4) * random.permutation([1, 1, -1, -1])


def inputs(mine: Callable[[Any], Any], random: np.random.Generator) -> Iterator[Any]:
    """Several x of both signs; positive ones where mine gives no finite numbers otherwise."""
    for least, most in SIZES:
        mixed = with_both_signs(random, least, most)
        for numbers in (mixed, abs(mixed)):
            x = torch.tensor(numbers)
            with np.errstate(all="ignore"):
                finite = np.isfinite(array(mine(x))).all()
            if finite:
                yield x
                break


def occurred(x: Any, y: Any) -> bool:
    """Is y what one of the lesson's operations makes of x?"""
    above = (x, x.sum(), x.mean(), x.flip(0), x.softmax(0))
    return any(y.shape == other.shape and np.allclose(array(y), array(other)) for other in above)


def said_of(case: Case, cases: list[Case], rule: Callable[[Any, Any], Any]) -> str:
    """What is wrong with a rule, in the first case in which it disagrees."""
    x, v = torch.tensor(case.x), torch.tensor(case.v)
    if not np.isfinite(case.sent).all():
        return f"for x = {listed(case.x)} your rule gives numbers that are not finite."
    if np.allclose(case.sent, array(rule(2 * v, x))):
        return IGNORES
    factor = factor_of(cases)
    if factor == -1:
        return "the sign is wrong."
    if factor is not None:
        return f"what comes back is everywhere {factor:.4g} times what your rule gives."
    i = int(np.abs(case.sent - case.wanted).argmax())
    moving = np.flatnonzero(np.abs(case.slopes[i]).ravel() > 1e-7)
    at = f"where x[{i}] is {case.x[i]:.2f}, "
    if not moving.size:
        return f"{at}nudging it moves no entry of y, but your rule sends something on."
    alone = np.zeros_like(case.v)
    alone.flat[moving[0]] = case.v.flat[moving[0]]
    uses_it_alone = np.isclose(array(rule(torch.tensor(alone), x))[i], case.sent[i])
    if moving.size > 1:
        return f"which entries of y does x[{i}] move, and how far? Your rule says otherwise."
    name = f"y[{moving[0]}]" if case.slopes[i].size > 1 else "y"
    if not uses_it_alone:
        return f"x[{i}] moves only {name}, but by your rule other entries of v count, too."
    slope, yours = case.slopes[i].flat[moving[0]], case.sent[i] / case.v.flat[moving[0]]
    return (
        f"{at}nudging it moves only {name}, by {slope:.4g} times the nudge. "
        f"By your rule, it would be {yours:.4g} times."
    )


def listed(x: np.ndarray) -> str:
    return "[" + ", ".join(f"{number:.2f}" for number in x) + "]"


def factor_of(cases: list[Case]) -> float | None:
    """The one number by which a rule is off everywhere, or None."""
    sent = np.concatenate([case.sent for case in cases])
    wanted = np.concatenate([case.wanted for case in cases])
    if not np.any(sent) or not np.any(wanted):
        return None
    factor = float(wanted @ sent / (sent @ sent))
    return round(factor, 6) if np.allclose(factor * sent, wanted, rtol=1e-4, atol=1e-6) else None


own_rule = lesson.Exercise(
    "own rule",
    judge=judge_own,
    hint="Nudge one x[i] in your head: which entries of y move, and by how much? Weight these with "
    "v, and add them up.",
    because="For y = f(x), entry by entry, it is v times the local slope; where x[i] moves several "
    "entries of y, what comes back from them is added.",
)
