"""Optimisers, beyond what PyTorch's recorded results say: memory, notices, errors that teach."""

from __future__ import annotations

import gc
import tracemalloc
import weakref

import numpy as np
import pytest

import minigrad as torch

OPTIONS = {
    "SGD": {"lr": 0.1, "momentum": 0.9, "nesterov": True},
    "Adam": {"lr": 0.1, "amsgrad": True, "weight_decay": 0.1},
    "AdamW": {"lr": 0.1},
    "RMSprop": {"momentum": 0.5, "centered": True},
    "Adagrad": {"lr": 0.1},
}
"""With which options an optimiser is tested, if not with the usual ones."""


def made_with_options(name):
    kind, options = getattr(torch.optim, name), OPTIONS.get(name, {})
    return lambda params: kind(params, **options)


EVERY = {
    name: made_with_options(name)
    for name in torch.optim.__all__
    if getattr(getattr(torch.optim, name), "_update", None) is not None
}
"""All that move each parameter by a formula: a new one is among them."""


def with_gradient(value, dtype=torch.float32):
    w = torch.tensor(value, dtype=dtype, requires_grad=True)
    (w * w).sum().backward()
    return w


@pytest.mark.parametrize("name", EVERY)
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("value", [2.0, [1.0, -2.0], [[1.0], [2.0]]])
def test_a_step_keeps_memory_dtype_and_shape_of_parameter_and_state(name, dtype, value):
    w = with_gradient(value, dtype)
    memory, optimiser = w.data_ptr(), EVERY[name]([w])
    for _ in range(3):
        optimiser.step()
    assert (w.dtype, w.data_ptr(), w.requires_grad, w.is_leaf) == (dtype, memory, True, True)
    for key, kept in optimiser.state[w].items():
        shape, kind = ((), torch.float32) if key == "step" else (w.shape, dtype)
        assert (kept.shape, kept.dtype) == (shape, kind)


@pytest.mark.parametrize("name", EVERY)
def test_a_parameter_that_is_not_contiguous_moves_like_one_that_is(name):
    w, twin = (torch.arange(6.0).reshape(2, 3) for _ in range(2))
    v = w.T.requires_grad_()
    twin = twin.T.contiguous().requires_grad_()
    for param in (v, twin):
        (param * param).sum().backward()
        EVERY[name]([param]).step()
    assert torch.equal(v, twin) and torch.equal(w.T, twin)


@pytest.mark.parametrize("name", EVERY)
def test_a_step_does_not_change_the_gradient(name):
    w = with_gradient([1.0, -2.0])
    optimiser = EVERY[name]([w])
    for _ in range(2):
        optimiser.step()
    assert w.grad.tolist() == [2.0, -4.0]


@pytest.mark.parametrize("name", OPTIONS)
def test_a_step_needs_little_more_memory_than_there_is(name):
    """A promise of these, whose formulas are written in place; a plain formula needs more."""
    w = torch.zeros(1_000_000, requires_grad=True)
    w.grad = torch.ones(1_000_000)
    optimiser = EVERY[name]([w])
    optimiser.step()
    tracemalloc.start()
    optimiser.step()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 2.1 * 4_000_000


def test_a_written_value_is_noticed_by_the_backward_pass():
    w = with_gradient([1.0])
    for name in EVERY:
        loss = (w * w).sum()
        EVERY[name]([w]).step()
        with pytest.raises(RuntimeError, match="MG104"):
            loss.backward()


def test_momentum_is_shown_by_name_in_the_state():
    w = with_gradient([1.0])
    optimiser = torch.optim.SGD([w], lr=0.1, momentum=0.9)
    optimiser.step()
    kept = optimiser.state[w]["momentum_buffer"]
    version = kept._version
    optimiser.step()
    assert kept is optimiser.state[w]["momentum_buffer"] and kept._version > version


@pytest.mark.parametrize("name", EVERY)
def test_recorded_steps_are_refused(name):
    with pytest.raises(NotImplementedError, match=r"(?s)differentiable=True.*fix: "):
        getattr(torch.optim, name)([torch.zeros(1, requires_grad=True)], differentiable=True)


def test_a_scheduler_does_not_keep_an_optimiser_alive():
    optimiser = torch.optim.SGD([with_gradient([1.0])], lr=0.1)
    scheduler = torch.optim.lr_scheduler.StepLR(optimiser, 1)
    gone = weakref.ref(optimiser)
    gc.disable()
    try:
        del optimiser, scheduler
        assert gone() is None
    finally:
        gc.enable()


def test_a_cycle_that_only_goes_up_may_take_one_step_more_as_any_other():
    optimiser = torch.optim.SGD([with_gradient([1.0])], momentum=0.9)
    scheduler = torch.optim.lr_scheduler.OneCycleLR(optimiser, 1.0, total_steps=4, pct_start=1.0)
    rates = [scheduler.get_last_lr()[0]]
    for _ in range(4):
        optimiser.step()
        scheduler.step()
        rates.append(scheduler.get_last_lr()[0])
    assert rates == pytest.approx([0.04, 0.28, 0.76, 1.0, 0.76])


def test_an_old_number_of_steps_may_be_a_plain_number():
    w = with_gradient([1.0])
    optimiser = torch.optim.Adam([w])
    optimiser.step()
    state = optimiser.state_dict()
    state["state"][0]["step"] = 1
    optimiser.load_state_dict(state)
    optimiser.step()
    assert optimiser.state[w]["step"].item() == 2


def test_a_loaded_history_is_a_list_of_its_own():
    v, w = with_gradient([1.0, 2.0]), with_gradient([1.0, 2.0])

    def closure_of(param, optimiser):
        def closure():
            optimiser.zero_grad()
            loss = (param**4).sum()
            loss.backward()
            return loss

        return closure

    first, second = (torch.optim.LBFGS([p], max_iter=3) for p in (v, w))
    first.step(closure_of(v, first))
    second.load_state_dict(first.state_dict())
    second.step(closure_of(w, second))
    assert [len(o.state[p]["old_dirs"]) for o, p in ((first, v), (second, w))] == [1, 2]


def test_a_line_search_ends_where_both_conditions_of_wolfe_hold():
    w = torch.tensor([2.0], dtype=torch.float64, requires_grad=True)
    options = {"lr": 1e-3, "max_iter": 1, "max_eval": 25, "line_search_fn": "strong_wolfe"}
    optimiser = torch.optim.LBFGS([w], **options)

    def closure():
        optimiser.zero_grad()
        loss = (w - 5).pow(2).sum()
        loss.backward()
        return loss

    before = optimiser.step(closure).item()
    slope_before, moved = -6.0 * 6.0, (w.item() - 2.0) / 6.0  # along the direction, which is 6
    closure()
    after, slope = (w.item() - 5) ** 2, w.grad.item() * 6.0
    assert after <= before + 1e-4 * moved * slope_before
    assert abs(slope) <= 0.9 * abs(slope_before)


def test_the_warning_about_the_order_of_steps_points_at_the_program_and_says_the_fix():
    optimiser = torch.optim.SGD([with_gradient([1.0])], lr=0.1)
    scheduler = torch.optim.lr_scheduler.StepLR(optimiser, 1)
    with pytest.warns(UserWarning, match=r"(?s)before `optimizer.step\(\)`.*fix: ") as caught:
        scheduler.step()
    assert caught[0].filename == __file__


@pytest.mark.parametrize("seed", range(20))
def test_random_options_of_sgd_follow_the_formula(seed):
    random = np.random.default_rng(seed)
    momentum, decay, lr = random.uniform(0, 0.9, 3)
    dampening = random.uniform(0, 0.5)
    w = torch.tensor(random.normal(size=4), requires_grad=True)
    optimiser = torch.optim.SGD(
        [w], lr=lr, momentum=momentum, weight_decay=decay, dampening=dampening
    )
    expected, velocity = w.numpy(force=True).copy(), None
    for _ in range(5):
        g = random.normal(size=4)
        w.grad = torch.tensor(g)
        optimiser.step()
        g = g + decay * expected
        velocity = g if velocity is None else momentum * velocity + (1 - dampening) * g
        expected = expected - lr * velocity
    assert np.allclose(w.numpy(force=True), expected, rtol=1e-12)
