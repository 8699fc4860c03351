"""What is said once and used seldom: representations, protocols and refusals."""

from __future__ import annotations

import numpy as np
import pytest

import minigrad as torch
from minigrad.engine.modes import saved_tensors_hooks
from minigrad.engine.operands import broadcast_error, retry_wrapped
from minigrad.ops import matrices
from minigrad.tape import tape


def leaf(value):
    return torch.tensor(value, requires_grad=True)


def test_a_shape_knows_how_many_entries_it_has():
    assert torch.zeros(2, 3).shape.numel() == 6
    assert repr(torch.zeros(2, 3).size()) == "torch.Size([2, 3])"


def test_devices_are_equal_by_type_and_there_is_only_one():
    cpu = torch.device("cpu")
    assert cpu == torch.zeros(1).device and hash(cpu) == hash(torch.zeros(1).device)
    assert (str(cpu), repr(cpu)) == ("cpu", "device(type='cpu')")
    assert cpu != "cpu"
    assert torch.zeros(1).to(device="cpu").cpu().device == cpu
    with pytest.raises(AssertionError, match="CPU only"):
        torch.zeros(1).to("cuda")


def test_asking_a_result_for_a_gradient_again_changes_nothing():
    y = leaf(2.0) * 2
    assert y.requires_grad_() is y and y.grad_fn is not None
    with pytest.raises(RuntimeError, match="leaf variables"):
        y.requires_grad = False


def test_a_tensor_cannot_be_its_own_gradient():
    x = leaf(2.0)
    with pytest.raises(RuntimeError, match="its own grad"):
        x.grad = x


def test_numpy_gets_a_copy_when_it_asks_for_one():
    x = torch.tensor([1.0, 2.0])
    copied = np.array(x, copy=True)
    copied[0] = 9.0
    assert x.tolist() == [1.0, 2.0]
    assert np.asarray(x, dtype=np.float64).dtype == np.float64


def test_a_numpy_matrix_on_the_left_multiplies():
    w = leaf([[1.0], [2.0]])
    out = np.array([[3.0, 4.0]], dtype=np.float32) @ w
    out.sum().backward()
    assert out.tolist() == [[11.0]] and w.grad.tolist() == [[3.0], [4.0]]


def test_nodes_print_their_names():
    y = leaf(2.0) * 2
    assert repr(y.grad_fn).startswith("<MulBackward0 object at 0x")
    ((source, number), _) = y.grad_fn.next_functions
    assert number == 0 and source.name() == "torch::autograd::AccumulateGrad"
    assert repr(source).startswith("<AccumulateGrad object at 0x")
    assert source.next_functions == () and source.variable.item() == 2.0


def test_backward_with_create_graph_adds_to_a_gradient_as_a_recorded_operation():
    x = leaf(3.0)
    for _ in range(2):
        with pytest.warns(UserWarning, match="create_graph=True"):
            (x * x).backward(create_graph=True)
    assert x.grad.item() == 12.0 and x.grad.grad_fn is not None
    x.grad = None


def test_an_intermediate_result_named_in_inputs_gets_its_gradient():
    x = leaf(3.0)
    y = x * 2
    (y * y).backward(inputs=[y])
    y.retain_grad()
    assert y.grad.item() == 12.0 and x.grad is None


def test_a_function_must_return_tensors_from_backward():
    class Wrong(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 1

        @staticmethod
        def backward(ctx, g):
            return 3.0

    with pytest.raises(RuntimeError, match=r"expected Variable or None \(got float\)"):
        Wrong.apply(leaf(2.0)).backward()


def test_a_function_may_return_something_else_than_tensors_beside_them():
    class WithNote(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2, "note"

        @staticmethod
        def backward(ctx, g, note):
            assert note is None
            return g * 2

    reader = tape.watch()
    try:
        y, note = WithNote.apply(leaf(2.0))
    finally:
        tape.release(reader)
    y.backward()
    assert note == "note"


def test_joined_and_general_operations_are_watched_and_packed_like_others():
    x = leaf([1.0, 2.0])
    packed = []
    reader = tape.watch()
    try:
        with saved_tensors_hooks(lambda t: packed.append(1) or t, lambda t: t):
            y = torch.cat([x, torch.where(x > 1, x, 0.0)])
        tape.catch_up()
        ops = [tape.facts[key].op for key in reader.changed if key.startswith("n")]
    finally:
        tape.release(reader)
    y.sum().backward()
    assert set(ops) == {"where", "cat"} and packed == [1]  # the condition
    assert x.grad.tolist() == [1.0, 2.0]


def test_comparisons_of_shapes_that_do_not_broadcast_are_refused():
    for compare in (torch.eq, torch.lt, lambda a, b: (a > 0) & (b > 0)):
        with pytest.raises(RuntimeError, match="must match the size"):
            compare(torch.zeros(2), torch.zeros(3))


def test_sizes_below_minus_one_are_refused():
    with pytest.raises(RuntimeError, match="invalid shape dimension -2"):
        torch.zeros(4).reshape(-2, 2)


def test_the_index_of_the_largest_of_one_number_is_zero():
    assert torch.argmax(torch.tensor(3.0), dim=0).item() == 0


def test_numbers_may_be_tensors_of_one_entry():
    assert torch.full((2,), torch.tensor(1.5)).tolist() == [1.5, 1.5]


def test_an_error_of_numpys_about_shapes_is_an_error_of_ours_even_if_they_are_not_at_hand():
    error = broadcast_error(ValueError("could not be broadcast"), np.zeros(2), 3.0)
    assert isinstance(error, RuntimeError) and "broadcast" in str(error)


def test_an_overflow_that_no_number_caused_is_raised_as_it_is():
    overflow = OverflowError("somewhere inside")
    with pytest.raises(OverflowError, match="somewhere inside"):
        retry_wrapped(torch.add, overflow, torch.tensor([1, 2]), 3)


@pytest.mark.parametrize("values", [[[1.0, 1.0], [1.0, 1.0]], [[[1.0]], [[0.0]]]])
def test_a_matrix_without_an_inverse_is_told_of_where_numpy_gives_nan(values, monkeypatch):
    """As in a browser, where no flag says that a division by 0 took place."""
    A = torch.tensor(values)
    regular = torch.eye(A.shape[-1])
    inverse = torch.linalg.inv(2 * regular)
    monkeypatch.setattr(matrices, "TOLD", False)
    assert torch.equal(torch.linalg.inv(2 * regular), inverse)
    monkeypatch.setattr(np.linalg, "inv", lambda A: A * np.nan)
    monkeypatch.setattr(np.linalg, "solve", lambda A, B: B * np.nan)
    with pytest.raises(torch.linalg.LinAlgError, match="singular"):
        torch.linalg.inv(A)
    with pytest.raises(torch.linalg.LinAlgError, match="singular"):
        torch.linalg.solve(A, A)
