"""Writing into tensors and through views: what it does to histories, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest

import minigrad as torch


def leaf(*numbers):
    return torch.tensor(numbers[0] if len(numbers) == 1 else numbers, requires_grad=True)


STALE = "one of the variables needed for gradient computation has been modified by an inplace"


# --------------------------------------------------------------------------- histories after writes


def test_an_in_place_operation_returns_the_tensor_itself_with_a_new_history():
    x = leaf(2.0)
    y = x * 3
    before = y.grad_fn
    assert y.mul_(2) is y
    assert y.grad_fn is not before and y.grad_fn.name() == "MulBackward0"
    y.backward()
    assert x.grad.item() == 6.0


def test_every_augmented_assignment_writes_in_place():
    y = leaf(2.0, 4.0) * 1
    same = y
    y += 1
    y -= 2
    y *= 6
    y /= 3
    y **= 2
    assert y is same and y.tolist() == [4.0, 36.0]


def test_an_assigned_entry_takes_its_gradient_and_the_old_entry_gets_none():
    x, v = leaf(1.0, 2.0, 3.0), leaf(10.0)
    y = x * 2
    y[1] = v
    (y * torch.tensor([1.0, 5.0, 7.0])).sum().backward()
    assert x.grad.tolist() == [2.0, 0.0, 14.0] and v.grad.item() == 5.0


def test_a_plain_tensor_starts_to_need_a_gradient_when_one_is_written_into_it():
    v = leaf(2.0)
    base = torch.zeros(3)
    view = base[1:]
    view[0] = v
    assert base.requires_grad and view.requires_grad and not base.is_leaf
    (base * torch.tensor([1.0, 3.0, 5.0])).sum().backward()
    assert v.grad.item() == 3.0


def test_a_write_through_a_view_changes_the_history_of_the_base():
    x = leaf(1.0, 2.0, 3.0)
    base = x * 1
    base[1:].mul_(10)
    assert type(base.grad_fn).__name__ == "CopySlices"
    base.sum().backward()
    assert x.grad.tolist() == [1.0, 10.0, 10.0]


def test_a_write_to_the_base_changes_the_history_of_a_view_made_before():
    x = leaf(1.0, 2.0, 3.0)
    base = x * 1
    view = base[1:]
    base.mul_(10)
    view.sum().backward()
    assert view.tolist() == [20.0, 30.0] and x.grad.tolist() == [0.0, 10.0, 10.0]


def test_a_write_through_one_view_is_part_of_the_history_of_another():
    x = leaf(1.0, 2.0, 3.0, 4.0)
    base = x * 1
    left, right = base[:3], base[1:]
    left.mul_(10)
    right.sum().backward()
    assert x.grad.tolist() == [0.0, 10.0, 10.0, 1.0]


def test_views_of_views_write_through_to_the_base():
    x = torch.arange(12, dtype=torch.float32).requires_grad_()
    base = x * 1
    base.view(3, 4).T[1:3].unsqueeze(0)[0, :, 1:].mul_(2)
    expected = torch.ones(3, 4)
    expected[1:, 1:3] = 2
    base.sum().backward()
    assert x.grad.view(3, 4).tolist() == expected.tolist()


def test_writes_one_after_the_other_compose():
    x = leaf(2.0, 3.0)
    y = x * 1
    y[0] = y[0].clone() * y[1].clone()  # x0 x1, x1
    y[1] = y[0] + y[1]  # x0 x1, x0 x1 + x1
    (y[0] * y[1]).backward()  # x0² x1² + x0 x1²
    assert x.grad.tolist() == [2 * 2 * 9 + 9, 2 * 4 * 3 + 2 * 2 * 3]


def test_a_chain_of_writes_into_one_buffer():
    x = leaf(1.5)
    buffer = torch.zeros(4)
    buffer[0] = x
    for i in range(3):
        buffer[i + 1] = buffer[i].clone() * x
    buffer[3].backward()
    assert x.grad.item() == pytest.approx(4 * 1.5**3)


def test_multiplying_by_itself_in_place_is_refused_since_the_factor_is_gone():
    x = leaf(3.0)
    y = x * 1
    with pytest.raises(RuntimeError, match=STALE):
        y.mul_(y).backward()


def test_a_copy_takes_the_gradient_to_its_source_and_converts():
    source = torch.tensor([1.0, 2.0], dtype=torch.float64, requires_grad=True)
    target = torch.zeros(3, 2)
    target.copy_(source)
    assert target.dtype is torch.float32 and target.requires_grad
    target.sum().backward()
    assert source.grad.tolist() == [3.0, 3.0] and source.grad.dtype is torch.float64


def test_zero_and_fill_cut_the_old_history():
    x, v = leaf(1.0, 2.0), leaf(5.0)
    y = (x * 2).zero_()
    z = (x * 3).fill_(v)
    (y + z).sum().backward()
    assert x.grad.tolist() == [0.0, 0.0] and v.grad.item() == 2.0


def test_values_seen_by_numpy_are_the_tensors_own():
    x = torch.zeros(3)
    array = x.numpy()
    x[1] = 5.0
    array[2] = 7.0
    assert array.tolist() == x.tolist() == [0.0, 5.0, 7.0]


def test_a_0d_result_shares_its_memory_once_someone_asks():
    x = torch.tensor([1.0, 2.0]).sum()
    view, array = x.view(1), x.numpy()
    x.add_(1)
    assert view.tolist() == [4.0] and array.item() == 4.0


# ----------------------------------------------------------------------------------------- refusals


def test_a_leaf_that_wants_a_gradient_cannot_be_written_to():
    x = leaf(1.0, 2.0)
    writes = [
        lambda: x.add_(1),
        lambda: x.__setitem__(0, 5.0),
        lambda: x.zero_(),
        lambda: x.detach_().requires_grad_().mul_(2),
    ]
    for write in writes:
        with pytest.raises(RuntimeError, match="a leaf Variable that requires grad"):
            write()
    assert x.tolist() == [1.0, 2.0]


def test_a_view_of_such_a_leaf_cannot_be_written_to():
    x = leaf(1.0, 2.0)
    for view in (x[0], x[:], x.view(2, 1), x.view(2, 1).T):
        with pytest.raises(RuntimeError, match="a view of a leaf Variable that requires grad"):
            view.add_(1)
    assert x.tolist() == [1.0, 2.0]


def test_inside_no_grad_leaves_may_be_written_to_and_stay_leaves():
    x = leaf(1.0, 2.0)
    with torch.no_grad():
        x -= 0.5
        x[0] = 9.0
        x[1:].mul_(2)
    assert x.is_leaf and x.requires_grad and x.tolist() == [9.0, 3.0]


def test_an_expanded_tensor_cannot_be_written_to():
    x = torch.zeros(1, 3).expand(2, 3)
    with pytest.raises(RuntimeError, match="more than one element of the written-to tensor"):
        x.add_(1)
    with pytest.raises(RuntimeError, match="more than one element of the written-to tensor"):
        x.mul_(torch.ones(2, 3, requires_grad=True))


def test_a_result_that_does_not_fit_the_shape_is_refused():
    x = torch.zeros(3)
    with pytest.raises(RuntimeError, match=r"output with shape \[3\] doesn't match the broadcast"):
        x.add_(torch.ones(2, 3))
    with pytest.raises(RuntimeError, match="must match"):
        x.add_(torch.ones(2))


def test_a_result_of_a_higher_kind_of_dtype_is_refused():
    for dtype, value in ((torch.int64, 1.5), (torch.bool, 2), (torch.int32, torch.ones(2))):
        with pytest.raises(RuntimeError, match="can't be cast to the desired output type"):
            torch.zeros(2, dtype=dtype).add_(value)


def test_a_refused_write_changes_neither_values_nor_history_nor_version():
    x = torch.zeros(3)
    y = leaf(1.0, 2.0, 3.0) * 1
    node = y.grad_fn
    for tensor in (x, y):
        with pytest.raises(RuntimeError):
            tensor.add_(torch.ones(2, 3))
        assert tensor._version == 0
    assert x.tolist() == [0.0, 0.0, 0.0] and y.grad_fn is node


def test_a_float64_value_is_written_into_float32_memory_as_float32():
    x = torch.zeros(2)
    x.add_(torch.tensor([0.1, 0.2], dtype=torch.float64))
    assert x.dtype is torch.float32 and x.tolist() == np.float32([0.1, 0.2]).tolist()


def test_a_view_made_without_recording_cannot_be_written_to_while_recording():
    base = leaf(1.0, 2.0) * 1
    with torch.no_grad():
        view = base[:1]
    with pytest.raises(RuntimeError, match="no_grad mode and is being modified inplace"):
        view.mul_(2)


def test_detach_in_place_of_a_view_is_refused():
    with pytest.raises(RuntimeError, match="Can't detach views in-place"):
        (leaf(1.0, 2.0) * 1)[0].detach_()


# ------------------------------------------------------------------------- what is a view, what not


def test_views_show_the_memory_of_their_base():
    x = torch.zeros(2, 3)
    views = [x[0], x[:, 1], x.view(3, 2), x.reshape(6), x.T, x.transpose(0, 1), x.flatten()]
    views += [x.permute(1, 0), x.unsqueeze(0), x[None], x.squeeze(), x.expand(4, 2, 3), x.detach()]
    views += [x.contiguous(), x.mT, x[...]]
    x.fill_(7)
    assert all((view == 7).all().item() for view in views)


def test_copies_do_not():
    x = torch.zeros(2, 3)
    copies = [x.clone(), x[[0, 1]], x[x == 0], x + 0, x.T.reshape(6), x.T.contiguous(), x.double()]
    x.fill_(7)
    assert not any((copy == 7).any().item() for copy in copies)


def test_a_view_of_a_base_that_was_freed_still_works(collector_off):
    x = leaf(1.0, 2.0)
    view = (x * 3)[1:]
    view.mul_(2)
    view.sum().backward()
    assert x.grad.tolist() == [0.0, 6.0]


def test_a_view_without_history_may_be_used_without_recording_after_a_write():
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    with torch.no_grad():
        view = x[0]
        x.mul_(10)
        assert (view * 2).item() == 20.0
    with pytest.raises(RuntimeError, match="A view was created in no_grad mode and its base"):
        view * 2


def test_both_kinds_of_broken_views_name_their_fix():
    rows = list(torch.ones(2, 2, requires_grad=True) * 1)
    with pytest.raises(RuntimeError, match="Output 0 of Unbind is a view and is being"):
        rows[0].mul_(2)
    base = torch.ones(2, requires_grad=True) * 1
    with torch.no_grad():
        again = base.view(2, 1)
    with pytest.raises(RuntimeError, match="is a view of a view which was created in no_grad"):
        again[0].mul_(2)


def test_what_an_index_takes_out_lies_in_order_so_that_reshaping_it_shows_it():
    x = torch.arange(12.0).reshape(2, 2, 3)
    taken = x[..., [0, -1]] * 1
    taken.reshape(-1)[:1].mul_(0).add_(7)
    assert taken[0, 0, 0].item() == 7.0
