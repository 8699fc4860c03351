"""Derivative rules that a reader cannot do by hand, said in a sentence.

A rule may call helpers of minigrad's own, or take options that only a program can read. What has
a formula is written out (``EXPANDED``); of all else it is said what happens to g (``SENTENCES``).
"""

from __future__ import annotations

import ast
import copy
import functools
import math
from collections.abc import Mapping

READABLE = frozenset(
    [
        *("abs", "sign", "sqrt", "exp", "log", "math.log", "math.prod", "inv", "solve", "trunc"),
        *("sin", "cos", "sinh", "cosh", "tanh", "atan2", "sigmoid", "log_sigmoid"),
        *("sum", "mean", "min", "max", "count", "cumsum", "clamp", "clamp_min", "floor_divide"),
        *("where", "index_put", "expand", "flip", "roll", "permute", "transpose", "t"),
        *("diagonal", "diag_embed", "tril", "triu"),
    ]
)
"""Functions that a reader knows, or finds in PyTorch's documentation."""

EXPANDED = {
    "total": ("values, dim", "sum(values, dim)"),
    "with_keepdim": ("values, shape, dim", "values"),
    "div_floor": ("a, b", "floor_divide(a, b)"),
    "div_trunc": ("a, b", "trunc(a / b)"),
    "log_odds": ("p", "log(p / (1 - p))"),
    "log_of_number": ("a", "log(a)"),
    "logit_denominator": ("p", "p * (1 - p)"),
    "inverse_square": ("a, b", "1 / (a ** 2 + b ** 2)"),
    "parabola_slope": ("d, width", "clamp(d / width, -1, 1)"),
    "inverse_deviation": ("variance, eps, known", "1 / sqrt(variance + eps)"),
    "silu_slope": ("x, s", "s * (1 + x * (1 - s))"),
}
"""Helpers, and what they compute."""

PLACES = "g at the places of {input} that were taken, 0 everywhere else"
ADDED = "each entry of g is added at the place of {input} that it was taken from; all else gets 0"
TIES = "g where {input} has the value {out} (equal ones share it), 0 everywhere else"
POOLED = "each entry of g is shared equally by the inputs of its window"
SLOPE = "g * the slope of {op} at {input}"

SENTENCES = {
    "convolution.input": "each entry of g, times {weight}, is added to the inputs it came from",
    "convolution.weight": "for each weight: the sum of g times the input that it met, over all "
    "places",
    "convolution.bias": "for each channel: the sum of g over all places and samples",
    "max_pool.input": "each entry of g goes to the largest input of its window; all else gets 0",
    "avg_pool.input": POOLED,
    "adaptive_avg_pool.input": POOLED,
    "nll_loss_2d.input": "at the right class of each place: minus g times the weight of that place "
    "(1 / places, with reduction='mean'); 0 everywhere else",
    "nll_loss.input": "at the right class of each row: minus g times the weight of that row (1 / "
    "rows, with reduction='mean'); 0 everywhere else",
    "native_layer_norm.input": "(h - mean(h) - z * mean(h * z)) / std, where z is {input} "
    "standardized, std its standard deviation, and h is g times the weight",
    "standardize.input": "(g - mean(g) - z * mean(g * z)) / std, where z is {input} standardized "
    "and std its standard deviation",
    "native_layer_norm.weight": "g * z, where z is {input} standardized, summed over the rows",
    "copy_slices.input": "g, but 0 in {part}: what stood there was overwritten",
    "copy_slices.value": "g{part}: what of g belongs to the part that was written",
    "lstm": "back through all steps, the last one first, by the chain rule in each of its gates",
    "embedding.weight": "each row of g is added to the row of {weight} that was looked up",
    "repeat.input": "the sum of g over all copies",
    "constant_pad_nd.input": "g without the padding",
    "permute.input": "g with its dimensions in the order of before",
    "roll.input": "g, rolled back",
    "prod.input": "for each entry: g times the product of all others",
    "cumprod.input": "for each entry: the sum, over the later products, of g times that product "
    "without the entry",
    "std.input": "g * ({input} - mean) / ((n - correction) * {out})",
    "var.input": "2 * g * ({input} - mean) / (n - correction)",
    "mse_loss.input": "2 * ({input} - {target}) * g / n, where n is the number of entries (1, "
    "unless reduction='mean')",
    "mse_loss.target": "2 * ({target} - {input}) * g / n, where n is the number of entries (1, "
    "unless reduction='mean')",
    "gather.input": ADDED,
    "index_select.input": ADDED,
    "index.input": ADDED,
    "linalg_det.input": "g * {out} * inv({input}).mT",
}
"""What happens to g: by operation and argument, or by operation."""

BY_HELPER = {
    "softmax_again": "softmax({input}), less 1 at the right class of each row, times g and the "
    "weight of that row (1 / rows, with reduction='mean')",
    "embed": PLACES,
    "scatter": ADDED,
    "split_among_ties": TIES,
    "split_among_ties_along": TIES,
    "norm_gradient": "g * sign({input}) * (abs({input}) / {out}) ** (p - 1), where p is the order",
    "no_derivative": "none: {op} has no derivative here",
    "not_implemented": "none: {op} has no derivative here",
    "convolution": "a convolution of g with {weight}",
    "max_pool": "g, where the largest entries were",
    "each": "g (divided by the number of entries, with reduction='mean') * the slope of {op} at "
    "{input}",
}
"""The same by the helper that a rule calls, where many rules call it."""

OTHERWISE = "by the rule of {op}: a computation of its own, more than one formula"


class _Known(dict[str, str]):
    def __missing__(self, name: str) -> str:
        return name


class Expand(ast.NodeTransformer):
    """Calls of helpers, replaced by what they compute; the size of a shape by its number."""

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        if function_of(node) == "math.prod" and is_shape(node.args[0]):
            return ast.Constant(math.prod(ast.literal_eval(node.args[0])))
        known = EXPANDED.get(function_of(node))
        if known is None:
            return node
        names, text = known
        given = dict(zip(names.split(", "), node.args))
        return Put(given).visit(copy.deepcopy(_parsed(text)))


class Put(ast.NodeTransformer):
    """Expressions in place of names."""

    def __init__(self, given: dict[str, ast.expr]) -> None:
        self.given = given

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self.given.get(node.id, node)


@functools.cache
def _parsed(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body


def function_of(call: ast.Call) -> str:
    """What is called: "embed", "math.log"; of a method its name, "sum"."""
    if isinstance(call.func, ast.Attribute) and not isinstance(call.func.value, ast.Name):
        return call.func.attr
    return ast.unparse(call.func)


def is_shape(tree: ast.expr) -> bool:
    """Is it a tuple of numbers, written out?"""
    return isinstance(tree, ast.Tuple) and all(isinstance(n, ast.Constant) for n in tree.elts)


def unknown_calls(tree: ast.AST) -> list[str]:
    """The functions in a rule that no reader knows."""
    called = [function_of(node) for node in ast.walk(tree) if isinstance(node, ast.Call)]
    return [name for name in called if name not in READABLE and not name.endswith(".reshape")]


def sentence(op: str, argument: str) -> str | None:
    """What is said of an operation's argument, or of all its arguments."""
    return SENTENCES.get(f"{op}.{argument}") or SENTENCES.get(op)


def in_plain_words(op: str, argument: str, tree: ast.expr, names: Mapping[str, str]) -> str:
    """A filled-in rule as text: the formula, or a sentence where that says nothing.

    ``names``: the texts of the operation's arguments and of its result, "out".
    """
    if isinstance(tree, ast.Constant) and tree.value is None:
        return "none: no gradient goes there"
    tree = Expand().visit(tree)
    unknown = unknown_calls(tree)
    if not unknown:
        if isinstance(tree, ast.Call) and function_of(tree) == "expand" and is_shape(tree.args[1]):
            entries = math.prod(ast.literal_eval(tree.args[1]))
            text = ast.unparse(tree.args[0])
            return text if entries == 1 else f"{text}, for each of the {entries} entries"
        return ast.unparse(tree)
    if unknown == ["spread"] and isinstance(tree, ast.Call):
        return f"{ast.unparse(tree.args[0])}, for each entry of {names.get('input', 'the input')}"
    said = sentence(op, argument)
    if said is None or "softmax_again" in unknown:
        said = next((BY_HELPER[name] for name in reversed(unknown) if name in BY_HELPER), None)
    if said is None and any(name.endswith("_slope") for name in unknown):
        said = SLOPE
    return (said or OTHERWISE).format_map(_Known(names, op=op.replace("_", " ")))


def said_of(op: str, argument: str, names: Mapping[str, str]) -> str:
    """What happens to g, where there is no rule that could be read; "" if it is unknown."""
    return (sentence(op, argument) or "").format_map(_Known(names))


def local_in_plain_words(op: str, argument: str, tree: ast.expr, names: Mapping[str, str]) -> str:
    """The same of a local derivative."""
    tree = Expand().visit(tree)
    if not unknown_calls(tree):
        return ast.unparse(tree)
    operand = names.get(argument, argument)
    return f"the slope of {op.replace('_', ' ')} at {operand}"
