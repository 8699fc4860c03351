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

from __future__ import annotations

from typing import Any

import numpy as np
from IPython.display import display

from ..pictures import Picture
from .curves import gradient_flow, loss_curve
from .models import decision_boundary, worst_images
from .parts import plt

__all__ = ["alt", "decision_boundary", "gradient_flow", "loss_curve", "show", "worst_images"]


def show(axes: Any, text: str | None = None) -> None:
    """Put a picture into the notebook, with a text for those who do not see it.

    Parameters
    ----------
    axes : Axes, or an array of them
        What the functions here return; with a ``text``, any other.
    text : str, optional
        What the picture shows; without it, what ``alt`` says.

    The picture is closed then, so that it comes once. Where no pictures can be shown, as in a
    terminal, the text is printed.

    >>> from minigrad_widgets.plots import loss_curve, show
    >>> show(loss_curve([2.0, 1.0]))
    Loss over 2 steps: from 2 to 1.
    """
    figure = first_of(axes).figure
    display(Picture(figure, alt(axes) if text is None else text))
    plt.close(figure)


def alt(axes: Any) -> str:
    """What a picture of this module shows, in a sentence. "" for other Axes."""
    return getattr(first_of(axes), "_minigrad_alt", "")


def first_of(axes: Any) -> Any:
    return axes.reshape(-1)[0] if isinstance(axes, np.ndarray) else axes
