"""How far a long loop has come, in words: "step 312 of 1,410, about 12 s left"."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from typing import Any


class Progress:
    """Counts the steps inside a loop, and from its finished rounds foretells the rest.

    ``steps`` is counted by whoever makes them. The number of all steps, ``expected``, is known
    when the first round is over, if the loop has a length.

    >>> progress = Progress()
    >>> for epoch in progress.over(range(3)):
    ...     for batch in range(5):
    ...         progress.steps += 1
    ...     if epoch == 0:
    ...         print(progress)
    step 5, round 1 of 3
    >>> print(progress)
    step 15 of 15
    """

    def __init__(self) -> None:
        self.steps = 0
        self.rounds: int | None = None
        self.round = 0  # the present one, from 1
        self.expected: int | None = None
        self._inside = False
        self._first = 0
        self._started = time.perf_counter()

    def over(self, iterable: Iterable[Any]) -> Iterator[Any]:
        """The items of any iterable, one after the other, counted as rounds.

        Inside another such loop, which counts already, they are not counted.
        """
        if self._inside:
            yield from iterable
            return
        try:
            self.rounds = len(iterable)  # type: ignore[arg-type]
        except (TypeError, NotImplementedError):  # it has none
            self.rounds = None
        self.expected = None
        self._inside = True
        self._first = self.steps
        self._started = time.perf_counter()
        try:
            for self.round, item in enumerate(iterable, 1):
                before = self.steps
                yield item
                if self.rounds is not None and self.steps > before:
                    more = (self.rounds - self.round) * (self.steps - before)
                    self.expected = self.steps + more
            self.expected = self.steps
        finally:
            self._inside = False

    def left(self) -> float | None:
        """Seconds until the end, if it can be foretold."""
        done = self.steps - self._first
        if self.expected is None or done == 0:
            return None
        return (time.perf_counter() - self._started) * max(0, self.expected - self.steps) / done

    def __str__(self) -> str:
        if self.expected is not None:
            return f"step {self.steps:,} of {max(self.steps, self.expected):,}"
        text = f"step {self.steps:,}"
        if self.round:
            text += f", round {self.round:,}"
        if self.round and self.rounds is not None:
            text += f" of {self.rounds:,}"
        return text


def duration(seconds: float) -> str:
    """A time to wait, as one says it.

    >>> duration(0.3), duration(12.4), duration(200), duration(9000)
    ('1 s', '12 s', '3 min', '2.5 h')
    """
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    if seconds < 5400:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h"
