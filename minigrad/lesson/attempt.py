"""How an attempt is run: for a limited time, and so that it disturbs nothing but itself.

It runs in the learner's own kernel. What is prevented are accidents: a loop without end, a mode
that is switched and not switched back, an error of any kind, a flood of text. Whoever wants to can
get round all this: it is a railing, not a wall.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable
from typing import TypeVar

from ..tape.values import visible
from .kernel_settings import little_printed, settings_kept
from .stopping import OUTSIDE, Stopped, limit, line_text
from .values import text_of

Said = TypeVar("Said")


def tried(judge: Callable[[], Said | None], seconds: float) -> Said | str | None:
    """What a judge says; and if it, or the attempt that it runs, raises or does not end: a text.

    Raises KeyboardInterrupt alone: whoever interrupts the kernel wants everything to stop.
    """

    def guarded() -> Said | str | None:
        try:
            return judge()
        except NotImplementedError:
            return None
        except (KeyboardInterrupt, Stopped):
            raise
        except BaseException as error:  # SystemExit and the like are no reason to stop either
            return told(error)

    limited = limit(seconds)
    try:
        with settings_kept(), little_printed():
            return limited.call(guarded)
    except Stopped:
        text = f"stopped after {seconds:g} s: is there a loop that never ends?"
        return visible(f"{text}\n  {limited.where}") if limited.where else text


def told(error: BaseException) -> str:
    """An error of the attempt, with the line of theirs that raised it."""
    if hasattr(error, "as_told"):  # it comes from another process, where its line is known
        return visible(error.as_told)
    message = "\n".join(text_of(error)[:5000].splitlines()[:6])[:600]
    text = f"it raised {type(error).__name__}: {message}".rstrip(": ")
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if not frame.filename.startswith(OUTSIDE)]
    if own:
        last = own[-1]
        text = f"{text}\n  {line_text(last.filename, last.lineno, last.line)}"
    return visible(text)
