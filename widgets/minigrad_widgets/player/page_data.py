"""A recording as the page gets it: moments with names, formulas and numbers, and their lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from types import CodeType
from typing import Any

from minigrad.tape import Tape
from minigrad.tape.source import Place
from minigrad.tape.values import Captured, text_of

from ..source_block import Span, around, shown_lines
from .lines import Call, Written
from .moments import Moment
from .variables import as_data

LINES = 240  # of the source, that are shown


class PageData:
    """Works out what the page is told of each moment (``Moment`` in ``recording.ts``)."""

    def __init__(self, tape: Tape, most: int, followed: bool) -> None:
        self._tape = tape
        self._most = most  # rows and columns of a matrix
        self._followed = followed
        self.nodes: dict[str, dict[str, Any]] = {}
        self.calls: dict[int, Call] = {}
        self.passes = Passes(most)
        self.files: dict[str, str] = {}  # what stands for a file in the page -> its name

    def told(self, moment: Moment) -> Iterator[dict[str, Any]]:
        """A moment as the page gets it; of a pass, its steps; nothing, if it is forgotten."""
        common = {
            "kind": moment.kind,
            "call": moment.number,
            "passes": moment.passes,
            "file": "",
            "line": moment.line or None,
            "changes": self.changes(moment.changed),
        }
        if moment.call is not None:
            self.calls[moment.number] = moment.call
            common["file"] = self.file_of(moment.call.code)
        if moment.returned is not None:
            value = moment.returned
            common["returned"] = text_of(value) if isinstance(value, Captured) else value
        if moment.kind == "op":
            yield from self.operation(moment, common)
        elif moment.kind == "pass":
            yield from self.steps(moment, common)
        else:
            yield {**common, "raised": moment.what}

    def operation(self, moment: Moment, common: dict[str, Any]) -> Iterator[dict[str, Any]]:
        key = f"n{moment.what}"
        fact = self._tape.facts.get(key)
        if fact is None:
            return
        node = self.nodes[key] = bare(self._tape.describe(key, self._most))
        if fact.place is not None:
            node["file"] = self.file_of(fact.place.code)
        if not self._followed:
            common = {**common, "file": node["file"], "line": node["line"]}
            common["changes"] = assigned_by(node)
        yield {**common, "node": key}

    def steps(self, moment: Moment, common: dict[str, Any]) -> Iterator[dict[str, Any]]:
        record, begin, end = moment.what
        number, steps = self.passes.of(record)
        for at, step in enumerate(steps[begin:end], begin + 1):
            found: list[dict[str, Any]] = []
            if step["kind"] == "land":
                landed = self.changes(moment.grads.get(step["node"], []))
                found += landed if self._followed else landed_by(step)
            if at == min(end, len(steps)):
                found += common["changes"]
            yield {**common, "changes": found, "kind": "step", "pass": number, "step": at}

    def changes(self, changed: Iterable[Written]) -> list[dict[str, Any]]:
        return [as_data(change, number, self._most) for number, change in changed]

    def first(self, changed: Iterable[Written], gone: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """What is known before the first moment, if these are not shown."""
        return latest([*self.changes(changed), *(one for told in gone for one in told["changes"])])

    def file_of(self, code: CodeType) -> str:
        """What stands for its file: "In [2]"; of two with one name, each has its own."""
        name = Place(code, 0).file
        label = name
        count = 1
        while self.files.setdefault(label, code.co_filename) != code.co_filename:
            count += 1
            label = f"{name} ({count})"
        return label


class Passes:
    """The backward passes of a recording, each once."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._numbers: dict[int, int] = {}
        self._schedules: list[dict[str, Any]] = []

    def of(self, record: Any) -> tuple[int, list[dict[str, Any]]]:
        """Its number, and its steps."""
        number = self._numbers.get(id(record))
        if number is None:
            number = self._numbers[id(record)] = len(self._schedules)
            self._schedules.append(smaller(record.schedule("replayed"), self._most))
        return number, self._schedules[number]["steps"]

    def data(self, known: dict[str, Any]) -> list[dict[str, Any]]:
        """As the page gets them: of their nodes, those that are not among the operations."""
        return [
            {
                "title": one["title"],
                "mode": one["mode"],
                "nodes": [bare(node) for node in one["nodes"] if node["id"] not in known],
                "steps": one["steps"],
            }
            for one in self._schedules
        ]


def bare(node: dict[str, Any]) -> dict[str, Any]:
    """A node without what is not shown here: what it saved, and what the latest pass brought."""
    return {**node, "saved": [], "grad": None}


def smaller(data: Any, most: int) -> Any:
    """The same data with fewer rows and columns of each value (``Value`` in ``tape.ts``)."""
    if isinstance(data, list):
        return [smaller(item, most) for item in data]
    if not isinstance(data, dict):
        return data
    shown = data.get("shown")
    if shown is None or max(shown, default=0) <= most:
        return {name: smaller(item, most) for name, item in data.items()}
    width = shown[-1]
    rows = range(0, min(shown[0], most) * width if len(shown) > 1 else width, width)
    kept = [number for at in rows for number in data["data"][at : at + min(width, most)]]
    return {**data, "data": kept, "shown": [min(one, most) for one in shown]}


def latest(changed: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Of each variable the last change; what is gone in the end is not listed."""
    last = {(one["call"], one["name"]): one for one in changed}
    return [one for one in last.values() if one["text"] is not None]


def assigned_by(node: dict[str, Any]) -> list[dict[str, Any]]:
    """What an operation has written, where no lines were followed: the variable of its result."""
    value = node["value"]
    return [
        {"name": name, "call": 0, "value": value, "text": value["text"]}
        for name in node["names"][:1]
    ]


def landed_by(step: dict[str, Any]) -> list[dict[str, Any]]:
    """The gradient that has landed in a step."""
    value = step["after"]
    return [{"name": f"{step['text']}.grad", "call": 0, "value": value, "text": value["text"]}]


def corner(moments: int) -> int:
    """How many rows and columns of each matrix are sent: of many moments, fewer."""
    if moments <= 100:
        return 8
    return 3 if moments <= 500 else 1


def source(moments: list[dict[str, Any]], files: dict[str, str]) -> list[dict[str, Any]]:
    """The functions and cells in which these moments stand (``SourceBlock`` in ``tape.ts``)."""
    used: dict[tuple[str, Span], set[int]] = {}
    for moment in moments:
        filename = files.get(moment["file"])
        if filename is not None and moment["line"]:
            block = moment["file"], around(filename, moment["line"])
            used.setdefault(block, set()).add(moment["line"])
    for (file, span), lines in list(used.items()):
        outer = [
            key
            for key in used
            if key[0] == file and key[1] != span and key[1][0] <= span[0] <= span[1] <= key[1][1]
        ]
        if outer:  # its lines are shown there
            used[outer[0]] |= lines
            del used[file, span]
    blocks = []
    room = LINES
    for (file, span), made in used.items():
        shown = shown_lines(files[file], span, made)[:room]
        room -= len(shown)
        if shown:
            blocks.append({"file": file, "lines": shown})
    return blocks
