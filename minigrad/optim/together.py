"""Small parameters that an optimiser moves in one go, as if they were one.

A call of NumPy takes half a microsecond however few the entries, and a step of Adam makes a dozen
of them. So what belongs to small parameters is laid side by side, and moved by the same rule.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import accumulate, combinations, pairwise
from operator import is_
from typing import Any

import numpy as np

from .._tensor import Tensor
from ..graph import new_tensor
from ..views import overwrite, rare, storage_of

NOTHING: dict[str, Any] = {}
SMALL = 4096
"""Up to how many entries it costs less to copy a parameter than to move it by itself."""


class Together:
    """Parameters that move as one, and ``state``: what the optimiser remembers of all of them.

    Its memory is shown, part by part, by the tensors that the optimiser keeps for each parameter,
    which programs read, write, save or replace as ever. ``found`` is how everything lay then.
    """

    def __init__(self, params: list[Tensor], states: list[dict[str, Any]]) -> None:
        self.params, self.ids = params, set(map(id, params))
        self.found: list[Any] = []
        self.w, self.each_w = side_by_side([param._array for param in params])
        self.g, self.each_g = side_by_side([param._array for param in params])
        self.state = {name: joined([state[name] for state in states]) for name in states[0]}

    def lies_in(self, found: list[Any]) -> bool:
        """Are these arrays, one by one, those that were found when it was made?"""
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
            overwrite(param)[...] = w
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
        rare(tensor).storage = storage_of(whole)
    return whole


def memories(params: list[Tensor], state_of: Any) -> list[Any]:
    """The arrays that parameters and what is kept of them consist of; None for a bare number."""
    found = [param._array for param in params]
    for param in params:
        for kept in state_of.get(param, NOTHING).values():
            found.append(kept._array if isinstance(kept, Tensor) else None)
    return found


def kind(param: Tensor, state: dict[str, Any]) -> Any:
    """What parameters that move together have in common; None for one that moves alone."""
    if param._array.size > SMALL or "step" not in state:
        return None
    if not all(isinstance(kept, Tensor) for kept in state.values()):
        return None
    fit = all(kept.shape == param.shape for name, kept in state.items() if name != "step")
    return (param.dtype, [(name, kept.dtype) for name, kept in state.items()]) if fit else None


def together(before: Together | None, params: list[Tensor], state_of: Any) -> Together | None:
    """Those of the parameters that can move as one: ``before``, if all lies as it did then."""
    found = memories(params, state_of)
    if before is not None and before.lies_in(found):
        return before
    kinds = [kind(param, state_of.get(param, NOTHING)) for param in params]
    usual = next(filter(None, kinds), None)
    alike = [param for param, its in zip(params, kinds) if its == usual is not None]
    pairs = combinations([param._array for param in alike], 2)
    if len(alike) < 2 or any(np.may_share_memory(*pair) for pair in pairs):
        return None
    now = Together(alike, [state_of[param] for param in alike])
    now.found = memories(params, state_of)
    return now
