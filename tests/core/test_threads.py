"""Several threads at once, and interrupts: no gradient is lost, and none lands by half."""

from __future__ import annotations

import contextlib
import dis
import functools
import itertools
import sys
import threading

import pytest

import minigrad as torch
from minigrad import gradients, nn

THREADS = 8
PASSES = 100


@pytest.fixture(autouse=True)
def switched_often():
    """Let threads take turns as often as Python can."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    yield
    sys.setswitchinterval(before)


def in_threads(work):
    """Run ``work`` in several threads; returns what they raised."""
    raised = []

    def run():
        try:
            work()
        except BaseException as error:
            raised.append(error)

    threads = [threading.Thread(target=run) for _ in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return raised


def watching():
    """Nobody; and each who watches what is recorded."""
    reader = torch.tape.tape.watch
    return {
        "nobody": contextlib.nullcontext,
        "the tape": lambda: watched(reader()),
        "anomaly mode": lambda: torch.autograd.set_detect_anomaly(True),
        "notices": lambda: torch.tape.notices(graphs=10**9, operations=10**9),
    }


@contextlib.contextmanager
def watched(reader):
    yield
    torch.tape.tape.release(reader)


@pytest.mark.parametrize("who", watching())
def test_gradients_of_many_threads_add_up_in_one_leaf(who):
    w = torch.tensor(0.0, requires_grad=True)

    def work():
        for _ in range(PASSES):
            (w * 2 + w).backward()

    with watching()[who]():
        assert in_threads(work) == []
    assert w.grad.item() == 3 * THREADS * PASSES


@pytest.mark.parametrize("who", watching())
def test_each_thread_trains_a_model_of_its_own_as_one_thread_would(who):
    x = torch.linspace(-1, 1, 8).reshape(4, 2)
    start = nn.Sequential(nn.Linear(2, 3), nn.Tanh(), nn.Linear(3, 1)).state_dict()
    start = {name: value.clone() for name, value in start.items()}
    losses = []

    def work():
        model = nn.Sequential(nn.Linear(2, 3), nn.Tanh(), nn.Linear(3, 1))
        model.load_state_dict(start)
        optimizer = torch.optim.Adam(model.parameters(), lr=0.1)
        for _ in range(20):
            optimizer.zero_grad()
            loss = (model(x) ** 2).mean()
            loss.backward()
            optimizer.step()
        losses.append(loss.item())

    work()
    with watching()[who]():
        assert in_threads(work) == []
    assert losses == losses[:1] * (THREADS + 1)


def test_watching_may_end_while_threads_record():
    w = torch.tensor(0.0, requires_grad=True)
    done = threading.Event()

    def watch_now_and_then():
        while not done.is_set():
            torch.tape.tape.release(torch.tape.tape.watch())

    def work():
        for _ in range(PASSES):
            (w * 2).backward()

    watcher = threading.Thread(target=watch_now_and_then)
    watcher.start()
    raised = in_threads(work)
    done.set()
    watcher.join()
    assert raised == [] and w.grad.item() == 2 * THREADS * PASSES


class Interrupted(BaseException):
    """Comes between two instructions, as Ctrl-C does."""


@functools.cache
def names_of_instructions(code):
    return {step.offset: step.opname for step in dis.get_instructions(code)}


def interrupted_at(place, program):
    """Run a program until this place in ``gradients.py``; is that one still reached?

    Python looks for signals after calls, and where functions begin and loops go round.
    """
    places = itertools.count()
    latest = {}

    def trace(frame, event, argument):
        if frame.f_code.co_filename != gradients.__file__:
            return None
        frame.f_trace_opcodes = True
        if event == "opcode":
            done = latest.get(frame, "")
            latest[frame] = names_of_instructions(frame.f_code)[frame.f_lasti]
            looks = done.startswith(("CALL", "RESUME", "JUMP_BACKWARD"))
            if looks and next(places) == place:
                raise Interrupted
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        program()
    except Interrupted:
        return True
    finally:
        sys.settrace(before)
    return False


@pytest.mark.parametrize("already", [None, 0.5])
def test_an_interrupt_leaves_all_gradients_of_a_pass_or_none(already):
    found = set()
    for place in itertools.count():
        leaves = [torch.ones(2, requires_grad=True) for _ in range(3)]
        for leaf in leaves if already else ():
            leaf.grad = torch.full((2,), already)
        product = leaves[0] * leaves[1] * leaves[2]
        reached = interrupted_at(place, product.sum().backward)
        landed = {str(leaf.grad) != str(leaves[0].grad) for leaf in leaves}
        assert landed == {False}, f"half a landing at place {place}"
        found.add(str(leaves[0].grad))
        if not reached:
            break
    assert len(found) == 2  # as it was before, and as it is after
