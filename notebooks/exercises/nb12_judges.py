"""Exercises of notebook 12: second derivatives, and what is done with them; with their judges."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import minigrad as torch
from minigrad import lesson
from minigrad.lesson import broke
from minigrad.lesson.attempt import tried
from minigrad.lesson.checking import is_stub, judged
from minigrad.lesson.values import is_open

from .nb12_runs import (
    after_a_step,
    hessian_times,
    network,
    newton_step,
    power_method,
    slope_of,
    some_digits,
)


def number_of(result: Any) -> float | None:
    """A result as a plain number, if it is one."""
    if isinstance(result, torch.Tensor) and result.numel() == 1:
        return float(result.item())
    if isinstance(result, (int, float)) and not isinstance(result, bool):
        return float(result)
    return None


def near(one: float, other: float) -> bool:
    return math.isclose(one, other, rel_tol=1e-3, abs_tol=1e-4)


# ------------------------------------------------------------------------- a second derivative

FUNCTIONS: list[tuple[str, Callable[[Any], Any], float, float, float]] = [
    ("x ** 2 + x ** 3", lambda x: x**2 + x**3, 1.0, 5.0, 8.0),
    ("sin(x)", torch.sin, 0.4, math.cos(0.4), -math.sin(0.4)),
    ("exp(2 * x)", lambda x: torch.exp(2 * x), 0.3, 2 * math.exp(0.6), 4 * math.exp(0.6)),
]


NO_HISTORY = (
    "you differentiate a tensor that has no history: nothing recorded how it was computed. A "
    "backward pass is recorded only if you ask for it. How do you ask?"
)
NO_LEAF = (
    "the x that you gave to f does not ask for a gradient, so nothing was recorded on the way "
    "through f, and there is nothing to go back through."
)
PLAIN_NUMBER = (
    "you differentiate with plain numbers: x comes as a float, and autograd knows nothing but "
    "tensors. What has x to become before f gets it?"
)
NOTHING = "your function ends without returning anything. Hand back what you have computed."
NOT_CALLED = (
    "you differentiate a tensor that has no history, and f was not called at all. What is "
    "differentiated first is its value at x."
)


class Watched:
    """A function that remembers with which tensors it was called."""

    def __init__(self, function: Callable[[Any], Any]) -> None:
        self.function = function
        self.given: list[Any] = []

    def __call__(self, x: Any) -> Any:
        self.given.append(x)
        return self.function(x)

    def places(self) -> set[float | None]:
        return {number_of(x) for x in self.given}

    def why_no_history(self) -> str:
        """What is missing where a tensor without a history was to be differentiated."""
        if not self.given:
            return NOT_CALLED
        return NO_HISTORY if getattr(self.given[-1], "requires_grad", False) else NO_LEAF


def called(attempt: Callable, function: Watched, at: float, wanted: str) -> float | str | None:
    """The number that an attempt returns; or what is wrong; None: nothing is written yet."""
    try:
        result = attempt(function, at)
    except NameError as problem:
        if problem.name != "second":
            raise
        return "second is not known: the kernel was started anew. Run the cell of second again."
    except RuntimeError as problem:
        if "have to be Tensors" in str(problem):
            return PLAIN_NUMBER
        if "does not require grad" not in str(problem):
            raise
        return function.why_no_history()
    if is_open(result) or is_stub(attempt, result):
        return None
    if result is None:
        return NOTHING
    number = number_of(result)
    return f"{wanted}; this is a {type(result).__name__}." if number is None else number


def judge_second(second: Any) -> str | None:
    if not callable(second):
        return "a function is wanted."
    for text, function, at, first, true in FUNCTIONS:
        watched = Watched(function)
        got = called(second, watched, at, "a number is wanted")
        if got is None or isinstance(got, str):
            return got
        if near(got, first):
            return f"for {text} at {at} that is the slope. How does the slope move?"
        if near(got, first * first):
            return f"for {text} at {at} that is the square of the slope."
        if near(got, first + true):
            return broke(
                "accumulate",
                f"for {text} at {at} it is the slope plus the curvature: both were added in .grad.",
            )
        if len(watched.places()) > 1:
            return (
                f"for {text} it looks at {len(watched.places())} places: that is a nudge. It is a "
                "good check, but not exact. Let autograd differentiate the slope, at the one place."
            )
        if not near(got, true):
            return (
                f"for {text} at {at} the slope is {first:.4g}, and a nudge of 0.001 changes it by "
                f"{true / 1000:.3g}; your function returns {got:.4g}."
            )
    return ""


second = lesson.Exercise(
    "second",
    judge=judge_second,
    hint="autograd is asked twice, and always about the same x. Of what is the first answer the "
    "slope, and of what the second? And what has to happen during the first, so that there can "
    "be a second?",
    because="x = torch.tensor(x, requires_grad=True); slope, = torch.autograd.grad(f(x), x, "
    "create_graph=True); return torch.autograd.grad(slope, x)[0].item()",
)

# ----------------------------------------------------------------------------- Newton's method


def judge_newton(newton: Any) -> str | None:
    """One step on three functions: a parabola, and two that are none."""
    if not callable(newton):
        return "a function is wanted."
    for text, function, at, first, curved in FUNCTIONS:
        got = called(newton, Watched(function), at, "a number is wanted, the new x")
        if got is None or isinstance(got, str):
            return got
        value = function(torch.tensor(at)).item()
        below = (
            f"for {text} at {at} the curvature is below 0, and your step takes it for a number "
            "above 0. Where would the slope be 0?"
        )
        known = [
            (at - first / curved, ""),
            (at + first / curved, "the step goes the other way." if curved > 0 else below),
            (
                at - first * curved,
                "the slope is multiplied by the curvature. Where a curve bends "
                "much, is a step to be long or short?",
            ),
            (at - curved / first, "the two have changed places."),
            (first / curved, "that is the length of the step. Where does it lead?"),
            (-first / curved, "that is the step. Where does it lead?"),
            (at - first, "that is a step by the slope alone."),
            (
                at - value / first,
                "that looks for a place where the curve itself is 0. Here a "
                "place is wanted where its slope is 0.",
            ),
        ]
        said = next((text for number, text in known if near(got, number)), None)
        if said is None:
            return (
                f"for {text} at {at} the slope is {first:.4g} and the curvature {curved:.4g}; "
                f"it returns {got:.4g}, a step of {got - at:.4g}."
            )
        if said:
            return said
    return ""


newton = lesson.Exercise(
    "newton",
    judge=judge_newton,
    hint="In the taxi's first step, the slope was −22 and the curvature 22, and the step was 1.",
    because="The new x is x minus the slope divided by the curvature.",
)

# --------------------------------------------------------------------- Hessian-vector products


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

# ------------------------------------------------------------------- the largest curvature

TABLES = [  # the largest curvature, in size, is about 23.7, −3, 3, and 362
    [[22.0, 6.0], [6.0, 2.0]],
    [[-0.5, 2.5], [2.5, -0.5]],
    [[0.5, 2.5], [2.5, 0.5]],
    [[300.0, 100.0, 0.0], [100.0, 200.0, 0.0], [0.0, 0.0, 50.0]],
]


class NoDirection(Exception):
    """A product was wanted of something that is no direction."""


class Products:
    """A table times a direction, as often as it is asked for; it remembers the directions."""

    def __init__(self, rows: list[list[float]]) -> None:
        self.rows, self.table = rows, torch.tensor(rows)
        self.given: list[Any] = []

    def __call__(self, direction: Any) -> Any:
        if getattr(direction, "shape", None) != self.table[0].shape:
            count = len(self.rows)
            raise NoDirection(
                f"times was given something that is no direction: one tensor with {count} numbers "
                "is wanted. What stands there, before the next product?"
            )
        self.given.append(direction / direction.norm())
        return self.table @ direction

    def degrees(self, direction: Any) -> float:
        """By how much a product turns a direction; one of the opposite direction is the same."""
        return angle(self.table @ direction, direction)

    def curvature(self, direction: Any) -> float:
        return (direction @ (self.table @ direction) / (direction @ direction)).item()

    def largest(self) -> float:
        """In size: after so many products nothing else is left."""
        direction = torch.linspace(1, 0.5, len(self.rows))
        for _ in range(100):
            direction = self.table @ direction
            direction = direction / direction.norm()
        return self.curvature(direction)


def angle(one: Any, other: Any) -> float:
    """Between two directions, in degrees, up to 90."""
    cosine = abs((one @ other / (one.norm() * other.norm())).item())
    return math.degrees(math.acos(min(cosine, 1.0)))


def judge_most_curved(most_curved: Any) -> str | None:
    """The taxi's table, one whose largest curvature is below 0, its opposite, and a large one."""
    if not callable(most_curved):
        return "a function is wanted."
    for rows in TABLES:
        times, start = Products(rows), torch.tensor([1.0, 0.25, 0.5][: len(rows)])
        try:
            result = most_curved(times, start.clone())
        except NoDirection as problem:
            return str(problem)
        except (TypeError, RuntimeError) as problem:
            if "Products" not in str(problem):
                raise
            return "times is a function, and no table: call it with a direction."
        if is_open(result) or is_stub(most_curved, result):
            return None
        if not times.given:
            if isinstance(result, torch.Tensor) and torch.equal(result, start):
                return None
            return "times is never called: you have not asked how the slopes move."
        said = wrong_direction(result, times, start)
        if said:
            return f"for the table {rows}: {said}"
    return ""


def wrong_direction(result: Any, times: Products, start: Any) -> str:
    """What is wrong with what was returned; nothing, if it is the direction with the length 1."""
    if result is None:
        return NOTHING
    if not isinstance(result, torch.Tensor) or result.shape != start.shape:
        number = number_of(result)
        if number is not None and near(number, times.largest()):
            return "that is the curvature itself. In which direction is the curve bent so much?"
        return f"a direction is wanted: one tensor with {len(start)} numbers."
    length = result.double().norm().item()
    if not math.isfinite(length):
        return (
            "the numbers have grown until no float could hold them. How long is the direction "
            "before a product, and how long after it?"
        )
    if length == 0:
        return (
            "the direction has become 0. A length that no float can hold counts as infinite, and "
            "what is divided by it is 0. How long may the direction grow?"
        )
    if len(times.given) == 1:
        return "a single product was taken. One product only begins to turn the direction."
    result = result / length
    if times.degrees(result) < 0.5 and near(times.curvature(result), times.largest()):
        if near(length, 1.0):
            return ""
        return f"it points in the right direction, but its length is {length:.3g} and not 1."
    return turned(result, times)


def turned(result: Any, times: Products) -> str:
    """What is wrong with a direction in which the curvature is not the largest."""
    count = len(times.given)
    if all(angle(one, times.given[0]) < 0.01 for one in times.given):
        return (
            f"each of the {count} products was taken of the direction that you were given. What "
            "becomes of the result of a product?"
        )
    degrees = times.degrees(result)
    if degrees < 0.5:
        return (
            f"in your direction the curvature is {times.curvature(result):.3g}, but in another one "
            "it is larger in size. What do you do with a product besides shortening it?"
        )
    return (
        f"one more product turns your direction by {degrees:.0f} degrees, after {count} products. "
        "In the direction of the largest curvature it would not turn any more."
    )


most_curved = lesson.Exercise(
    "most curved",
    judge=judge_most_curved,
    hint="The loop takes twenty products. Of what is the first one taken, and of what the second "
    "one? And what keeps the numbers small?",
    because="In the loop: direction = times(direction), and then "
    "direction = direction / direction.norm()",
)

# ---------------------------------------------------------------------------- a start of yours


def is_known(function: Callable[[Any], Any]) -> bool:
    """Whether it is the curve of section 3, perhaps stretched or moved up or down."""
    places = [torch.tensor(one, dtype=torch.float64) for one in (0.8, -1.3, 0.3, 2.0)]
    theirs = [number_of(function(place)) for place in places]
    ours = [number_of(place**4 - 2 * place**2) for place in places]
    if None in theirs:
        return False
    ratios = [(t - theirs[0]) / (o - ours[0]) for t, o in zip(theirs[1:], ours[1:])]
    return ratios[0] != 0 and all(near(one, ratios[0]) for one in ratios)


def judge_own(attempt: Any) -> str | None:
    """From the learner's start, one step by slope / curvature must set out and end uphill."""
    if not isinstance(attempt, (list, tuple)) or len(attempt) != 2:
        return "the check is given two things: a function, and a start."
    function, start = attempt
    if is_open(function) or is_open(start):
        return None
    if not callable(function):
        return "the first is to be a function of x."
    at = number_of(start)
    if at is None:
        return "the start is to be a number."
    x = torch.tensor(at, dtype=torch.float64, requires_grad=True)
    value = function(x)
    if is_open(value) or is_stub(function, value):
        return None
    if value is None:
        return NOTHING
    if is_known(function):
        return (
            "that is the curve of section 3, at most stretched or moved up or down. Find "
            "another one."
        )
    if not isinstance(value, torch.Tensor) or value.grad_fn is None:
        return broke("record", "what your function returns has no history.")
    if not math.isfinite(value.item()):
        return f"at your start the curve has no value: it gives {value.item()} there."
    (slope,) = torch.autograd.grad(value, x, create_graph=True)
    if slope.grad_fn is None:
        return (
            "the slope is the same all around your start: there the curve is a straight line, and "
            "the curvature is 0."
        )
    (curved,) = torch.autograd.grad(slope, x)
    if curved.item() == 0:
        return "at your start the curvature is 0, and a division by it leads nowhere."
    if slope.item() == 0:
        return "at your start the slope is 0 already: the step is 0."
    after = function((x - slope / curved).detach()).item()
    if not math.isfinite(after):
        return f"the step leads to a value that is {after}."
    return way_of_the_step(curved.item(), value.item(), after)


def way_of_the_step(curved: float, before: float, after: float) -> str:
    """What is wrong with a step that should set out uphill and end higher than before."""
    leads = f"from {before:.4g} to {after:.4g}"
    if curved > 0 and after > before:
        return (
            f"your step ends higher, {leads}, but it sets out downhill: it is so long that it "
            "leaps over the valley and up the other side. Find a start where its direction is "
            "wrong, not its length."
        )
    if curved > 0:
        return f"there the curvature is above 0, and the step leads {leads}: that is downhill."
    if after <= before:
        return (
            f"your step sets out uphill, as it should, but it is so long that it leaps over the "
            f"hilltop and ends lower, {leads}. Where on the same curve would the step be shorter?"
        )
    return ""


own = lesson.Exercise(
    "own start",
    judge=judge_own,
    hint="Where a curve bends downwards, as on a hilltop, the curvature is below 0. What does "
    "dividing by it do to the direction of the step?",
    because="Wherever the curvature is below 0, its direction is uphill. For cos(x) from 0.5, for "
    "example, it leads towards the hilltop at 0.",
)

# ------------------------------------------------------------------------ the loss after a step

STEPS: list[tuple[str, Callable[[Any], Any], float, float]] = [
    ("(2 * x - 1) ** 2", lambda x: (2 * x - 1) ** 2, 2.0, 0.1),
    ("x ** 2", lambda x: x**2, 3.0, 0.25),
    ("sin(x)", torch.sin, 0.4, 0.5),
]


def judge_after(loss_after: Any) -> str | None:
    """The loss after a step on three curves, and whether the step is recorded."""
    if not callable(loss_after):
        return "a function is wanted."
    for text, function, start, rate in STEPS:
        lr = torch.tensor(rate, requires_grad=True)
        result = loss_after(function, start, lr)
        if is_open(result) or is_stub(loss_after, result):
            return None
        if result is None:
            return NOTHING
        got = number_of(result)
        if got is None:
            return f"a number is wanted, the loss after the step; this is a {words(result)}."
        said = wrong_loss(got, function, start, rate) or unrecorded(result, function, start, lr)
        if said:
            return f"for {text} from {start} with the learning rate {rate}: {said}"
    return ""


def words(result: Any) -> str:
    shape = getattr(result, "shape", None)
    return type(result).__name__ if shape is None else f"tensor of the shape {tuple(shape)}"


def wrong_loss(got: float, function: Callable[[Any], Any], start: float, lr: float) -> str:
    """What is wrong with a number that should be the loss after a step; nothing, if it is."""
    slope = slope_of(function, start)

    def loss(place: float) -> float:
        return float(function(torch.tensor(place)))

    after = start - lr * slope
    known = [
        (loss(after), ""),
        (loss(start), "that is the loss before the step. Where does the step lead?"),
        (after, "that is the place to which the step leads. How large is the loss there?"),
        (loss(start + lr * slope), broke("direction", "it is the loss after a step uphill.")),
        (loss(start - slope), "that step is as long as the slope. What is lr for?"),
        (loss(lr * slope), "there the step has been taken for the place. Where does it begin?"),
        (loss(-lr * slope), "there the step begins at 0. Where is it to begin?"),
        (loss(start) - lr * slope, "the step moves the place, and not the loss itself."),
        (loss(start - lr), "the step has the length of the learning rate, whatever the slope is."),
    ]
    said = next((text for number, text in known if near(got, number)), None)
    if said is not None:
        return said
    return f"the slope at the start is {slope:.4g}; your function returns {got:.4g}."


def unrecorded(result: Any, function: Callable[[Any], Any], start: float, lr: Any) -> str:
    """What is wrong with the right number, if it cannot be differentiated by the rate."""
    if not isinstance(result, torch.Tensor) or result.grad_fn is None:
        return broke(
            "record",
            "the number is right, but it has no history, and so no slope with respect to the "
            "learning rate. On the way to it, what has become a plain number?",
        )
    (got,) = torch.autograd.grad(result, lr, allow_unused=True)
    if got is None:
        return broke(
            "record",
            "the number is right, and it has a history, but the learning rate does not occur in "
            "it. What has become of lr in your step?",
        )
    true = -(slope_of(function, start - lr.item() * slope_of(function, start)))
    true *= slope_of(function, start)
    if near(got.item(), true):
        return ""
    return (
        "the number is right, but its slope with respect to the learning rate is "
        f"{got.item():.4g}, and a nudge says {true:.4g}."
    )


after = lesson.Exercise(
    "recorded step",
    judge=judge_after,
    hint="Two things happen one after the other: the place is moved, against the slope, and then "
    "the loss is asked there. Both are to be made with lr as it is, a tensor.",
    because="return loss_of(start - lr * slope)",
)

# ---------------------------------------------------------- what the learner wrote is used later


def yours_or_ours(exercise: lesson.Exercise, mine: Any, ours: Any) -> Any:
    """The learner's function if it passes, and the lesson's own otherwise; it says which."""
    passes = tried(lambda: judged(exercise, mine), exercise.seconds) == ""
    print(f"with your {exercise.name}" if passes else f"with the lesson's own {exercise.name}")
    return mine if passes else ours


def newton_for(mine: Any) -> Callable[[Any, float], float]:
    """A step of Newton's method, as a plain number, by the learner's function or the lesson's."""
    step = yours_or_ours(newton, mine, newton_step)
    return lambda function, x: float(number_of(step(function, x)))  # type: ignore[arg-type]


def product_for(mine: Any) -> Callable[[Any, list, list], list]:
    """The Hessian times a direction, without a history of its own."""
    times = yours_or_ours(product, mine, hessian_times)
    return lambda *given: [moved.detach() for moved in times(*given)]


def most_curved_for(mine: Any) -> Callable[[Callable[[Any], Any], Any], Any]:
    """The direction of the largest curvature, by the learner's function or the lesson's."""
    return yours_or_ours(most_curved, mine, power_method)


def after_for(mine: Any) -> Callable[[Any, float, Any], Any]:
    """The loss after a step, by the learner's function or the lesson's."""
    step = yours_or_ours(after, mine, after_a_step)

    def recorded(*given: Any) -> Any:
        with torch.enable_grad():  # a nudge asks for no gradient, but the step may need one
            return step(*given)

    return recorded
