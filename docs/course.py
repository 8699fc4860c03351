"""The course as data: what each lesson builds on, where it stands on the map, and three ways.

``docs/course_map.py`` draws the map of the lessons that there are; titles and minutes are read from
the lessons. A new lesson needs its line in ``PLACES``, and its day in the week.
"""

from __future__ import annotations

from typing import NamedTuple


class Place(NamedTuple):
    """A lesson on the map: the lessons that it builds on, and its row and column."""

    after: tuple[str, ...]
    row: int
    column: int


PLACES = {
    "00": Place((), 0, 0),
    "01": Place(("00",), 0, 1),
    "02": Place(("01",), 0, 2),
    "03": Place(("02",), 1, 1),
    "04": Place(("02",), 1, 2),
    "05": Place(("04",), 1, 3),
    "06": Place(("03", "05"), 2, 3),
    "07": Place(("03", "05"), 2, 1),
    "08": Place(("05",), 2, 2),
    "09": Place(("05",), 4, 1),
    "10": Place(("03", "05"), 4, 2),
    "11": Place(("06",), 3, 3),
    "12": Place(("05",), 3, 2),
    "13": Place(("06", "08"), 4, 3),
    "14": Place(("05",), 3, 1),
}
"""Some of these are still to come: only lessons that exist are drawn and listed."""


class Way(NamedTuple):
    """A way through the course: who has how much time, and which lessons those are, by day.

    ``sittings`` names single sittings instead: ("03", 1) is the first one of lesson 03.
    """

    time: str
    whom: str
    days: tuple[tuple[str, ...], ...] = ()
    sittings: tuple[tuple[str, int], ...] = ()
    then: str = ""


WAYS = (
    Way(
        time="a weekend",
        whom="want to understand what a gradient is, and train a network with it",
        days=(("00", "01", "02", "03", "04", "05"),),
    ),
    Way(
        time="a week, as a course",
        whom="want all of it, or teach it",
        days=(
            ("00", "01", "02"),
            ("03", "04"),
            ("05", "06"),
            ("07", "08"),
            ("09", "10", "11"),
            ("12", "13", "14"),
        ),
    ),
    Way(
        time="an hour",
        whom="use PyTorch every day",
        sittings=(("03", 1), ("06", 1)),
        then="what three articles claim, and [what was measured]({audit})",
    ),
)
