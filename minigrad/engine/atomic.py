"""Several assignments as one, between which no interrupt comes.

Python looks for signals (Ctrl-C) between its own instructions, never inside a function that is
written in C. So what has to happen together is first prepared, as a list of such functions with
their arguments, and then done by a single call.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from itertools import starmap
from operator import call
from typing import Any

Step = tuple[Any, ...]
"""A function in C, and its arguments."""

exhaust: Callable[[Any], None] = deque[Any](maxlen=0).extend
"""``exhaust(iterator)``: the fastest way to take all and keep none; one call of a function in C."""


def at_once(steps: Iterable[Step]) -> None:
    """Take all of these steps: an interrupt comes before the first or after the last."""
    exhaust(starmap(call, steps))


def setter(cls: type, slot: str) -> Callable[[Any, Any], None]:
    """The assignment to a slot as a function in C: ``setter(cls, "x")(object, value)``."""
    assignment: Callable[[Any, Any], None] = vars(cls)[slot].__set__
    return assignment
