"""When a saved value has been overwritten: refused exactly where PyTorch refuses."""

from __future__ import annotations

import pytest

import minigrad as torch


def leaf(*numbers):
    return torch.tensor(numbers[0] if len(numbers) == 1 else numbers, requires_grad=True)


STALE = "one of the variables needed for gradient computation has been modified by an inplace"


# ------------------------------------------------------------------------------- stale saved values

OPERATIONS = {
    "doubling": lambda x: x * 2,
    "square": lambda x: x * x,
    "power": lambda x: x**2,
    "exp": lambda x: x.exp(),
    "tanh": lambda x: x.tanh(),
    "relu": lambda x: x.relu(),
    "sum": lambda x: x + 1,
    "log": lambda x: x.log(),
    "sqrt": lambda x: x.sqrt(),
    "sin": lambda x: x.sin(),
    "sigmoid": lambda x: x.sigmoid(),
    "quotient": lambda x: 1 / x,
    "reciprocal": lambda x: x.reciprocal(),
    "largest": lambda x: x.max(),
    "mean": lambda x: x.mean(),
}
# PyTorch: does backward() refuse after the input, or the output, was changed?
REFUSES = {
    "doubling": (False, False),
    "square": (True, False),
    "power": (True, False),
    "exp": (False, True),
    "tanh": (False, True),
    "relu": (False, True),
    "sum": (False, False),
    "log": (True, False),
    "sqrt": (False, True),
    "sin": (True, False),
    "sigmoid": (False, True),
    "quotient": (False, False),
    "reciprocal": (False, True),
    "largest": (True, True),
    "mean": (False, False),
}


@pytest.mark.parametrize("changed", ["input", "output"])
@pytest.mark.parametrize("name", OPERATIONS)
def test_backward_refuses_exactly_where_a_changed_value_was_saved(name, changed):
    leaf_ = leaf(1.0, 2.0)
    x = leaf_ * 1
    y = OPERATIONS[name](x)
    with torch.no_grad():
        (x if changed == "input" else y).add_(1)
    if REFUSES[name][changed == "output"]:
        with pytest.raises(RuntimeError, match=STALE):
            y.sum().backward()
        assert leaf_.grad is None
    else:
        y.sum().backward()


@pytest.mark.parametrize("name", OPERATIONS)
def test_a_recorded_write_to_the_output_is_judged_as_an_unrecorded_one(name):
    y = OPERATIONS[name](leaf(1.0, 2.0) * 1)
    y.add_(1)
    if REFUSES[name][1]:
        with pytest.raises(RuntimeError, match=STALE):
            y.sum().backward()
    else:
        y.sum().backward()


def test_a_value_changed_before_it_was_saved_is_fine():
    x = leaf(2.0)
    y = x * 1
    y.add_(1)
    (y * y).backward()
    assert x.grad.item() == 6.0


def test_a_change_after_backward_is_fine():
    x = leaf(2.0)
    y = x * 1
    z = y * y
    z.backward(retain_graph=True)
    y.add_(1)
    with pytest.raises(RuntimeError, match=STALE):
        z.backward()


def test_a_factor_whose_partner_wants_no_gradient_was_not_saved_and_may_change():
    x, constant = leaf(2.0), torch.tensor(3.0)
    y = x * 1
    z = y * constant
    y.add_(1)  # only the constant was saved
    z.backward()
    assert x.grad.item() == 3.0


def test_a_change_through_a_view_makes_the_base_stale():
    x = leaf(1.0, 2.0)
    y = x * 1
    z = y * y
    y[0].add_(1)
    with pytest.raises(RuntimeError, match=STALE):
        z.sum().backward()


def test_a_change_of_the_base_makes_a_saved_view_stale():
    x = leaf(1.0, 2.0)
    y = x * 1
    z = y[0] * y[1]
    y.add_(1)
    with pytest.raises(RuntimeError, match=STALE):
        z.backward()


def test_a_change_through_an_older_view_is_noticed_too():
    x = leaf(1.0, 2.0)
    y = x * 1
    view = y[:1]
    z = y.exp()
    w = y * y
    view.zero_()
    z.sum().backward()  # exp saved its result only
    with pytest.raises(RuntimeError, match=STALE):
        w.sum().backward()


def test_a_change_elsewhere_in_shared_memory_counts_since_the_counter_belongs_to_the_memory():
    x = leaf(1.0, 2.0)
    y = x * 1
    z = y[0] * y[0]
    y[1] = 5.0
    with pytest.raises(RuntimeError, match=STALE):
        z.backward()


def test_indexing_does_not_save_what_it_reads_from():
    x = leaf(1.0, 2.0, 3.0)
    y = x * 1
    for read in (y[0], y[1:], y[[0, 2]], y[torch.tensor([True, False, True])]):
        y.add_(1)
        read.sum().backward(retain_graph=True)


def test_an_index_tensor_changed_afterwards_does_not_change_the_gradient():
    x = leaf(1.0, 2.0, 3.0)
    where = torch.tensor([0, 2])
    y = x[where]
    where.zero_()
    y.sum().backward()
    assert x.grad.tolist() == [1.0, 0.0, 1.0]


def test_detach_shares_memory_and_the_count_of_writes():
    x = leaf(1.0, 2.0)
    y = x * 1
    z = y * y
    y.detach().add_(1)
    assert y.tolist() == [2.0, 3.0]
    with pytest.raises(RuntimeError, match=STALE):
        z.sum().backward()


def test_data_shares_memory_but_not_the_count_of_writes():
    x = leaf(1.0, 2.0)
    y = x * 1
    z = y * y
    before = y._version
    y.data.add_(1)
    assert y.tolist() == [2.0, 3.0] and y._version == before
    z.sum().backward()  # and the gradient is wrong: that is what `.data` is warned about
    assert x.grad.tolist() == [4.0, 6.0]


def test_the_version_counts_the_writes_to_the_memory():
    x = torch.zeros(3)
    view, detached = x[1:], x.detach()
    assert x._version == 0
    x.add_(1)
    view.mul_(2)
    detached[0] = 7
    assert x._version == view._version == detached._version == 3


# ------------------------------------------------------------------------- which write it was


def refused(loss):
    with pytest.raises(RuntimeError, match=STALE) as caught:
        loss.backward()
    return str(caught.value)


def test_the_error_names_the_operation_that_overwrote():
    x = leaf(1.0, 2.0) * 1
    y = (x * x).sum()
    x += 1
    assert "'x' is an input of 'mul', which saved it" in refused(y)
    z = leaf(1.0, 2.0).exp()
    z.relu_()
    z.clamp_(max=2)
    assert "was overwritten afterwards by clamp_()." in refused(z.sum())
    w = leaf(1.0, 2.0) * 1
    total = w.square().sum()
    w[0] = 5
    assert "overwritten afterwards by copy_() or x[…] = …." in refused(total)


def test_a_step_of_an_optimiser_is_named_as_what_overwrote():
    w = leaf(1.0, 2.0)
    optimiser = torch.optim.SGD([w], lr=0.1)
    loss = (w * w).sum()
    loss.backward(retain_graph=True)
    optimiser.step()
    assert "was overwritten afterwards by an optimizer's step()." in refused(loss)


def test_while_watched_the_error_has_the_line_that_saved_and_the_line_that_overwrote():
    reader = torch.tape.tape.watch()
    try:
        x = leaf(1.0, 2.0) * 1
        y = (x * x).sum()
        x += 1
        said = refused(y)
    finally:
        torch.tape.tape.release(reader)
    where, overwritten = said.split("\n  ")[2:4]
    assert where.startswith("where: ") and where.endswith("y = (x * x).sum()")
    assert overwritten.startswith("overwritten: ") and overwritten.endswith(": x += 1")


def test_of_a_write_through_a_view_the_error_has_the_line_too():
    reader = torch.tape.tape.watch()
    try:
        x = leaf(1.0, 2.0) * 1
        y = x.exp().sum() + (x * x).sum()
        x[:1].mul_(3)
        said = refused(y)
    finally:
        torch.tape.tape.release(reader)
    assert "afterwards by mul_() or *=." in said
    assert "\n  overwritten: " in said and ": x[:1].mul_(3)" in said
