"""``check``: judges an exercise, and says what is wrong in the words that help most.

In this order: not attempted, raised an error, a known mistake, wrong kind or shape, NaN, and
only then the first number that differs. (Of a value, kind and shape come before the mistakes.)
What is right is told only at the third wrong attempt.
"""

from __future__ import annotations

import copy
import dis
import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from ..engine.backward import grad
from ..engine.node import LEAF, TensorBase, new_tensor
from ..nn.module import Module
from ..ops.random import manual_seed
from ..tape.values import visible
from . import tries
from .attempt import told, tried
from .comparing import NUMBER, Part, worst_difference
from .faces import Shown
from .kernel_settings import settings_kept
from .rules import rule_of
from .values import is_number, is_open, own, words


@dataclass(frozen=True, eq=False)
class Exercise:
    """What an exercise asks for, as data and functions.

    ``name``: as the learner knows it.
    ``answer``: the right value; or a right function, with which an attempt is compared.
    ``judge``: instead of an answer, a function that says what is wrong with an attempt, or "";
    None if it is no attempt yet. An ``answer`` beside it is an example of a right one.
    ``mistakes``: known mistakes, each with its name and what to do: wrong values or, for a
    function, wrong functions; a function where a value is asked for says whether it is the one.
    The texts do not contain the answer. ``lesson.broke`` marks one with the rule that it breaks.
    ``hint``: what helps at the second wrong attempt, without the answer in it.
    ``because``: why the answer is right, shown with it, and when an attempt passes.
    ``cases``: for a function, ``cases(random)`` makes the arguments of one call with a NumPy
    generator. Gradients for arguments that require one are compared too, also for those in lists,
    dicts and modules. Or a list of such argument tuples; each call gets copies of its own.
    ``count``, ``seed``: how many are made, and from which seed.
    ``tolerance``: how far a number may be off, relative to the right one. An entry of an array may
    also be off by a hundredth of that, relative to the largest entry. Whole numbers must be exact.
    ``seconds``: how long a check may take.
    ``points``: what it is worth in homework.
    ``hidden``: what only ``judge`` tries, never ``check``: more cases; or beside a ``judge``, a
    second one, which is asked when the first has nothing to say.

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
    hint: str = ""
    because: str = ""
    points: float = 1.0
    hidden: Any = None

    def __post_init__(self) -> None:
        if self.judge is None and callable(self.answer) and self.cases is None:
            raise ValueError(f"{self.name}: to compare functions, an exercise needs cases")
        if self.judge is not None and not callable(self.judge):
            raise TypeError(f"{self.name}: judge must be a function")
        for why in self.mistakes.values():
            if not isinstance(why, str) or not why:
                raise TypeError(f"{self.name}: mistakes must map wrong answers to texts")
        if not isinstance(self.hint, str) or not isinstance(self.because, str):
            raise TypeError(f"{self.name}: hint and because must be texts")
        if not is_number(self.seconds) or not self.seconds > 0:
            raise ValueError(f"{self.name}: seconds must be a number above 0")
        if isinstance(self.count, bool) or not isinstance(self.count, int) or self.count < 1:
            raise ValueError(f"{self.name}: count must be a whole number, 1 or more")
        if not is_number(self.points) or not 0 <= self.points < float("inf"):
            raise ValueError(f"{self.name}: points must be a number, 0 or more")
        object.__setattr__(self, "cases", self.cases_kept("cases", self.cases))
        if self.judge is None:
            if self.hidden is not None and not callable(self.answer):
                raise ValueError(f"{self.name}: hidden cases are for functions, not for a value")
            object.__setattr__(self, "hidden", self.cases_kept("hidden", self.hidden))
        elif self.hidden is not None and not callable(self.hidden):
            raise TypeError(f"{self.name}: beside a judge, hidden must be a judge too")
        mistakes = {own(wrong): why for wrong, why in self.mistakes.items()}
        object.__setattr__(self, "answer", own(self.answer))
        object.__setattr__(self, "mistakes", mistakes)

    def cases_kept(self, what: str, cases: Any) -> Any:
        """Copies of cases that are a list; what makes them as it is."""
        if cases is None or callable(cases):
            return cases
        kept = [self.case_kept(*one) for one in enumerate(cases, 1)]
        if not kept:
            raise ValueError(f"{self.name}: {what} is empty, so any function would be right")
        return kept

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


class Elsewhere:
    """An attempt that lives in another process, and makes its outcomes there."""

    def outcome(self, arguments: Sequence[Any]) -> list[Part]:
        """What the function ``outcome`` makes of an attempt here."""
        raise NotImplementedError


class Finding(NamedTuple):
    """What is wrong with an attempt: at first without what is right; "" if nothing is."""

    text: str
    right: str = ""  # what is right, in a sentence


RIGHT = Finding("")


class Verdict(Shown):
    """What ``check`` found: ``passed``, ``attempted``, and a ``message``.

    ``rung``: how many different wrong attempts there were, up to 3; ``tries``: all of them.
    ``rule``: the rule of the course that was broken, if the mistake is a known one; or "".
    ``lines``: what is said with the message: from the second wrong attempt on the hint, and from
    the third one what is right and why.
    ``points``: how many it is worth, where ``judge`` was asked; ``check`` gives none.
    """

    points = 0.0
    by_hidden = False  # the hidden cases were asked, too

    def __init__(
        self, name: str, message: str | None, tries: int = 0, lines: Sequence[str] = ()
    ) -> None:
        self.name = name
        self.attempted = message is not None
        self.passed = message == ""
        self.message = visible(message or "right.")
        if message is None:
            self.message = "not attempted yet."
        self.rule = rule_of(message or "")
        self.tries = tries
        self.lines = [visible(line) for line in lines if line]

    @property
    def rung(self) -> int:
        return min(self.tries, tries.LAST)

    @property
    def text(self) -> str:
        signs = {"passed": "✓", "not passed": "✗", "not attempted": "…"}
        first = f"{signs[self.state]} {self.name}: {self.message}"
        return "\n  ".join([first, *self.lines])

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

    The first wrong attempt is told its mistake, or where it differs; a second, different one also
    the exercise's ``hint``; and the third one what is right, and ``because``. Attempts of which
    the same is said are one, and one that raises an error or is stopped is none.

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
    ✗ slope: it is 12: too small.
    False
    >>> torch.lesson.check(slope, 16).passed
    ✗ slope: it is 16: too large.
      It is 16, and should be 15 (relative error 0.067).
    False
    >>> torch.lesson.check(slope, torch.tensor(15.0)).passed
    ✓ slope: right.
    True
    """
    if not isinstance(exercise, Exercise):
        raise TypeError(f"check(exercise, attempt): {words(exercise)} is not an Exercise")
    found = tried(lambda: examined(exercise, attempt), exercise.seconds)
    verdict = on_the_ladder(exercise, found)
    if not verdict.attempted:
        verdict.message = f"not attempted yet{gaps_in(attempt)}."
    verdict.show()
    return verdict


def gaps_in(attempt: Any) -> str:
    """Of a list in which some answers are given, how many are not."""
    if not isinstance(attempt, list | tuple) or any(map(callable, attempt)):
        return ""  # a function or a class may be unwritten, too
    gaps = sum(is_open(part) for part in attempt)
    if not 0 < gaps < len(attempt):
        return ""
    return f": {gaps} of {len(attempt)} answers {'is' if gaps == 1 else 'are'} still open"


def on_the_ladder(exercise: Exercise, found: Finding | str | None) -> Verdict:
    """The verdict, with as much help as there have been wrong attempts. A text: it raised."""
    if found is None:
        return Verdict(exercise.name, None)
    if found == RIGHT:
        return Verdict(exercise.name, "", lines=[exercise.because])
    wrong = tries.so_far(exercise_key(exercise))
    if isinstance(found, str):
        found = Finding(found)
    elif found.text not in wrong:
        wrong.append(found.text)
    lines = []
    if len(wrong) >= tries.LAST:
        lines = [found.right, exercise.because]
    elif len(wrong) > 1 and exercise.hint:
        lines = [f"Hint: {exercise.hint}"]
    return Verdict(exercise.name, found.text, len(wrong), lines)


def exercise_key(exercise: Exercise) -> Any:
    """An exercise that is made anew with the same name and answer is the same one."""
    answer = "" if callable(exercise.answer) else words(exercise.answer)
    return Exercise, exercise.name, answer


def judged(exercise: Exercise, attempt: Any) -> str | None:
    """What is wrong with an attempt, without what is right; "" if nothing is; None: no attempt."""
    found = examined(exercise, attempt)
    return None if found is None else found.text


def examined(exercise: Exercise, attempt: Any) -> Finding | None:
    """What is wrong with an attempt; None if it is none."""
    expects_none = exercise.judge is None and exercise.answer is None
    if is_open(attempt) or (attempt is None and not expects_none):
        return None
    if exercise.judge is not None:
        return judgement(exercise, attempt)
    functions = callable(exercise.answer)
    if functions and not callable(attempt):
        return Finding(f"it is {words(attempt)}, and a function is wanted.")
    try:  # first, since an attempt may change what the answer uses
        right = outcomes(exercise, exercise.answer)
    except Exception as error:
        return Finding(ill_made(f"called for the right answer, {told(error)}"))
    theirs = outcomes(exercise, attempt)
    if functions and any(is_unwritten(attempt, parts) for parts in theirs):
        return None
    worst = worst_difference(theirs, right, exercise.tolerance)
    if worst is None:
        return RIGHT
    where = ""
    if functions:
        where = f"called with {named(attempt, exercise.generated()[worst.call])}, "
    should = where + worst.right if worst.right else ""
    should = should[:1].upper() + should[1:]
    if worst.rank < NUMBER and not functions:
        return Finding(worst.text, should)
    for wrong, name in exercise.mistakes.items():
        if is_mistake(exercise, wrong, attempt, theirs):
            return Finding(name, should)
    if worst.rank < NUMBER:
        return Finding(worst.text, should)
    return Finding(where + worst.text, should)


def named(function: Any, arguments: Sequence[Any]) -> str:
    """The arguments of a call in words, with the function's own names if there are several.

    >>> named(lambda v, x: v, [2.0, [1, 3]]), named(lambda *both: both, [2, 3])
    ('v = 2, x = [1, 3]', '2, 3')
    """
    values = [words(argument) for argument in arguments]
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):  # some builtins tell no names
        parameters = []
    each_has_one = len(parameters) == len(values) > 1
    if each_has_one and all(one.kind is one.POSITIONAL_OR_KEYWORD for one in parameters):
        values = [f"{one.name} = {value}" for one, value in zip(parameters, values)]
    return ", ".join(values)


def outcomes(exercise: Exercise, thing: Any) -> list[list[Part]]:
    """What comes of an attempt or an answer: of a function, in each call."""
    if isinstance(thing, Elsewhere) and callable(exercise.answer):
        return [thing.outcome(arguments) for arguments in exercise.generated()]
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


def judgement(exercise: Exercise, attempt: Any) -> Finding | None:
    """What a judge says. One that says neither a text nor None is no judge."""
    message: Any = exercise.judge(attempt) if exercise.judge else None
    if message is None:
        return None
    if not isinstance(message, str):
        said = f"its judge returned {words(message)}, and a text is wanted"
        return Finding(ill_made(f"{said}: what is wrong with an attempt, or '' if nothing is."))
    known = exercise.answer is not None and not callable(exercise.answer)
    example = f"A right answer is {words(exercise.answer)}." if message and known else ""
    return Finding(message, example)


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


NOTHING = {"RESUME", "NOP", "LOAD_CONST", "RETURN_CONST", "RETURN_VALUE"}
"""The instructions of ``def f(x): ...``, and of ``pass`` in it, in any version of Python."""


def is_stub(function: Any, result: Any) -> bool:
    """Has a function that returned None nothing in its body but ``...`` or ``pass``?"""
    code = getattr(function, "__code__", None)
    if result is not None or code is None:
        return False
    return all(instruction.opname in NOTHING for instruction in dis.get_instructions(code))


def has_gap(function: Any) -> bool:
    """Does a ``...`` still stand in a function where something is to be written?"""
    code = getattr(function, "__code__", None)
    return code is not None and ... in code.co_consts
