"""Plots and heat maps for the notebooks, as SVG with a text that says what they show.

Every run draws the same characters, so the stored outputs can be compared.
"""

from __future__ import annotations

import base64
from collections.abc import Sequence
from html import escape
from typing import Any

import numpy as np

INK, PAPER, GRID = "#1f2933", "#ffffff", "#d8dee6"
BLUE, ORANGE = (33, 102, 172), (178, 84, 10)  # negative, positive
FONT = 'font-family="system-ui, sans-serif" font-size="13"'


class Picture:
    """An SVG drawing that a notebook displays, and ``alt``, the same in words."""

    def __init__(self, width: float, height: float, parts: Sequence[str], alt: str) -> None:
        self.alt = alt
        self.svg = (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{height:g}" '
            f'viewBox="0 0 {width:g} {height:g}" role="img" aria-label="{escape(alt)}" {FONT} '
            f'fill="{INK}"><rect width="100%" height="100%" fill="{PAPER}"/>{"".join(parts)}</svg>'
        )

    def __repr__(self) -> str:
        return self.alt

    def _repr_html_(self) -> str:
        data = base64.b64encode(self.svg.encode()).decode()
        return f'<img src="data:image/svg+xml;base64,{data}" alt="{escape(self.alt)}">'


class PagePicture(Picture):
    """A picture that is dark on a dark page; its hues stay, and it is never wider than the page."""

    def _repr_html_(self) -> str:
        tag = super()._repr_html_().replace("<img", f'<img class="mg-drawn" style="{FITS}"', 1)
        return tag + DARK


FITS = "max-width:100%;height:auto"
DARK = (
    "<style>:is([data-jp-theme-light=false],.vscode-dark) .mg-drawn"
    "{filter:invert(.93) hue-rotate(180deg)}</style>"
)


def text(x: float, y: float, words: str, anchor: str = "middle", more: str = "") -> str:
    return f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}" {more}>{escape(words)}</text>'


# ------------------------------------------------------------------------------------- plots

WIDE, HIGH, LEFT, GAP = 560, 130, 78, 46


def plots(panels: Sequence[dict[str, Any]], alt: str, xlabel: str) -> Picture:
    """Panels above one another, over one x axis.

    Each panel is ``{"title": …, "x": …, "y": …, "marks": [(x, label), …]}``; and
    if wanted ``"dots": [(x, y), …]``, a dashed line, ``"tangent": [(x, y), (x, y)]``, and further
    curves, ``"more": [(label, y), …]``, beside the ``"label"`` of the first. A line is broken
    where ``y`` is NaN. ``"ticks"`` are numbers, or pairs of a number and what it is called.
    """
    parts = []
    for number, panel in enumerate(panels):
        top = 26 + number * (HIGH + GAP)
        x = np.asarray(panel["x"])
        lines = [(panel.get("label", ""), panel["y"]), *panel.get("more", ())]
        low = min(np.nanmin(y) for _, y in lines)
        high = max(np.nanmax(y) for _, y in lines)
        if low == high:  # a flat line stands in the middle
            low, high = low - 1, high + 1
        low, high = low - 0.08 * (high - low), high + 0.08 * (high - low)
        left, right = x.min(), x.max()

        def at(
            px: float,
            py: float,
            *,
            top: float = top,
            low: float = low,
            high: float = high,
            left: float = left,
            right: float = right,
        ) -> tuple[float, float]:
            return (
                round(LEFT + (px - left) / (right - left) * WIDE, 1),
                round(top + (high - py) / (high - low) * HIGH, 1),
            )

        parts.append(text(LEFT, top - 8, panel["title"], "start", 'font-weight="600"'))
        for tick in panel.get("ticks", ()):
            tick, called = tick if isinstance(tick, tuple) else (tick, f"{tick:,g}")
            _, ty = at(left, tick)
            parts.append(f'<path d="M{LEFT} {ty:g}h{WIDE}" stroke="{GRID}"/>')
            parts.append(text(LEFT - 8, ty + 4, called.replace(",", "\u202f"), "end"))
        for where, label in panel.get("marks", ()):
            mx, _ = at(where, low)
            parts.append(f'<path d="M{mx:g} {top}v{HIGH}" stroke="{INK}" stroke-dasharray="3 4"/>')
            parts.append(text(mx + 6, top + 14, label, "start"))
        for place, (label, y) in enumerate(lines):
            pen, path = "M", []
            for px, py in zip(x, y):
                if np.isnan(py):
                    pen = "M"
                    continue
                path.append("{}{:g} {:g}".format(pen, *at(px, py)))
                pen = "L"
            colour = "rgb({},{},{})".format(*((BLUE, ORANGE)[(number + place) % 2]))
            dashes = ' stroke-dasharray="7 4"' if place else ""
            parts.append(
                f'<path d="{"".join(path)}" fill="none" stroke="{colour}" stroke-width="2.2"'
                f"{dashes}/>"
            )
            if label:
                known = np.flatnonzero(~np.isnan(y))
                lx, ly = at(x[known[len(known) * 3 // 4]], y[known[len(known) * 3 // 4]])
                parts.append(text(lx - 8, ly - 8, label, "end", f'fill="{colour}"'))
        if tangent := panel.get("tangent"):
            (fx, fy), (tx, ty) = (at(*end) for end in tangent)
            parts.append(
                f'<path d="M{fx:g} {fy:g}L{tx:g} {ty:g}" stroke="{INK}" stroke-width="1.6" '
                'stroke-dasharray="6 4"/>'
            )
        for dot in panel.get("dots", ()):
            dx, dy = at(*dot)
            parts.append(f'<circle cx="{dx:g}" cy="{dy:g}" r="4.5" fill="{INK}"/>')
        parts.append(
            f'<rect x="{LEFT}" y="{top}" width="{WIDE}" height="{HIGH}" fill="none" '
            f'stroke="{INK}"/>'
        )
        for tick in panel.get("xticks", ()):
            tx, _ = at(tick, low)
            parts.append(text(tx, top + HIGH + 17, f"{tick:g}"))
    bottom = 26 + len(panels) * (HIGH + GAP)
    parts.append(text(LEFT + WIDE / 2, bottom - 6, xlabel))
    return Picture(LEFT + WIDE + 24, bottom + 6, parts, alt)


# --------------------------------------------------------------------------------- heat maps

CELL = 50
WIDEST = 760  # then the next matrix stands in a new row


def heat_maps(maps: Sequence[tuple[str, Any, Any]], alt: str = "", mark: str = "✗") -> PagePicture:
    """Matrices beside each other: ``(title, values or None, places to frame or None)``.

    Where the page is too narrow for all of them, they go on below.

    Numbers stand in the cells; the colours say the same: orange positive, blue negative. None
    draws a question mark. What is framed differs from what is wanted, and has the ``mark`` in its
    corner; without a mark it is what was meant.
    """
    grids = [
        (title, None if v is None else np.atleast_2d(np.asarray(v, float)), framed)
        for title, v, framed in maps
    ]
    largest = max([np.nanmax(np.abs(g)) for _, g, _ in grids if g is not None and g.size] + [1e-9])
    parts, words, x, top, bottom, right = [], [], 16.0, 0.0, 0.0, 0.0
    told = " (differs)" if mark else " (framed: those that were meant)"
    for title, grid, framed in grids:
        height, columns = (1, 1) if grid is None else grid.shape
        width = max(columns * CELL, 8 * len(title))
        if x > 16 and x + width + 16 > WIDEST:
            x, top = 16.0, bottom
        start = x + (width - columns * CELL) / 2
        parts.append(text(x + width / 2, top + 22, title, more='font-weight="600"'))
        for i in range(height):
            for j in range(columns):
                cx, cy = start + j * CELL, top + 34 + i * CELL
                value = None if grid is None else grid[i, j]
                wrong = framed is not None and bool(np.atleast_2d(framed)[i, j])
                parts.append(cell(cx, cy, value, largest, wrong, mark))
        shown = "not there yet" if grid is None else listed(grid)
        words.append(f"{title}: {shown}" + (told if np.any(framed) else ""))
        x += width + 34
        bottom, right = max(bottom, top + 34 + height * CELL + 14), max(right, x - 18)
    return PagePicture(right, bottom, parts, alt or "; ".join(words))


def cell(x: float, y: float, value: float | None, largest: float, framed: bool, mark: str) -> str:
    """One number on its colour; where it is framed, with the mark in its corner."""
    strength, base = 0.0, ORANGE
    if value is not None and np.isfinite(value):
        strength, base = 0.6 * abs(value) / largest, ORANGE if value > 0 else BLUE
    colour = ",".join(str(round(255 + (c - 255) * strength)) for c in base)
    words = "?" if value is None else number(value)
    part = (
        f'<rect x="{x:g}" y="{y:g}" width="{CELL}" height="{CELL}" fill="rgb({colour})" '
        f'stroke="{GRID}"/>'
    )
    part += text(x + CELL / 2, y + CELL / 2 + 5, words)
    if framed:
        part += (
            f'<rect x="{x + 2:g}" y="{y + 2:g}" width="{CELL - 4}" height="{CELL - 4}" '
            f'fill="none" stroke="{INK}" stroke-width="2.5" stroke-dasharray="5 3"/>'
        )
        part += text(x + CELL - 9, y + 13, mark, more='font-size="11" font-weight="700"')
    return part


def number(value: float) -> str:
    short = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if short == "-0" else short.replace("-", "−")


def listed(grid: np.ndarray) -> str:
    rows = ["[" + ", ".join(number(v) for v in row) + "]" for row in grid]
    return rows[0] if len(rows) == 1 else "[" + ", ".join(rows) + "]"
