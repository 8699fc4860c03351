"""A program of straight-line NumPy, made of notes.

What nobody needs is left out, what is worked out twice is worked out once, and each value is
forgotten after its last use, so that its memory is at hand for the next. The order stays.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from .notes import CALL, COPY, OUTSIDE, PURE, WRITE, Line, Notes


@dataclass(slots=True)
class Shortened:
    """The lines that are left, and after each the values that are used no more."""

    lines: list[Line]
    forgotten: list[list[int]]
    results: list[int]
    single: set[int]  # arrays of one number from outside, for which the number will do


def shortened(notes: Notes, results: list[int], kept: Iterable[int]) -> Shortened:
    """The program for these results. ``kept``: values whose memory somebody outside will have."""
    own = {notes.owners[number] for number in kept} - {-1}
    written = own.union(*(line.writes for line in notes.lines))
    lines, same = once_each(notes, notes.lines, written)
    results = [same.get(number, number) for number in results]
    lines = needed(notes, lines, results, own)
    return Shortened(
        lines, last_uses(lines, results), results, single_numbers(notes, lines, results)
    )


def once_each(
    notes: Notes, lines: list[Line], written: set[int]
) -> tuple[list[Line], dict[int, int]]:
    """The lines without those that an earlier one says already; and which value stands for which.

    A value may stand for another as long as nobody writes to either, nor to what they are made of
    in between. A constant that nobody writes to needs no copy.
    """
    same: dict[int, int] = {}
    constants: dict[int, Any] = {}
    found: dict[tuple[object, ...], int] = {}
    time = dict.fromkeys(range(-1, len(notes.memory) + 2), 0)  # of each owner: how often written
    left = []
    for line in lines:
        pieces = line.pieces
        if any(number in same or number in constants for number in line.reads()):
            pieces = tuple(stands_for(piece, same, constants) for piece in pieces)
            line = Line(line.kind, pieces, line.targets, line.where, line.writes)
        for owner in line.writes:
            time[owner] += 1
        if line.kind == CALL:
            time[OUTSIDE] += 1
        if line.kind == COPY and notes.owners[line.targets[0]] not in written:
            constants[line.targets[0]] = pieces[0]
            continue
        if line.kind == PURE and len(line.targets) == 1:
            (target,) = line.targets
            alone = notes.owners[target] not in written and not fresh(line)
            times = [time[notes.owners[number]] for number in line.reads()]
            key = (*pieces, *times, type(notes.values[target]))
            if key in found and alone:
                same[target] = found[key]
                continue
            if alone:
                found[key] = target
        left.append(line)
    return left, {**same, **{number: number for number in constants}}


def stands_for(piece: Any, same: dict[int, int], constants: dict[int, Any]) -> Any:
    """What takes the place of a piece: an earlier value, or a constant."""
    if piece.__class__ is not int:
        return piece
    piece = same.get(piece, piece)
    return constants.get(piece, piece)


def fresh(line: Line) -> bool:
    """Does it make memory that has no numbers yet?"""
    return str(line.pieces[0]).startswith(("np.empty", "np.zeros", "np.full"))


def needed(notes: Notes, lines: list[Line], results: list[int], own: set[int]) -> list[Line]:
    """The lines on which a result depends, or something outside; looked for from the end.

    ``own``: whose memory somebody outside will have, so that each write to it counts.
    """
    values = set(results)
    owners = {OUTSIDE, *own, *[notes.owners[number] for number in results]}
    left = []
    for line in reversed(lines):
        if line.kind in (PURE, COPY):
            keep = not values.isdisjoint(line.targets)
        elif line.kind == WRITE:
            keep = not owners.isdisjoint(line.writes)
        else:
            keep = True
        if keep:
            left.append(line)
            values.update(line.reads())
            owners.update(notes.owners[number] for number in line.reads())
    return left[::-1]


def last_uses(lines: list[Line], results: list[int]) -> list[list[int]]:
    """After each line: the values made so far that no later line names."""
    made = {target for line in lines for target in line.targets}
    later = set(results)
    forgotten = []
    for line in reversed(lines):
        now = [*dict.fromkeys([*line.reads(), *line.targets])]
        gone = [number for number in now if number in made and number not in later]
        later.update(now)
        forgotten.append(gone)
    return forgotten[::-1]


def single_numbers(notes: Notes, lines: list[Line], results: list[int]) -> set[int]:
    """Arrays from outside that hold one number, and are only ever read, by arithmetic.

    NumPy is twice as fast with the number itself, and gives the same.
    """
    numbers = [source.number for source in notes.sources.values() if source.number is not None]
    arrays = {number for number in numbers if isinstance(notes.values[number], np.ndarray)}
    found = {number for number in arrays if notes.values[number].ndim == 0}
    if any(OUTSIDE in line.writes or line.kind == CALL for line in lines):
        return set()
    for line in lines:
        if not is_arithmetic(line):
            found.difference_update(line.reads())
    return found - set(results)


def is_arithmetic(line: Line) -> bool:
    """Is it a sum, a product or the like, or a function of NumPy of each entry?"""
    if line.kind != PURE:
        return False
    start = str(line.pieces[0])
    if not start:
        return any(piece in (" + ", " - ", " * ", " / ") for piece in line.pieces)
    return line.pieces[1:2] == ("(",) and isinstance(getattr(np, start[3:], None), np.ufunc)
