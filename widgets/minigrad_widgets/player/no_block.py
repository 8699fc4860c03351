"""What led to a result that nobody recorded: its operations in their order, then a rehearsal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from minigrad.tape import VERSION, behind, rehearse, tape

from ..stepped_calls import source_of_nodes
from .page_data import assigned_by, bare, corner, latest, smaller
from .recording import MOST

NOTE = (
    "This was not recorded: the operations are those that led to the result, and the backward pass "
    "is a rehearsal, which changes no .grad."
)
NO_PASS = "There is no backward part: {why}"


def recording_of(loss: Any, gradient: Any, names: Mapping[str, Any]) -> dict[str, Any]:
    """All of it (``Recording`` in ``recording.ts``). Raises what ``behind`` raises."""
    keys = behind(tape, loss, names)
    schedule: dict[str, Any] = {}
    note = NOTE
    try:
        schedule = rehearse(tape, loss, gradient, names)
        why = schedule["message"]
    except RuntimeError as error:  # what backward() would raise
        why = str(error).partition("\n")[0]
    steps = schedule.get("steps", [])
    if not steps:
        note = f"{NOTE.partition(',')[0]}. {NO_PASS.format(why=why)}"
    known = {node["id"]: bare(node) for node in schedule.get("nodes", ())}
    most = corner(len(keys) + len(steps))
    # A rehearsal knows constants that only the values tell.
    nodes = [known.get(key) or bare(tape.describe(key, most)) for key in keys]
    nodes = smaller(nodes, most)
    steps = smaller(steps, most)
    operations = [node for node in nodes if node["op"]]
    moments = [of_operation(node) for node in operations]
    moments += [of_step(step, at) for at, step in enumerate(steps, 1)]
    used = dict.fromkeys(one["id"] for node in operations for one in node["inputs"] if one["id"])
    for key in used:
        if key not in known and key in tape.facts:
            known[key] = bare(tape.describe(key, most))
    others = [node for node in smaller(list(known.values()), most) if not node["op"]]
    over = max(0, len(moments) - MOST)
    first = [one for node in others for one in assigned_by(node)]
    first += [one for moment in moments[:over] for one in moment["changes"]]
    return {
        "version": VERSION,
        "title": tape.text(keys[-1]),
        "note": note,
        "dropped": over,
        "followed": False,
        "raised": "",
        "first": latest(first),
        "calls": [{"id": 0, "scope": ""}],
        "nodes": operations,
        "passes": [
            {"title": schedule["title"], "mode": schedule["mode"], "nodes": others, "steps": steps}
        ]
        if steps
        else [],
        "moments": moments[over:],
        "source": source_of_nodes(nodes, tape),
    }


def of_operation(node: dict[str, Any]) -> dict[str, Any]:
    return {
        "kind": "op",
        "node": node["id"],
        "call": 0,
        "passes": [],
        "file": node["file"],
        "line": node["line"],
        "changes": assigned_by(node),
    }


def of_step(step: dict[str, Any], at: int) -> dict[str, Any]:
    """A step of the rehearsal: no line runs, and nothing is written."""
    return {
        "kind": "step",
        "pass": 0,
        "step": at,
        "call": 0,
        "passes": [],
        "file": "",
        "line": None,
        "changes": [],
    }
