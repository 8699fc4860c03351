"""Exercises of notebook 11 in which rules are checked: a check to write, and a rule of your own."""

from __future__ import annotations

import itertools
import math
import warnings
from typing import Any

import minigrad as torch
from minigrad import lesson
from minigrad.autograd.gradcheck import GradcheckError
from minigrad.lesson import broke
from minigrad.lesson.values import is_open

from .nb11_judges import double, gone_back, is_function, near

# ------------------------------------------------------------------------------ a check to write


def rule(slope: Any, multiplies: bool = True, seen: list[Any] | None = None) -> Any:
    """A Function of x³ with the given slope; ``seen`` gets the dtypes that it is run with."""

    class Rule(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            ctx.save_for_backward(x)
            if seen is not None:
                seen.append(x.dtype)
            return x**3

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            (x,) = ctx.saved_tensors
            return slope(x) * g if multiplies else slope(x)

    return Rule


BAD = {
    "a rule that says 3x where it should say 3x²": rule(lambda x: 3 * x),
    "a rule that does not use g": rule(lambda x: 3 * x**2, multiplies=False),
    "a rule that is wrong for negative numbers only": rule(lambda x: 3 * x * abs(x)),
    "a rule that is wrong for positive numbers only": rule(lambda x: -3 * x * abs(x)),
}
WHY = {
    "a rule that says 3x where it should say 3x²": "At which of your points do the two differ?",
    "a rule that does not use g": "What do you compare? A 1 that arrives hides it.",
    "a rule that is wrong for negative numbers only": "Has one of your points a minus?",
    "a rule that is wrong for positive numbers only": "Is one of your points above 0?",
}


def judge_checker(passes: Any) -> str | None:
    """Hands the learner's check a right rule, and four wrong ones."""
    if not callable(passes):
        return "a function is wanted, which gets the class with the rule."
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        seen: list[Any] = []
        found = passes(rule(lambda x: 3 * x**2, seen=seen))
        if found is None and seen:
            return "it runs the rule, and then returns nothing. Is a return missing?"
        if is_open(found) or found is None:
            return None
        if not isinstance(found, bool):
            return f"it is to return True or False, and it returned {type(found).__name__}."
        if not found:
            if not seen:
                return "it says False without running the rule. At which points is rule.apply run?"
            said = "a right rule of the cube, g * 3 * x**2, is reported as wrong."
            few = torch.float64 not in seen
            return f"{said} How many digits have your points?" if few else said
        let = []
        for name, bad in BAD.items():
            try:
                if passes(bad):
                    let.append(name)
            except GradcheckError:
                return (
                    "where a rule is wrong, it stops with an error of gradcheck, and False is "
                    "wanted. Look at the option that is named above the cell."
                )
    if len(let) == len(BAD):
        return "it says True to every rule, also to those that are wrong."
    return f"{let[0]} gets through. {WHY[let[0]]}" if let else ""


checker = lesson.Exercise(
    "checker",
    judge=judge_checker,
    hint="Make a tensor in float64 that requires a gradient, with several points of both signs. "
    "Then let gradcheck return False instead of raising: it has an option raise_exception.",
    because="x = torch.tensor([-1.3, 0.4, 2.5], dtype=torch.float64, requires_grad=True), and "
    "then torch.autograd.gradcheck(rule.apply, (x,), raise_exception=False)",
)

# ------------------------------------------------------------------------------- a rule of yours


def judge_own(attempt: Any) -> str | None:
    """Compares a rule with differences at eleven points, and looks for corners in between."""
    if not isinstance(attempt, (list, tuple)) or len(attempt) != 3:
        return "three things are wanted: the class, and the two ends of a range."
    kind, low, high = attempt
    if any(is_open(one) for one in attempt):
        return None
    if not is_function(kind):
        return "the first is to be a class, made from torch.autograd.Function."
    if not low < high:
        return "the second number is to be larger than the first."
    points = [low + (high - low) * k / 10 for k in range(11)]
    x = double(points)
    y = kind.apply(x)
    if is_open(y) or y is None:
        return None
    return said_of_values(y, points) or gone_back(y.sum()) or said_of_slopes(kind, points)


def said_of_values(y: Any, points: list[float]) -> str:
    """What is wrong with the function itself, or ""."""
    if tuple(y.shape) != (11,):
        return f"from 11 numbers it makes the shape {tuple(y.shape)}: one for each is wanted."
    values = y.detach().tolist()
    for point, value in zip(points, values):
        if not math.isfinite(value):
            return f"at x = {point:.3g} its value is {value}. Choose another range."
    if near(values, [point**3 for point in points]):
        return "the cube has its rule in section 2. Choose a function without one in this lesson."
    if near(values, [math.log1p(math.exp(min(point, 700.0))) for point in points]):
        return "softplus has its rule in section 2. Choose a function without one in this lesson."
    if near(values, points):
        return "it returns its input. Choose a function that does something."
    line = [values[0] + (values[-1] - values[0]) * k / 10 for k in range(11)]
    if all(math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-9) for a, b in zip(values, line)):
        return "its curve is a straight line. Choose one whose slope changes."
    return ""


def said_of_slopes(kind: Any, points: list[float]) -> str:
    """Where the rule differs from differences, or the curve has a corner; or ""."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for point in points:
            try:
                torch.autograd.gradcheck(kind.apply, (double([point]),))
            except RuntimeError as problem:
                if "not multiplied" in str(problem):
                    return broke(
                        "multiply",
                        "backward sends back the same, whatever arrives. Which letter is missing?",
                    )
                numbers = [line.strip() for line in str(problem).splitlines()[1:3]]
                return f"at x = {point:.3g} it differs: {', '.join(numbers) or problem}."
    leap = jump(lambda grid: kind.apply(double(grid)).tolist(), points[0], points[-1])
    if leap is not None:
        return (
            f"the eleven points agree, but near x = {leap:.3g} the value itself jumps: there is no "
            "slope there. Choose a range without a jump."
        )
    corner = jump(lambda grid: slopes_of(kind, grid), points[0], points[-1])
    if corner is not None:
        return (
            f"the eleven points agree, but near x = {corner:.3g} the slope jumps: there it has "
            "none. Choose a range without a corner."
        )
    return ""


def slopes_of(kind: Any, grid: list[float]) -> list[float]:
    """What the rule says at each of these points."""
    x = double(grid)
    kind.apply(x).sum().backward()
    return x.grad.tolist()


def jump(numbers: Any, low: float, high: float) -> float | None:
    """Where these jump: a difference between neighbours that no finer grid makes small."""
    size, first = math.inf, 0.0
    for _ in range(3):
        grid = [low + (high - low) * (k + 0.5) / 301 for k in range(301)]
        steps = [abs(b - a) for a, b in itertools.pairwise(numbers(grid))]
        size = max(steps)
        first = first or size
        at = steps.index(size)
        low, high = grid[at], grid[at + 1]
    return (low + high) / 2 if size > 1e-6 and size > 0.5 * first else None


own = lesson.Exercise(
    "own rule",
    judge=judge_own,
    hint="Choose a function whose derivative you know, such as cos(x), sin(x) or exp(-x * x). "
    "Save x, and multiply what arrives by the derivative at x.",
    because="One of many: for sin, return torch.sin(x) in forward, and g * torch.cos(x) in "
    "backward.",
)
