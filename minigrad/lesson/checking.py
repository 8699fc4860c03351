"""``check``: judges an exercise, and says what is wrong in the words that help most.

In this order: not attempted, raised an error, wrong kind or shape, NaN, a known mistake, and
only then the first number that differs.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Any, NamedTuple

import numpy as np

from ..engine.backward import grad
from ..engine.node import LEAF, TensorBase, new_tensor
from ..nn.module import Module
from ..ops.random import manual_seed
from ..tape.values import visible
from .attempt import told, tried
from .faces import Shown
from .kernel_settings import settings_kept
from .values import array_in, close, is_number, is_open, own, plain, same, told_apart, words

KIND, NAN, NUMBER = range(3)  # how bad a difference is: the worst is told first
Part = tuple[str, Any]  # what it is, and the value


@dataclass(frozen=True, eq=False)
class Exercise:
    """What an exercise asks for, as data and functions.

    ``name``: as the learner knows it.
    ``answer``: the right value; or a right function, with which an attempt is compared.
    ``judge``: instead of an answer, a function that says what is wrong with an attempt, or "";
    None if it is no attempt yet.
    ``mistakes``: known mistakes, each with its name and what to do: wrong values or, for a
    function, wrong functions; a function where a value is asked for says whether it is the one.
    ``cases``: for a function, ``cases(random)`` makes the arguments of one call with a NumPy
    generator. Gradients for arguments that require one are compared too, also for those in lists,
    dicts and modules. Or a list of such argument tuples; each call gets copies of its own.
    ``count``, ``seed``: how many are made, and from which seed.
    ``tolerance``: how far a number may be off, relative to the right one. An entry of an array may
    also be off by a hundredth of that, relative to the largest entry. Whole numbers must be exact.
    ``seconds``: how long a check may take.

    The answer, the mistakes and a list of cases are what they are now: what happens to their lists
    and tensors later does not count. A function, though, finds its names when it is called: put
    exercises into a module, where a learner's ``def`` does not replace what the answer uses.
    ValueError, TypeError: the exercise is ill-made.

    >>> import minigrad as torch
    >>> square = torch.lesson.Exercise(
    ...     "square",
    ...     answer=lambda x: x * x,
    ...     cases=lambda random: (torch.tensor(random.normal(size=3), requires_grad=True),),
    ...     mistakes={lambda x: x * 2: "that doubles x. Multiply x by itself."},
    ... )
    >>> verdict = torch.lesson.check(square, lambda x: x + x)
    ✗ square: that doubles x. Multiply x by itself.
    >>> verdict = torch.lesson.check(square, lambda x: (x * x).detach())
    ✗ square: the result has no history, so no gradient flows back through it.
    >>> verdict = torch.lesson.check(square, lambda x: x**2)
    ✓ square: right.
    """

    name: str
    answer: Any = None
    judge: Callable[[Any], str] | None = None
    mistakes: Mapping[Any, str] = field(default_factory=dict)
    cases: Callable[[np.random.Generator], Sequence[Any]] | Sequence[Sequence[Any]] | None = None
    count: int = 5
    seed: int = 0
    tolerance: float = 1e-4
    seconds: float = 30.0

    def __post_init__(self) -> None:
        if self.judge is None and callable(self.answer) and self.cases is None:
            raise ValueError(f"{self.name}: to compare functions, an exercise needs cases")
        if self.judge is not None and not callable(self.judge):
            raise TypeError(f"{self.name}: judge must be a function")
        for why in self.mistakes.values():
            if not isinstance(why, str) or not why:
                raise TypeError(f"{self.name}: mistakes must map wrong answers to texts")
        if not is_number(self.seconds) or not self.seconds > 0:
            raise ValueError(f"{self.name}: seconds must be a number above 0")
        if isinstance(self.count, bool) or not isinstance(self.count, int) or self.count < 1:
            raise ValueError(f"{self.name}: count must be a whole number, 1 or more")
        if self.cases is not None and not callable(self.cases):
            cases = [self.case_kept(*one) for one in enumerate(self.cases, 1)]
            if not cases:
                raise ValueError(f"{self.name}: cases is empty, so any function would be right")
            object.__setattr__(self, "cases", cases)
        mistakes = {own(wrong): why for wrong, why in self.mistakes.items()}
        object.__setattr__(self, "answer", own(self.answer))
        object.__setattr__(self, "mistakes", mistakes)

    def case_kept(self, number: int, case: Any) -> Sequence[Any]:
        """A copy of one case. Raises TypeError or ValueError if there can be none."""
        which = f"{self.name}: case {number}"
        if not isinstance(case, (list, tuple)):
            raise TypeError(
                f"{which} is {words(case)}, and a tuple with the arguments of one call is wanted"
            )
        try:
            return copy.deepcopy(case)
        except Exception as error:
            raise ValueError(
                f"{which} cannot be copied, and each call needs a copy of its own ({error}). "
                "Take a function that makes the arguments: cases=lambda random: (…,)"
            ) from error

    def generated(self) -> list[Sequence[Any]]:
        """The arguments of each call, made anew, so that nobody sees what others did to them."""
        if not callable(self.cases):
            return [copy.deepcopy(case) for case in self.cases or ()]
        made = []
        for number in range(self.count):
            with settings_kept():
                manual_seed(self.seed + number)  # for those who take their numbers from there
                made.append(made_anew(self.cases(np.random.default_rng([self.seed, number]))))
        return made


def made_anew(case: Sequence[Any]) -> Sequence[Any]:
    """A copy all the same, in case a function hands out what it has handed out before.

    It may also make what cannot be copied, such as a tensor with a history.
    """
    try:
        return copy.deepcopy(case)
    except Exception:
        return case


class Verdict(Shown):
    """What ``check`` found: ``passed``, ``attempted``, and a ``message``."""

    def __init__(self, name: str, message: str | None) -> None:
        self.name = name
        self.attempted = message is not None
        self.passed = message == ""
        self.message = visible(message or "right.")
        if message is None:
            self.message = "not attempted yet."

    @property
    def text(self) -> str:
        signs = {"passed": "✓", "not passed": "✗", "not attempted": "…"}
        return f"{signs[self.state]} {self.name}: {self.message}"

    @property
    def state(self) -> str:
        """In words: what came of it."""
        if self.passed:
            return "passed"
        return "not passed" if self.attempted else "not attempted"

    def __repr__(self) -> str:
        return f"Verdict({self.name!r}, {self.state})"


def check(exercise: Exercise, attempt: Any = ...) -> Verdict:
    """Judge an attempt at an exercise: show what is right or wrong, and return the verdict.

    ``...`` and None are no attempt yet, and neither is a function with an empty body. Whatever
    an attempt does, ``check`` does not raise: "Run All" goes on. An attempt that takes longer than
    ``exercise.seconds`` is stopped. What it switches, such as grad mode, default dtype, random
    numbers or warnings, is as before afterwards. That is meant for accidents: nothing keeps a
    learner from getting round it on purpose. Interrupting the kernel stops everything.

    >>> import minigrad as torch
    >>> slope = torch.lesson.Exercise(
    ...     "slope", answer=15.0, mistakes={8.0: "only the path through d. Add the other one."}
    ... )
    >>> torch.lesson.check(slope, ...).passed
    … slope: not attempted yet.
    False
    >>> torch.lesson.check(slope, 8).passed
    ✗ slope: only the path through d. Add the other one.
    False
    >>> torch.lesson.check(slope, 12).passed
    ✗ slope: it is 12, and should be 15 (relative error 0.2).
    False
    >>> torch.lesson.check(slope, torch.tensor(15.0)).passed
    ✓ slope: right.
    True
    """
    if not isinstance(exercise, Exercise):
        raise TypeError(f"check(exercise, attempt): {words(exercise)} is not an Exercise")
    message = tried(lambda: judged(exercise, attempt), exercise.seconds)
    verdict = Verdict(exercise.name, message)
    verdict.show()
    return verdict


def judged(exercise: Exercise, attempt: Any) -> str | None:
    """What is wrong with an attempt; "" if nothing is, None if it is none."""
    expects_none = exercise.judge is None and exercise.answer is None
    if is_open(attempt) or (attempt is None and not expects_none):
        return None
    if exercise.judge is not None:
        return judgement(exercise.judge, attempt)
    functions = callable(exercise.answer)
    if functions and not callable(attempt):
        return f"it is {words(attempt)}, and a function is wanted."
    try:  # first, since an attempt may change what the answer uses
        right = outcomes(exercise, exercise.answer)
    except Exception as error:
        return ill_made(f"called for the right answer, {told(error)}")
    theirs = outcomes(exercise, attempt)
    if functions and any(is_unwritten(attempt, parts) for parts in theirs):
        return None
    worst = worst_difference(theirs, right, exercise.tolerance)
    if worst is None:
        return ""
    if worst.rank < NUMBER:
        return worst.text
    for wrong, name in exercise.mistakes.items():
        if is_mistake(exercise, wrong, attempt, theirs):
            return name
    if not functions:
        return worst.text
    called = ", ".join(map(words, exercise.generated()[worst.call]))
    return f"called with {called}, {worst.text}"


def outcomes(exercise: Exercise, thing: Any) -> list[list[Part]]:
    """What comes of an attempt or an answer: of a function, in each call."""
    if callable(exercise.answer):
        return [outcome(thing, arguments) for arguments in exercise.generated()]
    return [[("it", thing)]]


def is_unwritten(function: Any, parts: list[Part]) -> bool:
    """Has a function nothing in its body yet, or ``...`` where the answer goes?"""
    if not parts:
        return False
    _, result = parts[0]
    return is_open(result) or is_stub(function, result)


def is_mistake(exercise: Exercise, wrong: Any, attempt: Any, theirs: list[list[Part]]) -> bool:
    """Is it this mistake? One that cannot do with these arguments, or this attempt, is not."""
    try:
        if callable(wrong) and not callable(exercise.answer):
            return bool(wrong(attempt))
        return worst_difference(theirs, outcomes(exercise, wrong), exercise.tolerance) is None
    except Exception:
        return False


def judgement(judge: Callable[[Any], Any], attempt: Any) -> str | None:
    """What a judge says. One that says neither a text nor None is no judge."""
    message = judge(attempt)
    if message is None or isinstance(message, str):
        return message
    said = f"its judge returned {words(message)}, and a text is wanted"
    return ill_made(f"{said}: what is wrong with an attempt, or '' if nothing is.")


def ill_made(why: str) -> str:
    return f"the exercise itself is ill-made, whatever you have written: {why}"


def outcome(function: Callable[..., Any], arguments: Sequence[Any]) -> list[Part]:
    """What a function makes of its arguments: its results, and their gradients.

    All calls begin with the same settings and random numbers. What they return is copied, for the
    next call may write into it.
    """
    leaves = [
        (f"argument {number}{place}", tensor)
        for number, argument in enumerate(arguments, 1)
        for place, tensor in tensors_in(argument)
        if tensor._node is LEAF
    ]
    with settings_kept():
        returned = function(*arguments)
    results = returned if isinstance(returned, (list, tuple)) else [returned]
    single = len(results) == 1
    found: list[Part] = [
        ("the result" if single else f"result {i}", own(r)) for i, r in enumerate(results, 1)
    ]
    roots = [tensor for _, tensor in tensors_in(returned) if tensor._node is not None]
    if leaves and roots:  # weighted so differently that no sum hides a mistake
        weights = [new_tensor(spread(root._array)) for root in roots]
        slopes = grad(roots, [a for _, a in leaves], weights, materialize_grads=True)
        found += [(f"the gradient for {name}", g) for (name, _), g in zip(leaves, slopes)]
    return found


def tensors_in(value: Any, place: str = "", seen: set[int] | None = None) -> Iterator[Part]:
    """The tensors in a value, each once: in lists, dicts and modules, with their places there."""
    seen = set() if seen is None else seen
    if id(value) in seen:
        return
    if isinstance(value, TensorBase):
        seen.add(id(value))
        yield place, value
    elif isinstance(value, (list, tuple, dict, Module)):
        seen.add(id(value))
        for name, part in parts_of(value):
            yield from tensors_in(part, place + name, seen)


def parts_of(value: Any) -> Iterator[Part]:
    if isinstance(value, Module):
        return ((f".{name}", parameter) for name, parameter in value.named_parameters())
    if isinstance(value, dict):
        return ((f"[{words(key)}]", part) for key, part in value.items())
    return ((f"[{number}]", part) for number, part in enumerate(value))


def spread(like: Any) -> Any:
    return np.linspace(0.5, 1.5, like.size, dtype=like.dtype).reshape(like.shape)


class Difference(NamedTuple):
    """How two outcomes differ."""

    rank: int  # how bad it is: the worst is the smallest
    call: int  # in which call
    text: str


def worst_difference(
    theirs: list[list[Part]], ours: list[list[Part]], tolerance: float
) -> Difference | None:
    """The worst difference in the first call that has it; None if there is none."""
    found = [
        Difference(rank, call, text)
        for call, (one, other) in enumerate(zip(theirs, ours, strict=True))
        for rank, text in differences(one, other, tolerance)
    ]
    return min(found, key=itemgetter(0, 1), default=None)


def differences(
    theirs: list[Part], ours: list[Part], tolerance: float
) -> Iterator[tuple[int, str]]:
    """What differs in one call: how bad that is (the worst is the smallest), and in words."""
    for (what, got), (_, wanted) in zip(theirs, ours):
        one = array_of(got)
        other = array_of(wanted)
        if kind_of(one, got) != kind_of(other, wanted):
            yield KIND, f"{what} is {kind_of(one, got)}, and {kind_of(other, wanted)} is wanted."
        elif one is None or other is None:
            if not same(got, wanted, tolerance):
                is_, should = told_apart(got, wanted)
                yield NUMBER, f"{what} is {is_}, and should be {should}."
        elif one.shape != other.shape and not one.size == other.size == 1:
            yield KIND, f"{what} has shape {one.shape}, and {other.shape} is wanted."
        else:
            one = one.reshape(other.shape)
            far = ~close(one, other, tolerance)
            wrong = np.argwhere(far & (one != one)).tolist() or np.argwhere(far).tolist()
            for place in wrong[:1]:
                here = what
                if place:
                    here = f"entry {place} of {what}"
                a = one[tuple(place)].item()
                b = other[tuple(place)].item()
                off = ""
                if b and b is not True:
                    off = f" (relative error {abs(a - b) / abs(b):.2g})"
                if a != a:
                    yield NAN, f"{here} is nan: not a number."
                is_, should = told_apart(a, b)
                yield NUMBER, f"{here} is {is_}, and should be {should}{off}."
    if len(theirs) < len(ours) and ours[len(theirs)][0].startswith("the gradient"):
        yield KIND, "the result has no history, so no gradient flows back through it."
    elif len(theirs) != len(ours):
        count = f"{len(theirs)} result{'s'[: len(theirs) != 1]}"
        yield KIND, f"{count}, and {len(ours)} {'is' if len(ours) == 1 else 'are'} wanted."


def array_of(value: Any) -> Any:
    """A value as an array of numbers or truth values; None if it is something else."""
    value = array_in(value)
    try:
        array = np.asarray(value if isinstance(value, (np.ndarray, np.generic)) else plain(value))
    except ValueError:  # lists of different lengths
        return None
    return array if array.dtype.kind in "fiub" else None


def kind_of(array: Any, value: Any) -> str:
    """In words: what sort of answer it is."""
    if array is not None:
        return "True or False" if array.dtype.kind == "b" else "a number"
    if isinstance(value, dict):
        return "a dict"
    return "None" if value is None else f"a {type(value).__name__}"


def empty() -> None: ...


def is_stub(function: Any, result: Any) -> bool:
    """Has a function that returned None nothing in its body but ``...`` or ``pass``?"""
    code = getattr(function, "__code__", None)
    return result is None and code is not None and len(code.co_code) == len(empty.__code__.co_code)
