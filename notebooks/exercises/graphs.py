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


def drawing(tensor: Any) -> Picture:
    """The real graph behind a tensor, from left to right; leaves are round and have no names."""
    made = sorted(nodes(tensor), key=lambda node: node.seq)
    level: dict[Any, int] = {}
    for node in made:
        for edge in node.edges:
            level.setdefault(edge, 0)
        level[node] = 1 + max(level[edge] for edge in node.edges)
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
    lines, boxes, words = [], [], []
    bow = -1
    for node in made:
        x, y = place[node]
        for edge in node.edges:
            fx, fy = place[edge]
            bend = 0.0
            if level[node] - level[edge] > 1:  # around what stands between
                bend, bow = bow * 1.7 * ROW, -bow
            lines.append(
                f'<path d="M{fx + HALF:g} {fy:g}Q{(fx + x) / 2:g} {(fy + y) / 2 + bend:g} '
                f'{x - HALF:g} {y:g}" fill="none" stroke="{INK}" stroke-width="1.5" '
                'marker-end="url(#tip)"/>'
            )
    leaves = columns[0]
    called = {leaf: f"leaf {count}" for count, leaf in enumerate(leaves, 1)}
    called.update((node, f"node {count}") for count, node in enumerate(made, 1))
    for target, name in called.items():
        x, y = place[target]
        leaf = level[target] == 0
        sign = "leaf" if leaf else SIGNS[target.name()]
        boxes.append(
            f'<rect x="{x - HALF:g}" y="{y - HALF:g}" width="{2 * HALF}" '
            f'height="{2 * HALF}" rx="{HALF if leaf else 6}" fill="#eef3fa" '
            f'stroke="{INK}"/>' + text(x, y + 5, sign)
        )
        if not leaf:
            words.append(f"{name} is {sign} of {' and '.join(called[e] for e in target.edges)}")
    tip = (
        '<marker id="tip" markerWidth="6" markerHeight="6" viewBox="0 0 9 8" refX="9" refY="4" '
        f'orient="auto"><path d="M0 0L9 4L0 8z" fill="{INK}"/></marker>'
    )
    width = 100 + COLUMN * max(columns)
    return Picture(
        width,
        2 * middle,
        [f"<defs>{tip}</defs>", *lines, *boxes],
        f"A graph of {len(made)} nodes: {'; '.join(words)}.",
    )
