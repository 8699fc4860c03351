"""``autograd.Function``: operations whose derivative is written by hand."""

from __future__ import annotations

import numpy as np
import pytest
from custom_functions import Exp, Product, leaf

import minigrad as torch
from minigrad.autograd import Function, grad, gradcheck, gradgradcheck


class Split(Function):
    """Two outputs."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * 2, x * x

    @staticmethod
    def backward(ctx, g_double, g_square):
        (x,) = ctx.saved_tensors
        return g_double * 2 + g_square * 2 * x


def test_a_function_is_one_node_named_after_it():
    x = leaf(1.0)
    y = Exp.apply(x)
    assert y.grad_fn.name() == "ExpBackward"
    assert [type(n).__name__ for n, _ in y.grad_fn.next_functions] == ["AccumulateGrad"]


def test_derivatives_of_functions_pass_the_check():
    x, y = leaf(0.5, 2.0), leaf(1.5, -3.0)
    assert gradcheck(Exp.apply, x) and gradgradcheck(Exp.apply, x)
    assert gradcheck(Product.apply, (x, y)) and gradgradcheck(Product.apply, (x, y))
    assert gradcheck(Split.apply, x) and gradgradcheck(Split.apply, x)


def test_third_derivatives_through_a_saved_output():
    y = x = leaf(0.7)
    y = Exp.apply(x)
    for _ in range(3):
        (y,) = grad(y, x, create_graph=True)
        assert y.item() == pytest.approx(np.exp(0.7))


def test_what_is_not_a_tensor_is_passed_on_as_it_is():
    x, y = leaf(2.0), leaf(3.0)
    Product.apply(x, y, 10).backward()
    assert (x.grad.item(), y.grad.item()) == (30.0, 20.0)


def test_needs_input_grad_says_which_gradients_are_wanted():
    x, y = leaf(2.0), torch.tensor(3.0, dtype=torch.float64)
    Product.apply(x, y, 10).backward()
    assert Product.asked == (True, False, False)
    assert x.grad.item() == 30.0 and y.grad is None


def test_an_unused_output_gets_a_gradient_of_zeros():
    x = leaf(3.0)
    _, square = Split.apply(x)
    square.backward()
    assert x.grad.item() == 6.0


def test_an_output_that_has_died_gets_a_gradient_of_zeros():
    x = leaf(3.0)
    Split.apply(x)[0].backward()
    assert x.grad.item() == 2.0


def test_backward_runs_once_for_all_outputs():
    runs = []

    class Counted(Function):
        @staticmethod
        def forward(ctx, x):
            return x * 1, x * 2, x * 3

        @staticmethod
        def backward(ctx, *grads):
            runs.append([g.item() for g in grads])
            return grads[0] + grads[1] * 2 + grads[2] * 3

    x = leaf(1.0)
    a, b, c = Counted.apply(x)
    (a * 10 + c * 100 + c).backward()
    assert runs == [[10.0, 0.0, 101.0]]
    assert x.grad.item() == 313.0
    assert b.requires_grad


def test_without_materialized_gradients_an_unused_output_gets_none():
    seen = []

    class Lazy(Function):
        @staticmethod
        def forward(ctx, x):
            ctx.set_materialize_grads(False)
            return x * 1, x * 2

        @staticmethod
        def backward(ctx, g1, g2):
            seen.append((g1, g2))
            return g2 * 2

    x = leaf(1.0)
    Lazy.apply(x)[1].backward()
    assert seen[0][0] is None and seen[0][1].item() == 1.0
    assert x.grad.item() == 2.0


def test_setup_context_may_stand_apart_from_forward():
    class Apart(Function):
        @staticmethod
        def forward(x, power):
            return x**power

        @staticmethod
        def setup_context(ctx, inputs, output):
            x, ctx.power = inputs
            ctx.save_for_backward(x)

        @staticmethod
        def backward(ctx, g):
            (x,) = ctx.saved_tensors
            return g * ctx.power * x ** (ctx.power - 1), None

    x = leaf(2.0)
    Apart.apply(x, 3).backward()
    assert x.grad.item() == 12.0


def test_forward_is_not_recorded_and_backward_is_only_under_create_graph():
    modes = []

    class Asking(Function):
        @staticmethod
        def forward(ctx, x):
            modes.append(torch.is_grad_enabled())
            return x * 2

        @staticmethod
        def backward(ctx, g):
            modes.append(torch.is_grad_enabled())
            return g * 2

    x = leaf(1.0)
    grad(Asking.apply(x), x)
    grad(Asking.apply(x), x, create_graph=True)
    assert modes == [False, False, False, True]


def test_an_output_marked_non_differentiable_has_no_gradient():
    class Sorted(Function):
        @staticmethod
        def forward(ctx, x):
            order = torch.tensor(np.argsort(x.numpy()))
            floats = order.double()
            ctx.mark_non_differentiable(order, floats)
            ctx.order = order
            return x[order], order, floats

        @staticmethod
        def backward(ctx, g, _, __):
            out = torch.zeros(3, dtype=torch.float64)
            out[ctx.order] = g
            return out

    x = leaf(3.0, 1.0, 2.0)
    values, order, floats = Sorted.apply(x)
    assert values.requires_grad and not order.requires_grad and not floats.requires_grad
    (values * torch.tensor([1.0, 10.0, 100.0])).sum().backward()
    assert x.grad.tolist() == [100.0, 1.0, 10.0]


class DoubleInPlace(Function):
    @staticmethod
    def forward(ctx, x):
        x.mul_(2)
        ctx.mark_dirty(x)
        return x

    @staticmethod
    def backward(ctx, g):
        return g * 2


def test_an_input_marked_dirty_is_the_output_with_a_new_history():
    x = leaf(3.0)
    y = x * 1
    z = DoubleInPlace.apply(y)
    assert z is y and y.item() == 6.0 and y.grad_fn.name() == "DoubleInPlaceBackward"
    (y * y).backward()
    assert x.grad.item() == 2 * 6 * 2


def test_a_dirty_input_makes_values_saved_before_stale():
    y = leaf(3.0) * 1
    square = y * y
    DoubleInPlace.apply(y)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        square.backward()


def test_a_leaf_cannot_be_marked_dirty():
    with pytest.raises(RuntimeError, match="a leaf Variable that requires grad"):
        DoubleInPlace.apply(leaf(3.0))


def test_an_input_returned_as_it_is_becomes_a_result():
    class Same(Function):
        @staticmethod
        def forward(ctx, x):
            return x

        @staticmethod
        def backward(ctx, g):
            return g * 10

    x = leaf(3.0)
    y = Same.apply(x)
    assert y is not x and y.grad_fn.name() == "SameBackward"
    y.backward()
    assert x.is_leaf and x.grad.item() == 10.0


def test_a_function_that_is_called_without_apply_says_so():
    with pytest.raises(RuntimeError, match="should not be instantiated") as told:
        Exp(torch.tensor(2.0))
    assert "Exp.apply(...)" in str(told.value)
    assert Exp().apply(torch.tensor(0.0)) == 1
