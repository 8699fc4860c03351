"""The pulse of a running cell: its own operations bring the views up to date.

Whoever records an operation, or visits a node, looks at the clock; when it is time, the page is
sent what is new, and the program goes on. No thread is needed, for in a browser there is none. So a
cell that records nothing more for a while, because it sleeps or measures, shows in that time what
there was at its latest pulse. That is why a few pulses may follow one upon the other: a program of
some lines is seen whole, line by line, and only what comes fast and in masses is seen in portions.
"""

from __future__ import annotations

import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import inf
from typing import Any

from minigrad.engine import backward
from minigrad.tape import tape

clock = time.perf_counter
PAUSE = 0.04  # seconds from one update to the next, on average
SHARE = 0.1  # of the time, for updates, at most
AHEAD = 0.5  # seconds of which the pauses may be used up at once


class Pulse:
    """Calls ``beat`` while a cell runs, at most 25 times a second and a tenth of the time.

    The pauses are paid for: each beat costs its time divided by ``SHARE``, or ``PAUSE`` if that
    is more. Who has not spent anything for a while has ``AHEAD`` to spend.
    """

    def __init__(self, beat: Callable[[], None]) -> None:
        self._beat = beat
        self._paid = -inf  # until when the beats so far have used up the pauses
        self._beating = threading.Lock()

    def begin(self) -> None:
        """A cell runs."""
        self.end()
        tape.show = self._show
        tape.due = self._paid - AHEAD
        backward.listeners.append(self._passed)

    def end(self) -> None:
        """The cell is over."""
        tape.due = inf
        if self._passed in backward.listeners:
            backward.listeners.remove(self._passed)

    def _passed(self, roots: tuple[Any, ...], over: bool) -> None:
        """A backward pass begins, or is over: its gradients are in the leaves."""
        if over and clock() > tape.due:
            self._show()

    def _show(self) -> None:
        if not self._beating.acquire(blocking=False):
            return  # another thread of the program shows it, or this one within the beat
        began = clock()
        try:
            with undisturbed():
                self._beat()
        except Exception:  # a fault of ours does not end their program
            traceback.print_exc()
            self.end()
        finally:
            cost = max(PAUSE, (clock() - began) / SHARE)
            self._paid = max(self._paid, began) + cost
            if tape.due < inf:
                tape.due = self._paid - AHEAD
            self._beating.release()


@contextmanager
def undisturbed() -> Iterator[None]:
    """What would break into the program, an interrupt or an alarm, waits until the block is over.

    A debugger, and what stops loops without end line by line, see nothing of the block.
    """
    waiting: list[tuple[Callable[..., Any], tuple[Any, ...]]] = []
    tracer = sys.gettrace()
    sys.settrace(None)
    handlers = held(waiting)
    try:
        yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
        sys.settrace(tracer)
        for handler, told in waiting:
            handler(*told)


def held(waiting: list[Any]) -> dict[int, Any]:
    """Let signals wait, from now on. Returns what handles them otherwise."""
    if threading.current_thread() is not threading.main_thread():
        return {}  # they do not break in here
    names = ("SIGINT", "SIGALRM")
    numbers = [getattr(signal, name) for name in names if hasattr(signal, name)]
    handlers = {number: signal.getsignal(number) for number in numbers}
    handlers = {number: handler for number, handler in handlers.items() if callable(handler)}
    for number, handler in handlers.items():

        def note(*told: Any, handler: Any = handler) -> None:
            waiting.append((handler, told))

        signal.signal(number, note)
    return handlers
