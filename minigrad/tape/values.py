"""Values as bounded, JSON-able summaries: a label, and a corner of at most 8 × 8 numbers."""

from __future__ import annotations

import functools
import math
import re
from typing import Any, NamedTuple

import numpy as np

from .held import Held, hold, number_of

CORNER = 8
AT_MOST = [(slice(CORNER),) * dimensions for dimensions in range(3)]
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
    flaw: str | None = None  # see ``flaw_in``; None: the corner tells it, if that holds everything
    held: Held | None = None  # where the rest is; None: there is none, or nobody knows


def capture(array: Any) -> Captured:
    """Keep a value's corner, without holding the value."""
    shape = array.shape
    if not shape:
        return Captured(array[()], shape, array.dtype)
    if array.size <= CORNER:
        copy = array.copy()
        return Captured(copy, shape, array.dtype, None, None if len(shape) < 3 else kept(copy))
    part = array[(0,) * (len(shape) - 2)] if len(shape) > 2 else array
    corner = part[AT_MOST[part.ndim]].copy()
    if corner.size == array.size:
        return Captured(corner, shape, array.dtype)
    held = hold(array)
    flaw = "" if held.mark.__class__ is float else flaw_in(array)
    return Captured(corner, shape, array.dtype, flaw, held)


def kept(copy: Any) -> Held:
    """A value of few numbers, of which no corner shows all: it is kept itself."""
    return Held(lambda: copy)


def flaw_in(array: Any) -> str:
    """What is not finite in it: "nan", "inf", "nan and inf", or "" if all numbers are."""
    if array.dtype.kind not in "fc" or np.isfinite(array).all():
        return ""
    found = {"nan": np.isnan(array).any(), "inf": np.isinf(array).any()}
    return " and ".join(name for name, is_there in found.items() if is_there)


def flaw_of(value: Captured) -> str | None:
    """The same of a captured value; None if nobody knows."""
    if value.flaw is not None or value.corner is None:
        return value.flaw
    corner = np.asarray(value.corner)
    return flaw_in(corner) if corner.size == math.prod(value.shape) else None


def summary(value: Captured, most: int = CORNER) -> dict[str, Any]:
    """The summary of a captured value, as the page gets it (``Value`` in ``tape.ts``).

    ``most``: of its corner, so many rows and columns.
    """
    if value.corner is None:
        return unknown(value.shape, value.dtype)
    corner = np.asarray(value.corner)
    if corner.ndim > 2:  # a small one was kept whole
        corner = corner[(0,) * (corner.ndim - 2)] if corner.size else corner.reshape(0, 0)
    corner = corner[(slice(most),) * corner.ndim]
    name = name_of(corner.dtype)
    exact = corner.size <= IN_LABEL
    flaw = flaw_of(value)
    return {
        "shape": list(value.shape),
        "dtype": name,
        "text": label(value, corner),
        "data": numbers_of(corner, exact),
        "shown": list(corner.shape),
        **({"flaw": flaw} if flaw else {}),
        **({"more": more} if (more := asked_as(value, corner)) else {}),
    }


def asked_as(value: Captured, shown: Any) -> int:
    """The number under which the page asks for the rest; 0 if there is none to be had."""
    held = value.held
    if held is None and shown.size < math.prod(value.shape) == np.size(value.corner):
        held = kept(value.corner)
    if held is None or held.find() is None:
        return 0
    return number_of(held)


@functools.cache
def name_of(dtype: Any) -> str:
    """The name of a dtype; NumPy puts it together each time."""
    return str(dtype.name)


def numbers_of(corner: Any, exact: bool) -> list[Any]:
    """The numbers of a corner, as JSON can carry them; all their digits if ``exact``."""
    numbers = corner.reshape(-1).tolist()
    if not exact and corner.dtype.kind == "f" and np.isfinite(corner).all():
        return [float(f"{one:.7g}") for one in numbers]
    return [plain(one if exact else rounded(one)) for one in numbers]


def text_of(value: Captured) -> str:
    """The label of a captured value alone: what a summary has as its "text"."""
    if value.corner is None:
        return unseen(value.shape, str(value.dtype))
    return label(value, np.asarray(value.corner))


def summary_if_any(value: Captured | None, most: int = CORNER) -> dict[str, Any] | None:
    """The same of what there may not be."""
    if value is None:
        return None
    return summary(value, most)


def unknown(shape: tuple[int, ...], dtype: Any) -> dict[str, Any]:
    """The summary of a value that nobody kept: its shape and dtype."""
    name = getattr(dtype, "name", "") or np.dtype(dtype).name
    return {
        "shape": list(shape),
        "dtype": name,
        "text": unseen(shape, name),
        "data": [],
        "shown": [0],
    }


def unseen(shape: tuple[int, ...], name: str) -> str:
    """What stands for a value that is not shown: "64×32 numbers"; the dtype of a single one."""
    if math.prod(shape) == 1:
        return f"{name} {times(shape)}".strip()
    return f"{times(shape)} numbers"


def label(value: Captured, corner: Any) -> str:
    if not value.shape:
        return number(corner.item())
    if math.prod(value.shape) <= IN_LABEL and len(value.shape) <= 2:
        return nested(np.asarray(value.corner).tolist())
    return unseen(value.shape, name_of(corner.dtype))


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
