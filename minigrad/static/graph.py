"""A program as a graph, for the views: each line a node, each value that it reads an arrow.

Nobody is told of anything here, and nothing runs: it is drawn from the text of the lines.
"""

from __future__ import annotations

import ast
import linecache
import os
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from ..tape import Tape
from ..tape.facts import Fact
from ..tape.source import cell_label
from ..tape.values import Captured
from .notes import CALL, COPY, GRAD, OUTSIDE, PURE, WRITE
from .steps import GIVEN, Step

SIGNS: dict[type[ast.AST], str] = {
    ast.Add: "add",
    ast.Sub: "sub",
    ast.Mult: "mul",
    ast.Div: "div",
    ast.Pow: "pow",
    ast.MatMult: "matmul",
    ast.USub: "neg",
}
"""Python's operators by the names of the operations, for which the views have signs."""

CALLS = {
    "add": "add",
    "subtract": "sub",
    "multiply": "mul",
    "divide": "div",
    "true_divide": "div",
    "negative": "neg",
    "power": "pow",
    "add.reduce": "sum",
    "maximum.reduce": "amax",
    "minimum.reduce": "amin",
}
"""The same of NumPy's functions."""


KEPT = "kept as a gradient"
"""How long a value is there that a line hands to a tensor."""


class NoValue(NamedTuple):
    """Stands for the dtype of a line that makes nothing."""

    name: str = "no value"
    itemsize: int = 0


class LineKind(NamedTuple):
    """What the views ask of an operation's kind. Lines have no rules: they may be part of one."""

    op: str
    name: str
    arguments: tuple[str, ...] = ()
    needs: Mapping[str, Any] = MappingProxyType({})
    fused: Mapping[str, str] = MappingProxyType({})


class ProgramTape(Tape):
    """The graph of a program: see ``Compiled.graph``.

    A line that writes to an array stands between what has made the array and who reads it later.
    """

    def __init__(self, name: str, steps: Sequence[Step], results: Sequence[str]) -> None:
        super().__init__()
        self.name = name
        self.steps: dict[str, Step] = {}  # by the key of the node
        self.until: dict[str, str] = {}  # by the name of a value: how long it is there
        made: dict[str, str] = {}  # by the name of a value: the node that has made it,
        written: dict[int, str] = {}  # and by its memory, the node that wrote there last
        memory: dict[str, int] = {}
        given: list[str] = []  # nodes that give a gradient to a tensor, for the call that uses it
        for number, step in enumerate(steps):
            key = f"t{number}" if step.kind == GIVEN else f"n{number}"
            operands = [
                written.get(memory.get(name, OUTSIDE), made[name])
                for name in step.reads
                if name in made
            ]
            if step.kind == CALL:
                operands += given
                given = []
            elif step.kind == GRAD:
                given.append(key)
            for owner in step.writes - {OUTSIDE}:
                written[owner] = key
            if step.makes:
                made[step.makes] = key
                memory[step.makes] = step.memory
            self.steps[key] = step
            end = KEPT if step.kind == GRAD else f"deleted after {step.makes or step.text}"
            self.until |= dict.fromkeys(step.forgets, end)
            shown = self.facts[made[step.reads[0]]].value if changes_a_value(step) else None
            self.facts[key] = fact_of(key, step, tuple(dict.fromkeys(operands)), shown)
        self.root = made[results[-1]] if results else [*self.steps][-1]

    def __repr__(self) -> str:
        own = len(self.in_order())
        return f"<graph of {self.name}: {own} line{'s' * (own != 1)}>"

    def in_order(self) -> list[str]:
        """The keys of the lines, in the order in which they run."""
        return [key for key in self.facts if key.startswith("n")]

    def text(self, operand: str, depth: int = 3) -> str:
        """A value by its name; of a line that makes none, the line."""
        fact = self.facts[operand]
        return fact.aliases[0] if fact.aliases else self.formula(fact)

    def formula(self, fact: Fact, depth: int = 3) -> str:
        """A line without the name that its value gets."""
        return right_side(self.steps[fact.key])

    def describe(self, key: str, most: int = 0) -> dict[str, Any]:
        """One line, as the page gets it; with the line of the running program it comes from."""
        step = self.steps[key]
        described = super().describe(key, most)
        if step.kind == GIVEN:
            described["kind"] = GIVEN
        described["until"] = self.there_until(step)
        if described["value"]["shape"] == []:
            described["value"] |= {"text": "a number" if step.dtype else "no value"}
        if step.line:
            described |= {
                "line": step.line,
                "file": cell_label(step.file) or os.path.basename(step.file),
                "source": linecache.getline(step.file, step.line).strip(),
                "scope": step.backward,
            }
        return described

    def there_until(self, step: Step) -> str:
        """How long the value of a line takes memory; "" of what was there before."""
        if step.kind == GIVEN or not step.makes:
            return ""
        return self.until.get(step.makes, "kept to the end")

    def numbers(self, fact: Fact) -> str:
        """A program has no numbers: each call has its own."""
        return ""

    def look_for_names(self) -> None:
        """They are all known."""

    def stamp(self, key: str) -> Any:
        """Nothing changes."""
        return key


def changes_a_value(step: Step) -> bool:
    """Does it change, or hand on, the first value that it names, and make none?"""
    return step.kind in (WRITE, GRAD) and not step.makes and bool(step.reads)


def fact_of(key: str, step: Step, operands: tuple[str, ...], shown: Captured | None) -> Fact:
    """``shown``: the value that stands at a line which makes none."""
    made = Captured(None, step.shape, np.dtype(step.dtype) if step.dtype else NoValue())
    value = shown or made
    names = (step.makes,) if step.makes else ()
    if step.kind == GIVEN:
        return Fact(key, "data", "", (), value, aliases=names, watched=False)
    op = operation(step)
    return Fact(key, LineKind(op, op), op, operands, value, aliases=names, watched=False)


def operation(step: Step) -> str:
    """What a line does, in a word: the function that it calls, or what kind of line it is."""
    if step.kind not in (PURE, COPY, WRITE):
        return step.kind
    line: Any = ast.parse(right_side(step)).body[0]
    if isinstance(line, ast.Assign):  # to a part of an array
        return step.kind
    expression = line.value if isinstance(line, ast.Expr) else line
    if isinstance(expression, ast.BinOp | ast.UnaryOp | ast.AugAssign):
        return SIGNS.get(type(expression.op), type(expression.op).__name__.lower())
    if isinstance(expression, ast.Compare):
        return type(expression.ops[0]).__name__.lower()
    if isinstance(expression, ast.Attribute):
        return expression.attr
    if isinstance(expression, ast.Call):
        function = ast.unparse(expression.func).removeprefix("np.")
        return CALLS.get(function, function.rpartition(".")[2])
    return "index" if isinstance(expression, ast.Subscript) else type(expression).__name__.lower()


def right_side(step: Step) -> str:
    """The line without ``v7 =``."""
    return step.text.removeprefix(f"{step.makes} = ") if step.makes else step.text
