"""The exercise of notebook 10 in which a refused function is repaired, with its judge."""

from __future__ import annotations

from typing import Any

import minigrad as torch
from minigrad import lesson
from minigrad.lesson.values import is_open

from . import nb10_runs as runs
from .nb10_judges import Unfit

NUMBERS = {"item", "float", "int", "tolist", "numpy"}
"""What makes numbers of a tensor."""


def why_refused(attempt: Any, told: str) -> str:
    """A question about what the function of the repair still does besides its work."""
    names = getattr(getattr(attempt, "__code__", None), "co_names", ())
    if "print" in names:
        return "print() asks for the numbers of the tensor. Who else could print it?"
    if "seen" in names:
        return "The list is still filled inside. Who else could fill it, and with what?"
    if "still held" in told or "has changed" in told:
        return "A variable outside keeps something. Must your function be the one who keeps it?"
    if NUMBERS.intersection(names):
        return "The tensor is turned into a number or an array. What may be handed out instead?"
    if "shows memory" in told:
        return "So it is the rate or the distances, as they came in. Which tensor is the loss?"
    return ""


WITH_A_GRAPH = (
    "it is refused: {}. The rate requires a gradient, and so does what is made of it. What may "
    "leave a program in the place of a tensor with a graph?"
)


def judge_repair(attempt: Any) -> str | None:
    """Compiles what the learner wrote, and looks whether it was served by a program."""
    if not callable(attempt):
        raise Unfit("a function is wanted, cost(km, rate).")
    attempt = runs.plain(attempt)
    rate = torch.tensor(2.0, requires_grad=True)
    given = [torch.tensor([float(n), n + 1.0, n + 2.0]) for n in range(1, 6)]
    compiled = torch.compile(attempt)
    results = []
    for km in given:
        results.append(runs.quietly(lambda km=km: compiled(km, rate)))
        if is_open(results[-1]):
            return None
    if compiled.refused:
        told = runs.told(compiled).splitlines()[0]
        if "its graph" in told:
            return WITH_A_GRAPH.format(told)
        return f"it is refused: {told}. {why_refused(attempt, told)}".rstrip()
    if results[-1] is None:
        return "it returns nothing, so that nobody can look at the loss outside."
    if not torch.is_tensor(results[-1]):
        return f"it returns {runs.kind_of(results[-1])}. A tensor is wanted."
    if not rate.requires_grad:
        return "after the call the rate requires no gradient any more. Whose is the rate?"
    for km, got in zip(given, results):
        got = got.detach()
        wanted = ((rate.detach() * km - 15) ** 2).mean()
        if got.shape != wanted.shape:
            return f"what it returns has the shape {tuple(got.shape)}: one number is wanted."
        if not runs.same_numbers(got, wanted):
            return (
                f"for {km.tolist()} it returns {got.item():g}, and the loss is {wanted.item():g}."
            )
    return at_another_rate(compiled, given[0])


def at_another_rate(compiled: Any, km: Any) -> str:
    """Whether the loss follows the rate; at the rate 2 it is right."""
    rate = torch.tensor(3.0, requires_grad=True)
    got = runs.quietly(lambda: compiled(km, rate)).item()
    wanted = ((rate.detach() * km - 15) ** 2).mean().item()
    if runs.same_numbers(got, wanted):
        return ""
    return (
        f"at the rate 2 its losses are right. At the rate 3 it returns {got:g} for {km.tolist()}, "
        f"and the loss is {wanted:g}. Does your function still ask for the rate?"
    )


repair = lesson.Exercise(
    "repair",
    judge=judge_repair,
    hint="The notes cannot follow a number into a list. Take the list out of the function, and let "
    "the function hand out a tensor: whoever calls it may keep what they like. Section 4 shows "
    "which tensors cannot be handed out, and what helps.",
    because="The list is filled outside, and a tensor without a graph comes out. One way is to "
    "leave out the line with seen, and to return loss.detach(). Outside: "
    "seen.append(cost(km, rate).item()).",
)
