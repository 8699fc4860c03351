"""A part of a tensor as text, as a program writes it: ``[0]``, ``[:, 1]``, ``.t()[0]``.

What a view shows of a tensor, and what a write in place has changed, is kept as operations and
their options; a reader knows it by the brackets of the program.
"""

from __future__ import annotations

from typing import Any

INDEXED = ("select", "slice", "split", "unbind")
"""Views that an index makes, which is their first option."""


def index_text(index: tuple[Any, ...]) -> str:
    """An index as it stands in brackets: ``0``, ``:, 1``; "…" where a whole array is in it.

    >>> index_text((1, ...)), index_text((slice(None), slice(0, 4, 2), None))
    ('1', ':, 0:4:2, None')
    """
    if len(index) > 1 and index[-1] is ...:
        index = index[:-1]
    parts = [part_text(part) for part in index]
    return "…" if "" in parts else ", ".join(parts)


def part_text(part: Any) -> str:
    if isinstance(part, slice):
        start, stop, step = ("" if one is None else str(one) for one in _bounds(part))
        return f"{start}:{stop}:{step}" if step else f"{start}:{stop}"
    if part is ...:
        return "..."
    return str(part) if part is None or isinstance(part, int) else ""


def _bounds(part: slice) -> tuple[Any, Any, Any]:
    return part.start, part.stop, None if part.step == 1 else part.step


def is_index(option: tuple[Any, ...]) -> bool:
    """Is it the index of a view? A tuple of numbers alone may be a shape as well."""
    return any(part is ... or isinstance(part, slice) for part in option)


def is_path(option: tuple[Any, ...]) -> bool:
    """Is it the way from a tensor to a view of it: operations with their options?"""
    return bool(option) and all(
        isinstance(step, tuple) and len(step) == 2 and hasattr(step[0], "kind") for step in option
    )


def path_text(path: tuple[Any, ...]) -> str:
    """The part of a tensor that a view shows: ``[0]``, ``.view(2, 2)[:, 0]``."""
    found = ""
    for operation, options in path:
        op = operation.kind.op
        if op in INDEXED:
            found += f"[{index_text(options[0])}]"
        elif op != "alias":
            flat = options[0] if len(options) == 1 and isinstance(options[0], tuple) else options
            found += f".{op}({', '.join(map(str, flat))})"
    return found or "[...]"
