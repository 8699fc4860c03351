"""A large graph as a small one: operations that belong together share a box.

What the tape knows of calls and loops is in boxes as it was in the program (``tape.nesting``):
modules in modules, calls of functions, each pass of a loop. Of operations of which nobody knows
in which call they were made, those of the same line share a box; boxes that lead to each other
and back, as the lines of a loop's body do, become one: "lines 3–5, 48 times". If there are still
too many, boxes are made by function, by cell, or of stretches of equal length. What is in a box
is put into boxes by the same rules, so that each can be opened in turn.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Any

from minigrad.tape.nesting import Box, Made, nested, of_all
from minigrad.tape.values import plural

MANY = 60  # operations: up to so many are shown without boxes, where no calls and loops are known
FEW = 30  # operations: up to so many are unfolded at first
MOST = 30  # boxes in one picture, or in one box
AT_FIRST = 12  # operations and boxes: as many levels are open at first as show no more
MOST_KEYS = 300  # more lines than this are not looked at one by one

Record = dict[str, Any]  # ``NodeData`` in ``tape.ts``

KEYS: tuple[Callable[[Record], Any], ...] = (
    lambda node: (node["cell"], node["file"], node["scope"], node["line"]),
    lambda node: (node["cell"], node["file"], node["scope"]),
    lambda node: node["cell"] or node["file"],
)
"""From fine to coarse: what operations have in common that share a box."""


def grouped(nodes: list[Record], made: Mapping[str, Made] | None = None) -> list[dict[str, Any]]:
    """The boxes for the operations among these nodes, inputs first (``Group`` in ``tape.ts``).

    ``made``: how they came about, as far as that is known. None for a small graph without calls
    and loops.
    """
    operations = [node for node in nodes if node["kind"] == "op"]
    known = [made[node["id"]] for node in operations if node["id"] in made] if made else []
    if made and known and len(known) == len(operations):
        if any(one.dropped for one in made.values()):
            drawn = {one.key for one in known}
            known = [one for one in made.values() if one.dropped or one.key in drawn]
        box = outermost(nested(known))
        if any(isinstance(one, Box) and one.kind != "cell" for one in box.inside):
            return groups_of(box.inside, cut=box.cut)
    return boxes(operations, 0) if len(operations) > MANY else []


def opens_folded(nodes: list[Record]) -> bool:
    """Is a graph of these so large that it is shown folded at first?"""
    return sum(node["kind"] == "op" for node in nodes) > FEW


def at_first(groups: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """What a folded graph shows at first: boxes, and operations as boxes of themselves."""
    shown = list(groups)
    while any(box["id"].startswith("b") for box in shown):
        deeper = [inner for box in shown for inner in within(box)]
        if len(deeper) > AT_FIRST:
            break
        shown = deeper
    return shown


def within(box: dict[str, Any]) -> list[dict[str, Any]]:
    """What stands in the picture when a box is opened; an operation stands for itself."""
    if box["groups"] or not box["id"].startswith("b"):
        return box["groups"] or [box]
    return [{"id": key, "title": "", "members": [key], "groups": []} for key in box["members"]]


def outermost(box: Box) -> Box:
    """Where the program branches first: a function that all was made in says nothing."""
    while len(box.inside) == 1:
        (only,) = box.inside
        if isinstance(only, str) or only.has_passes:
            break
        if only.kind not in ("function", "cell", "library"):
            break
        box = only
    return box


def groups_of(
    inside: list[Box | str], has_passes: bool = False, cut: bool = False
) -> list[dict[str, Any]]:
    """Boxes as the page gets them. Of many side by side, each box has some in a row."""
    if any(isinstance(one, Box) and one.kind == "cell" for one in inside) and len(inside) <= MOST:
        spread = [each for one in inside for each in within_cell(one)]
        inside = spread if len(spread) <= MOST else inside
    if len(inside) > MOST:
        word = "pass" if has_passes else word_for(inside)
        return in_rows(inside, word, 0, of_all(len(inside), cut))
    return [group_of(one) for one in inside]


def within_cell(one: Box | str) -> list[Box | str]:
    """What a cell has made stands by itself, if there is room."""
    if isinstance(one, Box) and one.kind == "cell":
        return one.inside
    return [one]


def group_of(one: Box | str) -> dict[str, Any]:
    if isinstance(one, str):
        return {"id": one, "title": "", "members": [one], "groups": []}
    group: dict[str, Any] = {"id": one.id, "title": one.title, "members": []}
    if len(one.inside) <= MOST and all(isinstance(each, str) for each in one.inside):
        group["members"] = one.inside
        group["groups"] = []
    else:
        group["groups"] = groups_of(one.inside, one.has_passes, one.cut)
    if one.note:
        group["note"] = one.note
    return group


def word_for(inside: list[Box | str]) -> str:
    """What all of these are."""
    kinds = {one.kind if isinstance(one, Box) else "operation" for one in inside}
    kind = kinds.pop() if len(kinds) == 1 else "part"
    return "call" if kind in ("function", "module") else kind


def in_rows(inside: list[Box | str], word: str, before: int, of: str) -> list[dict[str, Any]]:
    """Some in a box, and the next ones in another: "passes 3–4 of 48".

    ``of``: how many there are in all.
    """
    length = -(-len(inside) // MOST)
    found = []
    for start in range(0, len(inside), length):
        part = inside[start : start + length]
        if len(part) == 1:
            found.append(group_of(part[0]))
            continue
        first = part[0] if isinstance(part[0], str) else part[0].id[2:]
        numbers = f"{before + start + 1}–{before + start + len(part)}"
        row: dict[str, Any] = {"id": f"b:r{length}.{first}"}
        row["title"] = f"{plural(word, 2)} {numbers} {of}"
        row["members"] = []
        if len(part) <= MOST:
            row["groups"] = [group_of(one) for one in part]
        else:
            row["groups"] = in_rows(part, word, before + start, of)
        found.append(row)
    return found


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
    word = "pass"
    parts = passes(operations)
    lengths = {len(part) for part in parts}
    if len(lengths) > 1 or len(parts) == 1:  # a part may stand for several
        word = "operation"
        parts = [[node] for node in operations]
    count = len(parts)
    length = -(-count // MOST)
    if word == "operation":
        length = max(10, length)
    found = []
    for start in range(0, count, length):
        end = min(start + length, count)
        title = f"{word} {end} of {count}"
        if end > start + 1:
            title = f"{plural(word, 2)} {start + 1}–{end} of {count}"
        found.append((title, [node for part in parts[start:end] for node in part]))
    return found


def passes(operations: list[Record]) -> list[list[Record]]:
    """The operations of each pass, which begins with the instruction that ran most often."""
    ran = turns(operations)
    most = max(map(len, ran.values()))
    first = next(turn for turn in ran.values() if len(turn) == most)
    starts = [0, *first[1:], len(operations)]
    return [operations[start:end] for start, end in pairwise(starts)]


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
    return max(map(len, turns(members).values()))


def turns(operations: list[Record]) -> dict[Any, list[int]]:
    """For each instruction, the positions of the operations with which it ran anew.

    All that one call of a module made belongs to one turn.
    """
    found: dict[Any, list[int]] = {}
    latest: dict[Any, int] = {}
    for position, node in enumerate(operations):
        call = node.get("call", 0)
        place = (node["file"], node["scope"], node["spot"], "" if call else node["op"])
        if not call or latest.get(place) != call:
            latest[place] = call
            found.setdefault(place, []).append(position)
    return found
