"""What notebook 04 shows: tables of rides, heat maps, and what a nudge moves."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import minigrad as torch

from .pictures import BLUE, GRID, INK, ORANGE, PagePicture, heat_maps, number, text

PRODUCTS = ["rides @ v", "v @ rides.T", "rides.T @ v", "v.T @ rides"]
"""The candidates for the gradient of ``prices``."""

# -------------------------------------------------------------------------------------- rides


def table(rides: Any, fare: Any, paid: Any) -> None:
    """Each ride with what was said, what was paid, and the gradient at its fare."""
    if missing := unmatched(rides, paid):
        print(missing)
    print("         km  suitcases   fare   paid   gradient of the loss")
    said, gradients = fare.flatten().tolist(), fare.grad.flatten().tolist()
    for place, (ride, ours, theirs, gradient) in enumerate(
        zip(rides.tolist(), said, paid.flatten().tolist(), gradients)
    ):
        km, suitcases = ride
        print(f"ride {place:<2}{km:4g}{suitcases:11g}{ours:7g}{theirs:7g}{gradient:11.2f}")


def unmatched(rides: Any, paid: Any) -> str:
    """What is said if not each ride has its receipt; "" if each has."""
    if len(rides) == paid.numel():
        return ""
    return f"{len(rides)} rides, but {paid.numel()} receipts: each ride needs one."


def all_differences(fare: Any, paid: Any) -> PagePicture:
    """What ``fare - paid`` gives, with a frame around those that were meant."""
    differences = np.asarray((fare - paid).detach())
    shape = " × ".join(map(str, differences.shape))
    table = differences.ndim == 2 and differences.shape[1] > 1
    meant = np.eye(*differences.shape, dtype=bool) if table else None
    return heat_maps([(f"fare - paid: {shape}", differences, meant)], mark="")


def rows(J: Any, X: Any) -> PagePicture:
    """The Jacobian beside the rides."""
    return heat_maps([("J, row by row", J, None), ("rides", X, None)])


def show_products(rides: Any, v: Any) -> None:
    """The four candidates, with their shapes, where they have one."""
    for product in PRODUCTS:
        try:
            result = eval(product, {"rides": rides, "v": v})
        except RuntimeError:
            print(f"{product:12} does not fit")
        else:
            numbers = [round(number, 4) for number in result.flatten().tolist()]
            print(f"{product:12} has the shape {tuple(result.shape)}: {numbers}")


# ------------------------------------------------------------------------------------- nudges


def moved(function: Callable[[Any], Any], x: Any, place: Any) -> np.ndarray:
    """How far ``function(x)`` moves for each step of one entry of x, found without a graph."""
    x = x if x.dtype.is_floating_point else x.double()
    h = 1e-5 if x.dtype == torch.float64 else 1e-2  # of a smaller step, rounding leaves too little
    step = torch.zeros_like(x.detach())
    step[place] = h
    with torch.no_grad():
        difference = function(x + step) - function(x - step)
    return np.asarray(difference) / (2 * h)


def entry(x: Any, place: Any) -> str:
    """What is wrong with a place as an index of one entry of x; "" if nothing is."""
    shape = tuple(x.shape)
    places = place if isinstance(place, tuple) else (place,)
    whole = all(type(one) is int for one in places)
    if whole and len(places) == len(shape) and all(-n <= i < n for i, n in zip(places, shape)):
        return ""
    return f"nudge={place}: there is no such entry, since the shape is {shape}."


def nudge(
    function: Callable[[Any], Any], x: Any, place: Any = 0, v: Any = None
) -> PagePicture | None:
    """Nudge one entry of x, and show which results move, weighted by v and added."""
    if wrong := entry(x, place):
        print(wrong)
        return None
    if not isinstance(function(x), torch.Tensor):
        print("this function returns no tensor yet, so there is nothing to measure.")
        return None
    slopes = moved(function, x, place)
    maps: list[tuple[str, Any, Any]] = [("results move by", slopes, None)]
    if v is not None:
        weights = np.asarray(v.detach())
        maps += [("v", weights, None), ("weighted", weights * slopes, None)]
        print("weighted and added:", number(float((weights * slopes).sum())))
    return heat_maps(maps)


BAR, TALL, STEP = 64, 150, 104


def shares(x: Any, place: int = 0, by: float = 1.0) -> PagePicture | None:
    """The shares that softmax makes of x, before and after one of the numbers has moved."""
    if wrong := entry(x, place):
        print(wrong.replace("nudge", "place", 1))
        return None
    step = torch.zeros_like(x)
    step[place] = by
    before = np.asarray(x.detach().softmax(0))
    after = np.asarray((x.detach() + step).softmax(0))
    parts, words = [], []
    for i, (was, now) in enumerate(zip(before, after)):
        left = 24 + i * STEP
        change = f"{'+' if now >= was else ''}{number(now - was)}"
        colour = "rgb({},{},{})".format(*(ORANGE if now >= was else BLUE))
        parts += [
            f'<rect x="{left}" y="{TALL + 30 - TALL * now:.1f}" width="{BAR}" '
            f'height="{TALL * now:.1f}" fill="{colour}" fill-opacity="0.45"/>',
            f'<rect x="{left}" y="{TALL + 30 - TALL * was:.1f}" width="{BAR}" '
            f'height="{TALL * was:.1f}" fill="none" stroke="{INK}" stroke-dasharray="5 3"/>',
            text(left + BAR / 2, TALL + 48, f"y[{i}]", more='font-weight="600"'),
            text(left + BAR / 2, TALL + 66, f"{number(was)} → {number(now)}"),
            text(left + BAR / 2, TALL + 84, f"({change})"),
        ]
        words.append(f"y[{i}]: {number(was)} → {number(now)} ({change})")
    width = 24 + len(before) * STEP
    parts.append(f'<path d="M12 {TALL + 30}H{width - 12}" stroke="{GRID}"/>')
    title = f"x[{place}] moves by {number(by)}; dashed: before"
    parts.append(text(24, 18, title, "start", 'font-weight="600"'))
    total = f"all changes together: {number(float((after - before).sum()))}"
    parts.append(text(24, TALL + 106, total, "start"))
    alt = f"{title}. {'; '.join(words)}; {total}"
    return PagePicture(max(width, 320), TALL + 116, parts, alt)
