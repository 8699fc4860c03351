"""A graph lives exactly as long as its results: reference counting frees it, without collector."""

from __future__ import annotations

import gc
import weakref

import pytest

import minigrad as torch
from minigrad.autograd import Function, grad
from minigrad.engine.node import Node, TensorBase

pytestmark = pytest.mark.usefixtures("collector_off")


def leaf(*numbers):
    return torch.tensor(numbers[0] if len(numbers) == 1 else numbers, requires_grad=True)


def alive():
    """How many nodes and tensors exist."""
    return sum(isinstance(thing, (Node, TensorBase)) for thing in gc.get_objects())


def tanh_network(x, w):
    return ((x @ w).tanh() @ w).tanh().sum()


def in_place_program(x):
    y = x * 1
    view = y[1:]
    y.mul_(2)
    y[0] = view[0].clone() * 3
    view.exp_()
    return (y * y).sum()


class Cube(Function):
    @staticmethod
    def forward(ctx, x):
        out = x**3
        ctx.save_for_backward(x, out)
        return out

    @staticmethod
    def backward(ctx, g):
        x, _ = ctx.saved_tensors
        return g * 3 * x**2


class Halves(Function):
    @staticmethod
    def forward(ctx, x):
        a, b = x * 0.5, x * 0.25
        ctx.save_for_backward(a, b)
        return a, b

    @staticmethod
    def backward(ctx, ga, gb):
        assert len(ctx.saved_tensors) == 2
        return ga * 0.5 + gb * 0.25


def hooked(x):
    y = x * 2
    y.register_hook(lambda g: g * 1)
    y.retain_grad()
    return (y * y).sum()


PROGRAMS = {
    "arithmetic": lambda x: ((x * x + 2) / x - x.exp()).sum(),
    "every saved output": lambda x: x.exp().tanh().sigmoid().sqrt().reciprocal().relu().max(),
    "indexing": lambda x: x[[0, 0]].sum() + x[1:].sum() + x[x > 0].sum() + x.max(0).values,
    "joining": lambda x: torch.cat([x, torch.stack([x, x]).reshape(-1)]).sum(),
    "in-place and views": in_place_program,
    "a custom function": lambda x: Cube.apply(x).sum(),
    "a custom function of two outputs": lambda x: Halves.apply(x)[0].sum(),
    "hooks and retained gradients": hooked,
    "change of dtype": lambda x: (x.double() * 2).float().sum(),
}
every_program = pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)


def nodes_behind(tensor):
    found, waiting = set(), [tensor.grad_fn]
    while waiting:
        node = waiting.pop()
        if isinstance(node, Node) and node not in found:
            found.add(node)
            waiting += [following for following, _ in node.next_functions]
    return found


@every_program
def test_a_graph_that_was_never_differentiated_dies_with_its_last_result(program):
    x = leaf(0.5, 1.5, 2.5)
    out = program(x)
    watched = [weakref.ref(node) for node in nodes_behind(out)]
    assert watched
    del out
    assert not any(ref() for ref in watched)


@every_program
def test_a_graph_dies_with_its_last_result_after_backward_too(program):
    x = leaf(0.5, 1.5, 2.5)
    out = program(x)
    watched = [weakref.ref(node) for node in nodes_behind(out)]
    out.backward()
    del out
    assert not any(ref() for ref in watched)


@every_program
def test_second_derivatives_by_grad_leave_nothing_behind(program):
    x = leaf(0.5, 1.5, 2.5)
    before = alive()
    (slope,) = grad(program(x), x, create_graph=True)
    if slope.requires_grad:
        grad(slope.sum(), x)
    del slope
    assert alive() == before


def test_a_result_that_lives_keeps_its_own_history_and_no_other():
    x = leaf(1.0)
    y = x * 2
    kept, dropped = weakref.ref(y.grad_fn), weakref.ref((y * 3).exp().grad_fn)
    assert kept() is not None and dropped() is None


def test_a_node_does_not_keep_its_result_alive():
    x = leaf(1.0, 2.0)
    y = x.exp()
    result, node = weakref.ref(y), y.grad_fn
    del y
    assert result() is None and node.name() == "ExpBackward0"


def test_backward_frees_what_was_saved():
    x = leaf(1.0, 2.0)
    y = x * 3
    z = y * y
    saved = weakref.ref(y)
    del y
    assert saved() is not None  # z's node needs it
    z.sum().backward()
    assert saved() is None


def test_a_backward_that_failed_leaves_nothing_behind_but_the_graph():
    x = leaf(1.0, 2.0)
    before = alive()
    y = x * 3
    y.register_hook(lambda g: 1 / 0)
    z = (y * y).sum()
    try:
        z.backward()
    except ZeroDivisionError:
        pass
    del y, z
    assert alive() == before


def test_1000_training_steps_keep_the_number_of_nodes_and_tensors_constant():
    w = torch.tensor([[0.1, 0.2], [0.3, 0.4]], requires_grad=True)
    optimiser = torch.optim.SGD([w], lr=0.01)
    x = torch.ones(3, 2)

    def step():
        optimiser.zero_grad()
        loss = tanh_network(x, w)
        loss.backward()
        optimiser.step()

    step()
    before = alive()
    for _ in range(1000):
        step()
    assert alive() == before


def test_updates_written_by_hand_keep_the_number_constant_too():
    w = leaf(1.0, 2.0)

    def step():
        (w * w).sum().backward()
        with torch.no_grad():
            w.sub_(0.1 * w.grad)
            w.grad.zero_()

    step()
    before = alive()
    for _ in range(100):
        step()
    assert alive() == before


def test_a_buffer_written_to_again_and_again_without_gradients_grows_no_history():
    buffer = torch.zeros(3)
    before = alive()
    for i in range(100):
        buffer[i % 3] = i
        buffer.mul_(0.5)
        buffer[1:].add_(1)
    assert alive() == before


def test_no_grad_keeps_nothing():
    w = torch.tensor([[0.1, 0.2], [0.3, 0.4]], requires_grad=True)
    before = alive()
    with torch.no_grad():
        out = tanh_network(torch.ones(3, 2), w)
    assert out.grad_fn is None and alive() == before + 1


def test_detach_keeps_the_values_but_not_the_history():
    x = leaf(1.0, 2.0)
    y = x.exp()
    node = weakref.ref(y.grad_fn)
    d = y.detach()
    del y
    assert node() is None and d.tolist()[0] == pytest.approx(2.71828, rel=1e-5)


def test_a_running_total_of_losses_keeps_every_graph_and_item_keeps_none():
    x = leaf(1.0)
    before = alive()
    total = 0.0
    for _ in range(10):
        total += (x * x).item()
    assert alive() == before
    total = torch.tensor(0.0)
    for _ in range(10):
        total = total + x * x
    assert len(nodes_behind(total)) == 20


def test_the_cycle_of_backward_with_create_graph_is_broken_by_dropping_grad():
    x = leaf(2.0)
    before = alive()
    with pytest.warns(UserWarning, match="create_graph=True"):
        (x**3).backward(create_graph=True)
    x.grad = None
    assert alive() == before


def test_hooks_die_with_their_tensor():
    class Listener:
        def heard(self, g):
            pass

    listener = Listener()
    x = leaf(1.0)
    y = x * 2
    y.register_hook(listener.heard)
    ref = weakref.ref(listener)
    del listener, y
    assert ref() is None


def test_a_tensor_whose_hook_refers_to_it_is_a_cycle_that_the_collector_finds():
    def made():
        y = leaf(1.0) * 2
        y.register_hook(lambda g: g * y.item())
        return weakref.ref(y)

    ref = made()
    assert ref() is not None
    gc.collect()
    assert ref() is None


def test_a_view_keeps_its_base_but_a_base_does_not_keep_its_views():
    base = torch.zeros(3)
    view = base[1:]
    ref = weakref.ref(view)
    del view
    assert ref() is None
