"""The engines that are wrong on purpose: each makes its own mistake, and touches nothing."""

from __future__ import annotations

import pytest

import minigrad as torch
from minigrad.engine.node import Watch
from minigrad.lesson import engines
from minigrad.tape import Tape, rehearse, tape


def leaf(value, **options):
    return torch.tensor(value, requires_grad=True, **options)


def article(c_first=True):
    """The article's program, e = (a + b)(b + 1), with either factor made first."""
    a, b = leaf(2.0), leaf(6.0)
    if c_first:
        c = a + b
        d = b + 1
    else:
        d = b + 1
        c = a + b
    return c * d, a, b


def fork():
    """y = (x²)² + (x²)², where the order of visits matters."""
    x = leaf(2.0)
    a = x**2
    return a**2 + a**2, x


def numbers(loss, leaves, engine):
    return [g.item() for g in engines.gradients(loss, leaves, engine)]


@pytest.mark.parametrize(
    ("engine", "expected"),
    [
        ("right", 64),
        ("overwrite", 32),
        ("first", 32),
        ("queue", 128),
        ("stack", 96),
        ("once", 32),
    ],
)
def test_three_wrong_orders_and_two_wrong_sums_give_known_numbers(engine, expected):
    y, x = fork()
    assert numbers(y, [x], engine) == [expected]


@pytest.mark.parametrize(
    ("engine", "c_first", "d_first"),
    [
        ("right", [7, 15], [7, 15]),
        ("overwrite", [7, 7], [7, 8]),
        ("first", [7, 8], [7, 7]),
        ("local", [1, 2], [1, 2]),
    ],
)
def test_on_the_articles_program_each_sum_goes_wrong_in_its_own_way(engine, c_first, d_first):
    e, *leaves = article()
    assert numbers(e, leaves, engine) == c_first
    e, *leaves = article(c_first=False)
    assert numbers(e, leaves, engine) == d_first


@pytest.mark.parametrize("engine", ["right", *engines.WRONG])
def test_no_engine_touches_grad_or_frees_the_graph(engine):
    y, x = fork()
    engines.gradients(y, x, engine)
    assert x.grad is None
    y.backward()
    assert x.grad.item() == 64


@pytest.mark.parametrize("engine", ["right", *engines.WRONG])
def test_what_is_returned_is_an_array_of_its_own(engine):
    x = leaf([1.0, 2.0])
    y = x.sum()
    (g,) = engines.gradients(y, x, engine)
    g.zero_()
    assert engines.gradients(y, x, engine)[0].tolist() == [1.0, 1.0]
    assert not g.requires_grad


@pytest.mark.parametrize("engine", ["queue", "stack", "once", "overwrite", "first"])
def test_on_a_chain_every_order_and_every_sum_is_right(engine):
    x = leaf([0.5, -0.2])
    y = ((x * 3).tanh() ** 2).sum()
    right, wrong = engines.gradients(y, x)[0], engines.gradients(y, x, engine)[0]
    assert right.tolist() == wrong.tolist()


def test_a_broadcast_value_gets_the_sum_over_its_uses_in_wrong_engines_too():
    w, b = leaf([[1.0, 2.0, 3.0]]), leaf(1.0)
    y = (w * b + b).sum()
    _, right = engines.gradients(y, [w, b])
    _, last = engines.gradients(y, [w, b], "overwrite")
    assert (right.item(), last.item()) == (9.0, 6.0)


def test_intermediate_results_may_be_asked_for():
    c = leaf(3.0) * 1
    e = c * c
    assert [numbers(e, [c], engine) for engine in ("right", "overwrite")] == [[6.0], [3.0]]


def test_where_nothing_arrives_there_is_none():
    y, x = fork()
    other = leaf(1.0)
    for engine in ("right", "queue"):
        assert engines.gradients(y, [other, x], engine)[0] is None
    assert engines.mistakes(y, other) == {}


def test_an_engine_that_takes_every_path_is_stopped_and_says_so():
    y = x = leaf(1.0)
    for _ in range(20):
        y = y + y
    with pytest.raises(RuntimeError, match="stopped after 1000 visits of 20 nodes"):
        engines.gradients(y, x, "queue")
    assert engines.gradients(y, x)[0].item() == 2**20
    assert 2.0**21 in engines.mistakes(y, x)  # the others can still be named


def test_an_unknown_engine_is_a_value_error_that_lists_the_known_ones():
    y, x = fork()
    with pytest.raises(ValueError, match="right, overwrite, first, queue, stack, once, local"):
        engines.gradients(y, x, "quantum")


def test_what_backward_refuses_the_engines_refuse_too():
    with pytest.raises(RuntimeError, match="MG107"):
        engines.gradients(leaf([1.0, 2.0]) * 1, [], "overwrite")
    y, x = fork()
    y.backward()
    for engine in ("right", "stack"):
        with pytest.raises(RuntimeError, match="MG106"):
            engines.gradients(y, x, engine)


def test_several_outputs_need_the_gradient_to_start_with():
    x = leaf([1.0, 2.0])
    (g,) = engines.gradients(x * 3, x, "overwrite", torch.tensor([1.0, 10.0]))
    assert g.tolist() == [3.0, 30.0]


def test_mistakes_leave_out_what_equals_the_truth_and_join_what_coincides():
    e, a, b = article()
    assert set(engines.mistakes(e, b)) == {7.0, 8.0, 2.0, 30.0, -15.0}
    assert set(engines.mistakes(e, a)) == {1.0, 14.0, -7.0}
    y, x = fork()
    found = engines.mistakes(y, x)
    assert set(found) == {32.0, 96.0, 128.0, 4.0, -64.0}
    assert found[32.0].count(" Or: ") == 2


def test_mistakes_of_a_vector_are_tensors():
    x = leaf([1.0, 2.0])
    y = (x * x + x).sum()
    found = engines.mistakes(y, x)
    assert all(isinstance(key, torch.Tensor) and key.shape == (2,) for key in found)
    assert [-3.0, -5.0] in [key.tolist() for key in found]


def test_every_engine_says_what_it_does_and_what_to_do():
    for engine in engines.WRONG.values():
        assert engine.title and engine.what.startswith(("it ", "at "))
        assert engine.message[0].isupper() and engine.message.endswith(".")
    assert len({engine.message for engine in engines.WRONG.values()}) == len(engines.WRONG)


def test_watching_sees_nothing_of_wrong_engines():
    reader = tape.watch()
    try:
        y, x = fork()
        before = len(tape.passes)
        engines.gradients(y, x, "queue")
        engines.mistakes(y, x)
        assert len(tape.passes) == before
    finally:
        tape.release(reader)
    assert Watch.observer is None


# --- In the stepper's schedule -------------------------------------------------------------------


def steps(loss, engine):
    schedule = rehearse(Tape(), loss, engine=engines.WRONG[engine])
    return [(step["kind"], step) for step in schedule["steps"]]


def test_a_rehearsal_by_the_queue_visits_the_fork_twice():
    y, _ = fork()
    visits = [step for kind, step in steps(y, "queue") if kind == "visit"]
    assert [step["grad"]["data"] for step in visits] == [[1.0], [1.0], [1.0], [16.0], [16.0]]
    assert steps(y, "queue")[-1][1]["after"]["data"] == [128.0]


def test_a_rehearsal_by_the_stack_shows_what_had_arrived_by_then():
    y, _ = fork()
    visits = [step for kind, step in steps(y, "stack") if kind == "visit"]
    assert [len(step["arrivals"]) for step in visits] == [1, 1, 1, 1, 2]
    assert [step["grad"]["data"][0] for step in visits] == [1, 1, 8, 1, 16]


def test_the_sums_of_a_rehearsal_are_the_engines_own():
    e, *_ = article()
    landed = {step["text"]: step for kind, step in steps(e, "overwrite") if kind == "land"}
    assert [step["after"]["data"][0] for step in landed.values()] == [7, 7]
    sums = [
        out["sum"]["data"][0]
        for kind, step in steps(e, "first")
        if kind == "visit"
        for out in step["outgoing"]
    ]
    assert sums == [7, 8, 8, 7, 8]


def test_a_rehearsal_shows_a_product_only_where_it_is_what_was_sent():
    e, *_ = article()
    products = [
        out["numbers"]
        for kind, step in steps(e, "local")
        if kind == "visit"
        for out in step["outgoing"]
    ]
    assert products == ["1 * 7", "1 * 8", None, None, None]


def test_the_title_of_an_engine_begins_with_the_name_by_which_a_lesson_calls_it():
    for name, engine in engines.WRONG.items():
        assert engine.title.startswith(name)
