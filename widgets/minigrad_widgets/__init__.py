"""Widgets that show minigrad's real graph: while it grows, and while a gradient walks back.

``GraphView``        the graph, as cells run
``watch``            the graph of one call, and sliders for its numbers
``BackwardStepper``  one backward pass, a node at a time, forwards and backwards
``TapePlayer``       a block of a program, played forwards and backwards beside its lines
``MemoryTape``       what is saved for backward passes, over time, and who keeps it alive
``GraphDiff``        two runs of one function, side by side
``TrainingLoop``     a training loop while it runs, around one of its numbers
``plots``            pictures of a training; a module of its own, which needs matplotlib

Importing it also lets ``minigrad.lesson`` ask and judge in the page (``lesson_faces``).
"""

try:
    import anywidget
    import ipywidgets
except ImportError as missing:
    raise ImportError(
        "minigrad_widgets needs ipywidgets and anywidget: pip install 'minigrad-lab[widgets]'"
    ) from missing

from .backward_stepper import BackwardStepper
from .graph_diff import GraphDiff
from .graph_view import GraphView
from .lesson_faces import PredictionView, VerdictView
from .memory_tape import MemoryTape
from .tape_player import TapePlayer
from .training_loop import TrainingLoop
from .watching import watch

__all__ = [
    "BackwardStepper",
    "GraphDiff",
    "GraphView",
    "MemoryTape",
    "PredictionView",
    "TapePlayer",
    "TrainingLoop",
    "VerdictView",
    "watch",
]
