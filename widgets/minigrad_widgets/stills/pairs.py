"""Two runs, and the course of a loss, as pictures."""

from __future__ import annotations

from math import isfinite
from typing import Any

from .svg import INK, LINE, SOFT, WIDTH, Picture
from .words import difference_sign, near, with_value

MOST_ROWS = 40
ROW = 30
LOOKS = {
    "same": {"fill": "#f6f8fa", "stroke": "#6e7781"},
    "value": {"fill": "#fff8c5", "stroke": "#9a6700"},
    "left": {"fill": "#ffebe9", "stroke": "#cf222e"},
    "right": {"fill": "#ddf4ff", "stroke": "#0969da"},
}

Data = dict[str, Any]


def difference_picture(difference: Data) -> str:
    """Both runs, their nodes beside each other; what differs says so."""
    rows = difference["rows"][:MOST_ROWS]
    picture = Picture(difference["summary"])
    picture.text(WIDTH / 2, 22, difference["summary"], WIDTH - 24, 13, font_weight=600)
    for x, side in ((150, "left"), (570, "right")):
        picture.text(x, 50, f"{side}: {difference[side]['title']}", 270, fill=SOFT)
    for at, row in enumerate(rows):
        y = 80 + ROW * at
        if row["skipped"]:
            picture.text(WIDTH / 2, y, f"… {row['skipped']} like these", fill=SOFT)
            continue
        picture.text(WIDTH / 2, y, said(row), 148, 11, fill=SOFT)
        for x, node in ((150, row["left"]), (570, row["right"])):
            if node is not None:
                picture.box(x, y, 270, 24, rx=5, **LOOKS[row["kind"]])
                picture.text(x, y, with_value(node), 258)
    more = len(difference["rows"]) - len(rows)
    height = 80 + ROW * len(rows)
    if more:
        picture.text(WIDTH / 2, height, f"… and {more} more", fill=SOFT)
        height += ROW
    return picture.drawn(WIDTH, height)


def said(row: Data) -> str:
    line = (row["left"] or row["right"])["line"]
    return f"{difference_sign(row)}, line {line}" if line else difference_sign(row)


def training_picture(training: Data) -> str:
    """The loss at each step; "" before there is one."""
    points = [(n, loss) for n, loss in training["loss"] if is_finite(loss)]
    if not points:
        return ""
    left, right, top, bottom = 80, WIDTH - 24, 40, 230
    steps = [n for n, _ in points]
    losses = [loss for _, loss in points]
    low, high = min(0.0, *losses), max(losses)
    wide = max(1, steps[-1] - steps[0])
    tall = (high - low) or 1.0
    picture = Picture(f"The loss of {training['model']} at each {training['unit']}")
    picture.text(left, 20, f"loss, {training['progress']}", text_anchor="start", font_weight=600)
    picture.path(f"M{left} {top}V{bottom}H{right}", fill="none", stroke=LINE)
    at = [
        (
            left + (right - left) * (n - steps[0]) / wide,
            bottom - (bottom - top) * (loss - low) / tall,
        )
        for n, loss in points
    ]
    way = "L".join(f"{x:.1f} {y:.1f}" for x, y in at)
    picture.path(f"M{way}", fill="none", stroke="#0969da", stroke_width=2)
    for x, y in (at[0], at[-1]):
        picture.box(x, y, 6, 6, rx=3, fill="#0969da")
    for y, number in ((top, high), (bottom, low)):
        picture.text(left - 8, y, near(float(number)), text_anchor="end", fill=SOFT)
    unit = training["unit"]
    picture.text(left, bottom + 18, f"{unit} {steps[0]}", text_anchor="start", fill=SOFT)
    picture.text(right, bottom + 18, f"{unit} {steps[-1]}", text_anchor="end", fill=SOFT)
    end = f"{near(float(losses[0]))} → {near(float(losses[-1]))}"
    picture.text(right, 20, end, text_anchor="end", fill=INK)
    return picture.drawn(WIDTH, bottom + 36)


def is_finite(loss: Any) -> bool:
    return isinstance(loss, int | float) and isfinite(loss)
