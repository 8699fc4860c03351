"""``traced(function)``: runs your function on plain data, and says what came of it.

The result, its gradient for each argument that has one, and how many operations its graph has: all
that as plain numbers, which the checks compare.
"""

from __future__ import annotations

from typing import Any

import numpy as np

import minigrad as torch


def operations_behind(tensor: Any) -> int:
    """How many operations the graph holds that leads to this tensor; 0 if there is none."""
    waiting = [getattr(tensor, "grad_fn", None)]
    seen = set()
    while waiting:
        operation = waiting.pop()
        if operation is None or operation in seen or hasattr(operation, "variable"):
            continue
        seen.add(operation)
        waiting += [behind for behind, _ in operation.next_functions]
    return len(seen)


def traced(function: Any) -> Any:
    """``run(leaves, others)`` calls ``function(*leaves, *others)``, with arrays as tensors."""
    if function is ...:
        return ...  # not written yet

    def run(leaves: Any, others: Any) -> Any:
        made = [torch.tensor(one, requires_grad=True) for one in leaves]
        rest = [torch.tensor(one) if isinstance(one, np.ndarray) else one for one in others]
        result = function(*made, *rest)
        if not isinstance(result, torch.Tensor):
            return {"kind": "nothing" if result is None else type(result).__name__}
        operations = operations_behind(result)
        if result.requires_grad:
            weights = np.linspace(0.5, 1.5, result.numel()).reshape(tuple(result.shape))
            result.backward(torch.tensor(weights, dtype=result.dtype))
        return {
            "kind": "tensor",
            "value": np.array(result.tolist(), dtype=float),
            "has history": bool(result.requires_grad),
            "gradients": [
                None if one.grad is None else np.array(one.grad.tolist()) for one in made
            ],
            "operations": operations,
        }

    return run
