"""Operations and their derivative rules as text, with the program's own names filled in.

The rule that is shown is the rule that runs: its syntax tree is read from the source of the
operation, and only names are put in.
"""

from __future__ import annotations

import ast
import copy
import functools
import inspect
import math
from typing import Any

from ..engine.node import Kind
from .plain_rules import in_plain_words, local_in_plain_words, said_of

HOLE = "left_out"  # a name that Python can read, in place of "…"
INFIX: dict[str, ast.operator] = {
    "add": ast.Add(),
    "sub": ast.Sub(),
    "mul": ast.Mult(),
    "div": ast.Div(),
    "pow": ast.Pow(),
    "mm": ast.MatMult(),
    "bmm": ast.MatMult(),
    "mv": ast.MatMult(),
    "dot": ast.MatMult(),
}
SYMBOLS = {
    "add": "+",
    "sub": "−",
    "rsub": "−",
    "neg": "−",
    "mul": "×",
    "div": "÷",
    "pow": "xⁿ",
    "mm": "@",
    "addmm": "@+",
    "bmm": "@",
    "mv": "@",
    "dot": "@",
    "sum": "Σ",
    "mean": "mean",
    "sqrt": "√",
    "exp": "eˣ",
    "transpose": "ᵀ",
    "permute": "ᵀ",
    "nll_loss": "nll",
    "nll_loss_2d": "nll",
    "mse_loss": "mse",
    "huber_loss": "huber",
    "binary_cross_entropy": "bce",
    "binary_cross_entropy_with_logits": "bce",
    "convolution": "conv",
    "max_pool": "pool",
    "avg_pool": "pool",
    "adaptive_avg_pool": "pool",
    "native_batch_norm": "norm",
    "native_group_norm": "norm",
    "native_layer_norm": "norm",
    "standardize": "norm",
    "standardize_by": "norm",
    "linalg_vector_norm": "norm",
    "embedding": "embed",
    "leaky_relu": "leaky",
    "log_softmax": "log sm",
    "log_sigmoid": "log σ",
    "masked_fill": "fill",
    "copy_slices": "write",
    "index_put": "write",
    "index_select": "index",
    "unsafe_view": "view",
    "unsqueeze": "+ dim",
    "squeeze": "− dim",
    "reciprocal": "1/x",
    "logsumexp": "lse",
    "clamp_min": "clamp",
    "clamp_max": "clamp",
}


def symbol(op: str) -> str:
    """A short sign for an operation."""
    return SYMBOLS.get(op, op.replace("_", " "))


def formula(op: str, operands: list[str]) -> str:
    """An operation applied to operands, as one would write it: ``c * d``, ``tanh(h)``."""
    return _formula(op, tuple(operands))


@functools.lru_cache(4096)
def _formula(op: str, operands: tuple[str, ...]) -> str:
    if op == "rsub":
        op = "sub"
        operands = operands[::-1]
    parts = [expression(text) for text in operands]
    if op in INFIX and len(parts) == 2:
        return ast.unparse(ast.BinOp(parts[0], INFIX[op], parts[1]))
    if op == "neg":
        return ast.unparse(ast.UnaryOp(ast.USub(), parts[0]))
    return f"{op}({', '.join(operands)})"


@functools.lru_cache(4096)
def indexed(operand: str, index: str) -> str:
    """A part of an operand: ``table[1]``, ``(a + b)[0]``."""
    return ast.unparse(ast.Subscript(expression(operand), ast.Name(index[1:-1]), ast.Load()))


def expression(text: str) -> ast.expr:
    """Text as a syntax tree, so that brackets appear where they are needed, and only there."""
    try:
        body = ast.parse(text.replace("…", HOLE), mode="eval").body
    except (SyntaxError, ValueError):  # "64×32 numbers"; or a text that no program can hold
        return ast.Name(text, ast.Load())
    for node in ast.walk(body):
        if isinstance(node, ast.Name) and node.id == HOLE:
            node.id = "…"
    return body


# ------------------------------------------------------------------------------------- rules


@functools.cache
def rules_of(kind: Kind) -> dict[str, ast.expr]:
    """The derivative rules of a kind of node, by argument, as syntax trees."""
    forward = kind.forward
    if forward is None:
        return {}
    try:
        tree = ast.parse(inspect.getsource(inspect.getmodule(forward) or forward))
    except (OSError, TypeError):  # no source at hand
        return {}
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.name == forward.__code__.co_name:
            (call,) = node.decorator_list
            assert isinstance(call, ast.Call)
            return {
                keyword.arg: keyword.value.body
                for keyword in call.keywords
                if keyword.arg is not None and isinstance(keyword.value, ast.Lambda)
            }
    return {}


class WithoutCalls(ast.NodeTransformer):
    """An operand in which calls are names: ``tanh(h)`` is a value here, no step of a rule."""

    def visit_Call(self, node: ast.Call) -> ast.expr:
        return ast.Name(ast.unparse(node), ast.Load())


class Filled(ast.NodeTransformer):
    """A rule with names and numbers put in, and what that decides worked out."""

    def __init__(self, names: dict[str, str]) -> None:
        self.names = names

    def visit_Name(self, node: ast.Name) -> ast.expr:
        text = self.names.get(node.id)
        if text is None:
            return ast.Name(node.id.strip("_"), ast.Load())
        return WithoutCalls().visit(expression(text))

    def visit_IfExp(self, node: ast.IfExp) -> Any:
        return self.visit(node.body)  # the other branch is the exception: d(x**0)

    def visit_Call(self, node: ast.Call) -> Any:
        if isinstance(node.func, ast.Name) and node.func.id == "zero":
            return ast.Constant(0)
        if isinstance(node.func, ast.Name) and node.func.id == "raised":
            return self.visit_BinOp(ast.BinOp(node.args[0], ast.Pow(), node.args[1]))
        node = ast.Call(node.func, [self.visit(part) for part in node.args], [])
        if isinstance(node.func, ast.Name) and node.func.id in ("prod", "count"):
            return counted(node)
        if isinstance(node.func, ast.Name) and node.func.id == "times":
            return ast.BinOp(node.args[0], ast.MatMult(), node.args[1])
        return ast.Call(self.visit(node.func), node.args, [])

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        left = self.visit(node.left)
        right = self.visit(node.right)
        constants = isinstance(left, ast.Constant) and isinstance(right, ast.Constant)
        if constants and isinstance(node.op, ast.Sub):
            return ast.Constant(left.value - right.value)
        if isinstance(node.op, ast.Pow) and is_number(right, 1):
            return left
        if isinstance(node.op, ast.Mult) and is_number(left, 1):
            return right
        return ast.BinOp(left, node.op, right)


def counted(call: ast.Call) -> ast.expr:
    """How many entries were averaged, where the shape is known: ``prod((2, 3))`` is 6."""
    try:
        shape, *dims = (ast.literal_eval(part) for part in call.args)
    except ValueError:
        return call
    return ast.Constant(math.prod(shape[d] for d in dims[0]) if dims else math.prod(shape))


def summed_over(have: tuple[int, ...], shape: tuple[int, ...]) -> str:
    """In words: along which dimensions a gradient was summed to get this shape; "" if none."""
    lead = len(have) - len(shape)
    if lead < 0:
        return ""
    dims = [*range(lead), *[d + lead for d, size in enumerate(shape) if have[d + lead] != size]]
    if not dims:
        return ""
    times = math.prod(have[d] for d in dims)
    named = ", ".join(map(str, dims))
    return f"summed over dim {named} (it was used {'once' if times == 1 else f'{times} times'})"


def is_number_text(text: str) -> bool:
    """Is it a number, as "2", "-0.5" or "nan"?"""
    try:
        float(text)
    except ValueError:
        return False
    return True


def is_number(node: ast.expr, value: int) -> bool:
    return isinstance(node, ast.Constant) and node.value == value


def rule_text(kind: Kind, argument: str, names: dict[str, str]) -> str:
    """The rule for one argument, with names filled in: ``g * d``."""
    return _rule_text(kind, argument, tuple(names.items()))


@functools.lru_cache(4096)
def _rule_text(kind: Kind, argument: str, names: tuple[tuple[str, str], ...]) -> str:
    body = rules_of(kind).get(argument)
    if body is None:
        return said_of(kind.op, argument, dict(names)) or kind.rule_text
    filled = Filled(dict(names)).visit(copy.deepcopy(body))
    return in_plain_words(kind.op, argument, filled, dict(names))


def local_text(kind: Kind, argument: str, names: dict[str, str]) -> str | None:
    """The local derivative, if the rule is g times something: ``d``; else None."""
    return _local_text(kind, argument, tuple(names.items()))


@functools.lru_cache(4096)
def _local_text(kind: Kind, argument: str, named: tuple[tuple[str, str], ...]) -> str | None:
    body = rules_of(kind).get(argument)
    if body is None:
        return None
    names = dict(named)
    local = without_g(Filled({**names, "g": "g"}).visit(copy.deepcopy(body)))
    return None if local is None else local_in_plain_words(kind.op, argument, local, names)


def without_g(node: ast.expr) -> ast.expr | None:
    """What multiplies g: X for ``g * X``, ``1 / X`` for ``g / X``; None if that is not it."""
    if isinstance(node, ast.Name) and node.id == "g":
        return ast.Constant(1)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        inner = without_g(node.operand)
        return None if inner is None else ast.UnaryOp(ast.USub(), inner)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult | ast.Div):
        if mentions_g(node.right):
            return None
        inner = without_g(node.left)
        if inner is None:
            return None
        if isinstance(node.op, ast.Mult):
            if is_number(inner, 1):
                return node.right
            if isinstance(inner, ast.UnaryOp) and is_number(inner.operand, 1):
                return ast.UnaryOp(ast.USub(), node.right)
        return ast.BinOp(inner, node.op, node.right)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "where":
        parts = [without_g(arg) if mentions_g(arg) else arg for arg in node.args]
        known = [part for part in parts if part is not None]
        if len(known) == len(parts):
            return ast.Call(node.func, known, [])
    return None


def mentions_g(node: ast.expr) -> bool:
    return any(isinstance(part, ast.Name) and part.id == "g" for part in ast.walk(node))
