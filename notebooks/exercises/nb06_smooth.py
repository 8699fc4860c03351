"""The exercise of notebook 06 on a running average: one step of training, with its judge."""

from __future__ import annotations

import math
from typing import Any

import minigrad as torch
import minigrad.nn.functional as F
from minigrad import lesson
from minigrad.lesson import broke
from minigrad.lesson.checking import is_stub
from minigrad.lesson.values import is_open

from .graphs import nodes
from .nb06_judges import borrowed, linear
from .nb06_runs import data, heard

COUNTED = ("first", "second", "third")
RATE = 0.1  # of the optimizer that ``linear`` makes
KEPT = (
    "the weights and the average are as they should be. But backward() is told to keep what it "
    "would free, with retain_graph=True. Does anything go through this graph a second time?"
)


def judge_smooth(smooth: Any) -> str | None:
    """Calls it three times; what moves the weights must be the gradient of the new loss alone."""
    if not callable(smooth):
        return "a function is wanted."
    if message := borrowed(smooth):
        return message
    (model, optimizer), (x, y) = linear(), data()
    average: Any = torch.tensor(0.0)
    past, last_slopes = 0.0, [torch.zeros_like(p) for p in model.parameters()]
    for call in COUNTED:
        loss = F.mse_loss(model(x), y)
        slopes = torch.autograd.grad(loss, list(model.parameters()))
        before = [p.detach().clone() for p in model.parameters()]
        with heard(model) as found:
            result = smooth(model, optimizer, x, y, average)
        if is_open(result) or is_stub(smooth, result):
            return None
        after = F.mse_loss(model(x), y).item()
        moves = [a - b.detach() for a, b in zip(before, model.parameters())]
        message = (
            about_the_kind(result, call)
            or about_the_moves(moves, slopes, last_slopes, call)
            or about_the_average(float(result), past, loss.item(), after, call)
            or (KEPT if found.kept else "")
        )
        if message:
            return message
        average, past, last_slopes = result, float(result), slopes
    return ""


def about_the_kind(result: Any, call: str) -> str:
    """Is what it returns one number without a history?"""
    if result is None:
        return "it returns nothing: end with return average."
    if isinstance(result, torch.Tensor) and result.grad_fn is not None:
        return (
            f"after the {call} call the average has {len(nodes(result))} nodes behind it. It "
            "should be returned without a history."
        )
    if isinstance(result, torch.Tensor) and result.numel() == 1:
        return ""
    if isinstance(result, (int, float)):
        return ""
    return f"one number is wanted, the new average; it returns a {type(result).__name__}."


def about_the_moves(moves: Any, slopes: Any, last_slopes: Any, call: str) -> str:
    """Have the weights been moved by the learning rate times the slopes of this loss?"""
    steps = [RATE * slope for slope in slopes]
    if close(moves, steps):
        return ""
    if not any(move.any().item() for move in moves):
        return f"the weights do not move in the {call} call."
    if close(moves, [0.1 * step for step in steps]):
        return (
            f"the weights are moved by a tenth of this loss's gradient in the {call} call. On "
            "which number is backward() called, and how much of the loss is in it?"
        )
    if close(moves, [-step for step in steps]):
        return "the weights are moved along the gradient, and not against it: the loss grows."
    if close(moves, [step + RATE * last for step, last in zip(steps, last_slopes)]):
        return broke(
            "accumulate",
            f"the weights are moved by two gradients in the {call} call: by that of this loss, and "
            "by that of the one before.",
        )
    return f"the weights move in the {call} call, but not by the gradient of this step's loss."


def about_the_average(average: float, past: float, loss: float, after: float, call: str) -> str:
    """Is it nine tenths of the old average, and one tenth of the loss?"""
    if math.isclose(average, 0.9 * past + 0.1 * loss, rel_tol=1e-4):
        return ""
    if math.isclose(average, loss, rel_tol=1e-4):
        return "that is the loss of this step. The average remembers the ones before."
    if math.isclose(average, 0.1 * past + 0.9 * loss, rel_tol=1e-4):
        return "the two weights of the average are exchanged: which part should be the larger one?"
    if math.isclose(average, 0.9 * past, rel_tol=1e-4, abs_tol=1e-9):
        return f"the loss of the {call} call is not in the average."
    if math.isclose(average, 0.9 * past + 0.1 * after, rel_tol=1e-4):
        return (
            "the loss in the average was measured after the step, with the weights moved already. "
            "The loss that moved them is wanted."
        )
    wanted = 0.9 * past + 0.1 * loss
    return f"after the {call} call the average is {average:.4g}, and should be {wanted:.4g}."


def close(some: Any, others: Any) -> bool:
    return all(torch.allclose(a, b, rtol=1e-3, atol=1e-6) for a, b in zip(some, others))


smooth = lesson.Exercise(
    "smooth",
    judge=judge_smooth,
    hint="Call backward() on the loss of this step, and put only its number into the average.",
    because="The weights need loss.backward() and optimizer.step(), and the average only a number: "
    "return 0.9 * average + 0.1 * loss.item().",
)
