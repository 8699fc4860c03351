"""A small picture in SVG: boxes, arrows and words, on paper that is light in every theme."""

from __future__ import annotations

import unicodedata
from html import escape

INK, SOFT, LINE = "#1f2328", "#57606a", "#8c959f"
PAPER = "#ffffff"
WIDTH = 720  # of a picture, at most: a notebook's column has about so many pixels
FONT = "ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace"


class Picture:
    """Shapes, in the order in which they are drawn."""

    def __init__(self, title: str) -> None:
        self.title = title
        self.shapes: list[str] = []

    def box(self, x: float, y: float, width: float, height: float, **look: object) -> None:
        """A rectangle; its middle is at x, y."""
        place = attributes(x=x - width / 2, y=y - height / 2, width=width, height=height)
        self.shapes.append(f"<rect {place} {attributes(**look)}/>")

    def path(self, way: str, **look: object) -> None:
        self.shapes.append(f'<path d="{way}" {attributes(**look)}/>')

    def arrow(self, way: str, x: float, y: float) -> None:
        """A line, and the head at its end, which points right."""
        self.path(way, fill="none", stroke=LINE, stroke_width=1.4)
        head = f"M{x - 8:g} {y - 4.5:g}L{x:g} {y:g}L{x - 8:g} {y + 4.5:g}Z"
        self.path(head, fill=LINE)

    def text(
        self, x: float, y: float, text: str, most: float = 0, size: float = 12.5, **look: object
    ) -> None:
        """Words around x, y; cut off where they are wider than ``most`` pixels."""
        shown = escape(fitted(text, most, size) if most else text)
        options = {"fill": INK, "text_anchor": "middle", "font_size": size, **look}
        place = attributes(x=x, y=y + size * 0.35, **options)
        self.shapes.append(f"<text {place}>{shown}</text>")

    def drawn(self, width: float, height: float) -> str:
        """The whole picture."""
        start = (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{height:g}" '
            f'viewBox="0 0 {width:g} {height:g}" font-family="{FONT}" role="img">'
        )
        ground = f'<rect width="{width:g}" height="{height:g}" rx="6" fill="{PAPER}"/>'
        return f"{start}<title>{escape(self.title)}</title>{ground}{''.join(self.shapes)}</svg>"


def attributes(**given: object) -> str:
    return " ".join(
        f'{name.replace("_", "-")}="{value:g}"'
        if isinstance(value, int | float)
        else f'{name.replace("_", "-")}="{value}"'
        for name, value in given.items()
    )


def fitted(text: str, most: float, size: float) -> str:
    """As much of a text as has room; a letter is 0.61 of its size wide, those of Asia twice."""
    room = most / (0.61 * size)
    if sum(map(cells, text)) <= room:
        return text
    kept = ""
    for letter in text:
        if sum(map(cells, kept)) + cells(letter) > room - 1:
            break
        kept += letter
    return f"{kept}…"


def cells(letter: str) -> int:
    return 2 if unicodedata.east_asian_width(letter) in "WF" else 1
