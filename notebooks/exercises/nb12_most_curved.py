"""The exercise of notebook 12 that looks for the largest curvature, with its judge."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import minigrad as torch
from minigrad import lesson
from minigrad.lesson.checking import is_stub
from minigrad.lesson.values import is_open

from .nb12_judges import NOTHING, near, number_of, yours_or_ours
from .nb12_runs import power_method

TABLES = [  # the largest curvature, in size, is about 23.7, −3, 3, and 362
    [[22.0, 6.0], [6.0, 2.0]],
    [[-0.5, 2.5], [2.5, -0.5]],
    [[0.5, 2.5], [2.5, 0.5]],
    [[300.0, 100.0, 0.0], [100.0, 200.0, 0.0], [0.0, 0.0, 50.0]],
]


class NoDirection(Exception):
    """A product was wanted of something that is no direction."""


class Products:
    """A table times a direction, as often as it is asked for; it remembers the directions."""

    def __init__(self, rows: list[list[float]]) -> None:
        self.rows, self.table = rows, torch.tensor(rows)
        self.given: list[Any] = []

    def __call__(self, direction: Any) -> Any:
        if getattr(direction, "shape", None) != self.table[0].shape:
            count = len(self.rows)
            raise NoDirection(
                f"times was given something that is no direction: one tensor with {count} numbers "
                "is wanted. What stands there, before the next product?"
            )
        self.given.append(direction / direction.norm())
        return self.table @ direction

    def degrees(self, direction: Any) -> float:
        """By how much a product turns a direction; one of the opposite direction is the same."""
        return angle(self.table @ direction, direction)

    def curvature(self, direction: Any) -> float:
        return (direction @ (self.table @ direction) / (direction @ direction)).item()

    def largest(self) -> float:
        """In size: after so many products nothing else is left."""
        direction = torch.linspace(1, 0.5, len(self.rows))
        for _ in range(100):
            direction = self.table @ direction
            direction = direction / direction.norm()
        return self.curvature(direction)


def angle(one: Any, other: Any) -> float:
    """Between two directions, in degrees, up to 90."""
    cosine = abs((one @ other / (one.norm() * other.norm())).item())
    return math.degrees(math.acos(min(cosine, 1.0)))


def judge_most_curved(most_curved: Any) -> str | None:
    """The taxi's table, one whose largest curvature is below 0, its opposite, and a large one."""
    if not callable(most_curved):
        return "a function is wanted."
    for rows in TABLES:
        times, start = Products(rows), torch.tensor([1.0, 0.25, 0.5][: len(rows)])
        try:
            result = most_curved(times, start.clone())
        except NoDirection as problem:
            return str(problem)
        except (TypeError, RuntimeError) as problem:
            if "Products" not in str(problem):
                raise
            return "times is a function, and no table: call it with a direction."
        if is_open(result) or is_stub(most_curved, result):
            return None
        if not times.given:
            if isinstance(result, torch.Tensor) and torch.equal(result, start):
                return None
            return "times is never called: you have not asked how the slopes move."
        said = wrong_direction(result, times, start)
        if said:
            return f"for the table {rows}: {said}"
    return ""


def wrong_direction(result: Any, times: Products, start: Any) -> str:
    """What is wrong with what was returned; nothing, if it is the direction with the length 1."""
    if result is None:
        return NOTHING
    if not isinstance(result, torch.Tensor) or result.shape != start.shape:
        number = number_of(result)
        if number is not None and near(number, times.largest()):
            return "that is the curvature itself. In which direction is the curve bent so much?"
        return f"a direction is wanted: one tensor with {len(start)} numbers."
    length = result.double().norm().item()
    if not math.isfinite(length):
        return (
            "the numbers have grown until no float could hold them. How long is the direction "
            "before a product, and how long after it?"
        )
    if length == 0:
        return (
            "the direction has become 0. norm() adds up squares: where no float can hold the "
            "squares, the length counts as infinite, and what is divided by it is 0. How long may "
            "the direction grow?"
        )
    if len(times.given) == 1:
        return "a single product was taken. One product only begins to turn the direction."
    result = result / length
    if times.degrees(result) < 0.5 and near(times.curvature(result), times.largest()):
        if near(length, 1.0):
            return ""
        return f"it points in the right direction, but its length is {length:.3g} and not 1."
    return turned(result, times)


def turned(result: Any, times: Products) -> str:
    """What is wrong with a direction in which the curvature is not the largest."""
    count = len(times.given)
    if all(angle(one, times.given[0]) < 0.01 for one in times.given):
        return (
            f"each of the {count} products was taken of the direction that you were given. What "
            "becomes of the result of a product?"
        )
    degrees = times.degrees(result)
    if degrees < 0.5:
        return (
            f"in your direction the curvature is {times.curvature(result):.3g}, but in another one "
            "it is larger in size. What do you do with a product besides shortening it?"
        )
    return (
        f"one more product turns your direction by {degrees:.0f} degrees, after {count} products. "
        "In the direction of the largest curvature it would not turn any more."
    )


most_curved = lesson.Exercise(
    "most curved",
    judge=judge_most_curved,
    hint="The loop takes twenty products. Of what is the first one taken, and of what the second "
    "one? And what keeps the numbers small?",
    because="In the loop:\ndirection = times(direction)\ndirection = direction / direction.norm()",
)


def most_curved_for(mine: Any) -> Callable[[Callable[[Any], Any], Any], Any]:
    """The direction of the largest curvature, by the learner's function or the lesson's."""
    return yours_or_ours(most_curved, mine, power_method)
