"""Pictures of what a model says: of each place of the plane, and of images."""

from __future__ import annotations

from itertools import cycle
from typing import Any

import numpy as np

import minigrad

from .parts import COLOURS, array, described, legend, new_axes, plt, several

MARKERS = "os^DvPX*<>"
GRID = 160  # points of a side, where a boundary is looked for


def decision_boundary(
    model: Any, x: Any, y: Any, ax: Any = None, *, threshold: float | None = None
) -> Any:
    """Draw which class a model says at each place of the plane, and the examples there.

    Parameters
    ----------
    model : Module or function
        From (M, 2) to (M, C), the class being the largest of C; or to (M, 1) or (M,), where
        class 1 is what is greater than ``threshold``. It is called without recording, a module
        in ``eval`` mode; its mode afterwards is what it was.
    x : Tensor of shape (N, 2)
    y : Tensor of shape (N,)
        The classes, whole numbers from 0 on.
    ax : Axes, optional
        Where to draw. Without it a new picture is made.
    threshold : float, optional
        Where class 1 begins, if there is one output. By default ½ if all outputs lie between 0
        and 1, as those of a sigmoid do, and else 0, as for scores (logits).

    Each class has a marker and a tint; a ring is around each example that the model gets wrong.
    Where an output is NaN the model says no class: nothing is tinted, and no example is right.

    Raises
    ------
    ValueError
        If ``x`` has other than two columns, or ``y`` another length or numbers that name no class.

    >>> import minigrad as torch
    >>> from minigrad_widgets.plots import alt, decision_boundary
    >>> x = torch.tensor([[-1.0, 0.0], [1.0, 0.0], [2.0, 1.0]])
    >>> ax = decision_boundary(lambda x: x[:, 0], x, torch.tensor([0, 1, 0]))
    >>> ax.get_title()
    '2 of 3 right'
    """
    points = array(x)
    labels = array(y).reshape(-1)
    if points.ndim != 2 or points.shape[1] != 2:
        raise ValueError(f"x has the shape {points.shape}: only (N, 2) can be drawn in a plane")
    if len(points) != len(labels):
        raise ValueError(f"x has {len(points)} rows and y {len(labels)}: one class for each row")
    if not len(labels) or labels.min() < 0 or (labels % 1).any():
        raise ValueError("y must name the classes, at least one, by whole numbers from 0 on")
    ax = ax or new_axes(5, 4)
    low = points.min(0)
    high = points.max(0)
    margin = 0.1 * (high - low) + 1e-6
    across, up = (np.linspace(*ends, GRID) for ends in zip(low - margin, high + margin))
    places = np.stack(np.meshgrid(across, up), -1).reshape(-1, 2)
    outputs = [outputs_of(model, where, like=x) for where in (places, points)]
    if threshold is None:
        threshold = threshold_of(np.concatenate(outputs))
    said, own = (classes_of(found, threshold) for found in outputs)
    said = np.ma.masked_less(said.reshape(GRID, GRID), 0)
    right = own == labels
    known = said.compressed()
    count = int(max(known.max(initial=0), labels.max())) + 1
    edges = np.arange(count + 1) - 0.5
    ax.contourf(across, up, said, edges, colors=list(several(COLOURS, count)), alpha=0.22)
    if known.min(initial=0) < known.max(initial=0):
        ax.contour(across, up, said, edges[1:-1], colors="#333", linewidths=1)
    for which, colour, marker in zip(range(count), cycle(COLOURS), cycle(MARKERS)):
        here = points[labels == which]
        ax.scatter(
            *here.T,
            c=colour,
            marker=marker,
            s=26,
            edgecolors="white",
            linewidths=0.6,
            label=f"class {which}",
        )
    if not right.all():
        ax.scatter(
            *points[~right].T,
            s=95,
            facecolors="none",
            edgecolors="black",
            linewidths=1.2,
            label="wrong",
        )
    legend(ax)
    ax.set(title=f"{right.sum():,} of {len(labels):,} right", xlabel="x[:, 0]", ylabel="x[:, 1]")
    text = f"The plane, divided into {len(np.unique(known))} of {count} classes by the model"
    if len(known) < said.size:
        text += f", which says NaN at {1 - len(known) / said.size:.0%} of it".replace("%", " %")
    return described(ax, f"{text}; {right.sum():,} of {len(labels):,} examples are right.")


def worst_images(model: Any, images: Any, labels: Any, count: int = 12) -> Any:
    """Draw the images on which a model's loss is largest, the worst first.

    Parameters
    ----------
    model : Module or function
        From the images, as they are given, to (N, C): scores whose softmax are probabilities.
        Called as ``decision_boundary`` does.
    images : Tensor of shape (N, 1, H, W), (N, H, W) or (N, S·S)
    labels : Tensor of shape (N,)
        The true classes.
    count : int
        How many are drawn, at most.

    Returns an array of Axes, one for each image. The loss is the cross-entropy, −log p of the true
    class, and infinite where a score is NaN; below each image stands what the model says, how sure
    it is, and what is true.

    Raises
    ------
    ValueError
        If there are no images, they have another shape, or the labels another length or numbers
        that name none of the C classes.

    >>> import minigrad as torch
    >>> from minigrad_widgets.plots import worst_images
    >>> images = torch.eye(3).repeat(1, 3).reshape(3, 3, 3)
    >>> scores = lambda images: 4 * images[:, 0]
    >>> axes = worst_images(scores, images, torch.tensor([0, 1, 1]), count=2)
    >>> [ax.get_xlabel() for ax in axes]
    ['says 2 (96 %)\\nit is 1', 'says 0 (96 %)\\nit is 0']
    """
    pixels = square(array(images))
    truth = array(labels).reshape(-1)
    if count < 1 or not len(truth):
        raise ValueError("there are no images to be drawn")
    if len(pixels) != len(truth):
        raise ValueError(f"{len(pixels)} images and {len(truth)} labels: one label for each image")
    scores = outputs_of(model, images)
    if scores.ndim != 2 or len(scores) != len(truth):
        raise ValueError(f"the model makes {scores.shape} of the images: (N, C) is needed")
    if ((truth < 0) | (truth >= scores.shape[1]) | (truth % 1 != 0)).any():
        classes = f"0 to {scores.shape[1] - 1}"
        raise ValueError(f"the labels must name classes that the model knows, {classes}")
    truth = truth.astype(int)
    logs = log_softmax(scores.astype(float))
    own = logs[np.arange(len(truth)), truth]
    worst = np.argsort(np.where(np.isnan(own), -np.inf, own), kind="stable")[:count]
    likely = np.exp(logs)
    says = np.where(np.isnan(own), -1, logs.argmax(1))
    columns = 3 if len(worst) in (5, 6, 9) else min(4, len(worst))
    rows = -(-len(worst) // columns)
    size = (1.3 * columns, 1.8 * rows)
    _, grid = plt.subplots(rows, columns, figsize=size, layout="constrained", squeeze=False)
    axes = grid.reshape(-1)
    words = []
    for ax in axes[len(worst) :]:
        ax.remove()
    for ax, which in zip(axes, worst):
        said = says[which]
        true = truth[which]
        name = "NaN"
        sure = name
        if said >= 0:
            name = str(said)
            sure = f"{name} ({likely[which, said]:.0%})"
        ax.imshow(pixels[which], cmap="gray_r")
        ax.set(xticks=[], yticks=[])
        ax.set_xlabel(f"says {sure}\nit is {true}".replace("%", " %"))
        words.append(f"{name} for {true}")
    wrong = int((says != truth).sum())
    text = f"The {len(worst)} images with the largest loss, the worst first. The model says "
    text += f"{', '.join(words)}. It is wrong about {wrong:,} of {len(truth):,}."
    described(axes[0], text)
    return axes[: len(worst)]


def square(pixels: np.ndarray) -> np.ndarray:
    """Images as (N, H, W)."""
    if pixels.ndim == 4 and pixels.shape[1] == 1:
        return pixels[:, 0]
    if pixels.ndim == 2:
        side = round(pixels.shape[1] ** 0.5)
        if side * side == pixels.shape[1]:
            return pixels.reshape(-1, side, side)
    if pixels.ndim != 3:
        raise ValueError(
            f"images of the shape {pixels.shape}: (N, 1, H, W), (N, H, W) or (N, S*S) is needed"
        )
    return pixels


def outputs_of(model: Any, inputs: Any, like: Any = None) -> np.ndarray:
    """What a model makes of inputs: nothing is recorded, and its mode is what it was."""
    if not isinstance(inputs, minigrad.Tensor):
        dtype = like.dtype if isinstance(like, minigrad.Tensor) else None
        inputs = minigrad.tensor(inputs, dtype=dtype)
    modes = [(m, m.training) for m in model.modules()] if hasattr(model, "modules") else []
    try:
        for module, _ in modes:
            module.training = False
        with minigrad.no_grad():
            return array(model(inputs))
    finally:
        for module, mode in modes:
            module.training = mode


def classes_of(outputs: np.ndarray, threshold: float) -> np.ndarray:
    """The largest of several; of one, whether it is greater than this. −1 where one is NaN."""
    if outputs.ndim == 2 and outputs.shape[1] > 1:
        return np.where(np.isnan(outputs).any(1), -1, outputs.argmax(1))
    scores = outputs.reshape(-1)
    return np.where(np.isnan(scores), -1, scores > threshold)


def threshold_of(outputs: np.ndarray) -> float:
    """Where class 1 begins: ½ for probabilities, 0 for scores."""
    known = outputs[~np.isnan(outputs)]
    probable = known.size and known.min() >= 0 and known.max() <= 1
    return 0.5 if probable else 0.0


def log_softmax(scores: np.ndarray) -> np.ndarray:
    """The logarithms of the probabilities; differences remain where these become 0."""
    with np.errstate(invalid="ignore"):  # NaN and infinite scores: NaN
        apart = scores - scores.max(1, keepdims=True)
        return apart - np.log(np.exp(apart).sum(1, keepdims=True))
