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
from minigrad.lesson.values import is_number, is_open

from .code_names import names_in
from .nb11_judges import (
    double,
    foreign,
    gone_back,
    gone_forward,
    misshapen,
    near,
    no_result,
    nothing_back,
)

# ------------------------------------------------------------------------------ a check to write


def rule(slope: Any, multiplies: bool = True, seen: list[Any] | None = None) -> Any:
    """A Function of x³ with the given slope; ``seen`` gets the inputs that it is run with."""

    class Rule(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            ctx.save_for_backward(x)
            if seen is not None:
                seen.append(x.detach())
            return x**3

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            (x,) = ctx.saved_tensors
            return slope(x) * g if multiplies else slope(x)

    return Rule


BAD = {
    "a rule that says 3x where it should say 3x²": (lambda x: 3 * x, True),
    "a rule that does not use g": (lambda x: 3 * x**2, False),
    "a rule that is wrong for negative numbers only": (lambda x: 3 * x * abs(x), True),
    "a rule that is wrong for positive numbers only": (lambda x: -3 * x * abs(x), True),
    "a rule that says 3x⁴ where it should say 3x²": (lambda x: 3 * x**4, True),
}
"""Slopes of rules that are wrong, and whether the rule multiplies by what arrives."""
WHY = {
    "a rule that says 3x where it should say 3x²": "At which of your points do the two differ?",
    "a rule that does not use g": "What do you compare? A 1 that arrives hides it.",
    "a rule that is wrong for negative numbers only": "Does one of your points have a minus?",
    "a rule that is wrong for positive numbers only": "Is one of your points above 0?",
    "a rule that says 3x⁴ where it should say 3x²": "At which of your points do the two differ?",
}
LINES = (
    "it says True to every rule. checked gives you a line to read, and to Python a line of text "
    "counts as true, also one that tells of an error. What does your function do with the line?"
)
NO_TEXT_IS_TRUE = (
    "it says False to every rule, also to a right one. checked gives you a line of text. Is a text "
    "ever equal to True?"
)
EXCHANGED = "it reports a right rule, and lets a wrong one pass. Which is True, and which False?"
REPORTED = "a right rule of the cube, g * 3 * x**2, is reported as wrong."
ONE_POINT = (
    "If there are more points in your function, which line ends it before they have their turn?"
)


def judge_checker(passes: Any) -> str | None:
    """Hands the learner's check a right rule, and five wrong ones."""
    if not callable(passes):
        return "a function is wanted, which gets the class with the rule."
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        seen: list[Any] = []
        try:
            found = passes(rule(lambda x: 3 * x**2, seen=seen))
        except GradcheckError:
            return f"{REPORTED} It even stops with an error. {what_reports(seen)}"
        except RuntimeError as problem:
            if "should not be instantiated" not in str(problem):
                raise
            return "it calls the class itself. How did the cells above run an operation of yours?"
        except TypeError as problem:
            if "'Tensor' object is not callable" not in str(problem):
                raise
            return (
                "gradcheck is handed a result, and it wants the operation: it runs that itself, at "
                "the inputs that stand behind it."
            )
        except ValueError as problem:
            if "to require gradient" not in str(problem):
                raise
            return "gradcheck refuses to begin: none of your points asks for a gradient."
        if found is None and seen:
            return "it runs the rule, and then returns nothing. Is a return missing?"
        if is_open(found) or found is None:
            return None
        if isinstance(found, str):
            return (
                "it is to return True or False, and it returned the line of text that checked "
                "makes. What stands in that line when a rule passes?"
            )
        if not isinstance(found, bool):
            return f"it is to return True or False, and it returned {type(found).__name__}."
        if not found:
            return said_of_false(passes, seen)
        if not seen:
            return "it says True to every rule, without running one. Which rule is it handed?"
        return said_of_wrong_rules(passes)


def said_of_false(passes: Any, seen: list[Any]) -> str:
    """Why a right rule may have been called wrong; ``seen``: what it was run with."""
    if not seen:
        return "it says False without running the rule. At which points is rule.apply run?"
    if "checked" in names_in(passes):
        found = [passes(rule(*bad)) for bad in BAD.values()]
        return EXCHANGED if any(found) else NO_TEXT_IS_TRUE
    said = f"{REPORTED} {what_reports(seen)}"
    if all(x.dtype != torch.float64 for x in seen):
        return said
    return EXCHANGED if all(passes(rule(*bad)) for bad in BAD.values()) else said


def what_reports(seen: list[Any]) -> str:
    """What may be asked where a right rule is reported: of its digits, or of the tolerance."""
    if all(x.dtype != torch.float64 for x in seen):
        return "How many digits do your points have?"
    return "How far may the two numbers differ in your function?"


def said_of_wrong_rules(passes: Any) -> str:
    """Which wrong rules get through, and at which points they were tried; or ""."""
    let = {}
    for name, (slope, multiplies) in BAD.items():
        seen: list[Any] = []
        try:
            if passes(rule(slope, multiplies, seen)):
                let[name] = points_of(seen)
        except GradcheckError:
            return (
                "where a rule is wrong, it stops with an error of gradcheck, and False is "
                "wanted. Look at the option that is named above the cell."
            )
    if len(let) == len(BAD):
        names = names_in(passes)
        said = "it says True to every rule, also to those that are wrong."
        if "nudged" in names:
            said += " A nudge runs forward() alone. Whose number is it compared with?"
        return LINES if "checked" in names else said
    for name, points in let.items():
        if len(points) > 1 and any(is_wrong_at(name, point) for point in points):
            if sets_tolerance(getattr(passes, "__code__", None)):
                return (
                    f"{name} gets through, and yet it was run at a point where it is wrong. How "
                    "far may the two numbers differ, with the rtol and atol that you have chosen?"
                )
            return (
                f"{name} gets through, and yet it was run at a point where it is wrong. What does "
                "your function do when one point is right, and another is not?"
            )
        if len(points) == 1 and name != "a rule that does not use g":
            return f"{name} gets through. It was run at {points[0]:g} and nowhere else. {ONE_POINT}"
        return f"{name} gets through. {WHY[name]}"
    return ""


def is_wrong_at(name: str, point: float) -> bool:
    """Whether the slope of this rule, without what arrives, is not that of the cube."""
    slope, _ = BAD[name]
    return not math.isclose(slope(point), 3 * point**2, rel_tol=1e-2, abs_tol=1e-6)


def points_of(seen: list[Any]) -> list[float]:
    """The points at which a rule was run: a nudge of a millionth makes no new one."""
    return sorted({round(float(one), 3) for x in seen for one in x.reshape(-1).tolist()})


def sets_tolerance(code: Any) -> bool:
    """Whether the code of a function names rtol or atol in a call."""
    words = [one for one in getattr(code, "co_consts", ()) if isinstance(one, tuple)]
    return any(name in one for one in words for name in ("rtol", "atol"))


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
    if other := misshapen(kind):
        return other
    if not (is_number(low) and is_number(high)):
        return "the two ends of the range are to be numbers, as in -1, 2."
    if not low < high:
        return "the second number is to be larger than the first."
    if high - low < 0.01:
        return "in so narrow a range every curve looks straight. Choose a wider one."
    points = [low + (high - low) * k / 10 for k in range(11)]
    x = double(points)
    y, stopped = gone_forward(kind, x)
    if stopped:
        return stopped
    if no_result(kind, y):
        return None
    if y is None:
        return "forward() returns nothing. Do three dots stand there, or is a return missing?"
    if stopped := said_of_values(y, points) or foreign(kind) or gone_back(kind, y.sum()):
        return stopped
    if x.grad is None:
        return nothing_back(kind)
    return said_of_sharp_points(kind, points) or said_of_slopes(kind, points)


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


def said_of_sharp_points(kind: Any, points: list[float]) -> str:
    """Says so if the curve jumps or has a corner at one of the points, or ""."""
    wide, narrow = ((points[-1] - points[0]) * share for share in (1e-5, 1e-6))
    far, close = rises(kind, points, wide), rises(kind, points, narrow)
    steepest = max(abs(rise) for both in close for rise in both if math.isfinite(rise)) / narrow
    for point, at_far, at_close in zip(points, far, close):
        if not all(map(math.isfinite, (*at_far, *at_close))):
            continue
        size = max(map(abs, at_close))
        if size > 0.5 * max(map(abs, at_far)) and size > 1e-4 * steepest * wide:
            return (
                f"at x = {shown(point)} the value itself jumps: there is no slope there. Choose a "
                "range without a jump."
            )
        bends = [abs(left - right) / h for (left, right), h in ((at_far, wide), (at_close, narrow))]
        if bends[1] > 0.5 * bends[0] and bends[1] > 1e-3 * steepest:
            return (
                f"at x = {shown(point)} the slope jumps: there it has none. Choose a range without "
                "a corner."
            )
    return ""


def rises(kind: Any, points: list[float], h: float) -> list[tuple[float, float]]:
    """By how much the value rises on the way to each point, and from it on."""
    before, at, behind = (
        kind.apply(double([point + to for point in points])).tolist() for to in (-h, 0.0, h)
    )
    return [(b - a, c - b) for a, b, c in zip(before, at, behind)]


def said_of_slopes(kind: Any, points: list[float]) -> str:
    """Where the rule differs from differences, or the curve has a corner; or ""."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for point in points:
            try:
                torch.autograd.gradcheck(kind.apply, (double([point]),))
            except RuntimeError as problem:
                if "not multiplied" in str(problem):
                    return said_of_factor(kind, point)
                numbers = [line.strip() for line in str(problem).splitlines()[1:3]]
                if said := said_of_two(point, numbers):
                    return said + said_of_sign(kind, points)
                return f"at x = {point:.3g} it differs: {problem}."
    return said_of_odd_points(kind, points[0], points[-1])


def said_of_two(point: float, numbers: list[str]) -> str:
    """What is wrong where gradcheck names two numbers; "" if it names none."""
    if len(numbers) < 2 or not numbers[0].startswith("numerical"):
        return ""
    both = ", ".join(numbers)
    if "nan" in numbers[0]:
        return (
            f"at x = {point:.3g}: {both}. A nudge leads out of the range in which the function has "
            "a value. Choose ends that lie further inside."
        )
    if "inf" in numbers[1] or "nan" in numbers[1]:
        return (
            f"at x = {point:.3g}: {both}. Your rule gives no finite number there. Either it is "
            "wrong, or the curve is infinitely steep and another range is wanted."
        )
    return f"at x = {point:.3g} it differs: {both}."


def said_of_sign(kind: Any, points: list[float]) -> str:
    """Says so if the rule has the wrong sign at all of the points, or ""."""
    h = 1e-6 * (points[-1] - points[0])
    up, down = (kind.apply(double([at + to for at in points])).tolist() for to in (h, -h))
    turned = [(one - other) / (2 * h) for one, other in zip(down, up)]
    return (
        " The two differ in their sign alone."
        if near(slopes_of(kind, points), turned, 1e-3)
        else ""
    )


def said_of_factor(kind: Any, point: float) -> str:
    """What is said of a rule that sends back something where 0 arrives."""
    sent = []
    for arrives in (1.0, 2.0):
        x = double([point])
        (arrives * kind.apply(x)).sum().backward()
        sent.append(x.grad.item())
    if sent[0] == sent[1]:
        return (
            "backward() sends back the same, whether 1 arrives or 2. What should change when more "
            "arrives?"
        )
    return broke(
        "multiply",
        f"at x = {point:.3g}, where 0 arrives, it does not send back 0. Is g a factor of all that "
        "is returned? Look at the brackets.",
    )


def said_of_odd_points(kind: Any, low: float, high: float) -> str:
    """Where between the eleven points there is no slope, or ""."""

    def values(grid: list[float]) -> list[float]:
        return kind.apply(double(grid)).tolist()

    pole = growth(values, low, high)
    if pole is not None:
        return (
            f"the eleven points agree, but near x = {shown(pole)} the value grows without bound: "
            "there is no slope there. Choose a range on one side of it."
        )
    rounding = 1e-9 * max(map(abs, values(finer(low, high))))
    leap = jump(lambda grid: unexplained(kind, grid), low, high, max(1e-6, rounding))
    if leap is not None:
        return (
            f"the eleven points agree, but near x = {shown(leap)} the value itself jumps: there is "
            "no slope there. Choose a range without a jump."
        )
    corner = jump(lambda grid: slopes_of(kind, grid), low, high)
    if corner is not None:
        return (
            f"the eleven points agree, but near x = {shown(corner)} the slope jumps: there it has "
            "none. Choose a range without a corner."
        )
    return ""


def slopes_of(kind: Any, grid: list[float]) -> list[float]:
    """What the rule says at each of these points."""
    x = double(grid)
    kind.apply(x).sum().backward()
    return x.grad.tolist()


def unexplained(kind: Any, grid: list[float]) -> list[float]:
    """The values, less what the slopes add up to on the way from the first point."""
    values, slopes = kind.apply(double(grid)).tolist(), slopes_of(kind, grid)
    found, climbed = [values[0]], 0.0
    for at in range(1, len(grid)):
        climbed += (grid[at] - grid[at - 1]) * (slopes[at] + slopes[at - 1]) / 2
        found.append(values[at] - climbed)
    return found


def shown(point: float) -> str:
    """A point with three places, as for a reader: 0 and not -3.67e-08."""
    return f"{round(point, 3) + 0.0:g}"


def finer(low: float, high: float) -> list[float]:
    return [low + (high - low) * (k + 0.5) / 301 for k in range(301)]


def growth(values: Any, low: float, high: float) -> float | None:
    """Where these grow without bound: each finer grid finds much larger ones."""
    first, size = 0.0, math.inf
    for _ in range(3):
        grid = finer(low, high)
        sizes = [abs(value) if math.isfinite(value) else math.inf for value in values(grid)]
        size = max(sizes)
        first = first or size
        at = sizes.index(size)
        low, high = grid[max(at - 1, 0)], grid[min(at + 1, 300)]
    return (low + high) / 2 if size > 100 * first or size == math.inf else None


def jump(numbers: Any, low: float, high: float, least: float = 1e-6) -> float | None:
    """Where these jump: a difference between neighbours that no finer grid makes small."""
    size, first = math.inf, 0.0
    for _ in range(3):
        grid = finer(low, high)
        steps = [abs(b - a) for a, b in itertools.pairwise(numbers(grid))]
        size = max(steps)
        first = first or size
        at = steps.index(size)
        low, high = grid[at], grid[at + 1]
    return (low + high) / 2 if size > least and size > 0.5 * first else None


own = lesson.Exercise(
    "own rule",
    judge=judge_own,
    hint="Choose a function whose derivative you know, such as cos(x), sin(x) or exp(-x * x). "
    "Save x, and multiply what arrives by the derivative at x.",
    because="One of many: for sin, return torch.sin(x) in forward, and g * torch.cos(x) in "
    "backward.",
)
