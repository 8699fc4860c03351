"""The drawings of notebook 09: a graph by its levels, and schedules with a row for each worker."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from statistics import mean

from .nb09_runs import Graph, Task, Turn, done, ends, schedule
from .pictures import FITS, GRID, INK, PagePicture, Picture, text

FILL = "#dbe8f7"
ARROW = (
    '<marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" '
    f'orient="auto"><path d="M0 0L8 4L0 8z" fill="{INK}"/></marker>'
)
HATCH = (
    '<pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" '
    f'patternTransform="rotate(45)"><rect width="6" height="6" fill="{GRID}"/>'
    f'<path d="M0 0V6" stroke="{INK}" stroke-width="1.6"/></pattern>'
)


LARGEST = 1000


class Drawing(PagePicture):
    """It is shrunk to the width of the page; a very wide one is not, and one scrolls in it."""

    def __init__(self, width: float, height: float, parts: Sequence[str], alt: str) -> None:
        super().__init__(width, height, parts, alt)
        self.scrolls = width > LARGEST

    def _repr_html_(self) -> str:
        page = super()._repr_html_()
        if not self.scrolls:
            return page
        page = page.replace(FITS, "max-width:none")
        return f'<div style="overflow-x:auto" tabindex="0">{page}</div>'


def many(count: float, word: str) -> str:
    return f"{count:g} {word}" if count == 1 else f"{count:g} {word}s"


# -------------------------------------------------------------------------------- a graph by levels

WIDE, HIGH, GAP, DOWN = 58, 26, 28, 36

Stop = str | tuple[str, str, int]
"""In a column stands a task, or an arrow that passes: from whom, to whom, and in which column."""


def levels(*graphs: Graph) -> Drawing:
    """Each graph with arrows that lead with the data; a column holds what can be done at once."""
    parts, words, top, right = [f"<defs>{ARROW}</defs>"], [], 8.0, 0.0
    for tasks in map(within, graphs):
        shown = {task.name: tasks.signs.get(task.name, f"({task.cost:g})") for task in tasks}
        labels = {name: f"{name} {sign}" for name, sign in shown.items()}
        wide = max([WIDE, *(written(label) for label in labels.values())])
        columns, ways = laid_out(tasks)
        tallest = max(map(len, columns), default=0)
        places = {
            name: (12 + (wide + GAP) * level, top + DOWN * (row + (tallest - len(names)) / 2))
            for level, names in enumerate(columns)
            for row, name in enumerate(names)
        }
        parts += [edge(wide, *(places[stop] for stop in way)) for way in ways]
        for name, label in labels.items():
            parts.append(box(*places[name], wide, HIGH, label))
        top += DOWN * tallest + 18
        right = max(right, 12 + (wide + GAP) * len(columns))
        said = [
            labels[name] + (f" after {' and '.join(waits)}" if waits else "")
            for name, _, waits in tasks
        ]
        words.append(f"A graph of {many(len(tasks), 'operation')}: {', '.join(said)}")
    return Drawing(max(right, 200), top, parts, ". ".join(words))


def within(tasks: Graph) -> Graph:
    """The same tasks, which wait only for each other: whatever else they need is there already."""
    own = {task.name for task in tasks}
    found = Graph(t._replace(waits_for=tuple(o for o in t.waits_for if o in own)) for t in tasks)
    found.signs = tasks.signs
    return found


def written(words: str) -> int:
    """How wide a box has to be for these words."""
    return len(words) * 7 + 8


def box(x: float, y: float, width: float, height: float, words: str, fill: str = FILL) -> str:
    part = (
        f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="4" fill="{fill}" '
        f'stroke="{INK}"/>'
    )
    return part + (text(x + width / 2, y + height / 2 + 4.5, words) if words else "")


def laid_out(tasks: Graph) -> tuple[list[list[Stop]], list[list[Stop]]]:
    """The columns from top to bottom, and the way of each arrow, with a free place where it passes.

    A column is put in the order of what its members wait for, if an arrow passes anywhere.
    """
    at = {name: int(end) - 1 for name, end in done(t._replace(cost=1) for t in tasks).items()}
    columns: list[list[Stop]] = [[] for _ in range(max(at.values(), default=-1) + 1)]
    ways: list[list[Stop]] = []
    for task in tasks:
        columns[at[task.name]].append(task.name)
        for other in task.waits_for:
            passed = range(at[other] + 1, at[task.name])
            ways.append([other, *((other, task.name, level) for level in passed), task.name])
            for level in passed:
                columns[level].append((other, task.name, level))
    before: dict[Stop, list[Stop]] = {}
    for way in ways:
        for first, second in pairwise(way):
            before.setdefault(second, []).append(first)
    if any(len(way) > 2 for way in ways):
        for left, column in pairwise(columns):
            rows = {stop: row - len(left) / 2 for row, stop in enumerate(left)}
            column.sort(key=lambda stop: mean([rows[one] for one in before[stop] if one in rows]))
    return columns, ways


def edge(wide: float, *stops: tuple[float, float]) -> str:
    """An arrow from the first place to the last, straight through those between them."""
    y = stops[0][1] + HIGH / 2
    path = f"M{stops[0][0] + wide:g} {y:g}"
    for number, (x, top) in enumerate(stops[1:], 2):
        last = number == len(stops)
        bend, to_x, to_y = (GAP - 1) / 2, x - 1 if last else x, top + HIGH / 2
        path += f"C{to_x - bend:g} {y:g} {to_x - bend:g} {to_y:g} {to_x:g} {to_y:g}"
        path += "" if last else f"H{x + wide:g}"
        y = to_y
    return f'<path d="{path}" fill="none" stroke="{INK}" marker-end="url(#tip)"/>'


# ------------------------------------------------------------------------------------- schedules

LEFT, ROW, ACROSS = 84, 28, 640


def schedules(tasks: Sequence[Task], *workers: int, overhead: float = 0) -> Drawing:
    """A schedule for each number of workers, one below the other, over one axis of minutes."""
    found = [(int(count), schedule(tasks, count, overhead)) for count in workers]
    last = max((ends(turns) for _, turns in found), default=1) or 1
    return drawn([(f"{many(count, 'worker')}", count, turns) for count, turns in found], last)


def handed_out(tasks: Graph, workers: int, overhead: float) -> Drawing:
    """One who does all of it, and workers to whom each task has to be handed out first."""
    rows = [
        ("1 worker, nothing is handed out", 1, schedule(tasks, 1)),
        (
            f"{many(workers, 'worker')}, and {many(overhead, 'minute')} to hand out each task",
            workers,
            schedule(tasks, workers, overhead),
        ),
    ]
    return drawn(rows, max(ends(turns) for _, _, turns in rows) or 1)


def drawn(rows: Sequence[tuple[str, int, Sequence[Turn]]], last: float) -> Drawing:
    """The schedules: what is striped is the time in which a task is handed out."""
    minute = min(34.0, ACROSS / last)
    parts, words, top = [f"<defs>{HATCH}</defs>"], [], 4.0
    for title, count, turns in rows:
        end = ends(turns)
        parts.append(
            text(8, top + 16, f"{title}: done at minute {end:g}", "start", 'font-weight="600"')
        )
        top += 24
        told = []
        for worker in range(count):
            own = [turn for turn in turns if turn.worker == worker]
            parts.append(text(LEFT - 8, top + 18, f"worker {worker + 1}", "end"))
            parts.append(
                f'<path d="M{LEFT} {top + ROW / 2:g}h{last * minute:g}" stroke="{GRID}" '
                'stroke-dasharray="2 4"/>'
            )
            for turn in own:
                parts.append(bar(turn, top, minute))
            said = ", ".join(f"{t.name} {t.begins:g} to {t.ends:g}" for t in own)
            told.append(f"worker {worker + 1}: {said or 'nothing'}")
            top += ROW
        words.append(f"{title}, done at minute {end:g}. {'; '.join(told)}")
        top += 8
    step = next((n for n in (1, 2, 5, 10, 20, 50, 100) if last / n <= 20), 1000)
    for tick in range(0, int(last) + 1, step):
        x = LEFT + tick * minute
        parts.append(f'<path d="M{x:g} {top:g}v5" stroke="{INK}"/>')
        parts.append(text(x, top + 19, str(tick)))
    parts.append(f'<path d="M{LEFT} {top:g}h{last * minute:g}" stroke="{INK}"/>')
    parts.append(text(LEFT - 8, top + 19, "minute", "end"))
    return Drawing(LEFT + last * minute + 28, top + 28, parts, ". ".join(words))


def bar(turn: Turn, top: float, minute: float) -> str:
    x, width = LEFT + turn.begins * minute, (turn.ends - turn.begins) * minute
    handed = turn.overhead * minute
    part = box(x, top + 2, width, ROW - 4, "")
    if handed:
        part += box(x, top + 2, handed, ROW - 4, "", "url(#hatch)")
    letters = next((n for n in (12, 10) if long(turn.name, n) <= width - handed), 10)
    needed = long(turn.name, letters)
    if needed > width:
        return part
    middle = x + handed + (width - handed) / 2
    if needed > width - handed:  # it goes on over the stripes, on a ground of its own
        middle = x + width - needed / 2 - 1
        ground = f'width="{needed - 2:g}" height="16" fill="{FILL}"'
        part += f'<rect x="{middle - needed / 2:g}" y="{top + 6:g}" {ground}/>'
    return part + text(middle, top + 18.5, turn.name, more=f'font-size="{letters}"')


def long(words: str, letters: float) -> float:
    """How much room words take in letters of this size."""
    return len(words) * letters * 0.6 + 2


# ------------------------------------------------------------------------------- one below another


def planned(tasks: Graph, *workers: int) -> Drawing:
    """A graph, and below it the schedules of it."""
    return stacked(levels(tasks), schedules(tasks, *workers))


def stacked(*pictures: Picture) -> Drawing:
    parts, right, top = [], 0.0, 0.0
    for picture in pictures:
        width, height = map(float, re.findall(r'(?:width|height)="([\d.]+)"', picture.svg)[:2])
        parts.append(picture.svg.replace("<svg ", f'<svg y="{top:g}" ', 1))
        right, top = max(right, width), top + height
    return Drawing(right, top, parts, ". ".join(picture.alt for picture in pictures))
