"""What lessons need: questions that are asked before the reveal, checks, and wrong engines.

``prediction``  ``predict``: ask first, then compare; ``poll``: ask what somebody thinks
``checking``    ``check``: judge an exercise, and name the mistake
``grading``     ``judge``: the same in silence, with points and hidden cases
``attempt``     how an attempt is run: its errors, its time (``stopping``), what it switches and
                prints (``kernel_settings``)
``comparing``   how two outcomes differ, in words
``judges``      exercises with several right answers: an order of lines, a drawn graph
``own_backward``  a learner's own backward pass: on ``programs``, with the mistakes of ``slips``
``own_class``   a learner's own autograd class, judged by what it makes of small programs
``engines``     backward passes with one mistake each, to compare with
``rules``       the rules of the course, and texts that say which of them was broken
``sharing``     what a class predicts, from those who share it
``tries``       what was tried so far, and so how much help there is
``values``      answers as plain values: when two are the same, and how they are put into words
``progress``    how far a long loop has come
``faces``       how a question or a verdict is shown: as text, or as somebody else says

NumPy only. Importing ``minigrad_widgets`` in a notebook gives all this a face in the page.
"""

from . import engines, faces, own_class, tries
from .checking import Exercise, Verdict, check
from .grading import judge
from .judges import in_order, same_graph
from .own_backward import backward_pass
from .prediction import Prediction, poll, predict
from .rules import RULES, Broke, broke
from .sharing import share_predictions

__all__ = [
    "RULES",
    "Broke",
    "Exercise",
    "Prediction",
    "Verdict",
    "backward_pass",
    "broke",
    "check",
    "engines",
    "faces",
    "in_order",
    "judge",
    "own_class",
    "poll",
    "predict",
    "same_graph",
    "share_predictions",
    "tries",
]
