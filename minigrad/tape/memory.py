"""What nodes keep in memory over time: which arrays they have saved, since when, until when.

Each array is counted once, whoever else has saved it, from the operation that saved it first until
it is freed; a weak reference tells when that is. So nothing is kept alive, and what is counted is
there. Not counted are leaves, such as parameters, and what was there before: they stay anyway.
"""

from __future__ import annotations

import gc
import sys
import weakref
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from ..engine.backward import BackwardPass
from ..engine.modes import mode
from ..engine.node import LEAF, Node, TensorBase
from .buffers import LEAVES, owner, saved_arrays
from .held import recent
from .recorder import Tape
from .source import Place, user_frame

ndarray = np.ndarray
getframe = sys._getframe

MOST = 4_000  # moments kept; beyond, the oldest are forgotten

VISIT, FREED = "visit", "freed"
NOTHING: tuple[Any, ...] = (None,)

PLAIN = {type(None), int, float, bool, str, np.float32, np.float64, np.int64}
"""What a node saves beside arrays: shapes, options, single numbers."""


class Buffer(weakref.ref):
    """An array that owns memory which a node has saved, as long as it is there."""

    __slots__ = ("by", "end", "key", "made", "size")

    key: int
    size: int  # bytes
    made: int  # the moment that saved it first; 0: one before all that were watched
    end: int  # the moment that freed it, once one did
    by: list[int]  # the nodes that have saved it, by their numbers

    @property
    def freed(self) -> int | None:
        """The moment that freed it; None as long as it is there."""
        return getattr(self, "end", None)


def is_shape(one: Any) -> bool:
    """Is it a tuple of numbers?"""
    return one.__class__ is tuple and (not one or one[0].__class__ is int)


STEPS = BackwardPass.steps.__code__
PASS = STEPS, BackwardPass.run.__code__


class Memory:
    """Listens to the tape, and to the end of each array that a node has saved.

    A *moment* is an operation that was recorded, a visit of a backward pass that freed something,
    or a line at which something was freed otherwise. They are numbered from 1.
    """

    def __init__(self, tape: Tape, namespaces: Iterable[Mapping[str, Any]] = ()) -> None:
        self.tape = tape
        self.time = 0  # the moments so far
        self.dropped = 0  # of these, so many are forgotten
        self.moments: list[tuple[Any, ...]] = []  # notes of operations, and others
        self.buffers: dict[int, Buffer] = {}  # those that are there
        self.past: list[Buffer] = []  # those that were freed
        self.alive = 0  # bytes
        self.peak = 0
        self.peak_at = 0
        self.peak_note: tuple[Any, ...] = ()
        self.counts: list[int] = []  # at each moment, how many nodes had been freed
        self.freed: list[str] = []  # the keys of these, in their order
        self.taken = 0  # so many are in that list, or were
        self.leaves: dict[int, tuple[Any, int]] = {}  # saved leaves: a weak reference, and bytes
        self.before: dict[int, Any] = {}  # weak references to arrays that were there
        self.running = False
        self._on_gone = self._gone
        self._code: Any = None  # the program's own that ran latest
        self._late: Any = None  # a node that was told before it had saved anything
        self._pass: Any = None  # the code and the instruction that run the latest backward pass
        self._look_around(namespaces)

    def _look_around(self, namespaces: Iterable[Mapping[str, Any]]) -> None:
        """Note what is there already, and what earlier graphs have saved."""
        nodes: list[Node] = []
        for one in gc.get_objects():
            kind = type(one)
            if issubclass(kind, TensorBase):
                self._was_there(getattr(one, "_array", None))
            elif issubclass(kind, Node):
                nodes.append(one)
        for namespace in namespaces:
            for value in list(namespace.values()):
                self._was_there(value)
        for node in nodes:
            for array, whose in saved_arrays(node.saved or ()):
                if whose == "result":
                    self.before.pop(id(array), None)
        for node in nodes:
            self._take_down(node.seq, node.saved)

    def _was_there(self, array: Any) -> None:
        if array.__class__ is ndarray:
            array = owner(array)
            self.before[id(array)] = weakref.ref(array)

    def begin(self) -> None:
        """Listen from now on."""
        self.tape.catch_up()
        self.running = True
        recent.hold_nothing(True)
        self.tape.memories += (self,)

    def end(self) -> None:
        """Listen no more; what was taken down stays."""
        if self.running:
            self.settle()
            self.tape.catch_up()
            self.running = False
            recent.hold_nothing(False)
            self.tape.memories = tuple(one for one in self.tape.memories if one is not self)

    # ------------------------------------------------------------------ called while a program runs

    def made(self, node: Node) -> None:
        """An operation was recorded."""
        if self._late is not None:
            self.settle()
        self.time += 1
        self.moments.append(node.watched.note)
        self.counts.append(self.taken + len(self.tape._freed))
        if node.__class__ is not Node:
            self._late = weakref.ref(node)  # a Function's node saves after it was told
        saved = node.saved
        if saved:
            number = node.seq
            buffers = self.buffers
            for one in saved:  # spelled out, for the sake of speed
                if isinstance(one, TensorBase):
                    array = one._array
                    if one._node is None or one._node is LEAF:
                        leaf = self.leaves.get(id(array))
                        known_leaf = leaf is not None and leaf[0]() is array
                        if array.__class__ is ndarray and (not known_leaf or id(array) in buffers):
                            self._take_down(number, (one,))
                        continue
                elif one.__class__ is ndarray:
                    array = one
                else:
                    if one.__class__ not in PLAIN and not is_shape(one):
                        self._take_down(number, (one,))
                    continue
                if array.__class__ is not ndarray:
                    continue
                if array.base is not None:
                    array = owner(array)
                known = buffers.get(id(array))
                if known is None:
                    self._new(number, array)
                elif known.by[-1] != number:
                    known.by.append(number)
        if len(self.moments) > 2 * MOST:
            self._forget()

    def began(self) -> None:
        """A backward pass begins."""
        frame, _ = user_frame(getframe(2))
        self._pass = None if frame is None else (frame.f_code, frame.f_lasti)

    def settle(self) -> None:
        """Look at what a node has saved meanwhile."""
        node = None if self._late is None else self._late()
        self._late = None
        if node is not None and node.saved:
            self._take_down(node.seq, node.saved)

    def _take_down(self, number: int, saved: Any) -> None:
        for array, whose in saved_arrays(saved or ()):
            key = id(array)
            known = self.buffers.get(key)
            if known is not None:
                if known.by[-1] != number:
                    known.by.append(number)
                continue
            if whose is LEAVES:
                if self._is_new(key, array):
                    self.leaves[key] = weakref.ref(array), array.nbytes
            else:
                self._new(number, array)

    def _is_new(self, key: int, array: Any) -> bool:
        there = self.before.get(key)
        return there is None or there() is not array

    def _new(self, number: int, array: Any) -> None:
        """Memory that was not saved before."""
        key = id(array)
        if not array.ndim or not self._is_new(key, array):
            return
        self.buffers[key] = buffer = Buffer(array, self._on_gone)
        buffer.key = key
        buffer.size = size = array.nbytes
        buffer.made = self.time
        buffer.by = [number]
        self.alive += size
        if self.alive > self.peak:
            self.peak = self.alive
            self.peak_at = self.time
            self.peak_note = self.moments[-1] if self.moments else ()

    def _gone(self, buffer: Any) -> None:
        """An array was freed."""
        if not self.running:
            return
        size = buffer.size
        del self.buffers[buffer.key]
        if mode.raw:
            self._in_pass(getframe(1))
        else:
            frame: Any = getframe(1)
            code = frame.f_code
            if code is not self._code:
                frame, _ = user_frame(frame)
                code = self._code = None if frame is None else frame.f_code
            at = -1 if frame is None else frame.f_lasti
            last = self.moments[-1] if self.moments else NOTHING
            if last[0] is not FREED or last[1] is not code or last[2] != at:
                self._add((FREED, code, at))
        buffer.end = self.time
        self.alive -= size
        self.past.append(buffer)

    def _in_pass(self, frame: Any) -> None:
        """A visit of a backward pass has freed something."""
        while frame is not None and frame.f_code not in PASS:
            frame = frame.f_back  # a rule, or what computes a saved value anew
        number = self.tape.visiting  # it is told of a visit at its end
        if frame is not None and frame.f_code is STEPS and "node" in frame.f_locals:
            number = frame.f_locals["node"].seq
        last = self.moments[-1] if self.moments else NOTHING
        if last[0] is VISIT and last[1] == number:
            return
        self._add((VISIT, number, self._pass))

    def _add(self, moment: tuple[Any, ...]) -> None:
        self.time += 1
        self.moments.append(moment)
        self.counts.append(self.taken + len(self.tape._freed))

    def took(self, freed: list[str]) -> None:
        """The tape has filed the ends of these nodes."""
        self.taken += len(freed)
        self.freed += freed

    def _forget(self) -> None:
        """Forget the older half of the moments, and what was freed in it."""
        count = len(self.moments) - MOST
        del self.moments[:count]
        del self.counts[:count]
        self.dropped += count
        self.past = [one for one in self.past if (one.freed or 0) > self.dropped]
        start = self.taken - len(self.freed)
        del self.freed[: max(0, self.counts[0] - start - 1)]

    # ------------------------------------------------------------------ read

    @property
    def saved_leaves(self) -> int:
        """The bytes of leaves, such as parameters, that operations have saved: not counted."""
        return sum(size for ref, size in self.leaves.values() if ref() is not None)

    def all_buffers(self) -> list[Buffer]:
        """Those that were there at some moment which is kept, in the order in which they came."""
        every = [*self.past, *self.buffers.values()]
        every.sort(key=lambda one: one.made)
        return every

    def curve(self) -> list[int]:
        """The bytes after each moment that is kept; before them, those at their beginning."""
        changes = [0] * (len(self.moments) + 2)
        for one in self.all_buffers():
            changes[max(0, one.made - self.dropped)] += one.size
            if one.freed is not None:
                changes[max(0, one.freed - self.dropped)] -= one.size
        curve = []
        now = 0
        for change in changes[: len(self.moments) + 1]:
            now += change
            curve.append(now)
        return curve

    def ends(self) -> dict[str, int]:
        """Of each node that was freed, after which moment: the one before the tape noticed it."""
        found = {}
        at = 0
        start = self.taken - len(self.freed)
        for place, key in enumerate(self.freed, start):
            while at < len(self.counts) and self.counts[at] <= place:
                at += 1
            freeing = at < len(self.moments) and self.moments[at][0] in (VISIT, FREED)
            found[key] = self.dropped + at + (1 if freeing else 0)
        return found

    def place_of(self, moment: tuple[Any, ...]) -> Place | None:
        """The line that ran at a moment."""
        if moment[0] == VISIT:
            code, instruction = moment[2] or (None, -1)
        elif moment[0] == FREED:
            code, instruction = moment[1:3]
        else:
            code, instruction = moment[4:6]
        return None if code is None else Place(code, instruction)
