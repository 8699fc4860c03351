"""The exercise of notebook 09 about a graph of the learner's own, with its judge."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable
from typing import Any

import minigrad as torch
from minigrad import lesson
from minigrad.lesson.values import is_open

from . import nb09_runs as runs
from .nb09_drawings import many, planned
from .nb09_judges import Unfit
from .nb09_runs import Graph


def judge_own(attempt: Any) -> str | None:
    """Counts work, span and workers of the learner's function: are they as foretold?"""
    if not isinstance(attempt, (list, tuple)) or len(attempt) != 5:
        raise Unfit(
            "five things are wanted: the function, its inputs, its work, its span and its workers."
        )
    function, inputs, *said = attempt
    if any(map(is_open, (inputs, *said))):
        return None
    if not callable(function) or not isinstance(inputs, dict):
        raise Unfit(
            "the function comes first, and then its inputs by name, as in dict(a=2.0, b=6.0)."
        )
    require_inputs(function, inputs)
    seen = []

    def noticed(**given: Any) -> Any:
        seen.append(function(**given))
        return seen[-1]

    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        tasks = runs.graph(noticed, **inputs)
    if is_open(seen[-1]):
        return None
    left = any("to a scalar" in str(one.message) for one in warned)
    require_a_graph(tasks, seen[-1], left)
    of = {"work": "operations", "span": "operations", "number of workers": "workers"}
    for name, number in zip(of, said):
        if isinstance(number, bool) or not isinstance(number, (int, float)):
            raise Unfit(f"the {name} has to be a number.")
        if number % 1:  # of inf, too
            raise Unfit(
                f"the {name} cannot be {number:g}: it counts {of[name]}, and these are whole."
            )
    foretold[:] = [function]
    told = why_not_foretold(tasks, *said)
    return told + NO_TRACE if told and left else told


foretold: list[Any] = []
"""The function of which work, span and workers were last written down; it may be drawn."""


def require_inputs(function: Callable[..., Any], inputs: dict[str, Any]) -> None:
    """Raises Unfit unless each argument of the function has its input, and nothing else is there.

    Of what tells no names, such as some functions of Python's own, no names are required.
    """
    for name, value in inputs.items():
        if isinstance(value, str):
            raise Unfit(f"{name} is a text in my_inputs: numbers stand without quotation marks.")
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return
    try:
        signature.bind(**inputs)
    except TypeError as error:
        raise Unfit(
            f"my_inputs does not fit the function: {error}. It holds a value for each name in the "
            "brackets behind def my_function."
        ) from error


NO_TRACE = (
    " (The tape sees only operations on tensors: what math.sin(), float() or .item() returns is a "
    "plain number, which leaves no trace.)"
)


def require_a_graph(tasks: Graph, result: Any, left: bool) -> None:
    """Raises Unfit unless there is something to count, and something to share.

    ``left``: a number has left the tape on the way.
    """
    if result is None:
        raise Unfit("it returns nothing. Is there a `return` in front of its result?")
    if len(tasks) < 5:
        raise Unfit(
            f"the tape sees {len(tasks)} of its operations. Take a function with five at least."
            f"{NO_TRACE}"
        )
    if not torch.is_tensor(result):
        raise Unfit(f"it returns a {type(result).__name__}, and a single tensor is wanted.")
    if runs.work(tasks) == runs.span(tasks):
        raise Unfit(
            "its operations are one chain. Take a function in which two need not wait for each "
            f"other.{NO_TRACE if left else ''}"
        )


def why_not_foretold(tasks: Graph, said_work: float, said_span: float, said_workers: float) -> str:
    """The first of three numbers that is wrong, and what it counts; "" if all are right."""
    work, longest, workers = runs.work(tasks), runs.span(tasks), enough_workers(tasks)
    counts = {
        "work": (said_work, work, "It counts all its operations."),
        "span": (said_span, longest, "It counts those on the longest path."),
    }
    for name, (said, right, what) in counts.items():
        if said != right:
            if (said_work, said_span) == (longest, work):
                return f"{said:g} is not the {name}. Have you taken work and span for each other?"
            return f"the {name} is {'larger' if said < right else 'smaller'} than {said:g}. {what}"
    if said_workers < workers:
        return (
            f"with {many(said_workers, 'worker')} our simple rule is not done when the span is "
            "over. In which minute would another one have something to do?"
        )
    if said_workers > workers:
        return (
            f"fewer workers than {said_workers:g} are done at the same minute. Which of them could "
            "have stayed at home?"
        )
    return ""


def enough_workers(tasks: Graph) -> int:
    """The fewest workers with whom our simple rule takes no longer than the span."""
    counts = range(1, len(tasks) + 1)
    return next(n for n in counts if runs.ends(runs.schedule(tasks, n)) == runs.span(tasks))


own: lesson.Exercise = lesson.Exercise(
    "own graph",
    judge=judge_own,
    hint="Draw an arrow from each operation to those that use its result. The work is the "
    "number of operations, and the span the number of them on the longest path along the arrows. "
    "A square and a minus sign are operations, too. For the workers, go through the minutes as in "
    "section 2: first with a single one, and then with one more each time.",
    because="The next cell draws the graph. The work is the number of its boxes, and the span the "
    "number of its columns. Below it stand the plans: from some number of workers on, one more "
    "gains nothing.",
)


MOST_DRAWN = 8


def draw_own(function: Any, inputs: Any) -> Any:
    """The learner's graph with schedules for it, or a word on why there is none."""
    seen = []

    def noticed(**given: Any) -> Any:
        seen.append(function(**given))
        return seen[-1]

    try:
        tasks = runs.graph(noticed, **inputs)
    except Exception as error:
        print(f"{type(error).__name__}: this cannot be drawn yet. The check above says why.")
        return None
    if is_open(seen[-1]):
        print("Fill in the cell above first.")
        return None
    if not any(one is function for one in foretold):
        print("It is drawn as soon as the check above has your function and your three numbers.")
        return None
    most = min(max(enough_workers(tasks), 3), MOST_DRAWN)
    return planned(tasks, *range(1, most + 1))
