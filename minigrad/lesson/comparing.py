"""How two outcomes differ, in words: at first only where, and then also what is right."""

from __future__ import annotations

from collections.abc import Iterator
from operator import itemgetter
from typing import Any, NamedTuple

import numpy as np

from .. import longs
from .values import array_in, close, plain, same, told_apart

KIND, NAN, NUMBER = range(3)  # how bad a difference is: the worst is told first
Part = tuple[str, Any]  # what it is, and the value


class Difference(NamedTuple):
    """How two outcomes differ."""

    rank: int  # how bad it is: the worst is the smallest
    call: int  # in which call
    text: str  # where they differ, without what is right
    right: str  # what is right; "" where the text says all


def worst_difference(
    theirs: list[list[Part]], ours: list[list[Part]], tolerance: float
) -> Difference | None:
    """The worst difference in the first call that has it; None if there is none."""
    found = [
        Difference(rank, call, text, right)
        for call, (one, other) in enumerate(zip(theirs, ours, strict=True))
        for rank, text, right in differences(one, other, tolerance)
    ]
    return min(found, key=itemgetter(0, 1), default=None)


def differences(
    theirs: list[Part], ours: list[Part], tolerance: float
) -> Iterator[tuple[int, str, str]]:
    """What differs in one call: how bad that is (the worst is least), where, what is right."""
    for (what, got), (_, wanted) in zip(theirs, ours):
        one = array_of(got)
        other = array_of(wanted)
        if kind_of(one, got) != kind_of(other, wanted):
            yield (
                KIND,
                f"{what} is {kind_of(one, got)}, and {kind_of(other, wanted)} is wanted.",
                "",
            )
        elif one is None or other is None:
            if not same(got, wanted, tolerance):
                is_, should = told_apart(got, wanted)
                yield (
                    NUMBER,
                    f"{other_part(what, got, wanted, tolerance)}, which is not right.",
                    f"{what} is {is_}, and should be {should}.",
                )
        elif one.shape != other.shape and not one.size == other.size == 1:
            yield KIND, f"{what} has shape {one.shape}, and {other.shape} is wanted.", ""
        else:
            one = one.reshape(other.shape)
            far = ~close(one, other, tolerance)
            wrong = longs.argwhere(far & (one != one)).tolist() or longs.argwhere(far).tolist()
            for place in wrong[:1]:
                here = what
                if place:
                    here = f"entry {place} of {what}"
                yield entry_difference(here, one[tuple(place)].item(), other[tuple(place)].item())
    if len(theirs) < len(ours) and ours[len(theirs)][0].startswith("the gradient"):
        yield KIND, "the result has no history, so no gradient flows back through it.", ""
    elif len(theirs) != len(ours):
        count = f"{len(theirs)} result{'s'[: len(theirs) != 1]}"
        yield KIND, f"{count}, and {len(ours)} {'is' if len(ours) == 1 else 'are'} wanted.", ""


def other_part(what: str, got: Any, wanted: Any, tolerance: float) -> str:
    """What is other than it should be: of two lists that are as long, the first such entry."""
    lists = isinstance(got, (list, tuple)) and isinstance(wanted, (list, tuple))
    if lists and len(got) == len(wanted):
        for place, (one, other) in enumerate(zip(got, wanted)):
            if not same(one, other, tolerance):
                return f"entry [{place}] of {what} is {told_apart(one, other)[0]}"
    return f"{what} is {told_apart(got, wanted)[0]}"


def entry_difference(here: str, got: Any, wanted: Any) -> tuple[int, str, str]:
    """How one number differs from the right one."""
    off = ""
    if wanted and wanted is not True and abs(got - wanted) < abs(wanted):  # else it says nothing
        off = f" (relative error {abs(got - wanted) / abs(wanted):.2g})"
    is_, should = told_apart(got, wanted)
    right = f"{here} is {is_}, and should be {should}{off}."
    if got != got:
        return NAN, f"{here} is nan: not a number.", right
    return NUMBER, f"{here} is {is_}: {astray(got, wanted)}.", right


def astray(got: Any, wanted: Any) -> str:
    """In which direction a number is off; a truth value has none."""
    if isinstance(got, bool) or isinstance(wanted, bool) or wanted != wanted:
        return "not right"
    if got < 0 < wanted or wanted < 0 < got:
        return "the sign is wrong"
    return "too large" if got > wanted else "too small"


def array_of(value: Any) -> Any:
    """A value as an array of numbers or truth values; None if it is something else."""
    value = array_in(value)
    try:
        array = np.asarray(value if isinstance(value, (np.ndarray, np.generic)) else plain(value))
    except ValueError:  # lists of different lengths
        return None
    return array if array.dtype.kind in "fiub" else None


def kind_of(array: Any, value: Any) -> str:
    """In words: what sort of answer it is."""
    if array is not None:
        return "True or False" if array.dtype.kind == "b" else "a number"
    if isinstance(value, dict):
        return "a dict"
    return "None" if value is None else f"a {type(value).__name__}"
