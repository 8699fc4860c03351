"""Pictures of a training, drawn with matplotlib: each function returns the Axes it drew into.

``loss_curve``         the loss, step by step
``gradient_flow``      how large the gradient of each parameter is, now or step by step
``decision_boundary``  which class a model of two inputs says, and where
``worst_images``       the images that a model is most wrong about
``show``               puts such a picture into a notebook, with a text that says what it shows
``alt``                that text

Nothing is told by colour alone: lines differ in style, classes in their markers, and each has its
name. ``import minigrad_widgets`` does not load matplotlib; only this module does.
"""

from .plot_curves import gradient_flow, loss_curve
from .plot_models import decision_boundary, worst_images
from .plot_parts import alt, show

__all__ = ["alt", "decision_boundary", "gradient_flow", "loss_curve", "show", "worst_images"]
