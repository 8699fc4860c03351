"""``predict``: a question that is asked before its answer is shown."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

from ..tape.values import visible
from . import tries
from .comparing import astray
from .faces import Shown
from .rules import rule_of
from .sharing import note_first
from .values import (
    LONGEST,
    is_number,
    is_open,
    own,
    plain,
    same,
    text_of,
    tidy,
    told_apart,
    words,
)

HOW = "not answered yet: write mine=… with your answer into the call, and run the cell again."
AGAIN = "Write another answer at mine=… and run the cell again."
REFLECT = "Say to yourself, in one sentence, how you came to it. Where might that go wrong?"
SMALLER = (
    "Do it by hand for the smallest case that you can think of, or run the next cell and look."
)


class Prediction(Shown):
    """A question, what is true, and what somebody thinks; see ``predict`` and ``poll``.

    ``answered``: has there been an answer? ``mine`` is the last one, ``first`` the first.
    ``right``: does it agree with what is true? In a ``poll`` nothing is right or wrong.
    ``rung``: how many different wrong answers there were, up to 3.
    ``settled``: was it right, or was the true answer told? Then it is locked.
    ``text``: the question, and what is said about the answer.
    """

    def __init__(
        self,
        question: str,
        answer: Any,
        choices: Any,
        mistakes: Mapping[Any, str],
        tolerance: float,
        because: str,
        hint: str = "",
    ) -> None:
        self.question = question
        self._answer = own(answer)
        self.choices = own(choices)
        self.mistakes = mistakes
        self.tolerance = tolerance
        self.because = because
        self.hint = hint or SMALLER
        self.mine: Any = None
        self.tries: list[Any] = []
        self.answered = self.right = self.settled = False
        self.unread = ""  # why the last answer does not count
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

    def chosen(self, mine: Any) -> Any:
        """The choice that is meant: "None" by None, "about 0.09" by 0.09, "−1" by "-1"."""
        if self.choices is None or self.may_be(mine):
            return mine
        named = [choice for choice in self.choices if isinstance(choice, str)]
        if isinstance(mine, str):
            return next((choice for choice in named if typed(choice) == typed(mine)), mine)
        texts = words(mine, max(map(len, named), default=0)), text_of(mine)
        meant = [choice for choice in named if choice in texts]
        if is_number(plain(mine)):
            meant += [one for one in named if same(mine, number_in(one), self.tolerance)]
        return meant[0] if meant else mine

    def takes_none(self) -> bool:
        """Is None an answer here, and not the lack of one?"""
        among = self.choices is not None and self.may_be(self.chosen(None))
        return among or self._answer is None

    def lock(self, mine: Any) -> None:
        """Answer. A wrong answer may be followed by another one until the true one is told."""
        mine = self.chosen(mine)
        if not self.may_be(mine):
            self.unread = f"{words(mine)} is not one of the choices."
        elif self.choices is None and isinstance(mine, str) and wanted(plain(self.answer)):
            self.unread = f"{wanted(plain(self.answer))} is wanted, without quotation marks."
        elif not self.settled:
            self.mine = own(mine)
            self.answered = True
            self.right = not self.is_poll and self.agree(mine, self.answer)
            if self.told(mine) not in map(self.told, self.tries):
                self.tries.append(self.mine)
            self.settled = self.right or self.is_poll or self.rung == tries.LAST
            if len(self.tries) == 1:
                note_first(self)

    def told(self, answer: Any) -> str:
        """An answer in words, by which two tries are told apart."""
        return tidy(words(answer, LONGEST if self.choices is None else math.inf))

    def give_up(self) -> None:
        """Whoever has tried may ask for the true answer."""
        self.settled = self.settled or self.answered

    @property
    def is_poll(self) -> bool:
        """Is no answer right or wrong?"""
        return self._answer is ...

    @property
    def first(self) -> Any:
        """The answer that was given first; None before."""
        return self.tries[0] if self.tries else None

    @property
    def rung(self) -> int:
        """How many different wrong answers were given, and so how much help there is."""
        if self.is_poll:
            return 0
        wrong = sum(not self.agree(one, self.answer) for one in self.tries)
        return min(wrong, tries.LAST)

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
    def rule(self) -> str:
        """The rule of the course that a known mistake breaks, or ""."""
        return rule_of(self.mistake)

    @property
    def text(self) -> str:
        lines = [f"Predict: {self.question}", *self.said()]
        return visible("\n  ".join(filter(None, lines)))

    def said(self) -> list[str]:
        """What is said below the question, in lines."""
        if not self.answered:
            choices = " | ".join(self.shown_choices)
            return [f"choices: {choices}" if choices else "", self.unread or HOW]
        if self.is_poll:
            return [f"You said {words(self.mine)}. Nothing is right or wrong here.", self.because]
        if self.right:
            return [f"✓ Right: {words(self.answer)}.", self.because]
        mine, true = told_apart(self.mine, self.answer)
        if self.settled:
            return [f"✗ You said {mine}. The answer is: {true}.", self.mistake, self.because]
        hint = f"Hint: {self.hint}" if self.rung > 1 else ""
        off = "" if self.mistake else self.way_off()
        return [f"✗ You said {mine}. Not yet{off}.", self.mistake or REFLECT, hint, AGAIN]

    def way_off(self) -> str:
        """On which side a number lies whose mistake has no name: ": too large"; or ""."""
        mine, true = plain(self.mine), plain(self.answer)
        if self.choices is not None or not (is_number(mine) and is_number(true)):
            return ""
        return "" if mine != mine or true != true else f": {astray(mine, true)}"

    def __repr__(self) -> str:
        if not self.answered:
            return "Prediction(not answered yet)"
        if self.is_poll:
            return "Prediction(answered)"
        return f"Prediction({'right' if self.right else 'wrong'})"


AS_TYPED = str.maketrans({"−": "-", "–": "-", "×": "x", "·": "*", "’": "'", "…": "..."})
"""What a keyboard has for the signs in a text."""

NUMBER = re.compile(r"(?:about )?(-?[\d,]*\.?\d+)(?: ?/ ?([\d,]*\.?\d+))?")


def typed(text: str) -> str:
    """A text as somebody may type it: with a keyboard's signs, and without blanks around "/"."""
    return re.sub(" ?/ ?", "/", " ".join(text.translate(AS_TYPED).casefold().split()))


def number_in(choice: str) -> float | None:
    """The number that a choice is: "about 0.09", "1 / 9", "10,000"; None of another text."""
    found = NUMBER.fullmatch(typed(choice))
    if found is None:
        return None
    above, below = (float(part.replace(",", "")) for part in (found[1], found[2] or "1"))
    return above / below if below else None


def wanted(answer: Any) -> str:
    """What a question wants instead of a text; "" where a text will do."""
    if isinstance(answer, list):
        return "a list"
    return "a number" if is_number(answer) else ""


def predict(
    question: str,
    answer: Any,
    mine: Any = ...,
    *,
    choices: Sequence[Any] | None = None,
    mistakes: Mapping[Any, str] | None = None,
    tolerance: float = 1e-3,
    hint: str = "",
    because: str = "",
) -> Prediction:
    """Ask before the reveal: show a question and, once it is answered, how near the answer is.

    In a notebook with ``minigrad_widgets`` it is answered in the page. Elsewhere the text says
    how: the learner adds ``mine=`` to the call. Nothing is stored or sent, unless the learner has
    called ``share_predictions``.

    A wrong answer is not the end. The first one gets the name of its mistake, if that is known;
    a second, different one the ``hint``; the third one what is true, and ``because``. A right
    answer is told so at once, with ``because``. In the text the tries are counted as long as the
    kernel lives, and the same cell run twice is one try.

    Parameters
    ----------
    question : str
    answer : number, text, bool, list, tensor, or a function without arguments
        What is true now: what happens to a list or a tensor later does not count. A function is
        called only when the answer is needed.
    mine : optional
        The learner's answer; ``...`` means none yet. So does None, unless it is true or a choice.
    choices : sequence, optional
        The answers to choose from; ``answer`` is one of them. They are shown and compared in
        full, however long they are. A value may stand for its text: None for ``"None"``, 0.09 for
        ``"about 0.09"``; and what a keyboard has for another sign: ``"-1"`` for ``"−1"``.
    mistakes : mapping, optional
        Known wrong answers, each with the name of the mistake and what to do; see also
        ``lesson.engines.mistakes``. The text does not contain the true answer. Made with
        ``lesson.broke`` it also says which rule of the course was broken.
    tolerance : float
        How far a number may be off, relative to the true one. Whole numbers must be exact.
    hint : str
        What helps after the second wrong answer, without the true one in it. If there is none,
        a general one is given.
    because : str
        Why it is so, shown with the true answer.

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
      ✗ You said 7. Not yet.
      That is only what arrives through c. Add what arrives through d.
      Write another answer at mine=… and run the cell again.
    Prediction(wrong)
    >>> torch.lesson.predict("What is b.grad?", 15.0, mistakes=named, because=why, mine=15)
    Predict: What is b.grad?
      ✓ Right: 15.
      Two paths lead to b: 7 arrives through c, and 8 through d.
    Prediction(right)
    """
    texts = (question, hint, because)
    if not all(isinstance(text, str) for text in texts):
        raise TypeError("the question, the hint and the reason (because) must be texts")
    if choices is not None and not isinstance(choices, (list, tuple)):
        raise TypeError("choices must be a list or a tuple of answers")
    named = dict(mistakes or {})
    if not all(isinstance(why, str) for why in named.values()):
        raise TypeError("mistakes must map wrong answers to texts")
    if not is_number(tolerance) or not tolerance >= 0:
        raise ValueError(f"tolerance must be a number, 0 or more, not {words(tolerance)}")
    made = Prediction(question, answer, choices, named, tolerance, because, hint)
    if not callable(answer) and not made.may_be(answer):
        raise ValueError(f"the answer {words(answer)} is not one of the choices")
    return asked(made, mine)


def poll(
    question: str, choices: Sequence[Any], mine: Any = ..., *, because: str = ""
) -> Prediction:
    """Ask what somebody thinks, where no answer is right or wrong.

    As ``predict``, but whatever is chosen is taken as it is, and ``because`` follows. TypeError
    or ValueError: the question is ill-made.

    >>> import minigrad as torch
    >>> whom = ["the article", "the program", "neither, before I have tested it"]
    >>> torch.lesson.poll("Whom do you believe?", whom, mine="the program", because="Test it.")
    Predict: Whom do you believe?
      You said the program. Nothing is right or wrong here.
      Test it.
    Prediction(answered)
    """
    if not isinstance(question, str) or not isinstance(because, str):
        raise TypeError("the question and the reason (because) must be texts")
    if not isinstance(choices, (list, tuple)):
        raise TypeError("choices must be a list or a tuple of answers")
    if not choices:
        raise ValueError("a poll needs choices")
    return asked(Prediction(question, ..., choices, {}, 0.0, because), mine)


def asked(made: Prediction, mine: Any) -> Prediction:
    """Show a question, with the answer that is already in the call, if there is one."""
    if not is_open(mine) and (mine is not None or made.takes_none()):
        key = (made.question, *made.shown_choices, words(made.answer))
        made.tries = tries.so_far(key)
        made.lock(mine)
    made.show()
    return made
