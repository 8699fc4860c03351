"""A recorded forward and backward as plain data: the widgets' only source.

``recorder``  the tape itself: told of each operation and visit, read by whoever draws
``passes``    a backward pass as a list of steps, rehearsed or replayed
``source``    which line made a node, and which variable got its result
``formulas``  operations and derivative rules as text
``values``    bounded summaries of values
``text``      the graph as text
``notice``    what is legal, and seldom meant

Nothing here costs anything until somebody calls ``tape.watch()``.
"""

from .notice import Notices
from .passes import VERSION, PassRecord, rehearse
from .recorder import Reader, Tape
from .source import label_cells_by
from .text import graph_text

tape = Tape(PassRecord)
"""The one tape that all watchers share."""


def notices(graphs: int = 10, operations: int = 10_000) -> Notices:
    """Say from now on, each once, what is legal and seldom meant.

    MG101, at an optimiser's step: a gradient is the sum of several backward passes.
    MG110: a sum has collected the graphs of ``graphs`` backward passes (``total += loss``).
    MG114, an error: ``operations`` were recorded without a backward pass.

    It ends with ``stop()``, or with the ``with`` block that it opens. PyTorch has nothing like it.

    >>> import minigrad as torch
    >>> x = torch.tensor(1.0, requires_grad=True)
    >>> with torch.tape.notices(operations=100):  # doctest: +ELLIPSIS
    ...     while x < 2:
    ...         y = x * 2
    Traceback (most recent call last):
        ...
    RuntimeError: stopped after 100 operations without a backward pass
    ...
    """
    return Notices(tape, graphs, operations)


__all__ = [
    "VERSION", "Notices", "PassRecord", "Reader", "Tape", "graph_text", "label_cells_by", "notices",
    "rehearse", "tape",
]  # fmt: skip
