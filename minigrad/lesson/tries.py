"""What was tried so far: how far up the ladder of help somebody has come.

The first wrong answer gets the name of its mistake, the second one a hint, and only the third one
what is right. A cell that is run again makes its question or its check anew, so what was tried is
kept here, for as long as the kernel lives. The same wrong answer again is not another try.
"""

from __future__ import annotations

from typing import Any

LAST = 3  # so many different wrong answers, and what is right is told

kept: dict[Any, list[Any]] = {}
"""The different answers that were given, in their order, by what they answer."""


def so_far(key: Any) -> list[Any]:
    """What was tried at this question or exercise; a list that grows with each new try."""
    return kept.setdefault(key, [])


def forget() -> None:
    """Begin anew with all questions and exercises."""
    kept.clear()
