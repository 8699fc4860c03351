"""Nudges: what happens to every value of a program when one of its numbers is a little larger.

The function runs again, in float64, with the number as it is and with the number plus h. No
derivative is asked, so what comes out is a witness for the gradients that is not one of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import zip_longest
from typing import Any

import numpy as np

import minigrad as torch
from minigrad.engine.node import TensorBase
from minigrad.tape.facts import Fact
from minigrad.tape.values import plain

from .runs import Calls, Run

STEPS = (0.1, 0.01, 0.001)  # how much is added
MOST_NODES = 60  # of a graph whose numbers can be nudged
MOST_LEAVES = 6  # the first ones
MOST_SECONDS = 1.0  # for all runs together
IN_FULL = 8  # numbers of one value whose changes are told
SAME = 1e-4  # by how much float64 and float32 may differ, in parts of the larger number

BY_FUNCTION = "To nudge a number, give the program as a function: BackwardStepper(f, rate=2.0)."


def nudges_of(calls: Calls, ids: Mapping[str, str], shown: Any) -> dict[str, Any]:
    """All nudges of the latest run, as the page gets them (``Nudges`` in ``tape.ts``).

    ``ids`` are the page's ids for the keys of the run's tape, ``shown`` those of the nodes that
    the pass goes through. ``note`` says why there are no nudges, if there are none.
    """
    latest = calls.latest
    leaves = {
        name: ids[key]
        for name, value in calls.values.items()
        if isinstance(value, float)
        and (key := latest.tape.known_leaf(latest.leaves[name])) is not None
        and ids[key] in shown
    }
    chosen = list(leaves.items())[:MOST_LEAVES]
    runs = 1 + len(STEPS) * len(chosen)
    if not chosen:
        return without("No single number of the call, such as rate=2.0, leads to the result.")
    if len(shown) > MOST_NODES:
        return without(f"Numbers are nudged in graphs of up to {MOST_NODES} nodes.")
    if latest.seconds * runs > MOST_SECONDS:
        return without(f"A nudge would take too long: {runs} more runs of {calls.name}.")
    for dtype in (torch.float64, torch.get_default_dtype()):
        base = again(calls, {}, dtype)
        if same_path(base, latest) and close(base.result, latest.result):
            return {
                "note": "",
                "exact": dtype is torch.float64,
                "leaves": [
                    {
                        "id": leaf,
                        "name": name,
                        "value": calls.values[name],
                        "runs": [
                            nudge(calls, base, dtype, name, leaf, h, ids, shown) for h in STEPS
                        ],
                    }
                    for name, leaf in chosen
                ],
            }
    return without(f"{calls.name} gives other values when it runs again with the same numbers.")


def without(note: str) -> dict[str, Any]:
    return {"note": note, "exact": True, "leaves": []}


def nudge(
    calls: Calls,
    base: Run,
    dtype: Any,
    name: str,
    leaf: str,
    h: float,
    ids: Mapping[str, str],
    shown: Any,
) -> dict[str, Any]:
    """One run with ``name`` larger by h, compared with ``base`` (``Nudge`` in ``tape.ts``)."""
    run = again(calls, {name: calls.values[name] + h}, dtype)
    told: dict[str, Any] = {"h": h, "problem": run.problem, "parted": "", "changes": {leaf: [h]}}
    if run.problem or not isinstance(run.result, TensorBase):
        told["problem"] = run.problem or "It returns no tensor then."
        told["loss"] = None
        return told
    array = base.result._array
    (told["loss"],) = difference(array, run.result._array, array.shape) or [None]
    if not same_path(base, run):
        told["parted"] = where_they_part(base, run)
        return told
    for key, before, after in zip(calls.latest.tape.facts, facts_of(base), facts_of(run)):
        changes = None
        if ids[key] in shown:
            changes = difference(before.value.corner, after.value.corner, before.value.shape)
        if changes is not None:
            told["changes"][ids[key]] = changes
    return told


def again(calls: Calls, nudged: Mapping[str, float], dtype: Any) -> Run:
    """The latest run once more: the same random numbers, another dtype, some numbers nudged."""
    before = torch.get_default_dtype()
    random = torch.get_rng_state()
    try:
        torch.set_default_dtype(dtype)
        torch.set_rng_state(calls.latest.random)
        return Run(calls.function, {**calls.values, **nudged}, calls.cell, calls.limits())
    finally:
        torch.set_rng_state(random)
        torch.set_default_dtype(before)


# --------------------------------------------------------------------------------- comparisons


def facts_of(run: Run) -> list[Fact]:
    return [run.tape.facts[key] for key in run.tape.facts]


def way(run: Run) -> list[tuple[str, list[int]]]:
    """Which operations ran, and which of the values before each of them it used."""
    place = {key: position for position, key in enumerate(run.tape.facts)}
    return [
        (fact.op, [place[operand] for operand in fact.operands if operand in place])
        for fact in facts_of(run)
    ]


def same_path(one: Run, other: Run) -> bool:
    return not one.problem and not other.problem and way(one) == way(other)


def where_they_part(base: Run, run: Run) -> str:
    """The first line that only one of two runs goes through: "In [3], line 2: y = y * 2"."""
    pairs = zip_longest(zip(way(base), facts_of(base)), zip(way(run), facts_of(run)))
    for before, after in pairs:
        if before is not None and after is not None and before[0] == after[0]:
            continue
        place = (after or before)[1].place
        if place is not None:
            return f"{place.file}, line {place.line}: {place.text}"
    return "another operation"


def close(one: Any, other: Any) -> bool:
    """Do both runs return the same, but for the rounding of float32?"""
    if not isinstance(one, TensorBase) or not isinstance(other, TensorBase):
        return False
    return bool(np.allclose(one._array, other._array, SAME, SAME, equal_nan=True))


def difference(before: Any, after: Any, shape: tuple[int, ...] = ()) -> list[Any] | None:
    """Each number's change; None of a value that is too large, or that was not kept."""
    known = before is not None and after is not None and np.size(before) <= IN_FULL
    if not known or np.shape(before) != np.shape(after) or np.size(before) != np.prod(shape):
        return None
    with np.errstate(all="ignore"):
        change = np.asarray(after, float) - np.asarray(before, float)
    return [plain(number) for number in change.reshape(-1).tolist()]
