"""What notebook 03's exercises accept, and what they say to each known mistake."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import minigrad as torch
from minigrad import lesson
from minigrad.lesson import broke
from minigrad.lesson.checking import judged

from .nb03_measuring import LIMIT

# ------------------------------------------------------------------- where it jumps, how steeply

JUMP, BEFORE, AFTER = 1000 / 1024, 2048.0, 1024.0


def judge_jump(attempt: Any) -> str:
    if not isinstance(attempt, (list, tuple)) or len(attempt) != 3:
        return "three numbers are wanted: where, the slope before, and the slope after."
    where, *slopes = (float(number) for number in attempt)
    if abs(where - 1000 / 512) < 1e-3:
        return "there is the jump that you have seen. One more is between 0.5 and 1.9."
    if not 0.5 < where < 1.9:
        return f"{where:g} is not between 0.5 and 1.9."
    (left, _), (right, _) = route(where - 1e-3), route(where + 1e-3)
    if left == right:
        return (
            f"nothing jumps at {where:g}: a little before it and a little after it, there are "
            f"{left} doublings."
        )
    known = {
        (BEFORE, AFTER): "",
        (AFTER, BEFORE): "before and after have changed places: small readings are doubled more "
        "often.",
        (1024.0, 512.0): "those are the slopes at the other jump. How often is it doubled here?",
        (11.0, 10.0): broke(
            "multiply", "so often it is doubled. What does one doubling do to the slope?"
        ),
        (22.0, 20.0): broke("multiply", "doublings multiply: 2 · 2 · 2 …, not 2 + 2 + 2 …"),
        (2000.0, 1000.0): "those are its values on both sides. How steep is it there?",
    }
    if slopes[0] == slopes[1]:
        return "the place is right. But a doubling fewer makes it less steep: two slopes."
    return known.get(
        (slopes[0], slopes[1]),
        "the place is right, the slopes are not: count the doublings on both sides.",
    )


jump = lesson.Exercise(
    "jump",
    judge=judge_jump,
    hint="The jump that you know is at 1000/512, where 9 doublings are just enough. Where are 10 "
    "just enough, and how often is it doubled on either side?",
    because="At 1000/1024 = 0.9765625. Before it there are 11 doublings, 2048; after it 10, 1024. "
    "Nudging by 0.000001 on one side alone, at 0.9765 and at 0.9766, gives the same two numbers.",
)

# --------------------------------------------------------------- clip, then square: two ways


def clipped_square(x: Any) -> Any:
    return torch.clamp(x, max=LIMIT) ** 2


def with_history(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """The same function, whose result has a gradient (zero) even where it is a constant."""

    def wrapped(x: Any) -> Any:
        result = function(x)
        if result is None or result is ...:
            raise NotImplementedError
        return result + 0 * x if isinstance(result, (int, float, torch.Tensor)) else result

    return wrapped


CLIP_MISTAKES = {
    lambda x: x * x: "it never clips: above 2 the result still grows with x.",
    lambda x: torch.clamp(x, max=LIMIT): "it clips, but does not square.",
    lambda x: torch.clamp(x * x, max=LIMIT): "it squares first and clips the square. Clip x first.",
    lambda x: torch.clamp(x, min=LIMIT) ** 2: "it keeps what is above 2. The limit is an upper "
    "one: keep what is below.",
    lambda x: torch.clamp(x, -LIMIT, LIMIT) ** 2: "it clips at −2, too. Only 2 is a limit.",
    lambda x: x * x + (torch.clamp(x, max=LIMIT) ** 2 - x * x).detach(): "the numbers are right, "
    "but above 2 a gradient still flows. There the result does not depend on x.",
    lambda x: torch.clamp(x, max=LIMIT).detach() ** 2: "the numbers are right, but below 2 no "
    "gradient flows. Did a number lose its history?",
}

clip_numbers = lesson.Exercise(
    "clip",
    answer=with_history(clipped_square),
    cases=[(torch.tensor(v, requires_grad=True),) for v in (1.5, 3.5, -3.0, 0.5)],
    mistakes={with_history(wrong): why for wrong, why in CLIP_MISTAKES.items()},
)


def one_graph(function: Callable[[Any], Any]) -> bool:
    """Does it leave the same graph on both sides of the limit?"""
    below, above = (function(torch.tensor(v, requires_grad=True)) for v in (1.5, 3.5))
    if not all(isinstance(r, torch.Tensor) and r.grad_fn is not None for r in (below, above)):
        return False
    return not lesson.same_graph(below)(above)


def clip_judge(branch: bool) -> Callable[[Any], str | None]:
    def judge(attempt: Any) -> str | None:
        if not callable(attempt):
            return "a function is wanted."
        message = judged(clip_numbers, with_history(attempt))
        if message or message is None:
            return message
        if branch and one_graph(attempt):
            return "the numbers are right, but x = 1.5 and x = 3.5 leave the same graph. Use an if."
        if not branch and not one_graph(attempt):
            return (
                "the numbers are right, but x = 1.5 and x = 3.5 leave different graphs: there "
                "is a branch in it. Use minimum, clamp or where."
            )
        return ""

    return judge


clip_with_if = lesson.Exercise(
    "clip with if",
    judge=clip_judge(True),
    hint="If x is above 2, go on with 2.0 in its place. The square comes last.",
    because="if x > 2: x = 2.0, and then return x * x. Above 2 nothing of x is left in the result.",
)
clip_without_if = lesson.Exercise(
    "clip without if",
    judge=clip_judge(False),
    hint="torch.minimum takes the smaller of two tensors, and a number becomes one by "
    "torch.tensor(2.0).",
    because="torch.minimum(x, torch.tensor(2.0)) ** 2 runs the same operations for every x.",
)


# ---------------------------------------------------------------------------------- a guard

GUARDED = np.random.default_rng(1).normal(size=300).tolist()


def route(value: float) -> tuple[int, bool]:
    """Which way ``amplify`` takes: how often it doubles, and whether it divides."""
    count, y = 0, value
    while -1000 < y < 1000:
        count, y = count + 1, y * 2
    return count, y < 0


def guard_judge(attempt: Any) -> str | None:
    if not callable(attempt):
        return "a function is wanted: guard(a)."
    keys: dict[Any, float] = {}
    routes: dict[Any, float] = {}
    for value in GUARDED:
        key, way = attempt(value), route(value)
        if key is None or key is ... or (isinstance(key, tuple) and ... in key):
            return None
        if isinstance(key, torch.Tensor):
            return "it gives a tensor, and two tensors are never one key. Use plain numbers."
        first = keys.setdefault(key, value)
        if route(first) != way:
            return parted(first, value, key)
        routes.setdefault(way, value)
    if len(keys) > len(routes):
        return many(attempt, keys, routes)
    return ""


def parted(first: float, second: float, key: Any) -> str:
    """Two inputs with one key that take different ways."""
    (count, negative), (other, also) = route(first), route(second)
    pair = f"{first:.3g} and {second:.3g} both get the key {key}"
    if count == other:
        return f"{pair}, but only one of them is negative, and is divided by 10."
    if negative != also:
        return (
            f"{pair}, but they are doubled {count} and {other} times, and only one of them is "
            "negative."
        )
    return f"{pair}, but are doubled {count} and {other} times."


def many(attempt: Callable[[float], Any], keys: Any, routes: Any) -> str:
    if len(keys) == len(set(GUARDED)):
        return (
            "never wrong, but each input has a key of its own: nothing would ever be replayed. "
            "Leave out what does not change the path."
        )
    return (
        f"never wrong, but it makes {len(keys)} keys for {len(routes)} paths: inputs that "
        "take the same path get different ones."
    )


guard = lesson.Exercise(
    "guard",
    judge=guard_judge,
    hint="Two things decide the path: how often the loop runs, and what the condition at the end "
    "says. Find out both for a plain number.",
    because="Run the loop of amplify on the plain number, count its rounds, and return the count "
    "together with a < 0.",
)

# ----------------------------------------------------------------------------- a soft choice


def choice_cases(random: np.random.Generator) -> Sequence[Any]:
    x, t = random.uniform(0, 1, 2)
    a, b = random.uniform(1, 3, 2)
    return [torch.tensor(v, requires_grad=True) for v in (x, t, a, -b)]


def blend(w: Any, a: Any, b: Any) -> Any:
    return w * a + (1 - w) * b


def gate(x: Any, t: Any) -> Any:
    return torch.sigmoid((x - t) / 0.1)


soft_choice = lesson.Exercise(
    "soft choice",
    answer=lambda x, t, a, b: blend(gate(x, t), a, b),
    cases=choice_cases,
    mistakes={
        lambda x, t, a, b: a if x > t else b: "it still jumps: x and t only decide, and get no "
        "gradient. Mix a and b.",
        lambda x, t, a, b: blend(gate(x, t), b, a): "a and b have changed places: a is for x above "
        "t.",
        lambda x, t, a, b: gate(x, t) * a: "far below t it gives 0. What should it give there?",
        lambda x, t, a, b: gate(x, t) * a + b: "b is added in full, even far above t.",
        lambda x, t, a, b: blend(gate(x, t).detach(), a, b): "the numbers are right, but w has no "
        "history: t gets no gradient.",
        lambda x, t, a, b: blend(torch.sigmoid(x - t), a, b): "the blend is 10 times too wide: "
        "look again at the w that was given.",
        lambda x, t, a, b: blend(torch.sigmoid((x - t) * 0.1), a, b): "the blend is 100 times too "
        "wide: what is done with the 0.1?",
    },
    hint="w is the share of a. What is the share of b, if both shares make 1?",
    because="w * a + (1 - w) * b: nearly a where x is far above t, and nearly b where it is "
    "far below.",
)
