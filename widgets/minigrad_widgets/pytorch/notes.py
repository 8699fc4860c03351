"""What is known of the graph behind one of PyTorch's tensors, as the views read it.

That is what its nodes tell themselves (their names and edges, the shapes of their results, what
they have saved), and what variables hold. All else is left open.
"""

from __future__ import annotations

import weakref
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from minigrad.tape import Tape
from minigrad.tape.facts import CONSTANT, Fact, literal
from minigrad.tape.filling_in import lost_constant
from minigrad.tape.names import names_in
from minigrad.tape.values import CORNER, Captured, text_of, times

from .arrays import Dtype, captured, is_tensor, torch_if_there
from .graph import Graph, Output, result_of
from .kinds import named_as_in
from .lines import Lines


class TorchTape(Tape):
    """The facts of the graph behind one tensor. It keeps neither of them alive.

    ``namespace`` has the variables that name the tensors, and modules whose parameters are named;
    ``lines``, where nodes were made, if that was watched.
    """

    def __init__(
        self, graph: Graph, namespace: Mapping[str, Any], lines: Lines | None = None
    ) -> None:
        super().__init__()
        self.root = graph.root
        self.watched = [
            graph.keys[one] for one in graph.nodes if lines and one._sequence_nr() in lines
        ]
        self._tensor = weakref.ref(graph.tensor)
        self._kept: dict[str, list[tuple[str, str, Captured, int]]] = {}
        self._used = graph.used
        self._inner: set[str] = set()  # nodes that are not what their line has worked out
        self._results: dict[tuple[str, int], Captured] = {}  # of nodes that have several
        self._names: dict[tuple[str, int], str] = {}  # of these results
        held = list(names_in(namespace, torch_if_there().Tensor))
        self._note_nodes(graph, {id(value) for _, value in held})
        if lines:
            self._note_lines(graph, lines)
        for value in graph.variables:
            self._note_leaf(value, graph.known_leaf(value))
        for value in [*graph.tensors, *self._values_saved(graph), *(value for _, value in held)]:
            self._fill_in(value, *graph.key(value))
        for name, value in held:
            self._name(name, *graph.key(value))
        self._find_constants()

    def _note_nodes(self, graph: Graph, held: set[int]) -> None:
        for node in graph.nodes:
            key = graph.keys[node]
            kind = graph.kinds[node]
            results = {number: result_of(node, number) for number in self._used[key]}
            if len(results) > 1:
                self._results.update(((key, number), one) for number, one in results.items())
            value = next(iter(results.values()))
            operands = graph.operands(node, held)
            self.facts[key] = Fact(key, kind, kind.op, operands, value, watched=False)
            if graph.saved[node].freed:
                self.facts.states[key] = "spent"

    def _note_lines(self, graph: Graph, lines: Lines) -> None:
        for node in graph.nodes:
            line = lines.get(node._sequence_nr())
            if line is not None:
                fact = self.facts[graph.keys[node]]
                fact.place = line.place
                fact.inside = line.inside
                fact.calls = line.calls
                if node._sequence_nr() in lines.inner:
                    self._inner.add(fact.key)
                if line.value is not None and not self.is_one_of_several(fact.key):
                    fact.value = line.value

    def _note_leaf(self, tensor: Any, key: str) -> None:
        kind = "leaf" if tensor.requires_grad else "data"
        fact = self.facts[key] = Fact(key, kind, "", (), captured(tensor))
        fact.ref = weakref.ref(tensor)
        fact.version = version_of(tensor)

    def _values_saved(self, graph: Graph) -> Iterator[Any]:
        """The values that nodes have saved; it is noted which node has saved what."""
        for node in graph.nodes:
            kept = self._kept[graph.keys[node]] = []
            for name, value in named_as_in(graph.kinds[node], graph.saved[node]).items():
                if is_tensor(value):
                    size = value.numel() * value.element_size()
                    kept.append((name, graph.key(value)[0], captured(value), size))
                    yield value

    def _fill_in(self, tensor: Any, key: str, number: int) -> None:
        """The value of a node's result is what a tensor holds."""
        fact = self.facts.get(key)
        if fact is not None and fact.op and self._used[key] == [number]:
            fact.value = captured(tensor)

    def _name(self, name: str, key: str, number: int) -> None:
        if key not in self.facts:
            return
        if (key, number) in self._results:
            self._names.setdefault((key, number), name)
        elif not key.startswith("n") or self._used[key] == [number]:
            fact = self.facts[key]
            fact.aliases = tuple(dict.fromkeys((*fact.aliases, name)))

    def _find_constants(self) -> None:
        for key in self.facts:
            fact = self.facts[key]
            if CONSTANT in fact.operands and fact.op in ("add", "sub", "rsub"):
                told = literal(lost_constant(self, fact))
                fact.operands = tuple(told if one == CONSTANT else one for one in fact.operands)

    # ------------------------------------------------------------------ being read

    def in_order(self) -> list[str]:
        """The keys of the nodes, inputs first; that of a leaf alone, if it is all there is."""
        return [key for key in self.facts if key.startswith("n")] or [self.root]

    def is_inner(self, fact: Fact) -> bool:
        """Is it an inner step of a composite operation, whose last node gets the name?"""
        return fact.key in self._inner

    def is_one_of_several(self, key: str) -> bool:
        """Have several results of this node led to the tensor?"""
        return len(self._used.get(key, ())) > 1

    def several(self, key: str, what: str = "results") -> dict[str, Any]:
        """The results of such a node in words (``Value`` in ``tape.ts``)."""
        results = [self._results[key, number] for number in self._used[key]]
        texts = list(dict.fromkeys(f"{one.dtype} {times(one.shape)}".strip() for one in results))
        told = f"{len(results)} {what}, each {texts[0]}"
        if len(texts) > 1:
            told = f"{len(results)} {what}: {', '.join(texts)}"
        return {"shape": [], "dtype": str(results[0].dtype), "text": told, "data": [], "shown": [0]}

    def text(self, operand: str, depth: int = 3) -> str:
        """An operand in a formula; of several results, which one."""
        if isinstance(operand, Output) and self.is_one_of_several(operand):
            name = self._names.get((str(operand), operand.number))
            return name or f"{super().text(str(operand), depth)}[{operand.number}]"
        return super().text(operand, depth)

    def describe(self, key: str, most: int = CORNER) -> dict[str, Any]:
        """One node, as the page gets it."""
        described = super().describe(key, most)
        if self.is_one_of_several(key):
            described["value"] = self.several(key)
        return described

    def saved(self, fact: Fact) -> list[dict[str, Any]]:
        """What PyTorch's node keeps, and which rules name it, where they are known."""
        why = {one["arg"]: one["why"] for one in super().saved(fact)}
        return [
            {
                "arg": name,
                "text": self.text(key) if key else text_of(value),
                "bytes": size,
                "why": why.get(name, []),
            }
            for name, key, value, size in self._kept[fact.key]
        ]

    def bytes(self, operand: str) -> int:
        """The size of a value."""
        if not self._is_node(operand):
            return 0
        value = self.facts[operand].value
        itemsize = value.dtype.itemsize if isinstance(value.dtype, Dtype | np.dtype) else 0
        return int(np.prod(value.shape, dtype=int)) * itemsize

    def grad(self, fact: Fact) -> Captured | None:
        """The ``.grad`` of a leaf."""
        tensor = None if fact.ref is None else fact.ref()
        if tensor is None or tensor.grad is None:
            return None
        return captured(tensor.grad)

    def look_for_names(self) -> None:
        """Note which leaves were written to since, and whether the graph was freed."""
        passed = False
        for key in self.facts:
            fact = self.facts[key]
            tensor = None if fact.ref is None else fact.ref()
            if tensor is not None and fact.version != version_of(tensor):
                passed = passed or fact.version[1] != version_of(tensor)[1]
                fact.value = captured(tensor)
                fact.version = version_of(tensor)
        tensor = self._tensor()
        if passed and tensor is not None and tensor.requires_grad:
            graph = Graph(tensor)
            for node, key in graph.keys.items():
                if graph.saved[node].freed and key in self.facts:
                    self.facts.states[key] = "spent"

    def stamp(self, key: str) -> Any:
        """What differs when a fact has changed."""
        fact = self.facts.get(key)
        tensor = None if fact is None or fact.ref is None else fact.ref()
        return self.facts.state(key), None if tensor is None else version_of(tensor)


def version_of(tensor: Any) -> tuple[int, Any]:
    """What tells whether a leaf or its gradient has changed: the counts of their writes."""
    grad = tensor.grad
    return tensor._version, None if grad is None else (id(grad), grad._version)
