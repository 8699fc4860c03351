"""The operations as operators and methods of a tensor: ``a + b``, ``x.sum()``.

Operations are plain functions of ``ops``; a function in the body of a class is a method.
"""

from __future__ import annotations

from typing import Any

from ._values import is_nonzero
from .compat.arguments import operator
from .engine.node import TensorBase
from .engine.record import infix
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


class Methods(TensorBase):
    """Those methods of ``Tensor`` that are operations."""

    __slots__ = ()

    # ------------------------------------------------------------------ operators

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

    # ---------------------------------------------------------------------------------- new tensors

    new_zeros = creation.new_zeros
    new_ones = creation.new_ones
    new_empty = creation.new_empty
    new_full = creation.new_full
    new_tensor = creation.new_tensor_of
    bernoulli = random.bernoulli
    multinomial = random.multinomial

    # ------------------------------------------------------- arithmetic and functions of each entry

    add = arithmetic.add
    mul = arithmetic.mul
    sub = arithmetic.sub
    lerp = arithmetic.lerp
    addcmul = arithmetic.addcmul
    addcdiv = arithmetic.addcdiv
    neg = arithmetic.neg
    positive = arithmetic.positive
    sign = arithmetic.sign
    abs = arithmetic.abs
    div = division.div
    floor_divide = division.floor_divide
    remainder = division.remainder
    fmod = division.fmod
    reciprocal = division.reciprocal
    hypot = powers.hypot
    pow = powers.pow
    square = powers.square
    sqrt = powers.sqrt
    rsqrt = powers.rsqrt
    logaddexp = exponential.logaddexp
    exp = exponential.exp
    exp2 = exponential.exp2
    expm1 = exponential.expm1
    log = exponential.log
    log2 = exponential.log2
    log10 = exponential.log10
    log1p = exponential.log1p
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
    deg2rad = trigonometry.deg2rad
    rad2deg = trigonometry.rad2deg
    erf = special.erf
    erfc = special.erfc
    floor = rounding.floor
    ceil = rounding.ceil
    trunc = rounding.trunc
    frac = rounding.frac
    round = rounding.round
    softmax = activations.softmax
    log_softmax = activations.log_softmax
    sigmoid = activations.sigmoid
    relu = activations.relu

    # ------------------------------------------------------------------ choices, comparisons, logic

    maximum = choices.maximum
    minimum = choices.minimum
    clamp = choices.clamp
    clamp_min = choices.clamp_min
    clamp_max = choices.clamp_max
    nan_to_num = choices.nan_to_num
    fmax = choices.fmax
    fmin = choices.fmin
    where = choices.tensor_where
    eq = comparison.eq
    ne = comparison.ne
    lt = comparison.lt
    le = comparison.le
    gt = comparison.gt
    ge = comparison.ge
    isnan = comparison.isnan
    isinf = comparison.isinf
    isfinite = comparison.isfinite
    isclose = comparison.isclose
    allclose = comparison.allclose
    equal = comparison.equal
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
    is_nonzero = is_nonzero

    # -------------------------------------------------------------------- fewer numbers out of many

    sum = reduction.sum
    mean = reduction.mean
    all = reduction.all
    any = reduction.any
    logsumexp = reduction.logsumexp
    count_nonzero = reduction.count_nonzero
    prod = reduction.prod
    max = extremes.max
    min = extremes.min
    amax = extremes.amax
    amin = extremes.amin
    argmax = extremes.argmax
    argmin = extremes.argmin
    var = variance.var
    std = variance.std
    dist = norms.dist
    norm = norms.norm
    diff = cumulative.diff
    cummax = cumulative.cummax
    cummin = cumulative.cummin
    cumsum = cumulative.cumsum
    cumprod = cumulative.cumprod
    kthvalue = sorting.kthvalue
    sort = sorting.sort
    argsort = sorting.argsort
    topk = sorting.topk
    median = sorting.median
    unique_consecutive = counting.unique_consecutive
    histogram = counting.histogram
    histc = counting.histc
    unique = counting.unique
    bincount = counting.bincount

    # ------------------------------------------------------------------- the same numbers elsewhere

    clone = shaping.clone
    reshape = shaping.reshape
    view = shaping.view
    flatten = shaping.flatten
    expand = shaping.expand
    squeeze = shaping.squeeze
    unsqueeze = shaping.unsqueeze
    view_as = shaping.view_as
    reshape_as = shaping.reshape_as
    ravel = shaping.ravel
    expand_as = shaping.expand_as
    unflatten = shaping.unflatten
    movedim = rearranging.movedim
    fliplr = rearranging.fliplr
    flipud = rearranging.flipud
    transpose = rearranging.transpose
    permute = rearranging.permute
    t = rearranging.t
    roll = rearranging.roll
    flip = rearranging.flip
    repeat = joining.repeat
    tile = joining.tile
    split = slicing.split
    chunk = slicing.chunk
    unbind = slicing.unbind
    narrow = slicing.narrow
    select = slicing.select
    diag_embed = diagonals.diag_embed
    diagonal = diagonals.diagonal
    diag = diagonals.diag
    tril = diagonals.tril
    triu = diagonals.triu
    gather = gathering.gather
    index_select = gathering.index_select
    masked_select = gathering.masked_select
    nonzero = gathering.nonzero
    take_along_dim = gathering.take_along_dim
    repeat_interleave = gathering.repeat_interleave
    scatter_reduce = scattering.scatter_reduce
    scatter = scattering.scatter
    scatter_add = scattering.scatter_add
    index_add = scattering.index_add
    masked_fill = scattering.masked_fill

    # ------------------------------------------------------------------------------- linear algebra

    baddbmm = linear.baddbmm
    matmul = linear.matmul
    mm = linear.mm
    bmm = linear.bmm
    mv = linear.mv
    dot = linear.dot
    outer = linear.outer
    addmm = linear.addmm
    trace = linear.trace
    det = matrices.det
    inverse = matrices.inv
    slogdet = matrices.slogdet
    matrix_power = matrices.matrix_power

    # ----------------------------------------------------------------------------- writing in place

    bitwise_left_shift_ = inplace.bitwise_left_shift_
    bitwise_right_shift_ = inplace.bitwise_right_shift_
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
    clamp_ = inplace.clamp_
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
    scatter_ = inplace.scatter_
    scatter_add_ = inplace.scatter_add_
    index_add_ = inplace.index_add_
    masked_fill_ = inplace.masked_fill_
    uniform_ = random.uniform_
    normal_ = random.normal_
    bernoulli_ = random.bernoulli_
