"""While notes are taken, what a program does with tensors leads through here.

A tensor's value and its ``.grad`` are slots, read and set all over the engine; a door stands in for
such a slot for as long as notes are taken, and hands out a stand-in for each value. So nobody reads
a value past the notes, and what was there before the call is found when it is first touched. Random
numbers, and the step of an optimiser, become one line each.
"""

from __future__ import annotations

import functools
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from ..engine.modes import mode
from ..engine.node import Node, Results, TensorBase
from ..ops.generator import Generator
from ..optim.optimizer import Optimizer
from .guards import facts_of
from .noted import Noted
from .notes import CALL, GRAD, OUTSIDE, WRITE, Notes, Source, bare

ARRAY: Any = vars(TensorBase)["_array"]
GRADIENT: Any = vars(TensorBase)["_grad"]

one_at_a_time = threading.Lock()
"""Held while notes are taken: the doors are there once."""


def source_of(notes: Notes, tensor: Any) -> Source:
    """What is known of a tensor that was there before the call."""
    found = notes.sources.get(id(tensor))
    if found is None:
        if id(tensor) in notes.foreign:
            notes.refuse("a tensor comes from another thread")
        grad = GRADIENT.__get__(tensor)
        array = ARRAY.__get__(tensor)
        found = Source(tensor, array, tensor._node, grad, noted_grad=grad)
        found.facts = facts_of(tensor, array)
        storage = None if tensor._meta is None else tensor._meta.storage
        found.version = 0 if storage is None else storage.version
        notes.sources[id(tensor)] = found
        notes.outside(found.array)
    return found


class ArrayDoor:
    """Stands for the slot with a tensor's value."""

    def __init__(self, notes: Notes) -> None:
        self.notes = notes

    def __get__(self, tensor: Any, owner: Any = None) -> Any:
        real = ARRAY.__get__(tensor, owner)
        notes = self.notes
        if tensor is None or not notes.here():
            return real
        entry = notes.known.get(id(tensor))
        if entry is None:
            source = source_of(notes, tensor)
            if isinstance(source.node, Node) and mode.recording:
                notes.refuse(
                    "a tensor with a history from before the call is used",
                    "call detach() on it before the call, or compute it inside",
                )
                return real
            noted = notes.value(real)
            source.number = noted.number
            notes.known[id(tensor)] = entry = tensor, noted
        return entry[1]

    def __set__(self, tensor: Any, value: Any) -> None:
        notes = self.notes
        noted = type(value) is Noted
        if not notes.here():
            ARRAY.__set__(tensor, bare(value))
            if notes.open and not notes.paused:
                notes.foreign.add(id(tensor))
            return
        is_new = False
        try:
            before = ARRAY.__get__(tensor)
        except AttributeError:
            is_new = True
            notes.foreign.discard(id(tensor))
        ARRAY.__set__(tensor, bare(value))
        if not is_new and id(tensor) not in notes.known:
            notes.refuse("a tensor of the outside gets another value", "copy_() the value into it")
            return
        entry = value if noted else notes.newborn(value)
        notes.known[id(tensor)] = tensor, entry
        source = notes.sources.get(id(tensor))
        if source is None or before is bare(value):
            return
        if not noted or not isinstance(before, np.generic) or value.ndim:
            notes.refuse("a tensor of the outside gets another value", "copy_() the value into it")
            return
        # One number gets memory that can be written to: see ``own_array``.
        notes.outside(value.value)
        notes.owners[value.number] = OUTSIDE
        notes.changed = "a number gets memory of its own"
        notes.add(WRITE, [source, "._array = ", value.number], (), (value,))


class GradientDoor:
    """Stands for the slot with a tensor's ``.grad``."""

    def __init__(self, notes: Notes) -> None:
        self.notes = notes

    def __get__(self, tensor: Any, owner: Any = None) -> Any:
        grad = GRADIENT.__get__(tensor, owner)
        notes = self.notes
        if tensor is None or not notes.here():
            return grad
        if id(tensor) not in notes.known or id(tensor) in notes.sources:
            source = source_of(notes, tensor)
            source.grad_was_read = True
            if grad is source.before and grad is not None and id(grad) not in notes.known:
                source_of(notes, grad).gradient_of = source
        return grad

    def __set__(self, tensor: Any, value: Any) -> None:
        notes = self.notes
        if notes.here() and not is_newborn(tensor) and id(tensor) not in notes.known:
            source_of(notes, tensor)
        GRADIENT.__set__(tensor, value)


def is_newborn(tensor: Any) -> bool:
    """Is a tensor being made, which has no value yet, or no ``.grad``?"""
    try:
        ARRAY.__get__(tensor)
        GRADIENT.__get__(tensor)
    except AttributeError:
        return True
    return False


def settle(notes: Notes) -> None:
    """Note what has become of each ``.grad`` since this was noted last."""
    for source in list(notes.sources.values()):
        now = GRADIENT.__get__(source.tensor)
        entry = notes.known.get(id(now))
        number = None if entry is None else entry[1].number
        if now is source.noted_grad and number in (source.given, None):
            continue  # also if it was written to: that is a line of its own
        if now is source.before and now is not None:
            if now is not source.noted_grad:
                notes.refuse("a gradient is taken away, and given back", "clone() it")
            continue
        others = [other for other in notes.sources.values() if other is not source]
        if now is not None and any(GRADIENT.__get__(other.tensor) is now for other in others):
            notes.refuse("two tensors get the same gradient", "give one of them a clone() of it")
        source.noted_grad = now
        source.given = number
        if now is None:
            notes.add(GRAD, [source, "._grad = None"])
        elif id(now) in notes.sources:
            notes.refuse("a tensor of the outside becomes a gradient", "assign a clone() of it")
        else:
            value = plain_value(notes, now, "a gradient")
            if value is not None:
                # It is noted when somebody may look at it: the line it comes from ran before.
                pieces = [source, "._grad = tensor(", value, ")"]
                notes.add(GRAD, pieces, where=notes.made_at.get(value))


def plain_value(notes: Notes, tensor: Any, what: str) -> int | None:
    """The number of a new tensor's value, which shares memory with nothing from outside."""
    entry = notes.known.get(id(tensor))
    if entry is None:
        notes.refuse(f"{what} was not made in this call")
        return None
    number = entry[1].number
    if notes.owners[number] == OUTSIDE:
        notes.refuse(f"{what} shows memory of a tensor of the outside", "clone() it")
    if notes.owners[number] in notes.frozen:
        notes.refuse(f"{what} shows a table that belongs to the program", "clone() it")
    if type(tensor) is not Results.cls:
        notes.refuse(f"{what} is a {type(tensor).__name__} that was made in the call")
    if what == "a gradient" and tensor._node is not None:
        notes.refuse("a gradient has a history", "call backward() without create_graph")
    return number


def drawing(notes: Notes, name: str) -> Any:
    """A generator's method that is noted, and is otherwise as it was."""
    method = getattr(Generator, name)

    @functools.wraps(method)
    def noted(self: Any, *args: Any) -> Any:
        if not notes.here():
            return method(self, *args)
        with pause(notes):
            real = method(self, *bare(args))
        return notes.draw(real, self, [f".{name}(", *notes.listed(args, {}), ")"])

    return noted


def seeding(notes: Notes) -> Any:
    """The generator starts anew, in each call of the program."""
    method = Generator.manual_seed

    @functools.wraps(method)
    def noted(self: Any, seed: Any) -> Any:
        caller = sys._getframe(1).f_code
        if caller in (Generator.__init__.__code__, Generator.seed.__code__):
            notes.refuse("a generator is made, or seeded by chance")
        if not notes.here():
            return method(self, seed)
        with pause(notes):
            method(self, seed)
        notes.changed = "a generator is seeded"
        notes.add(CALL, [notes.constant(self, "generator"), f".manual_seed({seed})"])
        return self

    return noted


def stepping(notes: Notes) -> Any:
    """An optimiser's step is one line."""
    method = Optimizer.step

    @functools.wraps(method)
    def noted(self: Any, closure: Any = None) -> Any:
        if not notes.here():
            return method(self, closure)
        if closure is not None:
            notes.refuse("an optimiser calls a closure", "compile what the closure does")
            return method(self, closure)
        for param in self._params():
            source_of(notes, param)
        settle(notes)
        with pause(notes):
            method(self)
        optimizer = notes.constant(self, "optimizer")
        notes.changed = "the optimiser's step"
        notes.add(CALL, [optimizer, ".step()"])
        for source in notes.sources.values():
            known = notes.known.get(id(source.tensor))
            array = source.array if known is None else known[1].value
            if ARRAY.__get__(source.tensor) is not array:
                notes.refuse("the optimiser gives a parameter another array")

    return noted


def refusing(notes: Notes, method: Any) -> Any:
    """The words of a generator, which nobody may read past the notes."""

    def noted(self: Any) -> Any:
        if notes.here():
            notes.refuse("the state of the random numbers is read or set")
        return method(self)

    return property(noted)


@contextmanager
def pause(notes: Notes) -> Iterator[None]:
    """What the block does is one line of the notes: it is not looked into."""
    notes.paused = True
    try:
        yield
    finally:
        notes.paused = False


@contextmanager
def led_through(notes: Notes) -> Iterator[None]:
    """Within this block, the doors stand in the slots' places."""
    bits: Any = vars(Generator)["_bits"]
    doors = [
        (TensorBase, "_array", ArrayDoor(notes)),
        (TensorBase, "_grad", GradientDoor(notes)),
        (Generator, "_bits", refusing(notes, bits.fget)),
        (Generator, "manual_seed", seeding(notes)),
        (Optimizer, "step", stepping(notes)),
    ]
    doors += [
        (Generator, name, drawing(notes, name))
        for name in ("uniform", "normal_blocks", "normal_pairs", "order", "words")
    ]
    before = [(cls, name, vars(cls)[name]) for cls, name, _ in doors]
    for cls, name, door in doors:
        setattr(cls, name, door)
    try:
        yield
    finally:
        for cls, name, slot in before:
            setattr(cls, name, slot)
