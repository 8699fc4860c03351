"""Random programs that change state do to it what they did in PyTorch when they were recorded."""

from __future__ import annotations

import json

import pytest
from random_histories import RECORD, history, whole, worst

import minigrad
import minigrad.utils.checkpoint

ROWS = json.loads(RECORD.read_text(encoding="utf-8"))


@pytest.mark.parametrize("row", ROWS, ids=lambda row: str(row["seed"]))
def test_a_random_history_is_that_of_pytorch(row):
    here = history(minigrad, row["program"], row["every"])
    found = worst(here, whole(row["history"]))
    assert found is None, "\n".join(["", *row["program"], "", *map(str, found)])
