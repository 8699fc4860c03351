"""A measured memory at rest: its curve, its lines as a table, and who keeps what in sentences."""

from __future__ import annotations

from typing import Any

from minigrad.tape.keeping import size

from .svg import INK, LINE, PAPER, SOFT, WIDTH, Picture
from .words import sentences, table

LEFT, RIGHT, TOP, DEEP = 84, 24, 56, 170  # of the curve, in pixels
FORWARD, BACKWARD, LET_GO = "#1c5fb8", "#b93a10", "#8c959f"

Data = dict[str, Any]


def memory_table(data: Data) -> str:
    """Each line: what it has saved, and how much of that is saved still."""
    lines = [[0, 0, 0] for _ in data["lines"]]  # operations, bytes, bytes that are saved still
    for node in data["nodes"]:
        if node["line"] >= 0:
            lines[node["line"]][0] += 1
    for one in data["buffers"]:
        first = data["nodes"][one["by"][0]] if one["by"] else None
        if first is not None and first["line"] >= 0:
            lines[first["line"]][1] += one["bytes"]
            lines[first["line"]][2] += one["bytes"] if one["freed"] is None else 0
    rows = [
        (f"{at['file']} line {at['line']}", at["text"], str(made), size(saved), size(there))
        for at, (made, saved, there) in zip(data["lines"], lines)
        if made
    ]
    if not rows:
        return str(data["note"]) or "Nothing was recorded."
    head = ("line", "text", "operations", "saved", "still saved")
    kept = [one["says"] for one in data["keepers"]]
    return "\n\n".join([table(head, rows, "lines"), *said_at_the_end(data), *kept]).strip()


def said_at_the_end(data: Data) -> list[str]:
    """The peak and the end, and what nobody keeps."""
    peak = data["peak"]
    where = ""
    if peak["line"] >= 0:
        line = data["lines"][peak["line"]]
        where = f", at {line['file']} line {line['line']}"
    text = f"Peak: {size(peak['bytes'])}{where}. At the end: {size(data['curve'][-1])}."
    return [text, *([data["nobody"]] if data["nobody"] else [])]


def memory_says(data: Data) -> str:
    """The measurement in sentences."""
    if not data["moments"]:
        return str(data["note"]) or "Nothing was recorded."
    kept = [one["says"] for one in data["keepers"]]
    count = len(data["moments"]) + data["dropped"]
    first = f"Bytes saved for backward passes, over {count} moments."
    return sentences([first, *said_at_the_end(data), *kept], "variables")


def memory_picture(data: Data) -> str:
    """The curve, with its peak; below it what happened: operations, visits, lines that freed."""
    curve = data["curve"]
    most = max(curve, default=0)
    if not most:
        return ""
    wide = WIDTH - LEFT - RIGHT
    bottom = TOP + DEEP
    step = wide / max(1, len(curve))
    picture = Picture("Bytes saved for backward passes, over time")
    picture.text(24, 22, picture.title, WIDTH - 48, 13, text_anchor="start", font_weight=600)
    way = f"M{LEFT} {bottom}"
    height = 0.0
    for at, now in enumerate(curve):
        high = round(bottom - DEEP * now / most, 1)
        if not at or high != height:
            way += f"V{high:g}" if not at else f"H{round(LEFT + step * at, 1):g}V{high:g}"
        height = high
    picture.path(f"{way}H{LEFT + wide}V{bottom}Z", fill="#dbe7f6", stroke=FORWARD, stroke_width=1.4)
    for part in (0, 0.5, 1):
        y = bottom - DEEP * part
        picture.text(LEFT - 8, y, size(most * part), 70, 11, fill=SOFT, text_anchor="end")
        picture.path(f"M{LEFT} {y:g}h{wide}", stroke=LINE, stroke_width=0.5, fill="none")
    peak = curve.index(most)
    x = LEFT + step * (peak + 0.5)
    picture.path(f"M{x:g} {TOP - 10}v{DEEP + 10}", stroke=INK, stroke_dasharray="3 3", fill="none")
    anchor = "start" if x < WIDTH / 2 else "end"
    shift = 6 if anchor == "start" else -6
    picture.text(x + shift, TOP - 12, f"peak {size(most)}", 0, 11.5, text_anchor=anchor)
    colours = {"made": FORWARD, "visit": BACKWARD, "freed": LET_GO}
    for kind, start, end in runs([moment[0] for moment in data["moments"]]):
        width = max(1, step * (end - start))
        middle = LEFT + step * (start + 1) + width / 2
        ground = PAPER if kind == "visit" else colours[kind]
        high = 4 if kind == "freed" else 8
        picture.box(middle, bottom + 10, width, high, fill=ground, stroke=colours[kind])
    words = "below: full, operations; hollow, visits of backward passes; low, lines that freed"
    picture.text(LEFT, bottom + 28, words, wide, 11, fill=SOFT, text_anchor="start")
    return picture.drawn(WIDTH, bottom + 46)


def runs(kinds: list[str]) -> list[tuple[str, int, int]]:
    """Where the same happens several times in a row: what, from where, up to where."""
    found: list[tuple[str, int, int]] = []
    for at, kind in enumerate(kinds):
        if found and found[-1][0] == kind:
            found[-1] = (kind, found[-1][1], at + 1)
        else:
            found.append((kind, at, at + 1))
    return found
