"""Exercises of notebook 10, and their judges."""

from __future__ import annotations

import functools
import inspect
import math
import re
import traceback
from typing import Any

import minigrad as torch
from minigrad import lesson
from minigrad.lesson import broke
from minigrad.lesson.values import is_open

from . import nb10_runs as runs


class Unfit(ValueError):
    """What is no attempt that could be judged: it is told so, and does not count as a try."""

    def __init__(self, as_told: str) -> None:
        super().__init__(as_told)
        self.as_told = as_told


# ------------------------------------------------------------------------- a recording by hand


def fare(rate: Any, km: Any) -> Any:
    return rate * km + 4


def product(a: Any, b: Any) -> Any:
    return (a + b) * (b + 1)


def ratio(a: Any, b: Any) -> Any:
    return (a - b) / b


FORMULAS = {"product": "(a + b) * (b + 1)", "ratio": "(a - b) / b"}
"""Of the functions that the learner has not met."""

PROGRAMS: list[tuple[Any, dict[str, float], dict[str, float]]] = [
    (fare, {"rate": 2.0, "km": 3.0}, {"rate": 3.0, "km": 5.0}),
    (product, {"a": 2.0, "b": 6.0}, {"a": 3.0, "b": 1.0}),
    (ratio, {"a": 7.0, "b": 2.0}, {"a": 9.0, "b": 4.0}),
]


def evaluated(lines: list[runs.Line], inputs: dict[str, float], swap: bool) -> list[float]:
    """The values of all lines, with the operands in their order or in the other."""
    values: dict[str, Any] = dict(inputs)
    for name, operation, operands in lines:
        numbers = [values[one] if isinstance(one, str) else one for one in operands]
        values[name] = runs.OPERATIONS[operation](*(numbers[::-1] if swap else numbers))
    return [values[line.name] for line in lines]


def judge_capture(attempt: Any) -> str | None:
    """Makes programs of three functions, and runs them with other numbers."""
    if not callable(attempt):
        raise Unfit("a function is wanted, capture(f, **example).")
    for f, example, inputs in PROGRAMS:
        noticed, calls = counted(f)
        program = attempt(noticed, **example)
        if is_open(program):
            return None
        if not callable(program):
            return f"it returns {program!r}, and not the function `program`."
        before = len(calls)
        try:
            got = program(**inputs)
        except (KeyError, TypeError) as problem:
            known = why_it_stops(problem, runs.notes(f, **example))
            if known:
                return known
            raise
        if is_open(got):
            return None
        if len(calls) > before:
            return "the program calls the function again. It should know its lines only."
        said = judged_value(f, example, inputs, got)
        if said and loses_numbers(attempt):
            return (
                f"for {called(f, inputs)} it says {got:g}. So much comes out if 0 arrives in the "
                "place of a plain number. What stands in the line in such a place?"
            )
        if said:
            return said
    return ""


def loses_numbers(attempt: Any) -> bool:
    """Whether its programs take each plain number for 0, and are right but for that."""
    inputs = {"a": 3.0, "b": 2.0}
    try:
        got = attempt(product, a=2.0, b=6.0)(**inputs)
        return math.isclose(got, without_numbers(runs.notes(product, a=2.0, b=6.0), inputs))
    except Exception:
        return False


def called(f: Any, inputs: dict[str, float]) -> str:
    """A call as it is written, with its formula if the learner has not met the function."""
    where = f"{f.__name__}({', '.join(f'{k}={v:g}' for k, v in inputs.items())})"
    if f.__name__ in FORMULAS:
        where = f"{where}, a function that returns {FORMULAS[f.__name__]},"
    return where


def counted(f: Any) -> tuple[Any, list[int]]:
    """The function, by its name, and a list that grows with each of its calls."""
    calls: list[int] = []

    @functools.wraps(f)
    def noticed(*numbers: Any, **given: Any) -> Any:
        calls.append(1)
        return f(*numbers, **given)

    return noticed, calls


def at_work(problem: Exception) -> Any:
    """The name of the line that the learner's program was working out when it stopped."""
    frames = traceback.walk_tb(problem.__traceback__)
    return next((f.f_locals["name"] for f, _ in frames if "name" in f.f_locals), None)


def why_it_stops(problem: Exception, lines: list[runs.Line]) -> str:
    """The mistake behind an error of the program, if it is a known one."""
    looked_up = problem.args[0] if problem.args else ""
    is_number = isinstance(problem, KeyError) and isinstance(looked_up, (int, float))
    if is_number and looked_up not in [one for line in lines for one in line.operands]:
        return (
            f"{looked_up} is looked up among the values. They are kept under names, and not by "
            "their places. Under which name is the result of the whole program kept?"
        )
    if isinstance(problem, KeyError) and looked_up == at_work(problem):
        return (
            f"{looked_up} is looked up, and that is the name of the line which is just being "
            "worked out. A line has three parts: which of them do you need in this place?"
        )
    if is_number:
        return (
            f"{looked_up} is looked up among the values, as if it were a name. It is a "
            "number already. How do you tell the two kinds of operands apart?"
        )
    if isinstance(problem, KeyError) and str(looked_up).startswith("v"):
        return (
            f"{looked_up} is looked up where it is not: no ride comes with it, a line of the "
            "program has made it. Where do results of lines go?"
        )
    return next((text for piece, text in STOPPED.items() if piece in str(looked_up)), "")


STOPPED = {
    "expected 2 arguments, got 1": "an operation got one thing, the whole list, and wants two "
    "numbers. How does a call take a list apart?",
    "'str' object is not callable": "a text is called here, as if it were a function: the name of "
    "an operation. Where are the functions to which these names belong?",
    "'NoneType'": "None has arrived at an operation. It stands for something that was looked up "
    "by a name and not found. Are all operands names?",
    "can't multiply sequence": "the texts “rate” and “km” have arrived at an operation, and not "
    "their numbers. Where does the program keep its numbers?",
    "can only concatenate": "the text “v1” has arrived at an operation. It is the name of no "
    "input: a line has made it. Where does the program keep what its lines have made?",
}
"""What an error of Python's says of the program; the rest of it is about Python."""


def judged_value(f: Any, example: Any, inputs: Any, got: Any) -> str:
    where = called(f, inputs)
    if isinstance(got, bool) or not isinstance(got, (int, float)):
        kind = type(got).__name__
        return f"the program for {where} returns a {kind}. A number is wanted."
    wanted = f(**inputs)
    if math.isclose(got, wanted):
        return ""
    lines = runs.notes(f, **example)
    if math.isclose(got, f(**example)):
        return (
            f"for {where} it says {got:g}, which is the result for the example. "
            "Do the lines get the new numbers?"
        )
    values = evaluated(lines, inputs, False)
    if math.isclose(got, values[0]):
        return f"for {where} it says {got:g}: that is the value of its first line."
    for line, value in zip(lines[:-1], values):
        if math.isclose(got, value):
            return (
                f"for {where} it says {got:g}: that is the value of {line.name}, and the program "
                f"has {len(lines)} lines. Would your `return` fit a program of any length?"
            )
    if math.isclose(got, evaluated(lines, inputs, True)[-1]):
        return f"for {where} it says {got:g}: the operands arrive in the other order."
    if any(math.isclose(got, only) for only in with_one_operation(lines, inputs)):
        return (
            f"for {where} it says {got:g}. So much comes out if each line does the same with its "
            "numbers. Which part of a line says what is to be done?"
        )
    return f"for {where} it says {got:g}, and the function says {wanted:g}."


def without_numbers(lines: list[runs.Line], inputs: dict[str, float]) -> float:
    """The result of a program in which each plain number is replaced by 0."""
    names = [[one if isinstance(one, str) else 0.0 for one in line.operands] for line in lines]
    emptied = [line._replace(operands=tuple(each)) for line, each in zip(lines, names)]
    return evaluated(emptied, inputs, False)[-1]


def with_one_operation(lines: list[runs.Line], inputs: dict[str, float]) -> list[float]:
    """The results of a program that does one and the same in each line."""
    same = [[line._replace(operation=one) for line in lines] for one in ("add", "mul", "sub")]
    return [evaluated(each, inputs, False)[-1] for each in same]


capture = lesson.Exercise(
    "capture",
    judge=judge_capture,
    hint="An operand that is a text, as in isinstance(one, str), is looked up among the values; "
    "any other is a number already. nb10_runs.OPERATIONS[operation] is a function: give it the "
    "numbers one by one, with a star.",
    because="numbers = [values[one] if isinstance(one, str) else one for one in operands], then "
    "values[name] = nb10_runs.OPERATIONS[operation](*numbers), and at the end "
    "return values[lines[-1].name].",
)

# --------------------------------------------------------------------------- two programs


def amplify(a: Any) -> Any:
    y = a
    while -1000 < y < 1000:
        y = y * 2
    return y / 10 if y < 0 else y


def judge_two(attempt: Any) -> str | None:
    """Calls a compiled ``amplify``, that of the lesson, with six readings; counts its programs."""
    if not isinstance(attempt, (list, tuple)):
        raise Unfit("a list of six numbers is wanted.")
    if any(is_open(one) for one in attempt):
        return None
    if any(isinstance(one, bool) or not isinstance(one, (int, float)) for one in attempt):
        raise Unfit("each of the six has to be a number.")
    if len(attempt) != 6:
        raise Unfit(f"there are {len(attempt)} of them, and six are wanted.")
    if len(set(attempt)) < 6:
        raise Unfit("two of them are equal. Six different readings are wanted.")
    if any(abs(one) < 1e-6 for one in attempt):
        return "0 never becomes loud, however often it is doubled, and the tiniest take too long."
    compiled = torch.compile(amplify)
    for one in attempt:
        compiled(runs.double(float(one)))
    count = len(compiled.programs)
    ways = [path(float(one)) for one in attempt]
    if count == 1 and len(set(ways)) == 2:
        return (
            "in this order they leave 1 program. There are two kinds of readings among them, but "
            "the only one of its kind comes first, and the first call is never noted."
        )
    if count != 2:
        word = "program" if count == 1 else "programs"
        each = ", ".join(str(doubled) for doubled, _ in ways)
        return f"in this order they leave {count} {word}. The numbers of doublings: {each}."
    doublings = list(dict.fromkeys(doubled for doubled, _ in ways[1:]))
    if len(doublings) > 1:
        return (
            f"one of the two programs doubles {doublings[0]} times, and the other "
            f"{doublings[1]} times. They should double equally often."
        )
    return ""


def path(reading: float) -> tuple[int, int]:
    """How many doublings of a reading there are, and how many divisions."""
    operations = [line.operation for line in runs.notes(amplify, a=reading)]
    return operations.count("mul"), operations.count("div")


two = lesson.Exercise(
    "two programs",
    judge=judge_two,
    hint="What else than the number of doublings decides which operations run? Readings between "
    "250 and 500 are doubled twice.",
    because="Readings of equal size and opposite sign are doubled equally often, and only the "
    "negative one is divided: 300, 350, 400, −300, −350 and −400, for example.",
)

# ------------------------------------------------------------------------------ five lines

MEANINGS = (
    "the local slope of the square",
    "the gradient of w2",
    "what arrives at each example, from the mean",
    "the local slope of tanh",
    "what arrives at the result of tanh",
)
BEGINNINGS = {"A": "v13 =", "B": "v14 =", "C": "v17 =", "D": "v19 =", "E": "v21 ="}
ANSWERS = {"A": 3, "B": 1, "C": 5, "D": 2, "E": 4}
ABOUT = {
    "A": "A: one number becomes 64 of them. Which operation made one number of 64?",
    "B": "B: v7 is the error of each example. What is done with it on the way forward?",
    "C": "C: the matrix w2 stands in this product, transposed. In which product did it stand on "
    "the way forward, and what was beside it?",
    "D": "D: which shape has the product? v18 has 8 rows, v15 has one column.",
    "E": "E: v20 is the square of v3, and v3 is the result of which operation?",
}


def show_lines() -> None:
    """Five lines of the program, and what they may be."""
    print("Five lines of the program with torch.tanh, as the lesson has it:")
    lines = [line.strip().partition(";")[0] for line in runs.small_program().splitlines()]
    for letter, beginning in BEGINNINGS.items():
        line = next(one for one in lines if one.startswith(beginning))
        print(letter, "  ", line.partition("#")[0].strip())
    print()
    for number, meaning in enumerate(MEANINGS, 1):
        print(number, "  ", meaning)


def judge_lines(attempt: Any) -> str | None:
    if not isinstance(attempt, (list, tuple)) or len(attempt) != len(ANSWERS):
        raise Unfit("a list of five numbers is wanted, for A to E.")
    if any(is_open(one) for one in attempt):
        return None
    for letter, said in zip(ANSWERS, attempt):
        if isinstance(said, bool) or said not in range(1, 6):
            raise Unfit(f"{letter}: {said!r} is none of the numbers 1 to 5.")
    if len(set(attempt)) < len(ANSWERS):
        raise Unfit("each of the five is wanted once.")
    wrong = [letter for letter, said in zip(ANSWERS, attempt) if said != ANSWERS[letter]]
    return "\n".join(ABOUT[letter] for letter in wrong[:2])


lines = lesson.Exercise(
    "five lines",
    answer=list(ANSWERS.values()),
    judge=judge_lines,
    hint="Begin with the shapes. Then look at which lines of the forward pass a name comes from.",
    because="A 3: the mean sends the same share to each example. B 1: the slope of the square is "
    "twice its input. C 5: what arrives behind the second product, times w2 transposed. D 2: the "
    "hidden values transposed, times the same. E 4: one minus the square of the result.",
)

# ------------------------------------------------------------------------------- a repair


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
        kind = type(results[-1]).__name__
        return f"it returns a {kind}. A tensor is wanted."
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
    return ""


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

# --------------------------------------------------------------------------- a step of yours


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
        told = runs.told(compiled).splitlines()[0]
        return f"it is refused: {told}. Sections 4 and 5 met refusals. What helped there?"
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
    if last > 1.02 * first + 1e-9:
        return (
            f"in 20 calls with the same data the loss has risen from {losses[0]:.4g} to "
            f"{losses[-1]:.4g}. In which direction does the step go, and how far?"
        )
    return ""


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
