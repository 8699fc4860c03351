"""``GraphDiff``: two runs of one function, side by side."""

from __future__ import annotations

import linecache
import sys
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any

import traitlets

from minigrad.engine.node import TensorBase
from minigrad.lesson import Prediction
from minigrad.static.graph import ProgramTape
from minigrad.tape import VERSION, Difference, Run, tape
from minigrad.tape.branches import Fork
from minigrad.tape.difference import compare, described, reshaped, run, run_behind
from minigrad.tape.values import plural, visible

from . import pytorch
from .bundles import bundle
from .lesson_faces import question_of
from .page_view import PageView
from .runs import in_time

MOST_ROWS = 1000  # in a longer table, the middle of long stretches is left out
ENDS = 50  # rows at either end of such a stretch


class GraphDiff(PageView):
    """Two runs of one function side by side: nodes aligned, and what differs marked.

    It asks before it shows: first what stays the same (how many operations do both runs make?),
    then what differs: how many more will the right run make, and which way will it go at a
    branch? ``ask=False`` shows at once. ``print(view)`` is the same as a table of text.

    Parameters
    ----------
    first : callable or tensor
        The function to call twice; or the result of one run.
    left, right : dict
        Its arguments. Floats become tensors that require gradients; of PyTorch's, if another
        argument is one of these, or the function computes with PyTorch.
    left : tensor
        The result of the other run, if ``first`` is a result. Two programs may be compared so, too:
        ``GraphDiff(one.graph, other.graph)``, of compiled functions.
    ask : bool
        Whether to ask first.

    Raises what the function raises, RuntimeError (MG114) after 10,000 operations, and TimeoutError
    if a run has not ended after 10 seconds.

    >>> from minigrad_widgets import GraphDiff
    >>> def f(a):
    ...     while a < 4:
    ...         a = a * 2
    ...     return a
    >>> GraphDiff(f, {"a": 1.9}, {"a": 2.1})
    GraphDiff(a = 1.9 | a = 2.1)
    """

    _esm = bundle("graph_diff.js")
    _css = bundle("minigrad.css")

    difference = traitlets.Dict().tag(sync=True)
    """Both runs, aligned (``Difference`` in ``difference.ts``)."""

    given: Any = traitlets.List(default_value=None, allow_none=True).tag(sync=True)
    """The answers to its questions (``Given`` in ``question.ts``); None before."""

    def __init__(
        self, first: Any, left: Any, right: Any = None, *, ask: bool = True, **options: Any
    ) -> None:
        if right is None and callable(first) and not isinstance(first, TensorBase):
            raise TypeError(
                "GraphDiff(f, left, right) calls f twice: give the arguments of both runs, as in "
                'GraphDiff(f, {"a": 1.9}, {"a": 2.1})'
            )
        if right is None:  # two results: variables of the caller name what nobody watched
            frame = sys._getframe(1)
            names = {**frame.f_globals, **frame.f_locals}
            found = compare(behind(first, names), behind(left, names))
        elif is_pytorchs(first, (*left.values(), *right.values())):
            timed = {"function": first}
            runs = [in_time(pytorch.run, {**timed, "inputs": inputs}) for inputs in (left, right)]
            found = compare(*runs)
        else:
            timed = {"shared": tape, "f": first}
            runs = [in_time(run, {**timed, "inputs": inputs}) for inputs in (left, right)]
            found = compare(*runs)
        self._difference = found
        super().__init__(difference=as_data(found, ask), **options)

    def __repr__(self) -> str:
        titles = self._difference.left.title, self._difference.right.title
        return visible(f"GraphDiff({' | '.join(titles)})")

    def __str__(self) -> str:
        return str(self._difference)


def is_pytorchs(function: Any, values: Iterable[Any]) -> bool:
    """Is a function to be called with PyTorch's tensors?"""
    values = list(values)
    if any(isinstance(value, TensorBase) for value in values):
        return False
    return any(map(pytorch.is_tensor, values)) or pytorch.is_pytorchs(function)


def behind(result: Any, names: dict[str, Any]) -> Run:
    """The run that made a tensor, of minigrad's or of PyTorch's; or a compiled program."""
    if isinstance(result, ProgramTape):
        return described(result, result.in_order(), "", result.name)
    if pytorch.is_tensor(result):
        return pytorch.run_behind(result, names)
    return run_behind(tape, result, names)


def as_data(found: Difference, ask: bool = True) -> dict[str, Any]:
    """A difference as the page gets it."""
    return {
        "version": VERSION,
        "function": found.left.function,
        "summary": found.summary(),
        "left": {"title": found.left.title, "operations": found.left.operations()},
        "right": {"title": found.right.title, "operations": found.right.operations()},
        "rows": list(rows_of(found)),
        "principle": principle(found),
        "questions": [question_of(asked) for asked in questions(found)] if ask else [],
    }


def rows_of(found: Difference) -> Iterator[dict[str, Any]]:
    """The rows with their nodes; of long stretches in long tables, the ends."""
    long = len(found.rows) > MOST_ROWS
    for kind, group in groupby(found.rows, lambda row: row[0]):
        rows = list(group)
        skipped = 0
        if long:
            skipped = len(rows) - 2 * ENDS
        for at, (_, i, j) in enumerate(rows):
            if skipped > 0 and ENDS <= at < ENDS + skipped:
                if at == ENDS:
                    yield {"kind": kind, "left": None, "right": None, "skipped": skipped}
                continue
            left = found.left.nodes[i] if i >= 0 else None
            right = found.right.nodes[j] if j >= 0 else None
            yield {"kind": kind, "left": left, "right": right, "skipped": 0}


def shared(found: Difference) -> list[str]:
    """Of each operation that both runs make, "same" or, with other numbers, "value"."""
    both = [(kind, i) for kind, i, j in found.rows if i >= 0 and j >= 0]
    return [kind for kind, i in both if found.left.nodes[i]["op"]]


def principle(found: Difference) -> str:
    """What the comparison shows of every graph, once it has been looked at."""
    operations = len(shared(found))
    if operations == found.left.operations() == found.right.operations():
        pairs = [(i, j) for _, i, j in found.rows if i >= 0 and j >= 0]
        if any(reshaped(found.left.nodes[i], found.right.nodes[j]) for i, j in pairs):
            return (
                "Both runs passed the same lines, so their graphs have the same operations: "
                "neither other numbers nor other shapes alone make another graph."
            )
        return (
            "Both runs passed the same lines, so their graphs have the same nodes: "
            "other numbers alone make no other graph."
        )
    return (
        "A graph holds what ran: what both runs do is in both graphs, and a line that a run "
        "passes by leaves no node in its graph."
    )


def what_stays(found: Difference) -> Prediction:
    """The first question: how many operations do both runs make?"""
    left = found.left.operations()
    kinds = shared(found)
    mistakes = {
        kinds.count("same"): "So many have the same numbers too; here the numbers do not count.",
        left: "That is all of them. Will the right run pass each of these lines as often?",
        0: "Some line is passed by both, whatever the numbers are.",
    }
    mistakes.pop(len(kinds), None)
    return Prediction(
        f"The left run ({found.left.title}) made {left} {plural('operation', left)}. How many of "
        f"them will the right one ({found.right.title}) make too: the same operation on the same "
        "line, whatever the numbers?",
        len(kinds),
        None,
        mistakes,
        0.0,
        "In the picture they stand beside each other, with other numbers or the same.",
    )


def questions(found: Difference) -> Iterator[Prediction]:
    """What the view asks before it shows: what stays the same, then what differs."""
    yield what_stays(found)
    left = found.left.operations()
    right = found.right.operations()
    count = f"{left} {plural('operation', left)}"
    mistakes = {right: "That is how many it makes altogether; asked is how many more."}
    if right < left:
        mistakes = {left - right: "So many fewer: that is a negative number.", **mistakes}
    yield Prediction(
        f"The left run ({found.left.title}) made {count}. How many more will the right one "
        f"({found.right.title}) make? If fewer, write a negative number.",
        right - left,
        None,
        mistakes,
        0.0,
        f"{right} against {left}.",
    )
    for fork in sorted(found.forks, key=lambda fork: (fork.line not in found.branches, fork.line)):
        gone = way(fork, found.left), way(fork, found.right)
        if len(fork.ways) > 1 and None not in gone and any(fork.ways[at or 0] for at in gone):
            ways = [way_text(fork, index) for index in range(len(fork.ways))]
            same = "the same way as" if gone[0] == gone[1] else "another way than"
            yield Prediction(
                f"Which way will the right run go at line {fork.line}, `{line(fork, fork.line)}`?",
                ways[gone[1] or 0],
                ways,
                {},
                0.0,
                f"It goes {same} the left run.",
            )
            return


def way(fork: Fork, run: Run) -> int | None:
    """Which way a run went at a branch; None if it went several, or never came there."""
    passed = {p.line for p, _ in run.places if p is not None and p.code.co_filename == fork.file}
    gone = [index for index, lines in enumerate(fork.ways) if passed.intersection(lines)]
    if gone:
        return gone[0] if len(gone) == 1 else None
    empty = [index for index, lines in enumerate(fork.ways) if not lines]
    return empty[0] if empty else None


def way_text(fork: Fork, index: int) -> str:
    lines = fork.ways[index]
    return f"line {lines.start}: {line(fork, lines.start)}" if lines else "past it"


def line(fork: Fork, number: int) -> str:
    return linecache.getline(fork.file, number).strip()
