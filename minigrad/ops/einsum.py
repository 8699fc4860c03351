"""Sums of products over named dimensions: ``einsum``.

Operands are contracted two at a time. Dimensions fall into four groups: those that both have and
are kept (a batch), those that both have and are summed (inner), and those that only one has.
Brought into this order, each pair is one product of matrices, or of numbers if nothing is summed.
"""

from __future__ import annotations

from math import prod
from re import fullmatch
from typing import Any

from ..compat.arguments import ensure, tensor_array
from .diagonals import diagonal
from .elementwise.arithmetic import mul
from .linear import matmul
from .rearranging import permute
from .reduction import sum
from .shaping import reshape, squeeze

Labels = list[Any]  # for each dimension its name: a letter, or a number


def ordered(tensor: Any, have: Labels, want: Labels, shape: Any) -> Any:
    """A tensor with its dimensions in another order, then in another shape."""
    if have != want:
        tensor = permute(tensor, [have.index(label) for label in want])
    return tensor if tensor._array.shape == shape else reshape(tensor, shape)


def simplified(tensor: Any, labels: Labels, needed: set[Any]) -> tuple[Any, Labels]:
    """The sum over all dimensions that are not needed."""
    gone = [position for position, label in enumerate(labels) if label not in needed]
    return (sum(tensor, gone) if gone else tensor), [label for label in labels if label in needed]


def pair(a: Any, first: Labels, b: Any, second: Labels, needed: set[Any]) -> tuple[Any, Labels]:
    """The product of two, summed over all that is not needed afterwards."""
    a, first = simplified(a, first, needed | set(second))
    b, second = simplified(b, second, needed | set(first))
    size = dict(zip(first + second, a._array.shape + b._array.shape))
    shared = [label for label in first if label in second]
    batch, inner = ([c for c in shared if (c in needed) is kept] for kept in (True, False))
    left, right = ([c for c in mine if c not in shared] for mine in (first, second))
    *many, rows, columns = (tuple(size[c] for c in group) for group in (batch, left, right))
    out = (*many[0], *rows, *columns)
    order = (batch + left + inner, batch + inner + right)
    if not inner:
        a = ordered(a, first, order[0], (*many[0], *rows, *(1,) * len(right)))
        b = ordered(b, second, order[1], (*many[0], *(1,) * len(left), *columns))
        return mul(a, b), batch + left + right
    stack = [prod(group) for group in many if group]
    n = prod(size[c] for c in inner)
    a = ordered(a, first, order[0], (*stack, prod(rows), n))
    b = ordered(b, second, order[1], (*stack, n, prod(columns)))
    return reshape(matmul(a, b), out), batch + left + right


def contracted(operands: Any, labels: list[Labels], output: Labels) -> Any:
    """The sum of products of the operands over all dimensions that the output does not have."""
    parts = []
    size = dict[Any, int]()
    for number, (operand, names) in enumerate(zip(operands, labels)):
        for label in dict.fromkeys(names):
            while names.count(label) > 1:  # a repeated name means the diagonal
                one, two = [k for k, name in enumerate(names) if name == label][:2]
                n = operand._array.shape[one]
                m = operand._array.shape[two]
                text = "einsum(): subscript {} is repeated for operand {} but the sizes differ: {}"
                ensure(n == m, text, label, number, operand._array.shape)
                operand = diagonal(operand, 0, one, two)
                names = [name for k, name in enumerate(names) if k not in (one, two)] + [label]
        for label, n in zip(names, operand._array.shape):
            before = size.get(label, 1)
            text = "einsum(): subscript {} has size {} for operand {}, and {} before"
            ensure(1 in (n, before) or n == before, text, label, n, number, before)
            size[label] = before if n == 1 else n
        parts.append((operand, names))
    for k, (operand, names) in enumerate(parts):
        thin = [d for d, c in enumerate(names) if operand._array.shape[d] == 1 != size[c]]
        if thin:  # broadcast: another operand has this dimension
            rest = [label for d, label in enumerate(names) if d not in thin]
            parts[k] = squeeze(operand, tuple(thin)), rest
    result, have = parts[0]
    for k, (operand, names) in enumerate(parts[1:], start=2):
        later = {label for _, others in parts[k:] for label in others}
        result, have = pair(result, have, operand, names, later | set(output))
    total, have = simplified(result, have, set(output))
    if have == output and (len(parts) > 1 or total is not result):
        return total
    return permute(total, [have.index(label) for label in output])


def einsum(equation: str, *operands: Any) -> Any:
    """The sum of products that an equation describes: "ij,jk->ik" is the product of matrices.

    Each operand's dimensions get letters; what has the same letter runs together, and what is not
    named after the arrow is summed. Without an arrow, the letters that occur once are kept, in
    alphabetical order. A letter twice in one operand means its diagonal, "..." any other
    dimensions, which broadcast. Raises RuntimeError if letters and sizes do not fit.
    Counterpart: ``torch.einsum``.

    >>> import minigrad as torch
    >>> a = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
    >>> torch.einsum("ij,j->i", a, torch.tensor([1.0, 10.0]))
    tensor([21., 43.])
    >>> torch.einsum("ii", a)
    tensor(5.)
    """
    if len(operands) == 1 and isinstance(operands[0], (list, tuple)):
        operands = tuple(operands[0])
    text = "einsum(): must specify the equation string and at least one operand"
    ensure(isinstance(equation, str) and operands, text, error=ValueError)
    left, arrow, right = equation.replace(" ", "").partition("->")
    terms = left.split(",")
    if not arrow:
        right = "..." + "".join(sorted(c for c in left if c.isalpha() and left.count(c) == 1))
    text = "einsum(): {} operands were provided than specified in the equation"
    more = len(operands)
    ensure(len(terms) == more, text, "more" if len(terms) < more else "fewer")
    text = "einsum(): invalid subscript given in '{}', subscripts must be in [a-zA-Z]"
    for term in (*terms, right):
        dotted = "einsum(): found '.' in {} that is not part of any ellipsis"
        ensure("." not in term.replace("...", "", 1), dotted, term)
        ensure(fullmatch(r"[a-zA-Z]*(\.\.\.)?[a-zA-Z]*", term), text, term)
    labels: list[Labels] = []
    for number, (term, operand) in enumerate(zip(terms, operands)):
        before, dots, after = term.partition("...")
        rest = tensor_array("einsum", operand).ndim - len(before) - len(after)
        text = "einsum(): the number of subscripts ({}) does not match dimensions ({}), operand {}"
        ensure(rest == 0 or (rest > 0 and dots), text, len(before + after), operand.ndim, number)
        labels.append([*before, *range(-rest, 0), *after])  # the dots: numbers, from the last
    names = [label for part in labels for label in part]
    before, dots, after = right.partition("...")
    dotted_dims = sorted({label for label in names if isinstance(label, int)}) if dots else []
    output = [*before, *dotted_dims, *after]
    for label in output:
        text = "einsum(): output subscript {} does not appear in the equation for any input"
        ensure(label in names, text, label)
        text = "einsum(): output subscript {} appears more than once in the output"
        ensure(output.count(label) == 1, text, label)
    return contracted(operands, labels, output)
