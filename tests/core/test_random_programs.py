"""Random programs of mixed operations give what PyTorch gave when they were recorded."""

from __future__ import annotations

import json

import pytest
from random_programs import RECORD, difference, results

import minigrad

PROGRAMS = json.loads(RECORD.read_text(encoding="utf-8"))


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_random_program_gives_what_pytorch_gives(program):
    found = difference(results(minigrad, program), PROGRAMS[program])
    assert not found, f"{program}\n\n{found}"
