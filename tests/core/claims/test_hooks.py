"""Hooks: on the gradient of a tensor, and after it was added to ``.grad``."""

from __future__ import annotations

import numpy as np
import pytest

import minigrad as torch


def leaf(*numbers):
    return torch.tensor(numbers[0] if len(numbers) == 1 else numbers, requires_grad=True)


# ------------------------------------------------------------------------------------- tensor hooks


def test_a_hook_sees_the_whole_gradient_once():
    x = leaf(2.0)
    y = x * 1
    seen = []
    y.register_hook(lambda g: seen.append(g.item()))
    (y * 3 + y * 4).backward()
    assert seen == [7.0]


def test_a_hook_on_a_leaf_sees_the_sum_of_this_pass_only():
    x = leaf(2.0)
    seen = []
    x.register_hook(lambda g: seen.append(g.item()))
    (x * 3 + x * 4).backward()
    (x * 5).backward()
    assert seen == [7.0, 5.0] and x.grad.item() == 12.0


def test_hooks_run_in_order_and_each_gets_what_the_one_before_returned():
    x = leaf(1.0)
    order = []

    def hook(name, factor):
        def run(g):
            order.append((name, g.item()))
            return None if factor is None else g * factor

        return run

    for name, factor in (("a", 2), ("b", None), ("c", 5)):
        x.register_hook(hook(name, factor))
    (x * 1).backward()
    assert order == [("a", 1.0), ("b", 2.0), ("c", 2.0)] and x.grad.item() == 10.0


def test_a_removed_hook_does_not_run():
    x = leaf(1.0)
    handle = x.register_hook(lambda g: g * 10)
    kept = x.register_hook(lambda g: g + 1)
    handle.remove()
    handle.remove()
    (x * 1).backward()
    assert x.grad.item() == 2.0
    kept.remove()
    (x * 1).backward()
    assert x.grad.item() == 3.0


def test_a_hook_on_a_result_changes_what_flows_on():
    x = leaf(2.0)
    y = x * 3
    y.retain_grad()
    y.register_hook(lambda g: g * 100)
    (y * y).backward()
    assert y.grad.item() == 1200.0 and x.grad.item() == 3600.0


def test_hooks_run_for_grad_too():
    x = leaf(2.0)
    x.register_hook(lambda g: g * 10)
    assert torch.autograd.grad(x * x, x)[0].item() == 40.0


def test_a_hook_under_create_graph_is_differentiated_too():
    x = leaf(2.0)
    y = x * 1
    handle = y.register_hook(lambda g: g * g)
    (slope,) = torch.autograd.grad(y**3, x, create_graph=True)  # (3x²)²
    assert slope.item() == 144.0
    handle.remove()
    assert torch.autograd.grad(slope, x)[0].item() == 36 * 8


def test_a_hook_may_keep_the_gradient_without_aliasing_grad():
    x = leaf(1.0, 2.0)
    kept = []
    x.register_hook(kept.append)
    (x * 2).sum().backward()
    kept[0].zero_()
    assert x.grad.tolist() == [2.0, 2.0]


def test_a_hook_may_start_a_backward_of_its_own():
    x, w = leaf(2.0), leaf(3.0)
    y = x * 1

    def hook(g):
        with torch.enable_grad():
            (w * w).backward()

    y.register_hook(hook)
    (y * y).backward()
    assert (x.grad.item(), w.grad.item()) == (4.0, 6.0)


def test_a_hook_runs_unrecorded_unless_the_pass_is_recorded():
    x = leaf(2.0)
    modes = []
    x.register_hook(lambda g: modes.append(torch.is_grad_enabled()))
    torch.autograd.grad(x**3, x)
    torch.autograd.grad(x**3, x, create_graph=True)
    assert modes == [False, True]


def test_hooks_must_return_a_gradient_of_the_same_shape_or_none():
    for wrong, kind in ((torch.ones(3), RuntimeError), (1.0, TypeError)):
        x = leaf(1.0, 2.0)
        x.register_hook(lambda g, wrong=wrong: wrong)
        with pytest.raises(kind, match="hook"):
            (x * 1).sum().backward()


def test_only_tensors_that_want_a_gradient_take_hooks():
    with pytest.raises(RuntimeError, match="cannot register a hook on a tensor that doesn't"):
        torch.tensor(1.0).register_hook(print)


def test_a_post_accumulate_hook_runs_after_grad_was_added_to():
    x = leaf(2.0)
    seen = []
    handle = x.register_post_accumulate_grad_hook(lambda p: seen.append((p is x, p.grad.item())))
    (x * 3).backward()
    (x * 3).backward()
    handle.remove()
    (x * 3).backward()
    assert seen == [(True, 3.0), (True, 6.0)]


def test_a_post_accumulate_hook_can_update_its_parameter():
    x = leaf(2.0)

    def step(p):
        with torch.no_grad():
            p -= 0.5 * p.grad
        p.grad = None

    x.register_post_accumulate_grad_hook(step)
    (x * x).backward()
    assert x.item() == 0.0 and x.grad is None


def test_a_post_accumulate_hook_belongs_to_leaves():
    with pytest.raises(RuntimeError, match="non-leaf"):
        (leaf(1.0) * 2).register_post_accumulate_grad_hook(print)


def test_several_hooks_on_accumulation_run_in_order():
    x = torch.tensor(2.0, requires_grad=True)
    seen = []
    for name in "ab":
        x.register_post_accumulate_grad_hook(lambda leaf, name=name: seen.append(name))
    (x * 3).backward()
    assert seen == ["a", "b"]


def test_a_hook_may_compute_with_numpy_arrays():
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    x.register_hook(lambda g: g * np.array([2.0, 3.0], np.float32))
    x.sum().backward()
    assert x.grad.tolist() == [2.0, 3.0]
