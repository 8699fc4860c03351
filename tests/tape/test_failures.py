"""The operation that failed: which it is, with what it was called, and what is none."""

from __future__ import annotations

import pytest

import minigrad as torch
from minigrad import nn
from minigrad.tape import tape
from minigrad.tape.failures import failed
from minigrad_widgets import GraphView

F = nn.functional


def error_of(program, *given):
    with pytest.raises(Exception) as caught:
        program(*given)
    return caught.value


def found(program, *given):
    """What is known of the operation in which a program fails."""
    reader = tape.watch()
    node = failed(tape, error_of(program, *given))
    tape.release(reader)
    return node


@pytest.mark.parametrize(
    ("program", "formula", "shapes"),
    [
        (lambda a, b: a @ b, "a @ b", "(2, 3) @ (4, 5)"),
        (lambda a, b: torch.matmul(a, b), "a @ b", "(2, 3) @ (4, 5)"),
        (lambda a, b: a + b, "a + b", "(2, 3) + (4, 5)"),
        (lambda a, b: torch.cat([a, b]), "cat(a, b, 0)", "(2, 3), (4, 5)"),
        (lambda a, b: a.view(7), "view(a, 7)", "(2, 3)"),
        (lambda a, b: a[5], "getitem(a, 5)", "(2, 3)"),
        (lambda a, b: a.item(), "item(a)", "(2, 3)"),
        (lambda a, b: a.add_(b), "add_(a, b)", "(2, 3), (4, 5)"),
        (lambda a, b: a < b, "lt(a, b)", "(2, 3), (4, 5)"),
        (lambda a, b: F.conv2d(a, b), "conv2d(a, b)", "(2, 3), (4, 5)"),
        (lambda a, b: F.mse_loss(a, b), "mse_loss(a, b)", "(2, 3), (4, 5)"),
        (lambda a, b: torch.einsum("ij,jk->ik", a, b), "einsum(a, b)", "(2, 3), (4, 5)"),
        (lambda a, b: nn.RNN(7, 4)(a), "RNN(a)", "(2, 3)"),
    ],
)
def test_the_operation_is_named_as_the_program_named_it(program, formula, shapes):
    a = torch.ones(2, 3, requires_grad=True)
    b = torch.ones(4, 5)
    node = found(program, a, b)
    assert (node["formula"], node["numbers"]) == (formula, shapes)


def test_of_a_module_the_operation_inside_it_is_told_with_the_line_that_called_it():
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.second = nn.Linear(2, 1)

        def forward(self, h):
            return self.second(h)

    node = found(Net(), torch.ones(5, 3))
    assert node["op"] == "linear" and node["source"] == "return self.second(h)"
    assert node["scope"].endswith("Net.forward")
    assert node["numbers"] == "(5, 3), (1, 2), (1,)"


def test_the_sentence_has_the_line_the_shapes_and_the_first_sentence_of_the_error():
    a = torch.ones(2, 3, requires_grad=True)
    node = found(lambda a: a + torch.ones(4), a)
    (mark,) = node["marks"]
    line = test_the_sentence_has_the_line_the_shapes_and_the_first_sentence_of_the_error
    assert mark["text"].startswith(f"failed in line {line.__code__.co_firstlineno + 2}, called ")
    assert "called with a of shape (2, 3) and [1, 1, 1, 1] of shape (4,): " in mark["text"]
    assert mark["text"].endswith(
        "RuntimeError: The size of tensor a (3) must match the size of tensor b (4) at "
        "non-singleton dimension 1"
    )


def test_inputs_are_the_nodes_that_made_them():
    reader = tape.watch()
    a = torch.ones(2, 3, requires_grad=True)

    def program():
        c = a * 2
        return c @ a

    node = failed(tape, error_of(program))
    tape.release(reader)
    first, second = (one["id"] for one in node["inputs"])
    assert tape.facts[first].op == "mul" and second == tape.key_of(a)


@pytest.mark.parametrize(
    "program",
    [
        lambda a: {}["x"],
        lambda a: 1 / 0,
        lambda a: a.backward(),
        lambda a: torch.zeros(-1),
        lambda a: torch.optim.SGD([a * 1], lr=0.1),
        lambda a: nn.Linear(2, 3).load_state_dict({"w": a}),
        lambda a: a.nothing,
    ],
)
def test_what_is_no_operation_on_tensors_is_not_told(program):
    assert found(program, torch.ones(2, 3, requires_grad=True)) is None


def test_an_error_without_a_traceback_is_not_told():
    assert failed(tape, RuntimeError("?")) is None


def test_a_block_that_fails_shows_what_failed_and_counts_only_what_was_recorded():
    a, b = torch.ones(2, 3, requires_grad=True), torch.ones(4, 5)
    with pytest.raises(RuntimeError), GraphView() as view:
        c = a * 2
        c @ b
    nodes = view.graph["nodes"]
    assert [node["kind"] for node in nodes] == ["leaf", "op", "data", "failed"]
    assert [one["id"] for one in nodes[-1]["inputs"]] == [nodes[1]["id"], nodes[2]["id"]]
    assert repr(view) == "GraphView(1 operation)" and view.graph["omitted"] == 0
    assert "c @ b: failed in line" in str(view) and "c @ b failed in line" in view.still().says
    view.close()


def test_a_block_that_is_left_by_another_error_or_by_none_shows_nothing():
    with pytest.raises(ZeroDivisionError), GraphView() as view:
        torch.ones(2, requires_grad=True) * (1 / 0)
    assert view.graph["nodes"] == []
    view.close()


def test_an_error_that_the_block_catches_is_the_program_s_own_affair():
    with GraphView() as view:
        a = torch.ones(2, 3, requires_grad=True)
        with pytest.raises(RuntimeError):
            a @ a
        b = a * 2
    assert [node["kind"] for node in view.graph["nodes"]] == ["leaf", "op"]
    assert b.requires_grad
    view.close()


def test_what_failed_keeps_no_tensor_alive():
    node = found(lambda a: a @ a, torch.ones(2, 3, requires_grad=True))
    assert not any(isinstance(value, torch.Tensor) for value in node.values())
