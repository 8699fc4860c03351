"""minigrad: tensors that remember how they were made, for learning how autograd works.

``import minigrad as torch`` and write PyTorch: same names, values, gradients and kinds of
error, in plain Python on NumPy, small enough to read.

The path from ``a * b`` to ``a.grad`` is in ``engine``: ``record`` (an operation runs and is
recorded), ``node`` (the graph), ``backward`` (the pass back). Its rule is in
``ops/elementwise/arithmetic``.
"""

# A table of contents, by topic: names side by side, not one a line.
# ruff: noqa: I001
# fmt: off

from math import e, inf, nan, pi

from . import autograd, datasets, linalg, nn, optim, tape, utils
from ._tensor import Tensor
from ._printing import set_printoptions
from ._values import Size, is_floating_point, is_nonzero, is_tensor, numel, result_type
from .autograd import Function, is_anomaly_check_nan_enabled, is_anomaly_enabled
from .dtypes import (
    bool_ as bool, can_cast, dtype, finfo, float32, float32 as float,
    float64, float64 as double, get_default_dtype, iinfo, int8, int16, int16 as short, int32,
    int32 as int, int64, int64 as long, promote_types, set_default_dtype, uint8,
)
from .compat.devices import backends, cuda, device
from .compat.install import install_as_torch
from .compat.legacy import (
    BoolTensor, ByteTensor, CharTensor, DoubleTensor, FloatTensor, IntTensor, LongTensor,
    ShortTensor,
)
from .engine.modes import (
    enable_grad, inference_mode, is_grad_enabled, is_inference_mode_enabled, no_grad,
    set_grad_enabled,
)
from .errors import explain
from .compat.missing import missing_from
from .nn.convolution import conv1d, conv2d, conv_transpose1d, conv_transpose2d
from .nn.pooling import adaptive_avg_pool1d, avg_pool1d, max_pool1d, max_pool2d
from .ops.creation import (
    as_tensor, empty, empty_like, eye, from_numpy, full, full_like, ones, ones_like, tensor, zeros,
    zeros_like,
)
from .ops.ranges import arange, linspace, logspace
from .ops import random
from .ops.generator import Generator
from .ops.random import (
    bernoulli, default_generator, get_rng_state, initial_seed, manual_seed, multinomial, normal,
    rand, rand_like, randint, randint_like, randn, randn_like, randperm, seed, set_rng_state,
)
from .ops.elementwise.arithmetic import (
    abs, abs as absolute, add, addcdiv, addcmul, lerp, mul, mul as multiply, neg,
    neg as negative, positive, rsub, sign, sign as sgn, sub, sub as subtract,
)
from .ops.elementwise.division import (
    div, div as divide, div as true_divide, floor_divide, fmod, reciprocal, remainder,
)
from .ops.elementwise.powers import hypot, pow, rsqrt, sqrt, square
from .ops.elementwise.exponential import (
    exp, exp2, expm1, log, log10, log1p, log2, logaddexp, logit, xlogy,
)
from .ops.elementwise.trigonometry import (
    acos, acos as arccos, acosh, acosh as arccosh, asin, asin as arcsin, asinh,
    asinh as arcsinh, atan, atan as arctan, atan2, atan2 as arctan2, atanh, atanh as arctanh,
    cos, cosh, deg2rad, rad2deg, sin, sinh, tan, tanh,
)
from .ops.elementwise.special import erf, erfc
from .ops.elementwise.rounding import ceil, floor, frac, round, trunc, trunc as fix
from .ops.elementwise.choices import (
    clamp, clamp as clip, clamp_max, clamp_min, fmax, fmin, maximum, minimum, nan_to_num, where,
)
from .ops.elementwise.comparison import (
    allclose, eq, equal, ge, ge as greater_equal, gt, gt as greater, isclose, isfinite, isin,
    isinf, isnan, le, le as less_equal, lt, lt as less, ne, ne as not_equal,
)
from .ops.elementwise.logic import (
    bitwise_and, bitwise_left_shift, bitwise_not, bitwise_or, bitwise_right_shift, bitwise_xor,
    logical_and, logical_not, logical_or, logical_xor,
)
from .ops.activations import log_softmax, relu, sigmoid, softmax
from .ops.reduction import all, any, count_nonzero, logsumexp, mean, prod, sum
from .ops.extremes import amax, amin, argmax, argmin, max, min
from .ops.variance import std, std_mean, var, var_mean
from .ops.norms import dist, norm
from .ops.cumulative import cummax, cummin, cumprod, cumsum, diff
from .ops.sorting import argsort, kthvalue, median, sort, topk
from .ops.counting import bincount, histc, histogram, unique, unique_consecutive
from .ops.shaping import (
    broadcast_shapes, broadcast_tensors, clone, expand as broadcast_to, flatten, ravel, reshape,
    squeeze, unflatten, unsqueeze,
)
from .ops.rearranging import (
    flip, fliplr, flipud, movedim, movedim as moveaxis, permute, roll, t, transpose,
    transpose as swapaxes, transpose as swapdims,
)
from .ops.joining import (
    cat, cat as concat, cat as concatenate, hstack, meshgrid, stack, tile, vstack,
)
from .ops.slicing import chunk, narrow, select, split, unbind
from .ops.diagonals import diag, diag_embed, diagonal, tril, tril_indices, triu, triu_indices
from .ops.gathering import (
    gather, index_select, masked_select, nonzero, nonzero as argwhere, repeat_interleave,
    take_along_dim,
)
from .ops.scattering import index_add, masked_fill, scatter, scatter_add, scatter_reduce
from .ops.linear import (
    addmm, baddbmm, bmm, dot, dot as vdot, matmul, mm, mv, outer, outer as ger, trace,
)
from .ops.einsum import einsum
from .ops.matrices import det, inv as inverse, matrix_power, slogdet
from .serialization import load, save

__version__ = "0.1.0"


# Who trains has no use for the lessons, whose import would take a tenth of the time.
__getattr__ = missing_from(__name__, later={"lesson": "lesson", "compile": "static"})
