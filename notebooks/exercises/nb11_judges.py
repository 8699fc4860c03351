"""Exercises of notebook 11 in which rules are written, and kinks; with their judges."""

from __future__ import annotations

import dis
import inspect
import math
from typing import Any

import minigrad as torch
from minigrad import lesson
from minigrad.lesson import broke
from minigrad.lesson.values import is_open

from .nb11_runs import show_curves, slope

POINTS = (-1.3, 0.4, 2.5)
FARES = (2.6, -1.9, 4.9)


def is_function(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, torch.autograd.Function)


def double(numbers: Any) -> Any:
    return torch.tensor(numbers, dtype=torch.float64, requires_grad=True)


def empty() -> None: ...


def begun(method: Any) -> bool:
    """Whether anything stands in the body of a method, besides three dots."""
    return method.__code__.co_code != empty.__code__.co_code


def no_result(kind: Any, y: Any) -> bool:
    """Whether forward() still stands for nothing; what has been begun is judged."""
    return is_open(y) or (y is None and not (begun(kind.forward) or begun(kind.backward)))


def nothing_back(kind: Any) -> str:
    """What is said of a backward() that returns None."""
    if not begun(kind.backward):
        return "backward() returns nothing yet. What goes on to x?"
    return "backward() returns None: nothing goes on to x. Is a return missing?"


def names_read(method: Any) -> list[str]:
    """The names that a method takes from the notebook."""
    return [one.argval for one in dis.get_instructions(method) if "GLOBAL" in one.opname]


def foreign(kind: Any) -> str:
    """What is said of a backward() that reads an x of the notebook, and so a wrong one; or ""."""
    if "x" not in names_read(kind.backward):
        return ""
    return (
        "backward() computes with the x of an earlier cell, and not with the one that went in. How "
        "does the class Cube hand its x from forward() to backward()?"
    )


def misshapen(kind: Any, inputs: str = "x") -> str:
    """What is wrong with the class itself, before anything of it is run; or ""."""
    if not is_function(kind):
        return "a class is wanted, made from torch.autograd.Function."
    for name, wanted in (("forward", f"ctx, {inputs}"), ("backward", "ctx, g")):
        method = getattr(kind, name)
        if method is getattr(torch.autograd.Function, name):
            return f"the class has no method {name}(). Is its name written as it was in the cell?"
        try:
            inspect.signature(method).bind(*wanted.split(", "))
        except TypeError:
            return f"{name}() is handed {wanted}: that has to stand in its brackets."
    return ""


def gone_forward(kind: Any, *inputs: Any) -> tuple[Any, str]:
    """What forward() makes, and what in the learner's rule has stopped it, or ""."""
    try:
        return kind.apply(*inputs), ""
    except NameError as problem:
        return None, unknown_name("forward", problem.name)
    except TypeError as problem:
        if "__round__" not in str(problem):
            raise
        return None, (
            "Python's own round() knows nothing of tensors. With which word, before the dot, did "
            "the cells above round?"
        )


def unknown_name(method: str, name: str, other: Any = None) -> str:
    """What is said of a name that a method does not know; ``other``: the method that ran before."""
    said = f"{method}() does not know the name {name}."
    if other is not None and name in other.__code__.co_varnames:
        return (
            f"{said} It runs later than forward(), and the names of forward() are gone then. What "
            "do both of them get?"
        )
    if hasattr(torch, name):
        return f"{said} Operations on tensors are called with torch and a dot before their names."
    return f"{said} It knows what stands in its brackets, and what the cells above have made."


def gone_back(kind: Any, total: Any) -> str:
    """Runs backward(); says what in the learner's rule has stopped it, or ""."""
    try:
        total.backward()
    except NameError as problem:
        return unknown_name("backward", problem.name, kind.forward)
    except (RuntimeError, ValueError, TypeError, AttributeError) as problem:
        for piece, said in STOPPED.items():
            if piece in str(problem):
                return said
        if isinstance(problem, AttributeError) and "Backward" in type(problem.obj).__name__:
            return f"backward() reads ctx.{problem.name}, and forward() has kept nothing there."
        raise
    return ""


PLAIN = "backward() returns a plain number. What arrives is a tensor; what becomes of it?"
TUPLE = (
    "ctx.saved_tensors is a tuple, also where only one tensor was kept, and backward() computes "
    "with the whole tuple. How does the class Cube take its x out of it?"
)
STOPPED = {
    "got ellipsis": "backward() still returns the three dots. What goes on to x?",
    "got float": PLAIN,
    "got int": PLAIN,
    "got tuple": TUPLE,
    "got list": "backward() returns a list. Where there is one input, a tensor is wanted, and for "
    "several a tuple is wanted: no square brackets.",
    "cannot be converted to Scalar": "backward() makes one plain number of what arrives, and "
    "several numbers arrive here. Go on with the tensor itself.",
    "not enough values to unpack": "backward() takes more out of ctx.saved_tensors than forward() "
    "has put in. In which line does the class Cube keep its x?",
    "tuple": TUPLE,
    "only integer tensors of a single element": TUPLE,
    "invalid gradient": "what backward() sends back does not have the shape of x. What is the "
    "shape of what arrives?",
}
"""What is said where a learner's backward() has stopped, by a piece of its error."""


def not_as_long(y: Any, x: Any) -> str:
    """Says so if forward() has not made one number of each, or ""."""
    if y is None:
        return "forward() returns nothing. Do three dots stand there, or is a return missing?"
    if not isinstance(y, torch.Tensor):
        return f"forward() returns {type(y).__name__}, and a tensor is wanted."
    if y.shape != x.shape:
        return (
            f"of three numbers forward() makes the shape {tuple(y.shape)}: one of each is wanted."
        )
    return ""


def mixes_calls(kind: Any, one: tuple[Any, ...], other: tuple[Any, ...]) -> bool:
    """Whether a call sends back something else when another one runs before its backward().

    ``one`` is what the call gets before its x.
    """
    sent = []
    for between in (False, True):
        x = double([1.0])
        y = kind.apply(*one, x)
        if between:
            kind.apply(*other)
        y.sum().backward()
        sent.append(x.grad.item())
    return sent[0] != sent[1]


MIXED = (
    "one call alone is right. But when the operation runs twice before backward(), the way back of "
    "the first call finds what the second one has kept. What belongs to one call?"
)

# ------------------------------------------------------------------------------ straight through


def judge_straight(kind: Any) -> str | None:
    """Half euros on the way forward, and on the way back what arrives."""
    if other := misshapen(kind):
        return other
    x = double(FARES)
    y, stopped = gone_forward(kind, x)
    if stopped:
        return stopped
    if no_result(kind, y):
        return None
    if other := not_as_long(y, x):
        return other
    values = y.detach().tolist()
    if near(values, [3.0, -2.0, 5.0]):
        return "forward() rounds to whole euros. Which number has to be rounded for half ones?"
    if near(values, [5.0, -4.0, 10.0]):
        return "forward() returns twice too much: 2.6 becomes 5, and it should be 2.5."
    for fare, made, half in zip(FARES, values, (2.5, -2.0, 5.0)):
        if not near([made], [half]):
            return f"of {fare} forward() makes {made:.4g}, and it should be {half}."
    if "x" in names_read(kind.backward) and "x" not in kind.backward.__code__.co_varnames:
        return (
            "backward() reads the x of an earlier cell. Does the slope of the line through the "
            "stairs change with x?"
        )
    if stopped := gone_back(kind, (10 * y).sum()):
        return stopped
    if x.grad is None:
        return nothing_back(kind)
    return said_of_straight(kind, x.grad.tolist())


def said_of_straight(kind: Any, got: list[float]) -> str:
    """What is wrong with what backward() sends back where 10 arrives, or ""."""
    if near(got, [1.0] * 3):
        return broke("multiply", "whatever arrives, a 1 goes on. Where 10 arrives it is wrong.")
    if near(got, [0.0] * 3):
        return "that is the true slope, and with it nothing moves."
    if near(got, [20.0] * 3) or near(got, [5.0] * 3):
        return (
            "over a whole euro, that is not how fast the rounded fare follows: when the fare grows "
            "by 1, by how much does it grow?"
        )
    if near(got, [-10.0] * 3):
        return broke(
            "direction", "the size is right. When a fare grows, does the rounded fare fall?"
        )
    if near(got, [10 * fare for fare in FARES]):
        return "that multiplies by x. Does the slope of the line through the stairs change with x?"
    if near(got, [100.0] * 3):
        return "what arrives is multiplied in twice."
    if not near(got, [10.0] * 3):
        return f"where 10 arrives, it sends back {got[0]:.4g}."
    x = double([2.6])
    (0.3 * kind.apply(x)).sum().backward()
    if not near(x.grad.tolist(), [0.3]):
        return (
            f"10 goes on as it is, but where 0.3 arrives, it sends back {x.grad.item():.4g}. The "
            "fares are rounded. Is what arrives to be rounded?"
        )
    return ""


straight = lesson.Exercise(
    "straight",
    judge=judge_straight,
    hint="Double the number, round, and halve it again. The steps of the staircase are smaller "
    "now; how steep is the line through them?",
    because="return torch.round(2 * x) / 2 in forward, and g alone in backward.",
)

# ---------------------------------------------------------------------------------- the cube


def judge_softplus(kind: Any) -> str | None:
    """Compares values and slopes at three points, and lets an incoming gradient be 10."""
    if other := misshapen(kind):
        return other
    x = double(POINTS)
    y, stopped = gone_forward(kind, x)
    if stopped:
        return stopped
    if no_result(kind, y):
        return None
    if other := not_as_long(y, x):
        return other
    if y.grad_fn is None:
        return broke("record", "the result has no history.")
    values = [math.log1p(math.exp(one)) for one in POINTS]
    if not near(y.detach().tolist(), values):
        return "forward() does not return log(1 + exp(x))."
    if stopped := foreign(kind) or gone_back(kind, (10 * y).sum()):
        return stopped
    if x.grad is None:
        return nothing_back(kind)
    if message := said_of_softplus(x.grad.tolist(), values):
        return message
    return MIXED if mixes_calls(kind, (), (double([5.0]),)) else ""


def said_of_softplus(got: list[float], values: list[float]) -> str:
    """What is wrong with what backward() sends back where 10 arrives, or ""."""
    slopes = [1 / (1 + math.exp(-one)) for one in POINTS]
    known = {
        "": [10 * one for one in slopes],
        "multiply": slopes,
        "ones": [10.0] * len(POINTS),
        "value": [10 * one for one in values],
        "exp": [10 * math.exp(one) for one in POINTS],
        "minus": [10 * (1 - one) for one in slopes],
        "minus alone": [1 - one for one in slopes],
        "value alone": values,
        "exp alone": [math.exp(one) for one in POINTS],
        "square": [100 * one for one in slopes],
        "sign": [-10 * one for one in slopes],
        "added": [10 + one for one in slopes],
        "brackets": [11 * math.exp(one) for one in POINTS],
        "at the result": [10 / (1 + math.exp(-one)) for one in values],
        "relu": [10.0 * (one > 0) for one in POINTS],
        "twice": [10 * one * (1 - one) for one in slopes],
    }
    found = next((name for name, wanted in known.items() if near(got, wanted)), None)
    said = {
        "": "",
        "multiply": "that is the local slope alone. What should change when 10 arrives, and not 1?",
        "ones": broke("local", "that passes on what arrives, as if the local slope were 1."),
        "value": "that multiplies by the result. What is wanted is the local slope.",
        "exp": "that is the slope of exp(x). The logarithm around it has a slope, too.",
        "minus": "that is the slope at −x: look at the sign in the exponent.",
        "minus alone": "two things are wrong: g, what arrives, is not used, and that is the slope "
        "at −x.",
        "value alone": "two things are wrong: g, what arrives, is not used, and the result is no "
        "slope.",
        "exp alone": "two things are wrong: g, what arrives, is not used, and the logarithm around "
        "exp(x) has a slope, too.",
        "square": "what arrives is multiplied in twice.",
        "sign": broke("direction", "the size is right. When x grows, does log(1 + exp(x)) fall?"),
        "added": broke(
            "multiply", "that adds the local slope to what arrives. What does the chain rule do?"
        ),
        "brackets": "only the 1 is divided by: look at the brackets.",
        "at the result": "that is the slope at the result, and not at x. What was kept?",
        "relu": "that is the slope of relu, with its corner. This curve has none.",
        "twice": "that is how fast the slope changes, and the slope itself is wanted.",
    }
    if found is not None:
        return said[found]
    return f"at x = {POINTS[0]}, where 10 arrives, it sends back {got[0]:.4g}."


def near(some: list[float], others: list[float], share: float = 1e-6) -> bool:
    return all(math.isclose(a, b, rel_tol=share, abs_tol=1e-9) for a, b in zip(some, others))


softplus = lesson.Exercise(
    "softplus",
    judge=judge_softplus,
    hint="By the chain rule the slope of log(1 + exp(x)) is 1 / (1 + exp(x)), times the slope of "
    "what is inside. And what arrives from later in the graph has to be multiplied in.",
    because="In forward, keep x with ctx.save_for_backward(x) and return torch.log(1 + "
    "torch.exp(x)). In backward, take x from ctx.saved_tensors and return g / (1 + "
    "torch.exp(-x)).",
)

# ------------------------------------------------------------------------- two inputs, one a number


def judge_scaled(kind: Any) -> str | None:
    """A plain number and a tensor go in; None and a gradient come back."""
    if other := misshapen(kind, "k, x"):
        return other
    if list(inspect.signature(kind.forward).parameters)[-2:] == ["x", "k"]:
        return "forward() is handed k first and then x, as the cell had it at first."
    x = double([1.3, -2.0, 3.0])
    returned: list[Any] = []
    y, stopped = gone_forward(overheard(kind, returned), 4.0, x)
    if stopped:
        return stopped
    if no_result(kind, y):
        return None
    if other := not_as_long(y, x):
        return other
    if not near(y.detach().tolist(), [5.2, -8.0, 12.0]):
        return "forward() does not return the product."
    try:
        stopped = gone_back(kind, (5 * y).sum())
    except RuntimeError:
        if said := said_of_entries(returned):
            return said
        raise
    if message := stopped or said_of_entries(returned) or said_of_scaled(x):
        return message
    return MIXED if mixes_calls(kind, (2.0,), (3.0, double([1.0]))) else ""


def overheard(kind: Any, returned: list[Any]) -> Any:
    """The learner's class; what its backward() returns is put into ``returned``, too."""

    def backward(ctx: Any, g: Any) -> Any:
        returned.append(kind.backward(ctx, g))
        return returned[-1]

    return type(kind.__name__, (kind,), {"backward": staticmethod(backward)})


def said_of_entries(returned: list[Any]) -> str:
    """What is wrong with the number, the order or the kind of what backward() returns, or ""."""
    if not returned:
        return ""
    entries = returned[-1]
    if is_open(entries):
        return STOPPED["got ellipsis"]
    if entries is None:
        return "backward() returns nothing at all. Do three dots stand there, or no return?"
    if isinstance(entries, list):
        return "backward() returns a list, and a tuple is wanted: commas, without square brackets."
    if not isinstance(entries, tuple):
        return (
            "backward() has to return one thing for each input of forward(), after ctx, with a "
            "comma between them. A plain number gets no gradient: what is returned for it?"
        )
    if len(entries) != 2:
        unseen = len(entries) > 2 and all(entry is None for entry in entries[2:])
        silent = " Entries of None that are too many raise no error." if unseen else ""
        many = "one entry" if len(entries) == 1 else f"{len(entries)} entries"
        return f"backward() returns {many}, and forward() has two inputs.{silent}"
    first, second = entries
    if first is None:
        return ""
    if second is None:
        return (
            "the first entry is for k, a plain number, and a gradient stands there: look at the "
            "order."
        )
    gradient = isinstance(second, torch.Tensor) and second.numel() == 3
    right = gradient and near(second.detach().reshape(-1).tolist(), [20.0] * 3)
    said = "the second entry is right, and " if right else ""
    return f"{said}the first one is for k: what is returned for a plain number?"


def said_of_scaled(x: Any) -> str:
    """What is wrong with the gradient of x, where 5 arrives and k is 4, or ""."""
    if x.grad is None:
        return "None is returned for x as well, so nothing arrives at it."
    got = x.grad.tolist()
    if near(got, [4.0] * 3):
        return "that is the local slope alone. What should change when 10 arrives, and not 1?"
    if near(got, [1.25] * 3):
        return "that divides by k. When a fare grows by 1 euro, how many units does x * k grow by?"
    if any(near(got, [by * one for one in (1.3, -2.0, 3.0)]) for by in (5.0, 20.0)):
        return "that multiplies by x. Does the slope of x * k change with x?"
    if near(got, [5.0] * 3):
        return "that passes on what arrives, as if the local slope were 1. How steep is x * k in x?"
    if near(got, [9.0] * 3):
        return broke("multiply", "that adds k to what arrives. What does the chain rule do?")
    if near(got, [100.0] * 3):
        return "what arrives is multiplied in twice."
    if near(got, [-20.0] * 3):
        return broke("direction", "the size is right. When x grows, does x * k fall?")
    if not near(got, [20.0] * 3):
        return f"where 5 arrives and k is 4, it sends back {got[0]:.4g}."
    return ""


scaled = lesson.Exercise(
    "scaled",
    judge=judge_scaled,
    hint="Keep k as the class Power keeps its exponent. backward() returns a tuple with two "
    "entries, in the order of the inputs.",
    because="In forward, write ctx.k = k and return x * k. In backward, return None, g * ctx.k.",
)

# --------------------------------------------------------------------------------- at the kinks

KINKS = {
    "A": ("torch.relu(x)", "at 0", torch.relu, 0.0),
    "B": ("x * torch.abs(x)", "at 0", lambda x: x * torch.abs(x), 0.0),
    "C": ("torch.sqrt(x)", "at 0", torch.sqrt, 0.0),
    "D": ("x.clamp(0, 1)", "at 0", lambda x: x.clamp(0, 1), 0.0),
    "E": ("torch.floor(x)", "at 1", torch.floor, 1.0),
}


def show_kinks() -> None:
    """Five functions, each at a point."""
    for letter, (text, where, *_) in KINKS.items():
        print(f"{letter}   {text:16} {where}")


def show_chosen(yours: Any = None, at: float = 0.0) -> None:
    """The slopes on both sides of these points, and the numbers that backward() gives there.

    ``yours`` is a function of one tensor, for a sixth row.
    """
    shown = dict(KINKS)
    if yours is not None:
        if reason := unfit_for_a_row(yours, at):
            print(f"No sixth row: {reason}")
        else:
            shown["F"] = ("yours", f"at {at:g}", yours, float(at))
    both = {}
    for letter, (text, where, function, at) in shown.items():
        left, right = one_sided(function, at, -1e-6), one_sided(function, at, 1e-6)
        gradient = slope(function, at)
        sides = f"left {said(left)}   right {said(right)}"
        print(f"{letter}   {text:16} {where:7} {sides}   gradient {gradient:g}")
        both[letter] = " ".join(sides.split())
    show_curves(shown, both)


def unfit_for_a_row(yours: Any, at: Any) -> str:
    """Why no slopes can be told of what a learner has given, or ""."""
    if not callable(yours) or not isinstance(at, (int, float)):
        return "a function and a number are wanted, as in (torch.abs, 0)."
    made = yours(double(float(at)))
    if not isinstance(made, torch.Tensor) or not made.requires_grad:
        return "what your function returns is not made from its input."
    if yours(double([float(at)] * 3)).shape != (3,):
        return "your function has to make one number of each that goes in."
    return ""


def said(slope: float) -> str:
    return f"{'none' if math.isnan(slope) else format(slope, '.4g'):>5}"


def one_sided(function: Any, at: float, h: float) -> float:
    """The slope from a point to another at the distance h."""
    here, there = function(double([at, at + h])).tolist()
    return round((there - here) / h, 3) + 0.0


WORDS = ("slope", "choice", "infinite", "jump")
KIND_OF = dict(zip(KINKS, ("choice", "slope", "infinite", "choice", "jump"), strict=True))
ABOUT = {
    "A": "A: how steep is relu a little to the left of 0, and how steep to the right?",
    "B": "B: how steep is this curve at −0.001, and how steep at 0.001? Without abs it is x², once "
    "with a minus.",
    "C": "C: try the root of 0.0001 and of 0.000001. How steep is the way there from 0?",
    "D": "D: left of 0, clamp lets nothing through. And to the right?",
    "E": "E: what is floor of 0.999, and what is floor of 1?",
}


def judge_kinks(attempt: Any) -> str:
    if not isinstance(attempt, (list, tuple)) or len(attempt) != len(KINKS):
        return "a list of five words is wanted, for A to E."
    wrong = []
    for letter, said in zip(KINKS, attempt):
        word = said.strip().casefold() if isinstance(said, str) else said
        if word not in WORDS:
            return f"{letter}: {said!r} is none of the four words: {', '.join(WORDS)}."
        if word != KIND_OF[letter]:
            wrong.append(letter)
    if len(wrong) > 1:
        return f"{len(wrong)} of the five are not right yet. Begin with {ABOUT[wrong[0]]}"
    return ABOUT[wrong[0]] if wrong else ""


kinks = lesson.Exercise(
    "kinks",
    answer=lambda: list(KIND_OF.values()),
    judge=judge_kinks,
    hint="Ask for the slope a little to the left, and a little to the right. Are both the same, "
    "do both exist and differ, or does one grow without bound? And does the value itself jump?",
    because="relu and clamp have a corner there, x * abs(x) is flat on both sides, the root is "
    "infinitely steep, and floor jumps.",
)
