"""Tensors as text, as PyTorch prints them.

All entries of a tensor share one format. Whole floats print as ``1.``; others with four
decimals; and scientific notation is used for all as soon as the magnitudes are too far apart
(a ratio over 1000), too large (over 1e8) or too small (under 1e-4). Over 1000 entries are
summarised: three at either end of each dimension.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from . import dtypes

OPTIONS: dict[str, Any] = {}
PROFILES = {"default": (4, 1000, 3, 80), "short": (2, 1000, 2, 80), "full": (4, math.inf, 3, 80)}


def set_printoptions(
    precision: int | None = None,
    threshold: float | None = None,
    edgeitems: int | None = None,
    linewidth: int | None = None,
    profile: str | None = None,
    sci_mode: bool | None = None,
) -> None:
    """How tensors print: digits, entries before a summary, entries at its ends, width of a line.

    ``profile`` ("default", "short", "full") sets all of these; ``sci_mode`` switches scientific
    notation on or off (None: where it is needed). Counterpart: ``torch.set_printoptions``.

    >>> import minigrad as torch
    >>> torch.set_printoptions(precision=2)
    >>> torch.tensor([1.2345])
    tensor([1.23])
    >>> torch.set_printoptions(profile="default")
    """
    names = ("precision", "threshold", "edgeitems", "linewidth")
    OPTIONS.update(zip(names, PROFILES.get(profile or "", ()), strict=False), sci_mode=sci_mode)
    given = zip(names, (precision, threshold, edgeitems, linewidth), strict=True)
    OPTIONS.update((name, value) for name, value in given if value is not None)


set_printoptions(profile="default")


def ends(array: Any) -> Any:
    """The entries that a summary shows, as a smaller array."""
    edge = OPTIONS["edgeitems"]
    for axis, size in enumerate(array.shape):
        if size > 2 * edge:
            array = array.take([*range(edge), *range(size - edge, size)], axis)
    return array


class Format:
    """How the entries of one tensor are written, all alike."""

    def __init__(self, array: Any) -> None:
        flat = array.reshape(-1)
        self.floats = array.dtype.kind == "f"
        # Neither NaN nor infinity nor 0 widens the columns.
        counted = flat
        if self.floats:
            counted = flat[np.isfinite(flat) & (flat != 0)]
        sizes = np.abs(counted.astype(np.float64))
        self.scientific = False
        self.whole = bool((sizes == np.ceil(sizes)).all())
        if self.floats and sizes.size:
            largest = sizes.max()
            smallest = sizes.min()
            self.scientific = bool(
                largest / smallest > 1000.0 or largest > 1.0e8 or smallest < 1.0e-4
            )
            if OPTIONS["sci_mode"] is not None:
                self.scientific = bool(OPTIONS["sci_mode"])
        self.width = max((len(self._text(v)) for v in counted), default=1)

    def _text(self, value: Any) -> str:
        if not self.floats:
            return str(value)
        if not np.isfinite(value):
            return str(float(value))
        if self.scientific:
            return f"{value:.{OPTIONS['precision']}e}"
        if self.whole:
            return f"{value:.0f}."
        return f"{value:.{OPTIONS['precision']}f}"

    def __call__(self, value: Any) -> str:
        return self._text(value).rjust(self.width)


def brackets(array: Any, form: Format, indent: int, summarise: bool) -> str:
    """The nested brackets of an array."""
    if array.ndim == 0:
        return form(array[()])
    edge = OPTIONS["edgeitems"]
    cut = summarise and array.shape[0] > 2 * edge
    shown = [*range(edge), *range(-edge, 0)] if cut else range(array.shape[0])
    if array.ndim == 1:
        texts = [form(array[i]) for i in shown]
        if cut:
            texts.insert(edge, " ..." if edge else "...")
        per_line = max(1, int((OPTIONS["linewidth"] - indent) // (form.width + 2)))
        lines = [texts[i : i + per_line] for i in range(0, len(texts), per_line)]
        return "[" + (",\n" + " " * (indent + 1)).join(", ".join(line) for line in lines) + "]"
    texts = [brackets(array[i], form, indent + 1, summarise) for i in shown]
    if cut:
        texts.insert(edge, "...")
    return "[" + ("," + "\n" * (array.ndim - 1) + " " * (indent + 1)).join(texts) + "]"


def text(tensor: Any) -> str:
    """``repr`` of a tensor: its values, and what of it is not the default."""
    array = np.asarray(tensor._array)
    name = type(tensor).__name__
    start = "tensor(" if name in ("Tensor", "Parameter") else f"{name}("
    notes = []
    kind = dtypes.of(array)
    ordinary = {dtypes.get_default_dtype()}
    body = "[]"
    nothing = array.ndim != 1
    if array.size:
        summarise = array.size > OPTIONS["threshold"]
        form = Format(ends(array) if summarise else array)
        body = brackets(array, form, len(start), summarise)
        nothing = not OPTIONS["edgeitems"]
        ordinary = ordinary | {dtypes.int64, dtypes.bool_}
    if nothing:  # is to be seen of its shape
        notes.append(f"size={array.shape}")
    if kind not in ordinary:
        notes.append(f"dtype={kind}")
    try:
        made_by = tensor.grad_fn
    except RuntimeError:  # a view that has lost its history, see ``views.update_history``
        notes.append("grad_fn=<Invalid>")
    else:
        if made_by is not None:
            notes.append(f"grad_fn=<{made_by.name()}>")
        elif tensor.requires_grad:
            notes.append("requires_grad=True")
    return with_notes(f"{start}{body}", notes, len(start))


def with_notes(body: str, notes: list[str], indent: int) -> str:
    """The notes behind the values, on a new line where they would pass the right margin."""
    out = body
    length = len(body) - body.rfind("\n") + 1
    for note in notes:
        if length + len(note) + 2 <= OPTIONS["linewidth"]:
            out += f", {note}"
            length += len(note) + 2
        else:
            out += ",\n" + " " * indent + note
            length = indent + len(note)
    return out + ")"
