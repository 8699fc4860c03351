"""The graph as text, for terminals and homework, where there is no page to draw on."""

from __future__ import annotations

import sys
from typing import Any

from ..engine.node import edge_to, reachable
from ..errors import no_gradient_error
from .filling_in import fill_in
from .passes import PassRecord
from .recorder import Tape
from .values import summary, visible


def graph_text(shared: Tape, tensor: Any, namespace: dict[str, Any] | None = None) -> str:
    """The graph behind a tensor, one line for each node and leaf, newest first.

    A line has the equation, the value where it is known, and the name of the node. A leaf's line
    says ``leaf``: behind it is a node too, AccumulateGrad, which adds what arrives to ``.grad``.
    Variables of the caller (or of ``namespace``) name what nobody watched.

    Raises RuntimeError (MG109) if the tensor has no history.

    >>> import minigrad as torch
    >>> a = torch.tensor(2.0, requires_grad=True)
    >>> b = torch.tensor(6.0, requires_grad=True)
    >>> c = a + b
    >>> e = c * b
    >>> print(torch.tape.graph_text(torch.tape.tape, e, {"a": a, "b": b, "c": c, "e": e}))
    e = c * b   48   MulBackward0
    c = a + b    8   AddBackward0
    a            2   leaf
    b            6   leaf
    """
    target = edge_to(tensor)
    if target is None:
        raise no_gradient_error(tensor)
    if namespace is None:
        frame = sys._getframe(1)
        namespace = {**frame.f_globals, **frame.f_locals}
    shared.look_for_names()
    nodes = reachable([target])
    record = PassRecord(shared, (tensor,))
    record.take(nodes)
    fill_in(record.tape, nodes, tensor, namespace)
    rows = []
    for key in sorted(record.tape.facts, key=age, reverse=True):
        fact = record.tape.facts[key]
        kind = fact.kind.name if fact.op else fact.kind
        rows.append((visible(record.tape.equation(key)), summary(fact.value)["text"], kind))
    left, middle = (max(len(row[column]) for row in rows) for column in (0, 1))
    return "\n".join(f"{a:{left}}   {b:>{middle}}   {c}" for a, b, c in rows)


def age(key: str) -> tuple[bool, int]:
    """Operations after leaves, each in the order in which they were made."""
    return key.startswith("n"), int(key[1:])
