"""The exercise of notebook 10 in which a step of the learner's own is compiled, with its judge."""

from __future__ import annotations

import inspect
import math
import re
from itertools import pairwise
from typing import Any

import minigrad as torch
from minigrad import lesson
from minigrad.lesson import broke
from minigrad.lesson.values import is_open

from . import nb10_runs as runs
from .nb10_judges import Unfit


def why_unbound(step: Any, problem: UnboundLocalError) -> str:
    """The mistake of a step that assigns to a variable outside; "" if it is another one."""
    found = re.search(r"'(\w+)'", str(problem))
    if found is None or found[1] not in getattr(step, "__globals__", {}):
        return ""
    name = found[1]
    return (
        f"the step assigns to {name}, as in {name} -= ... or {name} = ..., so Python "
        f"takes {name} for a variable of the function itself, which has no value yet.\n"
        f"  fix: write into the tensor that is there, without recording it:\n"
        f"       with torch.no_grad():\n           {name}.sub_(...)  # what is subtracted"
    )


NO_GRADIENT = (
    "a gradient is None where the step uses it. Either nothing has been sent back before, or the "
    "weight is no leaf any more: w = w - ... puts the result of a subtraction in its place. "
    "How does one change the numbers of a weight, and leave the tensor as it is?"
)
NO_WEIGHT = (
    "the loss depends on no tensor that requires a gradient. Has no weight required one from the "
    "beginning, or does w = w - ... put a tensor without a gradient in the place of the weight?"
)
UNLIKE = (
    "a call of the program leaves something else behind than an ordinary run. Something in the "
    "step is made anew in each call, or changes outside of it. Where are the weights made, and "
    "where the optimizer?"
)


def why_it_raises(step: Any, problem: Exception) -> str:
    """The mistake behind an error of a step, if it is a known one."""
    if isinstance(problem, UnboundLocalError):
        return why_unbound(step, problem)
    if isinstance(problem, AssertionError) and str(problem).startswith("check=True"):
        return UNLIKE
    if isinstance(problem, (TypeError, AttributeError)) and "'NoneType'" in str(problem):
        return NO_GRADIENT
    if isinstance(problem, RuntimeError) and "does not require grad" in str(problem):
        return NO_WEIGHT
    return ""


def why_refused(step: Any, compiled: Any) -> str:
    """What keeps a step from becoming a program, where that stands, and what helps."""
    reason, *more = runs.told(compiled).splitlines()
    places = re.findall(r"  where: .*(line \d+)", "\n".join(compiled.refused.values()))
    where = f", in {places[0]}" if places else ""
    if "print" in names_of(step):
        return (
            f"it is refused{where}: {reason}. print() asks for the numbers of a tensor. Who else "
            "could print it?"
        )
    return "\n".join([f"it is refused{where}: {reason}.", *more])


def names_of(step: Any) -> set[str]:
    """What a function asks for by name: variables outside, and attributes."""
    return set(getattr(getattr(step, "__code__", None), "co_names", ()))


def judge_own(attempt: Any) -> str | None:
    """Compiles a step of the learner's own, and checks that it is a step of a training."""
    if not isinstance(attempt, (list, tuple)) or not attempt:
        raise Unfit(
            "the step is wanted, and behind it what it is called with: (step, x) or (step, x, y)."
        )
    step, *args = attempt
    step = runs.plain(step)
    if is_open(attempt):
        return None
    if not callable(step):
        raise Unfit("the first is to be a function.")
    if getattr(step, "__name__", "") == "step" and names_of(step) >= {"w1", "w2", "tanh"}:
        raise Unfit("that is the step of section 4. Take one of your own.")
    if name := runs.compiled_in(step):
        raise Unfit(
            f"{name} is compiled already, and it is called in your step. Write the lines of a "
            "plain step into it, so that there is something to compare."
        )
    if not runs.takes(step, args):
        number = f"{len(args)} argument{'s' * (len(args) != 1)}"
        return f"it is called with {number}, and it is defined with {inspect.signature(step)}."
    compiled = torch.compile(step, check=True)
    result = None
    for _ in range(4):
        try:
            result = runs.quietly(lambda: compiled(*args))
        except Exception as problem:
            known = why_it_raises(step, problem)
            if known:
                return known
            raise
        if is_open(result):
            return None
    if compiled.refused:
        return why_refused(step, compiled)
    if not runs.served(compiled):
        return "no call was served by a program: what it reads is different each time."
    return what_is_missing(compiled, args, result)


def what_is_missing(compiled: Any, args: list[Any], result: Any) -> str:
    """What a step of a training does, and this one does not; "" if it does all of it."""
    program = compiled.programs[-1]
    if "Backward" not in program.source and "backward" in names_of(compiled.function):
        return (
            "backward() is called, but its gradients are thrown away before anything has used "
            "them. Which line does that, and where does it belong?"
        )
    if "Backward" not in program.source:
        return "nothing goes back in it, so no weight can learn. Where is backward()?"
    outside = [one.held for one in program.checks if one.held is not None]
    weights = [one for one in (*outside, *args) if getattr(one, "requires_grad", False)]
    moved, elsewhere = beside(lambda: compiled(*args), weights)
    if not moved:
        return "gradients are worked out, and after the call every weight is what it was before."
    grown = re.findall(r"np\.add\((\w+_grad), .*out=\1\)", program.source)
    if any(f"{name}[...] = " not in program.source for name in grown):
        return broke(
            "accumulate",
            "what arrives is added to the gradients of the calls before. Who clears them?",
        )
    if result is None:
        return "it trains, but it returns None, so nobody can see whether the loss falls."
    return what_the_loss_does(lambda: compiled(*args), result, elsewhere)


def what_the_loss_does(call: Any, result: Any, elsewhere: Any) -> str:
    """What is wrong with the loss that a step returns, here and beside here; "" if nothing is."""
    here, there = first_number(result), first_number(elsewhere)
    if here is None or there is None:
        return (
            "it trains, but what it returns is not one number in a tensor, as a loss is. "
            "What would show whether the training gets on?"
        )
    if here == there:
        return (
            "what it returns stays the same when the weights are moved by hand. "
            "Is it the loss, or something else?"
        )
    losses = [first_number(runs.quietly(call)) or 0.0 for _ in range(20)]
    first, last = sum(losses[:5]), sum(losses[-5:])
    if not math.isfinite(last):
        return "after some calls the loss is no finite number any more. How far does a step go?"
    if endless(losses):
        return (
            f"in 20 calls the loss has fallen from {losses[0]:.4g} to {losses[-1]:.4g}, below 0, "
            "and in each call by more than in the one before. Where should it end? Look at its "
            "sign."
        )
    if last > 1.02 * first + 1e-9:
        return (
            f"in 20 calls with the same data the loss has risen from {losses[0]:.4g} to "
            f"{losses[-1]:.4g}. In which direction does the step go, and how far?"
        )
    return ""


def endless(losses: list[float]) -> bool:
    """Whether losses below 0 fall faster and faster, as those with a wrong sign do."""
    falls = [before - after for before, after in pairwise(losses)]
    return losses[-1] < 0 < falls[0] and all(one < more for one, more in pairwise(falls))


def first_number(result: Any) -> float | None:
    """The number in a result, or in the first of several; None if there is no single one."""
    first = result[0] if isinstance(result, (tuple, list)) and result else result
    if isinstance(first, torch.Tensor) and first.numel() == 1:
        return float(first.detach())
    return None


def beside(call: Any, weights: list[Any]) -> tuple[bool, Any]:
    """From a place beside where the weights are, for there they may rest: what a call does.

    Whether it moves one, and what it returns.
    """
    arrays = [one.detach().numpy() for one in weights]  # their own memory
    kept = [array.copy() for array in arrays]
    for array in arrays:
        array += 0.1
    before = [array.copy() for array in arrays]
    result = runs.quietly(call)
    moved = any((was != array).any() for was, array in zip(before, arrays))
    for array, was in zip(arrays, kept):
        array[...] = was
    return moved, result


own: lesson.Exercise = lesson.Exercise(
    "own step",
    judge=judge_own,
    hint="Take the training step of lesson 05: zero_grad, the loss, backward, step, and return "
    "the loss.",
    because="A step that passes clears the old gradients, works out a loss, goes back from it, "
    "moves the weights and returns the loss, as in optimizer.zero_grad(); "
    "loss = ((x @ w - y) ** 2).mean(); loss.backward(); optimizer.step(); return loss. "
    "If it prints something, that is lost in the calls that a program serves.",
)
