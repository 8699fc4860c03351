"""NumPy as it is in a browser, where its own integers have 32 bits: ``pytest -p narrow_numpy``.

To be imported before minigrad. It cannot change NumPy's methods and operators, such as
``array.argmax()`` and ``1 + array``; what it changes are the functions that minigrad makes indices,
counts and arrays of Python's integers with.
"""

from __future__ import annotations

import functools

import numpy as np

INT32 = np.dtype(np.int32)


def narrowed(result):
    if isinstance(result, tuple):
        return tuple(map(narrowed, result))
    return result.astype(INT32) if result.dtype == np.int64 else result


def of_python_integers(data):
    """Is this a Python integer, or nested lists of them?"""
    while isinstance(data, (list, tuple)) and data:
        data = data[0]
    return type(data) in (int, bool)


def finding(function):
    """Finds places or counts: they have 32 bits."""

    @functools.wraps(function)
    def found(*args, **options):
        return narrowed(function(*args, **options))

    return found


def making(function):
    """Makes arrays: without a dtype, of Python integers that fit, they have 32 bits."""

    @functools.wraps(function)
    def made(data, *args, **options):
        array = function(data, *args, **options)
        narrow = "dtype" not in options and of_python_integers([data, *args])
        fits = array.dtype == np.int64 and (abs(array) < 2**31).all()
        return narrowed(array) if narrow and fits else array

    return made


def insisting(function, position):
    """Takes places or counts, and insists on 32 bits."""

    @functools.wraps(function)
    def called(*args, **options):
        np.asarray(args[position]).astype(INT32, casting="safe")
        return narrowed(function(*args, **options))

    return called


@functools.wraps(np.unique)
def unique(*args, unique=np.unique, **options):
    out, *places = unique(*args, **options)
    return out, *map(narrowed, places)


def summing(function):
    """Adds or multiplies up: the results of booleans have 32 bits, unless a dtype is said."""

    @functools.wraps(function)
    def total(array, *args, **options):
        result = function(array, *args, **options)
        narrow = "dtype" not in options and np.asarray(array).dtype == bool
        return narrowed(result) if narrow else result

    return total


np.intp = np.int_ = np.int32
np.unique = unique
np.bincount = insisting(np.bincount, 0)
np.repeat = insisting(np.repeat, 1)
for name in ["argpartition", "argsort", "argwhere", "flatnonzero", "nonzero", "searchsorted"]:
    setattr(np, name, finding(getattr(np, name)))
for name in ["arange", "array", "asarray", "full"]:
    setattr(np, name, making(getattr(np, name)))
for name in ["cumprod", "cumsum", "prod", "sum"]:
    setattr(np, name, summing(getattr(np, name)))
