"""Who keeps what: of each variable that leads to a graph, how much stays because of it, and why.

Three ways to keep more than one means to are told apart by what is found: nodes that remain after
their backward pass, because a result of theirs is kept; graphs on which no backward pass has run,
so that everything is still there that they have saved; results that were stored with their graphs.
"""

from __future__ import annotations

import math
import sys
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..engine.node import LEAF, Node, TensorBase
from .buffers import LEAVES, owner, reach, saved_arrays
from .holders import Holder
from .memory import Memory
from .recorder import Tape
from .source import Place

MANY = 3  # passes of a sum, from which on it is called one

ONE, SEVERAL, SUM = "one", "several", "sum"
"""What a variable holds: a result; several of them; a result to which more and more was added."""

NEVER, FREED, RETAINED, PARTLY = "never", "freed", "retained", "partly"
"""What backward passes have done to its graph: nothing; freed what was saved; left it, for
``retain_graph``; freed a part."""


@dataclass
class Keeper:
    """A variable that keeps a graph, or memory that a graph has saved."""

    holder: Holder
    kind: str = ONE
    state: str = NEVER
    passes: int = 1  # of a sum
    nodes: int = 0  # of its graph
    itself: int = 0  # bytes of these nodes without what they have saved, about
    saved: int = 0  # bytes that they have saved, and that nobody counts twice
    alone: int = 0  # of these, bytes that nothing else keeps
    values: int = 0  # bytes of its own values, where no node has saved them
    place: Place | None = None  # the line that made the result, of several the last one
    numbers: set[int] = field(default_factory=set)  # of the nodes
    added: str = ""  # of a sum: what is added, as the source calls it
    memory: set[int] = field(default_factory=set)  # the owners' ids of all that it keeps

    @property
    def leak(self) -> str:
        """Which of the three ways to keep more than one means to: "nodes", "activations",
        "outputs"; "" for what a program needs."""
        if self.kind == ONE or not self.nodes:
            return ""
        if self.state == FREED:
            return "nodes"
        return "activations" if self.kind == SUM else "outputs"

    @property
    def name(self) -> str:
        return self.holder.name if self.kind == SEVERAL else self.holder.first

    def sentence(self) -> str:
        """What it keeps, and why; what helps, if it is more than one means to keep."""
        return " ".join(part for part in (self.who(), self.what(), self.advice()) if part)

    def who(self) -> str:
        of = f" of {self.holder.where}" if self.holder.where else ""
        at = "" if self.place is None else f" ({self.place.file}, line {self.place.line})"
        graph = f"graph of {counted(self.nodes, 'node')}"
        name = self.holder.name
        if not self.nodes:
            return f"`{self.name}`{of}{at} holds the value itself: {size(self.saved)}."
        if self.kind == SEVERAL:
            ways = f"`{self.holder.first}` to `{self.holder.last}`"
            return f"`{name}`{of}{at} holds {len(self.holder.results)} results, {ways} → a {graph}."
        if self.kind == SUM:
            return f"`{name}`{of}{at} is a sum over {self.passes} passes → its {graph}."
        return f"`{self.name}`{of}{at} → its {graph}."

    def what(self) -> str:
        if not self.nodes:
            return ""
        kept = "What these have saved is still there"
        share = ""
        if self.alone != self.saved:
            share = f", of which {size(self.alone) if self.alone else 'none'} by it alone"
        own = "Its own value takes" if self.kind == ONE else "Their own values take"
        more = f" {own} {size(self.values)} more." if self.values else ""
        if self.state == FREED:
            but = f" except {size(self.saved)} that it holds itself" if self.saved else ""
            return (
                f"A backward pass has freed what these had saved{but}, but the nodes remain "
                f"(about {size(self.itself)}).{more}"
            )
        if not self.saved:
            return f"They have saved nothing that counts.{more}"
        why = {
            NEVER: "no backward pass has run on it",
            RETAINED: "the backward pass left it, for retain_graph=True",
            PARTLY: "a backward pass has run on a part of it",
        }[self.state]
        return f"{kept}, {size(self.saved)}{share}: {why}.{more}"

    def advice(self) -> str:
        added = f"`{self.added}.item()`" if self.added else "the number alone, by `.item()`"
        if self.leak == "nodes":
            verb = "add" if self.kind == SUM else "keep"
            return f"If no gradient is wanted of it, {verb} {added}: then they go."
        if self.leak == "activations":
            return (
                "A sum of tensors keeps the graph of each: if no gradient is wanted, "
                f"add {added}, or compute under `torch.no_grad()`."
            )
        if self.leak == "outputs":
            return (
                "Each stored result keeps its whole graph: if only the numbers are wanted, store "
                "its `.detach()`, or compute under `torch.no_grad()`."
            )
        return ""


def keepers(tape: Tape, found: Iterable[Holder], memory: Memory) -> list[Keeper]:
    """What each of these keeps, those that keep most first; none that keeps nothing."""
    spent = tape.facts.states
    shares: Counter[int] = Counter()
    reached: list[tuple[Keeper, dict[int, int]]] = []
    for holder in found:
        keeper = Keeper(holder)
        sizes = look(tape, keeper, memory, spent)
        keeper.memory = set(sizes)
        if keeper.nodes or sizes:
            reached.append((keeper, sizes))
            shares.update(sizes.keys())
    for keeper, sizes in reached:
        keeper.saved = sum(sizes.values())
        keeper.alone = sum(bytes_ for key, bytes_ in sizes.items() if shares[key] == 1)
    told = [keeper for keeper, _ in reached]
    told.sort(key=lambda one: (bool(one.leak), one.saved, one.nodes), reverse=True)
    return told


def look(tape: Tape, keeper: Keeper, memory: Memory, states: Any) -> dict[int, int]:
    """Go through the graph that it leads to; returns the memory kept by it, by the owners' ids."""
    sizes: dict[int, int] = {}
    marks: Counter[str] = Counter()
    sized: set[int] = set()

    def see(node: Node) -> None:
        keeper.numbers.add(node.seq)
        saved = node.saved
        keeper.itself += sys.getsizeof(node) + sys.getsizeof(node.edges)
        keeper.itself += sys.getsizeof(saved) if saved else 0
        if node.kind.frees:
            visited = states.get(f"n{node.seq}") == "spent"
            marks["freed" if saved is None else "retained" if visited else "never"] += 1
        for array, whose in saved_arrays(saved or ()):
            if whose is not LEAVES and counts(memory, array):
                sizes[id(array)] = array.nbytes

    roots: list[Node] = []
    for result in keeper.holder.results:
        node = result._node if isinstance(result, TensorBase) else result
        if isinstance(node, Node):
            roots.append(node)
    keeper.nodes = reach(roots, sized, see)
    for result in keeper.holder.results:
        array = owner_of(result)
        if array is None or id(array) in sizes:
            continue
        if id(array) in memory.buffers:
            sizes[id(array)] = array.nbytes
        elif isinstance(result._node, Node):
            keeper.values += array.nbytes
    if roots:
        last = max(roots, key=lambda node: node.seq)
        keeper.place = place_of(tape, last)
        keeper.state = state_of(marks)
        if len(roots) > 1:
            keeper.kind = SEVERAL
        else:
            keeper.passes, keeper.added = passes_of(tape, last)
            keeper.kind = SUM if keeper.passes >= MANY else ONE
    return sizes


def counts(memory: Memory, array: Any) -> bool:
    """Is it one of those whose bytes the memory counts?"""
    return id(array) in memory.buffers


def owner_of(result: Any) -> Any:
    """The array behind a tensor; None for a node, a leaf and a single number."""
    if not isinstance(result, TensorBase) or result._node is LEAF:
        return None
    array = result._array
    return owner(array) if isinstance(array, np.ndarray) and array.ndim else None


def state_of(marks: Counter[str]) -> str:
    """What backward passes have done to a graph, of whose nodes so many are in each state."""
    if not marks["freed"]:
        return RETAINED if marks["retained"] else NEVER
    return FREED if marks["freed"] == sum(marks.values()) else PARTLY


def place_of(tape: Tape, node: Node) -> Place | None:
    """The line that made a node, if it was watched."""
    if not tape.watches(node):
        return None
    code, instruction = node.watched.note[4:6]
    return None if code is None else Place(code, instruction)


def passes_of(tape: Tape, node: Node) -> tuple[int, str]:
    """How often one line has added to this result, and what; 1 if it is no such sum.

    What is added must not itself come from the sum, as it does in ``h = h + layer(h)``.
    """
    place = place_of(tape, node)
    if place is None or node.kind.op != "add":
        return 1, ""
    count = 1
    checked = 0
    added = ""
    while True:
        before = [
            edge
            for edge in node.edges
            if isinstance(edge, Node)
            and edge.kind.op == "add"
            and same_line(place_of(tape, edge), place)
        ]
        if not before:
            break
        rest = [edge for edge in node.edges if isinstance(edge, Node) and edge is not before[0]]
        if checked < MANY and leads_to(rest, before[0]):
            return 1, ""
        checked += 1
        count += 1
        node = before[0]
    # The first pass adds to a number, or to what is no sum yet.
    if count >= MANY:
        added = what_is_added(place)
    return count, added


def leads_to(starts: list[Node], goal: Node) -> bool:
    """Is ``goal`` behind one of these nodes?"""
    seen: set[int] = set()
    waiting = [node for node in starts if node.seq >= goal.seq]
    while waiting:
        node = waiting.pop()
        if node is goal:
            return True
        if id(node) in seen:
            continue
        seen.add(id(node))
        waiting += [e for e in node.edges if isinstance(e, Node) and e.seq >= goal.seq]
    return False


def same_line(one: Place | None, other: Place) -> bool:
    return one is not None and one.code is other.code and one.instruction == other.instruction


def what_is_added(place: Place) -> str:
    """In ``total += loss``, "loss"; "" if that is no plain variable."""
    _, found, right = place.text.partition("+=")
    right = right.strip()
    return right if found and right.isidentifier() else ""


def counted(count: int, word: str) -> str:
    return f"{count:,} {word}{'' if count == 1 else 's'}"


def size(count: float) -> str:
    """Bytes as people read them: "640 bytes", "1.5 KiB", "12 MiB"."""
    if count < 1024:
        return f"{count:,.0f} bytes"
    units = ["KiB", "MiB", "GiB"]
    count /= 1024
    while count >= 1000 and len(units) > 1:
        count /= 1024
        del units[0]
    digits = 0 if count >= 100 else 1 if count >= 10 else 2
    shown = math.floor(count * 10**digits + 0.5) / 10**digits  # as the page rounds
    return f"{shown:g} {units[0]}"
