"""The exercise of notebook 10 in which one run becomes a program, with its judge."""

from __future__ import annotations

import functools
import math
import traceback
from typing import Any

from minigrad import lesson
from minigrad.lesson.values import is_open

from . import nb10_runs as runs
from .nb10_judges import Unfit


def fare(rate: Any, km: Any) -> Any:
    return rate * km + 4


def product(a: Any, b: Any) -> Any:
    return (a + b) * (b + 1)


def ratio(a: Any, b: Any) -> Any:
    return (a - b) / b


FORMULAS = {"product": "(a + b) * (b + 1)", "ratio": "(a - b) / b"}
"""Of the functions that the learner has not met."""

PROGRAMS: list[tuple[Any, dict[str, float], dict[str, float]]] = [
    (fare, {"rate": 2.0, "km": 3.0}, {"rate": 3.0, "km": 5.0}),
    (product, {"a": 2.0, "b": 6.0}, {"a": 3.0, "b": 1.0}),
    (ratio, {"a": 7.0, "b": 2.0}, {"a": 9.0, "b": 4.0}),
]


def evaluated(lines: list[runs.Line], inputs: dict[str, float], swap: bool) -> list[float]:
    """The values of all lines, with the operands in their order or in the other."""
    values: dict[str, Any] = dict(inputs)
    for name, operation, operands in lines:
        numbers = [values[one] if isinstance(one, str) else one for one in operands]
        values[name] = runs.OPERATIONS[operation](*(numbers[::-1] if swap else numbers))
    return [values[line.name] for line in lines]


def judge_capture(attempt: Any) -> str | None:
    """Makes programs of three functions, and runs them with other numbers."""
    if not callable(attempt):
        raise Unfit("a function is wanted, capture(f, **example).")
    for f, example, inputs in PROGRAMS:
        noticed, calls = counted(f)
        program = attempt(noticed, **example)
        if is_open(program):
            return None
        if not callable(program):
            return f"it returns {program!r}, and not the function `program`."
        before = len(calls)
        try:
            got = program(**inputs)
        except (KeyError, TypeError) as problem:
            known = why_it_stops(problem, runs.notes(f, **example))
            if known:
                return known
            raise
        if is_open(got):
            return None
        if len(calls) > before:
            return "the program calls the function again. It should know its lines only."
        said = judged_value(f, example, inputs, got)
        if said and loses_numbers(attempt):
            return (
                f"for {called(f, inputs)} it says {got:g}. So much comes out if 0 arrives in the "
                "place of a plain number. What stands in the line in such a place?"
            )
        if said:
            return said
    return ""


def loses_numbers(attempt: Any) -> bool:
    """Whether its programs take each plain number for 0, and are right but for that."""
    inputs = {"a": 3.0, "b": 2.0}
    try:
        got = attempt(product, a=2.0, b=6.0)(**inputs)
        return math.isclose(got, without_numbers(runs.notes(product, a=2.0, b=6.0), inputs))
    except Exception:
        return False


def called(f: Any, inputs: dict[str, float]) -> str:
    """A call as it is written, with its formula if the learner has not met the function."""
    where = f"{f.__name__}({', '.join(f'{k}={v:g}' for k, v in inputs.items())})"
    if f.__name__ in FORMULAS:
        where = f"{where}, a function that returns {FORMULAS[f.__name__]},"
    return where


def counted(f: Any) -> tuple[Any, list[int]]:
    """The function, by its name, and a list that grows with each of its calls."""
    calls: list[int] = []

    @functools.wraps(f)
    def noticed(*numbers: Any, **given: Any) -> Any:
        calls.append(1)
        return f(*numbers, **given)

    return noticed, calls


def at_work(problem: Exception) -> Any:
    """The name of the line that the learner's program was working out when it stopped."""
    frames = traceback.walk_tb(problem.__traceback__)
    return next((f.f_locals["name"] for f, _ in frames if "name" in f.f_locals), None)


def why_it_stops(problem: Exception, lines: list[runs.Line]) -> str:
    """The mistake behind an error of the program, if it is a known one."""
    looked_up = problem.args[0] if problem.args else ""
    is_number = isinstance(problem, KeyError) and isinstance(looked_up, (int, float))
    if is_number and looked_up not in [one for line in lines for one in line.operands]:
        return (
            f"{looked_up} is looked up among the values. They are kept under names, and not by "
            "their places. Under which name is the result of the whole program kept?"
        )
    if isinstance(problem, KeyError) and looked_up == at_work(problem):
        return (
            f"{looked_up} is looked up, and that is the name of the line which is just being "
            "worked out. A line has three parts: which of them do you need in this place?"
        )
    if is_number:
        return (
            f"{looked_up} is looked up among the values, as if it were a name. It is a "
            "number already. How do you tell the two kinds of operands apart?"
        )
    if isinstance(problem, KeyError) and str(looked_up).startswith("v"):
        return (
            f"{looked_up} is looked up where it is not: no ride comes with it, a line of the "
            "program has made it. Where do results of lines go?"
        )
    return next((text for piece, text in STOPPED.items() if piece in str(looked_up)), "")


STOPPED = {
    "expected 2 arguments, got 1": "an operation got one thing, the whole list, and wants two "
    "numbers. How does a call take a list apart?",
    "'str' object is not callable": "a text is called here, as if it were a function: the name of "
    "an operation. Where are the functions to which these names belong?",
    "'NoneType'": "None has arrived at an operation. It stands for something that was looked up "
    "by a name and not found. Are all operands names?",
    "can't multiply sequence": "the texts “rate” and “km” have arrived at an operation, and not "
    "their numbers. Where does the program keep its numbers?",
    "can only concatenate": "the text “v1” has arrived at an operation. It is the name of no "
    "input: a line has made it. Where does the program keep what its lines have made?",
}
"""What an error of Python's says of the program; the rest of it is about Python."""


def judged_value(f: Any, example: Any, inputs: Any, got: Any) -> str:
    where = called(f, inputs)
    if isinstance(got, bool) or not isinstance(got, (int, float)):
        return f"the program for {where} returns {runs.kind_of(got)}. A number is wanted."
    wanted = f(**inputs)
    if math.isclose(got, wanted):
        return ""
    lines = runs.notes(f, **example)
    if math.isclose(got, f(**example)):
        return (
            f"for {where} it says {got:g}, which is the result for the example. "
            "Do the lines get the new numbers?"
        )
    values = evaluated(lines, inputs, False)
    if math.isclose(got, values[0]):
        return f"for {where} it says {got:g}: that is the value of its first line."
    for line, value in zip(lines[:-1], values):
        if math.isclose(got, value):
            return (
                f"for {where} it says {got:g}: that is the value of {line.name}, and the program "
                f"has {len(lines)} lines. Would your `return` fit a program of any length?"
            )
    if math.isclose(got, evaluated(lines, inputs, True)[-1]):
        return f"for {where} it says {got:g}: the operands arrive in the other order."
    if any(math.isclose(got, only) for only in with_one_operation(lines, inputs)):
        return (
            f"for {where} it says {got:g}. So much comes out if each line does the same with its "
            "numbers. Which part of a line says what is to be done?"
        )
    return f"for {where} it says {got:g}, and the function says {wanted:g}."


def without_numbers(lines: list[runs.Line], inputs: dict[str, float]) -> float:
    """The result of a program in which each plain number is replaced by 0."""
    names = [[one if isinstance(one, str) else 0.0 for one in line.operands] for line in lines]
    emptied = [line._replace(operands=tuple(each)) for line, each in zip(lines, names)]
    return evaluated(emptied, inputs, False)[-1]


def with_one_operation(lines: list[runs.Line], inputs: dict[str, float]) -> list[float]:
    """The results of a program that does one and the same in each line."""
    same = [[line._replace(operation=one) for line in lines] for one in ("add", "mul", "sub")]
    return [evaluated(each, inputs, False)[-1] for each in same]


capture = lesson.Exercise(
    "capture",
    judge=judge_capture,
    hint="An operand that is a text, as in isinstance(one, str), is looked up among the values; "
    "any other is a number already. nb10_runs.OPERATIONS[operation] is a function: give it the "
    "numbers one by one, with a star.",
    because="numbers = [values[one] if isinstance(one, str) else one for one in operands], then "
    "values[name] = nb10_runs.OPERATIONS[operation](*numbers), and at the end "
    "return values[lines[-1].name].",
)
