"""The programs of ``programs`` give here what PyTorch gave when it was recorded."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path

import pytest
from compared.programs import TABLES, collected, outcome

import minigrad as torch

RECORDS = Path(__file__).parent / "recorded"
PROGRAMS = collected()
RECORDED = {
    table: json.loads((RECORDS / f"{table}.json").read_text(encoding="utf-8"))["programs"]
    for table in PROGRAMS
}


def marked(table, name):
    """The program, with the marker under which its table names it, if any: what it needs."""
    needs = getattr(TABLES.get(table), "NEEDS", {})
    marks = [getattr(pytest.mark, marker) for marker, names in needs.items() if name in names]
    return pytest.param(table, name, marks=marks)


EVERY_PROGRAM = [marked(table, name) for table, programs in PROGRAMS.items() for name in programs]

WORDS_COMPARED = 4
"""How many words of an error's message must be PyTorch's: its users search for them."""


def other_words(table):
    """Programs whose error is of PyTorch's type, but in words of our own: the table says why."""
    return getattr(TABLES.get(table), "OTHER_WORDS", ())


ROUNDED = {"lbfgs_down_a_bowl": 1e-4}
"""Programs that magnify what processors round otherwise, and by how much they may differ then."""


def differences(here, there, place="result", tolerance=1e-6):
    """Where two described results differ, as lines of text."""
    if isinstance(here, dict) and isinstance(there, dict) and here.keys() == there.keys():
        for key in here:
            yield from differences(here[key], there[key], f"{place}.{key}", tolerance)
    elif isinstance(here, list) and isinstance(there, list) and len(here) == len(there):
        for position, (a, b) in enumerate(zip(here, there)):
            yield from differences(a, b, f"{place}[{position}]", tolerance)
    elif isinstance(here, float) and isinstance(there, float):
        if not math.isclose(here, there, rel_tol=tolerance, abs_tol=2e-7):
            yield f"{place}: {here!r}, in PyTorch {there!r}"
    elif here != there or type(here) is not type(there):
        yield f"{place}:\n{here}\n   in PyTorch\n{there}"


@pytest.mark.parametrize("table", PROGRAMS)
def test_the_record_is_of_these_programs(table):
    again = f"run tests/core/compared/record_pytorch.py {table} again"
    assert list(PROGRAMS[table]) == list(RECORDED[table]), again


@pytest.mark.parametrize("table", TABLES)
def test_no_program_is_written_and_never_run(table):
    """A function of ``torch`` alone is one of ``PROGRAMS``, or another function calls it."""
    text = Path(TABLES[table].__file__).read_text(encoding="utf-8")
    written = re.findall(r"^def (\w+)\(torch\):", text, re.MULTILINE)
    unused = [name for name in written if len(re.findall(rf"\b{name}\b", text)) == 1]
    assert set(unused) <= set(PROGRAMS[table]), "name these in PROGRAMS"


@pytest.mark.parametrize(("table", "name"), EVERY_PROGRAM)
def test_the_program_gives_what_pytorch_gives(table, name):
    there = RECORDED[table][name]
    here = outcome(torch, PROGRAMS[table][name])
    words = here.pop("message", "").split(), there.get("message", "").split()
    wanted = {key: value for key, value in there.items() if key != "message"}
    found = list(differences(here, wanted, tolerance=ROUNDED.get(name, 1e-6)))
    if not found and name not in other_words(table):
        ours, theirs = (" ".join(part[:WORDS_COMPARED]) for part in words)
        if ours != theirs:
            found = [f"message: {' '.join(words[0])}\n   in PyTorch\n{' '.join(words[1])}"]
    assert not found, "\n".join([name, *found[:8]])  # eight are enough to understand
