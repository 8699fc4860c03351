"""A moment: one thing that happened in a block, as it is taken down."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .lines import Call, Written


class Moment:
    """One thing that happened, or a backward pass as far as it went at once."""

    __slots__ = (
        "call",
        "changed",
        "grads",
        "kind",
        "line",
        "number",
        "passes",
        "returned",
        "weight",
        "what",
    )

    def __init__(self, kind: str, what: Any, call: Call | None) -> None:
        self.kind = kind  # "op", "pass", "call" or "line"
        self.what = what  # a node's number; a record with its steps from and to; or an error
        self.weight = what[2] - what[1] if kind == "pass" else 1
        self.call = call
        self.number = 0 if call is None else call.number
        self.line = 0 if call is None else call.line
        self.passes = [] if call is None else call.pass_numbers()
        self.changed: list[Written] = []
        self.grads: dict[str, list[Written]] = {}  # of a pass: what landed, by the leaf's key
        self.returned: Any = None  # the value, or the text of it

    def written(self) -> Iterator[Written]:
        """All that it has written."""
        yield from self.changed
        for some in self.grads.values():
            yield from some
