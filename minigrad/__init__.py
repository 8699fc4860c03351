"""minigrad: tensors that remember how they were made, for learning how autograd works.

``import minigrad as torch`` and write PyTorch: same names, values, gradients and kinds of
error, in plain Python on NumPy, small enough to read.

The path from ``a * b`` to ``a.grad``: ``ops/elementwise`` (the rule), ``primitive`` (recording
it), ``graph`` (the node), ``engine`` (the backward pass).
"""

# ruff: noqa: I001 -- a table of contents, by topic: names side by side, not one a line

from . import autograd, optim, tape, utils
from ._tensor import Tensor
from ._values import Size
from .autograd import Function
from .dtypes import (
    bool_ as bool, device, dtype, float32, float32 as float, float64, float64 as double,
    get_default_dtype, int8, int16, int32, int32 as int, int64, int64 as long, promote_types,
    set_default_dtype, uint8,
)
from .errors import explain
from .grad_mode import (
    enable_grad, inference_mode, is_grad_enabled, is_inference_mode_enabled, no_grad,
    set_grad_enabled,
)
from .ops.creation import (
    arange, as_tensor, empty, eye, from_numpy, full, full_like, linspace, ones, ones_like, tensor,
    zeros, zeros_like,
)
from .ops.elementwise import (
    abs, add, clone, cos, div, eq, exp, ge, gt, le, log, lt, mul, ne, neg, pow, reciprocal, relu,
    rsub, sigmoid, sign, sin, sqrt, sub, tanh, where,
)
from .ops.linear import dot, matmul, mm
from .ops.reduction import all, any, argmax, max, mean, min, sum
from .ops.shaping import (
    cat, flatten, permute, reshape, squeeze, stack, transpose, unsqueeze,
)

__version__ = "0.1.0"


def is_tensor(obj: object) -> "bool":  # type: ignore[valid-type]
    """Is this a tensor? Counterpart: ``torch.is_tensor``."""
    return isinstance(obj, Tensor)


def __getattr__(name: str) -> object:
    raise AttributeError(
        f"minigrad has no '{name}'. It covers a part of PyTorch: see the README, "
        "'What minigrad covers'."
    )
