"""Derivatives of every operation, first and second, against central differences.

Everything here is generated from the table in ``samples``.
"""

from __future__ import annotations

import numpy as np
import pytest

import minigrad as torch
from minigrad.autograd import Function, grad, gradcheck, gradgradcheck
from minigrad.engine.node import Node
from minigrad.engine.record import DECLARED
from minigrad.ops.inplace import COPY_SLICES
from minigrad.ops.joining import CAT, STACK
from samples import SAMPLES

every_sample = pytest.mark.parametrize("sample", SAMPLES.values(), ids=SAMPLES)


def leaves(sample, dtype=torch.float64):
    return [torch.tensor(a, dtype=dtype, requires_grad=True) for a in sample.inputs]


def called(sample):
    return lambda *tensors: sample.function(torch, *tensors)


def gradients(sample, tensors):
    """Of a weighted sum of the result, so that each entry counts differently."""
    out = called(sample)(*tensors)
    weights = np.linspace(0.5, 1.5, out.numel()).reshape(out.shape)
    return out, grad(out, tensors, torch.tensor(weights, dtype=out.dtype), allow_unused=True)


@every_sample
def test_the_first_derivative_is_what_nudging_finds(sample):
    assert gradcheck(called(sample), leaves(sample))


@every_sample
def test_the_second_derivative_is_what_nudging_the_first_finds(sample):
    assert gradgradcheck(called(sample), leaves(sample))


@every_sample
def test_float32_gives_float32_results_and_gradients(sample):
    out, found = gradients(sample, leaves(sample, torch.float32))
    wanted = torch.float64 if sample.name.startswith("to ") else torch.float32
    assert out.dtype is wanted
    assert {g.dtype for g in found if g is not None} <= {torch.float32}


@every_sample
def test_gradients_are_shaped_like_their_inputs(sample):
    tensors = leaves(sample)
    _, found = gradients(sample, tensors)
    assert [g.shape for g in found] == [x.shape for x in tensors]


@every_sample
def test_gaps_in_memory_change_neither_result_nor_gradient(sample):
    spread = [np.repeat(a, 2, axis=-1)[..., ::2] if a.ndim else a for a in sample.inputs]
    out, found = gradients(sample, leaves(sample))
    gapped = [torch.from_numpy(a).requires_grad_() for a in spread]
    again, found_again = gradients(sample, gapped)
    np.testing.assert_allclose(again.detach().numpy(), out.detach().numpy(), rtol=1e-12)
    for one, other in zip(found_again, found):
        np.testing.assert_allclose(one.numpy(), other.numpy(), rtol=1e-12)


@every_sample
def test_neither_forward_nor_backward_changes_its_inputs(sample):
    tensors = leaves(sample)
    called(sample)(*tensors).sum().backward()
    for tensor, array in zip(tensors, sample.inputs):
        np.testing.assert_array_equal(tensor.detach().numpy(), array)
        assert not np.shares_memory(tensor.grad.numpy(), tensor.detach().numpy())


@every_sample
def test_without_a_gradient_wanted_the_values_are_the_same_and_nothing_is_recorded(sample):
    plain = called(sample)(*[torch.tensor(a) for a in sample.inputs])
    recorded = called(sample)(*leaves(sample))
    assert plain.grad_fn is None and not plain.requires_grad
    np.testing.assert_array_equal(plain.numpy(), recorded.detach().numpy())


@every_sample
def test_a_gradient_for_some_inputs_only_is_the_same_gradient(sample):
    _, found = gradients(sample, leaves(sample))
    for position, wanted in enumerate(found):
        tensors = [torch.tensor(a) for a in sample.inputs]
        tensors[position].requires_grad_()
        out = called(sample)(*tensors)
        weights = torch.tensor(np.linspace(0.5, 1.5, out.numel()).reshape(out.shape))
        (alone,) = grad(out, tensors[position], weights)
        np.testing.assert_allclose(alone.numpy(), wanted.numpy(), rtol=1e-12)


# ------------------------------------------------------------------------- nothing is forgotten


def kinds_behind(tensors):
    """The kinds of nodes in the history of some tensors."""
    found, waiting = set(), [t.grad_fn for t in tensors if t is not None]
    while waiting:
        node = waiting.pop()
        if isinstance(node, Node) and node not in found:
            found.add(node)
            waiting += [following for following, _ in node.next_functions]
    return {node.kind for node in found}


def kinds_in_the_samples():
    found = set()
    for sample in SAMPLES.values():
        tensors = leaves(sample)
        out = called(sample)(*tensors)
        weights = torch.ones_like(out, requires_grad=True)
        slopes = grad(out, tensors, weights, create_graph=True, allow_unused=True)
        found |= kinds_behind([out, *slopes])
    return found


def test_every_declared_operation_has_a_sample():
    seen = kinds_in_the_samples()
    refused = "NotImplemented"  # as PyTorch, which has forgone this derivative
    lacking = [n for n, op in DECLARED.items() if op.kind not in seen and op.kind.name != refused]
    assert not lacking, "add sample inputs of these to a file tests/core/samples/*.py"


def test_every_operation_without_rules_is_in_the_samples_too():
    assert {CAT, STACK, COPY_SLICES} <= kinds_in_the_samples()


# --------------------------------------------------------------------------- the check is checked


class WrongCube(Function):
    """x³ with the derivative 2x²."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x * x

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * 2 * x * x


class WrongSecond(Function):
    """x³ with a right first derivative that does not know its own."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x * x

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * 3 * (x * x).detach()


def some_input():
    return torch.tensor([0.5, 2.0, 3.0], dtype=torch.float64, requires_grad=True)


def test_gradcheck_finds_a_wrong_derivative():
    with pytest.raises(RuntimeError, match="Jacobian mismatch for output 0 with respect to"):
        gradcheck(WrongCube.apply, some_input())
    assert gradcheck(WrongCube.apply, some_input(), raise_exception=False) is False


def test_gradcheck_finds_a_derivative_wrong_in_one_entry_only():
    def one_entry_cut(x):
        return torch.cat([x[:2], x[2:].detach()]) ** 2

    with pytest.raises(RuntimeError, match="Jacobian mismatch"):
        gradcheck(one_entry_cut, some_input())


def test_gradgradcheck_finds_a_wrong_second_derivative_that_gradcheck_cannot_see():
    assert gradcheck(WrongSecond.apply, some_input())
    with pytest.raises(RuntimeError, match="Jacobian mismatch"):
        gradgradcheck(WrongSecond.apply, some_input())


def test_gradcheck_checks_each_of_several_outputs():
    with pytest.raises(RuntimeError, match="output 1"):
        gradcheck(lambda x: (x * 2, WrongCube.apply(x)), some_input())


def test_gradcheck_warns_of_float32_and_says_why():
    with pytest.warns(UserWarning, match="not a double precision"), pytest.raises(RuntimeError):
        gradcheck(torch.exp, torch.tensor([1.0], requires_grad=True))


def test_gradcheck_refuses_inputs_of_which_none_wants_a_gradient():
    with pytest.raises(ValueError, match="at least one"):
        gradcheck(torch.exp, torch.tensor([1.0], dtype=torch.float64))


def test_gradcheck_leaves_its_inputs_as_they_were():
    x = some_input()
    gradcheck(torch.exp, x)
    assert x.tolist() == [0.5, 2.0, 3.0] and x.grad is None
