"""The exercise of notebook 12 that asks for the Hessian times a direction, with its judge."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import minigrad as torch
from minigrad import lesson
from minigrad.lesson import broke
from minigrad.lesson.checking import is_stub
from minigrad.lesson.values import is_open

from .nb12_judges import NO_HISTORY, NOTHING, yours_or_ours
from .nb12_runs import hessian_times, network, some_digits


def judge_product(product: Any) -> str | None:
    """Compares with how the gradient moves, and counts the backward passes."""
    if not callable(product):
        return "a function is wanted."
    model, (x, y) = network(3), some_digits(20)
    names, parameters = zip(*model.named_parameters())
    parameters = list(parameters)
    torch.manual_seed(2)
    direction = [torch.randn(*p.shape) for p in parameters]

    def loss_of() -> Any:
        return torch.nn.functional.cross_entropy(model(x), y)

    try:
        result = product(loss_of(), parameters, direction)
    except RuntimeError as problem:
        said = why_no_pass(str(problem))
        if not said:
            raise
        return said
    if is_open(result) or is_stub(product, result):
        return None
    if result is None:
        return NOTHING
    if not isinstance(result, (list, tuple)) or len(result) != len(parameters):
        return f"{len(parameters)} tensors are wanted, one for each parameter."
    shapes = [tuple(getattr(one, "shape", ())) for one in result]
    if shapes != [tuple(p.shape) for p in parameters]:
        return broke("shape", "the tensors have not the shapes of the parameters.")
    slopes = torch.autograd.grad(loss_of(), parameters)
    moved = nudged(loss_of, parameters, direction, 1e-2)
    if close(result, moved):
        return ""
    if close(result, slopes):
        return "that is the gradient. How does it move in the given direction?"
    if close(result, [d * s for d, s in zip(direction, slopes)]):
        return "that is each slope times its part of the direction. How do the slopes move?"
    everywhere = nudged(loss_of, parameters, [torch.ones(*p.shape) for p in parameters], 1e-3)
    if close(result, everywhere):
        return (
            "that is how the gradient moves if all numbers grow alike. Where does the direction "
            "come in?"
        )
    if close(result, [s + m for s, m in zip(slopes, moved)]):
        return broke(
            "accumulate",
            "it is the gradient plus how the gradient moves: both were added in .grad.",
        )
    alone = []
    for only, name in enumerate(names):
        part = [d if i == only else 0 * d for i, d in enumerate(direction)]
        alone.append(nudged(loss_of, parameters, part, 1e-2))
        if close(result, alone[only]):
            return (
                f"that is how the gradient moves if {name} alone is moved. "
                "What of the directions of the others?"
            )
    if close(result, [alone[i][i] for i in range(len(names))]):
        return (
            "each tensor is treated by itself: the slopes of one are moved only by its own part "
            "of the direction. But a slope moves when the other tensors move, too."
        )
    return beside(result, moved, names)


def why_no_pass(problem: str) -> str:
    """What is wrong with a backward pass of the product that was refused."""
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
    return ""


def beside(result: Any, moved: list, names: tuple) -> str:
    """What is wrong with tensors of the right shapes: a factor, or the numbers themselves."""
    size = sum((m * m).sum().item() for m in moved)
    factor = sum((r * m).sum().item() for r, m in zip(result, moved)) / size
    if abs(factor) > 0.01 and close(result, [factor * m for m in moved]):
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


def nudged(loss_of: Callable[[], Any], parameters: list, direction: list, h: float) -> list:
    """How fast the gradient moves in a direction, by a difference."""
    found = []
    with torch.no_grad():
        for sign in (1, -2, 1):
            for p, d in zip(parameters, direction):
                p += sign * h * d
            with torch.enable_grad():
                found.append(torch.autograd.grad(loss_of(), parameters))
    return [(a - b) / (2 * h) for a, b in zip(found[0], found[1])]


def close(some: Any, others: Any) -> bool:
    size = max(o.abs().max().item() for o in others)
    return all((a - b).abs().max().item() < 0.02 * size + 1e-6 for a, b in zip(some, others))


product = lesson.Exercise(
    "product",
    judge=judge_product,
    hint="A pass starts from one number. You have a slope for each parameter: which single number "
    "says how fast the loss itself moves in the direction? And what do you do with that number?",
    because="slopes = torch.autograd.grad(loss, parameters, create_graph=True); dot = the sum of "
    "(slope * d).sum(); return torch.autograd.grad(dot, parameters)",
)


def product_for(mine: Any) -> Callable[[Any, list, list], list]:
    """The Hessian times a direction, without a history of its own."""
    times = yours_or_ours(product, mine, hessian_times)
    return lambda *given: [moved.detach() for moved in times(*given)]
