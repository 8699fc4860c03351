"""minigrad: tensors that remember how they were made, for learning how autograd works.

``import minigrad as torch`` and write PyTorch: same names, values, gradients and kinds of
error, in plain Python on NumPy, small enough to read.

The path from ``a * b`` to ``a.grad`` is in ``engine``: ``record`` (an operation runs and is
recorded), ``node`` (the graph), ``backward`` (the pass back). Its rule is in ``ops/elementwise``.
"""

# A table of contents, by topic: names side by side, not one a line.
# ruff: noqa: I001
# fmt: off

from math import e, inf, nan, pi

from . import autograd, datasets, lesson, linalg, nn, optim, tape, utils
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
from .ops.activations import log_softmax, softmax
from .ops.creation import (
    arange, as_tensor, empty, empty_like, eye, from_numpy, full, full_like,
    linspace, ones, ones_like, tensor, zeros, zeros_like,
)
from .ops.composed import (
    baddbmm, bitwise_left_shift, bitwise_right_shift, cummax, cummin, diag_embed, diff, dist,
    fliplr, flipud, fmax, fmin, histc, histogram, hypot, isin, kthvalue, logspace, movedim,
    movedim as moveaxis, scatter_reduce, tril_indices, triu_indices, unique_consecutive,
)
from .ops.elementwise import (
    add, addcdiv, addcmul, allclose, bitwise_and, bitwise_not, bitwise_or, bitwise_xor, clamp,
    clamp as clip, clamp_max, clamp_min, clone, div, div as divide, div as true_divide, eq, equal,
    floor_divide, fmod, ge, ge as greater_equal, gt, gt as greater, isclose, isfinite, isinf, isnan,
    le, le as less_equal, lerp, logical_and, logical_not, logical_or, logical_xor, lt, lt as less,
    maximum, minimum, mul, mul as multiply, nan_to_num, ne, ne as not_equal, neg, neg as negative,
    positive, reciprocal, remainder, rsub, sub, sub as subtract, where,
)
from .ops.functions import (
    abs, abs as absolute, acos, acos as arccos, acosh, acosh as arccosh, asin, asin as arcsin,
    asinh, asinh as arcsinh, atan, atan as arctan, atan2, atan2 as arctan2, atanh,
    atanh as arctanh, ceil, cos, cosh, deg2rad, erf, erfc, exp, exp2, expm1, floor, frac, log,
    log10, log1p, log2, logaddexp, logit, pow, rad2deg, relu, round, rsqrt, sigmoid, sign,
    sign as sgn, sin, sinh, sqrt, square, tan, tanh, trunc, trunc as fix, xlogy,
)
from .ops.einsum import einsum
from .ops.linear import (
    addmm, bmm, dot, dot as vdot, matmul, mm, mv, outer, outer as ger, trace,
)
from .ops.matrices import det, inv as inverse, matrix_power, slogdet
from .ops import random
from .ops.random import (
    Generator, bernoulli, default_generator, get_rng_state, initial_seed, manual_seed, multinomial,
    normal, rand, rand_like, randint, randint_like, randn, randn_like, randperm, seed,
    set_rng_state,
)
from .ops.reduction import (
    all, amax, amin, any, argmax, argmin, count_nonzero, logsumexp, max, mean, min, norm, std, sum,
    var,
)
from .ops.gathering import (
    chunk, diag, diagonal, gather, index_add, index_select, masked_fill, masked_select, narrow,
    nonzero, nonzero as argwhere, repeat_interleave, scatter, scatter_add, select, split,
    take_along_dim, tril, triu, unbind,
)
from .ops.shaping import (
    broadcast_shapes, broadcast_tensors, cat, cat as concat, cat as concatenate,
    expand as broadcast_to, flatten, flip, hstack, meshgrid, permute, ravel, reshape, roll,
    squeeze, stack, t, tile, transpose, transpose as swapaxes, transpose as swapdims, unflatten,
    unsqueeze, vstack,
)
from .ops.sorting import argsort, cumsum, sort, topk
from .ops.statistics import bincount, cumprod, median, prod, std_mean, unique, var_mean
from .serialization import load, save

__version__ = "0.1.0"


__getattr__ = missing_from(__name__)
