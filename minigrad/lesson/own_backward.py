"""A backward pass that a learner writes over the real nodes, and what is wrong with it.

``my_backward(loss)`` returns ``{leaf: gradient}``. It walks the graph with ``loss.grad_fn``,
``node.next_functions`` and ``node(g)``, and finds a leaf as ``node.variable``.

The judge runs it on small programs, then on random ones, and compares with autograd. Mistakes are
named by making them on purpose: see ``slips`` for those that are not among the wrong ``engines``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..engine.node import AccumulateGrad, Node, TensorBase, Watch, edge_to, reachable
from .attempt import told
from .checking import has_gap, is_stub
from .programs import Program, random_programs, small_programs, tower
from .rules import broke, rule_of
from .slips import SLIPS, Slip, explained
from .values import array_in, words

MOST_CALLS = 900  # of one program: a pass needs one for each node
RANDOM = 12


class CalledTooOften(Exception):
    """The pass was stopped."""


@contextmanager
def listening(listener: Callable[[Node, Any, Sequence[Any]], None]) -> Iterator[None]:
    """Tell of each node that is called by hand: ``listener(node, g, parts)``."""
    before = Watch.called
    Watch.called = listener
    try:
        yield
    finally:
        Watch.called = before


@contextmanager
def graph_kept(loss: Any) -> Iterator[list[TensorBase]]:
    """The leaves behind ``loss``. Afterwards their ``.grad``, and what is saved, are as before."""
    nodes = reachable([edge_to(loss)])
    leaves = leaves_behind(loss)
    saved = [(node, node.saved) for node in nodes]
    grads = [(leaf, leaf._grad) for leaf in leaves]
    numbers = [(grad, grad._array.copy()) for _, grad in grads if grad is not None]
    try:
        yield leaves
    finally:
        for node, values in saved:
            node.saved = values
        for leaf, grad in grads:
            leaf._grad = grad
        for grad, array in numbers:
            grad._array = array


def leaves_behind(loss: Any) -> list[TensorBase]:
    """The leaves of a graph, each once, in the order in which they are first used."""
    nodes = reversed(reachable([edge_to(loss)]))
    edges = [edge for node in nodes for edge in node.edges]
    return list(dict.fromkeys(edge for edge in edges if isinstance(edge, TensorBase)))


@dataclass
class Run:
    """What came of an attempt at one program."""

    program: Program
    leaves: dict[str, TensorBase]
    loss: Any
    right: dict[str, float]
    nodes: int
    calls: int = 0
    stopped: bool = False
    returned: Any = None
    error: str = ""
    got: dict[str, float] = field(default_factory=dict)

    def is_wrong(self) -> bool:
        return self.stopped or not agree(self.got, self.right)

    def differing(self) -> str:
        """The first leaf whose gradient is wrong."""
        for name, right in self.right.items():
            if name not in self.got or not near(self.got[name], right):
                return name
        return ""

    def is_made_by(self, slip: Slip) -> bool:
        """Does this mistake give just these numbers?"""
        made = explained(self.loss, [slip])
        if not made:
            return self.stopped
        by_name = {name: made[0][leaf] for name, leaf in self.leaves.items() if leaf in made[0]}
        return not self.stopped and agree(self.got, by_name)


def near(one: float, other: float) -> bool:
    return bool(np.isclose(one, other, rtol=1e-6, atol=1e-9, equal_nan=True))


def agree(some: dict[str, float], others: dict[str, float]) -> bool:
    return some.keys() == others.keys() and all(near(some[name], others[name]) for name in some)


def run(attempt: Callable[[Any], Any], program: Program) -> Run:
    """Run an attempt on one program."""
    values = program.values()
    leaves = {name: values[name] for name in program.leaves}
    loss = values["loss"]
    made = Run(program, leaves, loss, program.gradients(), len(reachable([edge_to(loss)])))
    called: list[Node] = []

    def count(node: Node, g: Any, parts: Sequence[Any]) -> None:
        called.append(node)
        made.calls += 1
        if made.calls >= MOST_CALLS:
            raise CalledTooOften

    try:
        with listening(count):
            made.returned = attempt(loss)
    except CalledTooOften:
        made.stopped = True
    except KeyError as error:
        made.error = missing(error, values, called) or told(error)
    except Exception as error:
        made.error = told(error)
    if isinstance(made.returned, dict):
        for name, leaf in leaves.items():
            if is_number(made.returned.get(leaf)):
                made.got[name] = np.asarray(array_in(made.returned[leaf])).item()
    return made


def missing(error: KeyError, values: dict[str, TensorBase], called: list[Node]) -> str:
    """What it means that a node or a leaf was looked up at which nothing is; "" of any other."""
    node = error.args[0] if error.args else None
    where = told(error).splitlines()[-1]
    leaves = [name for name, value in values.items() if value is node and value.is_leaf]
    if leaves:
        return f"{NOTHING_KEPT.format(f'the leaf {leaves[0]}')}\n{where}"
    nodes = reachable([edge_to(values["loss"])])
    if node not in nodes:
        return ""
    names = [name for name, value in values.items() if edge_to(value) is node]
    who = f"the node of {names[0]}" if names else f"the node {node.name()}"
    users = [user for user in nodes if node in user.edges]
    is_sending = bool(called) and called[-1] in users
    if not is_sending and not set(users) <= set(called):
        return f"{EARLY_KEY.format(who)}\n{where}"
    return f"{NOTHING_KEPT.format(who)}\n{where}"


EARLY_KEY = (
    "it visits {} before anything has arrived there: every node comes after all nodes that use "
    "its value."
)
NOTHING_KEPT = (
    "it looks up {} in a dict, and nothing was put there before. What is the first to come has "
    "nothing to be added to."
)


def is_number(value: Any) -> bool:
    """Is it one number, alone or in a tensor?"""
    if isinstance(value, (list, tuple)):
        return False
    array = np.asarray(array_in(value))
    return array.size == 1 and array.dtype.kind in "fiu"


# ------------------------------------------------------------------------------- the judge


def backward_pass(attempt: Any) -> str | None:
    """A judge of a learner's own backward pass: ``Exercise("…", judge=backward_pass)``.

    ``attempt(loss)`` is to return ``{leaf: gradient}``, for the leaves behind a loss that is one
    number, and to leave every ``.grad`` alone. What is said names the mistake, and shows it on the
    smallest program that has it. It says no right numbers.

    >>> import minigrad as torch
    >>> def my_backward(loss):
    ...     node = loss.grad_fn
    ...     parts = node(torch.tensor(1.0))
    ...     return {last.variable: g for (last, _), g in zip(node.next_functions, parts) if last}
    >>> print(torch.lesson.backward_pass(my_backward))  # doctest: +ELLIPSIS
    it raised ...
    """
    if not callable(attempt):
        return f"it is {words(attempt)}, and a function is wanted: my_backward(loss)."
    runs = [run(attempt, program) for program in small_programs()]
    first = runs[0]
    if not first.error and (first.returned is ... or is_stub(attempt, first.returned)):
        return None
    if has_gap(attempt) and (first.error or first.is_wrong()):
        return None
    for one in runs:
        fault = fault_of(one)
        if fault:
            return shown(fault, one)
    if any(one.is_wrong() for one in runs):
        return named(runs)
    runs = [run(attempt, program) for program in random_programs(RANDOM)]
    for one in runs:
        if one.error or one.is_wrong():
            return shown(fault_of(one), one) if one.error else named(runs)
    high = run(attempt, tower())
    if high.stopped:
        return broke(
            "wait",
            f"the numbers are right, but each path is walked anew: visited {high.calls} times for "
            f"{high.nodes} nodes. Visit a node once, after all of its gradient has arrived.\n"
            "It was stopped in this program, whose paths double with each line:\n"
            f"{high.program.beginning()}",
        )
    if fault_of(high) or high.is_wrong():
        return shown(fault_of(high), high) if fault_of(high) else named([high])
    if first.calls == 0:
        return (
            "the numbers are right, but no node was called. Walk the graph yourself: "
            "loss.grad_fn, node.next_functions and node(g)."
        )
    return ""


def shown(text: str, one: Run) -> str:
    """A text, and below it the program that it is about."""
    rule = rule_of(text)
    text = f"{text}\nThe program:\n{one.program}"
    return broke(rule, text) if rule else text


def named(runs: list[Run]) -> str:
    """The mistake behind wrong numbers: the one that explains most, at the smallest program."""
    one = next(one for one in runs if one.is_wrong())
    if all(run.returned == {} for run in runs):
        return shown("it returns an empty dict: no gradient came as far as a leaf.", one)
    told_by = [slip for slip in SLIPS if one.is_made_by(slip)]
    slip = max(told_by, key=lambda slip: sum(r.is_made_by(slip) for r in runs), default=None)
    if one.stopped:
        return shown(
            f"visited {one.calls} times for {one.nodes} nodes, and then it was stopped: is "
            "something put back into the list again and again?",
            one,
        )
    name = one.differing()
    if slip is None and name not in one.got:
        return shown(f"what it returns has no gradient for {name}, which is a leaf.", one)
    if slip is None:
        slip = Slip("", "autograd has another gradient. Walk through this by hand.", none)
    theirs = "none"
    if name in one.got:
        theirs = f"{one.got[name]:.4g}"
    text = f"{slip.text}\nIt shows in this program, where your gradient for {name} is {theirs}:"
    text = f"{text}\n{one.program}"
    return broke(slip.rule, text) if slip.rule else text


def none(root: Node, value: float) -> dict[TensorBase, float]:
    return {}


def fault_of(one: Run) -> str:
    """What is wrong with what came back, whatever its numbers are; "" if nothing is."""
    returned = one.returned
    if one.error:
        return one.error
    if any(leaf._grad is not None for leaf in one.leaves.values()):
        return broke(
            "accumulate",
            "it has changed .grad. An AccumulateGrad that is called adds to it: read its variable, "
            "and keep the sum in a dict of your own.",
        )
    if one.stopped:
        return ""
    if returned is None:
        return "it returns nothing. Return the dict of leaves and gradients at the end."
    if not isinstance(returned, dict):
        return f"it returns a {type(returned).__name__}, and a dict is wanted: {{leaf: gradient}}."
    for key, value in returned.items():
        if isinstance(key, (Node, AccumulateGrad)):
            return broke(
                "leaf",
                "a key of what it returns is a node. The keys are the leaves alone, and the leaf "
                "of an AccumulateGrad is its variable.",
            )
        if not isinstance(key, TensorBase):
            return f"a key of what it returns is {words(key)}, and the keys are leaves: tensors."
        if not is_number(value):
            return f"a value of what it returns is {words(value)}, and a gradient is wanted."
    return ""
