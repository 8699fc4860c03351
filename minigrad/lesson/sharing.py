"""What a class predicts: the first answer to each question, for who has asked to share it.

Nothing is kept or sent before ``share_predictions`` is called. A file, or an address of the
teacher's, then gets the questions and what was answered first, under a number that is drawn for
that and says nothing about who it is. ``minigrad.homework.predictions`` shows them to the teacher.
"""

from __future__ import annotations

import importlib
import json
import threading
import uuid
from pathlib import Path
from typing import Any

from .values import LONGEST, words

VERSION = 1
SECONDS = 5  # for an address to take what it is sent


class Sharing:
    """Where the first answers go; it says so where it is shown."""

    def __init__(self, to: str | Path) -> None:
        self.to = str(to)
        self.by = uuid.uuid4().hex  # tells two learners apart, and nothing more
        self.answers: dict[Any, dict[str, Any]] = {}
        self.trouble = ""
        self.is_address = self.to.startswith(("http://", "https://"))

    def note(self, question: dict[str, Any]) -> None:
        """Write or send it, once for each question."""
        key = question["question"], *question["choices"]
        if key in self.answers:
            return
        self.answers[key] = question
        text = json.dumps(
            {"version": VERSION, "by": self.by, "answers": list(self.answers.values())},
            ensure_ascii=False,
            indent=1,
        )
        if self.is_address:
            threading.Thread(target=self.put, args=(text,), daemon=True).start()
        else:
            self.put(text)

    def put(self, text: str) -> None:
        """The lesson goes on, whatever happens here; what was lost goes with the next answer."""
        try:
            if self.is_address:
                library = importlib.import_module("urllib.request")  # late: it takes 50 ms
                kind = {"Content-Type": "application/json"}
                request = library.Request(self.to, text.encode(), kind)
                library.urlopen(request, timeout=SECONDS).close()
            else:
                Path(self.to).write_text(text, encoding="utf-8")
            self.trouble = ""
        except (OSError, ValueError) as error:
            self.trouble = f"{type(error).__name__}: {error}"

    def __repr__(self) -> str:
        how = "sent to" if self.is_address else "written to"
        lines = [
            f"Your first answer to each question is {how} {self.to}, with the question, and",
            f"without your name. So far: {len(self.answers)}. share_predictions(None) ends it.",
        ]
        if self.trouble:
            lines.append(f"The last one did not get there ({self.trouble}).")
        return "\n".join(lines)


sharing: list[Sharing] = []
"""The one that is at work, if there is one."""


def share_predictions(to: str | Path | None) -> Sharing | None:
    """Share what you predict with your class: your first answer to each question from now on.

    It is off unless you call this. What is shared is the question, its choices, your first answer,
    whether it was right, and the name of the mistake if it has one; no name, no later answer,
    nothing of your code. It replaces nothing: you see in the lesson what you always see.

    Parameters
    ----------
    to : path, address or None
        A file that you can hand in, such as "predictions.json", or the address that your teacher
        gives, beginning with http:// or https://. None ends it.

    An address that does not answer never stops a lesson; the result says when something did not
    get there. In a browser, where Python has no threads, only a file is possible: ValueError.

    >>> import minigrad as torch
    >>> torch.lesson.share_predictions("predictions.json")
    Your first answer to each question is written to predictions.json, with the question, and
    without your name. So far: 0. share_predictions(None) ends it.
    >>> torch.lesson.share_predictions(None)
    """
    sharing.clear()
    if to is None:
        return None
    made = Sharing(to)
    if made.is_address and not has_threads():
        raise ValueError(
            "this Python has no threads, as in a browser, so nothing can be sent from here. Use a "
            'file, share_predictions("predictions.json"), and hand that in'
        )
    sharing.append(made)
    return made


def has_threads() -> bool:
    thread = threading.Thread(target=int)
    try:
        thread.start()
    except RuntimeError:
        return False
    thread.join()
    return True


def note_first(prediction: Any) -> None:
    """Called with a question that has its first answer."""
    for one in sharing:
        one.note(
            {
                "question": prediction.question,
                "choices": prediction.shown_choices,
                "answer": words(prediction.mine, LONGEST),
                "right": None if prediction.is_poll else prediction.right,
                "mistake": prediction.mistake,
            }
        )
