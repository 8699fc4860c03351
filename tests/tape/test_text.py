"""The graph as text."""

from __future__ import annotations

import pytest

import minigrad as torch
from minigrad.tape import graph_text, tape


def test_the_graph_is_a_table_with_names_of_the_caller():
    a = torch.tensor([2.0], requires_grad=True)
    b = torch.tensor([6.0], requires_grad=True)
    c = a + b
    e = c * b
    rows = [line.split() for line in graph_text(tape, e).splitlines()]
    assert [row[0] for row in rows] == ["e", "c", "a", "b"]
    assert rows[0] == ["e", "=", "c", "*", "b", "[48]", "MulBackward0"]
    assert rows[-1] == ["b", "[6]", "leaf"]


def test_after_backward_the_text_is_still_there():
    a = torch.tensor(2.0, requires_grad=True)
    e = a * a
    e.backward()
    assert graph_text(tape, e).startswith("e = ")


def test_a_tensor_without_history_has_no_graph():
    with pytest.raises(RuntimeError, match="MG109"):
        graph_text(tape, torch.tensor(1.0))
