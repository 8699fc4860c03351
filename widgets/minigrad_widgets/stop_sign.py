"""How a training is stopped in a kernel that cannot be interrupted.

A kernel in the browser hears nothing while a cell runs: neither an interrupt nor a message. It can
ask for an address, though, and wait for the answer. So it makes an address of its own, and tells
it to the page; who presses Stop takes that address away, and the next question has no answer.
"""

from __future__ import annotations

import sys
from typing import Any

js: Any = None  # the browser's own names, in a kernel that runs there
if sys.platform == "emscripten":
    import js

PAUSE = 0.5  # seconds between two questions; each takes some milliseconds


class StopSign:
    """Stands in the page while a training runs.

    ``address`` is "" where nobody could be asked: then nothing but a restart stops the kernel.
    """

    def __init__(self) -> None:
        self.address = ""
        if hasattr(js, "XMLHttpRequest"):
            self.address = str(js.URL.createObjectURL(js.Blob.new()))

    def pressed(self) -> bool:
        """Has somebody pressed Stop?"""
        if not self.address:
            return False
        question = js.XMLHttpRequest.new()
        try:
            question.open("GET", self.address, False)
            question.send()
        except Exception:  # the browser's own error: there is no such address any more
            return True
        return False

    def take_down(self) -> None:
        """The training is over."""
        if self.address:
            js.URL.revokeObjectURL(self.address)


def stop_sign() -> StopSign | None:
    """One for a training that begins; None where the kernel can be interrupted."""
    return StopSign() if js is not None else None
