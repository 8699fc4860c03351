"""The exercise of notebook 08 in which an evaluation keeps nothing, with its judge."""

from __future__ import annotations

import math
import numbers
from typing import Any

import minigrad as torch
import minigrad.nn.functional as F
from minigrad import lesson
from minigrad.lesson.checking import is_stub
from minigrad.lesson.values import is_open

from .code_names import names_in
from .nb08_judges import first_wrong, forget_slip, slip
from .nb08_runs import (
    a_type,
    node_count,
    saved,
    small_network,
    some_batches,
)


def judge_evaluate(function: Any) -> str | None:
    """Gives it five batches, compares the mean, and measures what was saved at the peak."""
    forget_slip(evaluate)
    if not callable(function):
        return slip(evaluate, "a function is wanted.")
    model, batches = small_network(), some_batches(5)
    with torch.no_grad():
        true = [F.cross_entropy(model(x), y).item() for x, y in batches]
    one, _ = saved(lambda: F.cross_entropy(model(batches[0][0]), batches[0][1]))
    found: list[Any] = []
    try:
        peak, _ = saved(lambda: found.append(function(model, batches)))
    except (TypeError, AttributeError) as error:
        if "context manager" in str(error) or "__enter__" in str(error):
            text = "what stands after `with` has to be called: its brackets are missing."
            return slip(evaluate, text)
        raise
    (result,) = found
    if is_open(result) or is_stub(function, result):
        return None
    recording = torch.is_grad_enabled()
    torch.set_grad_enabled(True)
    looks = (
        lambda: "it returns nothing." if result is None else "",
        lambda: left_behind(model, recording),
        lambda: no_number(result),
        lambda: wrong_mean(result, true),
        lambda: too_much_saved(peak, one, why_recorded(function)),
        lambda: "" if model.training else LEFT_IN_EVAL,
    )
    return first_wrong(evaluate, looks)


LEFT_IN_EVAL = (
    "the number is right, and nothing is saved. But the model came in training mode, and it is "
    "left in that of `eval()`: the next training would go on without its dropout."
)


def why_recorded(function: Any) -> str:
    """What to ask whoever records all the same: about the word that was to prevent it, if any."""
    found = names_in(function)
    if found & {"no_grad", "inference_mode"}:
        return (
            "a graph is made all the same: what turns recording off holds only inside a block. "
            "Where does the model run?"
        )
    if "eval" in found:
        return "a graph is made all the same: as in C of *ways*, what does `eval()` change?"
    if "detach" in found:
        return (
            "a graph is made before `detach()` cuts it off, as in B of *ways*. Why is it made at "
            "all, if nobody will walk it?"
        )
    return "why is a graph made at all, if nobody will walk it?"


def left_behind(model: Any, recording: bool) -> str:
    """What an evaluation has changed for whoever trains next."""
    if not recording:
        return "after it, nothing is recorded any more: the next training would learn nothing."
    if not all(parameter.requires_grad for parameter in model.parameters()):
        return (
            "after it, parameters of the model ask for no gradient any more: the next training "
            "would not move them."
        )
    if any(parameter.grad is not None for parameter in model.parameters()):
        return (
            "after it, the parameters have a .grad, which the next training would find there. "
            "Does an evaluation need a backward pass?"
        )
    return ""


def no_number(result: Any) -> str:
    """Why a result is no plain number."""
    if isinstance(result, torch.Tensor) and result.grad_fn is not None:
        return (
            f"it returns a tensor, and behind its result are {node_count(result)} nodes, with all "
            "that they have saved. A plain number is wanted."
        )
    if isinstance(result, torch.Tensor):
        return "a plain number is wanted; this is a tensor, though one without a history."
    if isinstance(result, bool) or not isinstance(result, numbers.Real):
        return f"a plain number is wanted, and it returns {a_type(result)}."
    return ""


def wrong_mean(result: Any, true: list[float]) -> str:
    """How a number differs from the mean of these losses."""
    mean = sum(true) / len(true)
    if math.isclose(result, mean, rel_tol=1e-4):
        return ""
    if math.isclose(result, sum(true), rel_tol=1e-4):
        return "that is the sum of the losses. The mean of them is wanted."
    if math.isclose(result, true[0], rel_tol=1e-6):
        return "that is the loss of the first batch alone: where does the function end?"
    if math.isclose(result, true[-1], rel_tol=1e-6):
        return "that is the loss of the last batch alone. The mean of all is wanted."
    for which, loss in (("first", true[0]), ("last", true[-1])):
        if math.isclose(result, loss / len(true), rel_tol=1e-6):
            return (
                f"that is the loss of the {which} batch, divided by the number of batches: are "
                "the others added to it?"
            )
    divisor = sum(true) / result if result else 0.5
    if math.isclose(divisor, round(divisor), rel_tol=1e-4):
        return (
            f"it divides the sum of the losses by {round(divisor)}. Here there are {len(true)} "
            "batches; the list that it gets says how many."
        )
    return f"the mean of the five losses is {mean:.4f}; it returns {result:.4f}."


def too_much_saved(peak: int, one: int, why: str) -> str:
    """What an evaluation with the right number saves, compared with a single batch."""
    if peak > 2 * one:
        return (
            f"the number is right. But at the peak {peak / one:.0f} times as much is saved as for "
            "one batch: something still holds the losses with their graphs."
        )
    if peak > one:
        return (
            "the number is right. But at the peak two batches are there: while one is computed, a "
            f"variable still leads to the graph of the one before. And {why}"
        )
    if peak:
        return (
            "the number is right, and one batch's graph goes before the next one's comes. But "
            + why
        )
    return ""


evaluate = lesson.Exercise(
    "evaluate",
    judge=judge_evaluate,
    hint="Two things: what is added up should be plain numbers, and nothing should be recorded "
    "while the model runs. Section 2 has the words for the second.",
    because="Nothing is recorded, so nothing is saved, and a plain number leads nowhere. For "
    "example: with torch.no_grad(): total += F.cross_entropy(model(x), y).item(), for each batch; "
    "then return total / len(batches).",
)
