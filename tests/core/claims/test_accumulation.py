"""What a backward pass adds to ``.grad``, whose memory that is, and what it frees."""

from __future__ import annotations

import numpy as np
import pytest

import minigrad as torch


def leaf(*numbers):
    return torch.tensor(numbers[0] if len(numbers) == 1 else numbers, requires_grad=True)


# ---------------------------------------------------------------------------- accumulation in .grad


def test_backward_adds_to_what_grad_already_holds():
    x = leaf(2.0)
    for expected in (4.0, 8.0, 12.0):
        (x * x).backward()
        assert x.grad.item() == expected


def test_a_second_pass_over_one_graph_adds_the_same_gradient_again():
    x = leaf(3.0)
    y = x**3
    y.backward(retain_graph=True)
    assert x.grad.item() == 27.0
    y.backward()
    assert x.grad.item() == 54.0


def test_grad_keeps_its_identity_while_it_accumulates():
    x = leaf(2.0)
    (x * x).backward()
    kept = x.grad
    (x * x).backward()
    assert x.grad is kept and kept.item() == 8.0


def test_grad_is_none_before_backward_and_for_a_leaf_that_was_not_used():
    x, unused = leaf(2.0), leaf(1.0)
    assert x.grad is None
    (x * 1).backward()
    assert unused.grad is None


def test_a_leaf_is_its_own_root():
    x = leaf(2.0)
    x.backward()
    x.backward()
    assert x.grad.item() == 2.0


def test_several_roots_add_up():
    a = leaf(2.0)
    shared = a * a
    torch.autograd.backward([shared * 3, shared + a])
    assert a.grad.item() == 12 + 4 + 1


def test_one_root_may_be_behind_another():
    a = leaf(2.0)
    b = a * 3
    torch.autograd.backward([b, b * b])
    assert a.grad.item() == 3 + 2 * 6 * 3


def test_several_roots_take_a_gradient_each():
    a = leaf(1.0, 2.0)
    torch.autograd.backward([a * 2, a.sum()], [torch.tensor([1.0, 10.0]), None])
    assert a.grad.tolist() == [3.0, 21.0]


def test_the_number_of_gradients_must_be_that_of_the_roots():
    a = leaf(1.0)
    with pytest.raises(RuntimeError):
        torch.autograd.backward([a * 2, a * 3], [None])


def test_a_gradient_for_a_vector_computes_the_vector_jacobian_product():
    x = leaf(1.0, 2.0, 3.0)
    (x * x).backward(torch.tensor([1.0, 0.0, 10.0]))
    assert x.grad.tolist() == [2.0, 0.0, 60.0]


def test_a_single_number_in_any_shape_needs_no_gradient():
    x = leaf(2.0)
    (x * x).reshape(1, 1).backward()
    assert x.grad.item() == 4.0


def test_the_gradient_passed_must_have_the_shape_of_the_root():
    x = leaf(1.0, 2.0)
    with pytest.raises(RuntimeError, match=r"Mismatch in shape: grad_output\[0\]"):
        (x * x).backward(torch.ones(3))


def test_the_gradient_passed_must_be_a_tensor():
    x = leaf(1.0, 2.0)
    with pytest.raises(TypeError, match="gradients can be either Tensors or None"):
        (x * x).backward(np.ones(2))


# ----------------------------------------------------------------------------------------- aliasing


def shares(a, b):
    return np.shares_memory(a.detach().numpy(), b.detach().numpy())


def test_the_two_terms_of_a_sum_get_gradients_in_memory_of_their_own():
    x, y = leaf(1.0, 2.0), leaf(3.0, 4.0)
    (x + y).backward(torch.ones(2))
    assert not shares(x.grad, y.grad)
    x.grad += 10
    assert y.grad.tolist() == [1.0, 1.0]


@pytest.mark.parametrize(
    "function",
    [
        lambda x, y: x + y,
        lambda x, y: x - y,
        lambda x, y: x.reshape(2, 1).T[0] + y.view(2),
        lambda x, y: torch.cat([x, y])[::2] + x,
        lambda x, y: torch.stack([x, y]).sum(0),
        lambda x, y: x.clone() + y.detach() + y,
        lambda x, y: torch.relu(x) + y[:],
        lambda x, y: (x + y).expand(2, 2)[1],
    ],
)
def test_no_gradient_shares_memory_with_another_or_with_the_one_passed_in(function):
    x, y = leaf(1.0, 2.0), leaf(3.0, 4.0)
    v = torch.tensor([1.0, 5.0])
    out = function(x, y)
    out.retain_grad()
    out.backward(v)
    tensors = [x.grad, y.grad, out.grad, v]
    assert not any(shares(a, b) for i, a in enumerate(tensors) for b in tensors[:i])
    x.grad.zero_()
    y.grad.zero_()
    assert v.tolist() == [1.0, 5.0]
    assert out.grad.tolist() == [1.0, 5.0]


def test_the_gradient_passed_in_is_neither_changed_nor_kept():
    x = leaf(1.0, 2.0)
    v = torch.tensor([1.0, 2.0])
    for _ in range(2):
        x.backward(v)
    assert v.tolist() == [1.0, 2.0] and x.grad.tolist() == [2.0, 4.0]
    v.zero_()
    assert x.grad.tolist() == [2.0, 4.0]


def test_gradients_returned_by_grad_can_be_changed_freely():
    x, y = leaf(1.0, 2.0), leaf(3.0, 4.0)
    v = torch.ones(2)
    dx, dy = torch.autograd.grad(x + y, [x, y], v)
    dx.mul_(5)
    assert dy.tolist() == v.tolist() == [1.0, 1.0]


def test_the_gradient_of_an_expanded_value_can_be_written_entry_by_entry():
    x = leaf(1.0, 2.0)
    x.sum().backward()
    x.grad[0] = 9.0
    assert x.grad.tolist() == [9.0, 1.0]


# ------------------------------------------------------------------------------- freed saved values


def test_a_second_backward_through_a_saved_value_is_refused():
    x = leaf(2.0)
    y = x * x
    y.backward()
    with pytest.raises(RuntimeError, match="Trying to backward through the graph a second time"):
        y.backward()
    assert x.grad.item() == 4.0


@pytest.mark.parametrize(
    "saves_nothing",
    [
        lambda x: x + 1,
        lambda x: -x,
        lambda x: x.sum(),
        lambda x: x.reshape(1)[0],
        lambda x: x.mean(),
        lambda x: x.clone(),
    ],
)
def test_a_second_backward_is_fine_where_nothing_was_saved(saves_nothing):
    x = leaf(2.0)
    y = saves_nothing(x)
    y.backward()
    once = x.grad.item()
    y.backward()
    assert x.grad.item() == 2 * once


@pytest.mark.parametrize(
    "saves_something", [lambda x: x * 3, lambda x: x / 3, lambda x: x**2, lambda x: x.max()]
)
def test_a_number_that_was_saved_is_freed_too(saves_something):
    y = saves_something(leaf(2.0))
    y.backward()
    with pytest.raises(RuntimeError, match="second time"):
        y.backward()


def test_a_shared_part_freed_by_one_loss_is_missing_for_the_other():
    x = leaf(2.0)
    hidden = torch.exp(x)
    (hidden * 2).backward()
    with pytest.raises(RuntimeError, match="second time"):
        (hidden * 3).backward()


def test_retain_graph_allows_any_number_of_passes():
    x = leaf(2.0)
    y = torch.exp(x) * x
    for _ in range(3):
        y.backward(retain_graph=True)
    assert x.grad.item() == pytest.approx(3 * 3 * np.exp(2), rel=1e-6)


def test_a_branch_that_no_gradient_takes_is_not_freed():
    x, w = leaf(2.0), leaf(3.0)
    left, right = x * x, w * w
    left.backward()
    right.backward()
    assert (x.grad.item(), w.grad.item()) == (4.0, 6.0)


def test_grad_frees_only_what_it_walked():
    x, w = leaf(2.0), leaf(3.0)
    y, z = x * x, w * w
    out = y + z
    torch.autograd.grad(out, x)
    torch.autograd.grad(out, w)  # w's branch was not walked before


def test_a_leaf_among_the_roots_gets_no_gradient_if_others_were_asked_for():
    x = torch.tensor(2.0, requires_grad=True)
    w = torch.tensor(3.0, requires_grad=True)
    torch.autograd.backward([x, w * 2], inputs=[w])
    assert x.grad is None and w.grad.item() == 2.0


def test_an_optimiser_leaves_parameters_without_gradient_alone():
    w = torch.tensor(3.0, requires_grad=True)
    unused = torch.tensor(5.0, requires_grad=True)
    optimiser = torch.optim.SGD([unused, w], lr=0.5)
    (w * 2).backward()
    optimiser.step()
    assert (unused.item(), w.item()) == (5.0, 2.0)


def test_a_gradient_that_cannot_be_added_to_leaves_the_others_as_they_were():
    a = torch.ones(1, requires_grad=True)
    b = torch.ones(3, requires_grad=True)
    a.grad = torch.zeros(1)
    b.grad = torch.zeros(1).expand(3)  # one entry in three places: nothing can be added there
    with pytest.raises(RuntimeError, match="single memory location"):
        (a.sum() + b.sum()).backward()
    assert a.grad.item() == 0
    a.grad = torch.zeros(()).expand(1)  # added to by another way than an ordinary one
    with pytest.raises(RuntimeError, match="single memory location"):
        (a.sum() + b.sum()).backward()
    assert a.grad.item() == 0
