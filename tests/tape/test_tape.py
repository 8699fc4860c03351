"""What the tape knows: names, lines, formulas, values, states; and that it keeps nothing alive."""

from __future__ import annotations

import gc
import json
import math
import weakref

import pytest

import minigrad as torch
from minigrad.engine.node import Watch, reachable
from minigrad.tape import tape
from minigrad.tape.facts import LIMIT, Facts


@pytest.fixture
def reader():
    watching = tape.watch()
    yield watching
    tape.release(watching)


def leaf(value):
    return torch.tensor(value, requires_grad=True)


def facts(*tensors):
    """The descriptions of these tensors' nodes."""
    tape.look_for_names()
    return [tape.describe(f"n{tensor.grad_fn.seq}") for tensor in tensors]


def test_nothing_watches_unless_asked():
    assert Watch.observer is None
    reader = tape.watch()
    assert Watch.observer is tape
    tape.release(reader)
    assert Watch.observer is None


def test_a_node_knows_operation_formula_line_and_variable(reader):
    a, b = leaf(2.0), leaf(6.0)
    c = a + b
    (fact,) = facts(c)
    assert (fact["op"], fact["formula"], fact["names"]) == ("add", "a + b", ["c"])
    assert fact["source"] == "c = a + b"
    assert fact["file"] == "test_tape.py"
    assert fact["value"]["text"] == "8"
    assert [operand["text"] for operand in fact["inputs"]] == ["a", "b"]


def test_a_gradient_that_is_recorded_stems_from_the_line_that_asked_for_it(reader):
    a = leaf(2.0)
    (g,) = torch.autograd.grad(a**3, a, create_graph=True)
    (fact,) = facts(g)
    assert fact["file"] == "test_tape.py"
    assert "create_graph=True" in fact["source"]


def test_the_name_is_known_inside_a_function_and_before_the_assignment_happens(reader):
    seen = []

    def spy(g):
        return None

    def f(x):
        inner = x * 3
        seen.append(facts(inner)[0]["names"])
        inner.register_hook(spy)
        return inner

    f(leaf(2.0))
    assert seen == [["inner"]]


def test_in_a_loop_every_turn_has_its_own_node_under_the_same_name(reader):
    h = leaf(1.0)
    made = []
    for _ in range(3):
        h = h * 2
        made.append(h)
    described = facts(*made)
    assert [fact["names"][0] for fact in described] == ["h", "h", "h"]
    assert len({fact["id"] for fact in described}) == 3
    assert {fact["line"] for fact in described} == {described[0]["line"]}


def test_in_a_loop_a_composite_operation_gets_the_name_once_a_turn(reader):
    h = leaf(2.0)
    for _ in range(3):
        h = 2 / h
    tape.look_for_names()
    behind = [f"n{node.seq}" for node in reachable([h.grad_fn])]
    assert [tape.describe(key)["names"][:1] for key in behind] == [["h"], [], ["h"], [], ["h"], []]


def test_nested_operations_are_named_by_their_formulas(reader):
    a, b = leaf(2.0), leaf(6.0)
    e = (a + b) * (b + 1)
    (fact,) = facts(e)
    assert fact["formula"] == "(a + b) * (b + 1)"
    inner = tape.describe(fact["inputs"][0]["id"])
    assert (inner["names"], inner["formula"]) == ([], "a + b")


def test_brackets_stand_only_where_they_are_needed(reader):
    a, b = leaf(2.0), leaf(6.0)
    x = a - (b - 1)
    y = a * b + 1
    z = (a * 2) ** 3
    assert [fact["formula"] for fact in facts(x, y, z)] == [
        "a - (b - 1)",
        "a * b + 1",
        "(a * 2) ** 3",
    ]


def test_the_last_node_of_a_composite_operation_gets_the_name(reader):
    a = leaf(2.0)
    y = 2 / a  # a reciprocal, then a product
    described = facts(y)[0]
    assert described["names"] == ["y"]
    assert tape.describe(described["inputs"][0]["id"])["names"] == []


def test_other_variables_for_the_same_value_are_found_at_the_end_of_a_cell(reader):
    namespace = {"torch": torch}
    exec("a = torch.tensor(2.0, requires_grad=True)\nb = a * a\nloss = b", namespace)
    (fact,) = facts(namespace["b"])
    assert set(fact["names"]) == {"b", "loss"}


def test_an_augmented_assignment_names_its_target(reader):
    a = leaf(2.0)
    total = a * 1
    total += a
    assert facts(total)[0]["names"][0] == "total"


def test_watching_keeps_no_graph_alive(reader):
    gc.disable()
    try:
        a = leaf([1.0, 2.0])
        y = (a * a).sum()
        node, value = weakref.ref(y.grad_fn), weakref.ref(y)
        tape.look_for_names()
        del y
        assert node() is None and value() is None
    finally:
        gc.enable()


def test_a_freed_node_is_gone_and_one_used_by_backward_is_spent(reader):
    a = leaf(3.0)
    y = a * a
    z = a + 1
    y.backward()
    kept, key = facts(y)[0], f"n{z.grad_fn.seq}"
    assert kept["state"] == "spent"
    assert tape.describe(key)["state"] == "alive"
    del z
    tape.catch_up()
    assert tape.describe(key)["state"] == "gone"


def test_a_leaf_that_was_written_to_shows_its_new_value(reader):
    w = leaf(1.0)
    y = w * 2
    key = facts(y)[0]["inputs"][0]["id"]
    with torch.no_grad():
        w -= 0.5
    tape.look_for_names()
    assert tape.describe(key)["value"]["text"] == "0.5"


def test_values_are_bounded_and_json_able_whatever_they_are(reader):
    a = leaf([1.0, math.nan, math.inf, -math.inf])
    big = torch.zeros(300, 400, requires_grad=True)
    y, z = a * 1, big * 1
    small, large = facts(y, z)
    assert small["value"]["data"] == [1.0, "nan", "inf", "-inf"]
    assert large["value"]["shape"] == [300, 400] and large["value"]["shown"] == [8, 8]
    assert len(json.dumps(large)) < 2000
    json.loads(json.dumps([small, large], allow_nan=False))


def test_an_error_names_the_line_while_somebody_watches(reader):
    x = leaf(2.0)
    y = x * 1
    z = y * y
    y += 1
    with pytest.raises(RuntimeError, match=r"where: test_tape.py line \d+: z = y \* y"):
        z.backward()


def test_two_readers_are_told_the_same(reader):
    other = tape.watch()
    try:
        leaf(2.0) * 3
        tape.catch_up()
        assert list(reader.changed) == list(other.changed) != []
    finally:
        tape.release(other)
    assert Watch.observer is tape


def test_the_tape_forgets_freed_nodes_rather_than_grow_for_ever(reader):
    tape.catch_up()
    before = len(tape.facts)  # of graphs that other tests may still hold
    a = leaf(1.0)
    for _ in range(30_000):
        a * 2
    tape.catch_up()
    assert len(tape.facts) <= before + 21_000


@pytest.mark.parametrize("alive", [0, 2 * LIMIT])
def test_however_many_come_at_once_and_are_alive_the_latest_that_are_gone_stay(alive):
    facts = Facts()
    for number in range(alive + 2 * LIMIT):
        dict.__setitem__(facts, f"n{number}", ())
        if number >= alive:
            facts.states[f"n{number}"] = "gone"
    kept = f"n{alive + 7}"
    assert facts.forget_the_oldest(kept={kept})
    assert len(facts.states) == 3 * LIMIT // 4 + 1
    assert len(facts) == alive + len(facts.states)
    assert kept in facts and f"n{alive + 2 * LIMIT - 1}" in facts
