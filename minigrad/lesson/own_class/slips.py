"""Engines with one mistake each, and what to say of it. Nothing that is said is a right number."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from .model import RULES, Engine, Made, Rule, depth_first

MOST_VISITS = 2_000


class TooLong(Exception):
    """A wrong engine takes every path of this program."""


class Slip(NamedTuple):
    """A mistake: what it concerns, what to say of it, and an engine that makes it."""

    concept: str  # all that a hidden test tells
    text: str
    makes: Callable[[], Engine]


def with_rule(concept: str, text: str, op: str, *rules: Rule) -> Slip:
    """One operation has other rules."""

    class Other(Engine):
        def __init__(self) -> None:
            self.rules = {**RULES, op: list(rules)}

    return Slip(concept, text, Other)


# ------------------------------------------------------------------------------- operations

SIGN = "the slopes of the operations"
NO_MINUS = "the rule of -x loses the minus on the way back."


class LostMinus(Engine):
    def __init__(self) -> None:
        self.rules = {**RULES, "neg": [lambda g, out, x: g], "sub": RULES["add"]}


RULES_WRONG = [
    with_rule(
        SIGN,
        "in a product, each factor gets its own value times g. Nudge x in x * y by a little: the "
        "product moves by the *other* factor times as much.",
        "mul",
        lambda g, out, x, y: g * x,
        lambda g, out, x, y: g * y,
    ),
    with_rule(
        SIGN,
        "the rule of a product leaves out g, so nothing of what comes later in the program "
        "reaches its factors.",
        "mul",
        lambda g, out, x, y: y,
        lambda g, out, x, y: x,
    ),
    with_rule(
        SIGN,
        "in a difference both operands get +g. When y grows, x - y shrinks.",
        "sub",
        RULES["add"][0],
        RULES["add"][1],
    ),
    with_rule(
        SIGN,
        "in a difference the signs are exchanged: which of the two makes x - y grow?",
        "sub",
        RULES["sub"][1],
        RULES["sub"][0],
    ),
    with_rule(SIGN, NO_MINUS, "neg", lambda g, out, x: g),
    Slip(SIGN, NO_MINUS, LostMinus),  # where a difference is written with the sign
    with_rule(
        SIGN,
        "in a power, the slope keeps the old exponent: it should be one less.",
        "pow",
        lambda g, out, x, n: g * n * x**n,
        RULES["pow"][1],
    ),
    with_rule(
        SIGN,
        "in a power, the exponent is missing as a factor.",
        "pow",
        lambda g, out, x, n: g * x ** (n - 1),
        RULES["pow"][1],
    ),
    with_rule(
        SIGN,
        "the slope of tanh is worked out from its input: 1 - x². It is 1 minus the square of the "
        "*result*.",
        "tanh",
        lambda g, out, x: g * (1 - x**2),
    ),
    with_rule(
        SIGN,
        "the slope of tanh is 1 - t², and yours is 1 - t: the square is missing.",
        "tanh",
        lambda g, out, x: g * (1 - out),
    ),
    with_rule(SIGN, "the rule of tanh leaves out g.", "tanh", lambda g, out, x: 1 - out**2),
    with_rule(
        SIGN, "tanh passes on g as it is, as if its slope were 1.", "tanh", lambda g, out, x: g
    ),
]


class Local(Engine):
    def upstream(self, g: Any) -> Any:
        return np.ones_like(g)


class SeedZero(Engine):
    def seed(self, root: Made) -> Any:
        return np.zeros_like(root.data)


class SeedValue(Engine):
    def seed(self, root: Made) -> Any:
        return root.data


CHAIN = "the chain rule"
CHAINS = [
    Slip(
        CHAIN,
        "every rule sends its own slope only. Multiply it by g, the gradient that has arrived at "
        "the result.",
        Local,
    ),
    Slip(
        CHAIN,
        "every gradient is 0. What does the pass start with? How much does y move when y moves?",
        SeedZero,
    ),
    Slip(
        CHAIN,
        "the pass starts with the value of y. How much does y move when y moves?",
        SeedValue,
    ),
]

# ------------------------------------------------------------------------------------ reuse


class Overwrite(Engine):
    def join(self, before: Any, part: Any) -> Any:
        return part


class KeepFirst(Engine):
    def join(self, before: Any, part: Any) -> Any:
        return before


class Average(Engine):
    def join(self, before: Any, part: Any) -> Any:
        return (before + part) / 2


REUSE = "a value that is used more than once"
USED_TWICE = "a value that is used twice gets two gradients, and the {}. They are to be added."


class Again(Engine):
    """At each arrival, all that is there by then is passed on."""

    last = True

    def order(self, root: Made, arrived: dict[Made, Any]) -> Iterator[Made]:
        visits = 0
        while self.waiting:
            visits += 1
            if visits > MOST_VISITS:
                raise TooLong
            yield self.waiting.pop() if self.last else self.waiting.popleft()


class AgainFirst(Again):
    last = False


class PathOverwrite(Engine):
    """A recursion along each path; at each value the last arrival stays."""

    keep_first = False
    turned = False

    def backward(self, root: Made, retain_graph: bool = False) -> None:
        found: dict[Made, Any] = {}
        waiting = deque([(root, self.seed(root))])
        visits = 0
        while waiting:
            visits += 1
            if visits > MOST_VISITS:
                raise TooLong
            made, g = waiting.pop()
            if made not in found or not self.keep_first:
                found[made] = g
            edges = made.edges if self.turned else made.edges[::-1]
            waiting += [(to, rule(g)) for to, rule in edges]
        self.end(found)


class PathFirst(PathOverwrite):
    keep_first = True


class AgainDeep(Engine):
    """A recursion that adds what has arrived, and passes on the sum each time."""

    def backward(self, root: Made, retain_graph: bool = False) -> None:
        found: dict[Made, Any] = {}
        waiting: list[tuple[Made, Made | None, Any]] = [(root, None, None)]
        visits = 0
        while waiting:
            visits += 1
            if visits > MOST_VISITS:
                raise TooLong
            made, user, rule = waiting.pop()
            part = self.seed(root) if user is None else rule(found[user])
            found[made] = found[made] + part if made in found else part
            waiting += [(to, made, back) for to, back in reversed(made.edges)]
        self.end(found)


SUMS_AGAIN = (
    "a value passes on its whole sum at each arrival, so what came first is sent twice. Pass on "
    "only what is new, or pass on once, when everything has arrived."
)
REUSES = [
    Slip(REUSE, USED_TWICE.format("last one replaces the first"), PathOverwrite),
    Slip(REUSE, USED_TWICE.format("last one replaces the first"), Overwrite),
    Slip(REUSE, USED_TWICE.format("second one is dropped"), PathFirst),
    Slip(REUSE, USED_TWICE.format("second one is dropped"), KeepFirst),
    Slip(REUSE, "a fork takes the average of what arrives. Arrivals are added.", Average),
    Slip(REUSE, SUMS_AGAIN, AgainDeep),
    Slip(REUSE, SUMS_AGAIN, Again),
    Slip(REUSE, SUMS_AGAIN, AgainFirst),
]

# ------------------------------------------------------------------------------------ order


class Forwards(Engine):
    """From the leaves to the root: nothing has arrived anywhere yet."""

    def order(self, root: Made, arrived: dict[Made, Any]) -> Iterator[Made]:
        return iter(depth_first(root))


class AsMet(Engine):
    """Each value when it is met first, before or after the others at which one could go on."""

    last = True
    marked_early = False
    turned = False  # is the second operand looked at first?

    def order(self, root: Made, arrived: dict[Made, Any]) -> Iterator[Made]:
        seen: set[Made] = {root} if self.marked_early else set()
        waiting: deque[Made] = deque([root])
        while waiting:
            made = waiting.pop() if self.last else waiting.popleft()
            if not self.marked_early:
                if made in seen:
                    continue
                seen.add(made)
            yield made
            for to, _ in made.edges[::-1] if self.turned else made.edges:
                if to not in seen:
                    waiting.append(to)
                    if self.marked_early:
                        seen.add(to)


class AsMetFirst(AsMet):
    last = False


class AsMetEarly(AsMet):
    marked_early = True


class AsMetFirstEarly(AsMetFirst):
    marked_early = True


class AsMetTurned(AsMet):
    turned = True


class AsMetFirstTurned(AsMetFirst):
    turned = True


class AsMetEarlyTurned(AsMetEarly):
    turned = True


class AsMetFirstEarlyTurned(AsMetFirstEarly):
    turned = True


class MarkedWhenListed(Engine):
    """Each value comes up twice, but counts as seen when it is put on the list."""

    turned = False

    def order(self, root: Made, arrived: dict[Made, Any]) -> Iterator[Made]:
        done: list[Made] = []
        seen = {root}
        waiting = [(root, False)]
        while waiting:
            made, finished = waiting.pop()
            if finished:
                done.append(made)
                continue
            waiting.append((made, True))
            for to, _ in made.edges[::-1] if self.turned else made.edges:
                if to not in seen:
                    seen.add(to)
                    waiting.append((to, False))
        return iter(done[::-1])


class MarkedWhenListedTurned(MarkedWhenListed):
    turned = True


class DepthFirst(Engine):
    """Before the values behind it, as a recursion meets it: the first operand first."""

    def order(self, root: Made, arrived: dict[Made, Any]) -> Iterator[Made]:
        seen: set[Made] = set()
        waiting = [root]
        while waiting:
            made = waiting.pop()
            if made not in seen:
                seen.add(made)
                yield made
                waiting += [to for to, _ in reversed(made.edges)]


ORDER = "the order of the visits"
EARLY = (
    "a value is visited before everything has arrived there, and what comes later is not passed "
    "on. Visit a value after all the results that use it."
)
ORDERS = [
    Slip(ORDER, EARLY, AsMet),
    Slip(ORDER, EARLY, AsMetFirst),
    Slip(ORDER, EARLY, AsMetEarly),
    Slip(ORDER, EARLY, AsMetFirstEarly),
    Slip(ORDER, EARLY, AsMetTurned),
    Slip(ORDER, EARLY, AsMetFirstTurned),
    Slip(ORDER, EARLY, AsMetEarlyTurned),
    Slip(ORDER, EARLY, AsMetFirstEarlyTurned),
    Slip(ORDER, EARLY, MarkedWhenListed),
    Slip(ORDER, EARLY, MarkedWhenListedTurned),
    Slip(ORDER, EARLY, DepthFirst),
    Slip(
        ORDER,
        "the values are visited forwards, from the leaves to y. When a leaf's turn comes, nothing "
        "has arrived yet. Turn the order round.",
        Forwards,
    ),
    *REUSES,
]
