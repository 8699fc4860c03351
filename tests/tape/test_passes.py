"""A backward pass as plain data: rehearsed without a trace, or replayed."""

from __future__ import annotations

import json
import weakref

import pytest

import minigrad as torch
from minigrad.lesson.engines import WRONG
from minigrad.tape import rehearse, tape


def leaf(value):
    return torch.tensor(value, requires_grad=True)


def colah():
    a, b = leaf([2.0]), leaf([6.0])
    c = a + b
    d = b + 1
    e = c * d
    return a, b, c, d, e


def visits(schedule):
    return [step for step in schedule["steps"] if step["kind"] == "visit"]


def lands(schedule):
    return {s["text"]: s["after"]["data"] for s in schedule["steps"] if s["kind"] == "land"}


def test_a_rehearsal_visits_the_nodes_in_order_and_lands_on_fifteen():
    a, b, c, d, e = colah()
    schedule = rehearse(tape, e, namespace=locals())
    assert schedule["mode"] == "rehearsed"
    assert [step["text"] for step in visits(schedule)] == ["e = c * d", "d = b + 1", "c = a + b"]
    assert lands(schedule) == {"a": [7.0], "b": [15.0]}
    json.dumps(schedule, allow_nan=False)


def test_a_rehearsal_leaves_grad_and_graph_as_they_were():
    a, b, _, _, e = colah()
    for _ in range(3):
        rehearse(tape, e)
    assert a.grad is None and b.grad is None
    e.backward()
    assert (a.grad.item(), b.grad.item()) == (7.0, 15.0)


def test_a_visit_shows_rule_local_derivative_and_product():
    a, b, c, d, e = colah()
    first = visits(rehearse(tape, e, namespace=locals()))[0]
    to_c, to_d = first["outgoing"]
    assert (to_c["rule"], to_c["local"], to_c["numbers"]) == ("g * d", "d", "1 * 7")
    assert (to_d["rule"], to_d["local"], to_d["numbers"]) == ("g * c", "c", "1 * 8")
    assert to_c["grad"]["data"] == [7.0]


def test_the_sum_at_a_fork_is_shown_as_it_grows():
    a, b, c, d, e = colah()
    schedule = rehearse(tape, e, namespace=locals())
    to_b = [out for step in visits(schedule) for out in step["outgoing"] if out["text"] == "b"]
    assert [out["sumBefore"] and out["sumBefore"]["data"] for out in to_b] == [None, [8.0]]
    assert [out["sum"]["data"] for out in to_b] == [[8.0], [15.0]]


def test_what_would_land_is_added_to_the_grad_that_is_there():
    a = leaf(3.0)
    (a * 2).backward()
    y = a * a
    (landing,) = [s for s in rehearse(tape, y)["steps"] if s["kind"] == "land"]
    assert (landing["before"]["data"], landing["after"]["data"]) == ([2.0], [8.0])


def test_tensor_hooks_run_in_a_rehearsal_and_post_accumulate_hooks_do_not():
    a = leaf(3.0)
    called = []
    a.register_hook(lambda g: g * 10)
    a.register_post_accumulate_grad_hook(lambda tensor: called.append(tensor))
    assert list(lands(rehearse(tape, a * a, namespace={"a": a})).values()) == [[60.0]]
    assert called == []


def test_a_watched_pass_is_replayed_after_the_graph_was_freed():
    reader = tape.watch()
    try:
        a, b, c, d, e = colah()
        before = rehearse(tape, e, namespace=locals())
        e.backward()
        after = rehearse(tape, e, namespace=locals())
    finally:
        tape.release(reader)
    assert after["mode"] == "replayed"
    assert [step["kind"] for step in after["steps"]] == [step["kind"] for step in before["steps"]]
    assert visits(after)[0]["outgoing"][0]["localValue"]["data"] == [7.0]


def test_an_unwatched_freed_graph_says_how_to_get_a_pass():
    *_, e = colah()
    e.backward()
    schedule = rehearse(tape, e)
    assert schedule["mode"] == "unavailable" and schedule["steps"] == []
    assert "forward pass again" in schedule["message"]


def test_a_rehearsal_raises_what_backward_would_raise():
    with pytest.raises(RuntimeError, match="MG107"):
        rehearse(tape, leaf([1.0, 2.0]) * 2)
    with pytest.raises(RuntimeError, match="MG109"):
        rehearse(tape, torch.tensor(1.0))
    x = leaf(2.0)
    y = x * 1
    z = y * y
    y += 1
    with pytest.raises(RuntimeError, match="MG104"):
        rehearse(tape, z)


def test_a_gradient_may_be_given_for_several_numbers():
    x = leaf([1.0, 2.0])
    schedule = rehearse(tape, x * x, torch.tensor([1.0, 10.0]), {"x": x})
    assert lands(schedule) == {"x": [2.0, 40.0]}


def test_small_matrices_come_with_their_numbers():
    x = torch.tensor([[1.0, 2.0]])
    w = leaf([[1.0, 0.0], [0.5, 2.0]])
    h = torch.tanh(x @ w)
    loss = h.sum()
    schedule = rehearse(tape, loss, namespace=locals())
    product = visits(schedule)[-1]
    assert product["outgoing"][0]["rule"] == "x.mT @ g"
    assert product["outgoing"][0]["local"] is None
    assert product["outgoing"][0]["grad"]["shown"] == [2, 2]


def test_a_deep_chain_without_names_has_short_formulas():
    h = leaf(1.0)
    for _ in range(3000):
        h = torch.tanh(h)
    schedule = rehearse(tape, h)
    assert len(visits(schedule)) == 3000
    assert max(len(step["text"]) for step in visits(schedule)) < 60


def test_nan_and_infinity_arrive_as_words():
    x = leaf([0.0, -1.0])
    schedule = rehearse(tape, torch.log(x).sum(), namespace={"x": x})
    json.dumps(schedule, allow_nan=False)
    assert lands(schedule) == {"x": ["inf", -1.0]}


@pytest.mark.parametrize(
    ("expression", "local"),
    [
        ("a * b", "b"),
        ("a / b", "1 / b"),
        ("a - b", "1"),
        ("b - a", "-1"),
        ("a ** 3", "3 * a ** 2"),
        ("a ** 2", "2 * a"),
        ("torch.exp(a)", "y"),
        ("torch.tanh(a)", "1 - y * y"),
        ("torch.log(a)", "1 / a"),
        ("torch.sin(a)", "cos(a)"),
        ("torch.cos(a)", "-sin(a)"),
        ("-a", "-1"),
    ],
)
def test_the_local_derivative_reads_like_a_table_of_derivatives(expression, local):
    namespace = {"torch": torch, "a": leaf(2.0), "b": torch.tensor(4.0)}
    namespace["y"] = eval(expression, namespace)
    schedule = rehearse(tape, namespace["y"], namespace=namespace)
    (to_a,) = [out for step in visits(schedule) for out in step["outgoing"] if out["text"] == "a"]
    assert to_a["local"] == local
    # and the number is the derivative that the engine found
    assert to_a["localValue"]["data"][0] == pytest.approx(to_a["grad"]["data"][0])


def test_a_number_that_nobody_kept_is_told_by_the_values_before_and_after():
    a = leaf(2.0)
    q = 3 - a
    r = q - 0.25
    schedule = rehearse(tape, r * q, namespace={"a": a, "q": q, "r": r})
    formulas = {node["names"][0]: node["formula"] for node in schedule["nodes"] if node["names"]}
    assert formulas == {"a": "", "q": "3 - a", "r": "q - 0.25"}


@pytest.mark.parametrize("number", [0.1, 1 / 3, 0.7, 1e-3, 123.456])
def test_of_a_number_that_nobody_kept_the_values_tell_what_rounding_leaves_of_it(number):
    a = leaf([0.3, 2.0, -0.7])
    for text, value in (("a + {}", a + number), ("a - {}", a - number), ("{} - a", number - a)):
        schedule = rehearse(tape, value.sum(), namespace={"a": a, "value": value})
        formulas = {node["formula"] for node in schedule["nodes"]}
        assert text.format(f"{number:.4g}") in formulas


def test_a_number_too_small_to_be_told_exactly_is_a_constant():
    a = leaf([1e5, 3e5])
    b = a + 0.1
    schedule = rehearse(tape, b.sum(), namespace={"a": a, "b": b})
    assert "a + constant" in [node["formula"] for node in schedule["nodes"]]


def test_a_number_that_no_value_tells_is_a_constant_and_brackets_stay_right():
    a = leaf([1.0, 2.0])
    loss = ((a + torch.tensor([1.0, 3.0])) * 3 - 4).sum()
    first = rehearse(tape, loss, namespace={"a": a})["nodes"]
    assert [node["formula"] for node in first if node["op"] in ("add", "mul")] == [
        "a + constant",
        "(a + constant) * 3",
    ]
    assert all(node["numbers"] == "" for node in first)


def test_wrong_engines_of_the_same_rehearsal_have_the_steps_of_their_own_rehearsal():
    a, b, c, d, e = colah()
    together = rehearse(tape, e, namespace=locals(), others=WRONG)["others"]
    assert list(together) == list(WRONG)
    for name, steps in together.items():
        assert steps == rehearse(tape, e, namespace=locals(), engine=WRONG[name])["steps"]


def test_a_pass_inside_a_pass_has_a_record_of_its_own():
    reader = tape.watch()
    try:
        x = torch.tensor(2.0, requires_grad=True)
        y = x * 3
        inner = torch.tensor(1.0, requires_grad=True)
        five = inner * 5
        y.register_hook(lambda g: five.backward())
        (y * y).backward()
        outside, inside = list(tape.passes)[-2:]
    finally:
        tape.release(reader)
    assert [visit.kind.op for visit in outside.visits] == ["mul", "mul"]
    assert [visit.kind.op for visit in inside.visits] == ["mul"]


def identity(tensor):
    return tensor


def test_values_that_are_packed_do_not_hinder_a_rehearsal():
    x = leaf([1.0, 2.0])
    again = torch.utils.checkpoint.checkpoint(torch.tanh, x, use_reentrant=False).sum()
    with torch.autograd.graph.saved_tensors_hooks(identity, identity):
        hooked = (torch.nn.functional.dropout(x * 3, 0.5) * x).tanh().sum()
    for loss in (again, hooked):
        schedule = rehearse(tape, loss)
        (landed,) = lands(schedule).values()
        assert "Packed" not in json.dumps(schedule) and "<" not in schedule["title"]
        (expected,) = torch.autograd.grad(loss, x)
        assert landed == pytest.approx(expected.tolist(), rel=1e-3)


def test_the_record_of_a_pass_keeps_no_graph_alive():
    """The node of a fused loss has saved that of the scores; the record of its visit has not."""
    reader = tape.watch()
    try:
        scores = leaf([[1.0, 2.0]]) * 3
        node = weakref.ref(scores.grad_fn)
        torch.nn.functional.cross_entropy(scores, torch.tensor([0])).backward()
        del scores
        assert tape.passes[-1].visits and node() is None
    finally:
        tape.release(reader)


@pytest.mark.parametrize("norm", ["batch_norm", "group_norm"])
def test_what_a_norm_does_first_is_not_called_layer_norm(norm):
    x = torch.randn(4, 2, requires_grad=True)
    given = (None, None) if norm == "batch_norm" else (1,)
    training = {"training": True} if norm == "batch_norm" else {}
    out = getattr(torch.nn.functional, norm)(x, *given, **training)
    schedule = rehearse(tape, (out * out * out).sum(), namespace={"x": x})
    assert "native_layer_norm" not in json.dumps(schedule)
    (step,) = [step for step in visits(schedule) if step["text"].startswith("standardize(")]
    assert step["outgoing"][0]["rule"].startswith("(g - mean(g) - z * mean(g * z)) / std")


def test_a_gradient_is_noted_as_it_was_at_each_place_though_a_hook_writes_into_it():
    x = torch.ones(20, 20, requires_grad=True)
    h = x * 1.0

    def in_place(g):
        g *= 3.0

    h.register_hook(in_place)
    reader = tape.watch()
    (h * 2.0).sum().backward()
    tape.release(reader)
    by, to = tape.passes[-1].visits[-2:]
    assert by.sent[0].grad.corner[0, 0] == 2.0
    assert to.grad.corner[0, 0] == x.grad[0, 0].item() == 6.0
    assert tape.passes[-1].landings[0].grad.corner[0, 0] == 6.0
