"""What graphs keep in memory: counted in bytes as Python counts them, and told by who keeps it."""

from __future__ import annotations

import gc
import sys
import tracemalloc
import weakref
from contextlib import contextmanager

import pytest
from measured import measured_from_nothing  # noqa: F401

import minigrad as torch
from minigrad import nn
from minigrad.tape import tape
from minigrad.tape.buffers import owner, saved_arrays
from minigrad.tape.holders import holders
from minigrad.tape.keeping import keepers, size
from minigrad.tape.memory import MOST, Memory
from minigrad.utils.checkpoint import checkpoint

pytestmark = pytest.mark.usefixtures("measured_from_nothing")

MIB = 1024**2
SIDE = 512  # an array of SIDE × SIDE numbers has 1 MiB


@contextmanager
def measured():
    """Measure what is saved in this block."""
    reader = tape.watch(room=0, bare=True)
    memory = Memory(tape)
    memory.begin()
    try:
        yield memory
    finally:
        memory.end()
        tape.release(reader)


def kept(memory, **variables):
    """Who keeps what, of a program with these variables."""
    memory.settle()
    tape.catch_up()
    return keepers(tape, holders([("", variables)]), memory)


def weight(needs=True):
    return (torch.randn(SIDE, SIDE) * 0.05).requires_grad_(needs)


# --------------------------------------------------------------- five programs, as tracemalloc sees


def chain():
    """A chain of operations, forwards and backwards."""
    w = weight()
    w.grad = torch.zeros(SIDE, SIDE)
    x = weight(False)
    yield "begin"
    h = x * 1.0
    for _ in range(12):
        h = torch.tanh(h @ w)
    yield "forward"
    loss = h.sum()
    del h
    loss.backward()
    yield "backward"
    assert loss.dim() == 0


def training():
    """A network, trained for three steps; the loss of a step keeps its nodes until the next."""
    model = nn.Sequential(*[part for _ in range(4) for part in (nn.Linear(SIDE, SIDE), nn.Tanh())])
    x = weight(False)
    for parameter in model.parameters():
        parameter.grad = torch.zeros_like(parameter)
    yield "begin"
    for _ in range(3):
        loss = model(x).square().mean()
        yield "forward"
        loss.backward()
        yield "backward"


def evaluation():
    """A sum of losses, on none of which backward is called."""
    w = weight()
    batches = [weight(False) for _ in range(4)]
    yield "begin"
    total = torch.tensor(0.0)
    for x in batches:
        total = total + torch.tanh(x @ w).exp().mean()
        yield "added"
    del total
    yield "deleted"


def stored():
    """Outputs in a list: the values of the last operation are saved by none."""
    w = weight()
    batches = [weight(False) for _ in range(3)]
    yield "begin"
    outputs = []
    for x in batches:
        outputs.append(torch.tanh(x @ w).exp().mean(1))
    yield "stored"
    outputs[1] = None
    yield "one less"
    outputs.clear()
    yield "none"


def shared():
    """Arrays that two nodes save, views, and a leaf that is saved."""
    w = weight()
    yield "begin"
    h = torch.tanh(w)
    square = (h * h).sum()  # h is saved three times
    rows = (h[:8] * 2.0).exp().sum()  # a view keeps all of h
    turned = (h.t() * h.reshape(-1).view(SIDE, SIDE)).sum()
    yield "forward"
    del h
    yield "held by graphs"
    del square, turned
    yield "held by one"
    rows.backward(retain_graph=True)
    w.grad = None
    yield "retained"
    del rows
    yield "deleted"


@pytest.mark.parametrize("program", [chain, training, evaluation, stored, shared])
def test_bytes_agree_with_tracemalloc_within_two_percent(program):
    with measured():  # what is made once, on the first run, is no part of it
        list(program())
    gc.collect()
    tracemalloc.start()
    try:
        running = program()
        next(running)
        with measured() as memory:
            base = tracemalloc.get_traced_memory()[0]
            for probe in running:
                traced = tracemalloc.get_traced_memory()[0] - base
                close = 0.02 * max(traced, memory.peak)
                assert memory.alive == pytest.approx(traced, abs=close), probe
                assert memory.curve()[-1] == memory.alive, probe
            assert memory.peak > 2 * MIB or program is shared
    finally:
        tracemalloc.stop()


def test_the_peak_agrees_with_tracemalloc_too():
    gc.collect()
    tracemalloc.start()
    try:
        w, x = weight(), weight(False)
        with measured() as memory:
            base = tracemalloc.get_traced_memory()[0]
            h = x
            for _ in range(64):
                h = torch.tanh(h @ w)
            peak = tracemalloc.get_traced_memory()[1] - base
            assert memory.peak == 64 * MIB
            assert memory.peak == pytest.approx(peak, rel=0.02)
    finally:
        tracemalloc.stop()


# ------------------------------------------------------------------------------- counting


@pytest.mark.parametrize("depth", [4, 16, 64])
def test_the_peak_of_a_chain_is_one_array_for_each_layer(depth):
    w = weight()
    x = weight(False)
    with measured() as memory:
        h = x
        for _ in range(depth):
            h = torch.tanh(h @ w)
        h.sum().backward()
    assert memory.peak == depth * MIB  # x was there before, and w is a leaf
    assert memory.saved_leaves == 0
    assert memory.alive == MIB  # h


def test_the_peak_is_a_moment_and_a_line():
    w = weight()
    with measured() as memory:
        h = torch.tanh(w)
        h = torch.tanh(h)
        loss = h.exp().sum()  # here
        loss.backward()
    curve = memory.curve()
    assert curve.index(max(curve)) == memory.peak_at - memory.dropped
    assert memory.place_of(memory.peak_note).text.endswith("# here")


def test_no_grad_saves_nothing():
    w = weight()
    with measured() as memory:
        with torch.no_grad():
            y = torch.tanh(w @ w).exp()
        assert memory.time == memory.alive == memory.peak == 0
    assert y.requires_grad is False


def test_after_del_the_curve_falls_at_the_line_of_the_del():
    w = weight()
    with measured() as memory:
        loss = torch.tanh(w @ w).exp().sum()
        del loss  # gone
    assert memory.alive == 0
    assert memory.curve()[-1] == 0
    assert max(memory.curve()) == memory.peak == 2 * MIB
    last = memory.moments[-1]
    assert last[0] == "freed"
    assert memory.place_of(last).text.endswith("# gone")


def test_backward_frees_visit_by_visit_and_with_retain_graph_nothing():
    w = weight()
    with measured() as memory:
        loss = torch.tanh(torch.tanh(torch.tanh(w))).sum()
        loss.backward(retain_graph=True)
        assert memory.alive == 3 * MIB
        loss.backward()  # this pass
    visits = [moment for moment in memory.moments if moment[0] == "visit"]
    assert len(visits) == 3
    assert {memory.place_of(visit).text for visit in visits} == {"loss.backward()  # this pass"}
    assert [bytes_ // MIB for bytes_ in memory.curve()[-4:]] == [3, 2, 1, 0]


def test_a_visit_is_known_whenever_the_tape_catches_up(monkeypatch):
    """It does when a view is due: also between a visit, and what is freed at its end."""

    def visits():
        with measured() as memory:
            h, w = torch.ones(SIDE, SIDE), weight()
            for _ in range(4):
                h = torch.tanh(h @ w)
            loss = h.sum()
            last = loss.grad_fn.seq
            loss.backward()
        return [moment[1] - last for moment in memory.moments if moment[0] == "visit"]

    seldom = visits()
    monkeypatch.setattr(tape, "due", 0.0)
    monkeypatch.setattr(tape, "show", tape.catch_up)
    assert visits() == seldom != []


def test_checkpoint_lowers_the_peak_and_its_inputs_count():
    def segment(h):
        for _ in range(8):
            h = torch.tanh(h @ w)
        return h

    def run(call):
        with measured() as memory:
            h = x
            for _ in range(8):
                h = call(h)
            h.sum().backward()
        return memory.peak / MIB

    w, x = weight(), weight(False)
    plain = run(segment)
    less = run(lambda h: checkpoint(segment, h, use_reentrant=False))
    assert plain == 64
    assert 15 <= less <= 17  # eight inputs, and the eight of one segment


def test_checkpointed_bytes_agree_with_tracemalloc():
    w, x = weight(), weight(False)
    tracemalloc.start()
    try:
        with measured() as memory:
            base = tracemalloc.get_traced_memory()[0]
            h = x
            for _ in range(4):
                h = checkpoint(lambda h: torch.tanh(torch.tanh(h @ w)), h, use_reentrant=False)
            loss = h.sum()
            del h
            traced = tracemalloc.get_traced_memory()[0] - base
            assert memory.alive == pytest.approx(traced, rel=0.02, abs=MIB / 20)
            assert loss.requires_grad
    finally:
        tracemalloc.stop()


def test_what_a_function_of_ones_own_saves_is_counted():
    class Cube(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            y = x * x
            ctx.save_for_backward(x, y)
            return y * x

        @staticmethod
        def backward(ctx, g):
            _, y = ctx.saved_tensors
            return 3 * y * g

    w = weight()
    with measured() as memory:
        y = Cube.apply(w)
        memory.settle()
        assert memory.alive == MIB  # of its two, w is a leaf
        del y
        assert memory.alive == 0


def test_graphs_that_were_there_before_count_from_the_beginning():
    w = weight()
    loss = torch.tanh(w).exp().sum()
    with measured() as memory:
        assert memory.alive >= 2 * MIB
        before = memory.alive
        del loss
        assert memory.alive == before - 2 * MIB


def test_single_numbers_are_left_out_and_their_nodes_are_not():
    a = torch.tensor(2.0, requires_grad=True)
    with measured() as memory:
        b = a * a
        c = b.exp()
        (found,) = [one for one in kept(memory, c=c) if one.nodes]
    assert memory.peak == 0
    assert found.nodes == 2


def test_only_the_latest_moments_are_kept_and_the_bytes_stay_right():
    w = torch.ones(4, 4, requires_grad=True)
    with measured() as memory:
        first = torch.tanh(w)
        for _ in range(MOST):
            second = torch.tanh(torch.tanh(w))
        assert memory.dropped > 0
        assert len(memory.moments) <= 2 * MOST
        assert memory.curve()[-1] == memory.alive == 3 * 64
    assert first.shape == second.shape


def test_the_owner_of_a_view_is_what_it_shows():
    base = torch.ones(6, 4)
    view = base.t()[1:].reshape(-1)[::2]
    array = base.t()[1:]._array
    assert owner(array) is base._array
    assert owner(view._array) is not None
    assert [a is base._array for a, _ in saved_arrays((base, [base], (2, 3), 1.5))] == [True, True]


# ------------------------------------------------------------------------------- watching itself


def test_watching_keeps_nothing_alive():
    def program():
        w = weight()
        h = torch.tanh(w)
        first = weakref.ref(h._array)
        other = weakref.ref(h)
        h = h[torch.arange(8)] + weight()[:8]
        h = None
        return first(), other(), h

    with measured():
        assert program() == (None, None, None)
    graph = torch.tanh(weight())
    gone = weakref.ref(graph._array)
    with measured() as memory:
        del graph
        assert gone() is None
    assert all(not isinstance(part, torch.Tensor) for part in memory.moments)


def test_a_function_that_runs_is_not_kept_from_forgetting_its_variables():
    """Before Python 3.13 a frame that was asked for its variables keeps their values."""

    def program():
        w = weight()
        h = torch.tanh(w)
        told = locals() if ask else None
        k = h + weight()
        gone = weakref.ref(h)
        h = None
        del told
        return gone(), k, h

    reader = tape.watch(room=0)
    try:
        ask = False
        assert program()[0] is None
        ask = True
        program()
    finally:
        tape.release(reader)


def test_watching_ends():
    references = sys.getrefcount(tape)
    with measured() as memory:
        torch.tanh(weight())
    assert tape.memories == ()
    moments = memory.time
    torch.tanh(weight())
    assert memory.time == moments
    assert sys.getrefcount(tape) <= references + 2


# ------------------------------------------------------------------------------- who keeps it


def leaks(found):
    return [(one.name, one.leak) for one in found if one.leak]


def test_a_sum_without_backward_keeps_every_activation():
    w = weight()
    batches = [weight(False) for _ in range(4)]
    with measured() as memory:
        total = 0
        for x in batches:
            loss = torch.tanh(x @ w).mean()
            total += loss
        found = kept(memory, total=total, loss=loss, w=w, batches=batches)
    assert leaks(found) == [("total", "activations")]
    first = found[0]
    assert (first.passes, first.saved, first.alone) == (4, 4 * MIB, 3 * MIB)
    says = first.sentence()
    assert says.startswith("`total` (test_kept_memory.py, line ")
    assert "is a sum over 4 passes → its graph of 16 nodes" in says
    assert "still there, 4 MiB, of which 3 MiB by it alone: no backward pass has run on it" in says
    assert "add `loss.item()`" in says


def test_kept_losses_keep_their_nodes_after_backward():
    w = weight()
    with measured() as memory:
        losses = []
        for _ in range(5):
            loss = torch.tanh(w).mean()
            loss.backward()
            losses.append(loss)
        found = kept(memory, losses=losses, loss=loss)
    assert leaks(found) == [("losses", "nodes")]
    says = found[0].sentence()
    assert "`losses[0]` to `losses[4]` → a graph of 10 nodes" in says
    assert "A backward pass has freed what these had saved, but the nodes remain" in says
    assert memory.alive == 0


def test_a_sum_of_losses_after_backward_keeps_their_nodes():
    w = weight()
    with measured() as memory:
        total = 0
        for _ in range(4):
            loss = torch.tanh(w).mean()
            loss.backward()
            total += loss
        found = kept(memory, total=total)
    assert leaks(found) == [("total", "nodes")]
    assert "add `loss.item()`" in found[0].sentence()


def test_stored_outputs_keep_their_graphs():
    w = weight()
    with measured() as memory:
        history = {"outputs": [torch.tanh(w).exp() * 2.0 for _ in range(3)]}
        found = kept(memory, history=history)
    assert leaks(found) == [('history["outputs"]', "outputs")]
    says = found[0].sentence()
    assert '`history["outputs"][0]` to `history["outputs"][2]`' in says
    assert "still there, 6 MiB" in says
    assert "`.detach()`" in says
    assert found[0].values == 3 * MIB


def test_what_a_program_needs_is_no_leak():
    w = weight()
    with measured() as memory:
        h = weight(False)
        for _ in range(6):
            h = h + torch.tanh(h @ w)  # each comes from the one before: no sum of passes
        loss = h.sum()
        found = kept(memory, loss=loss, h=h, w=w)
        assert leaks(found) == []
        loss.backward()
        assert leaks(kept(memory, loss=loss, w=w)) == []


def test_a_graph_that_backward_has_left_says_so():
    w = weight()
    with measured() as memory:
        loss = torch.tanh(w).sum()
        loss.backward(retain_graph=True)
        (found,) = kept(memory, loss=loss)
    assert "the backward pass left it, for retain_graph=True" in found.sentence()


def test_attributes_closures_and_dicts_are_ways_to_a_graph():
    class Network(nn.Module):
        def __init__(self):
            super().__init__()
            self.layer = nn.Linear(SIDE, SIDE)
            self.hidden = None

        def forward(self, x):
            self.hidden = torch.tanh(self.layer(x))
            return self.hidden.sum()

    def remembering(value):
        def step():
            return value

        return step

    w = weight()
    model = Network()
    with measured() as memory:
        model(weight(False))
        step = remembering(torch.tanh(w))
        last = {3: torch.tanh(w)}
        found = kept(memory, model=model, step=step, last=last, w=w)
    names = {one.name for one in found}
    assert names == {"model.hidden", "step, which remembers value", "last[3]"}


def test_a_variable_holds_a_value_whose_graph_is_gone():
    w = weight()
    with measured() as memory:
        h = torch.tanh(w)
        value = h.detach()
        h.sum().backward()
        del h
        (found,) = kept(memory, value=value)
    assert found.sentence() == "`value` holds the value itself: 1 MiB."


def test_two_variables_share_a_graph_and_neither_keeps_it_alone():
    w = weight()
    with measured() as memory:
        h = torch.tanh(w)
        one, other = h.sum(), h.mean()
        del h
        found = kept(memory, one=one, other=other)
    assert [(keeper.saved, keeper.alone) for keeper in found] == [(MIB, 0), (MIB, 0)]


def test_the_search_ends_in_a_circle_and_calls_nothing():
    class Odd:
        def __getattr__(self, name):
            raise AssertionError("the search has called something of the program")

    circle = []
    circle.append(circle)
    found = holders([("", {"odd": Odd(), "circle": circle, "_hidden": torch.ones(2)})])
    assert found == []


@pytest.mark.parametrize(
    ("count", "text"),
    [(0, "0 bytes"), (640, "640 bytes"), (1536, "1.5 KiB"), (MIB, "1 MiB"), (8519680, "8.13 MiB")],
)
def test_bytes_as_people_read_them(count, text):
    assert size(count) == text


def test_a_search_in_a_large_program_is_bounded():
    many = [[{"number": number} for number in range(50)] for _ in range(5_000)]
    loss = torch.tanh(weight()).sum()
    (found,) = [one for one in holders([("", {"many": many, "loss": loss})]) if one.name == "loss"]
    assert found.results == [loss]
