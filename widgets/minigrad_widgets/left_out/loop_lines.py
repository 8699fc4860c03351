"""The lines of a training loop as a piece of program: found in their file, and changed."""

from __future__ import annotations

import ast
import copy
import inspect
import linecache
import textwrap
from collections.abc import Callable, Iterator
from types import CodeType
from typing import Any

from minigrad.optim import Optimizer

from .harmless import Names, dotted

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


class Loop:
    """A training loop as syntax trees.

    ``round`` is one round of it: a loop over ``__items__``, which has a single item. ``items`` is
    what the loop itself runs over. ``lines`` are those of one step: of the round, or of the
    function that it ``defines``.
    """

    def __init__(self, lines: list[ast.stmt], target: ast.expr, items: ast.expr) -> None:
        self.round = ast.For(target, ast.Name("__items__", ast.Load()), lines, [])
        self.items = items
        self.lines = lines
        self.defines = ""

    @classmethod
    def without_end(cls, lines: list[ast.stmt]) -> Loop:
        """A loop that runs over nothing in particular, for as long as somebody wants."""
        nothing = ast.List([ast.Constant(None)], ast.Load())
        return cls(lines, ast.Name("__item__", ast.Store()), nothing)

    def names(self) -> set[str]:
        """The names that it uses."""
        return names_in(self.round, self.items)

    def batches(self, variables: dict[str, Any]) -> Iterator[Any]:
        """What the loop runs over, from its beginning, again and again."""
        code = compile(ast.fix_missing_locations(ast.Expression(self.items)), "<items>", "eval")
        while True:
            empty = True
            for item in eval(code, variables):
                empty = False
                yield item
            if empty:
                what = f"`{ast.unparse(self.items)}` gives nothing when it is run over again"
                raise CannotTell(what, "make a list of it before the block")

    def code(self, left_out: str | None, variables: Names) -> CodeType:
        """One round, ready to run.

        Without ``backward``, there is ``__backward__(loss)`` in its place. In another "order", the
        step comes before the backward pass. Other lines can be left out where they are called.
        """
        changed = copy.deepcopy(self.round)
        if left_out == "backward":
            Silenced().visit(changed)
        if left_out == "order":
            swap(changed, variables)
        module = ast.fix_missing_locations(ast.Module([changed], []))
        return compile(module, "<the loop's lines>", "exec")


def calls(tree: ast.AST, method: str, variables: Names) -> list[tuple[list[ast.stmt], ast.stmt]]:
    """The lines that call this method of the model, the optimiser or a loss.

    Each stands behind the list of lines in which it is.
    """
    return [
        (lines, line)
        for node in ast.walk(tree)
        for lines in (getattr(node, "body", None), getattr(node, "orelse", None))
        if isinstance(lines, list)  # and not the one expression of a lambda
        for line in lines
        if isinstance(line, ast.Expr | ast.Assign)
        if any(is_call(part, method, variables) for part in ast.walk(line))
    ]


def swap(tree: ast.AST, variables: Names) -> None:
    """Put the step before the backward pass."""
    beside = [
        (lines, step, backward)
        for lines, step in calls(tree, "step", variables)
        for others, backward in calls(tree, "backward", variables)
        if lines is others
    ]
    if not beside:
        raise CannotTell("backward() and step() do not stand side by side in the loop", FUNCTION)
    lines, step, backward = beside[-1]
    lines.remove(step)
    lines.insert(lines.index(backward), step)


class Silenced(ast.NodeTransformer):
    """``loss.backward()`` becomes ``__backward__(loss)``."""

    def visit_Call(self, node: ast.Call) -> ast.Call:
        self.generic_visit(node)
        if isinstance(node.func, ast.Attribute) and node.func.attr == "backward":
            name = ast.Name("__backward__", ast.Load())
            return ast.Call(name, [node.func.value, *node.args], node.keywords)
        return node


def loop_of_block(file: str, line: int) -> Loop:
    """The loop that calls ``backward()`` in the ``with`` block that begins in this line."""
    linecache.checkcache(file)
    try:
        tree = ast.parse("".join(linecache.getlines(file)))
    except SyntaxError:
        raise CannotTell("the lines of the loop cannot be read", FUNCTION) from None
    blocks = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.With) and node.lineno <= line <= last_line(node)
    ]
    if not blocks:
        raise CannotTell("there is no `with` block to take the lines from", FUNCTION)
    block = blocks[-1]
    training = [
        node
        for node in ast.walk(block)
        if any(is_call(part, "backward", {}) for part in ast.walk(node))
    ]
    if not training:
        what = "no line of the block calls backward(): as it stands, it trains nothing"
        raise CannotTell(what, put_in("loss.backward()"))
    loops = [node for node in training if isinstance(node, ast.For | ast.While)]
    if not loops:
        return Loop.without_end(block.body)
    innermost = loops[-1]  # walked from the outside in
    if isinstance(innermost, ast.While):
        return Loop.without_end(innermost.body)
    return Loop(innermost.body, innermost.target, innermost.iter)


def loop_of_function(step: Callable[..., Any]) -> Loop:
    """The loop that calls a function of one step again and again."""
    try:
        (made,) = ast.parse(textwrap.dedent(inspect.getsource(step))).body
    except (OSError, TypeError, SyntaxError, ValueError):
        raise CannotTell("the source of step cannot be read", STEP) from None
    wants = len(inspect.signature(step).parameters)
    if not isinstance(made, ast.FunctionDef) or wants > 2:
        raise CannotTell(f"step={step!r} is no function of model and optimizer alone", STEP)
    made.decorator_list = []
    given = ", ".join(("__model__", "__optimizer__")[:wants])
    loop = Loop.without_end([made, *ast.parse(f"{made.name}({given})").body])
    loop.lines = made.body
    loop.defines = made.name
    return loop


def last_line(block: ast.With) -> int:
    """The last line of what stands between ``with`` and the colon."""
    return block.items[-1].context_expr.end_lineno or block.lineno


def put_in(call: str) -> str:
    """What helps where a line is missing."""
    return f"put {call} in, run the loop, and ask again; or {FUNCTION}"


def is_call(node: ast.AST, method: str, variables: Names) -> bool:
    """Does it call this method? ``step`` must be that of an optimiser, and not of a scheduler."""
    if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
        return False
    if method != "step" or node.func.attr != "step":
        return node.func.attr == method
    root, *path = dotted(node.func.value)
    owner = variables.get(root)
    for name in path:
        owner = getattr(owner, name, None)
    return isinstance(owner, Optimizer) or (owner is None and not path)


def names_in(*trees: ast.AST) -> set[str]:
    """The names that stand in a piece of program."""
    return {n.id for tree in trees for n in ast.walk(tree) if isinstance(n, ast.Name)}
