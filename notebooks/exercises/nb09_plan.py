"""The exercise of notebook 09 in which two workers are told what to do, with its judge."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from minigrad import lesson
from minigrad.lesson.values import is_open

from . import nb09_runs as runs
from .nb09_drawings import drawn
from .nb09_judges import Unfit
from .nb09_runs import Graph, Turn


def followed(rows: Sequence[Sequence[str]], tasks: Graph) -> tuple[dict[str, float], str]:
    """When each task is done if each worker goes along a row; and where nobody can go on."""
    known = {task.name: task for task in tasks}
    left = [list(row) for row in rows]
    free = [0.0] * len(rows)
    done: dict[str, float] = {}
    while any(left):
        moved = False
        for worker, row in enumerate(left):
            while row and all(other in done for other in known[row[0]].waits_for):
                task = known[row.pop(0)]
                begins = max([free[worker], *[done[other] for other in task.waits_for]])
                done[task.name] = free[worker] = begins + task.cost
                moved = True
        if not moved:
            return done, why_stuck(left, known, done)
    return done, ""


def why_stuck(left: Sequence[list[str]], known: Any, done: Any) -> str:
    """The rows in which nobody can go on: first of all a task that stands before what it needs."""
    waiting = [
        (row, other)
        for row in left
        if row
        for other in known[row[0]].waits_for
        if other not in done
    ]
    for row, other in waiting:
        if other in row:
            return f"{row[0]} waits for {other}, which comes after it in the same list."
    told = ", and ".join(f"{row[0]} waits for {other}" for row, other in waiting)
    return f"the two workers wait for each other: {told}. Nobody can go on."


def require_each_once(names: Sequence[Any], tasks: Graph) -> None:
    """Raises Unfit unless each task is there once, and nothing else."""
    own = [task.name for task in tasks]
    for name in names:
        if name not in own:
            known = ", ".join(own) if len(own) < 10 else f"{own[0]} to {own[-1]}"
            raise Unfit(f"{name!r} is none of the tasks, {known}.{spelt(name, own)}")
    for name in own:
        if name not in names:
            raise Unfit(f"{name} is missing.")
        if list(names).count(name) > 1:
            raise Unfit(f"{name} is there more than once.")


def spelt(name: Any, own: Sequence[str]) -> str:
    """What may be wrong with the way in which a name is written; "" if that is not known."""
    if not isinstance(name, str):
        return f' Each name stands in quotation marks, as in "{own[0]}".'
    if "," in name or len(name.split()) > 1:
        return f' Each name stands in quotation marks of its own, as in "{own[0]}", "{own[1]}".'
    if name.swapcase() in own:
        return " Small and capital letters differ here."
    return ""


def has_gap(parts: Any) -> bool:
    return is_open(parts) or (isinstance(parts, (list, tuple)) and any(map(has_gap, parts)))


def judge_plan(attempt: Any) -> str | None:
    """Goes along both rows, and says when the last task is done."""
    if has_gap(attempt):
        return None
    rows = attempt if isinstance(attempt, (list, tuple)) else ()
    if len(rows) != 2 or not all(isinstance(row, (list, tuple)) for row in rows):
        raise Unfit("two lists of names are wanted, one for each worker.")
    require_each_once([name for row in rows for name in row], runs.PLANNED)
    done, stuck = followed(rows, runs.PLANNED)
    if stuck:
        return stuck
    end = max(done.values())
    if end > runs.span(runs.PLANNED):
        costs = {task.name: task.cost for task in runs.PLANNED}
        idle = [end - sum(costs[name] for name in row) for row in rows]
        return (
            f"it is done at minute {end:g}, and there is a plan that is done sooner. Here worker 1 "
            f"rests for {idle[0]:g} of these minutes, and worker 2 for {idle[1]:g}."
        )
    return ""


plan: lesson.Exercise = lesson.Exercise(
    "plan",
    judge=judge_plan,
    hint="Which path is the longest, counted in minutes? Each minute for which one of its tasks "
    "is kept waiting is lost. What did the simple rule keep waiting?",
    because="wheel, brake and out are the longest path, of 8 minutes: [wheel, brake, out] for one "
    "worker, and [doors, water, seats, windows] for the other, which fits in beside it.",
)


def draw_plan(rows: Any) -> Any:
    """The learner's plan with a row for each worker, or a word on why there is none."""
    if has_gap(rows):
        print("Fill in the cell above first.")
        return None
    try:
        require_each_once([name for row in rows for name in row], runs.PLANNED)
        done, stuck = followed(rows, runs.PLANNED)
    except (KeyError, TypeError, ValueError):
        stuck = "not a plan"
    if stuck:
        print("This plan cannot be drawn yet. The check above says why.")
        return None
    costs = {task.name: task.cost for task in runs.PLANNED}
    turns = [
        Turn(name, worker, done[name] - costs[name], done[name], 0)
        for worker, row in enumerate(rows)
        for name in row
    ]
    return drawn([("your plan", len(rows), turns)], runs.ends(turns))
