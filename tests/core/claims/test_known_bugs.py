"""Classes of bugs that well-known autograd libraries have had: one test for each, by number.

1-4    traversal: recursion, freeing a deep graph, shared nodes walked again, dropped branches
5, 6   traversal: quadratic scheduling, outputs nobody uses
7-9    accumulation: stale intermediates, aliasing, a second pass that does nothing
10-15  shapes: broadcasting, nothing to broadcast, repeated indices, slices, batches, exponents
16-20  dtypes: numbers, leaks of float64, integers, seeds, comparisons
21-23  writing in place: silence, strictness, views
24     memory: cycles and leaks (and all of test_memory)
25-27  modes: threads, generators, backward inside backward
28     the norm at 0
29     ties
30     products with zeros
31, 32 numbers and arrays on the left
33     the order of a module's parameters

Those from 16 to 32 are in test_known_bugs_of_values.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import minigrad as torch
from minigrad.autograd import Function


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


@pytest.mark.processes
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
        cwd=Path(__file__).resolve().parents[3],
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


# ----------------------------------------------------------------------------------------- modules


def test_33_parameters_come_in_the_order_in_which_they_were_registered():
    class Net(torch.nn.Module):
        def __init__(self):
            super().__init__()
            for name in ("zeta", "alpha", "mu"):
                setattr(self, name, torch.nn.Linear(1, 1, bias=False))

    assert [name for name, _ in Net().named_parameters()] == [
        "zeta.weight",
        "alpha.weight",
        "mu.weight",
    ]
