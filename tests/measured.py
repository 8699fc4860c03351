"""For tests of MemoryTape: what the graphs of other tests hold is not measured."""

from __future__ import annotations

import gc

import pytest


@pytest.fixture
def measured_from_nothing():
    """MemoryTape counts what earlier graphs hold, and finds them among what Python could collect.

    What is there already is put where it is never collected, for the rest of the tests: so it is
    no longer found.
    """
    gc.collect()
    gc.freeze()
