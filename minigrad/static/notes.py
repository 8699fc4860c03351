"""The notes of one call: each thing that NumPy was asked to do, as a line of a program.

A line is a text with gaps for the names of values, which are numbered here and named when the
program is printed. Beside it stands what whoever shortens the program must know: which memory it
writes to, and whether it is more than the making of a value.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..engine.backward import BackwardPass
from ..engine.node import Node, TensorBase, reachable
from ..errors import is_ours
from ..tape.source import Place
from .noted import ABOUT_TYPES, BY_SHAPE, WRITING, Noted, Pieces

STEPS = BackwardPass.steps.__code__

OUTSIDE = 0
"""The memory of all tensors that were there before the call. Some of them may share it."""

PURE = "pure"  # makes a value, and does nothing else
WRITE = "write"  # to memory
GUARD = "guard"  # what the program was noted for still holds, or it ends here
DRAW = "draw"  # random numbers
CALL = "call"  # of something that is not looked into, such as an optimiser's step
GRAD = "grad"  # a tensor of the outside gets a gradient, or loses it
COPY = "copy"  # of a constant, which is left out unless somebody writes to it


@dataclass(slots=True)
class Where:
    """The line of the running program, and the node that was being visited in a backward pass."""

    file: str
    line: int
    node: Node | None = None


@dataclass(slots=True, eq=False)
class Line:
    kind: str
    pieces: Pieces
    targets: tuple[int, ...]
    where: Where
    writes: frozenset[int] = frozenset()

    def reads(self) -> Iterator[int]:
        """The numbers of the values that it names."""
        return (piece for piece in self.pieces if piece.__class__ is int)


@dataclass(slots=True, eq=False)
class Constant:
    """Something that the program has at hand: a table of numbers, a function, an optimiser."""

    value: Any
    name: str = ""


@dataclass(slots=True, eq=False)
class Source:
    """A tensor that was there before the call: an argument, one that is held, or a ``.grad``."""

    tensor: Any
    array: Any
    node: Any
    before: Any  # its ``.grad`` before the call
    position: int | None = None  # of an argument
    gradient_of: Source | None = None
    number: int | None = None  # of its value, once that was read
    name: str = ""
    noted_grad: Any = None  # its ``.grad``, as far as the lines say,
    given: int | None = None  # and the number of the value that this got
    grad_was_read: bool = False
    version: int = 0
    facts: Any = None


@dataclass(eq=False)
class Notes:
    """What was noted of a call."""

    lines: list[Line] = field(default_factory=list)
    values: list[Any] = field(default_factory=list)  # by number: the real values
    owners: list[int] = field(default_factory=list)  # by number: whose memory
    sources: dict[int, Source] = field(default_factory=dict)  # by the identity of the tensor
    known: dict[int, tuple[Any, Noted]] = field(default_factory=dict)
    refused: str = ""
    open: bool = True
    paused: bool = False
    drawn: bool = False
    redraws: bool = False  # is a guard noted after random numbers were drawn?

    def __post_init__(self) -> None:
        self.thread = threading.get_ident()
        # By the identity of code, whose hash takes a microsecond: is it minigrad's? And the code.
        self.ours: dict[int, tuple[bool, Any]] = {}
        self.memory: dict[int, int] = {}  # the identity of an array with memory -> its owner
        self.alive: list[Any] = []  # so that no identity comes up twice
        self.frozen: set[int] = set()  # owners that are constants
        self.constants: dict[int, tuple[Any, Constant]] = {}
        self.guards: list[tuple[Where, str]] = []
        self.changed = ""  # what of the outside was changed so far, that cannot be undone
        self.written: list[Any] = []  # arrays with memory of the outside that was written to
        self.undone: list[Any] = []  # those of them that a guard may find written to already
        self.foreign: set[int] = set()  # tensors that another thread has made
        self.made_at: dict[int, Where] = {}  # by number: the line that has made a value
        self.visited: set[Node] = set()  # by backward passes

    # ------------------------------------------------------------------------------- refusing

    def refuse(self, why: str, fix: str = "") -> None:
        """Take no more notes: from now on this call is an ordinary one. The first reason counts."""
        if self.open and not self.paused:
            where = self.where()
            self.refused = f"{why}\n  where: {where.file}, line {where.line}"
            self.refused += f"\n  fix: {fix or FIX}"
            self.open = False

    def backward(self, roots: tuple[Any, ...], done: bool) -> None:
        """A backward pass has these roots."""
        if not done and self.here():
            self.visited.update(reachable([root._node for root in roots]))

    def used_up(self, node: Node) -> bool:
        """Can nobody go back through this graph any more, since a backward pass has?"""
        freed = [one.saved is None for one in reachable([node]) if one.kind.frees]
        return all(freed) and (bool(freed) or node in self.visited)

    def drop_unused_sources(self) -> None:
        """Leave out the gradients that were there, and that nobody has looked into."""
        named = {id(piece) for line in self.lines for piece in line.pieces}
        for key, source in list(self.sources.items()):
            unread = source.gradient_of is not None and source.number is None
            meta = source.tensor._meta
            version = 0 if meta is None or meta.storage is None else meta.storage.version
            untouched = not source.grad_was_read and source.noted_grad is source.before
            if unread and untouched and id(source) not in named and version == source.version:
                del self.sources[key]

    def forget(self) -> None:
        """Hold none of the call's values any longer."""
        for holder in (
            self.known,
            self.sources,
            self.values,
            self.alive,
            self.visited,
            self.memory,
        ):
            holder.clear()
        self.constants.clear()
        self.lines.clear()
        self.made_at.clear()

    def here(self) -> bool:
        """Are notes being taken now, in this thread?"""
        return self.open and not self.paused and threading.get_ident() == self.thread

    def ready(self) -> bool:
        if self.open and (self.paused or threading.get_ident() != self.thread):
            self.open = False
            self.refused = self.refused or "another thread uses a value of this call"
        return self.open

    def where(self) -> Where:
        """Who asks: the innermost line of the running program."""
        frame, node = self.asking()
        return Where(frame.f_code.co_filename, frame.f_lineno, node)

    def asking(self) -> tuple[Any, Node | None]:
        """The innermost frame of the running program; and in a backward pass, the visited node."""
        node = None
        frame: Any = sys._getframe(1)
        while frame.f_back is not None:
            code = frame.f_code
            known = self.ours.get(id(code))
            if known is None:  # each frame of each line is asked for, so it is remembered
                known = self.ours[id(code)] = is_ours(frame), code
            if not known[0]:
                break
            if code is STEPS:
                node = frame.f_locals.get("node")
            frame = frame.f_back
        return frame, node

    # ---------------------------------------------------------------------------------- values

    def owner(self, value: Any) -> int:
        """Whose memory an array shows; -1 for what has none that could be written to."""
        if not isinstance(value, np.ndarray):
            return -1
        value = root(value)
        if id(value) not in self.memory:
            self.memory[id(value)] = len(self.memory) + 1
            self.alive.append(value)
        return self.memory[id(value)]

    def outside(self, array: Any) -> None:
        """From now on, the memory of this array counts as the outside's."""
        self.owner(array)
        self.memory[id(root(array))] = OUTSIDE

    def value(self, real: Any) -> Noted:
        """The stand-in for one more value."""
        self.values.append(real)
        self.owners.append(self.owner(real))
        return Noted(self, real, len(self.values) - 1)

    def add(
        self,
        kind: str,
        pieces: Iterable[Any],
        targets: tuple[int, ...] = (),
        writes: tuple[Noted, ...] = (),
        where: Where | None = None,
    ) -> None:
        """Note one line. ``where`` it comes from, if that is not the line that runs now."""
        if not self.open:
            return
        owners = {self.owners[noted.number] for noted in writes}
        if owners & self.frozen:
            self.refuse("a table that belongs to the program is written to")
        if OUTSIDE in owners:
            self.written += [root(noted.value) for noted in writes]
        where = where or self.where()
        self.made_at.update(dict.fromkeys(targets, where))
        self.lines.append(Line(kind, tuple(pieces), targets, where, frozenset(owners)))

    def result(self, real: Any, pieces: list[Any], kind: str = PURE, by_shape: bool = True) -> Any:
        """Note the line that made a result, and return what stands for that."""
        if not self.open:
            return real
        if isinstance(real, (np.ndarray, np.generic)):
            for piece in pieces if isinstance(real, np.ndarray) else ():
                if piece.__class__ is int and self.values[piece] is real:
                    return Noted(self, real, piece)  # the very same array
            noted = self.value(real)
            self.add(kind, pieces, (noted.number,))
            if not by_shape:
                self.guard(noted, f".shape != {real.shape}", f"its shape is {real.shape}")
            return noted
        if isinstance(real, (bool, int)):
            self.values.append(real)
            self.owners.append(-1)
            noted = Noted(self, real, len(self.values) - 1)
            self.add(kind, pieces, (noted.number,))
            return self.told(noted, type(real))
        if isinstance(real, (tuple, list)):
            self.values.append(real)
            self.owners.append(-1)
            number = len(self.values) - 1
            self.add(kind, pieces, (number,))
            parts = [
                self.result(part, [number, f"[{i}]"], PURE, by_shape) for i, part in enumerate(real)
            ]
            return type(real)(*parts) if hasattr(real, "_fields") else type(real)(parts)
        if real is not None:
            self.refuse(f"NumPy returns a {type(real).__name__}")
        return real

    # ------------------------------------------------------------------------- what is asked for

    def take(self, function: Callable[..., Any], args: tuple[Any, ...], text: Any) -> Any:
        """Note an expression: a function of values, and the text around and between them."""
        real = function(*map(bare, args))
        if real is NotImplemented or not self.ready():
            return real
        pieces = [text[0]]
        for argument, after in zip(args, text[1:], strict=True):
            pieces += [*self.spelled(argument), after]
        return self.result(real, pieces)

    def called(
        self,
        function: Callable[..., Any],
        start: list[Any],
        args: tuple[Any, ...],
        options: dict[str, Any],
        written: Any = None,
        by_shape: bool = True,
    ) -> Any:
        """Note a call. ``written``: the argument to which it writes."""
        out = options.get("out")
        if isinstance(out, tuple) and len(out) == 1:
            (out,) = out
            options = {**options, "out": out}
        real = function(*bare(args), **bare(options))
        if not self.ready():
            return real
        options = {key: value for key, value in options.items() if value is not np._NoValue}
        pieces = [*start, "(", *self.listed(args, options), ")"]
        if out is not None:
            written = out
        if written is None:
            return self.result(real, pieces, PURE, by_shape)
        for target in written if isinstance(written, tuple) else (written,):
            if type(target) is not Noted:
                self.refuse("a result goes into memory that the notes do not know")
                return real
        self.add(WRITE, pieces, (), written if isinstance(written, tuple) else (written,))
        return real if out is None else written

    def ufunc(self, ufunc: Any, method: str, inputs: Any, options: Any) -> Any:
        if any(isinstance(argument, TensorBase) for argument in inputs):
            return NotImplemented
        start = self.named(ufunc)
        if method != "__call__":
            start = [*start, f".{method}"]
        written = inputs[0] if method == "at" else None
        return self.called(getattr(ufunc, method), start, inputs, options, written)

    def function(self, function: Any, args: Any, options: Any) -> Any:
        if function in ABOUT_TYPES:
            return function(*bare(args), **bare(options))
        by_shape = (
            function in BY_SHAPE
            or function.__module__ == "numpy.linalg"
            or (function is np.where and len(args) == 3)
        )
        written = args[0] if function in WRITING else None
        return self.called(function, self.named(function), args, options, written, by_shape)

    def method(
        self, noted: Noted, name: str, args: Any, options: Any, writing: bool = False
    ) -> Any:
        function = getattr(noted.value, name)
        start = [noted.number, f".{name}"]
        by_shape = name not in ("nonzero", "repeat")
        return self.called(function, start, args, options, noted if writing else None, by_shape)

    def named_call(self, name: str, function: Any, args: tuple[Any, ...]) -> Any:
        return self.called(function, [self.constant(function, name)], args, {})

    def item(self, noted: Noted, index: Any) -> Any:
        index = self.whole(index)
        real = noted.value[bare(index)]
        if not self.ready():
            return real
        parts = index if isinstance(index, tuple) else (index,)
        by_shape = not any(type(part) is Noted and part.dtype.kind == "b" for part in parts)
        pieces = [noted.number, "[", *self.spelled_index(index), "]"]
        return self.result(real, pieces, PURE, by_shape)

    def write_item(self, noted: Noted, index: Any, value: Any) -> None:
        index = self.whole(index)
        noted.value[bare(index)] = bare(value)
        if self.ready():
            pieces = [noted.number, "[", *self.spelled_index(index), "] = ", *self.spelled(value)]
            self.add(WRITE, pieces, (), (noted,))

    def in_place(self, noted: Noted, function: Any, other: Any, symbol: str) -> Any:
        if isinstance(other, TensorBase):
            return NotImplemented
        if not isinstance(noted.value, np.ndarray):  # a NumPy scalar: a new one takes its place
            return self.take(function, (noted, other), ("", symbol.replace("=", ""), ""))
        function(noted.value, bare(other))
        if self.ready():
            self.add(WRITE, [noted.number, symbol, *self.spelled(other)], (), (noted,))
        return noted

    def told(self, noted: Noted, kind: Any) -> Any:
        """A value leaves the graph, as a truth or a whole number: from now on that is a guard."""
        answer = kind(noted.value)
        if self.ready():
            test = "" if answer is False else " is not True" if answer is True else f" != {answer}"
            frame, _ = self.asking()
            asked = Place(frame.f_code, frame.f_lasti).expression()
            told = f"`{asked}` is {answer}" if asked else f"is {answer}"
            self.guard(noted, test, told, f"{kind.__name__}(", ")")
        return answer

    def guard(self, noted: Noted, test: str, told: str, before: str = "", after: str = "") -> None:
        """Note that the program is for this answer only."""
        if self.changed:
            self.refuse(
                f"a value is tested after {self.changed}",
                "put the test before it, or outside the compiled function",
            )
        self.undone = list(self.written)
        self.redraws = self.redraws or self.drawn
        where = self.where()
        self.guards.append((Where(where.file, where.line), told))
        text = f"{test}: raise Otherwise({len(self.guards) - 1})"
        self.add(GUARD, ["if ", before, noted.number, after, text])

    def draw(self, real: Any, generator: Any, pieces: list[Any]) -> Any:
        """Random numbers: a call of the generator, in each call of the program."""
        self.drawn = True
        return self.result(real, [self.constant(generator, "generator"), *pieces], DRAW)

    # --------------------------------------------------------------------- how things are written

    def constant(self, value: Any, name: str = "") -> Constant:
        """Something that the program has at hand. Of an array, a copy of how it is now."""
        found = self.constants.get(id(value))
        array = isinstance(value, np.ndarray)
        if found is not None and not (array and not same(value, found[1].value)):
            return found[1]
        constant = Constant(value.copy("K") if array else value, name)
        self.constants[id(value)] = value, constant
        if array:
            self.frozen.add(self.owner(value))
        return constant

    def newborn(self, array: Any) -> Noted:
        """A tensor was made of an array that nothing noted has made, as by ``torch.zeros(3)``."""
        if isinstance(array, np.generic):
            return self.result(array, self.spelled(array))
        constant = Constant(array.copy("K"))
        noted = self.value(array)
        if constant.value.strides != array.strides:
            self.frozen.add(self.owner(array))
        self.add(COPY, [constant], (noted.number,))
        return noted

    def named(self, function: Any) -> list[Any]:
        """A function of NumPy by its name, any other as a constant."""
        path = f"{getattr(function, '__module__', None) or 'numpy'}.{function.__name__}"
        found: Any = np
        for name in path.split(".")[1:]:
            found = getattr(found, name, None)
        if found is function:
            return ["np" + path.removeprefix("numpy")]
        found = getattr(np, str(function.__name__), None)
        return [f"np.{function.__name__}"] if found is function else [self.constant(function, "f")]

    def whole(self, index: Any) -> Any:
        """An index whose slices have plain numbers: what they choose decides a shape."""
        if isinstance(index, tuple):
            return tuple(map(self.whole, index))
        if isinstance(index, slice) and Noted in map(type, (index.start, index.stop, index.step)):
            bounds = (index.start, index.stop, index.step)
            return slice(*(int(part) if type(part) is Noted else part for part in bounds))
        return index

    def listed(self, args: Iterable[Any], options: dict[str, Any]) -> list[Any]:
        """Arguments, with commas between them."""
        found = [self.spelled(argument) for argument in args]
        found += [[f"{name}=", *self.spelled(value)] for name, value in options.items()]
        return joined(found)

    def spelled_index(self, index: Any) -> list[Any]:
        if isinstance(index, tuple) and index:
            parts = joined([self.spelled_index(part) for part in index])
            return [*parts, ","] if len(index) == 1 else parts
        if not isinstance(index, slice):
            return self.spelled(index)
        bounds = ["" if part is None else str(part) for part in (index.start, index.stop)]
        step = "" if index.step is None else f":{index.step}"
        return [":".join(bounds) + step]

    def spelled(self, thing: Any) -> list[Any]:
        """An argument as a program writes it."""
        if type(thing) is Noted:
            if thing.notes is not self:
                self.refuse("a value of an earlier call is used again")
            return [thing.number]
        if isinstance(thing, np.generic):
            return [f"np.{type(thing).__name__}({thing.item()!r})"]
        if thing is None or thing is ... or isinstance(thing, (bool, int, float, str)):
            text = "..." if thing is ... else repr(thing)
            return [f"({text})" if text.startswith("-") else text]
        if isinstance(thing, (tuple, list)):
            start, end = ("(", ")") if isinstance(thing, tuple) else ("[", "]")
            inner = joined([self.spelled(part) for part in thing])
            return [start, *inner, "," if len(thing) == 1 and start == "(" else "", end]
        if isinstance(thing, slice):
            return ["slice(", *self.listed((thing.start, thing.stop, thing.step), {}), ")"]
        if isinstance(thing, np.dtype) and thing.isbuiltin == 1:
            return [f"np.{thing.type.__name__}"]
        if isinstance(thing, type) and issubclass(thing, np.generic):
            return [f"np.{thing.__name__}"]
        return [self.constant(thing)]


FIX = "leave it out of the compiled function: return the tensor, and look at it there"


def root(array: Any) -> Any:
    """The array whose memory an array shows."""
    while isinstance(array, np.ndarray) and isinstance(array.base, np.ndarray):
        array = array.base
    return array


def bare(thing: Any) -> Any:
    """The real values, of a stand-in or of all that are in a structure."""
    if type(thing) is Noted:
        return thing.value
    if isinstance(thing, dict):
        return {key: bare(part) for key, part in thing.items()}
    if isinstance(thing, (tuple, list)) and type(thing) in (tuple, list):
        return type(thing)(map(bare, thing))
    if type(thing) is slice:
        return slice(bare(thing.start), bare(thing.stop), bare(thing.step))
    return thing


def joined(parts: list[list[Any]]) -> list[Any]:
    """Pieces of text with commas between them."""
    found: list[Any] = []
    for part in parts:
        found += [", ", *part] if found else part
    return found


def same(array: Any, other: Any) -> bool:
    """Are two arrays the same, to the bit?"""
    return array.shape == other.shape and array.tobytes() == other.tobytes()
