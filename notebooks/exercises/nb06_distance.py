"""The first exercise of notebook 06: a distance that has a slope at home, too; with its judge."""

from __future__ import annotations

import math
from typing import Any

import minigrad as torch
from minigrad import lesson
from minigrad.lesson import broke
from minigrad.lesson.checking import is_stub
from minigrad.lesson.values import is_open

from .graphs import nodes

PLACES = (9.0, 12.5, -3.0)


def judge_distance(distance: Any) -> str | None:
    """Compares values and slopes, and asks for a finite slope at home."""
    if not callable(distance):
        return "a function is wanted."
    home = torch.tensor(2.0)
    for number in (*PLACES, 2.0):
        place = torch.tensor(number, requires_grad=True)
        far = distance(place, home)
        if is_open(far) or is_stub(distance, far):
            return None
        if far is None:
            return "it returns nothing: end with return, and the distance."
        if not isinstance(far, torch.Tensor) or not far.requires_grad:
            return broke(
                "record", f"for place = {number:g} the result has no history: no slope comes back."
            )
        far.sum().backward()
        value, true = far.item(), abs(number - 2.0)
        if not math.isclose(value, true, abs_tol=2e-3):
            return f"from place = {number:g} to home = 2 it is {true:g} km; it returns {value:.4g}."
        if place.grad is None:
            return (
                f"for place = {number:g} nothing arrives at place: its .grad is None. Is what you "
                "return worked out from place?"
            )
        slope = place.grad.item()
        if number == 2.0 and math.isnan(slope):
            return f"at home the slope is still NaN: {why_nan(far)}"
        if number == 2.0 and not abs(slope) <= 1.001:
            return f"at home the slope is {slope:.4g}. One step by it would lead far away."
        if number != 2.0 and not math.isclose(slope, math.copysign(1, number - 2), abs_tol=1e-2):
            return (
                f"at place = {number:g} the slope is {slope:.4g}. How far does a nudge of 1 lead?"
            )
    return said_of_neighbours(distance)


def said_of_neighbours(distance: Any) -> str:
    """Says so if the slope is no number close to home, where a repair may have moved the NaN."""
    home = torch.tensor(0.0)
    left_over = distance(home.clone(), home).item()  # what the distance is at home itself
    for number in (left_over, -left_over):
        place = torch.tensor(number, requires_grad=True)
        distance(place, home).sum().backward()
        if not abs(place.grad.item()) <= 1.001:
            return (
                f"at home the slope is a number now, but at place = {number:.2g} with home = 0 it "
                f"is {place.grad.item()}. The fault has only moved."
            )
    return ""


def why_nan(far: Any) -> str:
    """What a distance whose slope is NaN at home has in its graph."""
    names = {node.name() for node in nodes(far)}
    if "WhereBackward0" in names:
        return "where() only chooses, and what it did not choose is in the graph all the same."
    if "SqrtBackward0" in names:
        return "a root of 0 is still on the path."
    return "along a path, an infinite slope still meets a slope of 0."


distance = lesson.Exercise(
    "distance",
    judge=judge_distance,
    hint="Either no root at all, or a root of something that is never 0: what could be added to "
    "the square that is too small to be noticed?",
    because="One answer is (place - home).abs(): at 0 its gradient is 0. Another one is "
    "((place - home) ** 2 + 1e-12).sqrt(), whose root is never taken of 0.",
)
