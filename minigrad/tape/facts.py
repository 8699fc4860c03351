"""Facts: what is known of each operation and each leaf, and how it is told.

An operation is taken down as a bare note; it becomes a fact when somebody looks at it. Names,
formulas and summaries are worked out then, too.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from types import CodeType
from typing import Any

import numpy as np

from . import formulas
from .scope import Call
from .source import NOWHERE, Place
from .values import CORNER, Captured, capture, number, summary, summary_if_any

LIMIT = 20_000  # facts kept; beyond, those of freed nodes are forgotten, oldest first

CONSTANT = "constant"
"""What stands in a formula for a number that nobody kept, and that no value tells."""

Note = tuple[int, Any, list[Any], Any, CodeType | None, int, int, str, tuple[Call, ...]]
"""What is taken down of an operation: its number, kind, operands and value, the code object and
instruction that made it, how far the called function had got, the running cell's label, and the
modules that were called."""


@dataclass(slots=True)
class Fact:
    """What the tape knows of one operation or one leaf."""

    key: str  # "n12", "t3"
    kind: Any  # a graph.Kind; "leaf" or "data" for a tensor that no operation made
    op: str
    operands: tuple[Any, ...]  # keys, and Literals
    value: Captured
    place: Place | None = None
    inside: int = -1  # how far the function that was called there had got, see ``user_frame``
    cell: str = ""
    calls: tuple[Call, ...] = ()  # of modules, outermost first
    aliases: tuple[str, ...] = ()  # names found in a namespace
    ref: Any = None  # of a leaf: a weak reference
    version: Any = 0  # of a leaf: see ``version_of``, when its value was taken down


class Literal(str):
    """An operand that is not a node: a number or an option, as text."""


class Facts(dict[str, Any]):
    """Facts by key. A note becomes a fact when somebody looks at it; most are never looked at."""

    def __init__(self) -> None:
        super().__init__()
        self.states: dict[str, str] = {}  # of those that are not "alive"

    def __getitem__(self, key: str) -> Fact:
        entry: Fact | Note = super().__getitem__(key)
        if isinstance(entry, Fact):
            return entry
        _, kind, operands, value, code, instruction, inside, cell, calls = entry
        fact = self[key] = Fact(
            key,
            kind,
            kind.op,
            tuple(map(operand_key, operands)),
            value if isinstance(value, Captured) else capture(value),
            None if code is None else Place(code, instruction),
            inside,
            cell,
            calls,
        )
        return fact

    def get(self, key: str, default: Any = None) -> Any:
        """A fact, if there is one."""
        if key not in self:
            return default
        return self[key]

    def state(self, key: str) -> str:
        """ "alive", "spent" (backward took what was saved) or "gone"."""
        return self.states.get(key, "alive")

    def forget_the_oldest(self) -> None:
        """Forget some of those that are gone, to stay within the limit."""
        gone = [key for key in self if self.states.get(key) == "gone"]
        for key in gone[: LIMIT // 4]:
            del self[key]
            self.states.pop(key, None)


class Described:
    """Names, formulas and numbers of the facts, as text and as data."""

    facts: Facts
    _grads: dict[str, Captured]  # what the latest pass brought to an operation

    def names(self, fact: Fact) -> list[str]:
        """The variables that hold the value: the one it was assigned to first."""
        names = list(fact.aliases)
        if fact.place is not None and not self.is_inner(fact):
            first = fact.place.assigned()
            if first is not None:
                names = [first, *[name for name in names if name != first]]
        return names

    def is_inner(self, fact: Fact) -> bool:
        """Is it an inner step of a composite operation, whose last node gets the name?"""
        following = self.facts.get(f"n{int(fact.key[1:]) + 1}")
        return (
            following is not None
            and following.place == fact.place
            and following.inside > fact.inside >= 0
            and fact.key in following.operands
        )

    def text(self, operand: str, depth: int = 3) -> str:
        """An operand in a formula: its variable, its own formula if short, or its value."""
        if not self._is_node(operand):
            return str(operand)
        fact = self.facts[operand]
        names = self.names(fact)
        if names:
            return names[0]
        if not fact.op:
            return str(summary(fact.value)["text"])
        # What is too long is cut where it is deepest: "(… - targets) ** 2".
        for deep in reversed(range(depth)):
            inner = self.formula(fact, deep)
            if len(inner) <= 24:
                return inner
        if fact.op in formulas.INFIX:
            return "…"
        return f"{fact.op}(…)"

    def _is_node(self, operand: str) -> bool:
        return operand in self.facts and not isinstance(operand, Literal)

    def formula(self, fact: Fact, depth: int = 3) -> str:
        """The operation with its operands' names, or their formulas down to this depth."""
        return formulas.formula(fact.op, [self.text(o, depth) for o in shown_operands(fact)])

    def equation(self, key: str) -> str:
        """The formula with its result's name: ``e = c * d``."""
        fact = self.facts[key]
        if not fact.op:
            return self.text(key)
        return " = ".join([*self.names(fact)[:1], self.formula(fact)])

    def saved(self, fact: Fact) -> list[dict[str, Any]]:
        """What the operation keeps for its backward pass, and which rules name it."""
        known = {**dict(zip(fact.kind.arguments, fact.operands)), "out": fact.key}
        names = {argument: self.text(operand) for argument, operand in known.items()}
        why: dict[str, list[str]] = {}
        for argument, needed in fact.kind.needs.items():
            if differentiable(self.facts.get(known.get(argument, ""))):
                rule = formulas.rule_text(fact.kind, argument, {**names, "g": "g"})
                for name in needed:
                    if name in known:
                        why.setdefault(name, []).append(f"{names[argument]}: {rule}")
        return [
            {"arg": name, "text": names[name], "bytes": self.bytes(known[name]), "why": rules}
            for name, rules in why.items()
        ]

    def bytes(self, operand: str) -> int:
        """The size of a value; a number's is nothing to speak of."""
        if not self._is_node(operand):
            return 0
        value = self.facts[operand].value
        return math.prod(value.shape) * int(np.dtype(value.dtype).itemsize)

    def numbers(self, fact: Fact) -> str:
        """The formula with numbers in place of names, if they are single numbers."""
        texts = [self.number_of(operand) for operand in shown_operands(fact)]
        if not all(texts):
            return ""
        return formulas.formula(fact.op, texts)

    def number_of(self, operand: str) -> str:
        """An operand in numbers; "" if it is more than one, or unknown."""
        if self._is_node(operand):
            return one_number(self.facts[operand].value)
        return str(operand).replace(CONSTANT, "")

    def grad(self, fact: Fact) -> Captured | None:
        """What the latest pass that was watched brought to an operation; of a leaf, its .grad."""
        if fact.op:
            return self._grads.get(fact.key)
        if fact.ref is None:
            return None
        tensor = fact.ref()
        if tensor is None or tensor._grad is None:
            return None
        return capture(tensor._grad._array)

    def describe(self, key: str, most: int = CORNER) -> dict[str, Any]:
        """One node, as the page gets it (``NodeData`` in ``tape.ts``).

        ``most``: of matrices, so many rows and columns; with 0, what takes long is left out.
        """
        fact = self.facts[key]
        place = fact.place
        where = NOWHERE if place is None else place.as_data()
        grad = self.grad(fact) if most else None
        made = {
            "id": key,
            "kind": "op" if fact.op else fact.kind,
            "op": fact.op,
            "symbol": formulas.symbol(fact.op),
            "names": self.names(fact),
            "formula": "",
            "cell": fact.cell,
            **where,
            "scope": modules(fact) or where["scope"],
            "spot": "" if place is None else f"{place.instruction}.{fact.inside}",
            "value": summary(fact.value, most or 1),
            "grad": summary_if_any(grad, most),
            "numbers": "",
            "saved": [],
            "inputs": [],
            "state": self.facts.state(key),
        }
        if fact.op:
            made["formula"] = self.formula(fact)
        if fact.op and most:
            made["numbers"] = self.numbers(fact)
            made["saved"] = self.saved(fact)
        if fact.op:
            arguments = fact.kind.arguments or ("input",) * len(fact.operands)
            made["inputs"] = [
                {
                    "id": operand if self._is_node(operand) else None,
                    "arg": arguments[min(position, len(arguments) - 1)],
                    "text": self.text(operand) if most else "",
                }
                for position, operand in enumerate(fact.operands)
            ]
        return made


def shown_operands(fact: Fact) -> tuple[Any, ...]:
    """The operands that stand in its formula: no options."""
    if fact.op in formulas.INFIX:
        return fact.operands[:2]
    return fact.operands[: len(fact.kind.needs) or None]


def modules(fact: Fact) -> str:
    """The modules that were called when it was made: "Net › layers.0"."""
    return " › ".join(call.name or call.kind for call in fact.calls)


def operand_key(noted: Any) -> str:
    """The operand of a note: a node's number, a leaf's key, or something else in a tuple."""
    if isinstance(noted, int):
        return f"n{noted}"
    if isinstance(noted, str):
        return noted
    return literal(noted[0])


def literal(value: Any) -> Literal:
    """A number or an option as text."""
    if isinstance(value, float):
        return Literal(number(value))
    if isinstance(value, tuple) and any(isinstance(part, (slice, np.ndarray)) for part in value):
        return Literal("…")
    return Literal(value)


def differentiable(fact: Fact | None) -> bool:
    """Does a gradient go there?"""
    return fact is not None and fact.kind != "data"


def one_number(value: Captured) -> str:
    """A value in a formula, if it is one number; else ""."""
    if value.corner is None or math.prod(value.shape) != 1:
        return ""
    return number(np.asarray(value.corner).reshape(-1)[0].item())
