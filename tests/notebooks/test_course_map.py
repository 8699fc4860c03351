"""The map of the course names the lessons that there are, and its ways can be gone."""

from __future__ import annotations

import itertools
import re
import xml.etree.ElementTree as ElementTree

import pytest
from lessons import LESSONS, ROOT

from docs import course_map
from docs.cells import lessons
from docs.course import PLACES, WAYS
from website import lite

NUMBERS = [lesson.number for lesson in LESSONS]
PICTURE = ElementTree.fromstring(course_map.drawing())
SVG = "{http://www.w3.org/2000/svg}"


# ---------------------------------------------------------------------------- as it is written


def test_picture_lesson_and_readme_hold_the_map_as_it_is():
    welcome = lessons()["00"].path.read_text(encoding="utf-8")
    readme = course_map.README.read_text(encoding="utf-8")
    fresh = [
        course_map.PICTURE.read_text(encoding="utf-8") == course_map.drawing(),
        welcome == course_map.notebook(welcome),
        readme == course_map.readme(readme),
    ]
    assert fresh == [True] * 3, "the lessons have changed: run python docs/course_map.py"


def test_the_map_names_exactly_the_lessons_that_there_are():
    boxes = [one.text for one in PICTURE.iter(f"{SVG}tspan")]
    assert sorted(boxes) == NUMBERS
    assert re.findall(r"(?:: |; )(\d\d) ", course_map.told()) == NUMBERS
    drawn = "".join(one.text for one in PICTURE.iter(f"{SVG}text") if one.text).replace(" ", "")
    assert all(lesson.title.replace(" ", "") in drawn for lesson in lessons().values())


def test_the_week_has_each_lesson_once():
    (week,) = (way for way in WAYS if len(way.days) > 1)
    days = list(itertools.chain(*week.days))
    assert sorted(days) == sorted(set(days)) and set(NUMBERS) <= set(days)


def test_the_live_lessons_find_the_picture(tmp_path):
    lite.put_lessons(tmp_path / "files")
    assert (tmp_path / "files" / course_map.PICTURE.name).exists()


# ------------------------------------------------------------------------------ what builds on


def all_before(number):
    found = set(PLACES[number].after)
    return found.union(*map(all_before, found))


def test_an_arrow_leads_from_an_earlier_lesson_and_says_nothing_twice():
    for number, place in PLACES.items():
        assert all(before < number for before in place.after)
        for one, other in itertools.permutations(place.after, 2):
            assert one not in all_before(other), f"{other} builds on {one} already"


@pytest.mark.parametrize("way", [way for way in WAYS if way.days], ids=lambda way: way.time)
def test_a_way_leads_through_what_a_lesson_builds_on(way):
    order = list(itertools.chain(*way.days))
    for at, number in enumerate(order):
        assert all_before(number) <= set(order[:at]), number


def test_an_hour_is_enough_for_the_way_of_an_hour():
    (hour,) = (way for way in WAYS if way.time == "an hour")
    shown = lessons()
    parts = [course_map.sittings_of(shown[number])[at - 1] for number, at in hour.sittings]
    assert course_map.together(parts)[1] <= 50, "something is left for the articles"


# ------------------------------------------------------------------------------------ minutes


def test_a_lesson_says_itself_how_long_its_sittings_take(lesson):
    sittings = course_map.sittings_of(lessons()[lesson.number])
    own = [
        sentence
        for sentence in re.split(
            r"(?<=[.:|])\s", " ".join(c.source for c in lesson.of_kind("markdown")[:3])
        )
        if "minutes" in sentence
    ]
    said = {int(number) for text in own for number in re.findall(r"\b\d{2}\b", text)}
    assert said == set(itertools.chain(*sittings)), own


@pytest.mark.parametrize(
    ("count", "minutes", "sittings"),
    [
        ("two", "25, then 20", [(25, 25), (20, 20)]),
        ("four", "20 to 25", [(20, 25)] * 4),
        ("three", "20, then 25 and 25", [(20, 20), (25, 25), (25, 25)]),
        ("five", "four of 20, then 25", [(20, 20)] * 4 + [(25, 25)]),
        ("three", "25 each", [(25, 25)] * 3),
    ],
)
def test_the_minutes_of_the_table_are_understood(count, minutes, sittings):
    assert course_map.spans(count, minutes) == sittings


@pytest.mark.parametrize(("count", "minutes"), [("three", "25, then 20"), ("two", "long")])
def test_minutes_that_are_not_understood_are_refused(count, minutes):
    with pytest.raises(SystemExit, match="minutes"):
        course_map.spans(count, minutes)


def test_hours_are_told_to_the_half():
    assert course_map.hours((385, 425)) == "six and a half to seven hours"
    assert course_map.hours((118, 125)) == "about two hours"


# -------------------------------------------------------------------------------- the picture


def lines_of(path):
    """The straight pieces of an arrow, each as its two ends."""
    steps = re.findall(r"([MHV])([\d.]+)(?: ([\d.]+))?", path)
    x, y = float(steps[0][1]), float(steps[0][2])
    for letter, value, _ in steps[1:]:
        end = (float(value), y) if letter == "H" else (x, float(value))
        yield (x, y), end
        x, y = end


def test_no_arrow_crosses_a_box():
    """Also of lessons that are still to come: their places are known."""
    boxes = [course_map.corner(number) for number in PLACES]
    for number, place in PLACES.items():
        for before in place.after:
            for start, end in lines_of(course_map.arrow(before, number)):
                (left, right), (top, bottom) = (sorted(pair) for pair in zip(start, end))
                for x, y in boxes:
                    beside = right <= x or left >= x + course_map.WIDTH
                    outside = bottom <= y or top >= y + course_map.HEIGHT
                    assert beside or outside, (before, number)


def test_arrows_from_two_lessons_never_run_on_one_line():
    pieces = [
        (before, start, end)
        for number, place in PLACES.items()
        for before in place.after
        for start, end in lines_of(course_map.arrow(before, number))
    ]
    for (one, *ends), (other, *others) in itertools.combinations(pieces, 2):
        for along, over in ((0, 1), (1, 0)):
            on_one_line = len({point[over] for point in (*ends, *others)}) == 1
            low = max(min(point[along] for point in pair) for pair in (ends, others))
            high = min(max(point[along] for point in pair) for pair in (ends, others))
            assert one == other or not (on_one_line and low < high), (one, other)


def test_no_two_lessons_stand_on_one_place():
    places = [(place.row, place.column) for place in PLACES.values()]
    assert len(set(places)) == len(places)


def test_text_and_arrows_are_seen_on_white_and_on_black():
    (fill,) = re.findall(r"rect \{ fill: (#\w+)", PICTURE.find(f"{SVG}style").text)
    assert contrast(fill, "#ffffff") > 4.5
    assert min(contrast(course_map.LINES, page) for page in ("#ffffff", "#111111")) > 3


def contrast(one, other):
    lighter, darker = sorted(map(luminance, (one, other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def luminance(colour):
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear))


def test_the_readme_names_the_file_of_each_lesson():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert all(f"(notebooks/{lesson.path.name})" in readme for lesson in LESSONS)
