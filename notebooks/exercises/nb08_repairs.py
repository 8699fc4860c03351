"""The exercise of notebook 08 in which two leaks are mended, with its judge."""

from __future__ import annotations

from typing import Any

import numpy as np

import minigrad as torch
import minigrad.nn.functional as F
from minigrad import lesson
from minigrad.lesson.checking import is_stub
from minigrad.lesson.values import is_open

from .nb08_judges import forget_slip, of_letter, slip
from .nb08_runs import (
    node_count,
    small_network,
    some_batches,
)


def results() -> dict[str, Any]:
    """What the first and the third program of section 4 put into their list."""
    model, ((x, y),) = small_network(), some_batches(1)
    loss = F.cross_entropy(model(x), y)
    loss.backward()
    return {"first": loss, "third": model(x)}


REPAIRED = {"first": "loss.item()", "third": "scores.detach()"}


def judge_repairs(attempt: Any) -> str | None:
    forget_slip(repairs)
    given = results()
    if not isinstance(attempt, (list, tuple)) or len(attempt) != len(given):
        text = "a list with two functions is wanted, for the first and the third program."
        return slip(repairs, text)
    if not all(map(callable, attempt)):
        text = "for each of the two programs a function is wanted, as `lambda` makes it."
        return slip(repairs, text)
    waiting = False
    for (which, result), function in zip(given.items(), attempt):
        try:
            made = function(result)
        except Exception as error:
            return of_letter(repairs, f"{which}: {why_it_raised(error, result)}", REPAIRED[which])
        if is_open(made) or is_stub(function, made):
            waiting = True
        elif why := wrongly_kept(made, result):
            return of_letter(repairs, f"{which}: {why}", REPAIRED[which])
    return None if waiting else ""


def why_it_raised(error: Exception, result: Any) -> str:
    if "Scalar" in str(error):
        return f"`item()` takes the number out of a tensor that has one; here are {result.numel()}."
    first, *_ = str(error).splitlines() or [""]
    return f"it raised {type(error).__name__}: {first}"


def wrongly_kept(made: Any, result: Any) -> str:
    """What is wrong with something that is to be kept in the place of a result."""
    if made is None:
        return "the function returns nothing. What should go into the list?"
    if callable(made) and not isinstance(made, torch.Tensor):
        return "that is a function, and nobody has called it: its brackets are missing."
    if made is result:
        return "that is the result itself, as before. What does its `grad_fn` lead to?"
    if isinstance(made, torch.Tensor) and made.grad_fn is not None:
        return (
            f"that is a new result, and {node_count(made)} nodes lead to it, those of the old one "
            "among them."
        )
    numbers_of = made.tolist() if hasattr(made, "tolist") else made
    try:
        same = np.allclose(numbers_of, result.tolist(), rtol=1e-4)
        same = same and np.shape(numbers_of) == tuple(result.shape)
    except (TypeError, ValueError):
        same = False
    return "" if same else "no graph is kept. But it is not the same number or table as before."


repairs = lesson.Exercise(
    "repairs",
    answer=lambda: list(REPAIRED.values()),
    judge=judge_repairs,
    hint="One of the two results is a single number, the other one a table. The training of "
    "section 1 takes a number out of its loss, and one of the words of section 2 cuts off a "
    "history.",
    because="What goes into the list leads to no graph: item() hands out a plain number, and "
    "detach() a tensor without a history.",
)
