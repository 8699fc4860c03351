"""No test of the core may leave a trace: modes, defaults and filters are as they were before."""

from __future__ import annotations

import sys
import warnings

import numpy as np
import pytest

import minigrad as torch
from minigrad.engine.node import Watch

ABSENT = ("threads", "processes", "pointers", "arithmetic")
"""The markers of what Python in a browser does not have: pyproject.toml says it of each."""


def pytest_runtest_setup(item):
    if sys.platform != "emscripten":
        return
    for line in item.config.getini("markers"):
        marker, _, text = line.partition(": ")
        if marker in ABSENT and item.get_closest_marker(marker):
            pytest.skip(text)


def global_state():
    """Everything global that a test could change for those after it."""
    return {
        "grad mode": torch.is_grad_enabled(),
        "inference mode": torch.is_inference_mode_enabled(),
        "default dtype": torch.get_default_dtype(),
        "NumPy's error handling": np.geterr(),
        "observer": Watch.observer,
        "warning filters": list(warnings.filters),
    }


@pytest.fixture(autouse=True)
def no_global_state_is_left_behind():
    before = global_state()
    yield
    after = global_state()
    changed = [name for name in before if before[name] != after[name]]
    assert not changed, f"left changed: {changed}"


@pytest.fixture
def collector_off():
    """Runs the test without the garbage collector: only reference counting frees anything."""
    import gc

    gc.collect()
    was_on = gc.isenabled()
    gc.disable()
    yield
    if was_on:
        gc.enable()
