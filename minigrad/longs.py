"""What indices and counts are made with: they have 64 bits, PyTorch's Long, on every machine.

NumPy makes them as wide as the machine's pointers. Nearly everywhere these have 64 bits, and then
all names here are NumPy's own functions. In a browser (WebAssembly) they have 32: there what the
functions return is widened. The other rooms make integers with these functions alone, or say a
dtype, which ``tests/core/claims/test_longs.py`` sees to.
"""

from __future__ import annotations

from functools import wraps
from typing import Any

import numpy as np

POINTER = np.dtype(np.intp)

NARROW = POINTER.itemsize < 8


def widened(result: Any) -> Any:
    """What a function of NumPy returned: indices and counts among it as int64.

    >>> widened((np.arange(2, dtype=np.intp), np.ones(1))).__class__
    <class 'tuple'>
    """
    if not NARROW:
        return result
    if isinstance(result, tuple):
        return tuple(map(widened, result))
    return result.astype(np.int64) if result.dtype == POINTER else result


def told(places: Any) -> Any:
    """Indices and counts as wide as a pointer: ``take``, ``repeat``, ``bincount`` insist on it."""
    return places.astype(POINTER) if NARROW else places


def wide(function: Any) -> Any:
    """The function, if need be with its result widened."""
    if not NARROW:
        return function

    @wraps(function)
    def widening(*args: Any, **options: Any) -> Any:
        return widened(function(*args, **options))

    return widening


array = wide(np.array)
"""Of Python numbers. What has a dtype already is an affair of ``np.array``."""

arange = wide(np.arange)
argmax = wide(np.argmax)
argmin = wide(np.argmin)
argpartition = wide(np.argpartition)
argsort = wide(np.argsort)
argwhere = wide(np.argwhere)
bincount = wide(np.bincount)
flatnonzero = wide(np.flatnonzero)
nonzero = wide(np.nonzero)
searchsorted = wide(np.searchsorted)
