"""A program as text: names for values, and beside each line the one that it comes from."""

from __future__ import annotations

import keyword
import linecache
import re
from typing import Any

import numpy as np

from .notes import COPY, Constant, Line, Notes, Source, Where
from .program import Shortened

INDENT = "    "
COMMENTS = 64
"""The column from which on the running program's lines are quoted."""

USED = {"np", "tensor", "Otherwise", "inf", "nan", "slice", "abs", "bool", "int"}
"""What the text of a program means by these names."""


class Names:
    """The name of each value, tensor and constant of a program."""

    def __init__(self, notes: Notes, known: dict[int, str]) -> None:
        self.taken: set[str] = USED | set(keyword.kwlist)
        self.values: dict[int, str] = {}
        self.constants: dict[int, tuple[str, Any]] = {}
        for source in notes.sources.values():
            if source.gradient_of is None:
                source.name = self.new(known.get(id(source.tensor), "t"))
        for source in notes.sources.values():
            if source.gradient_of is not None:
                source.name = self.new(f"{source.gradient_of.name}_grad")
        for source in notes.sources.values():
            if source.number is not None:
                self.values[source.number] = source.name

    def new(self, wish: str) -> str:
        """A name that is not taken, as near to this one as can be."""
        wish = re.sub(r"\W", "_", wish).lstrip("0123456789") or "x"
        name = wish
        count = 2
        while name in self.taken or f"{name}_tensor" in self.taken:
            name = f"{wish}_{count}"
            count += 1
        self.taken |= {name, f"{name}_tensor"}
        return name

    def of(self, piece: Any) -> str:
        """A piece of a line as text."""
        if piece.__class__ is str:
            return str(piece)
        if isinstance(piece, Source):
            return f"{piece.name}_tensor"
        if isinstance(piece, Constant):
            if id(piece) not in self.constants:
                self.constants[id(piece)] = self.new(piece.name or "c"), piece.value
            return self.constants[id(piece)][0]
        if piece not in self.values:
            self.values[piece] = self.new(f"v{piece}")
        return self.values[piece]


def written(
    name: str,
    notes: Notes,
    program: Shortened,
    statements: list[str],
    names: Names,
    made: dict[int, Where],
) -> str:
    """The text of a program, as a function of the tensors from outside.

    ``statements``: its lines as statements. ``made``: for each node, by its identity, the line that
    made it.
    """
    body = []
    sources = list(notes.sources.values())
    read = {number for line in program.lines for number in line.reads()} | set(program.results)
    for source in sources:
        if source.number in read:
            facts = f"{source.array.dtype} {list(source.array.shape)}"
            number = "[()]" if source.number in program.single else ""
            body.append((f"{source.name} = {source.name}_tensor._array{number}", facts))
    for line, text, gone in zip(program.lines, statements, program.forgotten):
        if gone and not text.startswith("if "):
            text += "; del " + ", ".join(names.of(number) for number in gone)
        body.append((text, comment(line, made)))
    results = ", ".join(names.of(number) for number in program.results)
    body.append((f"return [{results}]", ""))
    tables = []
    for constant, value in names.constants.values():
        if isinstance(value, np.ndarray):
            text = " ".join(np.array2string(value, threshold=8, edgeitems=2).split())
            tables.append(f"{INDENT}# {constant}: {value.dtype} {list(value.shape)}, {text}")
    parameters = ", ".join(f"{source.name}_tensor" for source in sources)
    return "\n".join([f"def {name}({parameters}):", *tables, *numbered(body)]) + "\n"


def statement(line: Line, names: Names) -> str:
    """A line as a statement of Python."""
    text = "".join(map(names.of, line.pieces))
    if line.kind == COPY:
        text += '.copy("K")'
    return f"{names.of(line.targets[0])} = {text}" if line.targets else text


def numbered(body: list[tuple[str, str]]) -> list[str]:
    """Lines with their comments; where the next comment is the same, it is not said again."""
    rows = []
    last = ""
    for text, told in body:
        row = INDENT + text
        if told and told != last:
            row = f"{row:<{COMMENTS}}  # {told}"
        last = told
        rows.append(row)
    return rows


def comment(line: Line, made: dict[int, Where]) -> str:
    """The line of the running program; of a backward pass, the one whose derivative it is."""
    where = line.where
    if where.node is None:
        return quoted(where)
    forward = made.get(id(where.node))
    of_what = f" of line {forward.line}" if forward is not None else ""
    return f"{where.line}: {where.node.name()}{of_what}"


def quoted(where: Where) -> str:
    """A line of the running program, with its number."""
    return f"{where.line}: {linecache.getline(where.file, where.line).strip()}"
