"""What is put on a model, its optimiser and the interrupt signal while a training is watched.

Nothing here keeps the view alive, and all of it is taken off again.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from minigrad.engine import backward
from minigrad.engine.modes import mode

from .record import Record


def put_on(record: Record) -> Callable[[], None]:
    """Let a record be told of what happens in this thread. Returns what ends that."""
    undo = ExitStack()
    hooked = None if record.optimizer is None else Hooked(record, record.optimizer)
    if hooked is not None:
        hooked.put_on()
        undo.callback(hooked.take_off)
    undo.callback(hear_forward(record, hooked))
    undo.callback(hear_backward(record))
    undo.callback(hold_interrupts(record))
    return undo.close


def hear_forward(record: Record, hooked: Hooked | None) -> Callable[[], None]:
    """Be told when the model is called."""
    its = id(record.model)

    def called(module: Any, args: Any, result: Any) -> None:
        if mode.recording and id(module) == its:  # and not a copy, which has the hook too
            if hooked is not None:
                hooked.put_on_again()
            record.forward()

    remove: Callable[[], None] = record.model.register_forward_hook(called).remove
    return remove


class Trial(threading.local):
    """Is a line of a loop being left out, to see what comes of it? No training is told of that.

    In this thread: a notebook may ask while a cell trains, and is answered in another one.
    """

    on = False

    @contextmanager
    def running(self) -> Iterator[None]:
        self.on = True
        try:
            yield
        finally:
            self.on = False


trial = Trial()


def hear_backward(record: Record) -> Callable[[], None]:
    """Be told of the backward passes of this thread: another may train another model."""
    note = record.passed_by_hand if record.optimizer is None else record.passed
    thread = threading.get_ident()

    def passed(roots: tuple[Any, ...], over: bool) -> None:
        if threading.get_ident() == thread and not trial.on:
            note(roots, over)

    backward.listeners.append(passed)
    return lambda: backward.listeners.remove(passed)


class Hooked:
    """An optimiser whose ``step`` and ``zero_grad`` tell a record."""

    def __init__(self, record: Record, optimizer: Any) -> None:
        self.optimizer = optimizer
        self.record = record
        self.ours: dict[str, Any] = {}

    def put_on(self) -> None:
        """Put our methods around those that are there, unless ours are among these."""
        for name, watched in (("step", watched_step), ("zero_grad", watched_zero)):
            inner = getattr(self.optimizer, name)
            if not leads_to(inner, self.ours.get(name)):
                self.ours[name] = watched(self.record, inner)
                setattr(self.optimizer, name, self.ours[name])

    def put_on_again(self) -> None:
        """Perhaps a scheduler has put something in their place."""
        if self.optimizer.step is not self.ours["step"]:
            self.put_on()

    def take_off(self) -> None:
        """Put back what was there."""
        for name, ours in self.ours.items():
            if vars(self.optimizer).get(name) is ours:
                delattr(self.optimizer, name)
                if getattr(self.optimizer, name) != ours.inner:
                    setattr(self.optimizer, name, ours.inner)


def watched_step(record: Record, inner: Any) -> Any:
    """An optimiser's ``step`` that is watched."""

    def step(*args: Any, **options: Any) -> Any:
        if not record.open:
            return inner(*args, **options)
        record.busy = True
        try:
            before = record.value()
            result = inner(*args, **options)
            record.stepped(before)
        finally:
            record.busy = False
        if record.interrupted:
            record.interrupted = False
            raise KeyboardInterrupt
        return result

    step.inner = inner  # type: ignore[attr-defined]
    return step


def watched_zero(record: Record, inner: Any) -> Any:
    """An optimiser's ``zero_grad`` that is watched."""

    def zero_grad(*args: Any, **options: Any) -> None:
        inner(*args, **options)
        if record.open:
            record.zeroed()

    zero_grad.inner = inner  # type: ignore[attr-defined]
    return zero_grad


def leads_to(call: Any, ours: Any) -> bool:
    """Is it our watched method, or does it lead there?"""
    while call is not ours and call is not None:
        call = getattr(call, "inner", None)
    return ours is not None and call is ours


def hold_interrupts(record: Record) -> Callable[[], None]:
    """An interrupt waits until the step under way is whole."""
    before = None
    if threading.current_thread() is threading.main_thread():
        before = signal.getsignal(signal.SIGINT)
    if before is None or before is signal.SIG_IGN:
        return lambda: None  # they are ignored, or handled by something that is not Python

    def interrupted(number: int, frame: Any) -> None:
        if record.busy:
            record.interrupted = True
        elif callable(before):
            before(number, frame)
        else:
            raise KeyboardInterrupt

    interrupted.before = before  # type: ignore[attr-defined]
    signal.signal(signal.SIGINT, interrupted)

    def put_back() -> None:
        interrupted.over = True  # type: ignore[attr-defined]
        if signal.getsignal(signal.SIGINT) is interrupted:
            signal.signal(signal.SIGINT, not_over(before))

    return put_back


def not_over(handler: Any) -> Any:
    """A handler of interrupts; for that of a training that is over, the one before it."""
    while getattr(handler, "over", False):
        handler = handler.before
    return handler
