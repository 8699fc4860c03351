"""What a MemoryTape of notebook 08 says, in words: where no picture of it can be shown."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from itertools import groupby, pairwise
from typing import Any

from IPython import get_ipython

from minigrad.tape import label_cells_by, tape
from minigrad.tape.holders import holders
from minigrad.tape.keeping import Keeper, keepers, size
from minigrad.tape.memory import FREED, VISIT, Memory


def curve(view: Any) -> str:
    """Where the curve of a MemoryTape turns, from left to right."""
    heights = view.memory["curve"]
    return f"The curve, from {size(heights[0])} on: {turns(heights)}."


def turns(heights: Sequence[int]) -> str:
    """Up to where it goes, down to where, and so on; the same several times in a row is counted."""
    ends = heights[:1]
    for height in heights:
        if len(ends) > 1 and (height > ends[-1]) == (ends[-1] > ends[-2]) and height != ends[-1]:
            ends = [*ends[:-1], height]
        elif height != ends[-1]:
            ends = [*ends, height]
    ways = [
        f"{'up' if here > before else 'down'} to {size(here)}" for before, here in pairwise(ends)
    ]
    pairs = [" and ".join(ways[at : at + 2]) for at in range(0, len(ways), 2)]
    counted = [(pair, len(list(same))) for pair, same in groupby(pairs)]
    told = [pair if count == 1 else f"{count} times {pair}" for pair, count in counted]
    return ", then ".join(told) or "it stays there"


def name_cells() -> None:
    """Lets sentences name a cell by its number, "In [2]", as the views do, and not by a file."""
    shell = get_ipython()
    if shell is None:  # not in a notebook
        return

    def label(filename: str) -> str | None:
        found = shell.compile.format_code_name(filename)  # ("Cell", "In[2]") or None
        return None if found is None else str(found[1]).replace("In[", "In [")

    label_cells_by(label)


class InWords:
    """In the place of MemoryTape where there is no ipywidgets: it measures the same, and is a text.

    It has of MemoryTape what this lesson uses.
    """

    def __init__(self, ask: bool = True) -> None:
        self.ask = ask  # a text cannot ask before it is read
        self.memory: dict[str, Any] = {}
        self.lines: list[str] = []

    def __enter__(self) -> InWords:
        name_cells()
        self.reader = tape.watch(room=0, bare=True)
        self.measured = Memory(tape, [sys._getframe(1).f_globals])
        self.measured.begin()
        return self

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        measured, names = self.measured, sys._getframe(1).f_globals
        measured.settle()
        tape.catch_up()
        found = keepers(tape, holders([("", names)]), measured)
        self.lines = lines_of(measured)
        self.memory = {
            "curve": measured.curve(),
            "peak": {"bytes": measured.peak},
            "keepers": [told(one) for one in found],
        }
        measured.end()
        tape.release(self.reader)

    def __repr__(self) -> str:
        if not self.memory:
            return "MemoryTape(nothing measured yet)"
        peak, end = self.memory["peak"]["bytes"], self.memory["curve"][-1]
        kept = [one["says"] for one in self.memory["keepers"]]
        head = f"MemoryTape(peak {size(peak)}, {size(end)} at the end)"
        return "\n".join([head, curve(self), *self.lines, *kept])


def told(one: Keeper) -> dict[str, Any]:
    return {
        "name": one.name,
        "leak": one.leak,
        "says": one.sentence(),
        "bytes": one.saved,
        "graph": one.nodes,
    }


def lines_of(measured: Memory) -> list[str]:
    """The lines that made operations, each with how many."""
    made = [one for one in measured.moments if one[0] not in (VISIT, FREED)]
    places = [place for one in made if (place := measured.place_of(one)) is not None]
    counts = Counter((place.line, place.text) for place in places)
    return [f"line {line}: {text}  (operations: {count})" for (line, text), count in counts.items()]
