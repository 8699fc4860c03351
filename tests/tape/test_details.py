"""What the tape says of a node beyond its name: saved values, numbers, gradients, and where."""

from __future__ import annotations

import json

import numpy as np
import pytest

import minigrad as torch
from minigrad.tape import tape


@pytest.fixture(autouse=True)
def reader():
    watching = tape.watch()
    yield watching
    tape.release(watching)


def leaf(value):
    return torch.tensor(value, requires_grad=True)


def described(tensor, **options):
    tape.look_for_names()
    node = tensor.grad_fn
    return tape.describe(tape.known_leaf(tensor) if node is None else f"n{node.seq}", **options)


def saved(tensor):
    return [(s["text"], s["bytes"], s["why"]) for s in described(tensor)["saved"]]


def test_a_product_saves_each_factor_for_the_gradient_of_the_other():
    a, b = leaf([1.0, 2.0]), leaf([3.0, 4.0])
    c = a * b
    assert saved(c) == [("b", 8, ["a: g * b"]), ("a", 8, ["b: g * a"])]


def test_what_no_gradient_needs_is_not_saved():
    a, b = leaf([1.0, 2.0]), torch.tensor([3.0, 4.0])
    c = a * b
    assert saved(c) == [("b", 8, ["a: g * b"])]
    assert [kept is None for kept in c.grad_fn.saved] == [True, False, True]


def test_a_sum_saves_nothing_and_a_number_takes_no_bytes():
    a, b = leaf(1.0), leaf(2.0)
    c = a + b
    d = c * 3
    assert saved(c) == []
    assert saved(d) == [("3", 0, ["c: g * 3"])]


def test_a_result_that_is_saved_itself_is_called_by_its_name():
    a = leaf([[1.0, 2.0], [3.0, 4.0]])
    h = torch.tanh(a)
    ((text, size, why),) = saved(h)
    assert (text, size) == ("h", 16) and len(why) == 1 and why[0].startswith("a: ")


@pytest.mark.parametrize(
    "compute",
    [
        lambda a, b: a * b,
        lambda a, b: a @ b,
        lambda a, b: a / b,
        lambda a, b: torch.exp(a),
        lambda a, b: a**2,
        lambda a, b: a + b,
        lambda a, b: torch.relu(a),
        lambda a, b: a.sum(),
    ],
)
def test_the_saved_bytes_are_those_of_the_arrays_that_the_node_holds(compute):
    a, b = leaf([[1.0, 2.0], [3.0, 4.0]]), leaf([[5.0, 6.0], [7.0, 8.0]])
    c = compute(a, b)
    held = [getattr(kept, "_array", kept) for kept in c.grad_fn.saved or ()]
    real = sum(kept.nbytes for kept in held if isinstance(kept, (np.ndarray, np.generic)))
    assert sum(size for _, size, _ in saved(c)) == real


def test_a_formula_has_its_numbers_only_where_they_are_single():
    a, b, m = leaf(2.0), leaf([6.0]), leaf([1.0, 2.0])
    c, d = a * b, a * m
    assert described(c)["numbers"] == "2 * 6"
    assert described(d)["numbers"] == ""


def test_a_watched_pass_leaves_its_gradients_at_operations_and_leaves():
    a = leaf(2.0)
    b = a * 3
    c = b * b
    assert described(b)["grad"] is None and described(a)["grad"] is None
    c.backward()
    assert described(b)["grad"]["text"] == "12"
    assert described(a)["grad"]["text"] == "36"


def test_the_gradient_of_a_leaf_is_its_grad_now():
    a = leaf(2.0)
    for _ in range(2):
        (a * 3).backward()
    assert described(a)["grad"]["text"] == "6"
    a.grad = None
    assert described(a)["grad"] is None


def test_a_leaf_whose_grad_was_cleared_is_told_to_the_readers(reader):
    a = leaf(2.0)
    (a * 3).backward()
    tape.look_for_names()
    key = tape.known_leaf(a)
    reader.changed.clear()
    a.grad = None
    tape.look_for_names()
    assert key in reader.changed


def test_an_operation_that_passes_gradients_on_is_told_to_the_readers_too(reader):
    a = leaf(2.0)
    b = a + 1
    tape.catch_up()
    reader.changed.clear()
    b.backward()
    tape.catch_up()
    assert f"n{b.grad_fn.seq}" in reader.changed


def test_a_node_knows_its_function_and_its_instruction():
    def f(x):
        for _ in range(2):
            x = x * 3
        return x

    first = described(f(leaf(1.0)))
    second = described(f(leaf(1.0)))
    assert first["scope"].endswith("<locals>.f")
    assert first["spot"] == second["spot"]


def test_of_large_matrices_only_the_wanted_corner_is_described():
    a = torch.ones(8, 8, requires_grad=True)
    b = a * (1 / 3)
    assert described(b, most=2)["value"]["shown"] == [2, 2]
    brief = described(b, most=0)
    assert brief["saved"] == [] and brief["grad"] is None and brief["formula"] == "a * 0.3333"


def test_many_numbers_are_sent_with_the_digits_of_a_float32():
    a = torch.ones(4, 4, requires_grad=True)
    numbers = described(a * (1 / 3))["value"]["data"]
    assert max(map(len, map(json.dumps, numbers))) <= 9
    single = leaf(1.0) * (1 / 3)
    assert described(single)["value"]["data"] == [single.item()]


@pytest.mark.parametrize("shape", [(3, 1, 2), (1, 1, 1, 4), (2, 2, 2), (2, 0, 3)])
def test_of_a_small_value_of_more_dimensions_the_first_matrix_is_shown(shape):
    value = described(torch.zeros(shape, requires_grad=True) * 2)["value"]
    assert value["shape"] == list(shape)
    assert len(value["data"]) == np.prod(value["shown"])
