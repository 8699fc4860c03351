"""The backward pass of a function's latest run, as ``BackwardStepper`` shows it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from minigrad.engine.node import TensorBase
from minigrad.tape import VERSION, Tape
from minigrad.tape.nesting import made

from .folding import grouped
from .nudges import MOST_NODES, nudges_of, without
from .runs import Calls, Run, shown, told
from .source_block import source_of

NO_PASS = "There is no backward pass to show, because the call of {name} has not come to its end."

NO_TENSOR = (
    "{name} returned {value}, which no recorded operation made, so there is nothing to go back "
    "through. Return the tensor that it works out, such as: return error ** 2"
)

NO_START = (
    "a backward pass starts from a Tensor, not from {kind}\n"
    "  fix: BackwardStepper(loss), with the tensor that your program has worked out; or\n"
    "  BackwardStepper(f, rate=2.0), with the function that does it, and its numbers."
)


def schedule_of_call(
    calls: Calls, rehearsed: Callable[[Any, Tape], dict[str, Any]]
) -> dict[str, Any]:
    """The pass, the source lines and the nudges of the latest run (``Schedule`` in ``tape.ts``).

    ``rehearsed`` makes the schedule of a tensor that a tape has watched.
    """
    run = calls.latest
    if run.problem:
        return unavailable(run, calls.name, NO_PASS.format(name=calls.name))
    if not isinstance(run.result, TensorBase) or run.result._node is None:
        text = NO_TENSOR.format(name=calls.name, value=shown(run.result))
        return unavailable(run, calls.name, text)
    try:
        schedule = rehearsed(run.result, run.tape)
    except Exception as error:
        return unavailable(run, calls.name, told(error))
    schedule["source"] = source_of_nodes(schedule["nodes"], run.tape)
    schedule["groups"] = groups_of_pass(schedule["nodes"], run.tape)
    ids = run.new_ids()
    keys = [node["id"] for node in schedule["nodes"]]
    for key in keys:  # made before the call: the run's tape does not know it
        ids.setdefault(key, f"{key[0]}{len(ids) + 1}")
    schedule = renumbered(schedule, ids)
    schedule["nudges"] = nudges_of(calls, ids, {ids[key] for key in keys})
    return schedule


def unavailable(run: Run, name: str, message: str) -> dict[str, Any]:
    """A schedule without steps; its picture shows how far the run has come."""
    nodes = run.snapshot()["nodes"]
    return {
        "version": VERSION,
        "title": name,
        "mode": "unavailable",
        "message": message,
        "nodes": nodes if len(nodes) <= MOST_NODES else [],
        "steps": [],
        "engines": [],
        "source": source_of_nodes([{"id": key} for key in run.tape.facts], run.tape),
        "nudges": without(""),
    }


def groups_of_pass(nodes: list[dict[str, Any]], watched: Tape) -> list[dict[str, Any]]:
    """How the graph folds, if the tape knows in which calls its operations were made."""
    facts = [watched.facts.get(node["id"]) for node in nodes if node["kind"] == "op"]
    known = {fact.key: made(fact) for fact in facts if fact is not None and fact.within}
    return grouped(nodes, known) if known and len(known) == len(facts) else []


def source_of_nodes(nodes: list[dict[str, Any]], tape: Tape) -> list[dict[str, Any]]:
    """The lines that made these nodes, as far as the tape knows."""
    facts = [tape.facts.get(node["id"]) for node in nodes]
    return source_of(fact.place for fact in facts if fact is not None)


WITH_IDS = ("id", "node", "from", "to")
"""The fields of a schedule that name a node."""


def renumbered(data: Any, ids: dict[str, str]) -> Any:
    """The same data with other ids, so that a run on the same path has the same nodes."""
    if isinstance(data, list):
        return [renumbered(item, ids) for item in data]
    if isinstance(data, dict) and "members" in data:
        members = [ids.get(member, member) for member in data["members"]]
        box = ids.get(data["id"], data["id"])
        return {**data, "id": box, "members": members, "groups": renumbered(data["groups"], ids)}
    if not isinstance(data, dict):
        return data
    return {
        field: ids.get(value, value)
        if field in WITH_IDS and isinstance(value, str)
        else renumbered(value, ids)
        for field, value in data.items()
    }
