"""What a node of PyTorch's does: its operation, and that operation's counterpart in minigrad."""

from __future__ import annotations

import functools
import re
from dataclasses import replace
from typing import Any

from minigrad.engine.node import Kind
from minigrad.engine.record import DECLARED, kind_of
from minigrad.ops.linear import times
from minigrad.tape.formulas import INFIX

GENERATED = re.compile(r"(\w+?)Backward\d+$")
"""The names of nodes that PyTorch derives from the names of its functions."""

RENAMED = {
    "self": "input",
    "result": "out",
    "self_sizes": "input_shape",
    "self_sym_sizes": "input_shape",
}
"""What PyTorch saves, by the name that it has in minigrad."""

SECOND = ("exponent", "mat2", "vec", "tensor", "vec2")
"""Names of second operands, each of which is called "other" in minigrad."""

ONLY = {"PowBackward2": ("other",)}
"""Nodes whose edges are not those of their operation's first arguments."""

ANOTHER = ("NativeBatchNormBackward0", "NativeGroupNormBackward0")
"""Nodes that standardize and scale, where minigrad's of these names only scale."""

WITH_NUMBER = {f"{op}Backward1": f"{op}Backward0" for op in ("Add", "Sub", "Mul")}
"""Nodes of an operation with a Python number, which minigrad records as with a tensor."""

REDUCTIONS = ("none", "mean", "sum")

FAR = 2**63  # PyTorch shows a negative dimension as a number beyond


def rules(**given: Any) -> Any:
    """Declare the derivative rules of a node that minigrad does not have as such."""

    def declare(forward: Any) -> Kind:
        return kind_of(forward, given, "", 0, "")

    return declare


@rules(
    input=lambda g: g,
    mat1=lambda g, mat2: times(g, mat2.mT),
    mat2=lambda g, mat1: times(mat1.mT, g),
)
def addmm(input: Any, mat1: Any, mat2: Any) -> Any:
    """In minigrad, one node with the transposition of its weight."""


@functools.cache
def kind_of_node(name: str, plain: bool = True) -> Kind:
    """The kind of the nodes with this name; minigrad's own, where that has such nodes.

    ``plain``: is it what its name says? ``add`` may multiply its second operand first.
    """
    if not plain:
        return replace(unknown(name), op=name)
    if name in ANOTHER:
        return unknown(name)
    if name == addmm.name:
        return addmm
    if name in WITH_NUMBER:
        return replace(kind_of_node(WITH_NUMBER[name]), name=name)
    kinds = [one.kind for one in DECLARED.values() if one.kind.name == name]
    # What minigrad records as one node for several of PyTorch's is no counterpart of any.
    kinds = [
        kind for kind in kinds if not kind.fused and "alpha" not in kind.needs.get("other", ())
    ]
    return kinds[0] if kinds else unknown(name)


def unknown(name: str) -> Kind:
    """A kind of which nothing is known but the name that PyTorch gives its nodes."""
    name = name.rpartition("::")[2]
    generated = GENERATED.match(name)
    op = name if generated is None else snake(generated[1])
    if op in INFIX:  # minigrad's own of this name are something else
        op = name
    return Kind(name, op, rule_text=f"by PyTorch's own rule: {name}")


def custom(name: str) -> Kind:
    """A ``torch.autograd.Function``, by the name of its class."""
    return replace(unknown(name), op=name.removesuffix("Backward"), rule_text="backward(ctx, g)")


def snake(name: str) -> str:
    """A function's name from that of its nodes: ``AsStrided`` is made by ``as_strided``."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


def argument_of(kind: Kind, index: int, count: int) -> tuple[str, int]:
    """Which argument an edge belongs to, of so many, and that argument's position."""
    names = ONLY.get(kind.name, tuple(kind.needs))
    if index < len(names) and count <= len(names):
        return names[index], kind.arguments.index(names[index])
    return next(iter(kind.arguments), "input"), index


def named_as_in(kind: Kind, saved: dict[str, Any]) -> dict[str, Any]:
    """What a node has saved, by the names that it has in minigrad's rules."""
    named = {}
    for name, value in saved.items():
        name = RENAMED.get(name, name)
        if name in SECOND and name not in kind.arguments and "other" in kind.arguments:
            name = "other"
        if name == "reduction" and value in (0, 1, 2):
            value = REDUCTIONS[value]
        named[name] = value
    return named


def signed(value: Any) -> Any:
    """An option as the program wrote it."""
    if isinstance(value, tuple):
        return tuple(map(signed, value))
    if isinstance(value, int) and value >= FAR:
        return value - 2 * FAR
    return value
