"""Runs small programs on your own class: ``runs_on(Value)``. NumPy and Python alone, no answers.

A program is plain data, a list of steps, and so is what comes of it. The checks compare that with
what is right; this file knows nothing of it. You may read it, and call it yourself:

    >>> run = runs_on(Value)
    >>> run([["leaf", "x", 3.0], ["mul", "y", "x", "x"], ["backward", "y"], ["grad", "x"]])
    {'looks': [6.0], 'error': None}

The steps:

    ["leaf", "x", 3.0]               x = Value(3.0)
    ["leaf", "x", 3.0, False]        x = Value(3.0, requires_grad=False)
    ["mul", "y", "x", 2.0]           y = x * 2.0       any name of BINARY, UNARY or METHODS
    ["sum", "y", "x", {"axis": 0}]   y = x.sum(axis=0)
    ["backward", "y"]                y.backward()      keywords may follow, in a dict
    ["refused", "y"]                 y.backward(): "refused" if that raises RuntimeError
    ["grad", "x"]  ["value", "x"]  ["flag", "x"]       x.grad, x.data, x.requires_grad
    ["kind", "x"]                    what x.data holds: "floats" or "whole numbers"
    ["forget", "y"]                  del y: "freed" if nothing holds its value any longer
    ["zero", "x"]                    x.grad = None
    ["repeat", 3, [...]]             for _ in range(3): ...
    ["while", ["y", "<", 9.0], [...]]                  while y < 9.0: ...
    ["if", ["y", ">", 0.0], [...], [...]]              if y > 0.0: ... else: ...
"""

from __future__ import annotations

import gc
import linecache
import operator
import sys
import traceback
import warnings
import weakref

import numpy as np

BINARY = {
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "div": operator.truediv,
    "pow": operator.pow,
    "matmul": operator.matmul,
}
UNARY = {"neg": operator.neg}
METHODS = ("tanh", "exp", "log", "relu", "sum")
COMPARED = {"<": operator.lt, ">": operator.gt}

MOST_CALLS = 400_000  # of functions, in one program: an engine needs a few for each operation
MOST_ROUNDS = 1_000  # of a while loop
DEPTH = 1_000  # how deep functions may call each other: what Python itself allows
BORROWED = ("minigrad", "torch", "jax", "tensorflow", "autograd", "micrograd", "tinygrad")
CLOCKS = ("minigrad.lesson.stopping",)  # it rings in the middle of a program, when time is over


class TooMuchWork(BaseException):
    """A program has called more functions than any engine needs."""


class NeverEnds(Exception):
    """A while loop has gone round too often."""


class LimitChanged(BaseException):
    """The recursion limit was changed."""


class Unwatched(BaseException):
    """A thread was started, or the count of the calls was switched off."""


class Borrowed(BaseException):
    """The class rests on an engine that somebody else has written."""


def runs_on(kind):
    """A function that runs programs on this class, as it is now.

    Later cells may define another ``Value``. Inside of this one's methods its name still means
    this one, so each stage is checked, and graded, by itself. A cell that is still empty has
    nothing to run on: ``...`` comes back.
    """
    if kind is ...:
        return ...

    def run(program):
        looks = []
        try:
            with_own_name(kind, lambda: watched(lambda: play(kind, program, {}, looks)))
        except KeyboardInterrupt:
            raise
        except (Exception, TooMuchWork, LimitChanged, Unwatched, Borrowed) as error:
            return {"looks": looks, "error": told(error)}
        return {"looks": looks, "error": None}

    run.kind = kind
    return run


def play(kind, steps, names, looks):
    """Do the steps one after the other."""
    for step in steps:
        verb, *rest = step
        if verb == "leaf":
            name, data, *flag = rest
            start = np.array(data) if isinstance(data, list) else data
            names[name] = kind(start, requires_grad=flag[0]) if flag else kind(start)
        elif verb == "repeat":
            for _ in range(rest[0]):
                play(kind, rest[1], names, looks)
        elif verb == "while":
            rounds = 0
            while holds(rest[0], names):
                play(kind, rest[1], names, looks)
                rounds += 1
                if rounds > MOST_ROUNDS:
                    raise NeverEnds
        elif verb == "if":
            play(kind, rest[1] if holds(rest[0], names) else rest[2], names, looks)
        elif verb in ("backward", "zero"):
            change(verb, names[rest[0]], *rest[1:])
        elif verb in ("grad", "value", "flag", "kind", "refused", "forget"):
            looks.append(look(verb, rest[0], names))
        else:
            names[rest[0]] = result(verb, rest[1:], names)


def result(verb, parts, names):
    """What an operation makes."""
    options = parts[-1] if isinstance(parts[-1], dict) else {}
    operands = [names[p] if isinstance(p, str) else p for p in parts if p is not options]
    if verb in BINARY:
        return BINARY[verb](*operands)
    if verb in UNARY:
        return UNARY[verb](*operands)
    return getattr(operands[0], verb)(**options)


def change(verb, value, options=None):
    if verb == "backward":
        value.backward(**(options or {}))
    else:
        value.grad = None


def holds(condition, names):
    """Is this so? An answer that is no plain truth value, such as an array of one, will do."""
    name, sign, number = condition
    return bool(COMPARED[sign](names[name], number))


def look(verb, name, names):
    """What there is to see, as plain data."""
    if verb == "grad":
        return plain(names[name].grad)
    if verb == "value":
        return plain(names[name].data)
    if verb == "flag":
        return bool(names[name].requires_grad)
    if verb == "kind":
        kind = np.asarray(names[name].data).dtype
        return {"f": "floats", "i": "whole numbers", "u": "whole numbers"}.get(kind.kind, str(kind))
    if verb == "refused":
        try:
            names[name].backward()
        except RuntimeError as error:
            if isinstance(error, RecursionError):
                raise
            return "refused"
        return "accepted"
    there = weakref.ref(names.pop(name))
    gc.collect()
    return "freed" if there() is None else "held"


def plain(value):
    """A number, or an array, as plain data."""
    if value is None or isinstance(value, (bool, str)):
        return value
    if not isinstance(value, (int, float, np.ndarray, np.generic)):
        return {"odd": type(value).__name__}
    array = np.asarray(value)
    if array.dtype.kind not in "fiu":
        return {"odd": f"array of {array.dtype}"}
    if array.ndim == 0:
        return float(array)
    return {"shape": list(array.shape), "numbers": [float(x) for x in array.ravel()]}


# ----------------------------------------------------------------------- around a program


def with_own_name(kind, function):
    """Call a function while the class's name means this class, in the cells that made it."""
    cells = [
        vars(one)["__init__"].__globals__
        for one in getattr(kind, "__mro__", ())
        if hasattr(vars(one).get("__init__"), "__globals__")
    ]
    before = [dict.get(names, kind.__name__, ...) for names in cells]
    try:
        for names in cells:
            names[kind.__name__] = kind
        function()
    finally:
        for names, old in zip(cells, before):
            if old is ...:
                names.pop(kind.__name__, None)
            else:
                names[kind.__name__] = old


def watched(function):
    """Call a function, and count what it calls."""
    calls = 0

    def called(frame, event, arg):
        nonlocal calls
        if event == "c_call" and frame.f_code is not watched.__code__:
            if arg is sys.setrecursionlimit:
                raise LimitChanged
            is_start = str(getattr(arg, "__name__", "")).startswith("start_")
            if arg is sys.setprofile or (is_start and arg.__module__ == "_thread"):
                raise Unwatched
        if event != "call":
            return
        calls += 1
        if calls > MOST_CALLS:
            raise TooMuchWork
        module = str(frame.f_globals.get("__name__", ""))
        if module.split(".")[0] in BORROWED and module not in CLOCKS:
            raise Borrowed(module.split(".")[0])

    profile = sys.getprofile()
    depth = sys.getrecursionlimit()
    here = 0
    frame = sys._getframe()
    while frame is not None:
        here += 1
        frame = frame.f_back
    sys.setrecursionlimit(DEPTH + here)
    sys.setprofile(called)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            function()
    finally:
        sys.setprofile(profile)
        sys.setrecursionlimit(depth)


def told(error):
    """An error as plain data: its kind, what it says, and the line of yours that raised it."""
    lines = [frame for frame in traceback.extract_tb(error.__traceback__) if is_theirs(frame)]
    line = ""
    if lines and not isinstance(error, (RecursionError, TooMuchWork, Unwatched, Borrowed)):
        line = lines[-1].line or linecache.getline(lines[-1].filename, lines[-1].lineno or 0)
    kind, text = type(error).__name__, str(error)[:300]
    operators = [frame for frame in lines[-50:] if frame.name.startswith("__")]
    if isinstance(error, RecursionError) and len(operators) > 25:  # the rest may be a library's
        kind = "OperatorsInACircle"
    return {"kind": kind, "text": text, "line": line.strip()[:200]}


def is_theirs(frame):
    return frame.filename != __file__ and "site-packages" not in frame.filename
