"""Sequences of different lengths. Counterpart: ``torch.nn.utils.rnn``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..._tensor import Tensor
from ...compat.arguments import ensure
from ...compat.missing import missing_from
from ...ops.joining import stack
from ..padding import pad


def pad_sequence(
    sequences: Tensor | Sequence[Any],
    batch_first: bool = False,
    padding_value: float = 0.0,
    padding_side: str = "right",
) -> Any:
    """One tensor of sequences that differ in their first size, filled up with a number.

    Of shape (length, batch, ...), or with ``batch_first`` (batch, length, ...).
    Counterpart: ``torch.nn.utils.rnn.pad_sequence``.

    >>> import minigrad as torch
    >>> from minigrad.nn.utils.rnn import pad_sequence
    >>> pad_sequence([torch.ones(2), torch.ones(3)], batch_first=True)
    tensor([[1., 1., 0.],
            [1., 1., 1.]])
    """
    ensure(padding_side in ("right", "left"), "Expected padding_side to be one of left or right")
    rows = list(sequences) if isinstance(sequences, Tensor) else sequences
    longest = max(map(len, rows), default=0)
    filled = []
    for row in rows:
        lacking = longest - len(row)
        others = [0, 0] * (row.ndim - 1)  # the later dimensions, which pad() takes first
        if lacking and padding_side == "left":
            row = pad(row, [*others, lacking, 0], value=padding_value)
        elif lacking:
            row = pad(row, [*others, 0, lacking], value=padding_value)
        filled.append(row)
    return stack(filled, 0 if batch_first else 1)


__getattr__ = missing_from(__name__)
