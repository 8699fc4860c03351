"""What the ``backward`` of a custom function may find saved, and what it may return."""

from __future__ import annotations

import pytest
from custom_functions import Exp, Product, leaf

import minigrad as torch
from minigrad.autograd import Function, grad
from minigrad.autograd.function import once_differentiable


def test_saved_inputs_and_outputs_are_checked_for_later_writes():
    x = leaf(3.0)
    y = x * 1
    out = Product.apply(y, y)
    y.add_(1)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        out.backward()
    out = Exp.apply(x)
    out.add_(1)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        out.backward()


def test_saved_values_are_freed_by_backward():
    x = leaf(3.0)
    y = Exp.apply(x)
    y.backward()
    with pytest.raises(RuntimeError, match="second time"):
        y.backward()
    z = Exp.apply(x)
    z.backward(retain_graph=True)
    z.backward()


def test_the_number_of_gradients_must_be_that_of_the_arguments():
    class TooFew(Function):
        @staticmethod
        def forward(ctx, x, y):
            return x * y

        @staticmethod
        def backward(ctx, g):
            return g

    with pytest.raises(RuntimeError, match=r"incorrect number of gradients \(expected 2, got 1\)"):
        TooFew.apply(leaf(1.0), leaf(2.0)).backward()


def test_more_gradients_are_fine_if_they_are_none_and_wrong_if_not():
    class More(Function):
        extra = None

        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, g):
            return g * 2, More.extra

    x = leaf(1.0)
    More.apply(x).backward()
    assert x.grad.item() == 2.0
    More.extra = torch.tensor(1.0)
    with pytest.raises(RuntimeError, match="incorrect number of gradients"):
        More.apply(x).backward()


class Returning(Function):
    """Returns whatever the test wants as a gradient."""

    answer = None

    @staticmethod
    def forward(ctx, x):
        return x * 2

    @staticmethod
    def backward(ctx, g):
        return Returning.answer


def test_a_gradient_of_the_wrong_shape_names_the_function():
    Returning.answer = torch.ones(3, dtype=torch.float64)
    with pytest.raises(RuntimeError, match="Function ReturningBackward returned an invalid gradi"):
        Returning.apply(leaf(1.0, 2.0)).sum().backward()


def test_a_gradient_that_broadcast_is_summed():
    Returning.answer = torch.ones(3, 2, dtype=torch.float64)
    x = leaf(1.0, 2.0)
    Returning.apply(x).sum().backward()
    assert x.grad.tolist() == [3.0, 3.0]


def test_a_gradient_of_another_dtype_is_converted():
    Returning.answer = torch.ones(2, dtype=torch.float32)
    x = leaf(1.0, 2.0)
    Returning.apply(x).sum().backward()
    assert x.grad.dtype is torch.float64


def test_the_gradient_returned_is_not_kept_or_changed():
    Returning.answer = torch.ones(2, dtype=torch.float64)
    x = leaf(1.0, 2.0)
    for _ in range(2):
        Returning.apply(x).sum().backward()
    assert Returning.answer.tolist() == [1.0, 1.0] and x.grad.tolist() == [2.0, 2.0]
    x.grad.zero_()
    assert Returning.answer.tolist() == [1.0, 1.0]


def test_no_gradient_for_a_wanted_input_is_none():
    Returning.answer = None
    x = leaf(1.0, 2.0)
    Returning.apply(x).sum().backward()
    assert x.grad is None


class OnceCube(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x * x

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        assert not torch.is_grad_enabled()
        return 3 * g * x * x


def test_a_once_differentiable_backward_refuses_a_second_derivative():
    x = leaf(2.0)
    assert grad(OnceCube.apply(x), x)[0].item() == 12.0
    (slope,) = grad(OnceCube.apply(x * 1), x, torch.ones((), requires_grad=True), create_graph=True)
    with pytest.raises(RuntimeError, match="once_differentiable"):
        slope.backward()


def test_a_second_derivative_by_a_once_differentiable_backward_is_never_silently_wrong():
    x = leaf(2.0)
    (slope,) = grad(OnceCube.apply(x), x, create_graph=True)
    with pytest.raises(RuntimeError):
        slope.backward()


def test_without_recording_nothing_is_recorded():
    with torch.no_grad():
        y = Exp.apply(leaf(1.0))
    assert not y.requires_grad
    assert not Exp.apply(torch.tensor(1.0)).requires_grad


def test_a_backward_may_itself_call_backward():
    class Nested(Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x**3

        @staticmethod
        def backward(ctx, g):
            (x,) = ctx.saved_tensors
            with torch.enable_grad():
                inner = x.detach().requires_grad_()
                (inner**3).backward()
            return g * inner.grad

    x = leaf(2.0)
    Nested.apply(x).backward()
    assert x.grad.item() == 12.0
