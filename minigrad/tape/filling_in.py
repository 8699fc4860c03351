"""Graphs that nobody watched, filled in: with what variables and saved values tell of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ..engine.node import Node, Packed, TensorBase, edge_to, reachable
from ..errors import no_gradient_error
from .facts import CONSTANT, Fact, literal
from .names import names_in
from .recorder import Tape
from .values import Captured, capture


def fill_in(tape: Tape, nodes: list[Node], loss: Any, namespace: Mapping[str, Any]) -> None:
    """Values and names of unwatched nodes, as far as variables and saved values tell."""
    holders = [("", loss), *names_in(namespace)]
    for node in nodes:
        saved = node.saved or ()
        holders += [("", value) for value in saved if isinstance(value, TensorBase)]
        if node.kind.output_slot >= 0 and saved:
            note(tape, f"n{node.seq}", saved[node.kind.output_slot])
    for name, value in holders:
        fact = note(tape, tape.known(value) or "", value._array)
        if fact is not None and name and fact.place is None:
            fact.aliases = tuple(dict.fromkeys((*fact.aliases, name)))
    for fact in [tape.facts.get(f"n{node.seq}") for node in nodes]:
        if fact is not None and CONSTANT in fact.operands and fact.op in ("add", "sub", "rsub"):
            constant = literal(lost_constant(tape, fact))
            fact.operands = tuple(constant if o == CONSTANT else o for o in fact.operands)


def behind(shared: Tape, tensor: Any, namespace: Mapping[str, Any]) -> list[str]:
    """The keys of what led to a tensor, inputs first; what nobody watched is made out.

    Raises RuntimeError (MG109) if the tensor has no history.
    """
    target = edge_to(tensor)
    if target is None:
        raise no_gradient_error(tensor)
    nodes = reachable([target])[::-1]
    for node in nodes:
        shared.look_back(node)
    keys = [f"n{node.seq}" for node in nodes] or [shared.key_of(target)]
    fill_in(shared, nodes, tensor, namespace)
    for key in keys:
        shared._changed(key)
    return keys


def lost_constant(tape: Tape, fact: Fact) -> Any:
    """The number that was added or subtracted, if the values before and after tell it.

    Each entry tells it up to the rounding of its result: the number lies between the largest of
    the lower bounds and the smallest of the upper ones. Told is one of which four digits are sure.
    """
    place = fact.operands.index(CONSTANT)
    known = tape.facts.get(fact.operands[1 - place])
    before = None if known is None else whole(known.value)
    after = whole(fact.value)
    if before is None or after is None or not np.size(after) or np.shape(before) != np.shape(after):
        return CONSTANT
    with np.errstate(all="ignore"):
        number = np.asarray(after, float) + before
        if fact.op == "add":
            number = np.asarray(after, float) - before
        elif fact.op == "sub" and place == 1:
            number = np.asarray(before, float) - after
        rounding = np.spacing(np.abs(after)) + np.spacing(np.abs(number))
        low = float(np.max(number - rounding))
        high = float(np.min(number + rounding))
    middle = (low + high) / 2
    sure = low <= high and high - low <= 1e-4 * abs(middle)
    return middle if sure else CONSTANT


def note(tape: Tape, key: str, array: Any) -> Fact | None:
    fact = tape.facts.get(key)
    if fact is not None and fact.value.corner is None and array is not None:
        if isinstance(array, Packed):
            return fact
        fact.value = capture(array)
    return fact


def whole(value: Captured) -> Any:
    """A captured value if all of it was captured."""
    corner = value.corner
    if corner is None or corner.shape != value.shape:
        return None
    return corner
