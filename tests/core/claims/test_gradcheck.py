"""What gradcheck finds beside a wrong slope: a rule that does not multiply, or changes its mind."""

import pytest

import minigrad as torch
from minigrad.autograd import Function, gradcheck
from minigrad.autograd.gradcheck import GradcheckError


def leaf(*numbers):
    return torch.tensor(numbers, dtype=torch.float64, requires_grad=True)


class SlopeAlone(Function):
    """The right slope of x⁴, whatever arrives."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x**4

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return 4 * x**3


class Restless(Function):
    """Twice x; its slope is a little larger with each backward pass."""

    visits = 0

    @staticmethod
    def forward(ctx, x):
        return 2 * x

    @staticmethod
    def backward(ctx, g):
        Restless.visits += 1
        return 2 * g * (1 + 1e-7 * Restless.visits)


class Both(Function):
    """Two outputs; it relies on it that something arrives at each."""

    @staticmethod
    def forward(ctx, x):
        ctx.set_materialize_grads(False)
        return 2 * x, 3 * x

    @staticmethod
    def backward(ctx, g, h):
        if g is None or h is None:
            raise RuntimeError("both are wanted")
        return 2 * g + 3 * h


class Careful(Both):
    """It leaves out what did not arrive."""

    @staticmethod
    def backward(ctx, g, h):
        return sum(factor * one for factor, one in ((2, g), (3, h)) if one is not None)


@pytest.mark.parametrize("x", [leaf(1.5), leaf(0.3, -2.0)], ids=["one number", "two numbers"])
def test_a_rule_that_does_not_multiply_by_what_arrives_is_found(x):
    with pytest.raises(GradcheckError):
        gradcheck(SlopeAlone.apply, x)
    assert not gradcheck(SlopeAlone.apply, x, raise_exception=False)


def test_of_one_number_it_is_said_in_the_words_of_pytorch():
    with pytest.raises(GradcheckError, match=r"^backward not multiplied by grad_output$"):
        gradcheck(SlopeAlone.apply, leaf(1.5))


def test_a_rule_that_says_something_else_the_second_time_is_found():
    with pytest.raises(GradcheckError, match="Backward is not reentrant"):
        gradcheck(Restless.apply, leaf(1.5))
    assert gradcheck(Restless.apply, leaf(1.5), nondet_tol=1e-3)


def test_nothing_may_arrive_at_one_of_several_outputs():
    with pytest.raises(RuntimeError, match="both are wanted"):
        gradcheck(Both.apply, leaf(1.5))
    assert gradcheck(Careful.apply, leaf(1.5))


def test_an_output_without_numbers_has_nothing_to_multiply():
    assert gradcheck(lambda x: x * 2, torch.zeros(0, dtype=torch.float64, requires_grad=True))
