"""New memory for what an operation works out, made so that the making can be noted.

``static`` writes down what is asked of NumPy, by handing the operations arrays that answer for
themselves. A buffer that is to be filled from these must be one of them; so it is made in the
likeness of an array that is at hand.
"""

from __future__ import annotations

from typing import Any

import numpy as np


def as_array(value: Any) -> Any:
    """A value as an array, whose memory can be shared and written: a NumPy scalar becomes one."""
    return value if isinstance(value, np.ndarray) else np.copy(value)


def empty(shape: Any, like: Any, dtype: Any = None) -> Any:
    """Memory to be filled with numbers that are made of ``like``."""
    return np.empty(shape, dtype or like.dtype, like=maker(like))


def zeros(shape: Any, like: Any) -> Any:
    """Zeros to which numbers will be added that are made of ``like``."""
    return np.zeros(shape, like.dtype, like=maker(like))


def full(shape: Any, value: Any, like: Any) -> Any:
    """One number everywhere, for now."""
    return np.full(shape, value, like.dtype, like=maker(like))


def maker(like: Any) -> Any:
    """Who is asked to make an array: None, which is NumPy, where there is only a NumPy scalar."""
    return like if hasattr(like, "__array_function__") else None


def repeated(value: Any, shape: Any, strides: Any) -> Any:
    """An array of this shape that shows some entries of ``value`` several times."""
    if not issubclass(type(value), (np.ndarray, np.generic)):
        return value.repeated(repeated, shape, strides)
    return np.ndarray(shape, value.dtype, np.asarray(value), strides=strides)
