"""A recorded forward and backward as plain data: the widgets' only source.

``recorder``  the tape itself: told of each operation and visit
``facts``     what it knows of each, as whoever draws reads it
``passes``    a backward pass as a list of steps, rehearsed or replayed
``filling_in``  what can be told of a graph that nobody watched
``source``    which line made a node, and which variable got its result
``formulas``  operations and derivative rules as text; ``plain_rules``  those that need words
``marks``     what was cut from the graph, and what shares memory
``failures``  the operation that raised an error
``values``    bounded summaries of values
``memory``    the bytes that nodes keep over time; ``buffers``  which arrays they have saved
``keeping``   which variable keeps them, and why; ``holders``  the way from it to a graph
``collecting``  no garbage is looked for while much is built
``text``      the graph as text
``notice``    what is legal, and seldom meant
``difference``  two runs of a function side by side; ``branches``  its branches and loops

Nothing here costs anything until somebody calls ``tape.watch()``.
"""

import sys
from typing import Any

from .difference import Difference, Run, compare, run, run_behind
from .filling_in import behind
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
    MG114, an error each time: ``operations`` were recorded without a backward pass.

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


def diff(first: Any, left: Any, right: Any = None) -> Difference:
    """Two runs of one function side by side: where they part. ``print`` shows them as a table.

    ``diff(f, {"a": 1.9}, {"a": 1.96})`` calls ``f`` twice; floats become tensors that require
    gradients. ``diff(one, other)`` compares the graphs behind two tensors, as far as they tell
    where their nodes were made: those that somebody watched do.

    Raises what ``f`` raises; RuntimeError (MG114) if a run takes more than 10,000 operations.
    PyTorch has nothing like it.

    >>> import minigrad as torch
    >>> def f(a):
    ...     while a < 4:
    ...         a = a * 2
    ...     return a
    >>> print(torch.tape.diff(f, {"a": 1.9}, {"a": 2.1}))  # doctest: +ELLIPSIS
    2 operations against 1; 1 more pass through line ... on the left
    ...
    """
    if right is None:
        frame = sys._getframe(1)
        names = {**frame.f_globals, **frame.f_locals}
        return compare(run_behind(tape, first, names), run_behind(tape, left, names))
    return compare(run(tape, first, left), run(tape, first, right))


__all__ = [
    "VERSION",
    "behind",
    "Difference",
    "Notices",
    "PassRecord",
    "Reader",
    "Run",
    "Tape",
    "diff",
    "graph_text",
    "label_cells_by",
    "notices",
    "rehearse",
    "tape",
]
