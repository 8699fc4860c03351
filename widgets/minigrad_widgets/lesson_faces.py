"""The faces that ``lesson.predict`` and ``lesson.check`` get in a notebook.

``PredictionView``  a question that is answered in the page, and judged there
``VerdictView``     what ``check`` found

Importing ``minigrad_widgets`` in a notebook turns them on. In a terminal the text stays.
"""

from __future__ import annotations

import math
from collections.abc import Collection
from itertools import zip_longest
from typing import Any

import traitlets
from IPython.display import display

from minigrad import lesson
from minigrad.lesson.rules import RULES, offered, rule_of
from minigrad.lesson.values import is_number, plain, same, text_of, words
from minigrad.tape.values import visible

from .answered_later import AnsweredLater
from .bundles import bundle
from .page_view import PageView
from .session import session
from .stills import Still

OPEN = "open:"  # before the id of a question that waits for its answer

LONGEST = 10_000  # letters of an answer that travel to the page


class PredictionView(PageView):
    """A prediction in the page: an input or choices, a button, and what is said to each answer.

    It needs no kernel: the true answer, evaluated now, travels with the question. What was
    answered comes back to ``prediction``.

    >>> from minigrad.lesson import Prediction
    >>> from minigrad_widgets import PredictionView
    >>> PredictionView(Prediction("How many nodes?", 3, None, {}, 1e-3, ""))
    Predict: How many nodes?
      not answered yet: write mine=… with your answer into the call, and run the cell again.
    """

    _esm = bundle("prediction_view.js")
    _css = bundle("minigrad.css")

    question = traitlets.Dict().tag(sync=True)
    """What is asked, and what is true (``Question`` in ``question.ts``)."""

    given = traitlets.Dict(None, allow_none=True).tag(sync=True)
    """The answer that was given (``Given`` in ``question.ts``); None before."""

    def __init__(self, prediction: lesson.Prediction, **options: Any) -> None:
        self.prediction = prediction
        super().__init__(question=question_of(prediction), given=given_of(prediction), **options)
        self._later = AnsweredLater(str(self.model_id))
        self.observe(self._locked, "given")

    def _locked(self, change: Any) -> None:
        given = change["new"] or {}
        if "value" in given:
            self.prediction.lock(from_data(given["value"], plain(self.prediction.answer)))
        if given.get("shown"):
            self.prediction.give_up()
        self._later.put(self.still())

    @property
    def still_key(self) -> str:
        return str(self.model_id) if self.prediction.answered else f"{OPEN}{self.model_id}"

    def still(self) -> Still:
        """The question, and what was answered so far, or that nothing was."""
        text = visible(self.prediction.text)
        return Still(text, text, "")

    def left_still(self) -> str:
        return self._later.left()

    def headline(self) -> str:
        return super().headline() if self.prediction.answered else repr(self)

    def __str__(self) -> str:
        return super().__str__() if self.prediction.answered else repr(self)

    def __repr__(self) -> str:
        return visible(self.prediction.text)


class VerdictView(PageView):
    """The verdict on an exercise: a sign and a sentence.

    >>> from minigrad.lesson import Verdict
    >>> from minigrad_widgets import VerdictView
    >>> VerdictView(Verdict("slope", ""))
    ✓ slope: right.
    """

    _esm = bundle("verdict_view.js")
    _css = bundle("minigrad.css")

    verdict = traitlets.Dict().tag(sync=True)

    def __init__(self, verdict: lesson.Verdict, **options: Any) -> None:
        self._text = verdict.text
        self.leaves_still = verdict.attempted
        asks = verdict.rule and verdict.rung < lesson.tries.LAST
        states = {"passed": "passed", "not passed": "failed", "not attempted": "open"}
        data = {
            "state": states[verdict.state],
            "name": visible(verdict.name),
            "message": visible(verdict.message),
            "lines": verdict.lines,
            "told": verdict.rung == lesson.tries.LAST and not verdict.passed,
            "rule": rules_of(verdict.rule) if asks else None,
        }
        super().__init__(verdict=data, **options)

    def headline(self) -> str:
        return f"Check of {self.verdict['name']}:"

    def still(self) -> Still:
        """The sign and the sentence."""
        text = visible(self._text)
        return Still(text, text, "")

    def __repr__(self) -> str:
        return visible(self._text)


def question_of(prediction: lesson.Prediction) -> dict[str, Any]:
    """A prediction as plain data, the true answer included."""
    return {
        "version": 1,
        "question": visible(prediction.question),
        "choices": None if prediction.choices is None else prediction.shown_choices,
        "answer": None if prediction.is_poll else known(prediction, prediction.answer),
        "mistakes": [
            {**known(prediction, value), "why": visible(why), "rule": rules_of(rule_of(why))}
            for value, why in prediction.mistakes.items()
        ],
        "tolerance": prediction.tolerance,
        "hint": visible(prediction.hint),
        "because": visible(prediction.because),
        "unread": visible(prediction.unread),
    }


def given_of(prediction: lesson.Prediction) -> dict[str, Any] | None:
    """What was answered in the call, for the page; None if nothing was."""
    if not prediction.answered:
        return None
    wrong = [one for one in prediction.tries if not prediction.agree(one, prediction.answer)]
    return {
        **sendable(prediction, prediction.mine),
        "right": prediction.right,
        "mistake": visible(prediction.mistake),
        "tries": [sendable(prediction, one) for one in wrong[: lesson.tries.LAST]],
        "ruled": False,
        "shown": prediction.settled and not prediction.right,
    }


def sendable(prediction: lesson.Prediction, answer: Any) -> dict[str, Any]:
    """An answer for the page; one that is very long is its text there."""
    found = known(prediction, answer)
    return {**found, "value": found["text"]} if len(repr(found["value"])) > LONGEST else found


def rules_of(rule: str, without: Collection[str] = ()) -> dict[str, Any] | None:
    """Three rules to choose from, of which this one was broken; none of those ``without``."""
    if not rule:
        return None
    names = offered(rule, without)
    return {"offered": [RULES[name] for name in names], "right": names.index(rule)}


def known(prediction: lesson.Prediction, answer: Any) -> dict[str, Any]:
    """An answer for the page. A choice is its text there, in full."""
    if prediction.choices is None:
        return {"text": words(answer), "value": as_data(answer)}
    text = words(answer, math.inf)
    return {"text": text, "value": text}


def as_data(value: Any) -> Any:
    """An answer for the page (``Plain`` in ``question.ts``): JSON takes 15.0 for 15."""
    value = plain(value)
    if isinstance(value, list):
        return [as_data(part) for part in value]
    return {"number": text_of(value)} if is_number(value) else visible(str(value))


def from_data(value: Any, like: Any = "") -> Any:
    """An answer from the page: ``{"number": "1/3"}`` is a third.

    ``like``: the true answer. Where it is None, True or False, its text stands for it.
    """
    if isinstance(value, list):
        likes = like if isinstance(like, list) else []
        return [from_data(*pair) for pair in zip_longest(value, likes[: len(value)], fillvalue="")]
    if not isinstance(value, dict):
        named = like is None or isinstance(like, bool)
        return like if named and same(value, str(like)) else value
    top, _, bottom = str(value["number"]).replace("−", "-").replace("∞", "inf").partition("/")
    return float(top) / float(bottom or 1)


def face(shown: Any) -> bool:
    """Show a question or a verdict as a widget, if there is a page to show it in."""
    if not session.in_page():
        return False
    view = PredictionView if isinstance(shown, lesson.Prediction) else VerdictView
    shown.face = view(shown)
    display(shown.face)
    return True


lesson.faces.current = face
