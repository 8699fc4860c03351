"""Right answers as records of what comes of them: what students get instead of the answers.

Of a function only its outcomes in the open cases are handed out, of a value only a digest. So a
check says what is wrong as before, and there is no answer in the file to be read. (Whoever tries
all small numbers finds the one with this digest: that is more work than the question.)
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from ..engine.node import TensorBase, new_tensor
from ..lesson import Exercise
from ..lesson.checking import Elsewhere, outcomes
from ..lesson.values import plain, same, words
from .student_side import pack, unpack

FILE = "records.json"


class Recorded(Elsewhere):
    """A function of which only the outcomes are known, in the order of the cases."""

    def __init__(self, calls: list[Any]) -> None:
        self.calls = calls
        self.next = 0

    def __call__(self, *arguments: Any) -> Any:
        raise TypeError("the right answer is not handed out, only what comes of it")

    def outcome(self, arguments: Sequence[Any]) -> list[tuple[str, Any]]:
        parts = self.calls[self.next % len(self.calls)]
        self.next += 1
        return [(what, unpack(value, unpacked_tensor)) for what, value in parts]


def packed_tensor(value: Any) -> Any:
    if isinstance(value, TensorBase):
        return {"tensor": pack(value._array, packed_tensor)}
    raise TypeError(f"what the answer returns cannot be recorded: {words(value)}. Take a judge")


def unpacked_tensor(kind: str, inside: Any) -> Any:
    return new_tensor(np.asarray(unpack(inside, unpacked_tensor)))


def record(exercise: Exercise) -> Any:
    """What is handed out of an exercise's answer."""
    if not callable(exercise.answer):
        salt = exercise.name
        return {"salt": salt, "digest": digest(salt, exercise.answer)}
    calls = outcomes(exercise, exercise.answer)
    return [[(what, pack(value, packed_tensor)) for what, value in parts] for parts in calls]


def digest(salt: str, value: Any, factor: float = 1.0) -> str:
    """Of a value, with numbers to four digits."""

    def rounded(one: Any) -> Any:
        if isinstance(one, list):
            return [rounded(part) for part in one]
        if isinstance(one, (int, float)) and not isinstance(one, bool):
            return f"{one * factor:.4g}"
        return " ".join(str(one).split()).casefold()

    return hashlib.sha256(json.dumps([salt, rounded(plain(value))]).encode()).hexdigest()


def judge_of_digest(exercise: Exercise, salt: str, right: str) -> Callable[[Any], str]:
    def judge(attempt: Any) -> str:
        near = (1 - exercise.tolerance / 2, 1.0, 1 + exercise.tolerance / 2)
        if any(digest(salt, attempt, factor) == right for factor in near):
            return ""
        for wrong, text in exercise.mistakes.items():
            if wrong(attempt) if callable(wrong) else same(attempt, wrong, exercise.tolerance):
                return text
        return f"it is {words(attempt)}, which is not right."

    return judge


def with_records(names: dict[str, Any]) -> None:
    """Give the exercises of a module, whose names these are, what was recorded of their answers."""
    records = json.loads(Path(names["__file__"]).with_name(FILE).read_text(encoding="utf-8"))
    made: dict[str, Exercise] = {}
    for exercise in names["EXERCISES"]:
        made[exercise.name] = exercise
        kept = records.get(exercise.name)
        if isinstance(kept, list):
            made[exercise.name] = replace(exercise, answer=Recorded(kept))
        elif kept is not None:
            judge = judge_of_digest(exercise, kept["salt"], kept["digest"])
            made[exercise.name] = replace(exercise, answer=None, judge=judge)
    for name, value in list(names.items()):
        if isinstance(value, Exercise):
            names[name] = made.get(value.name, value)
    names["EXERCISES"] = list(made.values())
