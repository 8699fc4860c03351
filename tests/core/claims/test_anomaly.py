"""Anomaly detection: which derivative made the first NaN, and where it was made."""

from __future__ import annotations

import math

import pytest

import minigrad as torch
from minigrad.engine.node import Watch


def poisoned():
    x = torch.tensor([0.0, 4.0], requires_grad=True)
    root = torch.sqrt(x)
    return x, (root * torch.tensor([0.0, 1.0])).sum()


def test_the_first_nan_is_refused_with_operation_and_line():
    with torch.autograd.set_detect_anomaly(True):
        x, loss = poisoned()
        with (
            pytest.raises(RuntimeError) as caught,
            pytest.warns(UserWarning, match="Error detected in SqrtBackward0") as warned,
        ):
            loss.backward()
    assert warned[0].filename == __file__ and "root = torch.sqrt(x)" in str(warned[0].message)
    text = str(caught.value)
    assert text.startswith("Function 'SqrtBackward0' returned nan values in its 0th output.")
    assert "test_anomaly.py line" in text and "root = torch.sqrt(x)" in text
    assert x.grad is None


def test_without_it_nan_passes_in_silence():
    x, loss = poisoned()
    loss.backward()
    assert math.isnan(x.grad[0].item())


def test_it_ends_with_its_block_and_with_an_exception():
    with pytest.raises(KeyError), torch.autograd.set_detect_anomaly(True):
        assert torch.autograd.is_anomaly_enabled()
        raise KeyError
    assert not torch.autograd.is_anomaly_enabled()
    assert Watch.observer is None and Watch.refuse is None


def test_it_may_be_switched_on_and_off_by_calls():
    torch.autograd.set_detect_anomaly(True)
    assert torch.autograd.is_anomaly_enabled()
    torch.autograd.set_detect_anomaly(False)
    assert not torch.autograd.is_anomaly_enabled() and Watch.observer is None


def test_blocks_may_be_nested():
    with torch.autograd.set_detect_anomaly(True):
        with torch.autograd.set_detect_anomaly(False):
            assert not torch.autograd.is_anomaly_enabled()
        assert torch.autograd.is_anomaly_enabled()


def test_detect_anomaly_says_that_it_takes_time():
    with pytest.warns(UserWarning, match="Anomaly Detection has been enabled"):
        context = torch.autograd.detect_anomaly()
    with context:
        pass
    assert not torch.autograd.is_anomaly_enabled()


def test_the_lines_alone_may_be_remembered():
    with torch.autograd.set_detect_anomaly(True, check_nan=False):
        x, loss = poisoned()
        loss.backward()
    assert x.grad[1].item() == 0.25


def test_switching_it_off_where_it_is_off_changes_nothing():
    with torch.autograd.set_detect_anomaly(False):
        assert not torch.autograd.is_anomaly_enabled() and Watch.observer is None
    assert not torch.autograd.is_anomaly_enabled()
