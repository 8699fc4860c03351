"""The lines of a training loop as a piece of program: found, changed, and said to be missing."""

from __future__ import annotations

import ast
import os
from collections.abc import Callable
from typing import Any

from IPython.core.getipython import get_ipython

from minigrad.engine.node import TensorBase

FUNCTION = "give the function of one step: `loop.ask(..., step=train_step)`"
STEP = "write it as `def train_step(model, optimizer):`, with the lines of one step"


class CannotTell(ValueError):
    """The loop cannot be run again: what happened, what would help, and where the loop stands."""

    def __init__(self, what: str, fix: str, where: str = "") -> None:
        super().__init__(what)
        self.what = what
        self.fix = fix
        self.where = where

    def __str__(self) -> str:
        where = f"\n  where: {self.where}" if self.where else ""
        return f"{self.what}{where}\n  fix: {self.fix}."

    @property
    def in_page(self) -> str:
        """The same in two sentences, for the page: there one sees where."""
        fix = self.fix.removesuffix(f"; or {FUNCTION}")  # a button cannot give one
        return f"{self.what}. {fix[0].upper()}{fix[1:]}."

    def _render_traceback_(self) -> list[str]:
        """What a notebook shows: the message alone, which says more than our own frames."""
        return [f"ValueError: {self}"]


class Backward(ast.NodeTransformer):
    """``loss.backward()`` becomes ``__backward__(loss)``, which looks at the loss first."""

    def visit_Call(self, node: ast.Call) -> Any:
        self.generic_visit(node)
        if is_backward(node):
            owner: Any = node.func
            name = ast.Name("__backward__", ast.Load())
            return ast.copy_location(ast.Call(name, [owner.value, *node.args], node.keywords), node)
        return node


def backward_into(losses: list[float], silent: set[Any]) -> Callable[..., None]:
    """A backward pass that notes the loss, and does not take place if it is silent."""

    def backward(owner: Any, *args: Any, **options: Any) -> None:
        root = owner if isinstance(owner, TensorBase) else args[0]
        losses.append(float(root._array.sum()))
        if "backward" not in silent:
            owner.backward(*args, **options)

    return backward


def unless(silent: set[Any], method: str, call: Any) -> Callable[..., Any]:
    """The method, which does nothing while it is silent."""
    return lambda *args, **options: None if method in silent else call(*args, **options)


def put_in(call: str) -> str:
    """What helps where a line is missing."""
    return f"put {call} in, run the loop, and ask again; or {FUNCTION}"


def is_backward(node: Any) -> bool:
    """Is it ``something.backward(...)``?"""
    call = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
    return call and node.func.attr == "backward"


def names_in(*trees: ast.AST) -> set[str]:
    """The names that stand in a piece of program."""
    return {n.id for tree in trees for n in ast.walk(tree) if isinstance(n, ast.Name)}


def label_of(file: str) -> str:
    """The name of a file, or that of a notebook's cell: ``In [2]``."""
    shell: Any = get_ipython()
    cell = None if shell is None else shell.compile.format_code_name(file)
    return os.path.basename(file) if cell is None else str(cell[1]).replace("In[", "In [")


def last_line(block: ast.With) -> int:
    """The last line of what stands between ``with`` and the colon."""
    return max(item.context_expr.end_lineno or block.lineno for item in block.items)
