"""Two runs of one function, laid side by side: what is the same, and where they part.

``run`` takes down what a call does, ``compare`` aligns two runs, operation by operation. What
branches and loops did is told by counting how often each place of the program was passed.
"""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby, takewhile
from operator import eq
from typing import Any, NamedTuple

from ..engine.node import Node, TensorBase, edge_to, reachable
from ..ops.creation import tensor
from .branches import Fork, forks_in
from .filling_in import fill_in
from .notice import Notices
from .passes import PassRecord
from .recorder import Tape
from .text import age
from .values import plural, visible

MOST = 10_000  # operations of a run; then it is stopped (MG114)
LONGEST = 2_000  # nodes among which equal ones are looked for
FOLDED = 8  # a longer stretch of like rows is folded, but for so many at either end
ENDS = 2
SIGNS = {"same": "=", "value": "≠", "left": "<", "right": ">"}
WORDS = {
    "same": "equal operations",
    "value": "operations with other values",
    "left": "operations on the left",
    "right": "operations on the right",
}

Row = tuple[str, int, int]  # a key of SIGNS, and the nodes' positions in their runs; -1: none


class Run(NamedTuple):
    """What one call did: its leaves and then its nodes, as the tape describes them."""

    function: str
    title: str  # "a = 1.9"
    nodes: list[dict[str, Any]]
    places: list[Any]  # where each was made: a ``Place``, and how far the called function had got

    def operations(self) -> int:
        return sum(node["kind"] == "op" for node in self.nodes)

    def keys(self) -> list[Any]:
        """What makes two nodes the same one: operation and source line, or a leaf's name."""
        return [(n["op"] or str(n["names"][:1]), n["file"], n["line"]) for n in self.nodes]


class Difference(NamedTuple):
    """Two runs, aligned. ``print`` shows them as a table."""

    left: Run
    right: Run
    rows: list[Row]
    forks: list[Fork]  # the branches and loops of the program
    branches: list[int]  # the lines of those where the runs went different ways
    passes: dict[int, list[int]]  # so many more on the left (negative: right): through these lines

    def summary(self) -> str:
        """How many operations, which branches, how many passes: one sentence."""
        one = self.left.operations()
        other = self.right.operations()
        parts = [f"{many(one, 'operation')} against {other}"]
        if self.branches:
            parts.append(f"the branch at {lines(self.branches)} differs")
        for more, where in self.passes.items():
            side = "left" if more > 0 else "right"
            parts.append(f"{many(abs(more), 'more pass')} through {lines(where)} on the {side}")
        if len(parts) == 1 and one == other:
            both = [(i, j) for _, i, j in self.rows if i >= 0 and j >= 0]
            pairs = [(self.left.nodes[i], self.right.nodes[j]) for i, j in both]
            operations = [pair for pair in pairs if pair[0]["op"]]  # each has its counterpart
            shapes = sum(reshaped(*pair) for pair in operations)
            values = sum(not alike(*pair) for pair in operations) - shapes
            parts = [f"{many(one, 'operation')} on both sides, in the same places"]
            if values:
                parts.append(f"{values} with other values")
            if shapes:
                parts.append(f"{shapes} with {'another shape' if shapes == 1 else 'other shapes'}")
            if not values and not shapes:
                parts.append("with the same values")
        return "; ".join(parts)

    def __str__(self) -> str:
        shown: list[tuple[str, ...]]
        shown = [("", "line", self.left.title, "", self.right.title, "")]
        for kind, group in groupby(self.rows, lambda row: row[0]):
            rows = list(group)
            if len(rows) <= FOLDED:
                shown += map(self.cells, rows)
                continue
            hidden = f"{len(rows) - 2 * ENDS} {WORDS[kind]}"
            shown += map(self.cells, rows[:ENDS])
            shown.append((SIGNS[kind], "…", hidden, "", "", ""))
            shown += map(self.cells, rows[-ENDS:])
        widths = [max(map(len, column)) for column in zip(*shown)]
        table = ["  ".join(map(str.ljust, row, widths)).rstrip() for row in shown]
        return visible("\n".join((self.summary(), "", *table)))

    def cells(self, row: Row) -> tuple[str, ...]:
        """One row as text: the sign, the line, and both equations with their values."""
        kind, *at = row
        pair = [run.nodes[i] if i >= 0 else None for run, i in zip((self.left, self.right), at)]
        line = next(node["line"] for node in pair if node)
        texts = [(equation(node), node["value"]["text"]) if node else ("", "") for node in pair]
        return (SIGNS[kind], str(line or ""), *texts[0], *texts[1])


def equation(node: Mapping[str, Any]) -> str:
    """The node as it would be written: ``y = x * 3``."""
    parts = node["names"][:1]
    if node["op"]:
        parts = [*parts, node["formula"]]
    return " = ".join(parts) or node["formula"] or "unnamed"


def many(number: int, word: str) -> str:
    return f"{number} {plural(word, number)}"


def lines(numbers: Sequence[int]) -> str:
    """Lines in words: "line 5", "lines 3-4", "lines 3, 7"."""
    if len(numbers) == 1:
        return f"line {numbers[0]}"
    if len(numbers) == numbers[-1] - numbers[0] + 1:
        return f"lines {numbers[0]}-{numbers[-1]}"
    return "lines " + ", ".join(map(str, numbers))


# ---------------------------------------------------------------------------------- running


def run(shared: Tape, f: Callable[..., Any], inputs: Mapping[str, Any]) -> Run:
    """Call ``f`` with these arguments, floats as tensors that require gradients, and watch.

    Raises what ``f`` raises, and RuntimeError (MG114) after 10,000 operations.
    """
    given = {
        name: tensor(value, requires_grad=True) if isinstance(value, float) else value
        for name, value in inputs.items()
    }
    reader = shared.watch(keeps=True)
    try:
        leaves = {
            shared.key_of(value): name
            for name, value in given.items()
            if isinstance(value, TensorBase) and not isinstance(value._node, Node)
        }
        noticing = Notices.active
        with noticing.at_most(MOST) if noticing else Notices(shared, MOST, MOST):
            f(**given)
        shared.look_for_names()
    finally:
        shared.release(reader)
    for key, name in leaves.items():
        shared.facts[key].aliases = (name,)
    made = {key for key in reader.made if key in shared.facts}
    title = ", ".join(f"{name} = {value}" for name, value in inputs.items())
    return described(shared, [*leaves, *sorted(made, key=age)], getattr(f, "__name__", ""), title)


def run_behind(shared: Tape, result: Any, names: Mapping[str, Any]) -> Run:
    """The run that made a tensor, as far as its graph remembers it."""
    nodes = reachable([edge_to(result)])
    record = PassRecord(shared, (result,))
    record.take(nodes)
    fill_in(record.tape, nodes, result, names)
    made = sorted(record.tape.facts, key=age)
    return described(record.tape, made, "", record.tape.text(record.root))


def described(tape: Tape, keys: Sequence[str], function: str, title: str) -> Run:
    """A run of these nodes, with the leaves that they use."""
    used = [operand for key in keys for operand in tape.facts[key].operands]
    leaves = [key for key in (*keys, *used) if key in tape.facts and not age(key)[0]]
    order = list(dict.fromkeys((*leaves, *keys)))
    places = [(tape.facts[key].place, tape.facts[key].inside) for key in order]
    return Run(function, title, list(map(tape.describe, order)), places)


# ---------------------------------------------------------------------------------- comparing


def compare(left: Run, right: Run) -> Difference:
    """Align two runs, and say where they part."""
    rows = [
        (kind or ("same" if alike(left.nodes[i], right.nodes[j]) else "value"), i, j)
        for kind, i, j in aligned(left.keys(), right.keys())
    ]
    one = Counter(left.places)
    other = Counter(right.places)
    files = {p.code.co_filename for p, _ in (*one, *other) if p}
    forks = {file: forks_in(file) for file in files}
    more: dict[Fork | None, list[tuple[int, int, bool]]] = {}
    for place, inside in {**one, **other}:
        excess = one[place, inside] - other[place, inside]
        if place and excess:
            line = place.line
            inner = [f for f in forks[place.code.co_filename] if any(line in w for w in f.ways)]
            absent = not (one[place, inside] and other[place, inside])
            more.setdefault(inner[-1] if inner else None, []).append((line, excess, absent))
    apart = {fork for fork, found in more.items() if fork and parts(fork, found)}
    passes: dict[int, set[int]] = {}
    for fork, found in more.items():
        for line, excess, absent in found:
            # What follows an early return belongs to the branch that returned.
            if fork not in apart and not (absent and fork is None and apart):
                passes.setdefault(excess, set()).add(line)
    branches = sorted({fork.line for fork in apart})
    met = [fork for found in forks.values() for fork in found]
    return Difference(left, right, rows, met, branches, {n: sorted(p) for n, p in passes.items()})


def alike(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    return all(one["value"][part] == other["value"][part] for part in ("data", "shape", "dtype"))


def reshaped(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    return one["value"]["shape"] != other["value"]["shape"]


def aligned(one: list[Any], other: list[Any]) -> Iterator[Row]:
    """Pairs of equal entries, and those that have none: first one's, then the other's."""
    start = sum(1 for _ in takewhile(bool, map(eq, one, other)))
    end = sum(1 for _ in takewhile(bool, map(eq, one[start:][::-1], other[start:][::-1])))
    a = one[start : len(one) - end]
    b = other[start : len(other) - end]
    yield from (("", i, i) for i in range(start))
    blocks: list[Any] = [(len(a), len(b), 0)]
    if len(a) * len(b) <= LONGEST**2:
        blocks = difflib.SequenceMatcher(None, a, b, autojunk=False).get_matching_blocks()
    i = j = 0
    for left, right, size in [*blocks]:
        yield from (("left", start + k, -1) for k in range(i, left))
        yield from (("right", -1, start + k) for k in range(j, right))
        yield from (("", start + left + k, start + right + k) for k in range(size))
        i = left + size
        j = right + size
    yield from (("", len(one) - k, len(other) - k) for k in range(end, 0, -1))


def parts(fork: Fork, found: list[tuple[int, int, bool]]) -> bool:
    """Did the runs go different ways? One never went here, or each went elsewhere more often."""
    excesses = [excess for _, excess, _ in found]
    once = any(absent for _, _, absent in found)
    return len(fork.ways) > 1 and (once or min(excesses) < 0 < max(excesses))
