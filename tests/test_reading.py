"""The reading guide tells of files, names and figures that are there."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

import pytest
import reading_path

ROOT = Path(__file__).resolve().parents[1]


def loaded():
    spec = importlib.util.spec_from_file_location("reading", ROOT / "docs" / "reading.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


reading = loaded()
GUIDE = reading.GUIDE.read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"^## \d\. `(.+?)`.*?\n(.*?)(?=^## )", GUIDE, re.DOTALL | re.MULTILINE))
TWICE = re.findall(r"^\| (.+) \| (.+) \| `(.+)` \|$", GUIDE, re.MULTILINE)


def names_in(text):
    """What the text calls by name: a word, in code."""
    return set(re.findall(r"`(\w+)`", text))


def missing(names, place):
    """Those of the names that do not occur in a file of the core, or in a folder."""
    path = reading.CORE / place
    files = sorted(path.rglob("*.py")) if path.is_dir() else [path]
    text = "\n".join(file.read_text(encoding="utf-8") for file in files)
    return {name for name in names if not re.search(rf"\b{name}\b", text)}


def figures(table):
    return [int(number.replace(",", "")) for number in re.findall(r"(?<=\| )[\d,]+(?= \|)", table)]


def test_the_figures_are_those_of_the_files_within_a_tenth():
    """So that a small change in one of the files is no change of the guide."""
    told = GUIDE.partition(reading.BEGIN)[2].partition(reading.END)[0]
    assert figures(told) == pytest.approx(figures(reading.table()), rel=0.1, abs=5), (
        "docs/reading.md tells of other figures: run python docs/reading.py"
    )


def test_a_real_run_goes_through_the_files_that_the_guide_tells_of():
    path = reading_path.path_of(reading_path.to_grad())
    files = set(path.files)
    engine = [file for file in files if file.startswith("minigrad/engine/")]
    assert len(engine) == 5
    changes = len(path.files) - 1
    assert f"enters {len(files)} files, five of them" in GUIDE.replace("\n", " ")
    assert f"changes from one to another {changes} times" in GUIDE.replace("\n", " ")


def test_each_file_of_the_tour_has_a_section_in_its_order():
    assert tuple(SECTIONS) == reading.TOUR


@pytest.mark.parametrize("file", reading.TOUR)
def test_what_a_section_names_is_in_its_file(file):
    assert not missing(names_in(SECTIONS[file]), file)


@pytest.mark.parametrize(("here", "there", "place"), TWICE)
def test_what_is_there_twice_has_these_names(here, there, place):
    assert not missing(names_in(here), "micro.py")
    assert not missing(names_in(there), place)


def test_every_link_leads_to_a_file():
    wrong = [
        link for link in re.findall(r"\]\((.+?)\)", GUIDE) if not (ROOT / "docs" / link).exists()
    ]
    assert not wrong


def test_words_are_those_of_comments_and_docstrings():
    program = '"""Two words."""\n\nx = 1  # and three more\n"not prose" + "at all"\n'
    assert reading.words(program) == 5
