"""A large graph as a small one: operations that belong together share a box.

Operations of the same line of the program share a box; boxes that lead to each other and back,
as the lines of a loop's body do, become one: "lines 3–5, 48 times". If there are still too many,
boxes are made by function, by cell, or of stretches of equal length. What is in a box is put into
boxes by the same rules, so that each can be opened in turn.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

MANY = 60  # operations: up to so many are shown without boxes
MOST = 30  # boxes in one picture, or in one box
MOST_KEYS = 300  # more lines than this are not looked at one by one

Record = dict[str, Any]  # ``NodeData`` in ``tape.ts``

KEYS: tuple[Callable[[Record], Any], ...] = (
    lambda node: (node["cell"], node["file"], node["scope"], node["line"]),
    lambda node: (node["cell"], node["file"], node["scope"]),
    lambda node: node["cell"] or node["file"],
)
"""From fine to coarse: what operations have in common that share a box."""


def grouped(nodes: list[Record]) -> list[dict[str, Any]]:
    """The boxes for the operations among these nodes, inputs first (``Group`` in ``tape.ts``).

    None for a small graph.
    """
    operations = [node for node in nodes if node["kind"] == "op"]
    return boxes(operations, 0) if len(operations) > MANY else []


def boxes(operations: list[Record], depth: int) -> list[dict[str, Any]]:
    """Boxes of boxes; one of a single operation stands for that."""
    found = []
    for title, members in split(operations, depth):
        box: dict[str, Any] = {"id": members[0]["id"], "title": title, "members": [], "groups": []}
        if len(members) > 1:
            box["id"] = f"b{depth}:{members[0]['id']}"
        if len(members) > MOST:
            box["groups"] = boxes(members, depth + 1)
        if not box["groups"]:
            box["members"] = [node["id"] for node in members]
        found.append(box)
    return found


def split(operations: list[Record], depth: int) -> list[tuple[str, list[Record]]]:
    """The operations in 2 to 30 parts with a title each; at the top, one will do as well."""
    for key in KEYS:
        parts = merged(operations, key)
        if len(parts) <= MOST and (len(parts) > 1 or depth == 0):
            return [(title_of(part), part) for part in parts]
    return stretches(operations)


def stretches(operations: list[Record]) -> list[tuple[str, list[Record]]]:
    """Parts of equal length, in the order of the program; of a loop, whole passes."""
    times = most_times(operations)
    word = "operations"
    body = 1
    if times > 1 and not len(operations) % times:  # every pass is the same
        word = "passes"
        body = len(operations) // times
    count = len(operations) // body
    length = -(-count // MOST)
    if body == 1:
        length = max(10, length)
    found = []
    for start in range(0, count, length):
        end = min(start + length, count)
        title = f"pass {end} of {count}"
        if length > 1:
            title = f"{word} {start + 1}–{end} of {count}"
        found.append((title, operations[start * body : end * body]))
    return found


def merged(operations: list[Record], key: Callable[[Record], Any]) -> list[list[Record]]:
    """Operations with the same key, those on a common cycle together (Tarjan), inputs first."""
    members: dict[Any, list[Record]] = {}
    for node in operations:
        members.setdefault(key(node), []).append(node)
    if len(members) > MOST_KEYS:
        return list(members.values())
    key_of = {node["id"]: name for name, nodes in members.items() for node in nodes}
    sources: dict[Any, dict[Any, None]] = {name: {} for name in members}
    for name, nodes in members.items():
        for node in nodes:
            for operand in node["inputs"]:
                source = key_of.get(operand["id"], name)
                if source != name:
                    sources[name][source] = None
    order = {node["id"]: position for position, node in enumerate(operations)}
    earliest: dict[Any, float] = {}  # that a name leads back to; infinite when it is done
    path: list[Any] = []
    result: list[list[Record]] = []

    def visit(name: Any) -> float:
        number = low = float(len(earliest))
        earliest[name] = number
        path.append(name)
        for source in sources[name]:
            low = min(low, earliest[source] if source in earliest else visit(source))
        earliest[name] = low
        if low == number:
            cycle = path[path.index(name) :]
            del path[path.index(name) :]
            earliest.update(dict.fromkeys(cycle, float("inf")))
            nodes = [node for one in cycle for node in members[one]]
            result.append(sorted(nodes, key=lambda node: order[node["id"]]))
        return low

    for name in members:
        if name not in earliest:
            visit(name)
    return result


def title_of(members: list[Record]) -> str:
    """What a box is called: ``f, lines 3–5, 48 times``."""
    scopes = {node["scope"] for node in members}
    lines = sorted({node["line"] for node in members if node["line"]})
    parts = []
    if len(scopes) == 1:
        parts.append(scopes.pop().rpartition("<locals>.")[2])
    if len({node["file"] for node in members}) > 1 or not lines:
        parts.append(members[0]["cell"] or members[0]["file"])
    elif len(lines) == 1:
        parts.append(f"line {lines[0]}")
    else:
        parts.append(f"lines {lines[0]}–{lines[-1]}")
    times = most_times(members)
    if times > 1:
        parts.append(f"{times} times")
    return ", ".join(filter(None, parts))


def most_times(members: list[Record]) -> int:
    """How often the instruction ran that ran most often."""
    return max(Counter((n["file"], n["scope"], n["spot"], n["op"]) for n in members).values())
