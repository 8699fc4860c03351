"""``Tensor``: an array that remembers how it was made.

Its methods are the operations of ``ops``, bound by name in the class body; what is written out
here is what only a tensor has: a gradient, a history, hooks. What it holds is in ``_values``.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

from . import dtypes
from ._values import Values, is_nonzero, rebuilt
from .engine import backward
from .engine.node import LEAF, Node, extra, named, new_tensor, registered
from .engine.record import infix, results_are
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
    activations,
    counting,
    creation,
    cumulative,
    diagonals,
    extremes,
    gathering,
    indexing,
    inplace,
    joining,
    linear,
    matrices,
    norms,
    random,
    rearranging,
    reduction,
    scattering,
    shaping,
    slicing,
    sorting,
    variance,
)
from .ops.arguments import ensure, operator
from .ops.elementwise import (
    arithmetic,
    choices,
    comparison,
    division,
    exponential,
    logic,
    powers,
    rounding,
    special,
    trigonometry,
)

NO_HOOK = "cannot register a hook on a tensor that doesn't require gradient"


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

    def __new__(cls, *data: Any) -> Any:
        made = creation.legacy(dtypes.get_default_dtype(), *data)
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

    # ------------------------------------------------------------------ operations

    __add__ = infix(arithmetic._add)
    __sub__ = infix(arithmetic._sub)
    __mul__ = infix(arithmetic.mul)
    __truediv__ = infix(division._div)
    __floordiv__ = infix(division.floor_divide)
    __mod__ = operator(division.remainder)
    __pow__ = powers.pow
    __matmul__ = linear.matmul
    __neg__ = arithmetic.neg
    __pos__ = arithmetic.positive
    __abs__ = arithmetic.abs
    __radd__ = infix(arithmetic._add)
    __rmul__ = infix(arithmetic.mul)
    __rsub__ = infix(arithmetic.rsub)

    def __rtruediv__(self, other: Any) -> Any:
        return arithmetic.mul(division.reciprocal(self), other)

    def __rfloordiv__(self, other: Any) -> Any:
        return division.floor_divide(other, self)

    def __rmod__(self, other: Any) -> Any:
        return division.remainder(other, self)

    def __rpow__(self, other: Any) -> Any:
        return powers.pow(other, self)

    def __rlshift__(self, other: Any) -> Any:
        return logic.bitwise_left_shift(other, self)

    def __rrshift__(self, other: Any) -> Any:
        return logic.bitwise_right_shift(other, self)

    def __rmatmul__(self, other: Any) -> Any:
        return linear.matmul(creation.as_tensor(other), self)

    new_zeros = creation.new_zeros
    new_ones = creation.new_ones
    new_empty = creation.new_empty
    new_full = creation.new_full
    new_tensor = creation.new_tensor_of
    uniform_ = random.uniform_
    normal_ = random.normal_
    bernoulli_ = random.bernoulli_
    bernoulli = random.bernoulli
    multinomial = random.multinomial

    __hash__ = object.__hash__  # by identity, as PyTorch's: a class with __eq__ has to say so
    __eq__ = operator(comparison.eq)
    __ne__ = operator(comparison.ne)
    __lt__ = operator(comparison.lt)
    __le__ = operator(comparison.le)
    __gt__ = operator(comparison.gt)
    __ge__ = operator(comparison.ge)
    __and__ = __rand__ = operator(logic.bitwise_and)
    __or__ = __ror__ = operator(logic.bitwise_or)
    __xor__ = __rxor__ = operator(logic.bitwise_xor)
    __invert__ = logic.bitwise_not
    __lshift__ = operator(logic.bitwise_left_shift)
    __rshift__ = operator(logic.bitwise_right_shift)
    __getitem__ = indexing.getitem
    __setitem__ = inplace.setitem
    __iadd__ = inplace.add_
    __isub__ = inplace.sub_
    __imul__ = inplace.mul_
    __itruediv__ = inplace.div_
    __ipow__ = inplace.pow_
    __ifloordiv__ = inplace.floor_divide_
    __imod__ = inplace.remainder_
    __iand__ = inplace.bitwise_and_
    __ior__ = inplace.bitwise_or_
    __ixor__ = inplace.bitwise_xor_
    __ilshift__ = inplace.bitwise_left_shift_
    __irshift__ = inplace.bitwise_right_shift_

    add = arithmetic.add
    mul = arithmetic.mul
    sub = arithmetic.sub
    div = division.div
    multiply = mul
    subtract = sub
    divide = div
    true_divide = div
    floor_divide = division.floor_divide
    remainder = division.remainder
    fmod = division.fmod
    reciprocal = division.reciprocal
    lerp = arithmetic.lerp
    addcmul = arithmetic.addcmul
    addcdiv = arithmetic.addcdiv
    clone = shaping.clone
    neg = negative = arithmetic.neg
    positive = arithmetic.positive
    logaddexp = exponential.logaddexp
    maximum = choices.maximum
    minimum = choices.minimum
    clamp = clip = choices.clamp
    clamp_min = choices.clamp_min
    clamp_max = choices.clamp_max
    eq = comparison.eq
    ne = comparison.ne
    lt = comparison.lt
    le = comparison.le
    gt = comparison.gt
    ge = comparison.ge
    not_equal = ne
    less = lt
    less_equal = le
    greater = gt
    greater_equal = ge
    is_nonzero = is_nonzero
    isnan = comparison.isnan
    isinf = comparison.isinf
    isfinite = comparison.isfinite
    isclose = comparison.isclose
    allclose = comparison.allclose
    equal = comparison.equal
    nan_to_num = choices.nan_to_num
    logical_not = logic.logical_not
    logical_and = logic.logical_and
    logical_or = logic.logical_or
    logical_xor = logic.logical_xor
    bitwise_not = logic.bitwise_not
    bitwise_and = logic.bitwise_and
    bitwise_or = logic.bitwise_or
    bitwise_xor = logic.bitwise_xor
    bitwise_left_shift = logic.bitwise_left_shift
    bitwise_right_shift = logic.bitwise_right_shift
    bitwise_left_shift_ = inplace.bitwise_left_shift_
    bitwise_right_shift_ = inplace.bitwise_right_shift_
    hypot = powers.hypot
    fmax = choices.fmax
    fmin = choices.fmin
    dist = norms.dist
    where = choices.tensor_where
    diff = cumulative.diff
    baddbmm = linear.baddbmm
    movedim = moveaxis = rearranging.movedim
    fliplr = rearranging.fliplr
    flipud = rearranging.flipud
    diag_embed = diagonals.diag_embed
    cummax = cumulative.cummax
    cummin = cumulative.cummin
    kthvalue = sorting.kthvalue
    unique_consecutive = counting.unique_consecutive
    scatter_reduce = scattering.scatter_reduce
    histogram = counting.histogram
    histc = counting.histc
    pow = powers.pow
    square = powers.square
    sqrt = powers.sqrt
    rsqrt = powers.rsqrt
    exp = exponential.exp
    exp2 = exponential.exp2
    expm1 = exponential.expm1
    log = exponential.log
    log2 = exponential.log2
    log10 = exponential.log10
    log1p = exponential.log1p
    softmax = activations.softmax
    log_softmax = activations.log_softmax
    sigmoid = activations.sigmoid
    logit = exponential.logit
    xlogy = exponential.xlogy
    sin = trigonometry.sin
    cos = trigonometry.cos
    tan = trigonometry.tan
    atan2 = trigonometry.atan2
    asin = trigonometry.asin
    acos = trigonometry.acos
    atan = trigonometry.atan
    sinh = trigonometry.sinh
    cosh = trigonometry.cosh
    tanh = trigonometry.tanh
    asinh = trigonometry.asinh
    acosh = trigonometry.acosh
    atanh = trigonometry.atanh
    arcsin = asin
    arccos = acos
    arctan = atan
    arctan2 = atan2
    arcsinh = asinh
    arccosh = acosh
    arctanh = atanh
    erf = special.erf
    erfc = special.erfc
    deg2rad = trigonometry.deg2rad
    rad2deg = trigonometry.rad2deg
    relu = activations.relu
    sign = arithmetic.sign
    abs = absolute = arithmetic.abs
    floor = rounding.floor
    ceil = rounding.ceil
    trunc = rounding.trunc
    frac = rounding.frac
    round = rounding.round
    sgn = sign
    fix = trunc
    add_ = inplace.add_
    sub_ = inplace.sub_
    mul_ = inplace.mul_
    div_ = inplace.div_
    pow_ = inplace.pow_
    neg_ = inplace.neg_
    abs_ = inplace.abs_
    sqrt_ = inplace.sqrt_
    floor_divide_ = inplace.floor_divide_
    remainder_ = inplace.remainder_
    fmod_ = inplace.fmod_
    reciprocal_ = inplace.reciprocal_
    lerp_ = inplace.lerp_
    addcmul_ = inplace.addcmul_
    addcdiv_ = inplace.addcdiv_
    square_ = inplace.square_
    clamp_ = clip_ = inplace.clamp_
    clamp_min_ = inplace.clamp_min_
    clamp_max_ = inplace.clamp_max_
    nan_to_num_ = inplace.nan_to_num_
    logical_not_ = inplace.logical_not_
    bitwise_and_ = inplace.bitwise_and_
    bitwise_or_ = inplace.bitwise_or_
    bitwise_xor_ = inplace.bitwise_xor_
    rsqrt_ = inplace.rsqrt_
    expm1_ = inplace.expm1_
    exp_ = inplace.exp_
    log_ = inplace.log_
    log1p_ = inplace.log1p_
    tanh_ = inplace.tanh_
    sin_ = inplace.sin_
    cos_ = inplace.cos_
    tan_ = inplace.tan_
    erf_ = inplace.erf_
    sigmoid_ = inplace.sigmoid_
    relu_ = inplace.relu_
    sign_ = inplace.sign_
    floor_ = inplace.floor_
    ceil_ = inplace.ceil_
    trunc_ = inplace.trunc_
    round_ = inplace.round_
    zero_ = inplace.zero_
    fill_ = inplace.fill_
    copy_ = inplace.copy_
    sum = reduction.sum
    mean = reduction.mean
    max = extremes.max
    min = extremes.min
    amax = extremes.amax
    amin = extremes.amin
    norm = norms.norm
    argmax = extremes.argmax
    argmin = extremes.argmin
    all = reduction.all
    any = reduction.any
    var = variance.var
    std = variance.std
    logsumexp = reduction.logsumexp
    count_nonzero = reduction.count_nonzero
    cumsum = cumulative.cumsum
    sort = sorting.sort
    argsort = sorting.argsort
    topk = sorting.topk
    prod = reduction.prod
    cumprod = cumulative.cumprod
    median = sorting.median
    unique = counting.unique
    bincount = counting.bincount
    reshape = shaping.reshape
    view = shaping.view
    flatten = shaping.flatten
    transpose = rearranging.transpose
    permute = rearranging.permute
    expand = shaping.expand
    squeeze = shaping.squeeze
    unsqueeze = shaping.unsqueeze
    swapaxes = swapdims = rearranging.transpose
    view_as = shaping.view_as
    reshape_as = shaping.reshape_as
    ravel = shaping.ravel
    expand_as = shaping.expand_as
    broadcast_to = shaping.expand
    t = rearranging.t
    unflatten = shaping.unflatten
    repeat = joining.repeat
    tile = joining.tile
    roll = rearranging.roll
    flip = rearranging.flip
    split = slicing.split
    chunk = slicing.chunk
    unbind = slicing.unbind
    narrow = slicing.narrow
    select = slicing.select
    diagonal = diagonals.diagonal
    diag = diagonals.diag
    tril = diagonals.tril
    triu = diagonals.triu
    gather = gathering.gather
    scatter = scattering.scatter
    scatter_add = scattering.scatter_add
    index_select = gathering.index_select
    index_add = scattering.index_add
    masked_fill = scattering.masked_fill
    masked_select = gathering.masked_select
    nonzero = argwhere = gathering.nonzero
    take_along_dim = gathering.take_along_dim
    repeat_interleave = gathering.repeat_interleave
    scatter_ = inplace.scatter_
    scatter_add_ = inplace.scatter_add_
    index_add_ = inplace.index_add_
    masked_fill_ = inplace.masked_fill_
    matmul = linear.matmul
    mm = linear.mm
    bmm = linear.bmm
    mv = linear.mv
    dot = vdot = linear.dot
    outer = ger = linear.outer
    addmm = linear.addmm
    trace = linear.trace
    det = matrices.det
    inverse = matrices.inv
    slogdet = matrices.slogdet
    matrix_power = matrices.matrix_power

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
