"""What a node tells of itself that was made while nobody watched."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from ..engine.node import Node, Packed, TensorBase
from . import formulas
from .facts import CONSTANT, WRITE, Fact, literal
from .values import Captured


def made_out(node: Node, key_of_leaf: Callable[[Any], str], value: Captured | None = None) -> Fact:
    """Its operation and its operands, as far as its edges and saved values tell them."""

    def operand(saved: Any) -> str:
        if isinstance(saved, TensorBase) and not isinstance(saved._node, Node):
            return key_of_leaf(saved)
        if saved is None or isinstance(saved, (TensorBase, Packed)):
            return literal("…")
        return literal(saved)

    given = dict(zip(node.kind.slots, node.saved or ()))
    arguments = node.kind.arguments or ("",) * len(node.edges)
    operands = [operand(given.get(argument)) for argument in arguments]
    operands += [literal("…")] * (len(node.edges) - len(operands))
    for edge, (_, position) in zip(node.edges, operand_positions(node.kind, len(node.edges))):
        if edge is not None:
            operands[position] = f"n{edge.seq}" if isinstance(edge, Node) else key_of_leaf(edge)
    if node.kind.op in (*formulas.INFIX, "rsub"):  # no rule needs its value, so it was not kept
        operands = [literal(CONSTANT) if one == "…" else one for one in operands]
    if value is None:
        value = Captured(None, node.shape, node.dtype)
    return Fact(f"n{node.seq}", node.kind, node.kind.op, tuple(operands), value, watched=False)


@functools.lru_cache(maxsize=500)
def operand_positions(kind: Any, count: int) -> tuple[tuple[str, int], ...]:
    """For each edge of a node, the argument it belongs to and that argument's position."""
    needs = list(kind.needs)
    arguments = kind.arguments
    if len(needs) == count:
        return tuple((name, arguments.index(name)) for name in needs)
    if kind.op == WRITE:
        return tuple((name, position) for position, name in enumerate(arguments[:count]))
    name = next(iter(arguments), "input")
    return tuple((name, position) for position in range(count))
