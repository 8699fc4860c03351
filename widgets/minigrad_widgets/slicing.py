"""Of a training step, the lines on which the training hangs.

An experiment runs only these: zero, backward and step; what changes something that they use; and
the conditions around them. What prints, saves, notes down or draws is left aside. Whether the lines
that are kept are harmless is another question: ``harmless`` answers it.
"""

from __future__ import annotations

import ast
import builtins
import copy
import types
from collections.abc import Mapping
from typing import Any

from minigrad.engine.node import TensorBase

from .harmless import dotted, origin
from .loop_lines import names_in

CALLS = ("zero_grad", "backward", "step")
JUMPS = ast.Break | ast.Continue | ast.Return
BLOCKS = ast.For | ast.While | ast.If | ast.With | ast.Try
LOOKING_ON = {
    "IPython",
    "_io",
    "builtins",
    "csv",
    "datetime",
    "gc",
    "io",
    "ipykernel",
    "ipywidgets",
    "json",
    "logging",
    "matplotlib",
    "minigrad_widgets",
    "os",
    "pathlib",
    "pickle",
    "posixpath",
    "pprint",
    "shutil",
    "subprocess",
    "sys",
    "tensorboard",
    "time",
    "tqdm",
    "wandb",
    "warnings",
}
"""Packages that change nothing of what they are given."""

READING = {
    "clone",
    "cpu",
    "detach",
    "float",
    "format",
    "get",
    "item",
    "items",
    "keys",
    "mean",
    "norm",
    "numpy",
    "state_dict",
    "sum",
    "tolist",
    "values",
}
"""Methods that change nothing of what they belong to, whatever that is."""

PASSING_ON = {"parameters", "named_parameters", "children", "modules", "buffers", "items", "values"}
"""Methods that hand out the parts themselves."""


class Slice:
    """Which lines are kept, and which are left aside."""

    def __init__(self, variables: Mapping[str, Any]) -> None:
        self._variables = variables
        self._needed: set[str] = set()
        self.aside: list[str] = []

    def of(self, body: list[ast.stmt]) -> list[ast.stmt]:
        """The lines of this body on which its zero, backward and step hang."""
        while True:
            self.aside.clear()
            kept = self._block(body)
            names = names_in(*kept)
            if names <= self._needed:
                return kept
            self._needed |= names

    def _block(self, lines: list[Any]) -> list[Any]:
        return [kept for kept in map(self._line, lines) if kept is not None]

    def _line(self, line: Any) -> Any:
        """The line, with what is kept of a block; None if it is left aside."""
        if isinstance(line, JUMPS | ast.Pass):
            return line
        if isinstance(line, BLOCKS):
            return self._kept_block(line)
        if isinstance(line, ast.FunctionDef):
            return line if line.name in self._needed else None
        if isinstance(line, ast.Assert | ast.Raise | ast.Import | ast.ImportFrom | ast.ClassDef):
            return self._left(line)
        return line if self._matters(line) else self._left(line)

    def _kept_block(self, block: Any) -> Any:
        before = len(self.aside)
        kept = copy.copy(block)
        for field in ("body", "orelse", "finalbody"):
            setattr(kept, field, self._block(getattr(block, field, [])))
        if isinstance(block, ast.Try):
            kept.handlers = [copy.copy(handler) for handler in block.handlers]
            for handler in kept.handlers:
                handler.body = self._block(handler.body) or [ast.Pass()]
        kept.body = kept.body or [ast.Pass()]
        if does_nothing(kept) and not any(map(self._matters, heads(block))):
            del self.aside[before:]
            return self._left(block)
        return kept

    def _left(self, line: ast.stmt) -> None:
        self.aside.append(ast.unparse(line).splitlines()[0])

    def _matters(self, line: ast.AST) -> bool:
        """Is it one of the calls, or does it change what the kept lines use?"""
        changed = set()
        for node in ast.walk(line):
            if isinstance(node, ast.Call):
                if isinstance(node.func, ast.Attribute) and node.func.attr in CALLS:
                    return True
                changed |= self._changed_by(node)
            elif isinstance(getattr(node, "ctx", None), ast.Store | ast.Del):
                changed.add(root_of(node))
        return bool(changed & self._needed)

    def _changed_by(self, call: ast.Call) -> set[str]:
        """The variables that a call may change, as far as one sees."""
        root, *path = dotted(call.func)
        owner = root_of(call.func)
        value = self._variables.get(owner, getattr(builtins, owner, None))
        while path and isinstance(value, types.ModuleType):
            value = getattr(value, path.pop(0), None)
        if origin(value) in LOOKING_ON and not isinstance(value, list | dict | set):
            return lent(call) if root == "next" else set()
        if isinstance(call.func, ast.Attribute) and (path or not root):
            own = set() if self._only_reads(value, call.func.attr) else {owner}
            plain = isinstance(value, TensorBase | list | dict | set)
            return own if plain else own | lent(call)
        if origin(value) == "minigrad" and isinstance(value, types.FunctionType | type):
            return lent(call) if str(value.__name__).endswith("_") else set()
        return {root} | lent(call)

    def _only_reads(self, value: Any, method: str) -> bool:
        tensor = isinstance(value, TensorBase) and not method.endswith("_")
        return tensor or method in READING


def root_of(node: Any) -> str:
    """The variable at the root of ``a.b[0].c``; "" if there is none."""
    while isinstance(node, ast.Attribute | ast.Subscript | ast.Starred):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def lent(call: ast.Call) -> set[str]:
    """The variables that a call is given themselves, and not only a number made from them."""
    result: set[str] = set()
    waiting: list[Any] = [*call.args, *(keyword.value for keyword in call.keywords)]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.List | ast.Tuple | ast.Set):
            waiting += node.elts
        elif isinstance(node, ast.Dict):
            waiting += node.values
        elif isinstance(node, ast.GeneratorExp | ast.ListComp | ast.Lambda):
            result |= names_in(node)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            result |= {root_of(node.func)} if node.func.attr in PASSING_ON else set()
        else:
            result.add(root_of(node))
    return result - {""}


def heads(block: Any) -> list[ast.AST]:
    """What stands between the first word of a block and its colon."""
    found = [getattr(block, field, None) for field in ("test", "iter")]
    return [*filter(None, found), *(item.context_expr for item in getattr(block, "items", ()))]


def does_nothing(block: Any) -> bool:
    """Is nothing left in a block? A loop's own jumps are nothing outside of it."""
    own = isinstance(block, ast.For | ast.While)
    nothing = ast.Pass | ast.Break | ast.Continue if own else ast.Pass
    inside = [one for one in ast.walk(block) if isinstance(one, ast.stmt)]
    return all(isinstance(one, nothing | BLOCKS) for one in inside)
