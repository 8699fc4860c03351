"""The front page: the program of the first article, and its backward pass to step through."""

from __future__ import annotations

import nbformat

from .pages import Lesson, body_of

PROGRAM = """\
a = torch.tensor(2.0, requires_grad=True)
b = torch.tensor(6.0, requires_grad=True)
e = (a + b) * (b + 1)
e.backward()"""

SHOWN = f"""\
import minigrad as torch
from minigrad_widgets import BackwardStepper

{PROGRAM.removesuffix("e.backward()")}BackwardStepper(e)"""


def stepper() -> Lesson:
    """The view of the page, as the body of a lesson with one cell that is not shown."""
    cell = nbformat.v4.new_code_cell(SHOWN, id="front")
    return body_of("front", nbformat.v4.new_notebook(cells=[cell]), programs=False)
