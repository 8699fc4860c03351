"""Tensors as text, as PyTorch prints them.

All entries of a tensor share one format. Whole floats print as ``1.``; others with four
decimals; and scientific notation is used for all as soon as the magnitudes are too far apart
(a ratio over 1000), too large (over 1e8) or too small (under 1e-4). Over 1000 entries are
summarised: three at either end of each dimension.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from . import dtypes

PRECISION, THRESHOLD, EDGE, WIDTH = 4, 1000, 3, 80


def shown(array: Any) -> Any:
    """The entries that a summary shows, as a smaller array."""
    for axis, size in enumerate(array.shape):
        if size > 2 * EDGE:
            kept = [*range(EDGE), *range(size - EDGE, size)]
            array = array.take(kept, axis)
    return array


class Format:
    """How the entries of one tensor are written, all alike."""

    def __init__(self, array: Any) -> None:
        flat = array.reshape(-1)
        self.floats = array.dtype.kind == "f"
        self.whole = self.scientific = False
        if self.floats:
            finite = np.abs(flat[np.isfinite(flat) & (flat != 0)].astype(np.float64))
            if finite.size:
                largest, smallest = finite.max(), finite.min()
                self.whole = bool((finite == np.ceil(finite)).all())
                far = largest / smallest > 1000.0 or largest > 1.0e8
                self.scientific = bool(far if self.whole else far or smallest < 1.0e-4)
            else:
                self.whole = True
        # Neither NaN nor infinity nor 0 widens the columns.
        counted = flat[np.isfinite(flat) & (flat != 0)] if self.floats else flat
        self.width = max((len(self._text(v)) for v in counted), default=1)

    def _text(self, value: Any) -> str:
        if not self.floats:
            return str(value)
        if not np.isfinite(value):
            return str(float(value))
        if self.scientific:
            return f"{value:.{PRECISION}e}"
        return f"{value:.0f}." if self.whole else f"{value:.{PRECISION}f}"

    def __call__(self, value: Any) -> str:
        return self._text(value).rjust(self.width)


def rows(array: Any, form: Format, indent: int, summarise: bool) -> str:
    """The nested brackets of an array."""
    if array.ndim == 0:
        return form(array.item() if form.floats is False else array[()])
    cut = summarise and array.shape[0] > 2 * EDGE
    parts = [*range(EDGE), None, *range(-EDGE, 0)] if cut else list(range(array.shape[0]))
    if array.ndim == 1:
        texts = [" ..." if i is None else form(array[i]) for i in parts]
        per_line = max(1, int((WIDTH - indent) / (form.width + 2)))
        lines = [texts[i : i + per_line] for i in range(0, len(texts), per_line)]
        return "[" + (",\n" + " " * (indent + 1)).join(", ".join(line) for line in lines) + "]"
    texts = [
        "..." if i is None else rows(array[i], form, indent + 1, summarise) for i in parts
    ]
    return "[" + ("," + "\n" * (array.ndim - 1) + " " * (indent + 1)).join(texts) + "]"


def text(tensor: Any) -> str:
    """``repr`` of a tensor: its values, and what of it is not the default."""
    array = np.asarray(tensor._array)
    notes = []
    kind = dtypes.of(array)
    if array.size == 0:
        body = "[]"
        if array.ndim != 1:
            notes.append(f"size={tuple(array.shape)}")
        ordinary = kind is dtypes.get_default_dtype()
    else:
        summarise = array.size > THRESHOLD
        body = rows(array, Format(shown(array) if summarise else array), len("tensor("), summarise)
        ordinary = kind in (dtypes.get_default_dtype(), dtypes.int64, dtypes.bool_)
    if not ordinary:
        notes.append(f"dtype={kind}")
    if tensor.grad_fn is not None:
        notes.append(f"grad_fn=<{tensor.grad_fn.name()}>")
    elif tensor.requires_grad:
        notes.append("requires_grad=True")
    return with_notes(f"tensor({body}", notes)


def with_notes(body: str, notes: list[str]) -> str:
    """The notes behind the values, on a new line where they would pass the right margin."""
    out, length = body, len(body) - body.rfind("\n") + 1
    for note in notes:
        if length + len(note) + 2 > WIDTH:
            out += ",\n" + " " * len("tensor(") + note
            length = len("tensor(") + len(note)
        else:
            out += ", " + note
            length += len(note) + 2
    return out + ")"
