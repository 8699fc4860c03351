"""For tests of MemoryTape: what the graphs of other tests hold is not measured."""

from __future__ import annotations

import gc
from types import SimpleNamespace

import pytest

from minigrad.engine.node import Node
from minigrad.tape import memory


@pytest.fixture
def measured_from_nothing(monkeypatch):
    """MemoryTape counts what earlier graphs hold; here those of other tests are left out."""
    gc.collect()
    others = [one for one in gc.get_objects() if isinstance(one, Node)]
    hidden = set(map(id, others))  # they live as long as the test, so nobody gets their numbers

    def without_others():
        return [one for one in gc.get_objects() if id(one) not in hidden]

    monkeypatch.setattr(memory, "gc", SimpleNamespace(get_objects=without_others))
    yield
    others.clear()
