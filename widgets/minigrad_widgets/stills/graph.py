"""A graph as a picture: columns from what is used to what uses it; a long graph goes on below.

A page's column holds four boxes beside each other in a size that can be read, so a graph that is
deeper is drawn in bands, one below the other. There a leaf that is used far from its first use is
drawn again, with a broken line, so that no arrow crosses the picture. Arrows lead with the data.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from minigrad.tape.difference import equation
from minigrad.tape.names import also

from .svg import INK, SOFT, WIDTH, Picture
from .words import members_of, state_of

MOST = 80  # nodes: more are not drawn one by one
BOX = 146  # pixels
COLUMN = 178
LANE = 78
FEW_LEAVES = 8  # of a folded graph, so many parameters stand outside of its boxes, as in the page
BAND = 4  # columns beside each other
GAP = 26  # between two bands
LOOKS = {
    "op": {"fill": "#ddf4ff", "stroke": "#0969da"},
    "leaf": {"fill": "#dafbe1", "stroke": "#1a7f37"},
    "failed": {"fill": "#ffebe9", "stroke": "#b3261e"},
    "": {"fill": "#f6f8fa", "stroke": "#6e7781"},
}

Data = dict[str, Any]


def columns_of(nodes: list[Data]) -> dict[str, int]:
    """How many operations lie before each node; leaves stand just before their first use."""
    depth: dict[str, int] = {}
    first: dict[str, int] = {}
    for node in nodes:  # what is used comes before what uses it
        inputs = [operand["id"] for operand in node["inputs"] if operand["id"] in depth]
        depth[node["id"]] = max((depth[key] + 1 for key in inputs), default=0)
        if node["kind"] in ("op", "failed"):
            depth[node["id"]] = max(1, depth[node["id"]])
        for key in inputs:
            first[key] = min(first.get(key, depth[node["id"]]), depth[node["id"]])
    for node in nodes:
        if node["kind"] not in ("op", "failed"):
            depth[node["id"]] = max(0, first.get(node["id"], 1) - 1)
    return depth


def repeated(nodes: list[Data]) -> list[Data]:
    """The nodes of a deep graph, with a copy of each leaf in front of each column that uses it."""
    column = columns_of(nodes)
    if max(column.values()) < BAND:
        return nodes
    found: dict[str, Data] = {}
    leaves = {node["id"]: node for node in nodes if node["kind"] not in ("op", "failed")}
    for node in nodes:
        inputs = []
        for operand in node["inputs"]:
            key = operand["id"]
            apart = key in leaves and column[node["id"]] > column[key] + 1
            if apart:
                copy = f"{key}:{column[node['id']]}"
                found.setdefault(copy, {**leaves[key], "id": copy, "again": True})
                operand = {**operand, "id": copy}
            inputs.append(operand)
        found[node["id"]] = {**node, "inputs": inputs}
    return list(found.values())


class Place(NamedTuple):
    """The middle of a box, and the free line above its band."""

    x: float
    y: float
    above: float


def places_of(nodes: list[Data]) -> tuple[dict[str, Place], float, float]:
    """Where each box stands; and the picture's width and height."""
    column = columns_of(nodes)
    lanes: dict[int, list[str]] = {}
    for node in nodes:
        lanes.setdefault(column[node["id"]], []).append(node["id"])
    last = max(lanes)
    places: dict[str, Place] = {}
    top = 0.0
    for start in range(0, last + 1, BAND):
        band = range(start, min(start + BAND, last + 1))
        tallest = max(len(lanes.get(at, ())) for at in band)
        for at in band:
            members = lanes.get(at, [])
            offset = (tallest - len(members)) / 2
            for row, key in enumerate(members):
                x = 16 + BOX / 2 + (at - start) * COLUMN
                y = top + 16 + LANE * (row + offset + 0.5)
                places[key] = Place(x, y, top + 16)
        top += tallest * LANE + GAP
    width = 32 + BOX + min(last, BAND - 1) * COLUMN
    return places, min(width, WIDTH), top - GAP + 32


def graph_picture(
    title: str,
    nodes: list[Data],
    arrived: Mapping[str, str] | None = None,
    groups: Sequence[Data] = (),
) -> str:
    """The nodes as SVG; "" of a graph that is empty or too large.

    ``arrived``: what a backward pass brings to each. Otherwise a leaf shows its ``.grad``.
    ``groups``: the boxes that stand for the operations of a large graph.
    """
    if groups:
        nodes = folded(nodes, groups)
    else:
        nodes = sorted(nodes, key=lambda node: int(node["id"][1:]))  # as they were made
    if not 0 < len(nodes) <= MOST:
        return ""
    nodes.sort(key=lambda node: node["kind"] in ("op", "failed"))
    nodes = repeated(nodes)
    places, width, height = places_of(nodes)
    picture = Picture(title)
    for node in nodes:
        used = [operand["id"] for operand in node["inputs"] if operand["id"] in places]
        for at, key in enumerate(used):
            draw_edge(picture, places[key], places[node["id"]], at, len(used))
    for node in nodes:
        gradient = (arrived or {}).get(node["id"], "")
        if not gradient and node["grad"]:
            gradient = node["grad"]["text"]
        draw_node(picture, places[node["id"]], node, gradient)
    return picture.drawn(width, height)


def folded(nodes: list[Data], groups: Sequence[Data]) -> list[Data]:
    """The leaves, and each box as a node of its own; an operation in none stays what it is."""
    box_of = {key: box["id"] for box in groups for key in members_of(box)}
    used: dict[str, dict[str, None]] = {box["id"]: {} for box in groups}
    for node in nodes:
        box = box_of.get(node["id"])
        if box is not None:
            keys = [box_of.get(operand["id"], operand["id"]) for operand in node["inputs"]]
            used[box].update(dict.fromkeys(key for key in keys if key not in (None, box)))
    alone = {node["id"]: node for node in nodes if node["id"] in used}
    boxes = [
        {**alone[box["id"]], "inputs": [{"id": key} for key in used[box["id"]]]}
        if box["id"] in alone
        else {
            "id": box["id"],
            "kind": "op",
            "op": "",
            "names": [box["title"]],
            "value": {"text": f"{len(members_of(box))} operations"},
            "grad": None,
            "state": "alive",
            "inputs": [{"id": key} for key in used[box["id"]]],
        }
        for box in groups
    ]
    hidden = inside_one_box(nodes, box_of)
    return [node for node in nodes if node["id"] not in box_of and node["id"] not in hidden] + boxes


def inside_one_box(nodes: list[Data], box_of: Mapping[str, str]) -> set[str]:
    """The leaves that only one box uses: they are in it, but a few parameters are always shown."""
    few = sum(node["kind"] == "leaf" for node in nodes) <= FEW_LEAVES
    users: dict[str, set[str]] = {}
    for node in nodes:
        for operand in node["inputs"]:
            if operand["id"] is not None:
                users.setdefault(operand["id"], set()).add(box_of.get(node["id"], ""))
    return {
        node["id"]
        for node in nodes
        if node["id"] not in box_of
        and not (few and node["kind"] == "leaf")
        and [box[:1] for box in users.get(node["id"], ())] == ["b"]
    }


def draw_edge(picture: Picture, one: Place, other: Place, at: int, count: int) -> None:
    """From what is used to what uses it; past other boxes it leads above their band."""
    x, y = one.x + BOX / 2, one.y
    port = other.y + (at - (count - 1) / 2) * min(12, 36 / max(1, count - 1))
    end = other.x - BOX / 2
    if one.above == other.above and x <= end < x + COLUMN:
        half = (x + end) / 2
        picture.arrow(f"M{x:g} {y:g}C{half:g} {y:g} {half:g} {port:g} {end:g} {port:g}", end, port)
        return
    slot = at + int((one.y - one.above) / LANE)  # wires beside each other, not upon each other
    out, into = x + 8 - slot % 3, max(2.0, end - 8 - 3 * slot)
    turn = other.above - 4 * (slot % 4)
    picture.arrow(f"M{x:g} {y:g}H{out:g}V{turn:g}H{into:g}V{port:g}H{end:g}", end, port)


def marked(node: Data) -> list[str]:
    """The words of its marks; the text beside the picture says what they mean."""
    words = {"cut": "cut", "read": "read", "memory": "shared", "failed": "failed"}
    return list(dict.fromkeys(words[mark["kind"]] for mark in node.get("marks", ())))


def draw_node(picture: Picture, place: Place, node: Data, gradient: str) -> None:
    """A box with the equation, the value and the gradient; one that is freed has a broken line."""
    x, y = place.x, place.y
    freed = node["state"] != "alive"
    look: dict[str, object] = {**LOOKS.get(node["kind"], LOOKS[""]), "rx": 6, "stroke_width": 1.4}
    if node["kind"] not in ("op", "failed"):
        look["rx"] = 18
    if node["kind"] == "earlier":
        look["stroke_dasharray"] = "12 3"
    if "again" in node:
        look["stroke_dasharray"] = "2 3"
    if freed:
        look.update(stroke_dasharray="5 3", fill="#f6f8fa")
    picture.box(x, y, BOX, 62 if gradient else 48, **look)
    said = node["value"]["text"]
    if node["kind"] == "failed":
        said = "no result"
    elif node["op"] or node["kind"] != "op":
        said = f"= {said}"
    rows = [(equation(node), 12.5, INK, 600), (said, 12.5, INK, 400)]
    if gradient:
        rows.append((f"grad {gradient}", 12, "#9a3412", 400))
    start = y - (len(rows) - 1) * 9
    for at, (text, size, ink, weight) in enumerate(rows):
        picture.text(x, start + 18 * at, text, BOX - 14, size, fill=ink, font_weight=weight)
    below = [*filter(None, [also(node["names"]), state_of(node)]), *marked(node)]
    if below:
        picture.text(x, y + 37, ", ".join(below), COLUMN - 6, 10.5, fill=SOFT)
    if "again" in node:
        picture.text(x, y + 32, "the same leaf", BOX, 10.5, fill=SOFT)
