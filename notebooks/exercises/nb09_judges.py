"""Exercises of notebook 09, and their judges."""

from __future__ import annotations

import dis
import inspect
from collections.abc import Callable, Sequence
from typing import Any

import minigrad as torch
from minigrad import lesson
from minigrad.lesson.values import is_open

from . import nb09_runs as runs
from .nb09_drawings import drawn, many, planned, schedules
from .nb09_runs import Graph, Task, Turn


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

# ----------------------------------------------------------------------------------- a schedule


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


# ------------------------------------------------------------------------------- larger tasks

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
        found = runs.grouped(tasks, attempt)
    except (KeyError, TypeError, ValueError, IndexError):
        print("These tasks cannot be drawn yet. The check above says why.")
        return None
    return schedules(found, WORKERS, overhead=OVERHEAD)


# ------------------------------------------------------------------------------ a graph of yours


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

    tasks = runs.graph(noticed, **inputs)
    if is_open(seen[-1]):
        return None
    require_a_graph(tasks, seen[-1])
    of = {"work": "operations", "span": "operations", "number of workers": "workers"}
    for name, number in zip(of, said):
        if isinstance(number, bool) or not isinstance(number, (int, float)):
            raise Unfit(f"the {name} has to be a number.")
        if number % 1:  # of inf, too
            raise Unfit(
                f"the {name} cannot be {number:g}: it counts {of[name]}, and these are whole."
            )
    return why_not_foretold(tasks, *said)


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


def require_a_graph(tasks: Graph, result: Any) -> None:
    """Raises Unfit unless there is something to count, and something to share."""
    if len(tasks) < 5:
        raise Unfit(
            f"the tape sees {len(tasks)} of its operations. Take a function with five at least. "
            "(The tape sees only operations on tensors: what .item() or float() returns is a plain "
            "number, which leaves no trace.)"
        )
    if not torch.is_tensor(result):
        raise Unfit(f"it returns a {type(result).__name__}, and a single tensor is wanted.")
    if runs.work(tasks) == runs.span(tasks):
        raise Unfit(
            "its operations are one chain. Take a function in which two need not wait for "
            "each other."
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
    because="The next cell draws the graph, as soon as your function runs. The work is the number "
    "of its boxes, and the span the number of its columns. Below it stand the plans: from some "
    "number of workers on, one more gains nothing.",
)


MOST_DRAWN = 8


def draw_own(function: Any, inputs: Any) -> Any:
    """The learner's graph with schedules for it, or a word on why there is none."""
    try:
        tasks = runs.graph(function, **inputs)
    except Exception as error:
        print(f"{type(error).__name__}: this cannot be drawn yet. The check above says why.")
        return None
    if not tasks:
        print("Fill in the cell above first.")
        return None
    most = min(max(enough_workers(tasks), 3), MOST_DRAWN)
    return planned(tasks, *range(1, most + 1))
