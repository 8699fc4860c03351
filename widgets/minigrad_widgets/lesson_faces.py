"""The faces that ``lesson.predict`` and ``lesson.check`` get in a notebook.

``PredictionView``  a question that is answered in the page, and judged there
``VerdictView``     what ``check`` found

Importing ``minigrad_widgets`` in a notebook turns them on. In a terminal the text stays.
"""

from __future__ import annotations

import math
from itertools import zip_longest
from typing import Any

import traitlets
from IPython.core.getipython import get_ipython
from IPython.display import display

from minigrad import lesson
from minigrad.lesson.values import is_number, plain, same, text_of, words
from minigrad.tape.values import visible

from .bundles import bundle
from .page_view import PageView

LONGEST = 10_000  # letters of an answer that travel to the page


class PredictionView(PageView):
    """A prediction in the page: an input or choices, a button that locks, and then the verdict.

    It needs no kernel: the true answer, evaluated now, travels with the question. What was
    answered comes back to ``prediction``.

    >>> from minigrad.lesson import Prediction
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
        given = None
        if prediction.answered:
            given = {
                **known(prediction, prediction.mine),
                "right": prediction.right,
                "mistake": visible(prediction.mistake),
            }
            if len(repr(given["value"])) > LONGEST:
                given["value"] = given["text"]
        super().__init__(question=question_of(prediction), given=given, **options)
        self.observe(self._locked, "given")

    def _locked(self, change: Any) -> None:
        given = change["new"] or {}
        if "value" in given:
            self.prediction.lock(from_data(given["value"], plain(self.prediction.answer)))

    def __repr__(self) -> str:
        return visible(self.prediction.text)


class VerdictView(PageView):
    """The verdict on an exercise: a sign and a sentence.

    >>> from minigrad.lesson import Verdict
    >>> VerdictView(Verdict("slope", ""))
    ✓ slope: right.
    """

    _esm = bundle("verdict_view.js")
    _css = bundle("minigrad.css")

    verdict = traitlets.Dict().tag(sync=True)

    def __init__(self, verdict: lesson.Verdict, **options: Any) -> None:
        self._text = verdict.text
        states = {"passed": "passed", "not passed": "failed", "not attempted": "open"}
        data = {
            "state": states[verdict.state],
            "name": visible(verdict.name),
            "message": visible(verdict.message),
        }
        super().__init__(verdict=data, **options)

    def __repr__(self) -> str:
        return visible(self._text)


def question_of(prediction: lesson.Prediction) -> dict[str, Any]:
    """A prediction as plain data, the true answer included."""
    return {
        "version": 1,
        "question": visible(prediction.question),
        "choices": None if prediction.choices is None else prediction.shown_choices,
        "answer": known(prediction, prediction.answer),
        "mistakes": [
            {**known(prediction, value), "why": visible(why)}
            for value, why in prediction.mistakes.items()
        ],
        "tolerance": prediction.tolerance,
        "because": visible(prediction.because),
    }


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
    if getattr(get_ipython(), "kernel", None) is None:
        return False
    view = PredictionView if isinstance(shown, lesson.Prediction) else VerdictView
    display(view(shown))
    return True


lesson.faces.current = face
