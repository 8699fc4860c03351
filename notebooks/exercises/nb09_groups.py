"""The exercise of notebook 09 in which operations are joined into larger tasks, with its judge."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from minigrad import lesson

from . import nb09_runs as runs
from .nb09_drawings import schedules
from .nb09_judges import Unfit
from .nb09_plan import has_gap, require_each_once
from .nb09_runs import Graph

RIDES = ((3, 13), (5, 19), (2, 10), (8, 28))
WORKERS, OVERHEAD = 4, 4


def four_rides(rate: Any) -> Any:
    """The loss of section 2."""
    squares = [(rate * km + 4 - fare) ** 2 for km, fare in RIDES]
    return runs.added_in_pairs(squares)


def judge_groups(attempt: Any) -> str | None:
    """Makes one task of each group, and lets four workers do them."""
    if has_gap(attempt):
        return None
    if not isinstance(attempt, (list, tuple)) or not all(
        isinstance(one, (list, tuple)) and one for one in attempt
    ):
        raise Unfit("a list of lists of names is wanted, as in [['v1', 'v2'], ['v3']].")
    tasks = runs.graph(four_rides, rate=2.0)
    require_each_once([name for one in attempt for name in one], tasks)
    if said := out_of_order(attempt, tasks):
        return said
    try:
        found = runs.grouped(tasks, attempt)
    except ValueError:
        return "two of your tasks wait for each other, so neither can begin."
    end = runs.ends(runs.schedule(found, WORKERS, OVERHEAD))
    alone = runs.work(tasks)
    if end >= alone:
        count = f"{len(found)} tasks" if len(found) > 1 else "a single task"
        return (
            f"that is {count}, done at minute {end:g}. One worker alone needs {alone:g}, and you "
            f"should be done sooner. {why_late(attempt, tasks)}"
        )
    return ""


def out_of_order(parts: Sequence[Sequence[str]], tasks: Graph) -> str:
    """In a task the operations follow each other: does one stand before what it waits for?"""
    waits = {task.name: task.waits_for for task in tasks}
    for part in parts:
        for at, name in enumerate(part):
            for other in waits[name]:
                if other in part[at:]:
                    return f"{name} waits for {other}, which comes after it in the same task."
    return ""


def why_late(parts: Sequence[Sequence[str]], tasks: Graph) -> str:
    """What costs these tasks their time: work that could be shared, or waiting, or a cut chain."""
    if len(parts) == 1:
        return "Nobody works beside anybody."
    columns = runs.done(tasks)
    chained = {task.name: task.waits_for for task in tasks if len(task.waits_for) < 2}
    beside = []
    for part in parts:
        for column in {columns[name] for name in part}:
            beside.append([n for n in part if n in chained and columns[n] == column])
    most = max(beside, key=len)
    if len(most) > 1:
        return (
            f"{most[0]} and {most[-1]} need not wait for each other, but they are in one task, so "
            "one worker does them in turn."
        )
    where = {name: part for part in parts for name in part}
    for part in parts:
        at_once = [name for name in part if not chained.get(name, True)]
        late = [t.name for t in tasks if t.name in part and {*t.waits_for} - {*part}]
        if at_once and late:
            return (
                f"{at_once[0]} waits for nobody, but it is in one task with {late[0]}, and a task "
                "waits for all that any of its operations waits for."
            )
    for name, waits_for in chained.items():
        for other in waits_for:
            if other not in where[name]:
                return (
                    f"{name} waits for {other} alone, and they are in two tasks. How many minutes "
                    "does the handing out put between them?"
                )
    return "On whom do the others wait, and for how long?"


groups: lesson.Exercise = lesson.Exercise(
    "groups",
    judge=judge_groups,
    hint="What belongs to one ride is a chain, which nobody can share anyway. Put it into "
    "one task.",
    because="The next cell shows when your tasks are done. Few are handed out, and the rides still "
    "go side by side. The shortest plan has "
    "five: v1 to v4, v5 to v8, v9 to v12, v13 to v16, and v17 to v19. The "
    "first four take 4 + 4 minutes side by side, and the last one 4 + 3.",
)


def draw_groups(attempt: Any) -> Any:
    """The schedule of the four workers with these tasks, or a word on why there is none."""
    if has_gap(attempt):
        print("Fill in the cell above first.")
        return None
    tasks = runs.graph(four_rides, rate=2.0)
    try:
        require_each_once([name for one in attempt for name in one], tasks)
        found, stuck = runs.grouped(tasks, attempt), out_of_order(attempt, tasks)
    except (KeyError, TypeError, ValueError, IndexError):
        stuck = "no tasks"
    if stuck:
        print("These tasks cannot be drawn yet. The check above says why.")
        return None
    return schedules(found, WORKERS, overhead=OVERHEAD)
