"""Which calls are running: what groups the nodes of a model by the layers that made them."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple


class Call(NamedTuple):
    """One call of a module."""

    number: int  # a module may be called often: each call has its own
    name: str  # the path from the module that called it: "encoder.0"; "" if no module did
    kind: str  # its class: "Linear"
    ours: bool = False  # is it minigrad's own, so that none of its lines is the program's?


class _Running(threading.local):
    scope: tuple[Call, ...] = ()  # outermost first; empty unless somebody watches
    modules: tuple[Any, ...] = ()  # those that were called


running = _Running()


numbers = itertools.count(1)


def passes(items: Sequence[Any], name: str = "") -> Iterator[Any]:
    """The items, one for each pass of a loop in one of our modules, which the tape is to tell."""
    if not running.scope:
        yield from items
        return
    scope = running.scope
    count = len(items)
    steps = Call(next(numbers), f"{count} passes", "steps", True)
    try:
        for number, item in enumerate(items, 1):
            step = Call(next(numbers), f"{name}pass {number} of {count}", "step", True)
            running.scope = (*scope, steps, step)
            yield item
    finally:
        running.scope = scope
