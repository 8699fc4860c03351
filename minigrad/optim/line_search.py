"""The line search of L-BFGS: how far to go along a direction, by the strong conditions of Wolfe.

The loss has to fall by a part of what the first slope promises (*sufficient decrease*), and the
slope has to become flatter than a part of the first one (*curvature*). The search first goes out
until such a point lies between two others (*bracket*), and then closes in on it (*zoom*).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

SUFFICIENT_DECREASE = 1e-4
CURVATURE = 0.9

TOO_NEAR = 1e-9


class Point(NamedTuple):
    """A point on the line: how far out, the loss there, its gradient, its slope along the line."""

    length: Any
    loss: float
    gradient: Any
    slope: Any


def strong_wolfe(
    evaluate: Callable[[Any], Point], start: Point, length: Any, direction: Any, most: int
) -> tuple[Point, int]:
    """A point on the line where both conditions hold, and how many it has evaluated.

    ``length`` is how far out to look first. After ``most`` attempts it is the best point so far.
    """
    search = LineSearch(evaluate, start, most)
    ends = search.bracket(length)
    if len(ends) == 1:
        return ends[0], search.evaluations
    return search.zoom(ends, widest=direction.abs().max()), search.evaluations


class LineSearch:
    """A search that begins at ``start``."""

    def __init__(self, evaluate: Callable[[Any], Point], start: Point, most: int) -> None:
        self.evaluate = evaluate
        self.start = start
        self.most = most
        self.attempts = 0
        self.evaluations = 0

    def point_at(self, length: Any) -> Point:
        self.evaluations += 1
        return self.evaluate(length)

    def too_high(self, point: Point) -> Any:
        """Has the loss not fallen enough?"""
        promised = SUFFICIENT_DECREASE * point.length * self.start.slope
        return point.loss > self.start.loss + promised

    def flat(self, point: Point) -> Any:
        """Is the slope flat enough?"""
        return abs(point.slope) <= -CURVATURE * self.start.slope

    def bracket(self, length: Any) -> list[Point]:
        """Two points between which the valley lies; or one alone where both conditions hold."""
        before = self.start
        here = self.point_at(length)
        while self.attempts < self.most:
            if self.too_high(here) or (self.attempts > 1 and here.loss >= before.loss):
                break
            if self.flat(here):
                return [here]
            if here.slope >= 0:
                break
            nearest = here.length + 0.01 * (here.length - before.length)
            farther = self.point_at(lowest(before, here, (nearest, here.length * 10)))
            before = here
            here = farther
            self.attempts += 1
        if self.attempts == self.most:
            before = self.start
        return [before, here]

    def zoom(self, ends: list[Point], widest: Any) -> Point:
        """Close in on the valley between two points; ``widest``: the direction's largest entry."""
        stuck = False  # was the point before near an end?
        low = lower(ends)
        while self.attempts < self.most:
            first, last = sorted(ends, key=lambda point: point.length)
            if (last.length - first.length) * widest < TOO_NEAR:
                break
            length = lowest(first, last, (first.length, last.length))
            length, stuck = away_from_ends(length, first.length, last.length, stuck)
            here = self.point_at(length)
            self.attempts += 1
            if self.too_high(here) or here.loss >= ends[low].loss:
                ends[1 - low] = here
                low = lower(ends)
                continue
            if self.flat(here):
                return here
            if here.slope * (ends[1 - low].length - ends[low].length) >= 0:
                ends[1 - low] = ends[low]
            ends[low] = here
        return ends[low]


def away_from_ends(length: Any, left: Any, right: Any, stuck: bool) -> tuple[Any, bool]:
    """A length that is not near an end twice in a row; and whether it is near one now."""
    margin = 0.1 * (right - left)
    near = min(right - length, length - left) < margin
    if not near:
        return length, False
    if not stuck and left < length < right:
        return length, True
    if right - length < length - left:
        return right - margin, False
    return left + margin, False


def lower(ends: list[Point]) -> int:
    """Which of two points is the lower one; of equal ones the first."""
    return int(ends[0].loss > ends[1].loss)


def lowest(left: Point, right: Point, bounds: tuple[Any, Any]) -> Any:
    """Where the cubic through two points, with their slopes, is lowest, within bounds.

    Where it has no minimum, the middle of the bounds.
    """
    width = left.length - right.length
    bend = left.slope + right.slope - 3 * (left.loss - right.loss) / width
    square = bend**2 - left.slope * right.slope
    if not square >= 0:
        return (bounds[0] + bounds[1]) / 2.0
    root = square.sqrt()
    share = (right.slope + root - bend) / (right.slope - left.slope + 2 * root)
    return min(max(right.length + width * share, bounds[0]), bounds[1])
