"""Small parameters that an optimiser moves in one go, as if they were one.

A call of NumPy takes half a microsecond however few the entries, and a step of Adam makes a dozen
of them. So what belongs to small parameters is laid side by side, and moved by the same rule.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import accumulate, pairwise
from operator import is_
from typing import Any

import numpy as np

from .._tensor import Tensor
from ..engine.node import new_tensor
from ..engine.views import memory_to_write, meta_of, storage_of

SMALL = 4096
"""Up to how many entries it costs less to copy a parameter than to move it by itself."""


class Together:
    """Parameters that move as one, and ``state``: what the optimiser remembers of all of them.

    Its memory is shown, part by part, by the tensors that the optimiser keeps for each parameter,
    which programs read, write, save or replace as ever. ``found`` is how everything lay then.
    They are put together at the end of the step that has made their states; and anew where a
    program has replaced something, from when on earlier views of a state show old memory.
    """

    def __init__(self, params: list[Tensor], group: list[Tensor], state_of: Any) -> None:
        self.params = params
        self.ids = set(map(id, params))
        states = [state_of[param] for param in params]
        self.w, self.each_w = side_by_side([param._array for param in params])
        self.g, self.each_g = side_by_side([param._array for param in params])
        self.state = {name: joined([state[name] for state in states]) for name in states[0]}
        self.found = found_of(group, state_of)

    def intact(self, params: list[Tensor], state_of: Any) -> bool:
        """Does everything still lie as it did when these were put together?"""
        found = found_of(params, state_of)
        return len(found) == len(self.found) and all(map(is_, found, self.found))

    def move(self, rule: Callable[..., None]) -> bool:
        """Apply the rule, which gets a state, and the memory of a parameter and its gradient.

        Returns False, and does nothing, unless all have a gradient, and have moved as often.
        """
        steps = self.state["step"]._array.tolist()
        if steps.count(steps[0]) < len(steps) or any(p._grad is None for p in self.params):
            return False
        for param, w, g in zip(self.params, self.each_w, self.each_g):
            w[...], g[...] = param._array, param._grad._array
        rule(self.state, self.w, self.g)
        for param, w in zip(self.params, self.each_w):
            memory_to_write(param)[...] = w
        return True


def side_by_side(arrays: list[Any]) -> tuple[Any, list[Any]]:
    """One array with the entries of all, and each one's part of it."""
    whole = np.concatenate([array.reshape(-1) for array in arrays])
    ends = accumulate((array.size for array in arrays), initial=0)
    parts = zip(pairwise(ends), arrays)
    return whole, [whole[start:end].reshape(array.shape) for (start, end), array in parts]


def joined(tensors: list[Tensor]) -> Any:
    """One tensor with the entries of all; from now on they show its memory."""
    memory, parts = side_by_side([tensor._array for tensor in tensors])
    whole = new_tensor(memory)
    for tensor, part in zip(tensors, parts):
        tensor._array = part
        meta_of(tensor).storage = storage_of(whole)
    return whole


def found_of(params: list[Tensor], state_of: Any) -> list[Any]:
    """Parameters, their arrays, and those of what is kept of them; None for a bare number."""
    states = [state_of.get(param, {}).values() for param in params]
    kept = [k._array if isinstance(k, Tensor) else None for state in states for k in state]
    return [*params, *[param._array for param in params], *kept]


def kind(param: Tensor, state: dict[str, Any]) -> Any:
    """What parameters that move together have in common; None for one that moves alone."""
    counted = isinstance(state.get("step"), Tensor)
    shapes = {getattr(kept, "shape", None) for name, kept in state.items() if name != "step"}
    if param._array.size > SMALL or not counted or shapes != {param.shape}:
        return None
    return param.dtype, [(name, kept.dtype) for name, kept in state.items()]


def together(params: list[Tensor], state_of: Any) -> Together | None:
    """Those of the parameters that can move as one."""
    kinds = [kind(param, state_of.get(param, {})) for param in params]
    usual = next(filter(None, kinds), None)
    alike = [param for param, its in zip(params, kinds) if its == usual is not None]
    ends = sorted(np.lib.array_utils.byte_bounds(param._array) for param in alike)
    if len(alike) < 2 or any(end > start for (_, end), (start, _) in pairwise(ends)):
        return None  # those that share memory move one after the other
    return Together(alike, params, state_of)
