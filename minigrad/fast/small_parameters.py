"""Small parameters that an optimiser moves in one go, as if they were one.

What it buys (``python tests/benchmarks/fast.py --only together``): without it, the step of a small
classifier with Adam would take 1.13 times as long, Adam's step for 20 matrices 1.6 times.

The plain twin is the loop over the parameters in ``Optimizer.step``. A call of NumPy takes half a
microsecond however few the entries, and a step of Adam makes a dozen of them. So what belongs to
small parameters is laid side by side, and moved by the same rule.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import accumulate, pairwise
from operator import is_
from typing import Any

import numpy as np

from ..engine.node import TensorBase, new_tensor
from ..engine.views import memory_to_write, meta_of, storage_of
from ..ops.annotations import Array

States = Any  # what an optimiser remembers: a dictionary for each parameter

SMALL = 4096
"""Up to how many entries it costs less to copy a parameter than to move it by itself."""


class Together:
    """Parameters that move as one.

    ``state`` is what the optimiser remembers of them: tensors with the entries of all. The tensors
    that it remembers of each parameter, which programs read, write, save or replace as ever, show
    parts of the same memory. ``w`` and ``g`` have the entries of all parameters and gradients; they
    are filled in each step.

    Made at the end of the step that has made the states; and made anew where a program has replaced
    something, from when on earlier views of a state show old memory.
    """

    def __init__(self, params: list[Any], group: list[Any], states: States) -> None:
        self.params = params
        self.ids = frozenset(map(id, params))
        self.w, self.parts_of_w = side_by_side([param._array for param in params])
        self.g, self.parts_of_g = side_by_side([param._array for param in params])
        names = states[params[0]]
        self.state = {name: joined([states[param][name] for param in params]) for name in names}
        self.made_of = objects_of(group, states)

    def intact(self, group: list[Any], states: States) -> bool:
        """Is the group still made of the same objects as when these were put together?"""
        now = objects_of(group, states)
        return len(now) == len(self.made_of) and all(map(is_, now, self.made_of))

    def move(self, rule: Callable[..., None]) -> frozenset[int]:
        """Apply the rule, which gets a state, and the memory of a parameter and its gradient.

        Returns the ids of those that have moved: none unless all have a gradient, and have moved
        equally often.
        """
        steps = self.state["step"]._array.tolist()
        equally_often = steps.count(steps[0]) == len(steps)
        if not equally_often or any(param._grad is None for param in self.params):
            return frozenset()
        for param, w, g in zip(self.params, self.parts_of_w, self.parts_of_g):
            w[...] = param._array
            g[...] = param._grad._array
        rule(self.state, self.w, self.g)
        for param, w in zip(self.params, self.parts_of_w):
            memory_to_write(param)[...] = w
        return self.ids


def put_together(group: list[Any], states: States) -> Together | None:
    """Those of a group's parameters that can move as one; None if there are no two."""
    kinds = [kind_of(param, states.get(param, {})) for param in group]
    first = next((kind for kind in kinds if kind is not None), None)
    params = [param for param, kind in zip(group, kinds) if kind is not None and kind == first]
    if len(params) < 2 or share_memory(params):
        return None
    return Together(params, group, states)


def kind_of(param: Any, state: dict[str, Any]) -> Any:
    """What must be equal for parameters to move as one; None if this one moves by itself.

    That is the dtype, and the names and dtypes of what is remembered. By itself moves what is
    large, and what has a state that is not a count of steps and tensors of the parameter's shape.
    """
    array = param._array
    if array.size > SMALL or len(state) < 2 or "step" not in state:
        return None
    for name, kept in state.items():
        if not isinstance(kept, TensorBase):
            return None
        if name != "step" and kept._array.shape != array.shape:
            return None
    return array.dtype, [(name, kept._array.dtype) for name, kept in state.items()]


def share_memory(params: list[Any]) -> bool:
    """Do two of them? Then they must move one after the other."""
    bounds = sorted(np.lib.array_utils.byte_bounds(param._array) for param in params)
    return any(end > start for (_, end), (start, _) in pairwise(bounds))


def side_by_side(arrays: list[Array]) -> tuple[Array, list[Array]]:
    """One array with the entries of all, and each one's part of it."""
    whole = np.concatenate([array.reshape(-1) for array in arrays])
    ends = accumulate((array.size for array in arrays), initial=0)
    parts = zip(pairwise(ends), arrays)
    return whole, [whole[start:end].reshape(array.shape) for (start, end), array in parts]


def joined(tensors: list[Any]) -> Any:
    """One tensor with the entries of all; from now on they show its memory."""
    memory, parts = side_by_side([tensor._array for tensor in tensors])
    whole = new_tensor(memory)
    for tensor, part in zip(tensors, parts):
        tensor._array = part
        meta_of(tensor).storage = storage_of(whole)
    return whole


def objects_of(group: list[Any], states: States) -> list[Any]:
    """Parameters, their arrays, and those of what is remembered of them; None for a number."""
    remembered = [kept for param in group for kept in states.get(param, {}).values()]
    arrays = [kept._array if isinstance(kept, TensorBase) else None for kept in remembered]
    return [*group, *[param._array for param in group], *arrays]
