"""What an engine makes of a program: the right one, and a place for each mistake to be made.

It works on plain programs, not on a class with operators. A mistake is a subclass that overrides
one method, or changes one rule.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from .programs import LOOKS, Program, Step

Outcome = dict[str, Any]
Rule = Callable[..., Any]

FORWARD: dict[str, Callable[..., Any]] = {
    "add": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "div": np.true_divide,
    "pow": np.power,
    "neg": np.negative,
    "tanh": np.tanh,
    "exp": np.exp,
    "log": np.log,
    "relu": lambda x: np.maximum(x, 0),
    "sum": lambda x, axis=None, keepdims=False: np.sum(x, axis, keepdims=keepdims),
    "matmul": np.matmul,
}


def sum_rule(g: Any, out: Any, x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    if axis is not None and not keepdims:
        g = np.expand_dims(g, axis)
    return np.broadcast_to(g, x.shape)


RULES: dict[str, list[Rule]] = {
    "add": [lambda g, out, x, y: g, lambda g, out, x, y: g],
    "sub": [lambda g, out, x, y: g, lambda g, out, x, y: -g],
    "mul": [lambda g, out, x, y: g * y, lambda g, out, x, y: g * x],
    "div": [lambda g, out, x, y: g / y, lambda g, out, x, y: -g * x / y**2],
    "pow": [lambda g, out, x, n: g * n * x ** (n - 1), lambda g, out, x, n: 0 * g],
    "neg": [lambda g, out, x: -g],
    "tanh": [lambda g, out, x: g * (1 - out**2)],
    "exp": [lambda g, out, x: g * out],
    "log": [lambda g, out, x: g / x],
    "relu": [lambda g, out, x: g * (x > 0)],
    "sum": [sum_rule],
    "matmul": [lambda g, out, x, y: g @ y.T, lambda g, out, x, y: x.T @ g],
}
"""How much reaches each operand when ``g`` has reached the result ``out``."""


class Refused(Exception):
    """An engine raises an error here. ``args[0]`` is its kind."""


class Made:
    """A value of the program: a leaf, or the result of an operation."""

    def __init__(self, data: Any, requires: bool = True) -> None:
        self.data = np.asarray(data, dtype=float)
        self.requires = requires
        self.grad: Any = None
        self.op = ""
        self.edges: list[tuple[Made, Callable[[Any], Any]]] = []
        self.freed = False


class Engine:
    """The right engine. ``run`` returns what the runner returns of a class that makes no mistake.

    >>> program = [["leaf", "x", 3.0], ["mul", "y", "x", "x"], ["backward", "y"], ["grad", "x"]]
    >>> Engine().run(program)
    {'looks': [6.0], 'error': None}
    """

    rules = RULES
    constants_too = False  # do constants get a grad?
    frees = True
    asks_all = True  # is every value of a pass asked whether it was freed, or the last one only?

    def run(self, program: Program) -> Outcome:
        self.names: dict[str, Made] = {}
        self.looks: list[Any] = []
        try:
            with np.errstate(all="ignore"):
                self.play(program)
        except Refused as error:
            kind = str(error.args[0])
            return {"looks": self.looks, "error": {"kind": kind, "text": "", "line": ""}}
        return {"looks": self.looks, "error": None}

    def play(self, program: Program) -> None:
        for verb, *rest in program:
            if verb == "leaf":
                self.names[rest[0]] = Made(rest[1], *rest[2:])
            elif verb == "repeat":
                for _ in range(rest[0]):
                    self.play(rest[1])
            elif verb == "while":
                while self.holds(rest[0]):
                    self.play(rest[1])
            elif verb == "if":
                self.play(rest[1] if self.holds(rest[0]) else rest[2])
            elif verb == "backward":
                self.backward(self.names[rest[0]], **(rest[1] if len(rest) > 1 else {}))
            elif verb == "zero":
                self.names[rest[0]].grad = None
            elif verb in LOOKS:
                self.looks.append(self.look(verb, rest[0]))
            else:
                self.names[rest[0]] = self.record(verb, rest[1:])

    def holds(self, condition: Step) -> bool:
        name, sign, number = condition
        value = float(self.names[name].data)
        return value < number if sign == "<" else value > number

    def look(self, verb: str, name: str) -> Any:
        if verb == "grad":
            return plain(self.names[name].grad)
        if verb == "value":
            return plain(self.names[name].data)
        if verb == "flag":
            return self.names[name].requires
        if verb == "kind":
            return "floats"
        if verb == "forget":
            made = self.names.pop(name)
            return "freed" if made.freed or not made.requires else "held"
        try:
            self.backward(self.names[name])
        except Refused:
            return "refused"
        return "accepted"

    # ------------------------------------------------------------------------- forwards

    def record(self, verb: str, parts: list[Any]) -> Made:
        options = parts[-1] if isinstance(parts[-1], dict) else {}
        operands = [
            self.names[part] if isinstance(part, str) else Made(part, False)
            for part in parts
            if part is not options
        ]
        arrays = [operand.data for operand in operands]
        out = Made(self.value(verb, arrays, options), any(one.requires for one in operands))
        out.op = verb
        for rule, operand in zip(self.rules[verb], operands):
            if operand.requires or self.constants_too:
                out.edges.append((operand, self.way_back(rule, out, arrays, options, operand)))
        return out

    def value(self, verb: str, arrays: list[Any], options: dict[str, Any]) -> Any:
        return FORWARD[verb](*arrays, **options)

    def way_back(
        self, rule: Rule, out: Made, arrays: list[Any], options: Any, to: Made
    ) -> Callable[[Any], Any]:
        return lambda g: self.fitted(
            rule(self.upstream(g), out.data, *arrays, **options), to.data.shape
        )

    def fitted(self, part: Any, shape: tuple[int, ...]) -> Any:
        """What was broadcast is summed."""
        part = np.asarray(part)
        while part.ndim > len(shape):
            part = part.sum(axis=0)
        for axis, length in enumerate(shape):
            if length == 1 and part.shape[axis] != 1:
                part = part.sum(axis=axis, keepdims=True)
        return part

    # ------------------------------------------------------------------------ backwards

    def upstream(self, g: Any) -> Any:
        return g

    def join(self, before: Any, part: Any) -> Any:
        return before + part

    def at_leaf(self, before: Any, part: Any) -> Any:
        """What a pass makes of what an earlier pass has left at a leaf."""
        return before + part

    def seed(self, root: Made) -> Any:
        return np.ones_like(root.data)

    def order(self, root: Made, arrived: dict[Made, Any]) -> Iterator[Made]:
        """Each value after all the results that use it: in the reverse of a depth-first walk."""
        return iter(reversed(depth_first(root)))

    def backward(self, root: Made, retain_graph: bool = False) -> None:
        if root.freed:
            raise Refused("RuntimeError")
        arrived = self.begin(root)
        self.waiting: deque[Made] = deque([root])
        visited = []
        for made in self.order(root, arrived):
            visited.append(made)
            if made.freed and self.asks_all:
                raise Refused("RuntimeError")
            if made not in arrived:
                continue
            for to, rule in made.edges:
                part = rule(arrived[made])
                arrived[to] = self.join(arrived[to], part) if to in arrived else part
                self.waiting.append(to)
        self.end(arrived)
        if self.frees and not retain_graph:
            for made in visited:
                if made.op:
                    made.edges = []
                    made.freed = True

    def begin(self, root: Made) -> dict[Made, Any]:
        return {root: self.seed(root)}

    def end(self, arrived: dict[Made, Any]) -> None:
        for made, g in arrived.items():
            if not made.op:
                made.grad = g if made.grad is None else self.at_leaf(made.grad, g)


def depth_first(root: Made) -> list[Made]:
    """All values behind this one, each after those that it was made of."""
    done: list[Made] = []
    seen: set[Made] = set()
    waiting = [(root, False)]
    while waiting:
        made, finished = waiting.pop()
        if finished:
            done.append(made)
        elif made not in seen:
            seen.add(made)
            waiting.append((made, True))
            waiting += [(to, False) for to, _ in reversed(made.edges)]
    return done


def plain(value: Any) -> Any:
    """A number, or an array, as the runner hands it out."""
    if value is None:
        return None
    array = np.asarray(value, dtype=float)
    if array.ndim == 0:
        return float(array)
    return {"shape": list(array.shape), "numbers": [float(x) for x in array.ravel()]}
