"""Random programs that change state do to it what they did in PyTorch when they were recorded."""

from __future__ import annotations

import json

import pytest
from random_histories import RECORD, history, whole, worst

import minigrad
import minigrad.utils.checkpoint

ROWS = json.loads(RECORD.read_text(encoding="utf-8"))
NEGATIVE_BYTES = {84}
"""The seeds of programs that write negative floats to uint8: each processor has its own result."""


def marked(row):
    marks = [pytest.mark.arithmetic] if row["seed"] in NEGATIVE_BYTES else []
    return pytest.param(row, id=str(row["seed"]), marks=marks)


@pytest.mark.parametrize("row", [marked(row) for row in ROWS])
def test_a_random_history_is_that_of_pytorch(row):
    here = history(minigrad, row["program"], row["every"])
    found = worst(here, whole(row["history"]))
    assert found is None, "\n".join(["", *row["program"], "", *map(str, found)])
