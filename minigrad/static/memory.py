"""How much memory a program needs: foretold from its lines, and measured."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable, Sequence
from typing import Any

from .notes import OUTSIDE
from .steps import Step


class Memory:
    """The memory that a compiled function makes for itself, in bytes.

    ``planned`` is the peak as the lines foretell it: each array counts from the line that makes it
    to the last that names it, or a view of it. What is given from outside does not count, nor what
    NumPy needs within a line. ``at`` is the line of the peak, and ``course`` has the bytes at each
    line. ``measure(*args)`` calls the function once more, with all that it does, and returns the
    peak that ``tracemalloc`` sees, Python's own objects among it.
    """

    def __init__(self, steps: Sequence[Step], call: Callable[..., Any]) -> None:
        self.course = course(steps)
        self.planned = max(self.course, default=0)
        self.at = steps[self.course.index(self.planned)].text if self.course else ""
        self._call = call

    def __repr__(self) -> str:
        return f"<memory: a peak of {self.planned:,} bytes, at {self.at}>"

    def measure(self, *args: Any, **kwargs: Any) -> int:
        """The peak of one more call, in bytes."""
        running = tracemalloc.is_tracing()
        if not running:
            tracemalloc.start()
        try:
            tracemalloc.reset_peak()
            before, _ = tracemalloc.get_traced_memory()
            self._call(*args, **kwargs)
            _, peak = tracemalloc.get_traced_memory()
        finally:
            if not running:
                tracemalloc.stop()
        return peak - before


def course(steps: Sequence[Step]) -> list[int]:
    """At each line, the bytes of the arrays that are there, before any is forgotten."""
    shown: dict[int, set[str]] = {}  # by memory: the names of the values that show it
    sizes: dict[int, int] = {}
    memory: dict[str, int] = {}
    found = []
    for step in steps:
        if step.makes and step.memory > OUTSIDE:
            shown.setdefault(step.memory, set()).add(step.makes)
            sizes[step.memory] = step.nbytes
            memory[step.makes] = step.memory
        found.append(sum(sizes.values()))
        for name in step.forgets:
            owner = memory.get(name)
            if owner is not None:
                shown[owner].discard(name)
                if not shown[owner]:
                    sizes.pop(owner, None)
    return found
