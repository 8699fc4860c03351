"""Facts: what is known of each operation and each leaf, and how it is told.

An operation is taken down as a bare note; it becomes a fact when somebody looks at it. Names,
formulas and summaries are worked out then, too.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from types import CodeType
from typing import Any

import numpy as np

from ..engine.node import Node
from . import formulas
from .activations import Activation
from .parts import INDEXED, index_text, is_index, is_path, path_text
from .scope import Call
from .source import NOWHERE, Place
from .values import CORNER, Captured, capture, number, summary, summary_if_any, text_of

LIMIT = 8_000  # facts kept; beyond, those of freed nodes are forgotten, oldest first

NEXT = 60  # numbers after an operation's own, among which the rest of its composite is looked for

WRITE, COPY = "copy_slices", "copy"
"""Replaces a part of a tensor by another value; and by one of another shape, or an own one."""

WITHOUT_RULES = {"standardize_by": 3}
"""Operations of which so many operands stand in the formula, though not all of them have a rule."""

CONSTANT = "constant"
"""What stands in a formula for a number that nobody kept, and that no value tells."""

Note = tuple[int, Any, list[Any], Any, CodeType | None, int, int, str, tuple[Call, ...], Any]
"""What is taken down of an operation: its number, kind, operands and value, the code object and
instruction that made it, how far the called function had got, the running cell's label, the
modules that were called, and the call of the function that made it."""


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
    within: Activation | None = None  # the call of a function that made it
    aliases: tuple[str, ...] = ()  # names found in a namespace
    watched: bool = True  # did anybody watch when it was made?
    ref: Any = None  # of a leaf: a weak reference
    version: Any = 0  # of a leaf: see ``version_of``, when its value was taken down
    rewritten: bool = False  # of a leaf: has it other numbers than when it was first used?


UNSHOWN = slice, np.ndarray, Node
"""What an option may have in it that says nothing to a reader of a formula."""


class Literal(str):
    """An operand that is not a node: a number or an option, as text."""


class Index(Literal):
    """The part of a tensor that an operation takes or replaces: ``[0]``."""


class Facts(dict[str, Any]):
    """Facts by key. A note becomes a fact when somebody looks at it; most are never looked at."""

    def __init__(self) -> None:
        super().__init__()
        self.states: dict[str, str] = {}  # of those that are not "alive"
        self.written: dict[str, tuple[str, ...]] = {}  # names of what a write has changed

    def __getitem__(self, key: str) -> Fact:
        entry: Fact | Note = super().__getitem__(key)
        if isinstance(entry, Fact):
            return entry
        _, kind, operands, value, code, instruction, inside, cell, calls, within = entry
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
            aliases=self.written.pop(key, ()),
            within=within,
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

    def forget_the_oldest(self, kept: Collection[str] = ()) -> bool:
        """Of those that are gone and not ``kept``, all but the latest go. Were there any?

        However many came at once, and however many are alive.
        """
        gone = [key for key in self if self.states.get(key) == "gone" and key not in kept]
        for key in gone[: max(0, len(gone) - 3 * LIMIT // 4)]:
            del self[key]
            self.states.pop(key, None)
            self.written.pop(key, None)
        return bool(gone)


class Described:
    """Names, formulas and numbers of the facts, as text and as data."""

    facts: Facts
    marks_of: Callable[[Fact], dict[str, Any]]  # see ``marks``
    cut_text: Callable[[str], str]
    _grads: dict[str, Captured]  # what the latest pass brought to an operation
    _texts: dict[tuple[str, int], str] | None = None  # of operands, while nothing changes

    @contextlib.contextmanager
    def unchanged(self) -> Iterator[None]:
        """While this runs, no fact changes: what was worked out once is known."""
        outer = self._texts
        self._texts = {} if outer is None else outer
        try:
            yield
        finally:
            self._texts = outer

    def names(self, fact: Fact) -> list[str]:
        """The variables that hold the value: the one it was assigned to first.

        Unless that is a variable of the notebook which holds something else by now.
        """
        names = list(fact.aliases)
        if fact.place is not None and fact.op != WRITE and not self.is_inner(fact):
            first = fact.place.assigned()
            if first in names or (first is not None and not (names and fact.place.scope == "")):
                names = [first, *[name for name in names if name != first]]
        return names

    def is_inner(self, fact: Fact) -> bool:
        """Is it an inner step of a composite operation, whose last node gets the name?"""
        run = module_call(fact)
        inside = fact.inside
        for following in self.following(fact):
            if following.place != fact.place:
                return False
            if run:
                return module_call(following) == run
            if module_call(following) or not following.inside > inside >= 0:
                return False
            if fact.key in following.operands:
                return True
            inside = following.inside
        return False

    def following(self, fact: Fact) -> Iterator[Fact]:
        """Some of the operations that were made after this one."""
        number = int(fact.key[1:])
        for later in range(number + 1, number + 1 + NEXT):  # writes take numbers too
            found = self.facts.get(f"n{later}")
            if found is not None:
                yield found

    def text(self, operand: str, depth: int = 3) -> str:
        """An operand in a formula: its variable, its own formula if short, or its value."""
        if not self._is_node(operand):  # of an operand that was forgotten, nothing is known
            return str(operand) if isinstance(operand, Literal) else "…"
        known = self._texts
        if known is None:
            return self._text(operand, depth)
        text = known.get((operand, depth))
        if text is None:
            text = known[operand, depth] = self._text(operand, depth)
        return text

    def _text(self, operand: str, depth: int) -> str:
        fact = self.facts[operand]
        names = self.names(fact)
        if names:
            return names[0]
        if not fact.op:
            return self.cut_text(operand) or text_of(fact.value)
        if is_write(fact):  # as a part of another formula, it would be one in itself
            return "…"
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
        if is_write(fact):
            return self._written(fact, depth)
        texts = [self.text(operand, depth) for operand in shown_operands(fact)]
        if fact.op in INDEXED and isinstance(fact.operands[-1], Index):
            return formulas.indexed(texts[0], fact.operands[-1])
        for position, argument in enumerate(fact.kind.arguments[: len(texts)]):
            first = fact.kind.fused.get(argument, "t")
            if first != "t":  # that a matrix lies transposed is no step of its own
                texts[position] = f"{first}({texts[position]})"
        return formulas.formula(fact.op, texts)

    def _written(self, fact: Fact, depth: int) -> str:
        """What a write in place has made: ``y with [0] ← a * 2``, where y is what it was before."""
        before, new, part = fact.operands
        text = self.text(before, depth)
        if not self._is_node(before):  # numbers that no operation has made
            text = next(iter(self.names(fact)), text)
        if " " in text:
            text = f"({text})"
        return f"{text} with {part} ← {self.source_of_write(new, depth)}"

    def source_of_write(self, operand: str, depth: int = 3) -> str:
        """What was written: that its numbers were copied is no step for a reader."""
        if self._is_node(operand):
            fact = self.facts[operand]
            if fact.op == COPY and len(fact.operands) > 1 and not self.names(fact):
                operand = fact.operands[1]
        return self.text(operand, depth)

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
                    if name in known and self.is_value(known[name]):
                        why.setdefault(name, []).append(f"{names[argument]}: {rule}")
        return [
            {"arg": name, "text": names[name], "bytes": self.bytes(known[name]), "why": rules}
            for name, rules in why.items()
        ]

    def is_value(self, operand: str) -> bool:
        """Is it a value to be looked at: a node, a leaf, a number? Options are none."""
        return self._is_node(operand) or formulas.is_number_text(str(operand))

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
        grad = self.grad(fact) if most or not fact.op else None
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
            "grad": summary_if_any(grad, most or 1),
            "numbers": "",
            "saved": [],
            "inputs": [],
            "state": self.facts.state(key),
        }
        made["formula"] = self.formula(fact) if fact.op else self.cut_text(key)
        if fact.rewritten:
            made["rewritten"] = True
        if fact.calls:
            made["call"] = module_call(fact)
        if fact.op and fact.kind.fused:
            made["fused"] = fused(fact.kind)
        made.update(self.marks_of(fact))
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


def is_write(fact: Fact) -> bool:
    """Did it replace a part of a tensor, and is it known which?"""
    return fact.op == WRITE and len(fact.operands) == 3


def as_input(described: dict[str, Any]) -> dict[str, Any]:
    """An operation that was made before what is shown: its result, as an input of that."""
    nothing: dict[str, Any] = {"inputs": [], "saved": [], "numbers": "", "op": "", "symbol": ""}
    return {**described, **nothing, "kind": "earlier"}


def shown_operands(fact: Fact) -> tuple[Any, ...]:
    """The operands that stand in its formula: no options."""
    if fact.op in formulas.INFIX:
        return fact.operands[:2]
    if fact.op == COPY and len(fact.operands) > 1:
        return fact.operands[1:2]  # what was there before is lost
    if fact.op in WITHOUT_RULES:
        return fact.operands[: WITHOUT_RULES[fact.op]]
    return fact.operands[: len(fact.kind.needs) or None]


def module_call(fact: Fact) -> int:
    """Which call of one of our modules, by a line of the program, has made it; 0 if none has."""
    number = 0
    for call in reversed(fact.calls):
        if not call.ours:
            break
        number = call.number
    return number


def fused(kind: Any) -> str:
    """Which nodes of PyTorch's a node of this kind stands for."""
    first = [f"{op.title().replace('_', '')}Backward0" for op in kind.fused.values()]
    return f"one node for PyTorch's {' and '.join((*first, kind.name))}"


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
    if isinstance(value, Captured):
        return Literal(text_of(value))
    if isinstance(value, np.ndarray):
        return Literal(text_of(capture(value)))
    if value is ...:
        return Literal("…")
    if type(value) is tuple and is_path(value):
        return Index(path_text(value))
    if type(value) is tuple and is_index(value):
        return Index(f"[{index_text(value)}]")
    if hasattr(value, "_fields"):  # options, as a program wants them
        return Literal("…")
    if isinstance(value, tuple) and any(isinstance(part, UNSHOWN) for part in value):
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
