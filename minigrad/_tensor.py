"""``Tensor``: an array that remembers how it was made.

Here is what only a tensor has: a gradient, a history, hooks. What it holds is in ``_values``, the
operations that are its methods in ``_methods``, their second names in ``compat.other_names``.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

from . import dtypes
from ._methods import Methods
from ._values import Values, rebuilt
from .compat.arguments import ensure
from .compat.legacy import legacy
from .compat.other_names import OtherNames
from .engine import backward
from .engine.node import LEAF, Node, Watch, extra, named, new_tensor, registered, tell_of_cut
from .engine.record import results_are
from .engine.views import (
    detached,
    meta_of,
    output_number,
    own_array,
    retain,
    update_history,
    wants_gradient,
)
from .errors import flag_error, integer_error, warn_not_leaf
from .ops import (
    rearranging,
)

NO_HOOK = "cannot register a hook on a tensor that doesn't require gradient"


class Tensor(Values, Methods, OtherNames):
    """A multi-dimensional array with an optional history. Counterpart: ``torch.Tensor``.

    Made by ``minigrad.tensor``, ``zeros`` and the like, and by every operation. If any input of
    an operation requires a gradient, so does the result, and ``grad_fn`` is the node that
    remembers the operation. ``backward()`` then fills the ``.grad`` of the leaves.

    >>> import minigrad as torch
    >>> a = torch.tensor(2.0, requires_grad=True)
    >>> b = a * a + 1
    >>> b
    tensor(5., grad_fn=<AddBackward0>)
    >>> b.backward()
    >>> a.grad
    tensor(4.)
    """

    __slots__ = ()

    def __new__(cls, *data: Any) -> Any:
        made = legacy(dtypes.get_default_dtype(), *data)
        return made if cls is Tensor else rebuilt(cls, made._array, False)

    # ------------------------------------------------------------------ its history

    @property
    def requires_grad(self) -> bool:
        """Does it want a gradient: as a leaf that asked, or as the result of one that does?

        Counterpart: ``torch.Tensor.requires_grad``.

        >>> import minigrad as torch
        >>> x = torch.tensor(2.0, requires_grad=True)
        >>> (x * 3).requires_grad, (x > 1).requires_grad
        (True, False)
        """
        return wants_gradient(self)

    @requires_grad.setter
    def requires_grad(self, value: bool) -> None:
        if not self.is_leaf:
            raise flag_error()
        self.requires_grad_(value)

    def requires_grad_(self, requires_grad: bool = True) -> Tensor:
        """Ask for a gradient, or stop asking; returns the tensor.

        Raises RuntimeError for integers (MG108), and for a result, whose answer follows from
        its inputs. Counterpart: ``torch.Tensor.requires_grad_``.

        >>> import minigrad as torch
        >>> torch.zeros(2).requires_grad_()
        tensor([0., 0.], requires_grad=True)
        """
        update_history(self)
        if isinstance(self._node, Node):
            if not requires_grad:
                raise flag_error()
            return self
        if requires_grad and self._array.dtype.kind != "f":
            raise integer_error(self.dtype)
        self._node = LEAF if requires_grad else None
        if self._meta is not None:
            self._meta.leaf_in_name_only = False
        return self

    @property
    def grad_fn(self) -> Node | None:
        """The node of the operation that made it; None for a leaf.

        Counterpart: ``torch.Tensor.grad_fn``.

        >>> import minigrad as torch
        >>> x = torch.tensor(2.0, requires_grad=True)
        >>> (x * 3).grad_fn.name(), x.grad_fn
        ('MulBackward0', None)
        """
        update_history(self)
        return named(self._node) if isinstance(self._node, Node) else None

    @property
    def output_nr(self) -> int:
        """Which of the outputs of its ``grad_fn`` it is, from 0.

        Counterpart: ``torch.Tensor.output_nr``.

        >>> import minigrad as torch
        >>> first, second = torch.ones(2, requires_grad=True).unbind()
        >>> first.output_nr, second.output_nr
        (0, 1)
        """
        update_history(self)
        return output_number(self)

    @property
    def is_leaf(self) -> bool:
        """Was it made by the user, not by a recorded operation?

        Counterpart: ``torch.Tensor.is_leaf``.

        >>> import minigrad as torch
        >>> x = torch.tensor(2.0, requires_grad=True)
        >>> x.is_leaf, (x * 3).is_leaf, (x > 1).is_leaf
        (True, False, True)
        """
        update_history(self)
        return not isinstance(self._node, Node)

    @property
    def grad(self) -> Tensor | None:
        """The gradient collected by ``backward()``, or None.

        Kept at leaves, and at results that called ``retain_grad()``; elsewhere it is None and
        asking warns (MG102). May be set to None or to a tensor of the same shape and dtype.

        Counterpart: ``torch.Tensor.grad``.

        >>> import minigrad as torch
        >>> x = torch.tensor(2.0, requires_grad=True)
        >>> (x * 3).backward()
        >>> x.grad
        tensor(3.)
        """
        if self._grad is None and isinstance(self._node, Node) and not self.retains_grad:
            warn_not_leaf(self)
        found: Tensor | None = self._grad
        return found

    @grad.setter
    def grad(self, value: Tensor | None) -> None:
        if value is not None:
            text = "assigned grad expected to be a Tensor or None but got grad of type {}"
            ensure(isinstance(value, Tensor), text, type(value).__name__, error=TypeError)
            ensure(value is not self, "can't assign Variable as its own grad")
            text = "attempting to assign a gradient {} to a tensor {}"
            sizes = f"of size '{list(value.shape)}'", f"of size '{list(self.shape)}'"
            ensure(value.shape == self.shape, text, *sizes)
            kinds = f"with dtype '{value.dtype}'", f"with dtype '{self.dtype}'"
            ensure(value.dtype is self.dtype, text, *kinds)
        self._grad = value

    @grad.deleter
    def grad(self) -> None:
        self._grad = None

    @property
    def retains_grad(self) -> bool:
        """Is it a result that keeps its gradient (see ``retain_grad``)?

        Counterpart: ``torch.Tensor.retains_grad``.
        """
        node = self._node
        return isinstance(node, Node) and (
            node.extra is not None
            and node.extra.retained is not None
            and node.extra.retained() is self
        )

    def retain_grad(self) -> None:
        """Keep the gradient of this result in ``.grad``, as leaves do.

        Raises RuntimeError if it does not require a gradient. Call it before ``backward()``.
        Counterpart: ``torch.Tensor.retain_grad``.

        >>> import minigrad as torch
        >>> x = torch.tensor(2.0, requires_grad=True)
        >>> y = x * 3
        >>> y.retain_grad()
        >>> (y * y).backward()
        >>> y.grad
        tensor(12.)
        """
        retain(self)

    def backward(
        self,
        gradient: Tensor | None = None,
        retain_graph: bool | None = None,
        create_graph: bool = False,
        inputs: Any = None,
    ) -> None:
        """Add the gradient of this tensor to the ``.grad`` of the leaves behind it.

        See ``minigrad.autograd.backward``: this is it, for one tensor. The gradient to start
        from may be left out if the tensor holds one number.

        Counterpart: ``torch.Tensor.backward``.

        >>> import minigrad as torch
        >>> x = torch.tensor([1.0, 2.0], requires_grad=True)
        >>> (x * x).sum().backward()
        >>> x.grad
        tensor([2., 4.])
        """
        backward.backward(self, gradient, retain_graph, create_graph, inputs)

    def register_hook(self, hook: Callable[[Any], Any]) -> Any:
        """Call ``hook(gradient)`` whenever this tensor's gradient is computed.

        A tensor that the hook returns replaces the gradient. Hooks run in the order in which
        they were registered. Returns a handle with ``remove()``. Raises RuntimeError if the
        tensor does not require a gradient. Counterpart: ``torch.Tensor.register_hook``.

        >>> import minigrad as torch
        >>> x = torch.tensor(3.0, requires_grad=True)
        >>> handle = x.register_hook(lambda g: g * 10)
        >>> (x * x).backward()
        >>> x.grad
        tensor(60.)
        """
        ensure(self.requires_grad, NO_HOOK)
        node = self.grad_fn
        holder: Any = meta_of(self) if node is None else extra(node)
        return registered(holder, "hooks", hook)

    def register_post_accumulate_grad_hook(self, hook: Callable[[Any], Any]) -> Any:
        """Call ``hook(tensor)`` each time a gradient has been added to this leaf's ``.grad``.

        The hook must return None. Returns a handle with ``remove()``. Raises RuntimeError for
        what is not a leaf that requires a gradient.

        Counterpart: ``torch.Tensor.register_post_accumulate_grad_hook``.

        >>> import minigrad as torch
        >>> w = torch.tensor(3.0, requires_grad=True)
        >>> handle = w.register_post_accumulate_grad_hook(lambda w: print("now", w.grad.item()))
        >>> (w * 2).backward()
        now 2.0
        """
        ensure(self.requires_grad, NO_HOOK)
        update_history(self)
        text = "post accumulate grad hooks cannot be registered on non-leaf tensors"
        ensure(self._node is LEAF, text)
        return registered(meta_of(self), "accumulate_hooks", hook)

    def detach(self) -> Tensor:
        """The same memory, without history. Counterpart: ``torch.Tensor.detach``.

        Writes through either are seen by both, and by the check for overwritten values.

        >>> import minigrad as torch
        >>> x = torch.tensor(2.0, requires_grad=True)
        >>> y = x * x.detach()  # the second factor counts as a constant
        >>> y.backward()
        >>> x.grad
        tensor(2.)
        """
        out: Tensor = detached(self)
        if Watch.observer is not None:
            tell_of_cut(self, ".detach()", out)
        return out

    def detach_(self) -> Tensor:
        """Cut this tensor's own history; returns the tensor.

        Raises RuntimeError for a view. Counterpart: ``torch.Tensor.detach_``.

        >>> import minigrad as torch
        >>> y = torch.tensor(2.0, requires_grad=True) * 3
        >>> y.detach_()
        tensor(6.)
        """
        if self._meta is not None and self._meta.root is not None:
            raise RuntimeError("Can't detach views in-place. Use detach() instead.")
        tell_of_cut(self, ".detach_()", self)
        self._node = None
        return self

    @property
    def data(self) -> Tensor:
        """The same memory, without history, and unseen by the check for overwritten values.

        So a write through it can make a gradient wrong in silence: ``detach()`` is better. What
        is assigned to it becomes the tensor's memory. Counterpart: ``torch.Tensor.data``.

        >>> import minigrad as torch
        >>> x = torch.tensor([1.0, 2.0], requires_grad=True)
        >>> x.data.mul_(10)
        tensor([10., 20.])
        >>> x
        tensor([10., 20.], requires_grad=True)
        """
        out: Tensor = new_tensor(own_array(self))
        if Watch.observer is not None:
            tell_of_cut(self, ".data", out)
        return out

    @data.setter
    def data(self, value: Tensor) -> None:
        text = "Variable data has to be a tensor, but got {}"
        ensure(isinstance(value, Tensor), text, type(value).__name__, error=TypeError)
        text = "data set to a tensor that requires gradients must be floating point, but got {}"
        ensure(self._node is None or value._array.dtype.kind == "f", text, value.dtype)
        self._array = own_array(value)

    @property
    def _version(self) -> int:
        """How often its memory was written to by in-place operations."""
        found = None if self._meta is None else self._meta.storage
        return 0 if found is None else found.version

    # ------------------------------------------------------------------ transposed

    @property
    def T(self) -> Tensor:
        """All dimensions in reverse order: of a matrix, the transpose; of others, it warns.

        Counterpart: ``torch.Tensor.T``.

        >>> import minigrad as torch
        >>> torch.tensor([[1, 2], [3, 4]]).T
        tensor([[1, 3],
                [2, 4]])
        """
        if self.ndim != 2:
            warnings.warn(
                "The use of `x.T` on tensors of dimension other than 2 to reverse their shape is "
                "deprecated. Consider `x.mT` to transpose batches of matrices.",
                UserWarning,
                stacklevel=2,
            )
        return rearranging._permute(self, tuple(range(self.ndim))[::-1])

    @property
    def mT(self) -> Tensor:
        """The last two dimensions exchanged. Counterpart: ``torch.Tensor.mT``.

        Raises RuntimeError for one dimension; without any, it warns, and changes nothing.

        >>> import minigrad as torch
        >>> torch.zeros(5, 2, 3).mT.shape
        torch.Size([5, 3, 2])
        """
        if self.ndim == 0:
            text = "Tensor.mT is deprecated on 0-D tensors. This function is the identity there."
            warnings.warn(text, UserWarning, stacklevel=2)
            return self
        text = "tensor.mT is only supported on matrices or batches of matrices. Got {}-D tensor."
        ensure(self.ndim >= 2, text, self.ndim)
        return rearranging.transpose(self, -2, -1)


results_are(Tensor)
