"""Hooks on saved values, and checkpoints, which are made of them."""

from __future__ import annotations

import gc

import numpy as np
import pytest

import minigrad as torch
from minigrad.autograd import grad, gradcheck
from minigrad.engine.modes import saved_tensors_hooks
from minigrad.utils.checkpoint import CheckpointError, checkpoint, checkpoint_sequential


def leaf(value):
    return torch.tensor(value, requires_grad=True)


def twice(x):
    return x * x + torch.tanh(x)


def test_each_saved_value_is_packed_once_and_unpacked_once():
    packed, unpacked = [], []

    def pack(tensor):
        packed.append(tensor.tolist())
        return tensor

    def unpack(tensor):
        unpacked.append(tensor.tolist())
        return tensor

    x = leaf([1.0, 2.0])
    with saved_tensors_hooks(pack, unpack):
        y = x * torch.tensor([3.0, 4.0])
        z = torch.exp(y) + 1  # saves its result; the sum saves nothing
    assert packed == [[3.0, 4.0], pytest.approx(np.exp([3.0, 8.0]).tolist(), rel=1e-6)]
    assert unpacked == []
    z.sum().backward()
    assert sorted(map(str, packed)) == sorted(map(str, unpacked))


def test_the_gradient_uses_what_the_unpack_hook_returns():
    x = leaf([1.0, 2.0])
    small = lambda t: t.detach().numpy().astype(np.float16)  # noqa: E731
    with saved_tensors_hooks(small, lambda a: torch.tensor(a.astype(np.float32))):
        y = (x * x).sum()
    y.backward()
    assert x.grad.tolist() == [2.0, 4.0] and x.grad.dtype is torch.float32


def test_outside_the_block_nothing_is_packed():
    packed = []
    x = leaf(2.0)
    with saved_tensors_hooks(lambda t: packed.append(t) or t, lambda t: t):
        pass
    (x * x).backward()
    assert packed == [] and x.grad.item() == 4.0


def test_no_grad_inside_the_block_packs_nothing_and_enable_grad_packs_again():
    packed = []
    x = leaf(2.0)
    with saved_tensors_hooks(lambda t: packed.append(1) or t, lambda t: t), torch.no_grad():
        torch.exp(x)
        assert packed == []
        with torch.enable_grad():
            torch.exp(x)
    assert packed == [1]


def test_the_inner_of_two_blocks_is_in_force():
    seen = []
    x = leaf(2.0)
    with saved_tensors_hooks(lambda t: seen.append("outer") or t, lambda t: t):
        with saved_tensors_hooks(lambda t: seen.append("inner") or t, lambda t: t):
            torch.exp(x)
        torch.exp(x)
    assert seen == ["inner", "outer"]


def test_what_a_custom_function_saves_is_packed_too():
    class Square(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x * x

        @staticmethod
        def backward(ctx, g):
            (x,) = ctx.saved_tensors
            return g * 2 * x

    packed = []
    x = leaf(3.0)
    with saved_tensors_hooks(lambda t: packed.append(1) or t, lambda t: t):
        y = Square.apply(x)
    y.backward()
    assert packed == [1] and x.grad.item() == 6.0


def test_an_unpack_hook_that_returns_no_tensor_is_refused():
    x = leaf(2.0)
    with saved_tensors_hooks(lambda t: t, lambda t: 3.0):
        y = torch.exp(x)
    with pytest.raises(TypeError, match="unpack hook returned a float"):
        y.backward()
    assert x.grad is None


def test_higher_derivatives_pass_through_packed_values():
    x = torch.tensor([0.3, 0.7], dtype=torch.float64, requires_grad=True)
    with saved_tensors_hooks(lambda t: t.detach(), lambda t: t):
        y = twice(x).sum()
    (slope,) = grad(y, x, create_graph=True)
    (curvature,) = grad(slope.sum(), x)
    expected = 2 - 2 * np.tanh([0.3, 0.7]) * (1 - np.tanh([0.3, 0.7]) ** 2)
    assert curvature.tolist() == pytest.approx(expected.tolist())


# ----------------------------------------------------------------------------- checkpoints


def test_a_checkpoint_changes_no_gradient():
    x, y = leaf([0.5, -1.0]), leaf([0.5, -1.0])
    twice(x).sum().backward()
    checkpoint(twice, y, use_reentrant=False).sum().backward()
    assert x.grad.tolist() == y.grad.tolist()


def test_a_checkpoint_passes_the_derivative_checks():
    x = torch.tensor([0.5, -1.0], dtype=torch.float64, requires_grad=True)

    def function(x):
        return checkpoint(twice, x, use_reentrant=False)

    assert gradcheck(function, x)
    assert torch.autograd.gradgradcheck(function, x)


def test_parameters_that_the_function_closes_over_get_gradients_too():
    w, x = leaf(3.0), leaf(2.0)
    checkpoint(lambda x: x * w, x, use_reentrant=False).backward()
    assert (w.grad.item(), x.grad.item()) == (2.0, 3.0)


def test_a_checkpoint_keeps_no_intermediate_values():
    gc.disable()
    try:
        alive = []

        def layers(x):
            for _ in range(5):
                x = torch.tanh(x)
                alive.append(x.grad_fn)
            return x

        y = checkpoint(layers, leaf([1.0] * 10), use_reentrant=False)
        kept = [value for node in alive for value in node.saved]
        assert not any(isinstance(value, np.ndarray) for value in kept)
        y.sum().backward()
    finally:
        gc.enable()


def test_the_function_runs_once_more_for_one_backward():
    runs = []

    def f(x):
        runs.append(1)
        return twice(x)

    checkpoint(f, leaf(0.5), use_reentrant=False).backward()
    assert len(runs) == 2


def test_a_function_that_does_something_else_the_second_time_is_refused():
    runs = []

    def f(x):
        runs.append(1)
        return torch.exp(torch.exp(x)) if len(runs) == 1 else torch.exp(x)

    y = checkpoint(f, leaf(0.5), use_reentrant=False)
    with pytest.raises(CheckpointError, match="A different number of tensors was saved"):
        y.backward()


def test_a_function_that_saves_other_shapes_the_second_time_is_refused():
    runs = []

    def f(x):
        runs.append(1)
        return torch.exp(x if len(runs) == 1 else x[:1])

    y = checkpoint(f, leaf([0.5, 1.0]), use_reentrant=False)
    with pytest.raises(CheckpointError, match="different metadata"):
        y.sum().backward()


def test_what_a_longer_second_run_saves_besides_is_ignored():
    runs = []

    def f(x):
        runs.append(1)
        return torch.exp(x) if len(runs) == 1 else torch.exp(torch.exp(x))

    x = leaf(0.5)
    y = checkpoint(f, x, use_reentrant=False)
    y.backward()
    assert x.grad.item() == y.item()


def test_random_numbers_are_the_same_in_the_second_run():
    x = leaf([0.5, -1.0, 2.0])
    torch.manual_seed(5)
    torch.rand(3)
    expected = torch.rand(1).item()
    torch.manual_seed(5)
    y = checkpoint(lambda x: torch.exp(x) * torch.rand(3), x, use_reentrant=False)
    y.sum().backward()
    assert x.grad.tolist() == pytest.approx(y.tolist())
    assert torch.rand(1).item() == expected, "the second run takes no numbers from the sequence"


def test_other_random_numbers_if_these_are_not_preserved():
    x = leaf([0.5, -1.0, 2.0])
    y = checkpoint(
        lambda x: torch.exp(x) * torch.rand(3), x, use_reentrant=False, preserve_rng_state=False
    )
    y.sum().backward()
    assert x.grad.tolist() != pytest.approx(y.tolist())


def test_a_chain_in_segments_changes_no_gradient_and_runs_all_but_the_last_again():
    runs = []

    def layer(x):
        runs.append(1)
        return torch.tanh(x)

    x, plain = leaf(0.5), leaf(0.5)
    checkpoint_sequential([layer] * 5, 2, x, use_reentrant=False).backward()
    assert len(runs) == 5 + 2
    y = plain
    for _ in range(5):
        y = torch.tanh(y)
    y.backward()
    assert x.grad.item() == plain.grad.item()


@pytest.mark.parametrize("segments", [0, -1, 4])
def test_a_chain_is_cut_into_no_more_segments_than_it_has_functions(segments):
    with pytest.raises(ValueError, match=r"(?s)length of the chain 3.*fix: .* from 1 to 3"):
        checkpoint_sequential([torch.tanh] * 3, segments, leaf(0.5), use_reentrant=False)
