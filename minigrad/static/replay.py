"""A program at work: what it is for, how it comes by its tensors, and what it returns."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..engine.node import LEAF, Node, TensorBase, new_tensor, next_number, reachable
from ..engine.views import storage_of
from ..ops.generator import Generator
from .doors import ARRAY, GRADIENT, plain_value
from .graph import ProgramTape
from .guards import PLAIN, Otherwise, facts_of, put_together, sharing, taken_apart
from .notes import CALL, GRAD, OUTSIDE, Notes, Source, root
from .printing import Names, statement, written
from .program import shortened
from .steps import steps_of
from .surroundings import Surroundings

STILL_A_GRAPH = "a result still has its graph"
BACKWARD = "call backward() in the compiled function, or return the result detach()ed"


class Check:
    """A tensor from outside: where it is found in a later call, and what it must be like there."""

    def __init__(self, source: Source, sources: list[Source]) -> None:
        parent = source.gradient_of
        self.name = source.name
        self.position = source.position
        self.parent = None if parent is None else sources.index(parent)
        self.held = source.tensor if self.position is None and parent is None else None
        self.facts = source.facts
        self.array = source.array  # the last for which the facts were found to be these
        self.node = source.node
        self.has_grad = source.before is not None
        self.grad_counts = source.grad_was_read
        self.writes = 0  # to its memory, for which it answers: not the views of it, too

    def find(self, arguments: list[Any], found: list[Any]) -> Any:
        """The tensor in this call."""
        if self.position is not None:
            return arguments[self.position]
        return self.held if self.parent is None else found[self.parent]._grad

    def refuses(self, tensor: Any) -> str:
        """Which guard says no; "" if none does."""
        if self.position is None:  # of arguments, it is known already
            if tensor is None:
                return f"whether {self.name} is there"
            array = tensor._array
            meta = tensor._meta
            special = meta is not None and (
                meta.hooks or meta.accumulate_hooks or meta.root is not None
            )
            if special or array is not self.array or tensor._node is not self.node:
                if facts_of(tensor, array) != self.facts:
                    return f"shape, dtype, layout, hooks or requires_grad of {self.name}"
                if self.parent is None:
                    self.array = array
        if self.grad_counts and (tensor._grad is not None) != self.has_grad:
            return f"whether {self.name}.grad is None"
        return ""


class Program:
    """One program of a compiled function."""

    source: str
    run: Callable[..., Any]

    def __init__(self, name: str, notes: Notes, around: Surroundings, result: Any) -> None:
        self.name = name
        self.around = around
        self.guards = notes.guards
        self.served = 0
        notes.drop_unused_sources()
        sources = list(notes.sources.values())
        leaves: list[Any] = []
        self.structure = taken_apart(result, leaves)
        results: list[int] = []
        self.outputs = [self._output(notes, sources, leaf, results) for leaf in leaves]
        if notes.refused:
            return
        given = [n for line in notes.lines if line.kind == GRAD for n in line.reads()]
        short = shortened(notes, results, [*results, *given])
        names = Names(notes, around.names())
        places = {}
        for tensor, noted in notes.known.values():
            if isinstance(tensor._node, Node) and noted.number in notes.made_at:
                places[id(tensor._node)] = notes.made_at[noted.number]
        statements = [statement(line, names) for line in short.lines]
        self.source = written(name, notes, short, statements, names, places)
        self.lines = len(short.lines)
        self.steps = steps_of(notes, short, statements, names)
        self.results = [names.of(number) for number in short.results]
        self.constants = dict(names.constants.values())
        space: dict[str, Any] = {
            "np": np,
            "tensor": new_tensor,
            "Otherwise": Otherwise,
            "inf": np.inf,
        }
        space.update(nan=np.nan, **self.constants)
        made: dict[str, Any] = {}
        exec(compile(self.source, f"<compiled {name}>", "exec"), space, made)
        self.run = made[name]
        self.space = space
        drawn = [value for value in self.constants.values() if isinstance(value, Generator)]
        self.redrawn = drawn if notes.redraws else []  # to be set back where a guard says no
        self.checks = [Check(source, sources) for source in sources]
        storages = {}
        for source, check in zip(sources, self.checks):
            meta = source.tensor._meta
            if meta is not None and meta.storage is not None:
                if id(meta.storage) not in storages:
                    check.writes = meta.storage.version - source.version
                storages[id(meta.storage)] = meta.storage
        lasting = [
            number
            for number, line in enumerate(short.lines)
            if line.kind in (CALL, GRAD) or OUTSIDE in line.writes
        ]
        self.first_change = 2 + lasting[0] if lasting else 10**9  # the line, at the least
        undone = {id(array) for array in notes.undone}
        self.undone = [n for n, source in enumerate(sources) if id(root(source.array)) in undone]
        self.writes_outside = any(OUTSIDE in line.writes for line in short.lines)
        self.shared = sharing([source.array for source in sources]) if self.writes_outside else []

    def _output(self, notes: Notes, sources: list[Source], leaf: Any, results: list[int]) -> Any:
        """How to come by something that is returned: a function of the tensors and results."""
        if not isinstance(leaf, TensorBase):
            if type(leaf) not in PLAIN:
                notes.refuse(f"a {type(leaf).__name__} is returned", "return tensors and numbers")
            return lambda tensors, found: leaf
        for position, source in enumerate(sources):
            if source.tensor is leaf and source.gradient_of is None:
                return lambda tensors, found: tensors[position]
        for position, source in enumerate(sources):
            if GRADIENT.__get__(source.tensor) is leaf:
                return lambda tensors, found: tensors[position]._grad
        number = plain_value(notes, leaf, "a result")
        if number is None:
            return None
        owner = notes.owners[number]
        if owner != -1 and owner in {notes.owners[other] for other in results}:
            notes.refuse("two results share memory", "clone() one of them")
        place = len(results)
        results.append(number)
        node = leaf._node
        if node is None:
            return lambda tensors, found: new_tensor(found[place])
        if node is LEAF or GRADIENT.__get__(leaf) is not None or not notes.used_up(node):
            notes.refuse(STILL_A_GRAPH, BACKWARD)
        kind = node.kind
        shape = node.shape
        dtype = node.dtype

        def with_a_used_graph(tensors: Any, found: Any) -> Any:
            used = Node(kind, (), shape, dtype)
            used.saved = None
            return new_tensor(found[place], used)

        return with_a_used_graph

    @property
    def graph(self) -> ProgramTape:
        """Its lines as a graph: see ``Compiled.graph``."""
        return ProgramTape(self.name, self.steps, self.results)

    def given(self, tensors: list[Any]) -> dict[str, Any]:
        """The arrays of these tensors, by the names that the program has for them."""
        named = zip(self.checks, tensors)
        read = {step.makes for step in self.steps}
        return {check.name: tensor._array for check, tensor in named if check.name in read}

    def tensors(self, arguments: list[Any]) -> tuple[list[Any], str]:
        """The tensors of this call; and which guard says no, if one does."""
        found: list[Any] = []
        for check in self.checks:
            tensor = check.find(arguments, found)
            why = check.refuses(tensor)
            if why:
                return found, why
            found.append(tensor)
        if len({*map(id, found)}) < len(found):
            return found, "which tensors are the same"
        if self.writes_outside and sharing([tensor._array for tensor in found]) != self.shared:
            return found, "which tensors share memory"
        changed = self.around.changed()
        return found, f"`{changed}`" if changed else ""

    def __call__(self, arguments: list[Any]) -> tuple[Any, str]:
        """The result; or which guard says no, and then nothing has changed."""
        tensors, why = self.tensors(arguments)
        if why:
            return None, why
        states = [generator.get_state() for generator in self.redrawn]
        before = [(tensors[place]._array, tensors[place]._array.copy()) for place in self.undone]
        try:
            with np.errstate(all="ignore"):
                found = self.run(*tensors)
        except Otherwise as guard:
            where, told = self.guards[guard.args[0]]
            why = f"line {where.line}: {told}"
        except Exception as error:
            after = error.__traceback__ and error.__traceback__.tb_next
            if after is not None and after.tb_lineno >= self.first_change:
                raise
            why = f"{type(error).__name__} in the program"
        if why:
            for array, numbers in before:
                array[...] = numbers
            for generator, state in zip(self.redrawn, states):
                generator.set_state(state)
            return None, why
        for tensor, check in zip(tensors, self.checks):
            if check.writes:
                storage = storage_of(tensor)
                storage.version += check.writes
                storage.written = next_number()
        self.served += 1
        return put_together(self.structure, (out(tensors, found) for out in self.outputs)), ""


def held_elsewhere(notes: Notes, result: Any) -> list[Any]:
    """The tensors of a call that should be gone when it ends."""
    leaves: list[Any] = []
    taken_apart(result, leaves)
    given = [leaf for leaf in leaves if isinstance(leaf, TensorBase)]
    given += [GRADIENT.__get__(source.tensor) for source in notes.sources.values()]
    given += [tensor._meta.root for tensor in given if tensor is not None and tensor._meta]
    for node in reachable([tensor._node for tensor in given if tensor is not None]):
        given += [value for value in node.saved or () if isinstance(value, TensorBase)]
    allowed = {*map(id, given), *notes.sources}
    return [tensor for tensor, _ in notes.known.values() if id(tensor) not in allowed]


__all__ = ["ARRAY", "Program", "held_elsewhere"]
