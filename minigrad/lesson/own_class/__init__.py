"""A learner's own autograd class, judged by what it makes of small programs.

``programs``  programs as plain data: lists of steps, small ones and random ones, and as text
``model``     what an engine makes of a program: the right one, and engines with one mistake each
``slips``     the mistakes, by what they concern, with what to say of each
``judging``   ``own_class(…)``: a judge that names the mistake, and shows it where it is smallest

A learner's class is run elsewhere, on the same programs (``homework/hw1/runner.py``), if need be in
a process that knows nothing of all this. What comes back is numbers and names of errors.
"""

from .judging import own_class
from .model import Engine, Outcome
from .programs import Program, text_of
from .slips import Slip

__all__ = ["Engine", "Outcome", "Program", "Slip", "own_class", "text_of"]
