"""The lines of a program as data: what each makes, reads and writes, and whose memory that is."""

from __future__ import annotations

import functools
from typing import Any, NamedTuple

import numpy as np

from .notes import OUTSIDE, Notes, root
from .printing import Names
from .program import Shortened

GIVEN = "given"
"""The kind of a step that takes an array from outside; the other kinds are those of ``notes``."""


class Step(NamedTuple):
    """One line. Memory has a number: ``OUTSIDE`` for all that was there before the call."""

    kind: str
    text: str
    makes: str  # the name of the value, or ""
    reads: tuple[str, ...]
    memory: int  # that the made value shows; -1 if it has none
    nbytes: int  # of that memory
    shape: tuple[int, ...]  # of the made value
    dtype: str  # "" if it is no array
    touches: frozenset[int]  # the memory of what it reads
    writes: frozenset[int]
    forgets: tuple[str, ...]  # the values that no later line names
    file: str  # of the running program; "" for what is given
    line: int  # 0 for what is given
    backward: str  # of a backward pass: the node that was visited, "MulBackward0"


def steps_of(notes: Notes, program: Shortened, statements: list[str], names: Names) -> list[Step]:
    """All lines of a program, and before them the arrays that it is given."""
    found = []
    read = {number for line in program.lines for number in line.reads()} | set(program.results)
    for source in notes.sources.values():
        if source.number in read:
            text = f"{source.name} = {source.name}_tensor._array"
            nothing: frozenset[int] = frozenset()
            size = source.array.nbytes
            about = source.array.shape, str(source.array.dtype)
            made = (source.name, (), OUTSIDE, size, *about, nothing, nothing, (), "", 0, "")
            found.append(Step(GIVEN, text, *made))
    for line, text, gone in zip(program.lines, statements, program.forgotten):
        target = line.targets[0] if line.targets else None
        found.append(
            Step(
                line.kind,
                text,
                "" if target is None else names.of(target),
                tuple(dict.fromkeys(names.of(number) for number in line.reads())),
                -1 if target is None else notes.owners[target],
                0 if target is None else size_of(notes.values[target]),
                *((), "") if target is None else shape_and_dtype(notes.values[target]),
                frozenset(notes.owners[number] for number in line.reads()) - {-1},
                line.writes,
                tuple(names.of(number) for number in gone),
                line.where.file,
                line.where.line,
                "" if line.where.node is None else line.where.node.name(),
            )
        )
    return found


def size_of(value: Any) -> int:
    """The bytes of the memory that a value shows."""
    return int(root(value).nbytes) if isinstance(value, np.ndarray) else 0


name_of = functools.cache(str)
"""The name of a dtype, which NumPy works out anew each time."""


def shape_and_dtype(value: Any) -> tuple[tuple[int, ...], str]:
    """Of an array or a number; of anything else, such as several arrays at once, nothing."""
    if isinstance(value, np.ndarray | np.generic):
        return value.shape, name_of(value.dtype)
    return (), ""


__all__ = ["GIVEN", "Step", "steps_of"]
