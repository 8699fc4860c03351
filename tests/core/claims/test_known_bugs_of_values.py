"""Known bugs 16 to 32: dtypes, writing in place, memory, modes, numerics. See test_known_bugs."""

from __future__ import annotations

import gc
import threading
import weakref

import numpy as np
import pytest

import minigrad as torch
from minigrad.autograd import Function, grad


def leaf(*numbers, dtype=torch.float32):
    data = numbers[0] if len(numbers) == 1 else list(numbers)
    return torch.tensor(data, dtype=dtype, requires_grad=True)


# ----------------------------------------------------------------------------------------- dtypes

NUMBERED = {
    "x + 1.0": lambda x: x + 1.0,
    "1.0 - x": lambda x: 1.0 - x,
    "x * 2": lambda x: x * 2,
    "2.0 / x": lambda x: 2.0 / x,
    "x / 3": lambda x: x / 3,
    "x ** 2.5": lambda x: x**2.5,
    "2.5 ** x": lambda x: 2.5**x,
    "where": lambda x: torch.where(x > 0, x, 0.5),
    "in place": lambda x: x.clone().mul_(0.5),
    "entry": lambda x: x.sum() * 0.1,
}


@pytest.mark.parametrize("program", NUMBERED.values(), ids=NUMBERED)
@pytest.mark.parametrize("data", [1.5, [1.5, 2.5]], ids=["0-d", "1-d"])
def test_16_a_python_number_does_not_promote_float32(program, data):
    x = torch.tensor(data, requires_grad=True)
    y = program(x)
    y.sum().backward()
    assert y.dtype is x.grad.dtype is torch.float32


REDUCED = {
    "mean": lambda x: x.mean(),
    "mean of rows": lambda x: x.mean(1),
    "max": lambda x: x.max(),
    "max of rows": lambda x: x.max(1).values,
    "sum": lambda x: x.sum((0, 1)),
    "sigmoid": lambda x: torch.sigmoid(x),
    "matmul": lambda x: x @ x.T,
    "sgd": lambda x: ((x - 1) ** 2).mean(),
}


@pytest.mark.parametrize("program", REDUCED.values(), ids=REDUCED)
def test_17_no_rule_leaks_float64(program):
    x = torch.ones(2, 3, requires_grad=True)
    y = program(x)
    first = grad(y.sum(), x, create_graph=True, materialize_grads=True)[0]
    assert y.dtype is first.dtype is torch.float32
    if first.requires_grad:
        assert grad(first.sum(), x)[0].dtype is torch.float32


def test_17_a_training_step_keeps_float32():
    w = torch.ones(3, requires_grad=True)
    optimiser = torch.optim.SGD([w], lr=0.1)
    (w * 2.0).sum().backward()
    optimiser.step()
    assert w.dtype is torch.float32


def test_18_integers_never_get_a_gradient_and_never_pass_a_wrong_one():
    with pytest.raises(RuntimeError, match="floating point"):
        torch.tensor([1, 2], requires_grad=True)
    x = leaf(0.5, 1.5)
    (x * torch.tensor([1, 2])).sum().backward()
    assert x.grad.tolist() == [1.0, 2.0]
    assert not x.long().requires_grad


def test_18_integer_powers_inside_a_rule_stay_floating():
    x = torch.tensor([2.0, 0.0], requires_grad=True)
    (x ** torch.tensor([3, 1])).sum().backward()
    assert x.grad.tolist() == [12.0, 1.0]


def test_19_the_seed_has_the_dtype_of_the_root():
    x = leaf(2.0, dtype=torch.float64)
    seen = []
    y = x * x
    y.register_hook(lambda g: seen.append(g.dtype))
    y.backward()
    assert seen == [torch.float64] and x.grad.dtype is torch.float64


def test_20_comparisons_take_part_in_a_graph_without_breaking_it():
    x = leaf(-1.0, 2.0)
    mask = x > 0
    assert not mask.requires_grad
    (x * mask).sum().backward()
    assert x.grad.tolist() == [0.0, 1.0]


# --------------------------------------------------------------------------------------- in place


def test_21_a_value_changed_after_it_was_saved_is_noticed():
    x = leaf(1.0, 2.0)
    y = x * 1
    z = y * y
    with torch.no_grad():
        y += 10
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        z.sum().backward()


def test_21_a_tensor_assigned_into_itself():
    x = leaf(1.0, 2.0, 3.0)
    y = x * 1
    y[0] = y[1].clone() * y[2].clone()
    y.sum().backward()
    assert x.grad.tolist() == [0.0, 4.0, 3.0]


def test_22_harmless_writes_are_not_refused():
    x = leaf(1.0, 2.0)
    y = x * 1
    z = y + 1
    picked = y[0]
    y.mul_(2)
    (z.sum() + picked + y.sum()).backward()
    assert x.grad.tolist() == [1 + 2 + 2, 1 + 2]


def test_23_writes_through_chains_of_views_make_no_cycles():
    x = leaf(1.0, 2.0, 3.0, 4.0)
    gc.collect()
    gc.disable()
    try:
        base = x * 1
        a = base.view(2, 2)
        b = a.T[0]
        b.mul_(2)
        a[1].mul_(3)
        base.add_(1)
        out = (a.sum() + b.sum()) * 1
        out.backward(retain_graph=True)
        node = weakref.ref(base.grad_fn)
        del base, a, b, out
        assert node() is None
    finally:
        gc.enable()
    assert x.grad.tolist() == [4.0, 1.0, 12.0, 3.0]


# ----------------------------------------------------------------------------------------- memory


def test_24_an_output_saved_by_its_own_operation_is_no_cycle(collector_off):
    class Exp(Function):
        @staticmethod
        def forward(ctx, x):
            out = x.exp()
            ctx.save_for_backward(out)
            return out

        @staticmethod
        def backward(ctx, g):
            return g * ctx.saved_tensors[0]

    x = leaf(1.0, 2.0)
    for operation in (torch.exp, Exp.apply):
        y = operation(x)
        node = weakref.ref(y.grad_fn)
        del y
        assert node() is None


# ------------------------------------------------------------------------------------------ modes


@pytest.mark.threads
def test_25_no_grad_in_one_thread_does_not_reach_another():
    recorded = []
    with torch.no_grad():
        thread = threading.Thread(target=lambda: recorded.append((leaf(1.0) * 2).requires_grad))
        thread.start()
        thread.join()
    assert recorded == [True]


def test_26_no_grad_on_a_generator_holds_while_it_runs_and_not_between():
    @torch.no_grad()
    def batches():
        for _ in range(2):
            yield torch.is_grad_enabled()

    for inside in batches():
        assert not inside and torch.is_grad_enabled()


def test_27_backward_inside_backward():
    class Inner(Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x * x

        @staticmethod
        def backward(ctx, g):
            with torch.enable_grad():
                x = ctx.saved_tensors[0].detach().requires_grad_()
                (x * x).sum().backward()
            return g * x.grad

    x = leaf(1.0, 2.0)
    y = x
    for _ in range(3):
        y = Inner.apply(y)
    y.sum().backward()
    assert x.grad.tolist() == [8.0, 8 * 2.0**7]


# --------------------------------------------------------------------------------------- numerics


@pytest.mark.parametrize("p", [1, 2, 3, 0.5, float("inf"), "fro"])
def test_28_the_norm_of_zeros_has_the_derivative_zero_not_nan(p):
    x = leaf(0.0, 0.0)
    torch.norm(x, p).backward()
    assert x.grad.tolist() == [0.0, 0.0]


def test_28_the_norm_where_one_row_is_zero():
    x = leaf([[0.0, 0.0], [3.0, 4.0]])
    torch.norm(x, dim=1).sum().backward()
    assert x.grad.tolist() == [[0.0, 0.0], [pytest.approx(0.6), pytest.approx(0.8)]]


def test_30_the_product_with_zeros_has_an_exact_gradient():
    for values, expected in (
        ([2.0, 3.0, 5.0], [15.0, 10.0, 6.0]),
        ([2.0, 0.0, 5.0], [0.0, 10.0, 0.0]),
        ([0.0, 0.0, 5.0], [0.0, 0.0, 0.0]),
    ):
        x = leaf(*values)
        x.prod().backward()
        assert x.grad.tolist() == expected


def test_30_the_product_with_a_zero_has_an_exact_second_derivative():
    x = leaf(2.0, 0.0, 5.0)
    (slope,) = torch.autograd.grad(x.prod(), x, create_graph=True)
    (second,) = torch.autograd.grad(slope.sum(), x)
    assert second.tolist() == [5.0, 2.0 + 5.0, 2.0]


def test_29_tied_maxima_share_the_gradient_evenly():
    x = leaf(1.0, 3.0, 3.0)
    x.max().backward()
    assert x.grad.tolist() == [0.0, 0.5, 0.5]


def test_29_relu_at_zero_has_the_derivative_zero_not_a_half():
    x = leaf(0.0, -0.0)
    torch.relu(x).sum().backward()
    assert x.grad.tolist() == [0.0, 0.0]


def test_31_a_number_to_the_power_of_a_tensor():
    x = leaf(3.0)
    (2**x).backward()
    assert x.grad.item() == pytest.approx(8 * np.log(2))


@pytest.mark.parametrize(
    "left", [np.float64(2.0), np.float32(2.0), np.int64(2), np.array([2.0, 2.0])]
)
def test_32_numpy_on_the_left_gives_a_tensor_with_a_history(left):
    for operate in (
        lambda a, b: a * b,
        lambda a, b: a + b,
        lambda a, b: a - b,
        lambda a, b: a / b,
        lambda a, b: a**b,
    ):
        x = leaf(1.0, 3.0)
        out = operate(left, x)
        assert isinstance(out, torch.Tensor) and out.requires_grad
        out.sum().backward()
        assert x.grad.shape == (2,)


def test_32_comparing_numpy_with_a_tensor_gives_a_tensor():
    x = torch.tensor([1.0, 3.0])
    assert isinstance(np.float64(2.0) < x, torch.Tensor)
    assert (np.array([2.0, 2.0]) < x).tolist() == [False, True]
