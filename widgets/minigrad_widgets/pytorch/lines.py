"""Which line of a program made which of PyTorch's nodes, in which modules, with what values.

Nodes do not tell. While ``watched()`` runs, each call of a function of PyTorch's is noted, with
the numbers of the nodes that it has made.
"""

from __future__ import annotations

import os
import sys
import weakref
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from minigrad.tape.scope import Call
from minigrad.tape.source import Place, user_frame
from minigrad.tape.values import Captured

from .arrays import captured, is_tensor, torch_if_there
from .modules import Calls, calls_of_modules

MOST = 20_000  # nodes, the latest ones
UNKNOWN = sys.maxsize


class Line(NamedTuple):
    """Where one node was made."""

    place: Place
    inside: int  # how many nodes this line had made before, when it ran
    value: Captured | None  # of the call's result, if this node made that
    calls: tuple[Call, ...] = ()  # of modules, outermost first


class Running(NamedTuple):
    """A line that may not be done: it called PyTorch, whose modules may call the program again."""

    frame: int  # the id of its frame
    instruction: int
    made: list[int]  # nodes


class Lines(dict[int, Line]):
    """By the numbers of nodes, the lines that made them."""

    def __init__(self, torch: Any, modules: Calls) -> None:
        super().__init__()
        self.modules = modules
        self.made = 0  # nodes in all
        self.folder = os.path.dirname(torch.__file__)
        self.results: deque[Any] = deque(maxlen=MOST)  # weak references
        self.inner: set[int] = set()  # nodes that are not what their line has worked out
        self._running: list[Running] = []  # the outermost first

    def alive(self) -> list[Any]:
        """The results of the calls that somebody still holds, and that have a history."""
        results = [ref() for ref in self.results]
        return [one for one in results if one is not None and one.grad_fn is not None]

    def note(self, first: int, after: int, result: Any) -> None:
        """A function was called that has made the nodes with these numbers."""
        if not first < after < UNKNOWN - 1:
            return
        several = result if isinstance(result, tuple | list) else (result,)
        self.results.extend(weakref.ref(one) for one in several if is_tensor(one))
        frame, direct = self.user_frame()
        if frame is None:
            return
        made = self._made_so_far(frame, direct)
        self.inner.update(made)
        place = Place(frame.f_code, frame.f_lasti)
        node = result.grad_fn if is_tensor(result) else None
        for number in range(first, after):
            whole = node is not None and number == node._sequence_nr()
            value = captured(result) if whole else None
            self[number] = Line(place, len(made), value, self.modules.running)
            made.append(number)
            if not whole:
                self.inner.add(number)
        self.made += after - first
        while len(self) > MOST:
            oldest = next(iter(self))
            del self[oldest]
            self.inner.discard(oldest)

    def _made_so_far(self, frame: Any, direct: bool) -> list[int]:
        """The nodes that this line has made, now that it runs.

        What it works out is the result of its last call. Between two calls, others of the program
        may run: those of a module within one of PyTorch's.
        """
        outer = set()
        around = frame
        while around is not None and self._running:
            outer.add(id(around))
            around = around.f_back
        while self._running and self._running[-1].frame not in outer:
            self._running.pop()
        if self._running and self._running[-1].frame == id(frame):
            latest = self._running.pop()
            if latest.instruction == frame.f_lasti and not direct:
                self._running.append(latest)
                return latest.made
        made: list[int] = []
        self._running.append(Running(id(frame), frame.f_lasti, made))
        return made

    def user_frame(self) -> tuple[Any, bool]:
        """The frame of the program, and whether it has called the function itself."""
        direct = True
        frame: Any = sys._getframe(3)
        while frame is not None and frame.f_code.co_filename.startswith(self.folder):
            frame = frame.f_back
            direct = False
        found, _ = user_frame(frame)
        return found, direct


@contextmanager
def watched() -> Iterator[Lines]:
    """Note the lines of all nodes that are made meanwhile, in this thread."""
    torch = torch_if_there()

    class Noting(torch.overrides.TorchFunctionMode):  # type: ignore[name-defined]
        """Is asked to call each function of PyTorch's."""

        def __torch_function__(
            self, function: Any, types: Any, args: Any = (), kwargs: Any = None
        ) -> Any:
            first = next_number(torch)
            result = function(*args, **(kwargs or {}))
            lines.note(first, next_number(torch) - 1, result)  # its own question has one
            return result

    with calls_of_modules(torch) as modules:
        lines = Lines(torch, modules)
        with Noting():
            yield lines


def next_number(torch: Any) -> int:
    """One more than the number of the latest node of this thread."""
    with torch.enable_grad():
        node = torch.ones((), requires_grad=True).neg().grad_fn
    return UNKNOWN if node is None else int(node._sequence_nr()) + 1  # None: inference mode
