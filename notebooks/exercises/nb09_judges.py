"""Exercises of notebook 09 that ask for a function: of a longest path, and of a cheap product."""

from __future__ import annotations

import dis
from collections.abc import Callable, Sequence
from typing import Any

import minigrad as torch
from minigrad import lesson
from minigrad.lesson.values import is_open

from . import nb09_runs as runs
from .nb09_runs import Graph, Task


class Unfit(ValueError):
    """What is no attempt that could be judged: it is told so, and does not count as a try."""

    def __init__(self, as_told: str) -> None:
        super().__init__(as_told)
        self.as_told = as_told


# ----------------------------------------------------------------------------------- the span

BRANCHED = Graph(
    [
        Task("a", 2, ()),
        Task("b", 7, ("a",)),
        Task("c", 3, ("b", "a")),
        Task("d", 4, ("b", "a")),
        Task("e", 5, ("c", "d")),
        Task("f", 6, ("a",)),
    ]
)
"""On it, each of the usual mistakes says another number."""

ALONE = Graph([Task("a", 3, ()), Task("b", 5, ()), Task("c", 2, ("a",))])


def path(tasks: Sequence[Task], join: Any, cost: Any = None) -> float:
    """The longest path, if what is waited for were joined otherwise, or cost something else."""
    return max(times(tasks, join, cost).values())


def times(tasks: Sequence[Task], join: Any, cost: Any = None) -> dict[str, float]:
    done: dict[str, float] = {}
    for task in tasks:
        waited = [done[other] for other in task.waits_for]
        done[task.name] = (join(waited) if waited else 0) + (cost or task.cost)
    return done


def spans(tasks: Sequence[Task]) -> dict[float, str]:
    """What usual mistakes say of these tasks, and what is to be said of them."""
    ends, summed = (times(tasks, join).values() for join in (max, sum))
    last = runs.done(tasks)[tasks[-1].name]
    return {
        len(tasks): "so many tasks are in the list. How many minutes do they take?",
        0: "no task takes any time there. When a task has begun, what is still to be added?",
        max(task.cost for task in tasks): "that is the largest cost of a single task. Where do "
        "those come in that a task waits for?",
        runs.work(tasks): "those are all the costs together, which is the work.",
        path(tasks, max, 1): "so many operations are on the longest path. What do they cost?",
        path(tasks, min): "a task begins when all that it waits for is done, and not only one of "
        "these.",
        path(tasks, lambda waited: waited[-1]): "a task begins when all that it waits for is done, "
        "and not only the last that is named.",
        path(tasks, lambda waited: waited[0]): "a task begins when all that it waits for is done, "
        "and not only the first that is named.",
        sum(ends): "those are the minutes at which the tasks are done, all added up. When is the "
        "last of them done?",
        sum(summed): "two things are added that go on at the same time: what a task waits for, and "
        "then all that is done last.",
        path(tasks, sum): "what a task waits for is worked out side by side. Are these times "
        "really added?",
        last: "that is when the last task of the list is done. Is another one still being done?",
    }


def judge_span(attempt: Any) -> str | None:
    """Tries the function on graphs on which the usual mistakes differ."""
    if not callable(attempt):
        raise Unfit("a function is wanted, span(tasks).")
    for tasks in (BRANCHED, ALONE, runs.PLANNED):
        try:
            got = attempt(list(tasks))
        except ValueError as error:
            if "empty" not in str(error):
                raise
            return (
                "ValueError: max was given nothing at all. Which task waits for nobody, and when "
                "can it begin?"
            )
        except (TypeError, KeyError) as error:
            if said := why_no_number(attempt, error):
                raise Unfit(said) from error
            raise
        if is_open(got):
            if gaps(attempt) == 1:
                raise Unfit("one gap is still open: what does the function return?")
            return None
        if isinstance(got, bool) or not isinstance(got, (int, float)):
            what = "nothing" if got is None else f"a {type(got).__name__}"
            raise Unfit(f"it returns {what}, and a number is wanted.")
        wanted = runs.span(tasks)
        if got != wanted:
            told = ", ".join(map(in_a_list, tasks))
            why = spans(tasks).get(got, "too small." if got < wanted else "too large.")
            return f"of the tasks {told} it says {got:g}: {why}"
    return ""


def gaps(function: Any) -> int:
    """How often a ``...`` still stands in a function."""
    code = getattr(function, "__code__", None)
    return sum(one.argval is ... for one in dis.get_instructions(code)) if code else 0


def why_no_number(function: Callable[..., Any], error: TypeError | KeyError) -> str:
    """What made Python stop in the learner's function, or "" if it is none of the usual slips."""
    if gaps(function):
        return "one gap is still open: when is a task done?"
    if isinstance(error, KeyError):
        return (
            f"done has no {error}. waits_for holds several names, or none: done tells for each of "
            "them at which minute that task is done, and you need all of these."
        )
    if "str" in str(error):
        return (
            f"{error}. waits_for holds the names of tasks, and no minutes: done tells for a name "
            "at which minute that task is done."
        )
    return ""


def in_a_list(task: Task) -> str:
    """A task with its cost and those that it waits for: "c 3 (after b and a)"."""
    after = f" (after {' and '.join(task.waits_for)})" if task.waits_for else ""
    return f"{task.name} {task.cost:g}{after}"


span: lesson.Exercise = lesson.Exercise(
    "span",
    judge=judge_span,
    hint="A task begins at the largest of the times at which the others are done, or at 0 if it "
    "waits for nobody: max takes a list, and default=0 for an empty one. At the end, look for the "
    "task that is done last.",
    because="done[name] = max([done[other] for other in waits_for], default=0) + cost, and at the "
    "end return max(done.values()).",
)

# ----------------------------------------------------------------------------------- brackets

SHAPES = {"X": (250, 3), "A": (3, 64), "B": (64, 2), "C": (2, 2)}
FEWEST = 1896  # multiply-adds; the tests try all brackets


def judge_brackets(attempt: Any) -> str | None:
    """Multiplies with the brackets of the attempt, and counts what that costs."""
    if not callable(attempt):
        raise Unfit("a function is wanted, in_few_steps(X, A, B, C).")
    if "*" in signs(attempt):
        raise Unfit(
            "there is a * in it, which multiplies number by number. A product of matrices is "
            "written with another sign: look at the line of the cell."
        )
    matrices = seeded()
    wanted = matrices["X"] @ matrices["A"] @ matrices["B"] @ matrices["C"]
    seen = []

    def noticed(**given: Any) -> Any:
        seen.append(attempt(*given.values()))
        return seen[-1]

    tasks = runs.costed(noticed, **matrices)
    if is_open(seen[-1]):
        return None
    require_product(seen[-1], wanted)
    if len(tasks) != 3:
        raise Unfit("three products with @ are enough for four matrices, and nothing else.")
    if (total := runs.work(tasks)) > FEWEST:
        first, second, third = (task.cost for task in tasks)
        return (
            f"the result is right. Its products cost {first:,}, {second:,} and {third:,} "
            f"multiply-adds, {total:,} together, and other brackets need fewer. "
            f"{where_dear(first, second, third)}"
        )
    return ""


def signs(function: Any) -> set[str]:
    """The signs of the operations that a function asks for, such as + and @."""
    code = getattr(function, "__code__", None)
    lines = dis.get_instructions(code) if code else ()
    return {one.argrepr for one in lines if one.opname == "BINARY_OP"}


def seeded() -> dict[str, Any]:
    torch.manual_seed(0)
    return {name: torch.randn(*shape) for name, shape in SHAPES.items()}


def require_product(result: Any, wanted: Any) -> None:
    """Raises Unfit unless the result is the product of all four."""
    if not torch.is_tensor(result):
        raise Unfit(f"it returns a {type(result).__name__}, and a matrix is wanted.")
    if result.shape != wanted.shape:
        raise Unfit(
            f"the result has the shape {tuple(result.shape)}, and that of the four together has "
            f"{tuple(wanted.shape)}. Is each of them there once?"
        )
    if not torch.allclose(result, wanted, rtol=1e-3, atol=1e-3):
        raise Unfit(
            "the result has the right shape, but its numbers are not those of all four together. "
            "Is each of them there once, in this order?"
        )


def where_dear(*costs: float) -> str:
    """What to look at, by what the products cost."""
    if max(costs) > 10_000:
        return f"Look at the one with {max(costs):,}: how many rows and columns does it make?"
    if sum(cost >= SHAPES["X"][0] * 4 for cost in costs) > 1:
        return "You are near, but two of the products are done for all rides."
    return "You are near, but two of the products have a side of 64 to go through."


brackets: lesson.Exercise = lesson.Exercise(
    "brackets",
    judge=judge_brackets,
    hint="Each product with X is done for 250 rows, so there should be only one, and the matrix "
    "on its right should be small. What can be made of the other three before, and in which order?",
    because="A @ B costs 3 · 64 · 2 = 384 multiply-adds, and its product with C costs 3 · 2 · 2 = "
    "12. X meets no more than this 3 × 2 matrix, for 250 · 3 · 2 = 1,500. Together that is 1,896.",
)
