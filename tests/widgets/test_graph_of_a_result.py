"""``GraphView(loss)``: from a result backwards, though nobody watched."""

from __future__ import annotations

import gc
import weakref

import pytest

import minigrad as torch
from minigrad.engine.node import Watch
from minigrad_widgets import GraphView
from minigrad_widgets.session import session


@pytest.fixture(autouse=True)
def no_view_is_left():
    yield
    for view in list(session.views):
        view.close()


def leaf(value):
    return torch.tensor(value, requires_grad=True)


def nodes(view):
    view.cell_ends("")
    return {(node["names"] or [node["formula"]])[0]: node for node in view.graph["nodes"]}


def test_it_draws_the_graph_with_names_and_values_as_far_as_they_are_known():
    a, b = leaf(2.0), leaf(6.0)
    e = (a + b) * (b + 1)
    view = GraphView(e)
    found = nodes(view)
    assert found["e"]["formula"] == "(a + b) * (b + 1)"
    assert found["e"]["value"]["text"] == "56"
    assert [found[name]["value"]["text"] for name in ("a + b", "b + 1", "a", "b")] == list("8726")
    assert repr(view) == "GraphView(3 operations)"
    assert view.graph["behind"] == "e" and view.graph["ended"]
    ids = {node["id"] for node in view.graph["nodes"]}
    assert {one["id"] for node in found.values() for one in node["inputs"]} <= ids | {None}


def test_it_does_not_watch():
    a = leaf(2.0)
    view = GraphView(a * 3)
    assert Watch.observer is None
    d = a * 4
    assert repr(view) == "GraphView(1 operation)" and d.item() == 8


def test_parameters_have_their_paths():
    model = torch.nn.Sequential(torch.nn.Linear(2, 8), torch.nn.Tanh(), torch.nn.Linear(8, 1))
    loss = model(torch.ones(4, 2)).sum()
    assert {path for path, _ in model.named_parameters()} <= set(nodes(GraphView(loss)))


def test_a_backward_pass_is_seen_in_it_when_the_cell_has_ended():
    a = leaf(2.0)
    loss = a.exp() * a
    view = GraphView(loss)
    loss.backward()
    found = nodes(view)
    assert found["a"]["grad"]["text"] == f"{a.grad.item():.4g}"
    assert {node["state"] for node in found.values() if node["op"]} == {"spent"}


def test_it_keeps_no_graph_alive():
    def look():  # a function of its own: on Python 3.11 a looked-at frame keeps its variables
        loss = leaf(2.0).exp()
        return GraphView(loss), weakref.ref(loss.grad_fn)

    view, gone = look()
    gc.collect()
    assert gone() is None
    assert {node["state"] for node in nodes(view).values() if node["op"]} == {"gone"}


def test_what_was_watched_is_drawn_as_it_was_watched():
    a = leaf(2.0)
    with GraphView():
        b = a * 3
    c = b + 1
    found = nodes(GraphView(c))
    assert found["b"]["source"] == "b = a * 3" and found["c"]["source"] == ""


def test_a_leaf_is_all_there_is_behind_it_and_a_number_has_no_graph():
    a = leaf(2.0)
    (only,) = GraphView(a).graph["nodes"]
    assert only["names"] == ["a"]
    with pytest.raises(RuntimeError, match="MG109"):
        GraphView(torch.ones(2))
    with pytest.raises(TypeError, match="what led to a Tensor, not to float"):
        GraphView(3.0)
