"""What waits for what: the lines of a program as tasks, and as a graph that Dask can run."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from operator import getitem
from typing import Any, NamedTuple

from .notes import CALL, DRAW, GRAD, GUARD, OUTSIDE
from .steps import GIVEN, Step


class Task(NamedTuple):
    """One line of a program, and the tasks that must be done before it, by their numbers."""

    text: str
    waits_for: tuple[int, ...]
    line: int  # of the running program


def tasks_of(steps: Sequence[Step]) -> list[Task]:
    """The lines of a program as tasks. What is given is there already, and no task."""
    own = [step for step in steps if step.kind != GIVEN]
    waits = waiting(own)
    return [Task(step.text, tuple(sorted(w)), step.line) for step, w in zip(own, waits)]


def waiting(steps: Sequence[Step]) -> list[set[int]]:
    """For each line, those that it waits for: its values must be made, and nobody may write to
    memory that another still reads, nor change the outside before all guards have agreed."""
    made: dict[str, int] = {}
    written: dict[Any, int] = {}  # by memory: the line that wrote to it last
    used: dict[Any, list[int]] = {}  # by memory: the lines that have read it since
    guards: list[int] = []
    found = []
    for number, step in enumerate(steps):
        waits = {made[name] for name in step.reads if name in made}
        writes = written_by(step)
        for owner in (step.touches | writes | {step.memory}) & written.keys():
            waits.add(written[owner])
        for owner in writes:
            waits.update(used.pop(owner, ()))
            written[owner] = number
        if OUTSIDE in writes:
            waits.update(guards)
        for owner in step.touches - writes:
            used.setdefault(owner, []).append(number)
        if step.kind == GUARD:
            guards.append(number)
        if step.makes:
            made[step.makes] = number
        found.append(waits)
    return found


def written_by(step: Step) -> frozenset[Any]:
    """The memory to which a line writes; a call and a gradient change the outside."""
    if step.kind in (CALL, GRAD):
        return step.writes | {OUTSIDE, DRAW}
    return step.writes | {DRAW} if step.kind == DRAW else step.writes


def why_not(steps: Sequence[Step]) -> str:
    """What keeps a program from running anywhere, in any order; "" if nothing does."""
    for step in steps:
        if step.kind in (CALL, DRAW, GRAD) or OUTSIDE in step.writes:
            return step.text
    return ""


def together(steps: Sequence[Step]) -> list[list[int]]:
    """The lines in groups, each of which is one task.

    A task returns new values and changes none: so what writes to an array belongs to one group
    with what makes that array and what reads it before; and so does what lies between them.
    """
    waits = waiting(steps)
    before: list[int] = []  # for each line, as bits: all that it waits for, and what these wait for
    for needed in waits:
        bits = 0
        for other in needed:
            bits |= before[other] | 1 << other
        before.append(bits)
    groups = [1 << number for number in range(len(steps))]
    for owner in {owner for step in steps for owner in step.writes}:
        involved = [n for n, step in enumerate(steps) if owner in step.touches | {step.memory}]
        last = max(n for n, step in enumerate(steps) if owner in step.writes)
        groups = joined(groups, sum(1 << n for n in {*involved, last} if n <= last))
    while True:
        grown = groups
        for group in groups:
            grown = joined(grown, between(group, before))
        if grown == groups:
            return sorted([[n for n in range(len(steps)) if g >> n & 1] for g in groups])
        groups = grown


def between(group: int, before: list[int]) -> int:
    """The group, and all lines that wait for one of it and for which one of it waits."""
    awaited = 0
    for number, bits in enumerate(before):
        if group >> number & 1:
            awaited |= bits
    for number, bits in enumerate(before):
        if bits & group and awaited >> number & 1:
            group |= 1 << number
    return group


def joined(groups: list[int], group: int) -> list[int]:
    """The groups, with all that have a line in ``group`` made one."""
    whole = group
    for other in groups:
        if other & group:
            whole |= other
    return [other for other in groups if not other & whole] + [whole]


def dask_graph(
    steps: Sequence[Step], given: Mapping[str, Any], results: Sequence[str], space: dict[str, Any]
) -> tuple[dict[str, Any], list[str]]:
    """A program as Dask writes a graph: by name, an array or a tuple of a function and names.

    And the names of the results. They wait for the guards, of which each is a task of its own.
    """
    own = [step for step in steps if step.kind != GIVEN]
    graph: dict[str, Any] = dict(given)
    guards: list[str] = []
    for group in together(own):
        made = [own[number].makes for number in group if own[number].makes]
        needed = sorted({name for number in group for name in own[number].reads} - set(made))
        others = (step.reads for number, step in enumerate(own) if number not in group)
        wanted = set(results).union(*others)
        handed_on = [name for name in made if name in wanted]
        body = [own[number].text for number in group]
        key = ", ".join(handed_on)
        if own[group[0]].kind == GUARD:
            guards.append(key := own[group[0]].text.partition(":")[0])
        graph[key] = (task(body, needed, handed_on, space), *needed)
        if len(handed_on) > 1:
            graph.update({name: (getitem, key, place) for place, name in enumerate(handed_on)})
    if not guards:
        return graph, [*results]
    names = [f"{name}, and the guards agree" for name in results]
    graph.update({name: (first, one, *guards) for name, one in zip(names, results)})
    return graph, names


def first(value: Any, *_: Any) -> Any:
    """A value that has waited for others."""
    return value


def task(
    body: list[str], needed: list[str], made: list[str], space: dict[str, Any]
) -> Callable[..., Any]:
    """Some lines of a program as a function of the values that they need."""
    returned = ", ".join(made) or "None"
    lines = [f"def task({', '.join(needed)}):", *body, f"return {returned}"]
    found = dict(space)
    exec("\n    ".join(lines), found)
    function = found.pop("task")
    function.__doc__ = "\n".join(body)
    return function
