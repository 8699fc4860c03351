"""Draw the map of the course, and write it into lesson 00 and into the README.

    python docs/course_map.py

What it draws stands in ``docs/course.py``. The titles are those of the lessons, and the minutes
those of the table in lesson 00, which the tests compare with what each lesson says of itself.
Its parts: ``notebooks/course_map.svg``, the cell ``course-map`` of lesson 00, and what stands
between two comments in the README.
"""

from __future__ import annotations

import json
import re
import sys
from html import escape
from pathlib import Path
from textwrap import wrap

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from docs.cells import NOTEBOOKS, Lesson, lessons  # noqa: E402
from docs.course import PLACES, WAYS, Way  # noqa: E402

README = HERE.parent / "README.md"
PICTURE = NOTEBOOKS / "course_map.svg"
BEGIN, END = "<!-- The map: python docs/course_map.py -->", "<!-- The end of the map -->"
CELL = "course-map"

WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
WORDS += ("eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen")
WORDS += ("eighteen", "nineteen", "twenty", "twenty-one", "twenty-two", "twenty-three")
WORDS += ("twenty-four", "twenty-five", "twenty-six", "twenty-seven", "twenty-eight")

Span = tuple[int, int]
"""Minutes: at least, and at most."""


# ------------------------------------------------------------------------ how long it takes


def sittings_of(lesson: Lesson) -> list[Span]:
    """How long each sitting of a lesson takes, as the table in lesson 00 says."""
    text = "\n".join(lessons()["00"].prose())
    if lesson.number == "00":
        return spans("one", re.findall(r"It takes (.*?) minutes", text)[0])
    row = re.search(rf"(?m)^\| \[[^]]*\]\({lesson.path.name}\) \|.*\| (\w+) \| (.*) \|$", text)
    if row is None:
        raise SystemExit(f"the table in lesson 00 has no row for {lesson.path.name}")
    return spans(*row.groups())


def spans(count: str, minutes: str) -> list[Span]:
    """``"two", "25, then 20"``: 25 and 20. ``"five", "four of 20, then 25"``: five of them."""
    found: list[Span] = []
    for part in re.split(r", then | and |, ", minutes):
        told = re.fullmatch(r"(?:(\w+) of )?(\d+)(?: to (\d+))?( each)?", part)
        if told is None:
            raise SystemExit(f"these are no minutes: {minutes!r}")
        times = WORDS.index(told[1]) if told[1] else 1
        found += [(int(told[2]), int(told[3] or told[2]))] * times
    wanted = WORDS.index(count)
    if len(found) == 1:
        found *= wanted
    if len(found) != wanted:
        raise SystemExit(f"{count} sittings, but {minutes!r} are the minutes of {len(found)}")
    return found


def together(parts: list[Span]) -> Span:
    return sum(low for low, _ in parts), sum(high for _, high in parts)


def minutes(span: Span) -> str:
    low, high = span
    return f"{high} minutes" if low == high else f"{low} to {high} minutes"


def hours(span: Span) -> str:
    """In words, to the half hour: "five and a half to six hours"."""
    low, high = (round(part / 30) for part in span)
    if low == high:
        return f"about {half_hours(high)} hours"
    return f"{half_hours(low)} to {half_hours(high)} hours"


def half_hours(count: int) -> str:
    return WORDS[count // 2] + (" and a half" if count % 2 else "")


# ------------------------------------------------------------------------------- the picture

WIDTH, HEIGHT, ASIDE, BELOW, EDGE = 136, 86, 26, 44, 4
LINES = "#818b98"  # seen on white and on black
STYLE = f"""
  text {{ font: 13px system-ui, sans-serif; fill: #fff; text-anchor: middle }}
  .number {{ font-weight: 700 }}
  rect {{ fill: #1d5fa6; stroke: {LINES} }}
  path {{ fill: none; stroke: {LINES}; stroke-width: 2 }}
  marker path {{ fill: {LINES}; stroke: none }}
"""


def drawing() -> str:
    """The map as an SVG: a box for each lesson, and an arrow from each lesson it builds on."""
    shown = lessons()
    lacking = [number for number in shown if number not in PLACES]
    if lacking:
        raise SystemExit(f"docs/course.py has no place for {', '.join(lacking)}")
    rows = 1 + max(PLACES[number].row for number in shown)
    columns = 1 + max(PLACES[number].column for number in shown)
    width = columns * (WIDTH + ASIDE) - ASIDE + 2 * EDGE
    height = rows * (HEIGHT + BELOW) - BELOW + 2 * EDGE
    arrows = [
        f'<path d="{arrow(before, number)}" marker-end="url(#tip)"/>'
        for number in shown
        for before in PLACES[number].after
    ]
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" role="img">',
        f"<title>{escape(told())}</title>",
        f"<style>{STYLE}</style>",
        '<marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="10" markerHeight="10" '
        'markerUnits="userSpaceOnUse" orient="auto"><path d="M0 0L8 4L0 8z"/></marker>',
        *arrows,
        *map(box, shown.values()),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def corner(number: str) -> tuple[int, int]:
    """The left upper corner of a lesson's box."""
    _, row, column = PLACES[number]
    return EDGE + column * (WIDTH + ASIDE), EDGE + row * (HEIGHT + BELOW)


def box(lesson: Lesson) -> str:
    left, top = corner(lesson.number)
    middle = left + WIDTH // 2
    low, high = together(sittings_of(lesson))
    span = f"{low}" if low == high else f"{low}–{high}"
    lines = wrap(lesson.title, 18)
    first = top + 40 + 8 * (3 - len(lines))
    texts = [
        f'<text x="{middle}" y="{first + 17 * at}">{escape(line)}</text>'
        for at, line in enumerate(lines)
    ]
    return "\n".join(
        [
            f'<rect x="{left}" y="{top}" width="{WIDTH}" height="{HEIGHT}" rx="8"/>',
            f'<text x="{middle}" y="{top + 19}">'
            f'<tspan class="number">{lesson.number}</tspan> · {span} min</text>',
            *texts,
        ]
    )


def arrow(before: str, number: str) -> str:
    """The way of an arrow: along the gaps between the boxes, each lesson's in a lane of its own.

    Between rows it runs across, and between columns down, so that it crosses no box; arrows from
    two lessons never run on one line.
    """
    (left, top), (to_left, to_top) = corner(before), corner(number)
    start, end = PLACES[before], PLACES[number]
    if start.row == end.row:
        assert end.column == start.column + 1, "an arrow within a row leads to the next box"
        return f"M{left + WIDTH} {top + HEIGHT // 2}H{to_left - 1}"
    lane = 6 * (start.column - 1)
    across = top + HEIGHT + BELOW // 2 - 6 + lane
    into = to_left + WIDTH // 2 + lane
    out = left + WIDTH // 2 - 18  # beside all that comes in
    if end.row == start.row + 1:
        if start.column == end.column:
            return f"M{into} {top + HEIGHT}V{to_top - 1}"
        return f"M{out} {top + HEIGHT}V{across}H{into}V{to_top - 1}"
    down = to_left - ASIDE // 2 + lane // 2
    above = to_top - BELOW // 2 - 6 + lane
    return f"M{out} {top + HEIGHT}V{across}H{down}V{above}H{into}V{to_top - 1}"


def told() -> str:
    """The map for those who do not see it."""
    lines = [
        f"{number} {lesson.title}"
        + (f" builds on {' and '.join(PLACES[number].after)}" if PLACES[number].after else "")
        for number, lesson in lessons().items()
    ]
    return f"The lessons, and what they build on: {'; '.join(lines)}."


# --------------------------------------------------------------------------------- the ways


def way(one: Way, folder: str, audit: str) -> str:
    """A row of the table: whom it is for, which lessons, and how long they take."""
    shown = lessons()
    if one.sittings:
        named = " and ".join(
            f"sitting {which} of {link(number, folder)}" for number, which in one.sittings
        )
        parts = [sittings_of(shown[number])[which - 1] for number, which in one.sittings]
        takes = f"about {together(parts)[1]} minutes"
        if one.then:
            named += ", then " + one.then.format(audit=audit)
    else:
        days = [[number for number in day if number in shown] for day in one.days]
        listed = [", ".join(link(number, folder) for number in day) for day in days if day]
        if len(listed) > 1:
            listed = [f"{WORDS[at]}: {day}" for at, day in enumerate(listed, start=1)]
        named = ("day " if len(listed) > 1 else "") + "; ".join(listed)
        parts = [span for day in days for number in day for span in sittings_of(shown[number])]
        takes = hours(together(parts))
    return f"| {one.time} | {one.whom} | {named} | {takes} |"


def link(number: str, folder: str) -> str:
    return f"[{number}]({folder}{lessons()[number].path.name})"


def text(folder: str, audit: str) -> str:
    """The map and the ways, as Markdown; ``folder`` leads to the lessons from where it stands."""
    return "\n\n".join(
        [
            "An arrow leads from a lesson to another that builds on it. The minutes are those of "
            "all sittings of a lesson together.",
            f"![{told()}]({folder}{PICTURE.name})",
            "Not everybody needs all of it:",
            "\n".join(
                [
                    "| you have | and you | take | together |",
                    "|---|---|---|---|",
                    *(way(one, folder, audit) for one in WAYS),
                ]
            ),
        ]
    )


def in_lesson() -> str:
    """The source of the cell of lesson 00."""
    return "### A map\n\n" + text("", "articles.md")


def readme(content: str) -> str:
    """The README with the map as it is now."""
    before, rest = content.split(BEGIN)
    after = rest.split(END)[1]
    return f"{before}{BEGIN}\n\n{text('notebooks/', 'docs/audit.md')}\n\n{END}{after}"


def notebook(content: str) -> str:
    """Lesson 00 with the map as it is now."""
    raw = json.loads(content)
    (cell,) = (cell for cell in raw["cells"] if cell["id"] == CELL)
    cell["source"] = in_lesson().splitlines(keepends=True)
    return json.dumps(raw, indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    welcome = lessons()["00"].path
    PICTURE.write_text(drawing(), encoding="utf-8")
    README.write_text(readme(README.read_text(encoding="utf-8")), encoding="utf-8")
    welcome.write_text(notebook(welcome.read_text(encoding="utf-8")), encoding="utf-8")
    print(f"{PICTURE.name}, {welcome.name} and {README.name} written")
