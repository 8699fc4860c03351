"""What lessons need: questions that are asked before the reveal, checks, and wrong engines.

``prediction``  ``predict``: ask first, then compare
``checking``    ``check``: judge an exercise, and name the mistake
``attempt``     how an attempt is run: its errors, its time (``stopping``), what it switches and
                prints (``kernel_settings``)
``judges``      exercises with several right answers: an order of lines, a drawn graph
``engines``     backward passes with one mistake each, to compare with
``values``      answers as plain values: when two are the same, and how they are put into words
``progress``    how far a long loop has come
``faces``       how a question or a verdict is shown: as text, or as somebody else says

NumPy only. Importing ``minigrad_widgets`` in a notebook gives all this a face in the page.
"""

from . import engines, faces
from .checking import Exercise, Verdict, check
from .judges import in_order, same_graph
from .prediction import Prediction, predict

__all__ = [
    "Exercise",
    "Prediction",
    "Verdict",
    "check",
    "engines",
    "faces",
    "in_order",
    "predict",
    "same_graph",
]
