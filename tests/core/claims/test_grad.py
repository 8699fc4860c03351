"""``autograd.grad``: gradients by request, unused inputs, and derivatives of any order."""

from __future__ import annotations

import math

import pytest

import minigrad as torch
from minigrad.autograd import grad


def leaf(*numbers):
    data = numbers[0] if len(numbers) == 1 else numbers
    return torch.tensor(data, dtype=torch.float64, requires_grad=True)


def test_grad_touches_no_grad_attribute():
    x = leaf(3.0)
    y = x * x
    y.retain_grad()
    (slope,) = grad(y, x)
    assert slope.item() == 6.0 and x.grad is None


def test_grad_returns_one_tensor_for_each_input_in_their_order():
    a, b = leaf(2.0), leaf(5.0)
    out = a * a * b
    assert [g.item() for g in grad(out, [b, a])] == [4.0, 20.0]


def test_grad_of_an_intermediate_result():
    x = leaf(2.0)
    y = x * 3
    z = y * y
    dy, dx = grad(z, (y, x))
    assert (dy.item(), dx.item()) == (12.0, 36.0)


def test_grad_of_a_value_with_respect_to_itself_is_one():
    x = leaf(2.0)
    y = x * 3
    assert grad(y, y)[0].item() == 1.0
    assert grad(x, x)[0].item() == 1.0


def test_one_input_asked_for_twice_is_answered_twice():
    x = leaf(2.0)
    first, second = grad(x * x, [x, x])
    assert first.item() == second.item() == 4.0
    first.zero_()
    assert second.item() == 4.0


def test_grad_of_several_outputs_is_that_of_their_weighted_sum():
    x = leaf(1.0, 2.0)
    v = torch.tensor([1.0, 3.0], dtype=torch.float64)
    (slope,) = grad([x * x, x.sum()], x, [v, None])
    assert slope.tolist() == [3.0, 13.0]


def test_an_input_that_was_not_used_is_an_error_unless_allowed():
    x, unused = leaf(2.0), leaf(1.0)
    with pytest.raises(RuntimeError, match="appears to not have been used in the graph"):
        grad(x * x, [x, unused])
    assert grad(x * x, [unused], allow_unused=True) == (None,)


def test_materialize_grads_gives_zeros_for_an_unused_input():
    x, unused = leaf(2.0), leaf(1.0, 2.0)
    _, zeros = grad(x * x, [x, unused], materialize_grads=True)
    assert zeros.tolist() == [0.0, 0.0] and zeros.dtype is torch.float64
    with pytest.raises(ValueError, match="materialize_grads=True"):
        grad(x * x, [x, unused], allow_unused=False, materialize_grads=True)


def test_an_input_that_wants_no_gradient_is_an_error():
    x = leaf(2.0)
    with pytest.raises(RuntimeError, match="One of the differentiated Tensors does not require gr"):
        grad(x * x, torch.tensor(1.0))


def test_grad_frees_the_graph_unless_told_otherwise():
    x = leaf(2.0)
    y = x.exp()
    grad(y, x, retain_graph=True)
    grad(y, x)
    with pytest.raises(RuntimeError, match="second time"):
        grad(y, x)


def test_without_create_graph_a_gradient_has_no_history():
    x = leaf(2.0)
    (slope,) = grad(x**3, x)
    assert not slope.requires_grad and slope.grad_fn is None


@pytest.mark.parametrize(
    ("function", "derivatives"),
    [
        (lambda x: x**5, lambda x: [5 * x**4, 20 * x**3, 60 * x**2, 120 * x, 120]),
        (torch.exp, lambda x: [math.exp(x)] * 5),
        (
            torch.sin,
            lambda x: [math.cos(x), -math.sin(x), -math.cos(x), math.sin(x), math.cos(x)],
        ),
        (
            torch.log,
            lambda x: [1 / x, -1 / x**2, 2 / x**3, -6 / x**4, 24 / x**5],
        ),
        (lambda x: 1 / x, lambda x: [-(x**-2), 2 * x**-3, -6 * x**-4, 24 * x**-5, -120 * x**-6]),
        (lambda x: x * x * x, lambda x: [3 * x * x, 6 * x, 6, 0, 0]),
    ],
)
def test_derivatives_of_orders_one_to_five(function, derivatives):
    x = leaf(0.7)
    y = function(x)
    for expected in derivatives(0.7):
        (y,) = grad(y, x, create_graph=True, materialize_grads=True)
        assert y.item() == pytest.approx(expected, abs=1e-9)
        if not y.requires_grad:
            y = y + 0 * x


def test_the_third_derivative_of_tanh():
    x = leaf(0.3)
    y = torch.tanh(x)
    for _ in range(3):
        (y,) = grad(y, x, create_graph=True)
    t = math.tanh(0.3)
    assert y.item() == pytest.approx((1 - t * t) * (6 * t * t - 2))


def test_mixed_second_derivatives_do_not_depend_on_their_order():
    a, b = leaf(0.4), leaf(1.3)
    out = torch.sin(a * b) * a + b**a
    da, db = grad(out, [a, b], create_graph=True)
    (ab,) = grad(da, b, retain_graph=True)
    (ba,) = grad(db, a)
    assert ab.item() == pytest.approx(ba.item())


def test_a_gradient_can_be_part_of_a_loss():
    w, x = leaf(3.0), leaf(2.0)
    (slope,) = grad(w * x * x, x, create_graph=True)
    (slope * slope).backward()  # d (2 w x)² / dw = 8 w x²
    assert w.grad.item() == 96.0


def test_create_graph_keeps_the_graph_for_further_passes():
    x = leaf(2.0)
    y = x**3
    grad(y, x, create_graph=True)
    assert grad(y, x)[0].item() == 12.0


def test_create_graph_inside_no_grad_still_records():
    x = leaf(2.0)
    y = x**3
    with torch.no_grad():
        (slope,) = grad(y, x, create_graph=True)
    assert slope.requires_grad
    assert grad(slope, x)[0].item() == 12.0


def test_a_gradient_passed_in_can_be_differentiated_too():
    x = leaf(1.0, 2.0)
    v = leaf(3.0, 4.0)
    (product,) = grad(x * x, x, v, create_graph=True)
    assert grad(product.sum(), v)[0].tolist() == [2.0, 4.0]


def test_backward_with_create_graph_gives_a_grad_with_a_history():
    x = leaf(2.0)
    with pytest.warns(UserWarning, match="create_graph=True"):
        (x**3).backward(create_graph=True)
    assert x.grad.requires_grad
    first, x.grad = x.grad, None
    first.backward()
    assert x.grad.item() == 12.0


def test_outputs_without_a_graph_are_an_error():
    x = leaf(1.0)
    with pytest.raises(RuntimeError, match="element 0 of tensors does not require grad"):
        grad(torch.tensor(1.0), x)


def test_a_vector_output_needs_weights():
    x = leaf(1.0, 2.0)
    with pytest.raises(RuntimeError, match="only for scalar outputs"):
        grad(x * x, x)
