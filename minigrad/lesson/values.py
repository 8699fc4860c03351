"""Answers as plain values: numbers, texts, and lists of them.

Learners answer with anything. So a list may hold itself, an array may have millions of numbers,
and an object may not even have a text: none of this is an error here.
"""

from __future__ import annotations

import copy
import math
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np

from ..engine.node import TensorBase, new_tensor
from ..nn.module import Module
from ..tape.values import capture, summary, visible

LONGEST = 60  # letters of an answer in a sentence
LARGEST = 100_000  # numbers of an array that are looked at one by one
DEEPEST = 50  # lists in lists
NOISE = 1e-2  # of the tolerance: how far an entry may be off, relative to the largest of all
ROUNDINGS = 4  # of a float: so many may have gone into a number that should be whole, or 0


def array_in(value: Any) -> Any:
    """The array of a tensor; other things as they are."""
    return value._array if isinstance(value, TensorBase) else value


def plain(value: Any, around: tuple[int, ...] = ()) -> Any:
    """A tensor, an array or a tuple as a number or a list of them; other objects as text.

    A text, too, are an array of very many numbers and a list inside itself. ``around``: the lists
    that it stands in.
    """
    value = array_in(value)
    if isinstance(value, (np.ndarray, np.generic)):
        if value.size > LARGEST:
            return array_words(value)
        return value.tolist() if value.dtype.kind in "fiub" else plain(value.tolist(), around)
    if isinstance(value, (list, tuple)):
        if id(value) in around or len(around) > DEEPEST:
            return "[…]"
        around = (*around, id(value))
        return [plain(part, around) for part in value]
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    return text_of(value)


def own(value: Any) -> Any:
    """A copy of a value that can change, so that nobody changes it from outside.

    Of a tensor, the values without their history. Other objects are no answers, and stay.
    """
    if isinstance(value, TensorBase):
        return new_tensor(value._array.copy())
    if not isinstance(value, (list, tuple, dict, set, np.ndarray)):
        return value
    try:
        return copy.deepcopy(value)
    except Exception:  # something in it has a history, or cannot be copied
        return own_parts(value)


def own_parts(value: Any, around: tuple[int, ...] = ()) -> Any:
    """A copy of a list and the like, part by part. ``around``: the lists that it stands in."""
    if id(value) in around or len(around) > DEEPEST:
        return "[…]"
    around = (*around, id(value))
    if isinstance(value, dict):
        return {key: own_parts(part, around) for key, part in value.items()}
    for kind in (list, tuple, set):
        if isinstance(value, kind):
            return kind(own_parts(part, around) for part in value)
    return own(value) if isinstance(value, TensorBase) else plain(value)


def is_open(value: Any, around: tuple[int, ...] = ()) -> bool:
    """Is it ``...``, or a list in which one still stands?"""
    if not isinstance(value, (list, tuple)):
        return value is ...
    if id(value) in around or len(around) > DEEPEST:
        return False
    around = (*around, id(value))
    return any(is_open(part, around) for part in value)


def is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def same(one: Any, other: Any, tolerance: float = 1e-3, largest: float | None = None) -> bool:
    """Do two answers agree? Whole numbers exactly, others to one part in a thousand of ``other``;
    texts whatever their case and spaces; dicts and sets whatever their order.

    In a list, a number may also be off by ``NOISE`` of that, relative to the ``largest`` number in
    it: for 0 there is no other measure.

    >>> same(7.0001, 7.5), same(0.3333, 1 / 3), same([2, 3], (2, 3)), same(" Leaf", "leaf")
    (False, True, True, True)
    >>> same({8, 0}, {0, 8}), same({"b": 0.3, "a": 1}, {"a": 1, "b": 0.1 + 0.2})
    (True, True)
    """
    one = opened(one)
    other = opened(other)
    if isinstance(one, np.ndarray) and isinstance(other, np.ndarray):
        return same_array(one, other, tolerance)
    if isinstance(one, list) and isinstance(other, list):
        largest = largest_in(other) if largest is None else largest
        pairs = zip(one, other)
        return len(one) == len(other) and all(same(a, b, tolerance, largest) for a, b in pairs)
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(
            same(one[key], other[key], tolerance) for key in other
        )
    if isinstance(one, (set, frozenset)) and isinstance(other, (set, frozenset)):
        return same_set(one, other, tolerance)
    if is_number(one) and is_number(other):
        return same_number(one, other, tolerance, largest or 0.0)
    if isinstance(one, str) and isinstance(other, str):
        return tidy(one) == tidy(other)
    return type(one) is type(other) and bool(one == other)


def opened(value: Any) -> Any:
    """An answer as something to compare: nothing is copied, and a huge array stays one.

    A module is its state.
    """
    value = array_in(value)
    if isinstance(value, Module):
        return value.state_dict()
    if isinstance(value, (dict, set, frozenset)):
        return value
    if isinstance(value, np.ndarray) and value.size > LARGEST:
        return value
    return list(value) if isinstance(value, (list, tuple)) else plain(value)


def same_array(one: Any, other: Any, tolerance: float) -> bool:
    if one.shape != other.shape:
        return False
    if one.dtype.kind in "fiu" and other.dtype.kind in "fiu":
        return bool(close(one, other, tolerance).all())
    return one.dtype.kind == other.dtype.kind and np.array_equal(one, other)


def same_set(one: Any, other: Any, tolerance: float) -> bool:
    """Has each element of one set its own counterpart in the other?"""
    if len(one) != len(other):
        return False
    left = list(other - one)
    if len(left) ** 2 > LARGEST:  # too many for rounding alone, and for looking at all pairs
        return False
    for element in one - other:
        places = (i for i, b in enumerate(left) if same(element, b, tolerance))
        place = next(places, None)
        if place is None:
            return False
        del left[place]
    return True


def same_number(one: Any, other: Any, tolerance: float, largest: float) -> bool:
    if one != one or other != other:
        return one != one and other != other
    if isinstance(other, int):
        return bool(one == other)
    noise = ROUNDINGS * sys.float_info.epsilon if other == 0 else 0.0
    noise = max(noise, tolerance * NOISE * largest)
    try:
        return math.isclose(one, other, rel_tol=tolerance, abs_tol=noise)
    except OverflowError:  # a whole number that is larger than any float
        return False


def largest_in(value: Any, around: tuple[int, ...] = ()) -> float:
    """The largest magnitude among the numbers in a list and its lists."""
    value = array_in(value)
    if isinstance(value, (np.ndarray, np.generic)):
        return magnitude(value)
    if isinstance(value, (list, tuple)) and id(value) not in around and len(around) <= DEEPEST:
        around = (*around, id(value))
        return max((largest_in(part, around) for part in value), default=0.0)
    return abs(value) if isinstance(value, float) and math.isfinite(value) else 0.0


def magnitude(array: Any) -> float:
    """The largest magnitude among the finite numbers of an array of floats; 0 if it has none."""
    array = np.asarray(array)
    if array.dtype.kind != "f":
        return 0.0
    return float(np.abs(array, where=np.isfinite(array), out=np.zeros_like(array)).max(initial=0))


def close(one: Any, other: Any, tolerance: float) -> Any:
    """Where do the numbers of two arrays of one shape agree, of which ``other`` is right?

    As in ``same``; but a float may stand for a whole number, or a 0, if only rounding parts them.
    """
    if one.dtype.kind not in "f" and other.dtype.kind not in "f":
        return one == other
    floats = [array.dtype for array in (one, other) if array.dtype.kind == "f"]
    rounding = ROUNDINGS * max(float(np.finfo(dtype).eps) for dtype in floats)
    if other.dtype.kind != "f":
        return np.isclose(one, other, rtol=rounding, atol=rounding)
    noise = tolerance * NOISE * magnitude(other) if other.size > 1 else 0.0
    near = np.isclose(one, other, rtol=tolerance, atol=noise, equal_nan=True)
    return near | ((other == 0) & (np.abs(one) <= rounding))


def tidy(text: str) -> str:
    return " ".join(visible(text).split()).casefold()


def words(value: Any, longest: float = LONGEST, digits: int = 6) -> str:
    """An answer in a sentence, however large it is.

    >>> words([1, 2.5, "leaf"]), words(list(range(1000)))[-12:]
    ('[1, 2.5, leaf]', '4, 15, 16, …')
    """
    text = ""
    for piece in pieces(value, digits):
        text += piece
        if len(text) > longest:
            return visible(text[: int(longest)])[: int(longest) - 1] + "…"
    return visible(text)


def told_apart(one: Any, other: Any) -> tuple[str, str]:
    """Two answers that differ, with so many digits that this is seen.

    >>> told_apart(12.0, 15.0), told_apart(33.0000001, 33)
    (('12', '15'), ('33.0000001', '33'))
    """
    for digits in (6, 9, 12, 17):
        first = words(one, digits=digits)
        second = words(other, digits=digits)
        if first != second:
            break
    return first, second


def pieces(value: Any, digits: int = 6) -> Iterator[str]:
    """The text of an answer, bit by bit: of a list, whoever asks need not wait for the end."""
    value = array_in(value)
    if isinstance(value, np.ndarray):
        yield array_words(value)
    elif isinstance(value, (list, tuple)):
        yield "["
        for place, part in enumerate(value):
            if place:
                yield ", "
            yield from pieces(part, digits)
        yield "]"
    else:
        value = plain(value)
        yield f"{value:.{digits}g}" if isinstance(value, float) else text_of(value)


def array_words(array: Any) -> str:
    """An array in a few letters: its numbers if they are few, or its dtype and shape."""
    try:
        return str(summary(capture(array))["text"])
    except TypeError:  # no tensor has this dtype
        return f"{array.dtype} {array.shape}"


def text_of(value: Any) -> str:
    """An object's text, if it has one."""
    try:
        return str(value)
    except Exception:
        return f"(of type {type(value).__name__}, which cannot be shown)"
