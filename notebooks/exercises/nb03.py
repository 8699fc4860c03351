"""What notebook 03 asks for, and its plot."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

import minigrad as torch
from minigrad import lesson
from minigrad.lesson.checking import judged

from .pictures import Picture, plots

# --------------------------------------------------------------------------------- questions
# Here, and not in the cells, so that nobody reads an answer before giving one.

smaller_step = partial(
    lesson.predict,
    "Nudge by h = 0.000001 instead of 0.001, still at 1.9531. What comes out?",
    1024,
    mistakes={
        -499226: "That was the larger step. The smaller one stays on one side of something.",
        512: "So steep it is a little further right. What comes out at 1.9531?",
    },
    because="1.9521 is doubled 10 times and 1.9541 only 9 times; 1.953099 and 1.953101, both "
    "10 times.",
)
nodes = partial(
    lesson.predict,
    "amplify(1.5) tests the loop's condition 11 times. How many nodes has its result?",
    10,
    mistakes={
        1: "That is one line, but it makes a node each time it runs.",
        11: "The last test stops the loop, so one product fewer.",
        21: "A comparison gives True or False, which has no slope. It leaves no node.",
        22: "A comparison gives True or False, which has no slope. It leaves no node.",
    },
    because="Ten products. Comparisons, while and if leave no nodes.",
)
recursion = partial(
    lesson.predict,
    "Do amplify(1.5) and again(1.5) leave the same graph?",
    True,
    because="Ten products in a row. Who asked for them is not recorded.",
)
graphs = partial(
    lesson.predict,
    "1,000 random inputs (mean 0, spread 1). How many different graphs?",
    23,
    mistakes={
        1: "One function, but each input takes its own path.",
        2: "The condition at the end has two ways; but the loop has many.",
        1000: "Inputs with as many doublings and the same sign share their graph.",
    },
    because="One for each number of doublings and each sign that occur together.",
)
replays = partial(
    lesson.predict,
    "For how many of the 1,000 inputs is the replay wrong?",
    "more than 800",
    choices=["none", "about 20", "about half", "more than 800"],
    because="All inputs that are not doubled 10 times, and the negative ones; it never complained.",
)
threshold = partial(
    lesson.predict,
    "What is t.grad after one step with the hard gate?",
    "None",
    choices=["a negative number", "0", "None"],
    mistakes={"0": "0 would say: it does not matter. But t was never part of the graph."},
    because="t was only compared. A comparison has no node, so no gradient can get to t.",
)
untold = partial(
    lesson.predict,
    "The optimizer was told of w only. What is b now, after 100 steps?",
    0,
    because="b got gradients, but nobody stepped along them.",
)
REPLAYED = 869, 23, 0  # wrong by one recording; recordings with a guard; wrong with them
AROUND_TWO = [[3, 3, 3], [4, 2, 0], [0, 0, 0]]  # gradients below, at and above a kink, three ways
terms = partial(
    lesson.predict,
    "How many different graphs do 3,000 runs leave?",
    3,
    mistakes={2: "So it says. But randint(4, 6) may be 4, and range(4, 4) is empty."},
    because="randint(4, 6) is 4, 5 or 6: no power, the fourth, or the fourth and the fifth.",
)


def both_paths(mine: Any = ...) -> Any:
    a, b = (torch.tensor(v, requires_grad=True) for v in (3.0, 1.0))
    e = (a + b) * (b + 1)
    return lesson.predict(
        "e = (a + b) * (b + 1) with a = 3, b = 1. What is b.grad after e.backward()?",
        lesson.engines.gradients(e, b)[0].item(),
        mistakes=lesson.engines.mistakes(e, b),
        because="One part comes through a + b, the other through b + 1: they add up.",
        mine=mine,
    )


visits = partial(
    lesson.predict,
    "y = y + y, 20 times in a row. How many nodes does y.backward() visit?",
    20,
    mistakes={
        2**20: "That is the number of paths. Each node is visited once.",
        40: "Each node has two edges, but is visited once.",
    },
    because="Each node once, after all that arrives there has arrived.",
)
unrecorded = partial(
    lesson.predict,
    "x = torch.tensor(2.0). How many nodes does x * x leave?",
    0,
    mistakes={1: "Only if an input requires a gradient."},
    because="No input requires a gradient, so nothing is recorded.",
)

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
        (1024.0, 512.0): "so steep it is at the other jump. Here the doublings are 11 and 10.",
        (11.0, 10.0): "so often it is doubled. Each doubling makes it twice as steep.",
        (22.0, 20.0): "doublings multiply: 2 · 2 · 2 …, not 2 + 2 + 2 …",
        (2000.0, 1000.0): "those are its values there. How steep is it?",
    }
    if slopes[0] == slopes[1]:
        return "the place is right. But a doubling fewer makes it less steep: two slopes."
    return known.get(
        (slopes[0], slopes[1]),
        "the place is right, the slopes are not: count the doublings on both sides.",
    )


jump = lesson.Exercise("jump", judge=judge_jump)

# --------------------------------------------------------------- clip, then square: two ways

LIMIT = 2.0


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
    lambda x: x * x: "it never clips. For x above 2 the result should be 4, whatever x is.",
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


clip_with_if = lesson.Exercise("clip with if", judge=clip_judge(True))
clip_without_if = lesson.Exercise("clip without if", judge=clip_judge(False))

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


guard = lesson.Exercise("guard", judge=guard_judge)

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
        lambda x, t, a, b: gate(x, t) * a: "for x far below t it gives 0 instead of b: add "
        "(1 - w) * b.",
        lambda x, t, a, b: gate(x, t) * a + b: "b is added in full. Its share is 1 - w.",
        lambda x, t, a, b: blend(gate(x, t).detach(), a, b): "the numbers are right, but w has no "
        "history: t gets no gradient.",
        lambda x, t, a, b: blend(torch.sigmoid(x - t), a, b): "the blend is 10 times too wide: "
        "divide x - t by 0.1.",
        lambda x, t, a, b: blend(torch.sigmoid((x - t) * 0.1), a, b): "it multiplies x - t by 0.1: "
        "divide.",
    },
)

# ----------------------------------------------------------------------------------- the plot


def teeth(function: Callable[[Any], Any]) -> Picture:
    """The function and its slope between 1.7 and 2.2, with the jump between two doublings."""
    jump = 1000 / 512
    x = np.linspace(1.7, 2.2, 201)
    y = [float(function(torch.tensor(v, dtype=torch.float64))) for v in x]
    slopes = [slope(function, float(v)) for v in x]
    at = int(np.searchsorted(x, jump))
    x, y, slopes = (
        np.insert(np.asarray(v, float), at, v_at)
        for v, v_at in ((x, jump), (y, math.nan), (slopes, math.nan))
    )
    mark = [(jump, "1000/512")]
    ticks = (1.7, 1.8, 1.9, 2.0, 2.1, 2.2)
    return plots(
        [
            {"title": "amplify(a)", "x": x, "y": y, "ticks": (1000, 1500, 2000), "marks": mark},
            {
                "title": "its slope, by backward()",
                "x": x,
                "y": slopes,
                "ticks": (512, 1024),
                "marks": mark,
                "xticks": ticks,
            },
        ],
        "Two plots over a from 1.7 to 2.2. amplify(a) rises to 2000, falls to 1000 at "
        "a = 1000/512, and rises again, half as steep. Its slope is 1024 before and 512 after.",
        "a",
    )


# ---------------------------------------------------------------------------- small instruments


def leaves(*numbers: float) -> list[Any]:
    return [torch.tensor(number, requires_grad=True) for number in numbers]


def normal(count: int) -> list[float]:
    """Random numbers, around 0 with the spread 1; the same ones each time."""
    return [float(number) for number in np.random.default_rng(0).normal(size=count)]


def slope(function: Callable[..., Any], a: float, **options: Any) -> float:
    """The function's derivative at ``a``, by ``backward()``, with 64 bits."""
    leaf = torch.tensor(a, dtype=torch.float64, requires_grad=True)
    function(leaf, **options).backward()
    return float(leaf.grad.item())


def nudged(function: Callable[..., Any], a: float, h: float, **options: Any) -> float:
    """The same by nudging: how much the result moves from ``a - h`` to ``a + h``, per step."""
    points = (torch.tensor(v, dtype=torch.float64) for v in (a - h, a + h))
    down, up = (function(point, **options) for point in points)
    return float(((up - down) / (2 * h)).item())


def same_graph(function: Callable[[Any], Any], other: Callable[[Any], Any], a: float) -> bool:
    """Do both leave the same graph at ``a``? Names and lines do not count."""
    one, two = (f(torch.tensor(a, requires_grad=True)) for f in (function, other))
    return not lesson.same_graph(one)(two)


def fit(loss_at: Callable[[int], Any], parameters: list[Any], steps: int) -> None:
    """Train: in each step clear the gradients, compute new ones, and walk down along them."""
    optimizer = torch.optim.SGD(parameters, lr=0.2)
    for step in range(steps):
        optimizer.zero_grad()
        loss_at(step).backward()
        optimizer.step()


def path(result: Any) -> tuple[str, ...]:
    """The nodes from the leaf to a result: the first input of each."""
    node, found = result.grad_fn, []
    while node.next_functions:
        found.append(node.name())
        node = node.next_functions[0][0]
    return tuple(reversed(found))
