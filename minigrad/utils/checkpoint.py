"""Trading time for memory: compute intermediate values again instead of keeping them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .._tensor import Tensor
from ..grad_mode import enable_grad
from ..packing import saved_tensors_hooks


def checkpoint(
    function: Callable[..., Any], *args: Any, use_reentrant: bool | None = None, **kwargs: Any
) -> Any:
    """``function(*args)``, keeping its inputs instead of what its operations would save.

    The backward pass runs the function once more to get the saved values back. For a chain of n
    layers in k segments about k + n/k activations are alive at a time instead of n, for at most
    one more forward pass. The function must compute the same again: no random numbers, no
    changed inputs.

    ``use_reentrant`` is accepted as in PyTorch; minigrad always works as with ``False``.

    Raises RuntimeError in ``backward()`` if the second run saves a different number of values.
    Counterpart: ``torch.utils.checkpoint.checkpoint``.

    >>> import minigrad as torch
    >>> from minigrad.utils.checkpoint import checkpoint
    >>> x = torch.tensor(0.5, requires_grad=True)
    >>> y = checkpoint(lambda x: torch.tanh(torch.tanh(x)), x)
    >>> y.backward()
    >>> x.grad
    tensor(0.6398)
    """
    count = 0
    again: dict[int, Any] = {}

    def pack(tensor: Any) -> int:
        nonlocal count
        count += 1
        return count - 1

    def unpack(position: int) -> Any:
        if position not in again:
            compute_again()
        return again.pop(position)

    def compute_again() -> None:
        saved: list[Any] = []

        def keep(tensor: Any) -> int:
            saved.append(tensor.detach())
            return len(saved) - 1

        inputs = [
            arg.detach().requires_grad_(arg.requires_grad) if isinstance(arg, Tensor) else arg
            for arg in args
        ]
        with enable_grad(), saved_tensors_hooks(keep, saved.__getitem__):
            function(*inputs, **kwargs)
        if len(saved) != count:
            raise RuntimeError(
                f"checkpoint: the function saved {count} values the first time and {len(saved)} "
                "when it was run again, so the two runs differ. It must compute the same again."
            )
        again.update(enumerate(saved))

    with saved_tensors_hooks(pack, unpack):
        return function(*args, **kwargs)
