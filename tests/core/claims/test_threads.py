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
from minigrad import nn
from minigrad.engine import atomic, backward, record, views
from minigrad.ops import generator, inplace, random

pytestmark = pytest.mark.untraced

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


@pytest.mark.threads
@pytest.mark.parametrize("who", watching())
def test_gradients_of_many_threads_add_up_in_one_leaf(who):
    w = torch.tensor(0.0, requires_grad=True)

    def work():
        for _ in range(PASSES):
            (w * 2 + w).backward()

    with watching()[who]():
        assert in_threads(work) == []
    assert w.grad.item() == 3 * THREADS * PASSES


@pytest.mark.threads
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


@pytest.mark.threads
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


def interrupted_at(place, program, *files):
    """Run a program until this place in one of these files; is that one still reached?

    Python looks for signals after calls, and where functions begin and loops go round.
    """
    places = itertools.count()
    latest = {}

    def trace(frame, event, argument):
        if frame.f_code.co_filename not in files:
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
    sys._getframe().f_trace_opcodes = True  # in Python 3.12 some frame must say so before settrace
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
        reached = interrupted_at(place, product.sum().backward, backward.__file__)
        landed = {str(leaf.grad) != str(leaves[0].grad) for leaf in leaves}
        assert landed == {False}, f"half a landing at place {place}"
        found.add(str(leaves[0].grad))
        if not reached:
            break
    assert len(found) == 2  # as it was before, and as it is after


WRITES = {
    "to a result": lambda c, v: c.mul_(3),
    "to a view": lambda c, v: v.mul_(3),
    "of a tensor": lambda c, v: v.copy_(torch.tensor([5.0, 7.0])),
    "of an item": lambda c, v: c.__setitem__(0, 4.0),
    "of what has a gradient": lambda c, v: v.add_(torch.ones(2).requires_grad_() * 2),
}


@pytest.mark.parametrize("write", WRITES)
def test_an_interrupted_write_has_happened_with_its_history_or_not_at_all(write):
    def outcome(place=None):
        """Value and gradient after a write that is interrupted there, and whether it was."""
        w = torch.ones(4, requires_grad=True)
        c = w * torch.tensor([1.0, 2.0, 3.0, 4.0])
        d = c * c  # which saves c
        v = c[:2]
        files = (inplace.__file__, views.__file__, record.__file__, atomic.__file__)
        cut = place is not None and interrupted_at(place, lambda: WRITES[write](c, v), *files)
        (c * 1).sum().backward()
        try:
            d.sum().backward()
        except RuntimeError as error:
            return str(c), str(w.grad), str(error)[:40], cut
        return str(c), str(w.grad), "", cut

    untouched = outcome()[:3]
    found = set()
    for place in itertools.count():
        *state, cut = outcome(place)
        found.add(tuple(state))
        if not cut:
            break
    assert place > 5
    assert found == {untouched, tuple(state)}


def test_an_interrupted_first_draw_keeps_the_seed():
    torch.manual_seed(0)
    expected = [str(torch.rand(3)), str(torch.rand(3))]
    for place in itertools.count():
        torch.manual_seed(0)
        cut = interrupted_at(place, lambda: torch.rand(3), random.__file__, generator.__file__)
        assert str(torch.rand(3)) in expected, f"another stream after place {place}"
        if not cut:
            break


@pytest.mark.threads
def test_threads_that_draw_first_draw_different_numbers():
    def drawn(seed):
        torch.manual_seed(seed)
        found = []
        assert in_threads(lambda: found.append(str(torch.rand(4)))) == []
        return set(found)

    assert [len(drawn(seed)) for seed in range(20)] == [THREADS] * 20
