"""Words for what is counted and named in a training."""

from __future__ import annotations

from collections.abc import Iterable

from minigrad.tape.values import plural

NAMED = 3  # of a long list, so many


def counted(count: int, word: str) -> str:
    """``1 step``, ``1,350 steps``, ``2 backward passes``."""
    return f"{count:,} {plural(word, count)}"


def and_more(names: Iterable[str]) -> str:
    """``a``, ``a and b``, ``a, b, c and 4 more``."""
    names = list(names)
    if len(names) > NAMED + 1:
        return f"{', '.join(names[:NAMED])} and {len(names) - NAMED:,} more"
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))


def path_of(model: str, name: str) -> str:
    """A parameter as the program writes it: ``model[0].weight`` of "0.weight"."""
    parts = name.split(".") if name else []
    return model + "".join(f"[{part}]" if part.isdigit() else f".{part}" for part in parts)
