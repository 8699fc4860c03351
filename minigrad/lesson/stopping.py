"""Stopping what does not end by itself: a loop without end in an attempt.

Where the system has an alarm (Linux, macOS, in the main thread), it rings when the time is over,
and costs nothing before. Elsewhere (Windows, a browser, another thread) Python calls us at every
line that is not a library's: a training then takes two to three times as long, a bare loop ten.
"""

from __future__ import annotations

import linecache
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from itertools import chain, cycle
from types import CodeType, FrameType
from typing import Any, TypeVar

from ..errors import LIBRARIES, PYTHON
from ..tape.source import cell_label

T = TypeVar("T")

OUTSIDE = (*LIBRARIES, *PYTHON, "<frozen ")
"""Where the files lie whose lines are none of an attempt's: Python's own are among them."""

# Seconds until it rings again, if the attempt has caught what stops it: some time to clean up, and
# then soon, at moments that differ, so that one of them is outside of its ``try``.
AGAIN = (0.05, 1e-6, 1e-5, 1e-4, 1e-3)


class Stopped(BaseException):
    """The time is over. It is no Exception, so that ``except Exception`` does not catch it."""


class StoppedAgain(Stopped):
    """Calls ``again`` when somebody has caught it and thrown it away."""

    def __init__(self, again: Callable[[], None]) -> None:
        super().__init__()
        self.again = again

    def __del__(self) -> None:
        self.again()


class Limit:
    """Calls a function, and stops it after ``seconds``.

    ``call`` raises Stopped then, even if the function has caught it. ``where`` is the line of
    theirs at which it was stopped.
    """

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.over = False  # nothing is stopped any more
        self.rang = False
        self.where = ""

    def call(self, function: Callable[[], T]) -> T:
        self.begin()
        try:
            try:
                result = function()
            finally:
                self.over = True
            if self.rang:
                raise Stopped
            return result
        except BaseException as error:
            self.over = True
            if self.rang and not isinstance(error, (Stopped, KeyboardInterrupt)):
                raise Stopped from None
            raise
        finally:
            self.end()

    def begin(self) -> None:
        raise NotImplementedError

    def end(self) -> None:
        raise NotImplementedError

    def ring(self, frame: FrameType | None) -> None:
        """Note where it is; what then stops it is raised by whoever calls this."""
        self.rang = True
        if not self.where:
            self.where = line_of_theirs(frame)


class Alarm(Limit):
    """Stops by the system's alarm. What others have set it to is put back."""

    def begin(self) -> None:
        self.pauses = chain(AGAIN, cycle(AGAIN[1:]))
        self.tracer = sys.gettrace()
        self.handler = signal.signal(signal.SIGALRM, self.rings)
        self.began = time.perf_counter()
        self.others, self.interval = signal.setitimer(signal.ITIMER_REAL, self.seconds, AGAIN[0])

    def end(self) -> None:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, self.handler or signal.SIG_DFL)
        if self.others:
            left = self.others - (time.perf_counter() - self.began)
            signal.setitimer(signal.ITIMER_REAL, max(left, 1e-3), self.interval)

    def rings(self, number: int, frame: FrameType | None) -> None:
        if self.over:
            return
        if sys.gettrace() is not self.tracer:  # in a debugger, time does not count
            signal.setitimer(signal.ITIMER_REAL, self.seconds, AGAIN[0])
            return
        signal.setitimer(signal.ITIMER_REAL, next(self.pauses), AGAIN[0])
        self.ring(frame)
        raise Stopped


class Watchman(Limit):
    """Stops by looking at the clock at each line, for which Python has ``sys.settrace``.

    Where a debugger uses it already, nothing is stopped.
    """

    def begin(self) -> None:
        self.deadline = time.perf_counter() + self.seconds
        self.tracer = sys.gettrace()
        around = getattr(self.tracer, "__self__", None)  # a check around this one
        if self.tracer is None or isinstance(around, Watchman):
            sys.settrace(self.called)

    def end(self) -> None:
        if sys.gettrace() in (None, self.called):
            sys.settrace(self.tracer)

    def called(self, frame: FrameType, event: str, arg: Any) -> Any:
        self.look(frame)
        return None if frame.f_code.co_filename.startswith(OUTSIDE) else self.lines

    def lines(self, frame: FrameType, event: str, arg: Any) -> Any:
        self.look(frame)
        return self.lines

    def look(self, frame: FrameType | None) -> None:
        if time.perf_counter() > self.deadline and not self.over:
            self.ring(frame)
            raise StoppedAgain(self.again)  # whereupon Python ends the tracing

    def again(self) -> None:
        """It was caught: begin once more."""
        if self.over:
            return
        for frame in frames_from(sys._getframe(2)):  # this one, and __del__, are ours
            frame.f_trace = self.lines
        sys.settrace(self.called)


def limit(seconds: float) -> Limit:
    """What stops after so many seconds, here."""
    alarm = hasattr(signal, "setitimer") and sys.platform not in ("emscripten", "wasi")
    if alarm and threading.current_thread() is threading.main_thread():
        return Alarm(seconds)
    return Watchman(seconds)


def frames_from(frame: FrameType | None) -> list[FrameType]:
    """This frame and those around it, as far as a limit's own call."""
    found: list[FrameType] = []
    while frame is not None and frame.f_code is not CALL:
        found.append(frame)
        frame = frame.f_back
    return found


CALL: CodeType = Limit.call.__code__


def line_of_theirs(frame: FrameType | None) -> str:
    """The innermost line that is not a library's: "In [3], line 2: while True:"."""
    for one in frames_from(frame):
        if not one.f_code.co_filename.startswith(OUTSIDE):
            return line_text(one.f_code.co_filename, one.f_lineno)
    return ""


def line_text(filename: str, number: int | None, line: str | None = None) -> str:
    """A line with its place."""
    where = cell_label(filename) or os.path.basename(filename)
    line = linecache.getline(filename, number or 0).strip() if line is None else line
    return f"{where}, line {number}: {line}"
