"""Evenly spaced numbers: ``arange``, ``linspace``, ``logspace``."""

from __future__ import annotations

import math
from operator import index
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import dtypes, longs
from ..compat.arguments import check_implemented, ensure, fitting, number_of
from .creation import leaf

if TYPE_CHECKING:
    from .._tensor import Tensor


def arange(
    start: Any = None,
    end: Any = None,
    step: Any = 1,
    *,
    dtype: Any = None,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """The numbers from ``start`` (0 if only one is given) up to, not including, ``end``.

    Integers if all are, else the default dtype. Counterpart: ``torch.arange``.

    >>> import minigrad as torch
    >>> torch.arange(4), torch.arange(0, 1, 0.5)
    (tensor([0, 1, 2, 3]), tensor([0.0000, 0.5000]))
    """
    text = "arange() received an invalid combination of arguments - got (): it needs an end"
    ensure(start is not None or end is not None, text, error=TypeError)
    if end is None:
        end = start
        start = 0
    if start is None:
        start = 0
    start = number_of("arange", start, "start", 1)
    end = number_of("arange", end, "end", 2)
    step = number_of("arange", step, "step", 3)
    whole = all(isinstance(v, (int, np.integer)) for v in (start, end, step))
    wanted = dtypes.asked("arange", dtype, dtypes.int64 if whole else dtypes.get_default_dtype())
    check_implemented("arange_cpu", wanted.numpy.type())
    ensure(math.isfinite(end - start), "unsupported range: {} -> {}", start, end)
    if wanted is dtypes.int64:
        start = int(start)
        end = int(end)
        step = int(step)
    ensure(step != 0, "step must be nonzero")
    ensure((end - start) * step >= 0, "upper bound and lower bound inconsistent with step sign")
    places = longs.arange(math.ceil((end - start) / step))
    if wanted.kind == dtypes.INTEGER:
        start = int(start)
        step = int(step)
    array = start + step * places
    return leaf(array.astype(wanted.numpy, copy=False), requires_grad, device=device)


def linspace(
    start: Any,
    end: Any,
    steps: Any,
    *,
    dtype: Any = None,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """``steps`` numbers, evenly spaced, both ends included. Counterpart: ``torch.linspace``.

    >>> import minigrad as torch
    >>> torch.linspace(0, 1, 3)
    tensor([0.0000, 0.5000, 1.0000])
    """
    dtype = dtypes.asked("linspace", dtype, dtypes.get_default_dtype())
    check_implemented("linspace_cpu", dtype.numpy.type())
    steps = index(steps)
    ensure(steps >= 0, "number of steps must be non-negative")
    working: Any = np.float64
    exact: Any = np.float64
    if dtype.is_floating_point:
        working = dtype.numpy.type
        exact = np.longdouble
    first = working(fitting(number_of("linspace", start, "start", 1), dtype))
    last = first
    if steps != 1:
        last = working(fitting(number_of("linspace", end, "end", 2), dtype))
    # PyTorch rounds the step, counts the second half back from the end, and fuses the
    # multiplication with the addition: as if the sum were computed without rounding.
    step = exact((last - first) / working(steps - 1 or 1))
    places = longs.arange(steps)
    back = last - step * (steps - 1 - places)
    array = np.where(places < steps // 2, first + step * places, back)
    return leaf(array.astype(dtype.numpy), requires_grad, device=device)


def logspace(
    start: Any,
    end: Any,
    steps: Any,
    base: float = 10.0,
    *,
    dtype: Any = None,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """``base`` to the power of ``steps`` numbers, evenly spaced from ``start`` to ``end``.

    Counterpart: ``torch.logspace``.

    >>> import minigrad as torch
    >>> torch.logspace(0, 3, 4), torch.logspace(0, 3, 4, base=2)
    (tensor([   1.,   10.,  100., 1000.]), tensor([1., 2., 4., 8.]))
    """
    dtype = dtypes.asked("logspace", dtype, dtypes.get_default_dtype())
    check_implemented("logspace_cpu", dtype.numpy.type())
    start = number_of("logspace", start, "start", 1)
    end = number_of("logspace", end, "end", 2)
    first = fitting(start, dtype).item()
    last = fitting(end, dtype).item()
    working = dtype if dtype.is_floating_point else dtypes.float64
    exponents = linspace(first, last, steps, dtype=working)._array.astype(np.float64)
    with np.errstate(all="ignore"):
        array = (float(base) ** exponents).astype(dtype.numpy)
    return leaf(array, requires_grad, device=device)
