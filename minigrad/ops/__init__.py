"""The operations, by topic: each with its forward, its derivatives and its docstring together.

New tensors
    ``creation``      tensor, zeros, full, eye
    ``ranges``        arange, linspace, logspace
    ``random``        rand, randn, randint, bernoulli; the numbers come from a ``generator``

Every entry, or every pair of entries
    ``elementwise/``  arithmetic, powers, functions, comparisons: a file for each topic
    ``activations``   relu, sigmoid, softmax

Fewer numbers out of many, or as many that depend on each other
    ``reduction``     sum, mean, logsumexp, prod, all, any
    ``extremes``      max, min, amax, amin, argmax
    ``variance``      var, std
    ``norms``         norm, dist
    ``cumulative``    cumsum, cumprod, cummax, diff
    ``sorting``       sort, topk, kthvalue, median
    ``counting``      unique, bincount, histogram

The same numbers elsewhere
    ``shaping``       reshape, view, squeeze, expand, clone
    ``rearranging``   transpose, permute, movedim, flip, roll
    ``joining``       cat, stack, meshgrid, repeat
    ``slicing``       split, chunk, unbind, narrow, select
    ``diagonals``     diagonal, diag, tril, triu
    ``indexing``      x[i]
    ``gathering``     gather, index_select, nonzero
    ``scattering``    scatter, index_add, masked_fill
    ``inplace``       x[i] = v, add_, zero_ and other writing

Linear algebra
    ``linear``        products of matrices and vectors
    ``einsum``        products over named dimensions
    ``matrices``      inverses, determinants

Two helpers: ``results`` (several results, by name), ``annotations`` (what stands for arrays and
tensors). What operations accept, and what is said of other arguments, is in ``compat.arguments``.

A function under ``@differentiable`` or ``@operation`` is annotated as it is written: it gets arrays
and returns one (``Array``). Whoever calls it gives tensors and gets a tensor: the engine stands
between them. Helpers of rules get either, as the rules do. ``annotations`` lists these names.
"""

import sys
import warnings

import numpy as np

from . import (
    activations,
    creation,
    elementwise,
    gathering,
    indexing,
    inplace,
    linear,
    random,
    reduction,
    shaping,
)

# Overflow and NaN are results in tensor programs, as in PyTorch, and no cause for NumPy's
# warnings. This silences those raised by lines in these modules, and no others.
warnings.filterwarnings(
    "ignore", category=RuntimeWarning, module=r"minigrad\.(ops|fast|nn|optim)\."
)

# On Linux, free memory at the end of the heap goes back to the system, beyond a limit of 128 KB;
# and a training step frees and takes the same megabytes again and again. The limit rises to twice
# the largest block seen to be freed: so let one be seen. (Untouched, it takes no memory.)
if sys.platform == "linux":
    np.empty(2**24, np.uint8)

__all__ = [
    "activations",
    "creation",
    "elementwise",
    "gathering",
    "indexing",
    "inplace",
    "linear",
    "random",
    "reduction",
    "shaping",
]
