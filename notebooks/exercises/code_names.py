"""Which names a function uses: what a judge may ask about an attempt, beside what it returns."""

from __future__ import annotations

from types import CodeType
from typing import Any


def names_in(function: Any) -> set[str]:
    """The global names and attributes in a function's code, with those of functions inside it."""
    found: set[str] = set()
    waiting = [getattr(function, "__code__", None)]
    while waiting:
        code = waiting.pop()
        if isinstance(code, CodeType):
            found.update(code.co_names)
            waiting += code.co_consts  # the code of a lambda or a generator is among them
    return found
