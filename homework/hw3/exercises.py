"""The checks of HW3: for each program evidence with the name of a cause, and the mended function.

What is open in a student's copy: whether a piece of evidence could show what it is for, and
whether a mended function returns what a sound one would, on the student's own data. What the
programs' causes are, and which numbers they give, only the grader knows; and it has other data.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import models
import numpy as np
import programs
from tools import squares

from minigrad import lesson
from minigrad.lesson.checking import Elsewhere
from minigrad.lesson.values import plain

__all__ = ["CAUSES", "exercises"]

CAUSES = {
    "a mean or softmax runs over the wrong dimension": (
        "the result of the first mean, sum or softmax for the first example",
        "the same along the other dimension, as the formula wants it",
    ),
    "a saved value is written over": (
        "the sum of the numbers in an array of the first step, when backward() begins",
        "the sum of the numbers in the same array, when the loss has been computed from it",
    ),
    "a sum stands for a mean": (
        "the first loss, if all examples are given twice",
        "the first loss",
    ),
    "gradients are not cleared": (
        "the first entry of w.grad when the second step is taken",
        "the first entry of the gradient of the second step's loss alone (torch.autograd.grad)",
    ),
    "graphs are kept alive": (
        "the operations behind a tensor that the program keeps, after the last step "
        "(operations_behind)",
        "the operations behind it after the first step",
    ),
    "no_grad is left on": (
        "how many parameters have requires_grad in the second step",
        "how many have it in the first step",
    ),
    "shapes are broadcast": (
        "how many numbers the loss is the mean of",
        "how many examples there are",
    ),
    "softmax is taken twice": (
        "the loss that the program's own lines make of scores (x @ w) of 50 for the right kind and "
        "0 for all others",
        "the loss that such scores should have, with softmax taken once",
    ),
    "the graph is cut": (
        "the first entry of w.grad in the first step",
        "how fast the first loss moves with that entry of w: (up - down) / (2 * h), with the loss "
        "that the program computes for w[0] + h and for w[0] - h, and h = 1e-5",
    ),
    "the mode is wrong (train or eval)": (
        "what the program says of the first new row, in the company of all the others",
        "what it says of the same row, if the first two are all the new rows that there are",
    ),
    "the optimiser does not hold all parameters": (
        "how many numbers the optimiser holds, in all its parameters together",
        "how many numbers the network has, in all the weights that it computes with",
    ),
    "x and y are shuffled apart": (
        "the target that stands beside the first example in the first step",
        "the target that belongs to it",
    ),
}
"""What can be wrong, and for each the two numbers that agree if it is not."""


class Program(NamedTuple):
    """One of the eight, and what is known of ways to mend it."""

    name: str
    points: int  # for the mended function; the evidence has 5
    ways: dict[str, str]  # a slip of models.py, and what is said of it
    concept: str  # of the hidden cases
    hint: str


EVIDENCE = 5
PROGRAMS = (
    Program(
        "taxi",
        6,
        {
            "lost": "the weights never move: what backward() brings is thrown away before the step "
            "is taken.",
            "smaller": "the steps have become smaller, and that treats the symptom: what each step "
            "is taken from is still not the slope of its own loss.",
        },
        "another number of steps, or another rate",
        "print w.grad before and after backward(), in the first three steps.",
    ),
    Program(
        "heights",
        6,
        {
            "one": "the predictions were averaged before they were compared: each tree has its own "
            "target.",
            "sum": "the loss adds up the trees, where the program takes their mean: the steps "
            "are as many times too long as there are trees.",
        },
        "another number of examples or of features",
        "print the shape of everything that the loss is made of.",
    ),
    Program(
        "kinds",
        6,
        {
            "no log": "that takes probabilities themselves as a loss: cross-entropy takes their "
            "logarithm.",
            "examples": "the probabilities now add up to 1 over the examples, where they should "
            "over the kinds.",
        },
        "another number of kinds, or other labels",
        "what does the loss expect as its first argument? Its documentation says so.",
    ),
    Program(
        "ridge",
        6,
        {
            "half": "the penalty works, at half its strength: weight_decay=s adds s * w to the "
            "gradient, and the slope of s * w**2 is another one.",
            "mean": "that is the mean of the squares, where the program's penalty is their sum.",
        },
        "another strength of the penalty, or none",
        "through which lines of the program does w reach the loss, and which of them are in its "
        "graph?",
    ),
    Program(
        "report",
        9,
        {
            "signs": "the training is sound now, and the report is another one: its activity was "
            "the mean of the sizes, without their signs.",
            "cut": "the hidden weights never move: the loss is made of something that is cut off "
            "from them.",
        },
        "other weights to begin with",
        "look at each array between the forward pass and backward(), by printing its sum.",
    ),
    Program(
        "layers",
        9,
        {
            "hidden only": "the hidden layers learn now, and the last one has stopped.",
            "sums": "the hidden layers' gradients add up from step to step: whoever clears the "
            "others does not know of them.",
            "first and last": "the first and the last layer learn, and what lies between does not.",
        },
        "another number of hidden layers",
        "compare the list of the parameters with the list of the weights that you would expect.",
    ),
    Program(
        "scores",
        9,
        {
            "by hand": "the new rows are normalised with the mean of x, and the batch norm is left "
            "aside: it gathers averages of its own while it learns. Let it use them.",
            "always": "now the training, too, normalises with the averages as they were at the "
            "beginning: the batch norm never learns any.",
        },
        "a list of one row, or another number of steps",
        "ask for the first row alone, or twice. What does the model use beside the row itself?",
    ),
    Program(
        "average",
        9,
        {
            "no average": "the curve is now the loss itself: the running average is gone.",
            "cut": "the weights never move any more: the loss was cut off before backward().",
        },
        "more steps",
        "what does each new value of the running average hold on to?",
    ),
)


# ------------------------------------------------------------------------------- evidence


def numbers_of(evidence: Any) -> tuple[str, float, float] | str:
    """A cause and two numbers, or what is wrong with them."""
    if not isinstance(evidence, (tuple, list)) or len(evidence) != 3:
        return "three things are wanted, in brackets: a cause, and the two numbers that show it."
    cause = evidence[0]
    if not isinstance(cause, str) or cause not in CAUSES:
        return "the first of the three is none of the names in CAUSES."
    try:
        first, second = (float(one) for one in evidence[1:])
    except (TypeError, ValueError):
        return "behind the cause two numbers are wanted: without them it is an opinion."
    if not math.isfinite(first) or not math.isfinite(second):
        return "a nan or an infinity is no measurement that shows anything."
    return cause, first, second


def near(one: float, other: float, tolerance: float) -> bool:
    return math.isclose(one, other, rel_tol=tolerance, abs_tol=tolerance)


def judge_evidence(evidence: Any) -> str:
    """Could it show what it is for? Whether it is so is for the grader to find out."""
    found = numbers_of(evidence)
    if isinstance(found, str):
        return found
    cause, first, second = found
    if near(first, second, 1e-4):
        return f'the two numbers agree, and that speaks against "{cause}".'
    return ""


# --------------------------------------------------------------------------- mended functions


def flat(thing: Any) -> Any:
    """All numbers in a result, in their order; a ValueError or TypeError if it holds others."""
    if isinstance(thing, Elsewhere):
        raise TypeError("no number")
    thing = plain(thing)
    if isinstance(thing, (list, tuple)):
        return np.concatenate([flat(one) for one in thing]) if thing else np.zeros(0)
    if isinstance(thing, (bool, str)) or thing is None:
        raise TypeError("no number")
    return np.atleast_1d(np.asarray(thing, dtype=float)).ravel()


def alike(one: Any, other: Any) -> bool:
    """Are these the same numbers, as far as it matters?"""
    if one.shape != other.shape:
        return False
    size = np.abs(other[np.isfinite(other)]).max(initial=0.0)
    return bool(np.allclose(one, other, rtol=1e-6, atol=1e-8 * size + 1e-12, equal_nan=True))


def case_of(program: Program, student: str) -> Sequence[Any]:
    return getattr(programs, f"{program.name}_data")(student)


def unmended(program: Program, case: Sequence[Any]) -> Any:
    """What the program as it is makes of a case."""
    function = getattr(programs, program.name)
    if program.name != "average":
        return function(*case)
    x, y, *rest = case
    return function(squares(x, y), np.zeros(x.shape[1]), *rest)


def said_of(program: Program, mended: Any, case: Sequence[Any]) -> str:
    """What is wrong with a mended function on one case, or ""."""
    if not callable(mended):
        return f"a function is wanted: your {program.name} without its bug."
    returned = mended(*case)
    if returned is None or returned is ...:
        return "it returns nothing. It should return what the program returned."
    parts = [returned] if program.name == "scores" else returned
    model = getattr(models, program.name)
    right = model(*case)
    many = len(right) + (program.name == "average")
    if not isinstance(parts, (tuple, list)) or len(parts) != many:
        return f"it should return what the program returned: {', '.join(right)}."
    try:
        found = [flat(part) for part in parts]
    except (TypeError, ValueError):
        return "there is something else than numbers in what it returns."
    wanted = [flat(part) for part in right.values()]
    if program.name == "average" and all(map(alike, found, wanted)):
        if found[-1][0] > 2:  # the new one, and the one before, which has still a name
            return (
                "its numbers are right, as they were before. But the graphs of earlier steps are "
                "still alive while the next ones are made."
            )
        return ""
    if all(map(alike, found, wanted)):
        return ""
    as_it_was = [flat(part) for part in parts_of(program, unmended(program, case))]
    if all(map(alike, found, as_it_was)):
        return "it returns what the program returned before it was mended, to the last digit."
    for slip, text in program.ways.items():
        if all(map(alike, found, [flat(part) for part in model(*case, slip=slip).values()])):
            return text
    for name, mine, other in zip(right, found, wanted):
        if mine.shape != other.shape:
            return f"{name}: {len(mine)} numbers, where the program returned {len(other)}."
        if not np.isfinite(mine).all():
            return f"{name}: there is a nan or an infinity in them."
        if not alike(mine, other):
            return f"{name} are not those of a sound program with the same steps and the same rate."
    return "what it returns is not what a sound program returns."


def parts_of(program: Program, returned: Any) -> Any:
    return [returned] if program.name == "scores" else returned


def judge_of(program: Program, student: str) -> Callable[[Any], str]:
    return lambda mended: said_of(program, mended, case_of(program, student))


def exercises(student: str) -> list[lesson.Exercise]:
    """Two exercises for each program, with this student's data."""
    made = []
    for program in PROGRAMS:
        made.append(
            lesson.Exercise(
                f"{program.name}_evidence",
                judge=judge_evidence,
                hidden=hidden_evidence(program, student),
                points=EVIDENCE,
                seconds=10,
                hint="measure once more, on the program as it is, exactly what stands beside the "
                "cause in the table.",
            )
        )
        made.append(
            lesson.Exercise(
                f"{program.name}_mended",
                judge=judge_of(program, student),
                hidden=hidden_cases(program, student),
                points=program.points,
                seconds=10,
                hint=program.hint,
            )
        )
    return made


### BEGIN HIDDEN
SECRET = "a 2nd set of data"  # names the data of the hidden cases: a teacher takes another text


def hidden_evidence(program: Program, student: str) -> Callable[[Any], str]:
    """Is it the cause, and are these its numbers?"""

    def judge(evidence: Any) -> str:
        found = numbers_of(evidence)
        if isinstance(found, str):
            return found
        cause, first, second = found
        right = CAUSE_OF[program.name]
        if cause != right:
            return "this is not what is wrong with this program: another cause makes its symptom."
        as_it_is, should_be = MEASURED[program.name](*case_of(program, student))
        if near(first, as_it_is, 3e-3) and near(second, should_be, 3e-3):
            return ""
        if near(first, should_be, 3e-3) and near(second, as_it_is, 3e-3):
            return "the cause is right, and its two numbers are the wrong way round."
        if near(first, as_it_is, 3e-3):
            return "the cause is right, and so is the first number. The second is not."
        if near(second, should_be, 3e-3):
            return "the cause is right, and so is the second number. The first is not."
        return "the cause is right, and these are not the numbers that the program gives."

    return judge


def hidden_cases(program: Program, student: str) -> Callable[[Any], str]:
    """The same judge with other data, and without what it says of them."""

    def judge(mended: Any) -> str:
        for case in more_cases(program):
            try:
                said = said_of(program, mended, case)
            except Exception:  # its text could say what the case is
                return f"{program.concept}."
            if said:
                known = said if said in program.ways.values() else ""
                return known or f"{program.concept}."
        return ""

    return judge


def more_cases(program: Program) -> list[Sequence[Any]]:
    cases = [case_of(program, f"{SECRET} {number}") for number in range(2)]
    one = cases[0]
    if program.name in ("taxi", "heights"):
        cases.append((*one, 7, 0.03))
    elif program.name == "kinds":
        x, labels, classes = one
        cases.append((x, labels[::-1].copy(), classes + 1))
    elif program.name == "ridge":
        x, y, _ = one
        cases.append((x, y, 0.0))
    elif program.name == "report":
        x, y, w, v = one
        cases.append((x, y, w[:, :3], v[:3], 5))
    elif program.name == "layers":
        x, y, (first, *inner), last = one
        cases += [(x, y, [first, *inner, *inner], last), (x, y, [first], last)]
    elif program.name == "scores":
        x, y, new = one
        cases += [(x, y, new[:1]), (x, y, new, 9)]
    elif program.name == "average":
        x, y, steps = one
        cases.append((x, y, 2 * steps))
    return cases


CAUSE_OF = {
    "taxi": "gradients are not cleared",
    "heights": "shapes are broadcast",
    "kinds": "softmax is taken twice",
    "ridge": "the graph is cut",
    "report": "a saved value is written over",
    "layers": "the optimiser does not hold all parameters",
    "scores": "the mode is wrong (train or eval)",
    "average": "graphs are kept alive",
}


def of_taxi(x: Any, y: Any) -> tuple[float, float]:
    first = -2 * x.T @ y / len(y)
    second = 2 * x.T @ (x @ (-0.1 * first) - y) / len(y)
    return (first + second)[0], second[0]


def of_heights(x: Any, y: Any) -> tuple[float, float]:
    return len(y) ** 2, len(y)


def of_kinds(x: Any, labels: Any, classes: int) -> tuple[float, float]:
    return math.log(1 + (classes - 1) / math.e), 0.0


def of_ridge(x: Any, y: Any, strength: float) -> tuple[float, float]:
    w = np.ones(x.shape[1])
    slope = (2 * x.T @ (x @ w - y) / len(y))[0]
    return slope, slope + 2 * strength


def of_report(x: Any, y: Any, w: Any, v: Any) -> tuple[float, float]:
    h = np.tanh(x @ w)
    return np.abs(h).sum(), h.sum()


def of_layers(x: Any, y: Any, starts: Any, last: Any) -> tuple[float, float]:
    return last.size, last.size + sum(start.size for start in starts)


def of_scores(x: Any, y: Any, new: Any) -> tuple[float, float]:
    return programs.scores(x, y, new)[0], programs.scores(x, y, new[:2])[0]


def of_average(x: Any, y: Any, steps: int) -> tuple[float, float]:
    of_loss = 4  # x @ w, its difference from y, the square, the mean
    return steps * (of_loss + 2) + (steps - 1), of_loss + 2


MEASURED: dict[str, Callable[..., tuple[float, float]]] = {
    "taxi": of_taxi,
    "heights": of_heights,
    "kinds": of_kinds,
    "ridge": of_ridge,
    "report": of_report,
    "layers": of_layers,
    "scores": of_scores,
    "average": of_average,
}
### END HIDDEN
