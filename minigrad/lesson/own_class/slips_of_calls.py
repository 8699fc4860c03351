"""Engines with one mistake each: about several passes, constants, arrays and shapes."""

from __future__ import annotations

from typing import Any

import numpy as np

from .model import RULES, Engine, Made
from .slips import Slip, with_rule

# ----------------------------------------------------------------------- several passes


class SetAnew(Engine):
    def at_leaf(self, before: Any, part: Any) -> Any:
        return part


class Stale(Engine):
    """What has arrived at a result stays there until the next pass, which sends it again."""

    def begin(self, root: Made) -> dict[Made, Any]:
        self.stale = getattr(self, "stale", {})
        start = dict(self.stale)
        start[root] = start[root] + self.seed(root) if root in start else self.seed(root)
        return start

    def end(self, arrived: dict[Made, Any]) -> None:
        self.stale.update({made: g for made, g in arrived.items() if made.op})
        for made, g in arrived.items():
            if not made.op:
                made.grad = g if made.grad is None else made.grad + g


class StaleShown(Stale):
    """The same, and it is kept in ``.grad``, where everybody can see it."""

    def end(self, arrived: dict[Made, Any]) -> None:
        super().end(arrived)
        for made, g in arrived.items():
            if made.op:
                made.grad = g


class KeepsGrads(Engine):
    """Every result shows what has arrived there."""

    def end(self, arrived: dict[Made, Any]) -> None:
        super().end(arrived)
        for made, g in arrived.items():
            if made.op:
                made.grad = g if self.shows(made) else None

    def shows(self, made: Made) -> bool:
        return True


class KeepsLastGrad(KeepsGrads):
    """Only the value at which the pass begins does."""

    def end(self, arrived: dict[Made, Any]) -> None:
        self.first = next(iter(arrived))
        super().end(arrived)

    def shows(self, made: Made) -> bool:
        return made is self.first


class AsksLastOnly(Engine):
    asks_all = False


class NeverFreed(Engine):
    frees = False


class ConstantsToo(Engine):
    constants_too = True


class AlwaysRecorded(Engine):
    """A result requires a gradient even if none of its operands does."""

    def record(self, verb: str, parts: list[Any]) -> Made:
        out = super().record(verb, parts)
        out.requires = True
        return out


class AllRecorded(AlwaysRecorded):
    constants_too = True


class FreedAnyway(Engine):
    def backward(self, root: Made, retain_graph: bool = False) -> None:
        super().backward(root)


CALLS = "several backward passes"
FREE = "what is kept after a backward pass"
FLAG = "values that require no gradient"
SHOWS = (
    "after a pass an intermediate result still has a .grad. Only leaves keep one: what arrives "
    "elsewhere belongs to the pass, and goes with it."
)
TO_CONSTANTS = "a value with requires_grad=False gets a grad. Nothing is recorded towards it."
SEVERAL = [
    Slip(
        CALLS,
        "a second backward() replaces the grad of a leaf. Passes accumulate: a leaf adds what "
        "each of them brings, until somebody sets its grad to None.",
        SetAnew,
    ),
    Slip(
        CALLS,
        "what the first pass left at intermediate results is sent once more by the second. Keep "
        "arrivals in a dict that each pass makes for itself.",
        Stale,
    ),
    Slip(
        CALLS,
        "what the first pass left at intermediate results is sent once more by the second. Keep "
        "arrivals in a dict that each pass makes for itself.",
        StaleShown,
    ),
    Slip(FREE, SHOWS, KeepsGrads),
    Slip(FREE, SHOWS, KeepsLastGrad),
    Slip(
        FREE,
        "a pass goes through a result that an earlier pass has freed, and computes too little. "
        "Only the value whose backward() is called is asked whether it was freed: ask each value "
        "that is visited, before any .grad is changed.",
        AsksLastOnly,
    ),
    Slip(
        FREE,
        "a second backward() on a graph without retain_graph=True goes through. The first one is "
        "to free the graph, and the second to raise a RuntimeError.",
        NeverFreed,
    ),
    Slip(FREE, "the graph is freed in spite of retain_graph=True.", FreedAnyway),
    Slip(FLAG, TO_CONSTANTS, ConstantsToo),
    Slip(FLAG, TO_CONSTANTS, AllRecorded),
    Slip(
        FLAG,
        "a result of constants alone says that it requires a gradient. It does if at least one "
        "operand does.",
        AlwaysRecorded,
    ),
]

# ------------------------------------------------------------------------------- arrays


class NotSummed(Engine):
    def fitted(self, part: Any, shape: tuple[int, ...]) -> Any:
        return part


class AddedAxesOnly(Engine):
    """Axes that broadcasting has put in front are summed; those of length 1 are not."""

    def fitted(self, part: Any, shape: tuple[int, ...]) -> Any:
        part = np.asarray(part)
        while part.ndim > len(shape):
            part = part.sum(axis=0)
        return part


class StretchedAxesOnly(Engine):
    def fitted(self, part: Any, shape: tuple[int, ...]) -> Any:
        part = np.asarray(part)
        if part.ndim == len(shape):
            return super().fitted(part, shape)
        return part


class Averaged(Engine):
    def fitted(self, part: Any, shape: tuple[int, ...]) -> Any:
        found = super().fitted(part, shape)
        return found / max(1, np.size(part) // max(1, found.size))


class AxesGone(Engine):
    """Summed, but an axis of length 1 disappears."""

    def fitted(self, part: Any, shape: tuple[int, ...]) -> Any:
        part = np.asarray(part)
        while part.ndim > len(shape):
            part = part.sum(axis=0)
        gone = tuple(axis for axis, n in enumerate(shape) if n == 1 and part.shape[axis] != 1)
        return part.sum(axis=gone) if gone else part


BROADCAST = "broadcasting"
SUMMED = "A gradient has the shape of its value: sum over what was broadcast."
BROADCASTS = [
    Slip(BROADCAST, f"a grad has the shape of the result, not of the operand. {SUMMED}", NotSummed),
    Slip(
        BROADCAST,
        f"an axis of length 1 that was stretched is not summed. {SUMMED}",
        AddedAxesOnly,
    ),
    Slip(
        BROADCAST,
        f"an axis that broadcasting has put in front is not summed. {SUMMED}",
        StretchedAxesOnly,
    ),
    Slip(
        BROADCAST,
        "where an operand was broadcast you take the mean. Each copy of it has an effect of its "
        "own, and effects add up.",
        Averaged,
    ),
    Slip(
        BROADCAST,
        "you sum over a stretched axis, but the axis itself is lost. keepdims=True keeps it.",
        AxesGone,
    ),
]


class SeedOne(Engine):
    def seed(self, root: Made) -> Any:
        return np.array(1.0)


class WholeNumbers(Engine):
    def look(self, verb: str, name: str) -> Any:
        return "whole numbers" if verb == "kind" else super().look(verb, name)


ARRAY = "the rules of array operations"
ARRAYS = [
    with_rule(
        ARRAY,
        "the rule of sum divides by how many numbers there were. That would be a mean.",
        "sum",
        lambda g, out, x, axis=None, keepdims=False: (
            RULES["sum"][0](g, out, x, axis, keepdims) * np.size(g) / np.size(x)
        ),
    ),
    with_rule(
        ARRAY,
        "the rule of exp leaves out that exp(x) is its own slope.",
        "exp",
        lambda g, out, x: g,
    ),
    with_rule(
        ARRAY,
        "the rule of log multiplies by x. Its slope is 1 / x.",
        "log",
        lambda g, out, x: g * x,
    ),
    with_rule(
        ARRAY,
        "relu lets every gradient through. Where the input is below 0 its slope is 0.",
        "relu",
        lambda g, out, x: g,
    ),
    with_rule(
        ARRAY,
        "relu lets the gradient through where its input is exactly 0. At 0 its slope is 0, too.",
        "relu",
        lambda g, out, x: g * (x >= 0),
    ),
    with_rule(
        ARRAY,
        "the rule of relu passes on its result instead of g where the input is above 0.",
        "relu",
        lambda g, out, x: out,
    ),
    with_rule(
        ARRAY,
        "in a quotient the denominator gets a gradient of the wrong sign. When y grows, x / y "
        "shrinks.",
        "div",
        RULES["div"][0],
        lambda g, out, x, y: g * x / y**2,
    ),
    with_rule(
        ARRAY,
        "in a quotient the denominator's slope is -x / y²: the square is missing.",
        "div",
        RULES["div"][0],
        lambda g, out, x, y: -g * x / y,
    ),
    Slip(
        "what a pass starts with",
        "the pass starts with a single 1. If the result is an array, each of its numbers moves "
        "once as much as itself: start with ones in its shape.",
        SeedOne,
    ),
    Slip(
        "what data holds",
        "an array of whole numbers stays one. Whole numbers have no small changes, and NumPy "
        "refuses some operations on them: make floats of whatever comes.",
        WholeNumbers,
    ),
]


class Shared(Engine):
    """``grad += part`` writes into an array that another value holds, too."""

    def join(self, before: Any, part: Any) -> Any:
        if np.ndim(before) and before.flags.writeable and before.shape == np.shape(part):
            before += part
            return before
        return before + part


class SharedAtLeaf(Engine):
    """The same between two passes: what a leaf has kept is written into."""

    def at_leaf(self, before: Any, part: Any) -> Any:
        if np.ndim(before) and before.flags.writeable:
            before += part
            return before
        return before + part


SHARING = "arrays that two values share"
SHARED = [
    Slip(
        SHARING,
        "grad += part writes into the array itself, and another value holds the same array: x + y "
        "hands one g to both. Write grad = grad + part, which makes a new one.",
        Shared,
    ),
    Slip(
        SHARING,
        "in a second pass a leaf's .grad += g writes into the array itself, and another leaf holds "
        "the same array: x + y has handed one g to both. Write x.grad = x.grad + g.",
        SharedAtLeaf,
    ),
]
