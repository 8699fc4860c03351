"""Two runs of one function, laid side by side: what is the same, and where they part.

``run`` takes down what a call does, ``difference`` aligns two such runs, operation by operation.
What branches and loops did is told by counting how often each place in the program was passed.
"""

from __future__ import annotations

import ast
import difflib
import linecache
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from itertools import groupby
from typing import Any, NamedTuple

from ..graph import TensorBase, edge_to, reachable
from ..ops.creation import tensor
from .notice import Notices
from .passes import PassRecord, fill_in
from .recorder import Tape

MOST_OPERATIONS = 10_000  # then a run is stopped (MG114)
LONGEST = 2_000  # operations among which equal ones are looked for
FOLDED, KEPT = 8, 2  # a stretch of more like rows is folded; so many stay visible at either end
SIGNS = {"same": "=", "value": "≠", "left": "<", "right": ">"}
SUM_UP = {"same": "equal", "value": "with other values", "left": "on the left", "right": "on the right"}


class Row(NamedTuple):
    """One line of the comparison: the two nodes that stand in the same place, or only one."""

    kind: str  # a key of SIGNS
    left: int | None  # its position among the nodes of the run
    right: int | None


class Run(NamedTuple):
    """What one call did: its leaves and nodes as the tape describes them, and where they arose."""

    function: str
    title: str  # "a = 1.9"
    nodes: list[dict[str, Any]]
    places: list[Any]  # of each node: its ``Place`` and how far the called function had got

    def operations(self) -> int:
        return sum(node["kind"] == "op" for node in self.nodes)

    def keys(self) -> list[tuple[Any, ...]]:
        """What makes two nodes of two runs the same one: operation and source line, or name."""
        return [
            (node["op"], node["file"], node["line"]) if node["op"] else tuple(node["names"][:1])
            for node in self.nodes
        ]


def run(shared: Tape, f: Callable[..., Any], inputs: Mapping[str, Any]) -> Run:
    """Call ``f`` with these arguments, floats as tensors that require gradients, and watch.

    Raises what ``f`` raises, and RuntimeError (MG114) after 10,000 operations.
    """
    arguments = {
        name: tensor(value, requires_grad=True) if isinstance(value, float) else value
        for name, value in inputs.items()
    }
    reader, guard = shared.watch(), nullcontext()
    before = max((int(key[1:]) for key in shared.facts if key[0] == "n"), default=0)
    try:
        leaves = [shared.key_of(v) for v in arguments.values() if edge_to(v) is v is not None]
        if Notices.active is None:
            guard = Notices(shared, MOST_OPERATIONS, MOST_OPERATIONS)
        with guard:
            kept = f(**arguments)
        shared.look_for_names()
    finally:
        shared.release(reader)
    made = [key for key in dict.fromkeys(reader.changed) if key[0] == "n" and int(key[1:]) > before]
