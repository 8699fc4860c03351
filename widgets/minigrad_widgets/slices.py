"""Slices of large values: those that are stored with a view, and those that its page asks for.

A page gets a corner of each value, and the number under which it can ask for the rest. A view that
is saved is to show more than corners where no kernel answers, so that a first slice of each value
is stored with it, as long as there is room.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from minigrad.tape.held import Recent, asked_for
from minigrad.tape.slices import first_slices, slice_of

ROOM = 150_000  # characters of slices that are stored with one view, less
PER_NODE = 150  # characters for each of its nodes, which need their room too
FRAME = 110  # characters of a slice besides its numbers
HELD = 8_000_000  # bytes of the values that a stepper holds for its page
REHEARSED = 32_000_000  # bytes of a pass, and of those of wrong engines, until these are chosen

Data = dict[str, Any]


class Shelf:
    """The slices that are stored with a view.

    ``held``: so many bytes of its values stay there as long as the view, whatever the program does.
    """

    def __init__(self, held: int = 0) -> None:
        self._held = held
        self._recent = Recent(held)
        self._stored: dict[int, list[Data]] = {}

    def of(self, values: Iterable[Data | None], nodes: int) -> dict[str, list[Data]]:
        """The slices of these values, by the numbers under which the page asks for more of them.

        ``nodes``: how many the view has.
        """
        wanted = dict.fromkeys(v["more"] for v in values if v is not None and "more" in v)
        self._recent = Recent(self._held)
        most = ROOM - PER_NODE * nodes
        self._stored = {n: s for n, s in self._stored.items() if n in wanted} if most > 0 else {}
        room = most - sum(map(size_of, self._stored.values()))
        rest: dict[int, list[Data]] = {}
        for number in wanted:
            if self._held:
                self._hold(number)
            if room <= 0 or number in self._stored:
                continue
            made = slices_of(number)
            if made and size_of(made[:1]) <= room:
                room -= size_of(made[:1])
                self._stored[number] = made[:1]
                rest[number] = made[1:]
        for number, more in rest.items():  # only now, so that each value has a first one
            for one in more:
                if size_of([one]) <= room:
                    room -= size_of([one])
                    self._stored[number].append(one)
        return {str(number): stored for number, stored in self._stored.items()}

    def _hold(self, number: int) -> None:
        held = asked_for.get(number)
        array = None if held is None else held.find()
        if array is not None and self._recent.size < self._held:
            self._recent.add(array)


def slices_of(number: int) -> list[Data]:
    """The first slices of a value, as far as it is still there."""
    held = asked_for.get(number)
    array = None if held is None else held.look()[0]
    return [] if array is None else first_slices(array)


def size_of(slices: list[Data]) -> int:
    return sum(len(one["numbers"]) + FRAME for one in slices)


def values_of_nodes(nodes: list[Data]) -> Iterator[Data | None]:
    """Their values and gradients; first those of nodes that have a name."""
    for node in sorted(nodes, key=lambda node: not node["names"]):
        yield node["value"]
        yield node["grad"]


def values_of_pass(schedule: Data) -> Iterator[Data | None]:
    """The values of a schedule: those of its nodes, and the gradients of its steps."""
    yield from values_of_nodes(schedule["nodes"])
    for step in schedule["steps"]:
        yield step["grad"]
        yield step.get("before")
        yield step.get("after")
        for out in step.get("outgoing", ()):
            yield from (out["grad"], out["sumBefore"], out["sum"], out["localValue"])


def answer(content: Any) -> Data | None:
    """What a page has asked for, as a message to it; None if it has asked for something else.

    ``why`` says what has become of numbers that are not there: "gone" or "written" over.
    """
    if content.get("type") != "slice":
        return None
    reply = {"type": "slice", "asked": content.get("asked")}
    held = asked_for.get(content.get("of"))
    array, why = (None, "gone") if held is None else held.look()
    if array is None:
        return {**reply, "why": why}
    try:
        made = slice_of(array, content["at"], content["start"], content["step"])
    except (IndexError, KeyError, TypeError, ValueError):
        return {**reply, "why": "gone"}
    return {**reply, "slice": made}
