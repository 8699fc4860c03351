"""A training in a kernel that cannot be interrupted stops when its page takes an address away."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

import minigrad as torch
from minigrad import nn
from minigrad_widgets import TrainingLoop, stop_sign, training_loop


class Browser:
    """What a kernel in a browser can ask for; and how often it has asked."""

    def __init__(self):
        self.addresses = set()
        self.asked = 0
        self.pressed_at = None  # how many questions are answered before Stop is pressed
        browser = self

        class Question:
            def open(self, method, address, later):
                assert method == "GET" and not later
                self.address = address

            def send(self):
                browser.asked += 1
                if browser.asked == browser.pressed_at:
                    browser.addresses.clear()
                if self.address not in browser.addresses:
                    raise OSError("NetworkError")

        self.names = SimpleNamespace(
            Blob=SimpleNamespace(new=object),
            URL=SimpleNamespace(createObjectURL=self.made, revokeObjectURL=self.taken_away),
            XMLHttpRequest=SimpleNamespace(new=Question),
        )

    def made(self, content):
        self.addresses.add("blob:here")
        return "blob:here"

    def taken_away(self, address):
        self.addresses.discard(address)


@pytest.fixture
def browser(monkeypatch):
    browser = Browser()
    monkeypatch.setattr(stop_sign, "js", browser.names)
    monkeypatch.setattr(training_loop, "in_page", lambda: True)
    monkeypatch.setattr(training_loop, "display", lambda view: None)
    return browser


class Counted(torch.optim.SGD):
    """Counts the steps that were taken whole."""

    whole = 0

    def step(self):
        super().step()
        self.whole += 1


def train(steps, by_hand=False, kind=torch.optim.SGD):
    """Train, and ask at each occasion; returns the loop and the steps that were begun."""
    model = nn.Linear(1, 1)
    optimizer = kind(model.parameters(), lr=0.1)
    begun = 0
    told = []
    with TrainingLoop(model, None if by_hand else optimizer) as loop:
        for _ in range(steps):
            begun += 1
            optimizer.zero_grad()
            loop._record.due = loop._next = 0
            model(torch.ones(1, 1)).square().sum().backward()
            optimizer.step()
            told.append(loop.training.get("stop"))
    return loop, begun, told


@pytest.mark.parametrize("by_hand", [False, True])
def test_stop_ends_the_block_and_the_program_goes_on(browser, by_hand):
    browser.pressed_at = 7
    loop, begun, _ = train(1000, by_hand)
    assert loop.training["state"] == "stopped" and 0 < begun < 10
    assert "the model keeps what it has learned" in loop.training["message"]
    loop.close()


@pytest.mark.parametrize("pressed_at", range(2, 8))
def test_the_step_under_way_is_whole_when_it_stops(browser, pressed_at):
    browser.pressed_at = pressed_at
    optimizers = []

    def kind(*given, **options):
        optimizers.append(Counted(*given, **options))
        return optimizers[-1]

    loop, _, _ = train(1000, kind=kind)
    assert 0 < len(loop.losses) == optimizers[0].whole < 10
    loop.close()


def test_without_stop_the_training_finishes_and_its_address_is_gone(browser):
    loop, begun, told = train(5)
    assert loop.training["state"] == "finished" and begun == 5
    assert told[-1] == "blob:here" and "stop" not in loop.training
    assert browser.asked > 0 and not browser.addresses
    loop.close()


def test_where_nothing_can_be_asked_the_page_is_told_so(browser):
    del browser.names.XMLHttpRequest
    loop, _, told = train(5)
    assert loop.training["state"] == "finished" and told[-1] == ""
    loop.close()


def test_a_kernel_that_can_be_interrupted_asks_nothing(browser, monkeypatch):
    monkeypatch.setattr(stop_sign, "js", None)
    loop, _, told = train(5)
    assert told[-1] is None and browser.asked == 0
    loop.close()
