"""A recorded forward and backward as plain data: the widgets' only source.

``recorder``  the tape itself: told of each operation and visit, read by whoever draws
``passes``    a backward pass as a list of steps, rehearsed or replayed
``source``    which line made a node, and which variable got its result
``formulas``  operations and derivative rules as text
``values``    bounded summaries of values
``text``      the graph as text

Nothing here costs anything until somebody calls ``tape.watch()``.
"""

from .passes import VERSION, PassRecord, rehearse
from .recorder import Reader, Tape
from .source import label_cells_by
from .text import graph_text

tape = Tape(PassRecord)
"""The one tape that all watchers share."""

__all__ = [
    "VERSION", "PassRecord", "Reader", "Tape", "graph_text", "label_cells_by", "rehearse", "tape",
]  # fmt: skip
