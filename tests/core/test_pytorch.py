"""The programs of ``programs`` give here what PyTorch gave when it was recorded."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest
from programs import collected, outcome

import minigrad as torch

RECORD = Path(__file__).parent / "recorded" / "pytorch.json"
RECORDED = json.loads(RECORD.read_text(encoding="utf-8"))["programs"]
PROGRAMS = collected()

WORDS_COMPARED = 4
"""How many words of an error's message must be PyTorch's: its users search for them."""

OTHER_WORDS = {
    # Programs whose error has PyTorch's type but words of its own, and why.
}


def differences(here, there, place="result"):
    """Where two described results differ, as lines of text."""
    if isinstance(here, dict) and isinstance(there, dict) and here.keys() == there.keys():
        for key in here:
            yield from differences(here[key], there[key], f"{place}.{key}")
    elif isinstance(here, list) and isinstance(there, list) and len(here) == len(there):
        for position, (a, b) in enumerate(zip(here, there)):
            yield from differences(a, b, f"{place}[{position}]")
    elif isinstance(here, float) and isinstance(there, float):
        if not math.isclose(here, there, rel_tol=1e-6, abs_tol=1e-12):
            yield f"{place}: {here!r}, in PyTorch {there!r}"
    elif here != there or type(here) is not type(there):
        yield f"{place}:\n{here}\n   in PyTorch\n{there}"


def test_the_record_is_of_these_programs():
    assert list(PROGRAMS) == list(RECORDED), "run tests/core/record_pytorch.py again"


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_program_gives_what_pytorch_gives(name):
    there = RECORDED[name]
    here = outcome(torch, PROGRAMS[name])
    words = here.pop("message", "").split(), there.get("message", "").split()
    found = list(differences(here, {k: v for k, v in there.items() if k != "message"}))
    if not found and name not in OTHER_WORDS:
        ours, theirs = (" ".join(part[:WORDS_COMPARED]) for part in words)
        if ours != theirs:
            found = [f"message: {' '.join(words[0])}\n   in PyTorch\n{' '.join(words[1])}"]
    assert not found, "\n".join([name, *found])
