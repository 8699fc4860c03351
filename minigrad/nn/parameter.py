"""Parameters: the tensors of a model that training changes."""

from __future__ import annotations

from typing import Any

from .._tensor import Tensor
from .._values import rebuilt
from ..errors import pasteable
from ..ops.creation import empty


class Parameter(Tensor):
    """A leaf tensor that a module, to which it is assigned, counts among its parameters.

    It shares its memory with ``data`` and requires a gradient unless told otherwise. What
    operations make of it are plain tensors. A program may set attributes on it, as on no other
    tensor: ``p.decay = False``; a deep copy leaves them behind, as PyTorch's does.
    Counterpart: ``torch.nn.Parameter``.

    >>> import minigrad as torch
    >>> torch.nn.Parameter(torch.tensor([1.0, 2.0]))
    Parameter containing:
    tensor([1., 2.], requires_grad=True)
    """

    __slots__ = ("__dict__",)  # what a program notes on it: p.decay = False

    def __new__(cls, data: Any = None, requires_grad: bool = True) -> Any:
        if not (data is None or hasattr(data, "detach")):
            text = f"'{type(data).__name__}' object has no attribute 'detach'\n"
            text += "  A parameter is made of a tensor.\n  fix: Parameter(minigrad.tensor(...))"
            raise AttributeError(pasteable(text))
        if data is None:
            data = empty(0)
        shown = data.detach()
        made = rebuilt(cls, shown._array, False)
        made._meta = shown._meta
        return made.requires_grad_(requires_grad)

    def __deepcopy__(self, memo: dict[Any, Any]) -> Any:
        if id(self) not in memo:  # PyTorch, too, leaves the gradient behind
            memo[id(self)] = type(self)(self.data.clone(), self.requires_grad)
        return memo[id(self)]

    def __reduce_ex__(self, protocol: Any) -> Any:
        return (*super().__reduce_ex__(protocol), self.__dict__ or None)

    def __repr__(self) -> str:
        return f"Parameter containing:\n{super().__repr__()}"
