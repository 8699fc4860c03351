"""Answers as plain values: numbers, texts, and lists of them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..graph import TensorBase
from ..tape.values import capture, summary

LONGEST = 60  # letters of an answer in a sentence


def plain(value: Any) -> Any:
    """A tensor, an array or a tuple as a number or a list of them; other objects as text."""
    if isinstance(value, TensorBase):
        value = value._array
    if isinstance(value, (np.ndarray, np.generic)):
        return value.tolist()
    if isinstance(value, (list, tuple)):
        return [plain(part) for part in value]
    return value if value is None or isinstance(value, (bool, int, float, str)) else str(value)


def is_open(value: Any) -> bool:
    """Is it ``...``, or a list in which one still stands?"""
    return value is ... or (isinstance(value, (list, tuple)) and any(map(is_open, value)))


def is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def same(one: Any, other: Any, tolerance: float = 1e-3) -> bool:
    """Do two answers agree? Whole numbers exactly, others to one part in a thousand of ``other``;
    texts whatever their case and spaces.

    >>> same(7.0001, 7.5), same(0.3333, 1 / 3), same([2, 3], (2, 3)), same(" Leaf", "leaf")
    (False, True, True, True)
    """
    one, other = plain(one), plain(other)
    if isinstance(one, list) and isinstance(other, list):
        pairs = zip(one, other)
        return len(one) == len(other) and all(same(a, b, tolerance) for a, b in pairs)
    if is_number(one) and is_number(other):
        near = 0 if isinstance(other, int) else tolerance
        return math.isclose(one, other, rel_tol=near) or (math.isnan(one) and math.isnan(other))
    if isinstance(one, str) and isinstance(other, str):
        return " ".join(one.split()).casefold() == " ".join(other.split()).casefold()
    return type(one) is type(other) and bool(one == other)


def words(value: Any) -> str:
    """An answer in a sentence, however large it is.

    >>> words([1, 2.5, "leaf"]), words(list(range(1000)))[-12:]
    ('[1, 2.5, leaf]', '4, 15, 16, …')
    """
    if isinstance(value, TensorBase):
        value = value._array
    if isinstance(value, np.ndarray):
        text = str(summary(capture(value))["text"])
    elif isinstance(value, (list, tuple)):
        text = f"[{', '.join(map(words, value[:LONGEST]))}]"
    else:
        value = plain(value)
        text = f"{value:.6g}" if isinstance(value, float) else str(value)
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"
