"""Classes of bugs that well-known autograd libraries have had: one test for each, by number.

1-4    traversal: recursion, freeing a deep graph, shared nodes walked again, dropped branches
5, 6   traversal: quadratic scheduling, outputs nobody uses
7-9    accumulation: stale intermediates, aliasing, a second pass that does nothing
10-15  shapes: broadcasting, nothing to broadcast, repeated indices, slices, batches, exponents
16-20  dtypes: numbers, leaks of float64, integers, seeds, comparisons
21-23  writing in place: silence, strictness, views
24     memory: cycles and leaks (all of test_memory)
25-27  modes: threads, generators, backward inside backward
29     ties
31, 32 numbers and arrays on the left

With later features: 28 (norm at 0), 30 (prod with zeros), 33 (order of a module's parameters).
"""

from __future__ import annotations

import subprocess
import sys
import threading
import weakref
from pathlib import Path

import numpy as np
import pytest

import minigrad as torch
from minigrad.autograd import Function, grad


def leaf(*numbers, dtype=torch.float32):
    data = numbers[0] if len(numbers) == 1 else list(numbers)
    return torch.tensor(data, dtype=dtype, requires_grad=True)


# -------------------------------------------------------------------------------------- traversal


def test_01_a_chain_far_longer_than_the_recursion_limit_is_differentiated():
    x = leaf(1.0)
    y = x
    for _ in range(20 * sys.getrecursionlimit()):
        y = y + 1
    y.backward()
    assert x.grad.item() == 1.0


def test_02_a_chain_of_300000_nodes_is_freed_without_overflowing_the_stack():
    program = (
        "import minigrad as torch\n"
        "y = torch.tensor(1.0, requires_grad=True)\n"
        "for _ in range(300_000): y = y * 1.0\n"
        "del y\n"
        "print('freed')"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=Path(__file__).resolve().parents[2],
        capture_output=True,
        text=True,
    )
    assert done.stdout == "freed\n", done.stderr


def test_03_shared_nodes_are_visited_once_not_once_a_path():
    x = leaf(1.0, dtype=torch.float64)
    y = x
    for _ in range(200):  # 2^200 paths
        y = (y + y) * 0.5
    y.backward()
    assert x.grad.item() == 1.0


def test_03_a_sum_of_itself_twice_is_four_times_it():
    a = leaf(1.0)
    b = a + a
    c = b + b
    c.backward()
    assert a.grad.item() == 4.0


def test_04_no_branch_is_dropped():
    x = leaf(2.0)
    y = 3 * x
    (y * 2 + y * 5).backward()
    assert x.grad.item() == 21.0


def test_04_a_node_waits_for_all_that_use_it_however_late_they_come():
    x = leaf(2.0)
    y = x * x
    late = y * 1
    for _ in range(10):
        late = late + 1
    (late * y).backward()  # (x² + 10) x²
    assert x.grad.item() == 4 * 8 + 20 * 2


def test_05_a_node_of_16384_inputs_is_scheduled_without_sorting_again_for_each():
    x = leaf(1.0)
    torch.stack([x * 1 for _ in range(16384)]).sum().backward()
    assert x.grad.item() == 16384.0


class Two(Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2, x * 3

    @staticmethod
    def backward(ctx, a, b):
        return a * 2 + b * 3


@pytest.mark.parametrize("used", [0, 1])
def test_06_an_output_that_is_unused_or_dead_counts_as_zero(used):
    x = leaf(1.0)
    outputs = Two.apply(x)
    chosen = outputs[used]
    del outputs
    chosen.backward()
    assert x.grad.item() == [2.0, 3.0][used]


# ----------------------------------------------------------------------------------- accumulation


def test_07_a_second_pass_starts_from_fresh_intermediate_gradients():
    x = leaf(3.0)
    y = x * x
    y.retain_grad()
    z = y * x
    z.backward(retain_graph=True)
    assert x.grad.item() == 27.0
    x.grad = None
    z.backward(retain_graph=True)
    assert x.grad.item() == 27.0  # not 45


def test_08_weight_decay_on_one_gradient_does_not_reach_the_other():
    x, y = leaf(1.0), leaf(1.0)
    (x + y).backward()
    for p in (x, y):
        p.grad.add_(0.1)
    assert x.grad.item() == y.grad.item() == pytest.approx(1.1)


def test_09_backward_twice_adds_twice_or_says_why_not():
    x = leaf(3.0)
    y = x + 1
    y.backward()
    y.backward()
    assert x.grad.item() == 2.0
    z = x * x
    z.backward()
    with pytest.raises(RuntimeError, match="second time"):
        z.backward()


# ------------------------------------------------------------------------------ shapes and indices


@pytest.mark.parametrize(
    ("shape", "other"),
    [((1,), (3,)), ((3, 1), (4,)), ((), (2, 3)), ((2, 1, 3), (4, 1)), ((1, 1), (2, 2))],
)
def test_10_gradients_of_broadcast_values_have_the_shape_of_the_value(shape, other):
    x, y = torch.ones(shape, requires_grad=True), torch.ones(other, requires_grad=True)
    out = x * y
    out.sum().backward()
    assert x.grad.shape == shape and y.grad.shape == other
    assert x.grad.sum().item() == y.grad.sum().item() == out.numel()


def test_10_the_gradient_of_a_0d_tensor_is_a_tensor():
    x = leaf(2.0)
    (x * torch.ones(3)).sum().backward()
    assert isinstance(x.grad, torch.Tensor) and x.grad.shape == ()
    assert isinstance(x.grad.numpy(), np.ndarray)


def test_11_nothing_broadcast_against_something_gives_zeros():
    x, y = torch.ones(4, 0, requires_grad=True), torch.ones(4, 1, requires_grad=True)
    (x + y).sum().backward()
    assert x.grad.shape == (4, 0) and y.grad.tolist() == [[0.0]] * 4


def test_12_gradients_of_an_entry_read_twice_add_up():
    x = leaf(1.0, 2.0, 3.0)
    x[[0, 0, 2, 0]].sum().backward()
    assert x.grad.tolist() == [3.0, 0.0, 1.0]


def test_12_gradients_of_overlapping_slices_add_up():
    x = leaf(1.0, 2.0, 3.0)
    (x[:2] + x[1:]).sum().backward()
    assert x.grad.tolist() == [1.0, 2.0, 1.0]


def test_13_the_gradient_of_a_slice_has_the_shape_of_the_whole():
    x = torch.ones(3, 4, requires_grad=True)
    x[1:, ::2].sum().backward()
    assert x.grad.tolist() == [[0, 0, 0, 0], [1, 0, 1, 0], [1, 0, 1, 0]]


def test_14_batches_of_matrices_have_gradients_in_batches():
    a = torch.ones(5, 2, 3, requires_grad=True)
    b = torch.ones(3, 4, requires_grad=True)
    (a @ b).sum().backward()
    assert a.grad.shape == (5, 2, 3) and b.grad.shape == (3, 4)
    assert a.grad.tolist() == [[[4.0] * 3] * 2] * 5 and b.grad.tolist() == [[10.0] * 4] * 3


def test_15_an_exponent_has_a_gradient():
    x, t = leaf(2.0), leaf(3.0)
    (x**t).backward()
    assert x.grad.item() == 12.0
    assert t.grad.item() == pytest.approx(8 * np.log(2))


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
    import gc

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
