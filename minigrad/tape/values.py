"""Values as bounded, JSON-able summaries: a label, and a corner of at most 8 × 8 numbers."""

from __future__ import annotations

import math
import re
from typing import Any, NamedTuple

import numpy as np

CORNER = 8
IN_LABEL = 6  # up to this many numbers fit into a label

hidden = re.compile(
    "[\0-\x08\v\f\x0e-\x1f\x7f-\x9f"  # control characters
    "\u202a-\u202e\u2066-\u2069"  # what follows runs from right to left
    "\ud800-\udfff\ufffe\uffff]"  # halves of characters, and none at all
).search
"""Finds what a text may hold, but neither a page nor a terminal shows."""


class Captured(NamedTuple):
    """What is kept of a value when it is made: cheap to take, formatted only when asked for."""

    corner: Any  # a NumPy scalar, or a small array of our own; None if nobody kept the value
    shape: tuple[int, ...]
    dtype: Any


def capture(array: Any) -> Captured:
    """Keep a value's corner, without holding the value."""
    shape = array.shape
    if not shape:
        return Captured(array[()], shape, array.dtype)
    if array.size <= CORNER:
        return Captured(array.copy(), shape, array.dtype)
    part = array[(0,) * max(0, len(shape) - 2)] if array.size else array
    return Captured(part[(slice(CORNER),) * part.ndim].copy(), shape, array.dtype)


def summary(value: Captured, most: int = CORNER) -> dict[str, Any]:
    """The summary of a captured value, as the page gets it (``Value`` in ``tape.ts``).

    ``most``: of its corner, so many rows and columns.
    """
    if value.corner is None:
        return unknown(value.shape, value.dtype)
    corner = np.asarray(value.corner)
    if corner.ndim > 2:
        corner = corner.reshape(corner.shape[-2:] if corner.size else (0, 0))
    corner = corner[(slice(most),) * corner.ndim]
    name = corner.dtype.name
    exact = corner.size <= IN_LABEL
    return {
        "shape": list(value.shape),
        "dtype": name,
        "text": label(value, corner, name),
        "data": [plain(v if exact else rounded(v)) for v in corner.reshape(-1).tolist()],
        "shown": list(corner.shape),
    }


def summary_if_any(value: Captured | None, most: int = CORNER) -> dict[str, Any] | None:
    """The same of what there may not be."""
    if value is None:
        return None
    return summary(value, most)


def unknown(shape: tuple[int, ...], dtype: Any) -> dict[str, Any]:
    """The summary of a value that nobody kept: its shape and dtype."""
    name = np.dtype(dtype).name
    return {
        "shape": list(shape),
        "dtype": name,
        "text": f"{name} {times(shape)}".strip(),
        "data": [],
        "shown": [0],
    }


def label(value: Captured, corner: Any, name: str) -> str:
    if not value.shape:
        return number(corner.item())
    if math.prod(value.shape) <= IN_LABEL and len(value.shape) <= 2:
        return nested(np.asarray(value.corner).tolist())
    return f"{name} {times(value.shape)}"


def nested(items: Any) -> str:
    if isinstance(items, list):
        return "[" + ", ".join(nested(item) for item in items) + "]"
    return number(items)


def times(shape: tuple[int, ...]) -> str:
    return "×".join(map(str, shape))


def number(value: Any) -> str:
    """A number in few characters: 7, 0.7616, 1e-05, nan."""
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def visible(text: str) -> str:
    """A text with all that is hidden in it written out, as Python would: ``\\ud800``.

    >>> print(visible("a\\x1b[31m"))
    a\\x1b[31m
    """
    if hidden(text) is None:
        return text
    return "".join(ascii(sign)[1:-1] if hidden(sign) else sign for sign in text)


def plural(word: str, count: int) -> str:
    """The word for so many: ``step``, ``steps``; ``pass``, ``passes``."""
    if count == 1:
        return word
    return word + ("es" if word.endswith("s") else "s")


def rounded(value: Any) -> Any:
    """One of many numbers: with what a float32 knows of it, and not twice as many digits."""
    return float(f"{value:.7g}") if isinstance(value, float) else value


def plain(value: Any) -> Any:
    """A number that JSON can carry: it has neither NaN, nor infinity, nor large integers."""
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) > 2**53:
        return str(value)
    return value
