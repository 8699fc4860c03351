"""The slice of a training step: of its lines, those on which the training hangs.

An experiment runs only these: zero, backward and step; what changes something that they use; and
the conditions around them. What prints, saves, notes down or draws is left aside. Whether the lines
of the slice are harmless is another question: ``harmless`` answers it.
"""

from __future__ import annotations

import ast
import builtins
import copy
import types
from collections.abc import Sequence
from typing import Any

from minigrad.engine.node import TensorBase

from .harmless import Names, dotted, origin
from .loop_lines import names_in

CALLS = ("zero_grad", "backward", "step")
JUMPS = ast.Break | ast.Continue | ast.Return | ast.Pass
BLOCKS = ast.For | ast.While | ast.If | ast.With | ast.Try
NEVER = ast.Assert | ast.Raise | ast.ClassDef
DISPLAYS = ast.List | ast.Tuple | ast.Set | ast.Dict | ast.keyword
SCOPES = ast.GeneratorExp | ast.ListComp | ast.Lambda
CONTAINERS = (list, dict, set)
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


class Slice(ast.NodeTransformer):
    """Of a piece of program, what its zero, backward and step hang on; a ``pass`` for the rest.

    ``aside`` has the first lines of what was left aside.
    """

    def __init__(self, variables: Names) -> None:
        self._variables = variables
        self._needed: set[str] = set()
        self.aside: list[str] = []

    def of(self, body: Sequence[ast.stmt]) -> list[Any]:
        """The slice of these lines. They stay as they are."""
        while True:
            self.aside.clear()
            lines = [self.visit(line) for line in copy.deepcopy(body)]
            names = names_in(*lines)
            if names <= self._needed:
                return lines
            self._needed |= names

    def visit(self, node: ast.AST) -> ast.AST:
        """A line, or the ``pass`` in its place; of a block, its lines one by one."""
        if isinstance(node, ast.ExceptHandler):
            return self.generic_visit(node)
        if isinstance(node, BLOCKS):
            return self._block(node)
        if isinstance(node, ast.FunctionDef):
            return node if node.name in self._needed else ast.Pass()
        if isinstance(node, JUMPS) or not isinstance(node, ast.stmt):
            return node
        if isinstance(node, NEVER) or not self._matters(node):
            return self._left(node)
        return node

    def _block(self, block: ast.AST) -> ast.AST:
        before = len(self.aside)
        self.generic_visit(block)
        if not does_nothing(block) or any(map(self._matters, heads(block))):
            return block
        del self.aside[before:]
        return self._left(block)

    def _left(self, line: ast.AST) -> ast.Pass:
        self.aside.append(ast.unparse(line).splitlines()[0])
        return ast.Pass()

    def _matters(self, line: ast.AST) -> bool:
        """Is it one of the calls, or does it change what the slice uses?"""
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
        given = set().union(*map(lent, [*call.args, *call.keywords]))
        if origin(value) in LOOKING_ON and not isinstance(value, CONTAINERS):
            return given if root == "next" else set()
        if isinstance(call.func, ast.Attribute) and (path or not root):
            if isinstance(value, (TensorBase, *CONTAINERS)):  # it takes in nothing of ours
                given = set()
            return given if only_reads(value, call.func.attr) else given | {owner}
        if origin(value) == "minigrad" and isinstance(value, types.FunctionType | type):
            return given if value.__name__.endswith("_") else set()
        return given | {root}


def only_reads(value: Any, method: str) -> bool:
    """Does a method leave what it belongs to as it is?"""
    tensor = isinstance(value, TensorBase) and not method.endswith("_")
    return tensor or method in READING


def root_of(node: ast.AST) -> str:
    """The variable at the root of ``a.b[0].c``; "" if there is none."""
    while isinstance(node, ast.Attribute | ast.Subscript | ast.Starred):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def lent(node: ast.AST) -> set[str]:
    """The variables in an argument that a call gets themselves, and not a number made from them."""
    if isinstance(node, DISPLAYS):
        return set().union(*map(lent, ast.iter_child_nodes(node)))
    if isinstance(node, SCOPES):
        return names_in(node)
    if isinstance(node, ast.Call):
        method = node.func
        passed_on = isinstance(method, ast.Attribute) and method.attr in PASSING_ON
        return {root_of(method)} if passed_on else set()
    return {root_of(node)}


def heads(block: ast.AST) -> list[ast.AST]:
    """What stands between the first word of a block and its colon."""
    found = [getattr(block, field, None) for field in ("test", "iter")]
    found += [item.context_expr for item in getattr(block, "items", ())]
    return [head for head in found if head is not None]


def does_nothing(block: ast.AST) -> bool:
    """Is nothing left in a block? A loop's own jumps are nothing outside of it."""
    nothing = BLOCKS | ast.Pass
    if isinstance(block, ast.For | ast.While):
        nothing |= ast.Break | ast.Continue
    lines = [node for node in ast.walk(block) if isinstance(node, ast.stmt)]
    return all(isinstance(line, nothing) for line in lines)
