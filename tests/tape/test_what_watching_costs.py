"""What keeps watching cheap: work is done when somebody reads, once, and what is old is forgotten.

The times themselves are measured by ``tests/benchmarks/limits.py``.
"""

from __future__ import annotations

import weakref

import numpy as np
import pytest

import minigrad as torch
from minigrad.tape import rehearse, tape
from minigrad.tape.facts import Described
from minigrad.tape.recorder import GRADIENTS
from minigrad_widgets import BackwardStepper, GraphView


@pytest.fixture
def described(monkeypatch):
    """How often each node was worked out for the page."""
    counts = {}
    describe = Described.describe

    def counting(self, key, most=8):
        counts[key] = counts.get(key, 0) + 1
        return describe(self, key, most)

    monkeypatch.setattr(Described, "describe", counting)
    return counts


@pytest.fixture
def reader():
    reader = tape.watch()
    yield reader
    tape.release(reader)


def test_a_backward_pass_files_no_notes_while_the_program_runs(reader):
    tape.catch_up()
    a = torch.tensor(2.0, requires_grad=True)
    loss = a * a
    before = len(tape.facts)
    loss.backward()
    assert len(tape.facts) <= before + 1  # the leaf
    assert tape.passes[-1].schedule("replayed")["steps"]


def test_a_pass_is_replayed_after_the_tape_has_forgotten_its_nodes(reader):
    a = torch.tensor(2.0, requires_grad=True)
    loss = a * a * 3
    loss.backward()
    record = tape.passes[-1]
    record.take_over()
    tape.catch_up()
    record.take_over()
    first = record.schedule("replayed")
    for key in [node["id"] for node in first["nodes"]]:
        tape.facts.pop(key, None)
    assert record.schedule("replayed")["steps"] == first["steps"]


def test_views_of_one_graph_share_what_is_told_of_a_node(described):
    views = []
    for number in range(5):
        views.append(GraphView())
        views[-1]._made_at = number
    h = torch.tensor(1.0, requires_grad=True)
    for _ in range(10):
        h = h * 2
    for view in views:
        view.bring_up_to_date()
        view.cell_ends("")
    assert max(described.values()) < len(views)
    for view in views:
        view.close()


def test_what_is_shared_is_never_old(reader):
    w = torch.tensor([1.0, 2.0], requires_grad=True)
    loss = (w * w).sum()
    tape.catch_up()
    key = tape.key_of(w)
    assert tape.describe(key)["grad"] is None
    loss.backward()
    assert tape.describe(key)["grad"]["data"] == [2.0, 4.0]
    with torch.no_grad():
        w.fill_(5.0)
    tape.look_for_names()
    assert tape.describe(key)["value"]["data"] == [5.0, 5.0]
    w.grad.zero_()
    assert tape.describe(key)["grad"]["data"] == [0.0, 0.0]


def test_of_many_nodes_a_schedule_has_fewer_numbers_of_each_matrix():
    def shown(operations):
        h = torch.ones(8, 8, requires_grad=True)
        for _ in range(operations):
            h = h * 1.5
        schedule = rehearse(tape, h.sum())
        return max(len(step["grad"]["data"]) for step in schedule["steps"])

    assert (shown(5), shown(200), shown(1300)) == (64, 9, 1)


def test_gradients_of_operations_are_kept_of_the_latest_only(reader, monkeypatch):
    monkeypatch.setattr("minigrad.tape.recorder.GRADIENTS", 10)
    a = torch.tensor(2.0, requires_grad=True)
    for _ in range(20):
        (a * a).backward()
    tape.catch_up()
    assert len(tape._grads) <= 10 < GRADIENTS


def test_an_array_among_the_operands_is_told_by_its_shape():
    scores = torch.randn(300, 10, requires_grad=True)
    with GraphView() as view:
        torch.nn.functional.cross_entropy(scores, torch.zeros(300, dtype=torch.int64))
    texts = [one["text"] for node in view.graph["nodes"] for one in node["inputs"]]
    view.close()
    assert all(len(text) < 60 for text in texts), texts


def test_a_watched_graph_is_freed_though_an_operation_takes_a_tensor_within_a_tuple(reader):
    scores = torch.randn(3, 4, requires_grad=True) * 1
    result = torch.nn.functional.cross_entropy(scores, torch.tensor([0, 1, 2]))
    node = weakref.ref(scores._node)
    del scores, result
    assert node() is None


def test_a_view_is_opened_and_sent_with_the_state_that_it_has(monkeypatch):
    sent = []
    view = BackwardStepper(torch.tensor(3.0, requires_grad=True) * 2)
    monkeypatch.setattr(view, "_send", lambda message, buffers=None: sent.append(message))
    view.send_state("schedule")
    assert view.comm is not None and view.model_id
    (message,) = sent
    assert message["method"] == "update" and message["buffer_paths"] == []
    assert message["state"]["schedule"]["steps"] == view.schedule["steps"]
    assert not any(isinstance(value, np.ndarray) for value in message["state"].values())
