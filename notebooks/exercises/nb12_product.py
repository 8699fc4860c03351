"""The exercise of notebook 12 that asks for the Hessian times a direction, with its judge."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import minigrad as torch
import minigrad.nn.functional as F
from minigrad import lesson
from minigrad.lesson import broke
from minigrad.lesson.checking import is_stub
from minigrad.lesson.values import is_open

from .nb12_judges import NO_HISTORY, NOTHING, near, number_of, yours_or_ours
from .nb12_runs import dot, hessian_times, network, some_digits
from .nb12_second import PLAIN_RESULT


class Digits:
    """The loss of a small network that reads digits, and how its slopes move in a direction."""

    def __init__(self) -> None:
        self.model, (self.x, self.y) = network(3), some_digits(20)
        names, parameters = zip(*self.model.named_parameters())
        self.names, self.parameters = list(names), list(parameters)
        torch.manual_seed(2)
        self.direction = [torch.randn(*p.shape) for p in self.parameters]

    def loss(self) -> Any:
        return F.cross_entropy(self.model(self.x), self.y)

    def slopes(self) -> list:
        return list(torch.autograd.grad(self.loss(), self.parameters))

    def moved(self, direction: list, h: float = 1e-2) -> list:
        """How fast the slopes move in a direction, by a difference."""
        found = []
        with torch.no_grad():
            for sign in (1, -2, 1):
                for p, d in zip(self.parameters, direction):
                    p += sign * h * d
                with torch.enable_grad():
                    found.append(self.slopes())
        return [(a - b) / (2 * h) for a, b in zip(found[0], found[1])]

    def moved_by(self, only: int) -> list:
        """The same if a single tensor is moved, by its part of the direction."""
        return self.moved([d if i == only else 0 * d for i, d in enumerate(self.direction)])


def judge_product(product: Any) -> str | None:
    """Compares with how the gradient moves, by a nudge."""
    if not callable(product):
        return "a function is wanted."
    digits = Digits()
    try:
        result = product(digits.loss(), digits.parameters, digits.direction)
    except (RuntimeError, TypeError) as problem:
        said = why_refused(str(problem))
        if not said:
            raise
        return said
    if is_open(result) or is_stub(product, result):
        return None
    if result is None:
        return NOTHING
    if is_the_slope(result, digits):
        return "that is one number, the slope of the loss in the direction. How does it move?"
    if not isinstance(result, (list, tuple)) or len(result) != len(digits.parameters):
        return f"{len(digits.parameters)} tensors are wanted, one for each parameter."
    shapes = [tuple(getattr(one, "shape", ())) for one in result]
    if shapes != [tuple(p.shape) for p in digits.parameters]:
        return broke("shape", "the tensors do not have the shapes of the parameters.")
    moved = digits.moved(digits.direction)
    if close(result, moved):
        return ""
    known = (text for wrong, text in mistakes(digits, moved) if close(result, wrong))
    return next(known, "") or beside(result, moved, digits.names)


def is_the_slope(result: Any, digits: Digits) -> bool:
    """Whether it is the slope in the direction, alone or in a list."""
    one = result[0] if isinstance(result, (list, tuple)) and len(result) == 1 else result
    number = number_of(one)
    return number is not None and near(number, dot(digits.slopes(), digits.direction).item())


def why_refused(problem: str) -> str:
    """What is wrong with an operation or a backward pass of the product that was refused."""
    if "taken of Tensors" in problem:
        return PLAIN_RESULT
    if "differentiated Tensors" in problem:
        return (
            "you differentiate with respect to tensors that ask for no gradient. Of which tensors "
            "do you want to know how their slopes move?"
        )
    if "does not require grad" in problem:
        return NO_HISTORY
    if "MG106" in problem:
        return (
            "a graph was walked a second time, and after the first time what it had saved was "
            "freed. One walk gives what you want for all parameters at once. From which single "
            "number can it start, so that all slopes have a part in it?"
        )
    if "MG107" in problem:
        return (
            "a backward pass was to start from a whole tensor of slopes, and it starts from a "
            "single number. The list of slopes is many numbers: what do you want to know of them "
            "together?"
        )
    if "mat1 and mat2" in problem:
        return (
            "@ multiplies two matrices, each row of the one by each column of the other. But each "
            "slope has its own part of the direction, at the same place of a tensor."
        )
    if "must match the size" in problem:
        return (
            "two tensors of different shapes meet in one operation, for each parameter has a shape "
            "of its own. Only a slope and its part of the direction have the same shape. Which "
            "single number do these two give together?"
        )
    return ""


def mistakes(digits: Digits, moved: list) -> Iterator[tuple[list, str]]:
    """What comes of a known mistake, and what is said about it."""
    slopes, direction = digits.slopes(), digits.direction
    yield [0 * m for m in moved], "all these numbers are 0, and the slopes do move."
    yield slopes, "that is the gradient. How does it move in the given direction?"
    yield (
        [d * s for d, s in zip(direction, slopes)],
        "that is each slope times its part of the direction. How do the slopes move?",
    )
    yield (
        digits.moved([torch.ones(*p.shape) for p in digits.parameters], 1e-3),
        "that is how the gradient moves if all numbers grow alike. Where does the direction "
        "come in?",
    )
    yield (
        [2 * one for one in digits.moved(slopes, 0.1)],
        "there the slopes were multiplied by themselves. Where does the direction come in?",
    )
    yield (
        [s + m for s, m in zip(slopes, moved)],
        broke("accumulate", "it is the gradient plus how it moves: both were added in .grad."),
    )
    yield from mistakes_with_single_tensors(digits)


def mistakes_with_single_tensors(digits: Digits) -> Iterator[tuple[list, str]]:
    alone = [digits.moved_by(only) for only in range(len(digits.names))]
    for name, moved in zip(digits.names, alone):
        yield (
            moved,
            f"that is how the gradient moves if {name} alone is moved. What of the directions of "
            "the others?",
        )
    yield (
        [moved[i] for i, moved in enumerate(alone)],
        "each tensor is treated by itself: the slopes of one are moved only by its own part of "
        "the direction. But a slope moves when the other tensors move, too.",
    )
    sizes = [p.numel() for p in digits.parameters]
    yield (
        [sum(one / size for one, size in zip(parts, sizes)) for parts in zip(*alone)],
        "the part of each tensor was divided by how many numbers it has. A mean does that, but "
        "all numbers of a direction count alike, in whichever tensor they stand.",
    )


def beside(result: Any, moved: list, names: list[str]) -> str:
    """What is wrong with tensors of the right shapes: a factor, or the numbers themselves."""
    size = sum((m * m).sum().item() for m in moved)
    factor = sum((r * m).sum().item() for r, m in zip(result, moved)) / size
    if abs(factor) > 1e-5 and close(result, [factor * m for m in moved]):
        return f"it is {factor:.2g} times how the gradient moves in this direction."
    off = [(r - m).abs().flatten() for r, m in zip(result, moved)]
    at = max(range(len(off)), key=lambda i: off[i].max().item())
    entry = int(off[at].argmax().item())
    told, true = (tensors[at].flatten()[entry].item() for tensors in (result, moved))
    return (
        f"it is furthest off in {names[at]}, at number {entry}, counted from 0. Nudged along the "
        f"direction, the slope there moves by {true:.3g} for each unit; your "
        f"function returns {told:.3g}."
    )


def close(some: Any, others: Any) -> bool:
    size = max(o.abs().max().item() for o in others)
    return all((a - b).abs().max().item() < 0.02 * size + 1e-6 for a, b in zip(some, others))


product = lesson.Exercise(
    "product",
    judge=judge_product,
    hint="A pass starts from one number. You have a slope for each parameter: which single number "
    "says how fast the loss itself moves in the direction? And what do you do with that number?",
    because="Line by line:\n"
    "slopes = torch.autograd.grad(loss, parameters, create_graph=True)\n"
    "dot = sum((slope * d).sum() for slope, d in zip(slopes, direction))\n"
    "return torch.autograd.grad(dot, parameters)",
)


def product_for(mine: Any) -> Callable[[Any, list, list], list]:
    """The Hessian times a direction, without a history of its own."""
    times = yours_or_ours(product, mine, hessian_times)
    return lambda *given: [moved.detach() for moved in times(*given)]
