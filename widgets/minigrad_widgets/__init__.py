"""Widgets that show minigrad's real graph: while it grows, and while a gradient walks back.

``GraphView``        the graph, as cells run
``BackwardStepper``  one backward pass, a node at a time, forwards and backwards
"""

try:
    import anywidget
    import ipywidgets
except ImportError as missing:
    raise ImportError(
        "minigrad_widgets needs ipywidgets and anywidget: pip install 'minigrad-lab[widgets]'"
    ) from missing

from .backward_stepper import BackwardStepper
from .graph_view import GraphView

__all__ = ["BackwardStepper", "GraphView"]
