"""The nodes behind one of PyTorch's tensors, read from its ``grad_fn`` backwards."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from minigrad.engine.node import Kind
from minigrad.errors import no_gradient_error
from minigrad.tape import formulas
from minigrad.tape.facts import CONSTANT, literal
from minigrad.tape.values import Captured

from .arrays import NO_SHAPE, dtype_of, is_tensor, torch_if_there
from .kinds import argument_of, custom, kind_of_node, named_as_in, signed

TO_THE_END = 2**63 - 1
"""What PyTorch keeps as the end of a slice that has none."""

SECOND_TIME = "a second time"
"""What PyTorch says of values that a backward pass has freed."""


class Output(str):
    """The key of a node or a leaf; and, of a node that has several results, which of them."""

    number: int

    def __new__(cls, key: str, number: int) -> Output:
        made = super().__new__(cls, key)
        made.number = number
        return made


class Saved(dict[str, Any]):
    """What a node keeps for its backward pass, as far as it can be looked at."""

    freed = False


class Graph:
    """The nodes behind a tensor, oldest first, and their keys. It keeps them alive.

    ``others``: tensors that need not have come of it, with nodes of their own.

    Raises RuntimeError (MG109) if the tensor has no history.
    """

    def __init__(self, tensor: Any, others: Sequence[Any] = ()) -> None:
        if not tensor.requires_grad:
            raise no_gradient_error(tensor)
        self.tensor = tensor
        self.tensors = [tensor, *others]
        self.nodes = in_order(one.grad_fn for one in self.tensors)
        self.keys = {node: f"n{number}" for number, node in enumerate(self.nodes, 1)}
        self.saved = {node: saved_of(node) for node in self.nodes}
        self.kinds = {node: kind_of(node, self.saved[node]) for node in self.nodes}
        self.used = self._used_outputs()
        self.variables: list[Any] = []  # that no recorded operation made
        self._leaves: dict[int, str] = {}  # their keys, by their ids
        self.root, _ = self.key(tensor)

    def _used_outputs(self) -> dict[str, list[int]]:
        """Of each node, which of its results led to the tensor."""
        used: dict[str, set[int]] = {key: set() for key in self.keys.values()}
        edges = [edge for node in self.nodes for edge in node.next_functions]
        for node, number in [*edges, *((one.grad_fn, one.output_nr) for one in self.tensors)]:
            if node in self.keys:
                used[self.keys[node]].add(number)
        return {key: sorted(numbers) for key, numbers in used.items()}

    @property
    def freed(self) -> bool:
        """Has a backward pass freed what was saved?"""
        return any(saved.freed for saved in self.saved.values())

    def key(self, tensor: Any) -> tuple[str, int]:
        """The key of a tensor, and which result of its node it is; "" if it is not in the graph."""
        node = tensor.grad_fn
        if node is not None:
            return self.keys.get(node, ""), tensor.output_nr
        return self.key_of_leaf(tensor) if tensor is self.tensor else self.known_leaf(tensor), 0

    def known_leaf(self, tensor: Any) -> str:
        """The key of a tensor that no recorded operation made; "" if it is not in the graph."""
        return self._leaves.get(id(tensor), "")

    def key_of_leaf(self, tensor: Any) -> str:
        """The same; if it is not yet in the graph, from now on it is."""
        if id(tensor) not in self._leaves:
            self.variables.append(tensor)
            self._leaves[id(tensor)] = f"t{len(self.variables)}"
        return self._leaves[id(tensor)]

    def target(self, edge: tuple[Any, int]) -> Output | None:
        """Where an edge leads; None if nowhere."""
        node, number = edge
        if node is None:
            return None
        if node in self.keys:
            return Output(self.keys[node], number)
        return Output(self.key_of_leaf(node.variable), 0)

    def operands(self, node: Any, held: set[int]) -> tuple[Any, ...]:
        """What an operation was applied to, as far as its edges and saved values tell.

        ``held``: the ids of tensors that have a name.
        """
        kind = self.kinds[node]
        edges = node.next_functions
        saved = named_as_in(kind, self.saved[node])
        known: dict[int, Any] = {}
        for index, edge in enumerate(edges):
            target = self.target(edge)
            if target is not None:
                _, position = argument_of(kind, index, len(edges))
                known[position] = target
        if kind.needs:
            for position, name in enumerate(kind.arguments):
                if position not in known and saved.get(name) is not None:
                    known[position] = self._operand(saved[name], held)
        count = max(len(kind.needs) or len(edges), *(position + 1 for position in known), 0)
        operands = [known.get(position, literal("…")) for position in range(count)]
        if kind.op in ("select", "slice"):
            operands = [operands[0], *index_of(kind.op, self.saved[node])]
        if kind.op in (*formulas.INFIX, "rsub"):  # no rule needs its value, so it was not kept
            operands = [literal(CONSTANT) if one == "…" else one for one in operands]
        return tuple(operands)

    def _operand(self, value: Any, held: set[int]) -> Any:
        """What was saved, as an operand."""
        if not is_tensor(value):
            several = isinstance(value, tuple) and any(map(is_tensor, value))
            return literal("…" if several else signed(value))
        if value.grad_fn is not None:
            return literal("…")
        if value.dim() == 0 and id(value) not in held and not value.requires_grad:
            return literal(value.item())
        return self.key_of_leaf(value)


def index_of(op: str, saved: Saved) -> list[Any]:
    """The index that made a view, as far as it is known: what its node has saved, in brackets."""
    dim = signed(saved.get("dim", -1))
    if not isinstance(dim, int) or dim < 0:
        return []
    part = signed(saved.get("index"))
    if op == "slice":
        start, end = signed(saved.get("start")), signed(saved.get("end"))
        part = slice(start or None, None if end == TO_THE_END else end, signed(saved.get("step")))
    return [literal((*[slice(None)] * dim, part, ...))]


def in_order(roots: Iterable[Any]) -> list[Any]:
    """All nodes behind these, oldest first; those that only fill a ``.grad`` left out."""
    found = {root for root in roots if root is not None}
    nodes = list(found)
    for node in nodes:  # which grows meanwhile
        for below, _ in node.next_functions:
            if below is not None and below not in found and not hasattr(below, "variable"):
                found.add(below)
                nodes.append(below)
    return sorted(nodes, key=lambda node: node._sequence_nr())


_fields: dict[Any, list[str]] = {}


def fields_of(kind: type) -> list[str]:
    """The attributes of a class of nodes in which there is what was saved."""
    if kind not in _fields:
        _fields[kind] = [name for name in dir(kind) if name.startswith("_saved_")]
    return _fields[kind]


def saved_of(node: Any) -> Saved:
    """What a node has saved, by PyTorch's names."""
    saved = Saved()
    for field in [*fields_of(type(node)), *(["saved_tensors"] if is_custom(node) else [])]:
        try:
            value = getattr(node, field)
        except Exception as error:  # freed, overwritten, or a hook that cannot bring it back
            saved.freed = saved.freed or SECOND_TIME in str(error)
            continue
        if field == "saved_tensors":
            saved.update((f"saved_tensors[{i}]", one) for i, one in enumerate(value))
        else:
            saved[field.removeprefix("_saved_")] = value
    return saved


def is_custom(node: Any) -> bool:
    """Was it made by a ``torch.autograd.Function``?"""
    torch = torch_if_there()
    return isinstance(node, torch.autograd.function.BackwardCFunction)


def kind_of(node: Any, saved: Saved) -> Kind:
    """What this node does."""
    if is_custom(node):
        return custom(node.name())
    plain = all(saved.get(factor, 1) == 1 for factor in ("alpha", "beta"))
    return kind_of_node(node.name(), plain)


def results_of(node: Any) -> list[Captured]:
    """The shapes and dtypes of a node's results."""
    told = getattr(node, "_input_metadata", ())
    return [Captured(None, tuple(one.shape), dtype_of(one.dtype)) for one in told]


def result_of(node: Any, number: int) -> Captured:
    """The shape and dtype of one of a node's results."""
    results = results_of(node)
    return results[number] if number < len(results) else Captured(None, (), NO_SHAPE)
