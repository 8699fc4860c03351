"""Sequences of different lengths. Counterpart: ``torch.nn.utils.rnn``."""

from ..._tensor import Tensor
from ...compat.arguments import ensure
from ...compat.missing import missing_from
from ...ops.joining import stack
from ..padding import pad


def pad_sequence(sequences, batch_first=False, padding_value=0.0, padding_side="right"):
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
    sequences = list(sequences) if isinstance(sequences, Tensor) else sequences
    length = max(map(len, sequences), default=0)
    filled = []
    for sequence in sequences:
        rest = length - len(sequence)
        room = (rest, 0) if padding_side == "left" else (0, rest)
        around = [*[0, 0] * (sequence.ndim - 1), *room]
        filled.append(pad(sequence, around, value=padding_value) if rest else sequence)
    return stack(filled, 0 if batch_first else 1)


__getattr__ = missing_from(__name__)
