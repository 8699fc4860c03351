"""The graph behind a tensor: its nodes, and a picture of it without names."""

from __future__ import annotations

from typing import Any

from .pictures import INK, Picture, text

SIGNS = {"AddBackward0": "+", "SubBackward0": "−", "MulBackward0": "×"}
COLUMN, ROW, HALF = 110, 64, 22


def nodes(tensor: Any) -> list[Any]:
    """Every node behind a tensor once, as ``next_functions`` leads to them."""
    found: list[Any] = []
    todo = [tensor.grad_fn]
    while todo:
        node = todo.pop()
        if node is not None and "Accumulate" not in node.name() and node not in found:
            found.append(node)
            todo += [earlier for earlier, _ in node.next_functions]
    return found


def drawing(tensor: Any, named: dict[str, tuple[str, Any]] | None = None) -> Picture:
    """The real graph behind a tensor, from left to right; leaves are round.

    Without ``named`` nothing has a name, and a box shows its operation's sign. ``named`` says of
    each name what stands in its box above the value, and whose it is: ``{"ride": ("× 3", ride)}``.
    """
    made = sorted(nodes(tensor), key=lambda node: node.seq)
    used = {node: [edge for edge in node.edges if edge is not None] for node in made}
    level = levels(made, used)
    columns: dict[int, list[Any]] = {}
    for target, column in level.items():
        columns.setdefault(column, []).append(target)
    tallest = max(map(len, columns.values()))
    middle = 26 + tallest * ROW / 2
    place = {
        target: (50 + column * COLUMN, middle + (row - (len(targets) - 1) / 2) * ROW)
        for column, targets in columns.items()
        for row, target in enumerate(targets)
    }
    lines = []
    bow = -1
    for node in made:
        for edge in used[node]:
            bend = 0.0
            if level[node] - level[edge] > 1:  # around what stands between
                bend, bow = bow * 1.7 * ROW, -bow
            lines.append(arrow(place[edge], place[node], bend))
    told = labels(level, named) if named else signs(level, used)
    boxes = [box(place[target], target not in used, told[target]) for target in level]
    tip = (
        '<marker id="tip" markerWidth="6" markerHeight="6" viewBox="0 0 9 8" refX="9" refY="4" '
        f'orient="auto"><path d="M0 0L9 4L0 8z" fill="{INK}"/></marker>'
    )
    width = 100 + COLUMN * max(columns)
    if named:
        alt = in_words(level, used, told)
    else:
        alt = f"A graph of {len(made)} nodes: {unnamed(made, used, level)}."
    return Picture(width, 2 * middle, [f"<defs>{tip}</defs>", *lines, *boxes], alt)


def levels(made: list[Any], used: dict[Any, list[Any]]) -> dict[Any, int]:
    """The column of each node and leaf: right of all that it uses; a leaf next to its first use."""
    level: dict[Any, int] = {}
    for node in made:
        known = [level[edge] for edge in used[node] if edge in level]
        level[node] = 1 + max(known, default=0)
        for edge in used[node]:
            level.setdefault(edge, level[node] - 1)
    return level


def signs(level: dict[Any, int], used: dict[Any, list[Any]]) -> dict[Any, list[str]]:
    """What stands in each box of a graph without names."""
    return {target: [SIGNS[target.name()] if target in used else "leaf"] for target in level}


def labels(level: dict[Any, int], named: dict[str, tuple[str, Any]]) -> dict[Any, list[str]]:
    """The name above each box, and in it the operation and the value; a leaf has no operation."""
    told = {}
    for name, (sign, tensor) in named.items():
        target = tensor if tensor.grad_fn is None else tensor.grad_fn
        told[target] = [name, sign, f"{tensor.item():g}".replace("-", "−")]
    return {target: told[target] for target in level}


def arrow(start: tuple[float, float], end: tuple[float, float], bend: float) -> str:
    (fx, fy), (x, y) = start, end
    return (
        f'<path d="M{fx + HALF:g} {fy:g}Q{(fx + x) / 2:g} {(fy + y) / 2 + bend:g} '
        f'{x - HALF:g} {y:g}" fill="none" stroke="{INK}" stroke-width="1.5" '
        'marker-end="url(#tip)"/>'
    )


def box(at: tuple[float, float], leaf: bool, told: list[str]) -> str:
    """A leaf is round. One text stands in the box; of three, the first one above it."""
    x, y = at
    drawn = (
        f'<rect x="{x - HALF:g}" y="{y - HALF:g}" width="{2 * HALF}" height="{2 * HALF}" '
        f'rx="{HALF if leaf else 6}" fill="#eef3fa" stroke="{INK}"/>'
    )
    if len(told) == 1:
        return drawn + text(x, y + 5, told[0])
    name, sign, value = told
    drawn += text(x, y - HALF - 6, name)
    if sign:
        drawn += text(x, y - 4, sign)
    return drawn + text(x, y + (14 if sign else 5), value, more='font-weight="700"')


def unnamed(made: list[Any], used: dict[Any, list[Any]], level: dict[Any, int]) -> str:
    leaves = [target for target in level if target not in used]
    called = {leaf: f"leaf {count}" for count, leaf in enumerate(leaves, 1)}
    called.update((node, f"node {count}") for count, node in enumerate(made, 1))
    return "; ".join(
        f"{called[node]} is {SIGNS[node.name()]} of {' and '.join(called[e] for e in used[node])}"
        for node in made
    )


def in_words(level: dict[Any, int], used: dict[Any, list[Any]], told: dict[Any, list[str]]) -> str:
    """A graph with names, from left to right, for those who do not see it."""
    said = []
    for target in sorted(level, key=lambda one: level[one]):
        name, sign, value = told[target]
        if target in used:
            earlier = " and ".join(told[edge][0] for edge in used[target])
            said.append(f"the box {name}: {sign}, value {value}, reached from {earlier}")
        else:
            said.append(f"round: {name}, value {value}")
    return f"A graph, from left to right. {'; '.join(said)}."
