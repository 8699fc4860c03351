"""A kernel as a browser has it: no thread can be started, and a None is lost on the way."""

from __future__ import annotations

import json
import sys
from types import SimpleNamespace

import comm
import pytest
from kernels import kernel

import minigrad as torch
from minigrad_widgets import BackwardStepper, GraphView, page_view

SETUP = """
import threading
start = threading.Thread.start
def refuse(thread):
    if threading.current_thread() is threading.main_thread():
        raise RuntimeError("can't start new thread")
    start(thread)  # the kernel's own, which sends messages
threading.Thread.start = refuse
import minigrad as torch
from minigrad import nn
from minigrad_widgets import BackwardStepper, GraphDiff, GraphView, TrainingLoop, watch
"""

LINES = """
a = torch.tensor(2.0, requires_grad=True)
b = a * 3
print("b is there", flush=True)
c = b + 1
print("c is there", flush=True)
c.backward()
print("a has a gradient", flush=True)
"""

TRAIN = """
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
x = torch.randn(8, 4)
with TrainingLoop(model, optimizer) as loop:
    for epoch in loop.progress(range(10)):
        for _ in range(5):
            optimizer.zero_grad()
            model(x).square().sum().backward()
            optimizer.step()
            loop._record.due = 0  # as if a tenth of a second had passed
        print("round", epoch, flush=True)
print(loop.training["state"])
"""

EVERY_VIEW = """
def f(a, b):
    return (a + b) * (b + 1)
view = GraphView()
shown = watch(f, a=2.0, b=6.0)
loss = f(torch.tensor(2.0, requires_grad=True), torch.tensor(6.0, requires_grad=True))
display(view, shown, BackwardStepper(loss), BackwardStepper(f, a=2.0, b=6.0))
print(shown.result.item())
"""


@pytest.fixture
def cells(tmp_path):
    with kernel(tmp_path) as running:
        running.run(SETUP, "setup")
        yield running


def events(messages):
    """What a page sees, in its order: the lines printed, and the nodes and gradients of deltas."""
    seen = []
    for message in messages:
        content = message["content"]
        if message["msg_type"] == "stream":
            seen += content["text"].splitlines()
        told = content.get("data", {}).get("content", {}) if "comm_id" in content else {}
        for node in told.get("nodes", ()):
            seen.append(node["names"][0] if node["names"] else node["id"])
            if node["grad"] is not None:
                seen.append(f"grad of {seen[-1]}")
    return seen


def test_without_threads_nodes_appear_while_the_cell_runs(cells):
    cells.run("view = GraphView()\nview", "view")
    seen = events(cells.heard(LINES, "lines"))
    order = ["b", "b is there", "c", "c is there", "grad of a", "a has a gradient"]
    assert [seen.index(one) for one in order] == sorted(seen.index(one) for one in order)


def test_without_threads_a_training_tells_how_far_it_has_come_while_it_runs(cells):
    told = []
    for message in cells.heard(TRAIN, "train"):
        content = message["content"]
        if message["msg_type"] == "stream":
            told += content["text"].splitlines()
        state = content.get("data", {}).get("state", {}) if "comm_id" in content else {}
        if "training" in state:
            told.append(state["training"]["progress"])
    assert told[-1] == "finished"
    between = told[told.index("round 3") : told.index("round 4")]
    assert any("of 50" in progress for progress in between)


def test_without_threads_every_view_opens(cells):
    assert cells.run(EVERY_VIEW, "views").splitlines()[-1] == "56.0"
    assert cells.run("print(view)", "words").startswith("GraphView(3 operations)")


def lossy(data):
    """What becomes of a message on its way; what the page's own parser has made passes whole."""
    if isinstance(data, Parsed):
        return json.loads(data.text)
    if isinstance(data, dict):
        return {name: lossy(value) for name, value in data.items() if value is not None}
    if isinstance(data, list | tuple):
        return [lossy(value) for value in data]
    return data


class Parsed:
    def __init__(self, text):
        self.text = text


@pytest.fixture
def page(monkeypatch):
    """The messages that reach the page of a browser's kernel."""
    arrived = []

    class Comm(comm.base_comm.BaseComm):
        def publish_msg(self, kind, data=None, metadata=None, buffers=None, **keys):
            arrived.append(lossy(data))

    monkeypatch.setattr(comm, "create_comm", Comm)
    monkeypatch.setattr(sys, "platform", "emscripten")
    monkeypatch.setattr(page_view, "JSON", SimpleNamespace(parse=Parsed), raising=False)
    return arrived


def test_a_none_reaches_the_page_when_a_view_is_made_changed_and_spoken_to(page):
    a = torch.tensor(2.0, requires_grad=True)
    with GraphView() as view:
        b = a * 3
        view.bring_up_to_date()
    assert b.item() == 6
    told = [message["content"] for message in page if message.get("method") == "custom"]
    changed = [message["state"] for message in page if message.get("method") == "update"]
    for nodes in (told[-1]["nodes"], changed[-1]["graph"]["nodes"]):
        assert [node["grad"] for node in nodes] == [None, None]
    view.close()


def test_a_none_in_what_a_view_is_made_with_reaches_the_page(page):
    a = torch.tensor(2.0, requires_grad=True)
    view = BackwardStepper(a * 3)
    schedule = page[-1]["state"]["schedule"]
    assert schedule == view.schedule
    assert any(node["grad"] is None for node in schedule["nodes"])
    view.close()
