"""Each test begins as a new kernel does: nothing was tried yet."""

from __future__ import annotations

import pytest

from minigrad.lesson import tries


@pytest.fixture(autouse=True)
def nothing_was_tried():
    tries.forget()
    yield
    tries.forget()
