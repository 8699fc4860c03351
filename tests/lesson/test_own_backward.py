"""The judge of a learner's own backward pass: each classic mistake is called by its name."""

from __future__ import annotations

import pytest

import minigrad as torch
from minigrad.lesson import Broke, Exercise, backward_pass, check
from minigrad.lesson.programs import random_programs, small_programs, tower

one = torch.tensor(1.0)


def parts_of(node, g):
    """What a visit sends, with where it goes."""
    parts = node(g)
    parts = parts if isinstance(parts, tuple) else (parts,)
    return [
        (after, part)
        for (after, _), part in zip(node.next_functions, parts)
        if after is not None and part is not None
    ]


def order_of(loss):
    """The nodes, each after all that use its result."""
    found = []

    def visit(node):
        if node in found or hasattr(node, "variable"):
            return
        for after, _ in node.next_functions:
            if after is not None:
                visit(after)
        found.append(node)

    visit(loss.grad_fn)
    return found[::-1]


def a_pass(
    loss, *, order=order_of, seed=1.0, join=lambda a, b: a + b, g_of=lambda g: g, sends=list
):
    arrived = {loss.grad_fn: torch.tensor(seed)}
    found = {}
    for node in order(loss):
        if node not in arrived:
            continue
        for after, part in sends(parts_of(node, g_of(arrived[node]))):
            table, key = (found, after.variable) if hasattr(after, "variable") else (arrived, after)
            table[key] = join(table[key], part) if key in table else part
    return found


def right(loss):
    return a_pass(loss)


def by_recursion_over_paths(loss):
    found = {}

    def send(node, g):
        if hasattr(node, "variable"):
            found[node.variable] = found.get(node.variable, 0) + g
            return
        for after, part in parts_of(node, g):
            send(after, part)

    send(loss.grad_fn, one)
    return found


def each_path_overwrites(loss):
    found = {}

    def send(node, g):
        if hasattr(node, "variable"):
            found[node.variable] = g
            return
        for after, part in parts_of(node, g):
            send(after, part)

    send(loss.grad_fn, one)
    return found


def recursion_that_returns_where_it_has_been(loss):
    found = {}
    been = set()

    def send(node, g):
        if hasattr(node, "variable"):
            found[node.variable] = found.get(node.variable, 0) + g
            return
        if node in been:
            return
        been.add(node)
        for after, part in parts_of(node, g):
            send(after, part)

    send(loss.grad_fn, one)
    return found


def as_met(loss, take):
    order = [loss.grad_fn]
    waiting = [loss.grad_fn]
    while waiting:
        for after, _ in waiting.pop(take).next_functions:
            if after is not None and after not in order and not hasattr(after, "variable"):
                order.append(after)
                waiting.append(after)
    return order


def again_at_each_arrival(loss, take=0):
    arrived = {loss.grad_fn: one}
    found = {}
    waiting = [loss.grad_fn]
    while waiting:
        node = waiting.pop(take)
        for after, part in parts_of(node, arrived[node]):
            if hasattr(after, "variable"):
                found[after.variable] = found.get(after.variable, 0) + part
            else:
                arrived[after] = arrived.get(after, 0) + part
                waiting.append(after)
    return found


def calls_the_leaf(loss):
    found = right(loss)
    for node in order_of(loss):
        for after, part in parts_of(node, one):
            if hasattr(after, "variable"):
                after(part)
    return found


def keys_are_nodes(loss):
    arrived = {loss.grad_fn: one}
    for node in order_of(loss):
        for after, part in parts_of(node, arrived.pop(node)):
            arrived[after] = arrived.get(after, 0) + part
    return arrived


def never_ends(loss):
    while True:
        loss.grad_fn(one)


def asks_autograd(loss):
    leaves = list(right_leaves(loss))
    return dict(zip(leaves, torch.autograd.grad(loss, leaves)))


def right_leaves(loss):
    return [
        after.variable
        for node in order_of(loss)
        for after, _ in node.next_functions
        if after is not None and hasattr(after, "variable")
    ]


def forgets_none(loss):
    found = {}
    waiting = [(loss.grad_fn, one)]
    while waiting:
        node, g = waiting.pop()
        for (after, _), part in zip(node.next_functions, node(g)):
            waiting.append((after, part))
    return found


MISTAKES = [
    (lambda loss: a_pass(loss, join=lambda a, b: b), "add", "what arrives later overwrites"),
    (lambda loss: a_pass(loss, join=lambda a, b: a), "add", "only what arrives first counts"),
    (each_path_overwrites, "add", "what arrives later overwrites"),
    (recursion_that_returns_where_it_has_been, "wait", "before all of its gradient has arrived"),
    (lambda loss: a_pass(loss, order=lambda l: as_met(l, 0)), "wait", "before all of its"),
    (
        lambda loss: a_pass(loss, order=lambda l: as_met(l, -1)),
        "wait",
        "before all of its gradient",
    ),
    (again_at_each_arrival, "wait", "a part of it is sent twice"),
    (lambda loss: again_at_each_arrival(loss, -1), "wait", "a part of it is sent twice"),
    (by_recursion_over_paths, "wait", "visited 900 times for 12 nodes"),
    (lambda loss: a_pass(loss, g_of=lambda g: one), "multiply", "called with 1 instead of"),
    (lambda loss: a_pass(loss, order=lambda l: order_of(l)[:-1]), "", "stops one node early"),
    (lambda loss: a_pass(loss, order=lambda l: order_of(l)[:1]), "", "only the last operation"),
    (lambda loss: a_pass(loss, sends=lambda p: p[:1]), "local", "only the first input"),
    (lambda loss: a_pass(loss, sends=lambda p: p[-1:]), "local", "only the last input"),
    (
        lambda loss: a_pass(
            loss, sends=lambda p: [(t, q) for (t, _), (_, q) in zip(p, reversed(p))]
        ),
        "local",
        "each other's part",
    ),
    (lambda loss: a_pass(loss, seed=0.0), "", "every gradient is 0"),
    (lambda loss: a_pass(loss, seed=2.0), "", "twice too large"),
    (lambda loss: a_pass(loss, seed=loss.item()), "", "with the value of the loss"),
    (lambda loss: a_pass(loss, seed=-1.0), "", "wrong sign"),
    (calls_the_leaf, "accumulate", "it has changed .grad"),
    (lambda loss: loss.backward(), "accumulate", "it has changed .grad"),
    (lambda loss: list(right(loss).items()), "", "it returns a list, and a dict is wanted"),
    (lambda loss: right(loss) and None, "", "it returns nothing"),
    (keys_are_nodes, "leaf", "a key of what it returns is a node"),
    (lambda loss: {"a": one}, "", "is a, and the keys are leaves"),
    (lambda loss: {leaf: [1] for leaf in right(loss)}, "", "is [1], and a gradient is wanted"),
    (lambda loss: {}, "", "it returns an empty dict"),
    (never_ends, "", "put back into the list"),
    (asks_autograd, "", "no node was called"),
    (forgets_none, "", "it raised"),
    (lambda loss: dict.fromkeys(right_leaves(loss), one * 5), "", "Walk through this by hand"),
    (7, "", "a function is wanted"),
]


def test_a_right_pass_is_right():
    assert backward_pass(right) == ""


@pytest.mark.parametrize(("attempt", "rule", "words"), MISTAKES)
def test_a_mistake_is_called_by_its_name(attempt, rule, words):
    said = backward_pass(attempt)
    assert words in said
    assert (said.rule if isinstance(said, Broke) else "") == rule


@pytest.mark.parametrize(("attempt", "rule", "words"), MISTAKES[:19])
def test_no_right_number_is_told(attempt, rule, words):
    said = backward_pass(attempt)
    yours = said.partition("your gradient for ")[2].partition(":")[0]
    for program in [*small_programs(), *random_programs(12)]:
        if str(program) in said and yours:
            name, _, number = yours.partition(" is ")
            assert number != f"{program.gradients()[name]:.4g}"
    assert "should be" not in said


def test_nothing_written_yet_is_no_attempt():
    def my_backward(loss): ...

    assert backward_pass(my_backward) is None
    assert backward_pass(lambda loss: ...) is None


def test_a_pass_with_gaps_is_no_attempt_and_is_one_when_they_are_filled():
    def my_backward(loss):
        for node in ...:
            node(1.0)

    def open_sum(loss):
        arrived = {}
        for after, _ in loss.grad_fn.next_functions:
            arrived[getattr(after, "variable", after)] = ...
        return arrived

    def filled(loss):
        """A line that was left standing is no gap."""
        return a_pass(loss)
        ...

    assert backward_pass(my_backward) is None and backward_pass(open_sum) is None
    assert backward_pass(filled) == ""


def test_the_smallest_program_that_shows_the_mistake_is_shown():
    said = backward_pass(lambda loss: a_pass(loss, join=lambda a, b: b))
    assert said.endswith("  a = 3  # a leaf\n  loss = a * a")


def test_the_programs_grow():
    sizes = [program.size() for program in small_programs()]
    assert sizes == sorted(sizes)
    assert tower().size() == 12


def test_an_exercise_is_judged_so(capsys):
    exercise = Exercise("my_backward", judge=backward_pass)
    assert check(exercise, right).passed
    assert not check(exercise, lambda loss: a_pass(loss, seed=0.0)).passed
    assert "every gradient is 0" in capsys.readouterr().out


def by_dict(loss, order, starts=True, default=None):
    """A pass that looks up what has arrived, as most people write it."""
    arrived = {loss.grad_fn: one} if starts else {}
    found = {}
    for node in order(loss):
        for after, part in parts_of(node, arrived[node]):
            if hasattr(after, "variable"):
                found[after.variable] = found.get(after.variable, 0) + part
            elif default is None:
                arrived[after] += part
            else:
                arrived[after] = arrived.get(after, default) + part
    return found


def test_a_node_that_is_looked_up_too_early_is_called_by_its_name_and_never_by_its_address():
    said = backward_pass(lambda loss: by_dict(loss, lambda loss: order_of(loss)[::-1], default=0))
    assert said.startswith("it visits the node of ")
    assert "before anything has arrived there" in said
    assert not isinstance(said, Broke)  # an error that was raised is shown at once
    assert "arrived[node]" in said  # the line where it happened
    assert "0x" not in said and "object" not in said


@pytest.mark.parametrize("starts", [True, False])
def test_a_key_that_was_never_put_there_is_not_taken_for_a_wrong_order(starts):
    said = backward_pass(lambda loss: by_dict(loss, order_of, starts))
    assert "nothing was put there before" in said
    assert not isinstance(said, Broke)
