"""``predict``: a question that is asked before its answer is shown."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from ..tape.values import visible
from .faces import Shown
from .values import is_number, is_open, own, plain, same, told_apart, words

HOW = "not answered yet: write mine=… with your answer into the call, and run the cell again."


class Prediction(Shown):
    """A question, what is true, and what somebody thinks; see ``predict``.

    ``answered``: is there an answer? Then it is locked.
    ``right``: and does it agree with what is true?
    ``text``: the question, and once it is answered the verdict and the reason.
    """

    def __init__(
        self,
        question: str,
        answer: Any,
        choices: Any,
        mistakes: Mapping[Any, str],
        tolerance: float,
        because: str,
    ) -> None:
        self.question = question
        self._answer = own(answer)
        self.choices = own(choices)
        self.mistakes = mistakes
        self.tolerance = tolerance
        self.because = because
        self.mine: Any = None
        self.answered = self.right = False
        self.hint = HOW
        if isinstance(answer, bool) and choices is None:
            self.choices = (True, False)

    @property
    def answer(self) -> Any:
        """What is true; a function is called when somebody wants to know, and only once."""
        if callable(self._answer):
            self._answer = own(self._answer())
        return self._answer

    def may_be(self, answer: Any) -> bool:
        """Is it one of the choices, if there are any?"""
        return self.choices is None or any(self.agree(answer, one) for one in self.choices)

    def agree(self, one: Any, other: Any) -> bool:
        """Are two answers the same? A choice may also be given as its text."""
        if self.choices is not None and isinstance(one, str) and not isinstance(other, str):
            other = words(other, math.inf)
        return same(one, other, self.tolerance)

    def lock(self, mine: Any) -> None:
        """Answer, once: what is locked cannot be changed when the true answer is known."""
        if not self.may_be(mine):
            self.hint = f"{words(mine)} is not one of the choices."
        elif self.choices is None and isinstance(mine, str) and is_number(plain(self.answer)):
            self.hint = "a number is wanted, without quotation marks."
        elif not self.answered:
            self.right = self.agree(mine, self.answer)
            self.mine = own(mine)
            self.answered = True

    @property
    def shown_choices(self) -> list[str]:
        """The choices in full: two long ones may differ only at their ends."""
        return [words(choice, math.inf) for choice in self.choices or ()]

    @property
    def mistake(self) -> str:
        """What is said about this wrong answer, if it is a known one."""
        if not self.answered or self.right:
            return ""
        return next((m for value, m in self.mistakes.items() if self.agree(self.mine, value)), "")

    @property
    def text(self) -> str:
        lines = [f"Predict: {self.question}"]
        if not self.answered:
            choices = " | ".join(self.shown_choices)
            if choices:
                lines.append(f"choices: {choices}")
            lines.append(self.hint)
        elif self.right:
            lines.append(f"✓ Right: {words(self.answer)}.")
        else:
            said, true = told_apart(self.mine, self.answer)
            lines.append(f"✗ You said {said}. It is {true}.")
        if self.answered:
            lines += filter(None, [self.mistake, self.because])
        return visible("\n  ".join(lines))

    def __repr__(self) -> str:
        if not self.answered:
            return "Prediction(not answered yet)"
        return f"Prediction({'right' if self.right else 'wrong'})"


def predict(
    question: str,
    answer: Any,
    *,
    mine: Any = ...,
    choices: Sequence[Any] | None = None,
    mistakes: Mapping[Any, str] | None = None,
    tolerance: float = 1e-3,
    because: str = "",
) -> Prediction:
    """Ask before the reveal: show a question and, once it is answered, what is true.

    In a notebook with ``minigrad_widgets`` it is answered in the page. Elsewhere the text says
    how: the learner adds ``mine=`` to the call. Nothing is stored or sent.

    Parameters
    ----------
    question : str
    answer : number, text, bool, list, tensor, or a function without arguments
        What is true now: what happens to a list or a tensor later does not count. A function is
        called only when the answer is needed.
    mine : optional
        The learner's answer; ``...`` means none yet.
    choices : sequence, optional
        The answers to choose from; ``answer`` is one of them. They are shown and compared in
        full, however long they are.
    mistakes : mapping, optional
        Known wrong answers, each with the name of the mistake and what to do; see also
        ``lesson.engines.mistakes``.
    tolerance : float
        How far a number may be off, relative to the true one. Whole numbers must be exact.
    because : str
        Why it is so, shown with the answer.

    A wrong answer, or none, never raises, whatever it is. TypeError or ValueError: the question
    is ill-made.

    >>> import minigrad as torch
    >>> why = "Two paths lead to b: 7 arrives through c, and 8 through d."
    >>> named = {7: "That is only what arrives through c. Add what arrives through d."}
    >>> torch.lesson.predict("What is b.grad?", 15.0, mistakes=named, because=why)
    Predict: What is b.grad?
      not answered yet: write mine=… with your answer into the call, and run the cell again.
    Prediction(not answered yet)
    >>> torch.lesson.predict("What is b.grad?", 15.0, mistakes=named, because=why, mine=7)
    Predict: What is b.grad?
      ✗ You said 7. It is 15.
      That is only what arrives through c. Add what arrives through d.
      Two paths lead to b: 7 arrives through c, and 8 through d.
    Prediction(wrong)
    """
    if not isinstance(question, str) or not isinstance(because, str):
        raise TypeError("the question and the reason (because) must be texts")
    if choices is not None and not isinstance(choices, (list, tuple)):
        raise TypeError("choices must be a list or a tuple of answers")
    named = dict(mistakes or {})
    if not all(isinstance(why, str) for why in named.values()):
        raise TypeError("mistakes must map wrong answers to texts")
    if not is_number(tolerance) or not tolerance >= 0:
        raise ValueError(f"tolerance must be a number, 0 or more, not {words(tolerance)}")
    made = Prediction(question, answer, choices, named, tolerance, because)
    if not callable(answer) and not made.may_be(answer):
        raise ValueError(f"the answer {words(answer)} is not one of the choices")
    if not is_open(mine) and (mine is not None or answer is None):
        made.lock(mine)
    made.show()
    return made
