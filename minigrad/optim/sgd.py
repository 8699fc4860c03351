"""Plain stochastic gradient descent."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from .._tensor import Tensor
from ..errors import not_a_leaf_error
from ..grad_mode import enable_grad
from ..tape.notice import before_step
from ..views import overwrite


class SGD:
    """Each step moves every parameter against its gradient: ``p -= lr * p.grad``.

    Parameters
    ----------
    params : iterable of tensors
        Leaves that require a gradient.
    lr : float
        The learning rate, not negative.

    Raises
    ------
    ValueError
        If there are no parameters, the learning rate is negative, or a parameter is a result
        (MG103): updating a result would leave the tensor it was made from as it is.

    Counterpart: ``torch.optim.SGD``, without momentum so far.

    >>> import minigrad as torch
    >>> w = torch.tensor(1.0, requires_grad=True)
    >>> optimiser = torch.optim.SGD([w], lr=0.1)
    >>> for _ in range(3):
    ...     optimiser.zero_grad()
    ...     loss = (w - 3) ** 2
    ...     loss.backward()
    ...     optimiser.step()
    >>> w
    tensor(1.9760, requires_grad=True)
    """

    def __init__(self, params: Iterable[Tensor], lr: float = 1e-3) -> None:
        if isinstance(params, Tensor):
            raise TypeError(
                "params argument given to the optimizer should be an iterable of Tensors or "
                "dicts, but got a Tensor: put it into a list"
            )
        self.params = list(params)
        if not self.params:
            raise ValueError("optimizer got an empty parameter list")
        if lr < 0:
            raise ValueError(f"Invalid learning rate: {lr}")
        for position, param in enumerate(self.params):
            if not isinstance(param, Tensor):
                raise TypeError(
                    f"optimizer can only optimize Tensors, but one of the params is {type(param)}"
                )
            if not param.is_leaf:
                raise not_a_leaf_error(position, param)
        self.lr = lr

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Forget all gradients, since ``backward()`` adds to what is there.

        With ``set_to_none=False`` they become zero. Counterpart:
        ``torch.optim.Optimizer.zero_grad``.

        >>> import minigrad as torch
        >>> w = torch.tensor(1.0, requires_grad=True)
        >>> w.backward()
        >>> torch.optim.SGD([w], lr=0.1).zero_grad()
        >>> w.grad is None
        True
        """
        for param in self.params:
            if set_to_none or param._grad is None:
                param._grad = None
            else:
                param._grad.zero_()

    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """Move each parameter that has a gradient; returns what ``closure`` returned.

        ``closure``, if given, is called first, and computes gradients.
        Counterpart: ``torch.optim.SGD.step``.

        >>> import minigrad as torch
        >>> w = torch.tensor(1.0, requires_grad=True)
        >>> (w * 3).backward()
        >>> torch.optim.SGD([w], lr=0.1).step()
        >>> w
        tensor(0.7000, requires_grad=True)
        """
        loss = None
        if closure is not None:
            with enable_grad():
                loss = closure()
        before_step(self.params)
        for param in self.params:
            if param._grad is not None:
                memory = overwrite(param)
                memory -= self.lr * param._grad._array
        return loss
