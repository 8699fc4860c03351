"""A measured memory as the page gets it: its curve, its moments, and who keeps what at the end."""

from __future__ import annotations

from typing import Any

from minigrad.tape import VERSION, Tape
from minigrad.tape.keeping import Keeper, size
from minigrad.tape.memory import FREED, VISIT, Buffer, Memory
from minigrad.tape.source import Place

from ..player.page_data import source

NODES_TOLD = 1_500  # formulas are worked out for so many; of more, those that saved most
LONG = 60  # letters of a formula


class MemoryData:
    """Works out what the page is told (``MemoryData`` in ``memory.ts``)."""

    def __init__(self, tape: Tape, memory: Memory, keepers: list[Keeper]) -> None:
        self.tape = tape
        self.memory = memory
        self.keepers = keepers
        self.lines: list[dict[str, Any]] = []
        self._files: dict[str, str] = {}  # the names of files -> where they are
        self._line_of: dict[Any, int] = {}
        self._nodes: dict[int, int] = {}  # by their numbers, their places in the page's list

    def told(self) -> dict[str, Any]:
        """All of it, but what the view adds."""
        memory = self.memory
        first = memory.dropped
        buffers = memory.all_buffers()
        nodes = self.nodes(buffers)
        moments = [self.moment(moment) for moment in memory.moments]
        curve = memory.curve()
        return {
            "version": VERSION,
            "dropped": first,
            "curve": curve,
            "moments": moments,
            "nodes": nodes,
            "buffers": [self.buffer(one) for one in buffers],
            "lines": self.lines,
            "peak": self.peak(curve),
            "leaves": memory.saved_leaves,
            "keepers": [self.keeper(one) for one in self.keepers],
            "nobody": self.nobody(),
            "source": source(self.lines, self._files),
        }

    # ------------------------------------------------------------------ details

    def line(self, place: Place | None) -> int:
        """The place of a line in the page's list; -1 if nobody knows it."""
        if place is None or place.line is None:
            return -1
        key = place.code.co_filename, place.line
        known = self._line_of.get(key)
        if known is None:
            known = self._line_of[key] = len(self.lines)
            self.lines.append({"file": place.file, "line": place.line, "text": place.text[:120]})
            self._files[place.file] = place.code.co_filename
        return known

    def moment(self, moment: tuple[Any, ...]) -> list[Any]:
        """Its kind, its line, and the node that was made or visited."""
        line = self.line(self.memory.place_of(moment))
        if moment[0] == FREED:
            return ["freed", line, -1]
        if moment[0] == VISIT:
            return ["visit", line, self._nodes.get(moment[1], -1)]
        return ["made", line, self._nodes.get(moment[0], -1)]

    def nodes(self, buffers: list[Buffer]) -> list[dict[str, Any]]:
        """The nodes that were made in the moments which are kept."""
        notes = [
            (at, moment)
            for at, moment in enumerate(self.memory.moments, self.memory.dropped + 1)
            if moment[0] not in (VISIT, FREED)
        ]
        self._nodes = {note[0]: place for place, (_, note) in enumerate(notes)}
        formulas = self.formulas([note for _, note in notes], buffers)
        ends = self.memory.ends()
        told = []
        with self.tape.unchanged():
            for at, note in notes:
                name, formula = formulas.get(note[0], ("", ""))
                inputs = [
                    self._nodes[one]
                    for one in note[2]
                    if isinstance(one, int) and not isinstance(one, bool) and one in self._nodes
                ]
                place = None if note[4] is None else Place(note[4], note[5])
                told.append(
                    {
                        "made": at,
                        "freed": ends.get(f"n{note[0]}"),
                        "line": self.line(place),
                        "name": name,
                        "formula": formula or note[1].op,
                        "inputs": inputs,
                    }
                )
        return told

    def formulas(self, notes: list[Any], buffers: list[Buffer]) -> dict[int, tuple[str, str]]:
        """Of these nodes, the variable of the result, and the formula."""
        numbers = [note[0] for note in notes]
        if len(numbers) > NODES_TOLD:
            largest = sorted(buffers, key=lambda one: one.size, reverse=True)
            saving = dict.fromkeys(number for one in largest for number in one.by)
            numbers = [number for number in saving if number in self._nodes][:NODES_TOLD]
        found = {}
        with self.tape.unchanged():
            for number in numbers:
                fact = self.tape.facts.get(f"n{number}")
                if fact is not None:
                    inner = self.tape.is_inner(fact)
                    name = None if inner or fact.place is None else fact.place.assigned()
                    found[number] = (name or "", self.tape.formula(fact)[:LONG])
        return found

    def buffer(self, one: Buffer) -> dict[str, Any]:
        by = [self._nodes[number] for number in one.by if number in self._nodes]
        return {"bytes": one.size, "made": one.made, "freed": one.freed, "by": by}

    def peak(self, curve: list[int]) -> dict[str, Any]:
        """When most was there; of moments that are forgotten too."""
        memory = self.memory
        line = self.line(memory.place_of(memory.peak_note)) if memory.peak_note else -1
        return {"at": memory.peak_at, "bytes": memory.peak, "line": line}

    def keeper(self, one: Keeper) -> dict[str, Any]:
        numbers = sorted(self._nodes[n] for n in one.numbers if n in self._nodes)
        return {
            "name": one.name,
            "leak": one.leak,
            "says": one.sentence(),
            "bytes": one.saved,
            "alone": one.alone,
            "graph": one.nodes,
            "line": self.line(one.place),
            "nodes": numbers,
        }

    def nobody(self) -> str:
        """What is there at the end, and no variable that was found leads to."""
        known = {key for keeper in self.keepers for key in keeper.memory}
        rest = sum(one.size for key, one in self.memory.buffers.items() if key not in known)
        if not rest:
            return ""
        return (
            f"{size(rest)} more are kept by what no variable of the program leads to: a function "
            "that is at work, a library, or objects that hold each other."
        )
