"""``own_class``: a judge of a learner's own class, by what comes of programs that it ran."""

from __future__ import annotations

import builtins
import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from .model import Engine, Outcome
from .programs import (
    LOOKS,
    Program,
    begins,
    expression,
    lowered,
    minus_as_product,
    operations,
    shrunk,
    text_of,
)
from .slips import Slip, TooLong

Attempt = Callable[[Program], Outcome]
Judge = Callable[[Any], str]

TOLERANCE = 1e-6
MOST_LEFT_OUT = 30  # operations: a larger program is shown as it is
ERRORS = {
    "Borrowed": (
        "it rests on {text}. The engine is to be your own: NumPy and what you write, no other "
        "library for derivatives."
    ),
    "TooMuchWork": (
        "it was stopped, because it called far more functions than an engine needs for a program "
        "of that size. Does it walk along every path, and so visit a value again for each? Or "
        "begin anew for each leaf?"
    ),
    "NeverEnds": (
        "a while loop did not end after 1,000 rounds. Python asks your class whether y < 100, and "
        "goes by the answer: any object that says nothing else counts as true."
    ),
    "LimitChanged": (
        "it changes the recursion limit, and that is not the way: it only moves the place at "
        "which Python itself ends. Keep your own list of what is still to be visited."
    ),
    "Unwatched": (
        "it starts a thread, or switches off the count of its calls. An engine needs neither: "
        "keep your own list of what is still to be visited."
    ),
    "RecursionError": (
        "it ran out of recursion (RecursionError): a function that calls itself for each value "
        "ends at about 1,000 of them. Keep your own list of what is still to be visited."
    ),
    "OperatorsInACircle": (
        "its operators call each other without end (RecursionError). Python asks x.__rsub__(2) for "
        "2 - x: if 2 - x is computed in there, it is asked again. Build on operations that you "
        "have."
    ),
}


def own_class(
    programs: Sequence[Program],
    slips: Iterable[Slip] = (),
    *,
    hidden: bool = False,
    concept: str = "",
) -> Judge:
    """A judge of a class that runs programs: ``Exercise("…", judge=own_class(…))``.

    An attempt is a function, ``attempt(program)``, which returns plain data: ``{"looks": [...],
    "error": None}``. The programs are tried one after the other, so the smallest should be first.
    Of a wrong engine it says which of the ``slips`` it makes, if one of them explains all that came
    out, and where that shows first: on the smallest program, found by leaving out operations.

    ``hidden``: no program is shown and no number, only what the mistake is or concerns.
    ``concept``: what the programs are about, which is said where no slip explains a failure.

    >>> from minigrad.lesson.own_class import slips
    >>> leaf = ["leaf", "x", 3.0]
    >>> ends = [["backward", "y"], ["grad", "x"]]
    >>> program = [leaf, ["mul", "c", "x", 5.0], ["add", "y", "c", "x"], *ends]
    >>> judge = own_class([program], slips.REUSES)
    >>> judge(Engine().run)
    ''
    >>> print(judge(slips.Average().run))
    a fork takes the average of what arrives. Arrivals are added.
      Your engine first differs on x + x  at x = 3
    """
    known = list(slips)
    right = [Engine().run(program) for program in programs]

    def judge(attempt: Any) -> str:
        if not callable(attempt):
            return "the check wants runs_on(Value), which the last line of the cell makes."
        theirs: list[Outcome] = []
        failed = None
        for place, program in enumerate(programs):
            theirs.append(outcome_of(attempt, program))
            if failed is None and not alike(theirs[-1], right[place]):
                failed = place
                if theirs[-1]["error"]:
                    break
        if failed is None:
            return ""
        small, made = smallest(attempt, programs[failed], theirs[failed])
        if made["error"]:
            said = raised(made["error"], hidden)
        else:
            said = named(known, programs, theirs)
            if not said and hidden:
                said = f"it is about {concept}."
            elif not said:
                said = differs(small, made, Engine().run(small))
        return said if hidden else f"{said}\n  Your engine first differs on {text_of(small)}"

    return judge


def outcome_of(attempt: Attempt, program: Program) -> Outcome:
    """What comes of it, in the form that is compared, whatever an attempt hands out."""
    made = attempt(program)
    looks = made.get("looks") if isinstance(made, dict) else None
    error = made.get("error") if isinstance(made, dict) else None
    if not isinstance(looks, list) or not isinstance(error, dict | None):
        looks = []
        error = {"kind": "TypeError", "text": "no outcome of a program", "line": ""}
    return {"looks": looks, "error": error}


def smallest(attempt: Attempt, program: Program, made: Outcome) -> tuple[Program, Outcome]:
    """The smallest program, made from this one, at which something goes wrong, and what."""
    if not is_plain(program) or operations(program) < 2:
        return program, made
    kind = (made["error"] or {}).get("kind")

    def fails(one: Program) -> bool:
        found = outcome_of(attempt, one)
        same_kind = (found["error"] or {}).get("kind") == kind
        return same_kind and not alike(found, Engine().run(one))

    small = shrunk(program, fails)
    return small, outcome_of(attempt, small)


def is_plain(program: Program) -> bool:
    """Is it one pass over operations on single numbers, which can be left out one by one?"""
    if operations(program) > MOST_LEFT_OUT:
        return False
    verbs = [step[0] for step in program]
    loops = {"repeat", "while", "if", "zero", "flag", "refused", "forget"} & set(verbs)
    numbers = all(len(step) == 3 and is_number(step[2]) for step in program if step[0] == "leaf")
    return numbers and not loops and verbs.count("backward") == 1


# -------------------------------------------------------------------------------- comparing


def alike(one: Outcome, other: Outcome) -> bool:
    """Did the same come of a program? Of errors, the kind counts."""
    if bool(one["error"]) != bool(other["error"]):
        return False
    if one["error"] and one["error"].get("kind") != other["error"].get("kind"):
        return False
    return len(one["looks"]) == len(other["looks"]) and all(
        near(got, wanted) for got, wanted in zip(one["looks"], other["looks"])
    )


def near(got: Any, wanted: Any) -> bool:
    """Are two looks the same, but for rounding?"""
    if isinstance(got, dict) and isinstance(wanted, dict):
        numbers = got.get("numbers")
        return (
            isinstance(numbers, list)
            and got.get("shape") == wanted.get("shape")
            and len(numbers) == len(wanted["numbers"])
            and all(near(a, b) for a, b in zip(numbers, wanted["numbers"]))
        )
    if is_number(got) and is_number(wanted):
        return math.isclose(got, wanted, rel_tol=TOLERANCE, abs_tol=1e-9)
    return type(got) is type(wanted) and bool(got == wanted)


def is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


# --------------------------------------------------------------------------------- in words


def named(slips: Sequence[Slip], programs: Sequence[Program], theirs: Sequence[Outcome]) -> str:
    """The mistake that explains all that came out; "" if none does, or two different ones do."""
    low = [lowered(program) for program in programs]
    ways = [list(programs), low, [minus_as_product(program) for program in low]]
    found = {slip.text for slip in slips for way in ways if explains(slip, way, theirs)}
    return found.pop() if len(found) == 1 else ""


def explains(slip: Slip, programs: Sequence[Program], theirs: Sequence[Outcome]) -> bool:
    explained = 0
    for program, made in zip(programs, theirs):
        if made["error"]:
            continue
        try:
            wrong = slip.makes().run(program)
        except (TooLong, ValueError):
            continue
        if not alike(wrong, made):
            return False
        explained += 1
    return explained > 0


def raised(error: Mapping[str, Any], hidden: bool) -> str:
    kind = str(error.get("kind"))
    text = str(error.get("text") or "")
    if hidden:  # its words are the attempt's, and could say what the hidden programs are
        text = "another library"
        if kind not in ERRORS:
            known = isinstance(vars(builtins).get(kind), type)
            return f"it raised {kind}." if known else "it raised an error of its own kind."
    if kind in ERRORS:
        return ERRORS[kind].format(text=text)
    if kind == "TypeError" and NOTHING_TO_ADD_TO.search(text):
        text = (
            f"{text}. A grad is still None when the first part arrives, so there is nothing to "
            "add to: the first part takes its place, and only the later ones are added."
        )
    elif kind == "TypeError" and "NoneType" in text:
        text = f"{text}. A rule was called with None: nothing had arrived at its value yet."
    elif kind == "AttributeError" and NO_ARRAY.match(text):
        text = f"{text}. A plain number came where an array is wanted. Does a pass start with one?"
    elif kind == "ValueError" and "read-only" in text:
        text = f"{text}. += writes into an array that somebody else holds: write a = a + b."
    elif kind == "AttributeError" and "has no attribute" in text:
        text = f"{text}. Is it written yet?"
    elif kind == "TypeError" and "unsupported operand" in text:
        text = f"{text}. The class has no method for that yet, or not for a number on that side."
    elif kind == "ValueError" and "matmul" in text:
        text = "the matrices of a product do not fit. Write down the shapes of g and both factors."
    said = f"it raised {kind}: {text}".rstrip(": ")
    return f"{said}\n  {error['line']}" if error.get("line") else said


NOTHING_TO_ADD_TO = re.compile(r"for \+=?: 'NoneType' and '(?!NoneType)")
NO_ARRAY = re.compile(r"'(float|int)' object has no attribute")


def differs(program: Program, made: Outcome, right: Outcome) -> str:
    """The first look that is not right, without what is."""
    looks = [step for step in flat(program) if step[0] in LOOKS]
    if right["error"]:
        return "it goes through, and an error is wanted."
    whole = expression(program)  # which names no result
    made_of = f"({whole})" if " " in whole or whole.startswith("-") else whole
    given = {step[1] for step in begins(program)}
    for step, got, wanted in zip(looks, made["looks"], right["looks"]):
        if not near(got, wanted):
            verb, name = step[0], step[1]
            return look_differs(
                [verb, made_of if whole and name not in given else name], got, wanted
            )
    return "something is missing in what it returned."


def flat(program: Program) -> list[Any]:
    """The steps one after the other; looks do not stand in loops."""
    return list(program)


WHAT = {"grad": "grad", "value": "data", "flag": "requires_grad", "kind": "data"}


def look_differs(step: Sequence[Any], got: Any, wanted: Any) -> str:
    verb, name = step[0], step[1]
    if verb == "refused":
        return f"{name}.backward() was {got}, where it should be {wanted}."
    if verb == "forget":
        return f"after del {name}, its value is still {got}: the graph keeps what it has used."
    what = f"{name}.{WHAT[verb]}"
    if verb == "kind":
        return f"{what} holds {got}, where {wanted} are wanted."
    if got is None:
        return f"{what} is None: nothing has arrived there."
    if wanted is None and got == 0:
        return f"{what} is 0, and None is wanted: nothing has arrived there, which is not a 0."
    if wanted is None:
        return f"{what} is a number, and None is wanted."
    if isinstance(got, dict) and "odd" in got:
        return f"{what} is a {got['odd']}, and a plain number or array is wanted."
    shapes = [tuple(one["shape"]) if isinstance(one, dict) else () for one in (got, wanted)]
    if shapes[0] != shapes[1]:
        return f"{what} has the shape {shapes[0]}, and its value has {shapes[1]}."
    if isinstance(got, bool) or isinstance(wanted, bool):
        return f"{what} is {got}."
    one, other = first_apart(got, wanted)
    return (
        f"{what} {'has an entry' if isinstance(got, dict) else 'is'} {one:.6g}: {off(one, other)}."
    )


def first_apart(got: Any, wanted: Any) -> tuple[float, float]:
    if not isinstance(got, dict):
        return got, wanted
    pairs = zip(got["numbers"], wanted["numbers"])
    return next((a, b) for a, b in pairs if not near(a, b))


def off(one: float, other: float) -> str:
    if one != one:
        return "that is no number"
    if one * other < 0:
        return "the sign is wrong"
    return "too large" if one > other else "too small"
