"""Sums of products over named dimensions: ``einsum``.

An equation gives each dimension of the operands a name, its label. Operands are contracted two at
a time; the labels of such a pair fall into four groups:

    batch    both have it, and it is kept
    inner    both have it, and it is summed
    left     only the first has it
    right    only the second has it

With the dimensions of one in the order (batch, left, inner) and of the other in the order
(batch, inner, right), the pair is one product of matrices, whose result is (batch, left, right).
If nothing is summed, it is a product of numbers, broadcast.

As in PyTorch there is no derivative rule here: what einsum is made of (``permute``, ``reshape``,
``matmul``) has its rules, and shows in the graph.
"""

from __future__ import annotations

from math import prod
from re import fullmatch
from typing import TYPE_CHECKING, Any

from ..compat.arguments import ensure, tensor_array
from .annotations import Shape
from .diagonals import diagonal
from .elementwise.arithmetic import mul
from .linear import matmul
from .rearranging import permute
from .reduction import sum
from .shaping import reshape, squeeze

if TYPE_CHECKING:
    from .._tensor import Tensor

Labels = list[Any]
"""For each dimension its name: a letter, or for those under an ellipsis a number."""


def einsum(equation: str, *operands: Any) -> Tensor:
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
    if not arrow:
        right = "..." + "".join(sorted(c for c in left if c.isalpha() and left.count(c) == 1))
    terms = left.split(",")
    check_terms(terms, right, len(operands))
    labels = [
        labels_of(term, operand, number)
        for number, (term, operand) in enumerate(zip(terms, operands))
    ]
    return contracted(operands, labels, output_labels(right, labels))


# ---------------------------------------------------------------------------------- the equation


def check_terms(terms: list[str], output: str, operands: int) -> None:
    """Raise RuntimeError, as PyTorch, for terms that are malformed, too many or too few."""
    text = "einsum(): {} operands were provided than specified in the equation"
    ensure(len(terms) == operands, text, "more" if len(terms) < operands else "fewer")
    for term in (*terms, output):
        text = "einsum(): found '.' in {} that is not part of any ellipsis"
        ensure("." not in term.replace("...", "", 1), text, term)
        text = "einsum(): invalid subscript given in '{}', subscripts must be in [a-zA-Z]"
        ensure(fullmatch(r"[a-zA-Z]*(\.\.\.)?[a-zA-Z]*", term), text, term)


def labels_of(term: str, operand: Any, number: int) -> Labels:
    """The labels of an operand's dimensions; those under the ellipsis are counted from the last."""
    before, dots, after = term.partition("...")
    rest = tensor_array("einsum", operand).ndim - len(before) - len(after)
    text = "einsum(): the number of subscripts ({}) does not match dimensions ({}), operand {}"
    fits = rest == 0 or (rest > 0 and dots)
    ensure(fits, text, len(before + after), operand.ndim, number)
    return [*before, *range(-rest, 0), *after]


def output_labels(term: str, labels: list[Labels]) -> Labels:
    """The labels of the result. Raises RuntimeError for one that is unknown, or there twice."""
    names = [label for part in labels for label in part]
    before, dots, after = term.partition("...")
    dotted = sorted({label for label in names if isinstance(label, int)}) if dots else []
    output = [*before, *dotted, *after]
    for label in output:
        text = "einsum(): output subscript {} does not appear in the equation for any input"
        ensure(label in names, text, label)
        text = "einsum(): output subscript {} appears more than once in the output"
        ensure(output.count(label) == 1, text, label)
    return output


# --------------------------------------------------------------------------------- the contraction


def contracted(operands: Any, labels: list[Labels], output: Labels) -> Any:
    """The sum of products of the operands over all dimensions that the output does not have."""
    size = dict[Any, int]()
    parts = []
    for number, (operand, names) in enumerate(zip(operands, labels)):
        operand, names = without_repeated_labels(operand, names, number)
        note_sizes(size, operand, names, number)
        parts.append((operand, names))
    parts = [without_broadcast_dims(operand, names, size) for operand, names in parts]
    result, have = parts[0]
    for k, (operand, names) in enumerate(parts[1:], start=2):
        needed = set(output).union(*[later for _, later in parts[k:]])
        result, have = product(result, have, operand, names, needed)
    total, have = summed_to(result, have, set(output))
    if have == output and (len(parts) > 1 or total is not result):
        return total
    return permute(total, [have.index(label) for label in output])


def without_repeated_labels(operand: Any, names: Labels, number: int) -> tuple[Any, Labels]:
    """A label that is there twice means the diagonal of these two dimensions."""
    for label in dict.fromkeys(names):
        while names.count(label) > 1:
            one, two = [k for k, name in enumerate(names) if name == label][:2]
            shape = operand._array.shape
            text = "einsum(): subscript {} is repeated for operand {} but the sizes differ: {}"
            ensure(shape[one] == shape[two], text, label, number, shape)
            operand = diagonal(operand, 0, one, two)
            names = [name for k, name in enumerate(names) if k not in (one, two)]
            names.append(label)
    return operand, names


def note_sizes(size: dict[Any, int], operand: Any, names: Labels, number: int) -> None:
    """Note the size of each label. Raises RuntimeError where operands disagree, but for a 1."""
    for label, n in zip(names, operand._array.shape):
        before = size.get(label, 1)
        text = "einsum(): subscript {} has size {} for operand {}, and {} before"
        ensure(1 in (n, before) or n == before, text, label, n, number, before)
        size[label] = before if n == 1 else n


def without_broadcast_dims(operand: Any, names: Labels, size: dict[Any, int]) -> tuple[Any, Labels]:
    """Without dimensions of size 1 whose label has another size: another operand has these."""
    shape = operand._array.shape
    thin = [d for d, label in enumerate(names) if shape[d] == 1 != size[label]]
    if not thin:
        return operand, names
    rest = [label for d, label in enumerate(names) if d not in thin]
    return squeeze(operand, tuple(thin)), rest


def summed_to(tensor: Any, labels: Labels, needed: set[Any]) -> tuple[Any, Labels]:
    """The sum over all dimensions that are not needed, and the labels of the others."""
    gone = [d for d, label in enumerate(labels) if label not in needed]
    if not gone:
        return tensor, labels
    return sum(tensor, gone), [label for label in labels if label in needed]


def product(a: Any, first: Labels, b: Any, second: Labels, needed: set[Any]) -> tuple[Any, Labels]:
    """The product of two, summed over all that is not needed afterwards, and its labels."""
    a, first = summed_to(a, first, needed.union(second))
    b, second = summed_to(b, second, needed.union(first))
    shared = [label for label in first if label in second]
    batch = [label for label in shared if label in needed]
    inner = [label for label in shared if label not in needed]
    left = [label for label in first if label not in shared]
    right = [label for label in second if label not in shared]

    size = dict(zip(first + second, a._array.shape + b._array.shape))
    many = tuple([size[label] for label in batch])
    rows = tuple([size[label] for label in left])
    columns = tuple([size[label] for label in right])
    if not inner:
        a = arranged(a, first, batch + left, (*many, *rows, *(1,) * len(right)))
        b = arranged(b, second, batch + right, (*many, *(1,) * len(left), *columns))
        return mul(a, b), batch + left + right
    n = prod([size[label] for label in inner])
    stack = (prod(many),) if batch else ()
    a = arranged(a, first, batch + left + inner, (*stack, prod(rows), n))
    b = arranged(b, second, batch + inner + right, (*stack, n, prod(columns)))
    return reshape(matmul(a, b), (*many, *rows, *columns)), batch + left + right


def arranged(tensor: Any, have: Labels, want: Labels, shape: Shape) -> Any:
    """A tensor with its dimensions in another order, then in another shape."""
    if have != want:
        tensor = permute(tensor, [have.index(label) for label in want])
    if tensor._array.shape == shape:
        return tensor
    return reshape(tensor, shape)
