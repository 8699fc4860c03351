"""``Tensor``: an array that remembers how it was made.

Its methods are the operations of ``ops``, bound by name in the class body; what is written out
here is what only a tensor has: a gradient, a history, hooks. What it holds is in ``_values``.
"""

from __future__ import annotations

import warnings
import weakref
from collections.abc import Callable
from typing import Any

from . import dtypes, gradients
from ._values import Values
from .errors import integer_error, warn_not_leaf
from .graph import LEAF, Node, extra, named, new_tensor
from .hooks import RemovableHandle
from .ops import creation, elementwise, indexing, inplace, linear, reduction, shaping
from .ops.arguments import operator
from .primitive import infix, results_are
from .views import own_array, rare, settle, sharing


class Tensor(Values):
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

    def __new__(cls, data: Any = ()) -> Any:
        made = creation.tensor(data, dtype=dtypes.get_default_dtype())
        made.__class__ = cls
        return made

    # ------------------------------------------------------------------ its history

    @property
    def requires_grad(self) -> bool:
        """Does it want a gradient: as a leaf that asked, or as the result of one that does?"""
        settle(self)
        return self._node is not None

    @requires_grad.setter
    def requires_grad(self, value: bool) -> None:
        self.requires_grad_(value)

    def requires_grad_(self, requires_grad: bool = True) -> Tensor:
        """Ask for a gradient, or stop asking; returns the tensor.

        Raises RuntimeError for integers (MG108), and for a result, whose answer follows from
        its inputs.
        """
        settle(self)
        if isinstance(self._node, Node):
            if not requires_grad:
                raise RuntimeError(
                    "you can only change requires_grad flags of leaf variables. If you want to "
                    "use a computed variable in a subgraph that doesn't require differentiation "
                    "use var_no_grad = var.detach()."
                )
            return self
        if requires_grad and self._array.dtype.kind != "f":
            raise integer_error(self.dtype)
        self._node = LEAF if requires_grad else None
        return self

    @property
    def grad_fn(self) -> Node | None:
        """The node of the operation that made it; None for a leaf."""
        settle(self)
        return named(self._node) if isinstance(self._node, Node) else None

    @property
    def is_leaf(self) -> bool:
        """Was it made by the user, not by a recorded operation?"""
        settle(self)
        return not isinstance(self._node, Node)

    @property
    def grad(self) -> Tensor | None:
        """The gradient collected by ``backward()``, or None.

        Kept at leaves, and at results that called ``retain_grad()``; elsewhere it is None and
        asking warns (MG102).
        """
        if self._grad is None and isinstance(self._node, Node) and not self.retains_grad:
            warn_not_leaf(self)
        found: Tensor | None = self._grad
        return found

    @grad.setter
    def grad(self, value: Tensor | None) -> None:
        if value is not None:
            if not isinstance(value, Tensor):
                raise TypeError(
                    f"assigned grad expected to be a Tensor or None but got grad of type "
                    f"{type(value).__name__}"
                )
            if value is self:
                raise RuntimeError("can't assign Variable as its own grad")
            if value.shape != self.shape:
                raise RuntimeError(
                    f"assigned grad has data of a different size: {list(value.shape)}, "
                    f"expected {list(self.shape)}"
                )
            if value.dtype is not self.dtype:
                raise RuntimeError(
                    f"assigned grad has data of a different type: {value.dtype}, "
                    f"expected {self.dtype}"
                )
        self._grad = value

    @property
    def retains_grad(self) -> bool:
        """Is it a result that keeps its gradient (see ``retain_grad``)?"""
        node = self._node
        return isinstance(node, Node) and (
            node.extra is not None
            and node.extra.retained is not None
            and node.extra.retained() is self
        )

    def retain_grad(self) -> None:
        """Keep the gradient of this result in ``.grad``, as leaves do.

        Raises RuntimeError if it does not require a gradient. Call it before ``backward()``.
        """
        node = self.grad_fn
        if node is not None:
            extra(node).retained = weakref.ref(self)
        elif self._node is None:
            raise RuntimeError("can't retain_grad on Tensor that has requires_grad=False")

    def backward(
        self,
        gradient: Tensor | None = None,
        retain_graph: bool | None = None,
        create_graph: bool = False,
        inputs: Any = None,
    ) -> None:
        """Add the gradient of this tensor to the ``.grad`` of the leaves behind it.

        See ``minigrad.autograd.backward``: this is it, for one tensor.

        >>> import minigrad as torch
        >>> x = torch.tensor([1.0, 2.0], requires_grad=True)
        >>> (x * x).sum().backward()
        >>> x.grad
        tensor([2., 4.])
        """
        gradients.backward(self, gradient, retain_graph, create_graph, inputs)

    def register_hook(self, hook: Callable[[Any], Any]) -> Any:
        """Call ``hook(gradient)`` whenever this tensor's gradient is computed.

        A tensor that the hook returns replaces the gradient. Hooks run in the order in which
        they were registered. Returns a handle with ``remove()``. Raises RuntimeError if the
        tensor does not require a gradient.

        >>> import minigrad as torch
        >>> x = torch.tensor(3.0, requires_grad=True)
        >>> handle = x.register_hook(lambda g: g * 10)
        >>> (x * x).backward()
        >>> x.grad
        tensor(60.)
        """
        if not self.requires_grad:
            raise RuntimeError(
                "cannot register a hook on a tensor that doesn't require gradient"
            )
        node = self.grad_fn
        holder: Any = rare(self) if node is None else extra(node)
        if holder.hooks is None:
            holder.hooks = {}
        return RemovableHandle(holder.hooks, hook)

    def register_post_accumulate_grad_hook(self, hook: Callable[[Any], Any]) -> Any:
        """Call ``hook(tensor)`` each time a gradient has been added to this leaf's ``.grad``."""
        if self._node is not LEAF:
            raise RuntimeError(
                "post accumulate grad hooks cannot be registered on non-leaf tensors"
            )
        holder = rare(self)
        if holder.landing_hooks is None:
            holder.landing_hooks = {}
        return RemovableHandle(holder.landing_hooks, hook)

    def detach(self) -> Tensor:
        """The same memory, without history. Counterpart: ``torch.Tensor.detach``.

        Writes through either are seen by both, and by the check for overwritten values.
        """
        out: Tensor = sharing(self)
        return out

    def detach_(self) -> Tensor:
        """Cut this tensor's own history; returns the tensor."""
        if self._rare is not None and self._rare.root is not None:
            raise RuntimeError("Can't detach views in-place. Use detach() instead.")
        self._node = None
        return self

    @property
    def data(self) -> Tensor:
        """The same memory, without history, and unseen by the check for overwritten values."""
        out: Tensor = new_tensor(own_array(self))
        return out

    @data.setter
    def data(self, value: Tensor) -> None:
        self._array = own_array(value)

    @property
    def _version(self) -> int:
        """How often its memory was written to by in-place operations."""
        found = None if self._rare is None else self._rare.storage
        return 0 if found is None else found.version

    # ------------------------------------------------------------------ operations

    __add__ = infix(elementwise._add)
    __sub__ = infix(elementwise._sub)
    __mul__ = infix(elementwise.mul)
    __truediv__ = infix(elementwise.div)
    __pow__ = elementwise.pow
    __matmul__ = linear.matmul
    __neg__ = elementwise.neg
    __abs__ = elementwise.abs
    __rsub__ = infix(elementwise.rsub)

    def __radd__(self, other: Any) -> Any:
        return elementwise._add(self, other)

    def __rmul__(self, other: Any) -> Any:
        return elementwise.mul(self, other)

    def __rtruediv__(self, other: Any) -> Any:
        return elementwise.mul(elementwise.reciprocal(self), other)

    def __rpow__(self, other: Any) -> Any:
        return elementwise.pow(other, self)

    def __rmatmul__(self, other: Any) -> Any:
        return linear.matmul(creation.as_tensor(other), self)

    __hash__ = object.__hash__  # by identity, as PyTorch's: a class with __eq__ has to say so
    __eq__ = operator(elementwise.eq)
    __ne__ = operator(elementwise.ne)
    __lt__ = operator(elementwise.lt)
    __le__ = operator(elementwise.le)
    __gt__ = operator(elementwise.gt)
    __ge__ = operator(elementwise.ge)
    __and__ = __rand__ = operator(elementwise.bitwise_and)
    __or__ = __ror__ = operator(elementwise.bitwise_or)
    __xor__ = __rxor__ = operator(elementwise.bitwise_xor)
    __invert__ = elementwise.bitwise_not
    __getitem__ = indexing.getitem
    __setitem__ = inplace.setitem
    __iadd__ = inplace.add_
    __isub__ = inplace.sub_
    __imul__ = inplace.mul_
    __itruediv__ = inplace.div_
    __ipow__ = inplace.pow_

    add, sub, mul, div = elementwise.add, elementwise.sub, elementwise.mul, elementwise.div
    neg, pow, abs, sign = elementwise.neg, elementwise.pow, elementwise.abs, elementwise.sign
    reciprocal, sqrt, clone = elementwise.reciprocal, elementwise.sqrt, elementwise.clone
    exp, log, sin, cos = elementwise.exp, elementwise.log, elementwise.sin, elementwise.cos
    tanh, sigmoid, relu = elementwise.tanh, elementwise.sigmoid, elementwise.relu
    eq, ne, lt = elementwise.eq, elementwise.ne, elementwise.lt
    le, gt, ge = elementwise.le, elementwise.gt, elementwise.ge
    add_, sub_, mul_, div_ = inplace.add_, inplace.sub_, inplace.mul_, inplace.div_
    pow_, neg_, abs_, sqrt_ = inplace.pow_, inplace.neg_, inplace.abs_, inplace.sqrt_
    exp_, log_, tanh_ = inplace.exp_, inplace.log_, inplace.tanh_
    sigmoid_, relu_ = inplace.sigmoid_, inplace.relu_
    zero_, fill_, copy_ = inplace.zero_, inplace.fill_, inplace.copy_
    sum, mean, max, min = reduction.sum, reduction.mean, reduction.max, reduction.min
    argmax, all, any = reduction.argmax, reduction.all, reduction.any
    reshape, view, flatten = shaping.reshape, shaping.view, shaping.flatten
    transpose, permute, expand = shaping.transpose, shaping.permute, shaping.expand
    squeeze, unsqueeze = shaping.squeeze, shaping.unsqueeze
    matmul, mm, dot = linear.matmul, linear.mm, linear.dot

    @property
    def T(self) -> Tensor:
        """All dimensions in reverse order: of a matrix, the transpose; of others, it warns."""
        if self.ndim != 2:
            warnings.warn(
                "The use of `x.T` on tensors of dimension other than 2 to reverse their shape is "
                "deprecated. Consider `x.mT` to transpose batches of matrices.",
                UserWarning,
                stacklevel=2,
            )
        return shaping.permute(self, tuple(reversed(range(self.ndim))))

    @property
    def mT(self) -> Tensor:
        """The last two dimensions exchanged."""
        if self.ndim < 2:
            raise RuntimeError(
                "tensor.mT is only supported on matrices or batches of matrices. Got "
                f"{self.ndim}-D tensor."
            )
        return shaping.transpose(self, -2, -1)


results_are(Tensor)
