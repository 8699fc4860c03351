"""Answers as plain values: numbers, texts, and lists of them.

Learners answer with anything. So a list may hold itself, an array may have millions of numbers,
and an object may not even have a text: none of this is an error here.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from ..graph import TensorBase, new_tensor
from ..tape.values import capture, summary, visible

LONGEST = 60  # letters of an answer in a sentence
LARGEST = 100_000  # numbers of an array that are looked at one by one
DEEPEST = 50  # lists in lists


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
        return plain(value)


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


def same(one: Any, other: Any, tolerance: float = 1e-3) -> bool:
    """Do two answers agree? Whole numbers exactly, others to one part in a thousand of ``other``;
    texts whatever their case and spaces.

    >>> same(7.0001, 7.5), same(0.3333, 1 / 3), same([2, 3], (2, 3)), same(" Leaf", "leaf")
    (False, True, True, True)
    """
    one, other = opened(one), opened(other)
    if isinstance(one, np.ndarray) and isinstance(other, np.ndarray):
        return one.shape == other.shape and bool(
            np.isclose(one, other, rtol=tolerance, atol=0, equal_nan=True).all()
        )
    if isinstance(one, list) and isinstance(other, list):
        pairs = zip(one, other)
        return len(one) == len(other) and all(same(a, b, tolerance) for a, b in pairs)
    if is_number(one) and is_number(other):
        return same_number(one, other, tolerance)
    if isinstance(one, str) and isinstance(other, str):
        return tidy(one) == tidy(other)
    return type(one) is type(other) and bool(one == other)


def opened(value: Any) -> Any:
    """An answer as something to compare: a list is not copied, and a huge array stays one."""
    value = array_in(value)
    if isinstance(value, np.ndarray) and value.size > LARGEST:
        return value
    return list(value) if isinstance(value, (list, tuple)) else plain(value)


def same_number(one: Any, other: Any, tolerance: float) -> bool:
    near = 0 if isinstance(other, int) else tolerance
    if one != one or other != other:
        return one != one and other != other
    try:
        return math.isclose(one, other, rel_tol=near)
    except OverflowError:  # a whole number that is larger than any float
        return bool(one == other)


def tidy(text: str) -> str:
    return " ".join(visible(text).split()).casefold()


def words(value: Any, longest: float = LONGEST) -> str:
    """An answer in a sentence, however large it is.

    >>> words([1, 2.5, "leaf"]), words(list(range(1000)))[-12:]
    ('[1, 2.5, leaf]', '4, 15, 16, …')
    """
    text = ""
    for piece in pieces(value):
        text += piece
        if len(text) > longest:
            return visible(text[: int(longest)])[: int(longest) - 1] + "…"
    return visible(text)


def pieces(value: Any) -> Iterator[str]:
    """The text of an answer, bit by bit: of a list, whoever asks need not wait for the end."""
    value = array_in(value)
    if isinstance(value, np.ndarray):
        yield array_words(value)
    elif isinstance(value, (list, tuple)):
        yield "["
        for place, part in enumerate(value):
            if place:
                yield ", "
            yield from pieces(part)
        yield "]"
    else:
        value = plain(value)
        yield f"{value:.6g}" if isinstance(value, float) else text_of(value)


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
