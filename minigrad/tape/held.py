"""All numbers of a value, as long as the program has them: what a summary leaves out.

The tape keeps a corner of each value. Of the rest it knows where it is, and no more: a weak
reference, and a mark that tells whether somebody has written there since. So that a reader who
asks a moment later still finds a value that the program has dropped, the latest few megabytes are
held, whatever the program does.
"""

from __future__ import annotations

import itertools
import math
import threading
import weakref
import zlib
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

ROOM = 8_000_000  # bytes of the latest arrays that are held
ASKED_FOR = 10_000  # values that can be asked for by number; beyond, the oldest cannot

next_number: Callable[[], int] = itertools.count(1).__next__


class Held:
    """Where all numbers of a value are.

    ``find`` gives the array, or None; ``mark`` is what ``mark_of`` made of it.
    """

    __slots__ = ("find", "mark", "number")

    def __init__(self, find: Callable[[], Any], mark: Any = None) -> None:
        self.find = find
        self.mark = mark
        self.number = 0  # under which a page asks for it

    def look(self) -> tuple[Any, str]:
        """The array, or None and what has become of it: "gone" or "written"."""
        array = self.find()
        if array is None:
            return None, "gone"
        if self.mark is not None and mark_of(array) != self.mark:
            return None, "written"
        return array, ""


class Recent:
    """The arrays that were seen last, held until newer ones need their room."""

    def __init__(self, room: int) -> None:
        self.room = room
        self.size = 0
        self._arrays: OrderedDict[int, tuple[Any, int]] = OrderedDict()  # by their ids
        self._lock = threading.Lock()
        self._measured = 0  # so many measure what memory is kept: meanwhile nothing is held

    def add(self, array: Any) -> None:
        """Hold an array; not one that alone takes all the room."""
        size = memory_of(array)
        if size > self.room or self._measured:
            return
        with self._lock:
            if id(array) in self._arrays:
                self._arrays.move_to_end(id(array))
                return
            self._arrays[id(array)] = array, size
            self.size += size
            if self.size > self.room:
                self._shrink()

    def _shrink(self) -> None:
        while self.size > self.room:
            _, (_, size) = self._arrays.popitem(last=False)
            self.size -= size

    def hold_nothing(self, on: bool) -> None:
        """From now on (``on``), or not any more: who measures memory wants to see it freed."""
        with self._lock:
            self._measured += 1 if on else -1
            if self._measured:
                self._arrays.clear()
                self.size = 0

    @contextmanager
    def roomier(self, more: int) -> Iterator[None]:
        """So many bytes more for a while: what is seen meanwhile is there at the end of it."""
        with self._lock:
            self.room += more
        try:
            yield
        finally:
            with self._lock:
                self.room -= more
                self._shrink()


recent = Recent(ROOM)
asked_for: OrderedDict[int, Held] = OrderedDict()
"""Values that a page knows the number of."""


def hold(array: Any) -> Held:
    """Take down where an array is, and hold it for a while."""
    recent.add(array)
    return Held(weakref.ref(array), mark_of(array))


def joined(join: Callable[[Any, Any], Any], one: Held | None, other: Held | None) -> Held | None:
    """Where the numbers are that two values make together: worked out whenever somebody asks."""
    if one is None or other is None:
        return None
    parts = one, other

    def find() -> Any:
        arrays = [part.look()[0] for part in parts]
        return None if any(array is None for array in arrays) else join(*arrays)

    return Held(find)


def number_of(held: Held) -> int:
    """The number under which a page can ask for it."""
    if not held.number:
        held.number = next_number()
        asked_for[held.number] = held
        while len(asked_for) > ASKED_FOR:
            asked_for.popitem(last=False)
    return held.number


def memory_of(array: Any) -> int:
    """The bytes that an array keeps alive: of a view, those of what it is a view of."""
    base = array.base
    while isinstance(base, np.ndarray):
        array = base
        base = array.base
    return int(array.nbytes)


def mark_of(array: Any) -> float | int:
    """What is another number when somebody has written to the array.

    The sum of its squares, a float; then all its numbers are finite. Otherwise a checksum, an int.
    """
    if array.dtype.char in "fd":
        mark = float(np.vdot(array, array))  # raises no warning, whatever it holds
    elif array.dtype.kind in "biu":
        mark = float(np.add.reduce(array, axis=None))
    elif array.dtype.kind == "f":
        with np.errstate(all="ignore"):
            mark = float(np.add.reduce(array, axis=None))
    else:
        mark = math.nan
    return mark if math.isfinite(mark) else zlib.crc32(array.tobytes())
