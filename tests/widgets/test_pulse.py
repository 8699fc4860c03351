"""While a cell runs, its own operations bring the views up to date, at a bounded price."""

from __future__ import annotations

import signal
import sys
import threading
from math import inf

import pytest

import minigrad as torch
from minigrad.engine import backward
from minigrad.tape import recorder, tape
from minigrad_widgets import pulse as module
from minigrad_widgets.pulse import AHEAD, PAUSE, SHARE, Pulse


class Clock:
    """A clock that is put forward by hand."""

    now = 1000.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock(monkeypatch):
    clock = Clock()
    monkeypatch.setattr(module, "clock", clock)
    monkeypatch.setattr(recorder, "clock", clock)
    return clock


@pytest.fixture
def beating():
    """Begins a cell with this beat; afterwards the cell is over, and nobody watches."""
    reader = tape.watch()
    begun = []

    def begin(beat):
        begun.append(Pulse(beat))
        begun[-1].begin()
        return begun[-1]

    yield begin
    for pulse in begun:
        pulse.end()
    tape.release(reader)
    assert tape.due == inf and backward.listeners == []


def leaf():
    return torch.tensor(2.0, requires_grad=True)


def test_a_program_of_some_lines_is_seen_line_by_line(clock, beating):
    seen = []
    beating(lambda: seen.append(clock.now))
    a = leaf()
    for _ in range(10):
        a = a * 2
        clock.now += 1e-6
    assert len(seen) == 10


def test_what_comes_fast_and_in_masses_is_seen_25_times_a_second(clock, beating):
    seen = []
    beating(lambda: seen.append(clock.now))
    a = leaf()
    for _ in range(10_000):  # ten seconds
        a = a * 1.0001
        clock.now += 1e-3
    at_once = AHEAD / PAUSE
    assert 10 / PAUSE <= len(seen) <= 10 / PAUSE + at_once + 1
    assert sum(time > 1005 for time in seen) <= 5 / PAUSE + 1


def test_costly_updates_take_no_more_than_their_share_of_the_time(clock, beating):
    spent = []

    def beat():
        clock.now += 0.1
        spent.append(0.1)

    beating(beat)
    a = leaf()
    while clock.now < 1020:
        a = a * 1.0001
        clock.now += 1e-2
    assert 0.9 * SHARE * 20 < sum(spent) <= SHARE * (20 + AHEAD) + 0.1


def test_what_one_cell_has_spent_the_next_one_has_not(clock, beating):
    seen = []
    pulse = beating(lambda: seen.append(clock.now))
    a = leaf()
    for _ in range(3):  # three short cells, at once
        pulse.begin()
        for _ in range(40):
            a = a * 1.0001
        pulse.end()
    assert len(seen) <= AHEAD / PAUSE + 1


def test_after_a_cell_nothing_is_sent(clock, beating):
    seen = []
    beating(lambda: seen.append(clock.now)).end()
    (leaf() * 2).backward()
    assert seen == []


def test_the_gradients_of_a_pass_are_seen_before_the_program_goes_on(clock, beating):
    a = leaf()
    seen = []
    beating(lambda: seen.append(a.grad is not None))
    (a * a).backward()
    assert seen[-1] and not seen[0]


def test_each_visit_of_a_pass_may_be_seen(clock, beating):
    seen = []
    h = leaf()
    for _ in range(5):
        h = h * 2
    beating(lambda: seen.append(len(tape._visited)))
    h.backward()
    assert seen == [1, 2, 3, 4, 5, 5]


def test_an_update_that_records_does_not_begin_another(clock, beating):
    seen = []
    a = leaf()

    def beat():
        seen.append(clock.now)
        assert (a * 3).item() == 6

    beating(beat)
    assert (a * 2).item() == 4
    assert len(seen) == 1


def test_a_fault_in_a_view_is_told_and_the_program_goes_on(clock, beating, capsys):
    def beat():
        raise ValueError("a view is torn")

    beating(beat)
    a = leaf() * 2 * 3
    assert a.item() == 12
    assert capsys.readouterr().err.count("ValueError: a view is torn") == 1


@pytest.mark.parametrize("name", ["SIGINT", "SIGALRM"])
def test_an_interrupt_waits_until_the_update_is_over(clock, beating, monkeypatch, name):
    if not hasattr(signal, name):
        pytest.skip(f"this system has no {name}")
    whole = []

    def interrupted(number, frame):
        whole.append("interrupted")
        raise KeyboardInterrupt

    def beat():
        signal.raise_signal(getattr(signal, name))
        whole.append("updated")

    before = signal.signal(getattr(signal, name), interrupted)
    try:
        beating(beat)
        with pytest.raises(KeyboardInterrupt):
            leaf() * 2
        assert whole == ["updated", "interrupted"]
        assert signal.getsignal(getattr(signal, name)) is interrupted
        clock.now += 1
        with pytest.raises(KeyboardInterrupt):  # and the next update is not left out
            leaf() * 2
    finally:
        signal.signal(getattr(signal, name), before)


def test_what_traces_a_program_does_not_see_an_update(clock, beating):
    seen = []
    called = []

    def beat():
        seen.append(sys.gettrace())

    def tracer(frame, event, arg):
        called.append(frame.f_code.co_name)

    beating(beat)
    before = sys.gettrace()
    a = leaf()
    sys.settrace(tracer)
    a = a * 2
    found = sys.gettrace()
    sys.settrace(before)
    assert found is tracer and seen == [None] and "beat" not in called


def test_an_operation_in_another_thread_brings_the_views_up_to_date_as_well(clock, beating):
    seen = []
    beating(lambda: seen.append(threading.current_thread().name))
    thread = threading.Thread(target=lambda: leaf() * 2, name="theirs")
    thread.start()
    thread.join()
    assert seen == ["theirs"]


def test_no_time_is_asked_for_where_nobody_watches(monkeypatch):
    def ask():
        raise AssertionError("the clock was asked")

    monkeypatch.setattr(recorder, "clock", ask)
    (leaf() * 2).backward()
