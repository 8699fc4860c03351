"""What all pictures of a training have in common: their axes, colours, legend, and text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import cycle
from typing import Any

import numpy as np

import minigrad

try:
    import matplotlib.pyplot as plt
    from matplotlib.transforms import ScaledTranslation
except ImportError as missing:
    raise ImportError(
        "minigrad_widgets.plots needs matplotlib: pip install 'minigrad-lab[notebooks]'"
    ) from missing

# The palette of Okabe and Ito, whose colours the colour-blind tell apart, without its yellow.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#000000")
STYLES = ("-", "--", "-.", ":")


def described(ax: Any, text: str) -> Any:
    """The Axes, with a text for ``alt``."""
    ax._minigrad_alt = text
    return ax


def new_axes(width: float, height: float) -> Any:
    made: Any = plt.subplots(figsize=(width, height), layout="constrained")
    figure, ax = made
    figure._minigrad_grows = True  # for a legend
    ax.spines[["top", "right"]].set_visible(False)
    return ax


def looks() -> Iterable[tuple[str, str]]:
    """Colours and line styles: no two of the first 28 have both in common."""
    return zip(cycle(COLOURS), cycle(STYLES))


def several(things: Sequence[str], count: int) -> Iterable[str]:
    return (things[i % len(things)] for i in range(count))


def array(values: Any) -> np.ndarray:
    """A tensor, or what NumPy takes, as an array; nothing of it is recorded."""
    return np.asarray(values.detach() if isinstance(values, minigrad.Tensor) else values)


def nothing(ax: Any, words: str) -> str:
    """Say that there is nothing to draw, and why."""
    ax.text(0.5, 0.5, words, transform=ax.transAxes, ha="center")
    ax.set(xticks=[], yticks=[])
    return words


def legend(ax: Any) -> None:
    """The names of lines or markers, below the picture: a narrow page would cut them off."""
    names = ax.get_legend_handles_labels()[1]
    room = 12 * ax.figure.get_figwidth()  # in letters, of which a sign takes nine
    columns = max(1, min(len(names), int(room // (9 + max(map(len, names), default=0)))))
    lines = -(-len(names) // columns)
    if hasattr(ax.figure, "_minigrad_grows"):
        ax.figure.set_figheight(ax.figure.get_figheight() + 0.25 * lines)
    down = ScaledTranslation(0, -0.45, ax.figure.dpi_scale_trans)  # below the axis and its name
    columns = -(-len(names) // max(1, lines))  # as many in each line
    ax.legend(
        loc="upper left",
        bbox_to_anchor=(0, 0),
        bbox_transform=ax.transAxes + down,
        ncols=columns,
        frameon=False,
        handlelength=2.6,
        columnspacing=1.2,
    )


def short(number: float) -> str:
    return f"{number:.3g}".replace("-", "−")
