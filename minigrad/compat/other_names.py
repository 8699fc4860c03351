"""Second names of methods: PyTorch has them for NumPy's sake, or from earlier days."""

from __future__ import annotations

from ..engine.node import TensorBase
from ..ops import gathering, inplace, linear, rearranging, shaping
from ..ops.elementwise import arithmetic, choices, comparison, division, rounding, trigonometry


class OtherNames(TensorBase):
    """Those methods of ``Tensor`` that have a first name, too."""

    __slots__ = ()

    absolute = arithmetic.abs
    arccos = trigonometry.acos
    arccosh = trigonometry.acosh
    arcsin = trigonometry.asin
    arcsinh = trigonometry.asinh
    arctan = trigonometry.atan
    arctan2 = trigonometry.atan2
    arctanh = trigonometry.atanh
    argwhere = gathering.nonzero
    broadcast_to = shaping.expand
    clip = choices.clamp
    clip_ = inplace.clamp_
    divide = division.div
    fix = rounding.trunc
    ger = linear.outer
    greater = comparison.gt
    greater_equal = comparison.ge
    less = comparison.lt
    less_equal = comparison.le
    moveaxis = rearranging.movedim
    multiply = arithmetic.mul
    negative = arithmetic.neg
    not_equal = comparison.ne
    sgn = arithmetic.sign
    subtract = arithmetic.sub
    swapaxes = rearranging.transpose
    swapdims = rearranging.transpose
    true_divide = division.div
    vdot = linear.dot
