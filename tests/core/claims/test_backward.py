"""The backward pass: sums over paths, in which order, for whom, and what it refuses."""

from __future__ import annotations

import warnings

import pytest

import minigrad as torch
from minigrad.engine.node import Watch


def leaf(*numbers):
    return torch.tensor(numbers[0] if len(numbers) == 1 else numbers, requires_grad=True)


# ---------------------------------------------------------------------------------- sums over paths


def test_gradient_of_a_reused_value_is_the_sum_over_paths():
    a = leaf(2.0)
    b = a * 3
    c = a * a
    (b * c + a).backward()  # 3a³ + a
    assert a.grad.item() == 37.0


def test_a_value_used_twice_by_one_operation_gets_both_parts():
    x = leaf(3.0)
    (x * x).backward()
    assert x.grad.item() == 6.0


def test_an_intermediate_result_used_by_two_branches_passes_on_the_sum():
    x = leaf(2.0)
    y = 3 * x
    (y * 2 + y * 5).backward()
    assert x.grad.item() == 21.0


def test_a_ladder_of_40_diamonds_has_2_to_the_40_paths_and_is_walked_once():
    x = torch.tensor(1.0, dtype=torch.float64, requires_grad=True)
    y = x
    for _ in range(40):
        y = y + y
    y.backward()
    assert x.grad.item() == 2.0**40


def test_fan_in_of_4096_results_of_one_value():
    x = leaf(1.0, 2.0)
    total = torch.stack([x * i for i in range(4096)]).sum()
    total.backward()
    assert x.grad.tolist() == [4096 * 4095 / 2] * 2


def test_fan_out_of_4096_to_one_sum_at_one_leaf():
    x = leaf(1.0)
    y = x * 1
    total = y
    for _ in range(4095):
        total = total + y
    total.backward()
    assert x.grad.item() == 4096.0


def test_a_chain_of_100000_operations_is_built_differentiated_and_freed(collector_off):
    x = torch.tensor(1.0, dtype=torch.float64, requires_grad=True)
    y = x
    for _ in range(100_000):
        y = y * 1.00001
    y.backward()
    assert x.grad.item() == pytest.approx(1.00001**100_000)
    del y  # without recursion, and without the collector


def test_a_deep_graph_that_was_never_differentiated_is_freed(collector_off):
    x = leaf(1.0)
    y = x
    for _ in range(100_000):
        y = (y + x).tanh()
    del y


# ----------------------------------------------------------------------------------------- refusals


def test_a_root_of_several_numbers_needs_a_gradient():
    x = leaf(1.0, 2.0)
    with pytest.raises(RuntimeError, match="grad can be implicitly created only for scalar out"):
        (x * x).backward()


def test_a_root_without_a_graph_is_refused():
    with pytest.raises(RuntimeError, match="element 0 of tensors does not require grad and does"):
        torch.tensor(1.0).backward()


def test_the_root_without_a_graph_is_named_by_its_position():
    a = leaf(1.0)
    with pytest.raises(RuntimeError, match="element 1 of tensors does not require grad"):
        torch.autograd.backward([a * 1, torch.tensor(1.0)])


def test_integers_cannot_require_a_gradient():
    for make in (
        lambda: torch.tensor([2, 6], requires_grad=True),
        lambda: torch.tensor([2, 6]).requires_grad_(),
        lambda: torch.tensor([True], requires_grad=True),
        lambda: torch.zeros(2, dtype=torch.int64, requires_grad=True),
        lambda: torch.arange(3, requires_grad=True),
    ):
        with pytest.raises(RuntimeError, match="floating point"):
            make()


def failing_after_the_first_leaf():
    """A loss whose backward reaches ``a``, then fails on the way to ``b``."""
    a, b = leaf(1.0, 2.0), leaf(3.0, 4.0)
    first = b * b
    first.register_hook(lambda g: 1 / 0)
    return a, b, (first + a * 2).sum()


def test_a_backward_that_fails_leaves_every_grad_as_it_was():
    a, b, loss = failing_after_the_first_leaf()
    a.grad = torch.tensor([5.0, 5.0])
    with pytest.raises(ZeroDivisionError):
        loss.backward()
    assert a.grad.tolist() == [5.0, 5.0] and b.grad is None


@pytest.mark.filterwarnings("ignore:Using backward")
def test_a_backward_that_fails_restores_the_grad_mode():
    for create_graph in (False, True):
        _, _, loss = failing_after_the_first_leaf()
        with pytest.raises(ZeroDivisionError):
            loss.backward(create_graph=create_graph)
        assert torch.is_grad_enabled()


def test_backward_works_inside_no_grad():
    x = leaf(3.0)
    y = x * x
    with torch.no_grad():
        y.backward()
    assert x.grad.item() == 6.0 and not x.grad.requires_grad


# ------------------------------------------------------------------------------------ chosen inputs


def test_inputs_limits_accumulation_to_the_tensors_named():
    a, b = leaf(2.0), leaf(3.0)
    (a * b).backward(inputs=[a])
    assert a.grad.item() == 3.0 and b.grad is None


def test_inputs_may_be_one_tensor():
    a, b = leaf(2.0), leaf(3.0)
    (a * b).backward(inputs=b)
    assert a.grad is None and b.grad.item() == 2.0


def test_inputs_may_name_an_intermediate_result():
    a = leaf(2.0)
    b = a * 3
    b.retain_grad()
    (b * b).backward(inputs=[b])
    assert b.grad.item() == 12.0 and a.grad is None


def test_inputs_cannot_be_empty():
    with pytest.raises(RuntimeError, match="cannot be empty"):
        (leaf(2.0) * 1).backward(inputs=[])


# ------------------------------------------------------------------------------- retained gradients


def test_an_intermediate_result_keeps_its_gradient_only_if_asked():
    x = leaf(2.0)
    y, z = x * 3, x * 4
    y.retain_grad()
    (y * z).backward()
    assert y.grad.item() == 8.0
    assert y.retains_grad and not z.retains_grad
    with pytest.warns(UserWarning, match="not a leaf Tensor"):
        assert z.grad is None


def test_a_retained_gradient_of_a_second_pass_is_added_once():
    x = leaf(3.0)
    y = x * x
    y.retain_grad()
    z = y * x
    z.backward(retain_graph=True)
    assert (x.grad.item(), y.grad.item()) == (27.0, 3.0)
    z.backward()
    assert (x.grad.item(), y.grad.item()) == (54.0, 6.0)


def test_retain_grad_on_a_leaf_changes_nothing_and_without_a_graph_is_refused():
    x = leaf(1.0)
    x.retain_grad()
    assert not x.retains_grad
    with pytest.raises(RuntimeError, match="can't retain_grad on Tensor that has requires_grad"):
        torch.tensor(1.0).retain_grad()


# ---------------------------------------------------------------------------------- order of visits


class Visits:
    """Notes the operations that the backward pass visits, by their numbers and names."""

    def __init__(self):
        self.seen = []

    def __getattr__(self, name):
        return lambda *args: None  # what else observers are told does not matter here

    def visited(self, record, visit):
        self.seen.append((visit[0].seq, visit[0].kind.op))

    def landed(self, record, leaf, g):
        self.seen.append((0, "grad"))


@pytest.fixture
def visits():
    Watch.observer = watching = Visits()
    yield watching
    Watch.observer = None


def test_each_node_is_visited_once_newest_first_and_then_gradients_land(visits):
    a = leaf(2.0)
    b = a * 3
    c = b.exp()
    d = b.sin()
    (c * d + b).backward()
    assert [op.strip("_") for _, op in visits.seen] == [
        "add",
        "mul",
        "sin",
        "exp",
        "mul",
        "grad",
    ]
    numbers = [number for number, _ in visits.seen]
    assert numbers == sorted(numbers, reverse=True)


def test_a_branch_that_does_not_lead_to_the_inputs_is_not_visited(visits):
    a, b = leaf(2.0), leaf(3.0)
    torch.autograd.grad(a.exp() + b.sin().cos(), a)
    assert {op.strip("_") for _, op in visits.seen} == {"add", "exp"}


def test_infinities_and_nan_on_the_way_back_are_results_and_no_warnings():
    x = leaf(0.0, 1e-30)
    y = (x.sqrt() * x.log()).sum()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        y.backward()
    assert not x.grad.isfinite().all()
