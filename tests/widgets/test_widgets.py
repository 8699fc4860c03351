"""The Python side of the widgets: what is sent to the page, without a page."""

from __future__ import annotations

import gc
import json

import pytest
from colah import FILE, colah

import minigrad as torch
import minigrad_widgets.graph_view as module
from minigrad.engine.node import Watch
from minigrad.tape.facts import LIMIT
from minigrad_widgets import BackwardStepper, GraphView


@pytest.fixture
def view():
    made = GraphView()
    made.sent = []
    made.send = lambda content, buffers=None: made.sent.append(content)
    yield made
    made.close()
    assert Watch.observer is None


def leaf(value):
    return torch.tensor(value, requires_grad=True)


def deltas(view):
    return [message for message in view.sent if message["type"] == "delta"]


def shown(view):
    """The operations that a page would show, after all deltas."""
    nodes = {node["id"]: node for delta in deltas(view) for node in delta["nodes"]}
    return [node for node in nodes.values() if node["kind"] == "op"]


def test_the_fixture_of_the_front_end_is_what_the_kernel_writes():
    assert json.loads(FILE.read_text(encoding="utf-8")) == json.loads(json.dumps(colah()))


def test_new_nodes_are_sent_once_with_what_they_need_first(view):
    a = leaf(2.0)
    b = a * a
    view.bring_up_to_date()
    view.bring_up_to_date()
    (delta,) = deltas(view)
    assert [node["kind"] for node in delta["nodes"]] == ["leaf", "op"]
    assert delta["nodes"][1]["names"] == ["b"]
    assert b.item() == 4.0


def test_deltas_are_numbered_without_gaps(view):
    a = leaf(2.0)
    kept = []
    for _ in range(3):
        kept.append(a * 2)
        view.bring_up_to_date()
    assert [delta["number"] for delta in deltas(view)] == [1, 2, 3]


def test_a_cell_is_told_to_begin_and_to_end_with_its_count(view):
    a = leaf(2.0)
    view.cell_begins("In [7]")
    kept = a * 2 + 1
    view.cell_ends("In [7]")
    events = [m for m in view.sent if m["type"] == "cell"]
    assert [(e["phase"], e["cell"], e["made"]) for e in events] == [
        ("begin", "In [7]", 0),
        ("end", "In [7]", 2),
    ]
    assert kept.item() == 5.0
    assert [m["type"] for m in view.sent] == ["cell", "delta", "cell"]


def test_the_snapshot_at_the_end_of_a_cell_holds_everything(view):
    a = leaf(2.0)
    kept = [a * 2, a + 1]
    view.cell_ends("In [1]")
    assert len(view.graph["nodes"]) == 3 and view.graph["number"] == 1
    json.dumps(view.graph, allow_nan=False)
    assert len(kept) == 2


def test_a_freed_graph_is_sent_as_gone(view):
    a = leaf(2.0)
    b = a * 2
    view.bring_up_to_date()
    del b
    view.bring_up_to_date()
    assert [node["state"] for node in shown(view)] == ["gone"]


def test_a_page_that_missed_something_gets_a_snapshot(view):
    a = leaf(2.0)
    kept = a * 2
    view.bring_up_to_date()
    view._asked(view, {"type": "resync"}, [])
    assert [node["kind"] for node in view.graph["nodes"]] == ["leaf", "op"]
    assert kept.item() == 4.0


def test_operations_beyond_the_limit_are_counted_not_drawn(view, monkeypatch):
    monkeypatch.setattr(module, "LIMIT", 5)
    a = leaf(2.0)
    kept = [a * i for i in range(8)]
    view.cell_ends("In [1]")
    assert len(shown(view)) == 5 and view.graph["omitted"] == 3
    assert repr(view) == "GraphView(8 operations)"
    assert len(kept) == 8


def test_hostile_names_and_sources_are_sent_as_they_are(view):
    namespace = {"a": leaf(2.0)}
    exec(compile("b = a * 2  # <script>", "<img src=x onerror=alert(1)>", "exec"), namespace)
    view.bring_up_to_date()
    (node,) = shown(view)
    assert "<img" in node["file"]


def test_fifty_views_opened_and_closed_leave_nobody_watching():
    for _ in range(50):
        GraphView().close()
    gc.collect()
    assert Watch.observer is None


def test_running_the_same_cell_again_replaces_its_view():
    views = [GraphView() for _ in range(2)]  # one line, run twice
    try:
        assert views[0]._made_at == views[1]._made_at
        assert views[0] not in module.session.views and views[1] in module.session.views
    finally:
        for made in views:
            made.close()


def test_the_stepper_names_variables_of_its_caller():
    a, b = leaf([2.0]), leaf([6.0])
    c = a + b
    d = b + 1
    e = c * d
    stepper = BackwardStepper(e)
    assert stepper.schedule["title"] == "e"
    assert [s["text"] for s in stepper.schedule["steps"] if s["kind"] == "land"] == ["a", "b"]
    assert repr(stepper) == "BackwardStepper(6 steps)"
    assert a.grad is None


def test_the_stepper_raises_what_backward_would():
    with pytest.raises(RuntimeError, match="MG107"):
        BackwardStepper(leaf([1.0, 2.0]) * 1)


def test_a_long_training_loop_under_watch_keeps_memory_bounded(view):
    facts = module.tape.facts
    others = sum(facts.state(key) != "gone" for key in facts)  # graphs that other tests hold
    w = leaf(1.0)
    for _ in range(4000):
        loss = (w * 2 - 1) ** 2
        loss.backward()
        w.grad = None
    view.bring_up_to_date()
    assert len(facts) <= others + LIMIT and len(module.tape._grads) <= LIMIT
    assert len(module.tape.passes) <= 8


def test_the_stepper_calls_the_backward_of_a_custom_function_once():
    class Counted(torch.autograd.Function):
        calls = 0

        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, grad):
            Counted.calls += 1
            return grad * 2

    stepper = BackwardStepper(Counted.apply(leaf([1.0])) * 3)
    assert Counted.calls == 1 and stepper.schedule["engines"] == []
    stepper.close()
