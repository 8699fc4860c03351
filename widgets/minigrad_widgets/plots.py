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

from collections.abc import Iterable, Mapping, Sequence
from itertools import cycle
from typing import Any

import numpy as np
from IPython.display import display

import minigrad

from .training_record import counted

try:
    import matplotlib.pyplot as plt
    from matplotlib.transforms import ScaledTranslation
except ImportError as missing:
    raise ImportError(
        "minigrad_widgets.plots needs matplotlib: pip install 'minigrad-lab[notebooks]'"
    ) from missing

from .pictures import Picture

__all__ = ["alt", "decision_boundary", "gradient_flow", "loss_curve", "show", "worst_images"]

# The palette of Okabe and Ito, whose colours the colour-blind tell apart, without its yellow.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#000000")
STYLES = ("-", "--", "-.", ":")
MARKERS = "os^DvPX*<>"
GRID = 160  # points of a side, where a boundary is looked for


def loss_curve(losses: Any, *, smooth: int | None = None, ax: Any = None) -> Any:
    """Draw losses, step by step: thin as they are, and thick the mean of each and its neighbours.

    Parameters
    ----------
    losses : TrainingLoop, sequence of N numbers (or one-element tensors), or a mapping of names
        to such. Several are drawn into one picture, with their names beside it.
    smooth : int, optional
        Over how many steps the mean is taken: each step, and as many before as after it, so that
        an even number becomes the next odd one; by default over a fiftieth of them. At both ends
        there are fewer, down to the one step itself. 1 draws the losses alone.
    ax : Axes, optional
        Where to draw. Without it a new picture is made.

    Where a loss is not a finite number the line has a gap, and the first such step is marked.
    Steps are counted from 1; of a TrainingLoop that took none, backward passes. The text for
    those who do not see it names the first loss, and the mean of the last ones.

    Raises
    ------
    ValueError
        If there are no losses, or ``smooth`` is less than 1.

    >>> from minigrad_widgets.plots import alt, loss_curve
    >>> ax = loss_curve([5.0, 3.0, 1.0, 2.0, 0.0], smooth=3)
    >>> [line.get_ydata().tolist() for line in ax.lines]
    [[5.0, 3.0, 1.0, 2.0, 0.0], [5.0, 3.0, 2.0, 1.0, 0.0]]
    >>> alt(ax)
    'Loss over 5 steps: from 5 to 1.'
    """
    curves = named(losses)
    if smooth is not None and smooth < 1:
        raise ValueError(f"smooth={smooth}: a mean is taken over 1 step or more")
    ax = ax or new_axes(5.2, 3.2)
    count = max(map(len, curves.values()))
    words = []
    unit = unit_of(losses)
    for (name, values), look in zip(curves.items(), looks()):
        over = odd(smooth or count // 50)
        curve(ax, None, values, over, look, name, unit)
        told = f"from {short(values[0])} to {short(values[-over:].mean())}"
        bad = np.flatnonzero(~np.isfinite(values))
        if bad.size == len(values) and without_pass(losses, name):
            told = nothing(ax, "no backward pass, no loss")
        elif bad.size:
            what = "not a number" if np.isnan(values[bad[0]]) else "infinite"
            stays = bad.size == len(values) - bad[0]
            what += f" {'from' if stays else 'at'} {unit} {bad[0] + 1}"
            ax.axvline(bad[0] + 1, color=look[0], linestyle=":", linewidth=1)
            ax.annotate(
                what,
                (bad[0] + 1, 0.9),
                xytext=(4, 0),
                textcoords="offset points",
                xycoords=("data", "axes fraction"),
            )
            told = f"from {short(values[0])}, {what}"
        words.append(f"{name} {told}" if name else told)
    if len(curves) > 1:
        legend(ax)
    ax.set(ylabel="loss", title=f"Loss, {unit} by {unit}")
    return described(ax, f"Loss over {counted(count, unit)}: {'; '.join(words)}.")


def gradient_flow(norms: Any, ax: Any = None) -> Any:
    """Draw how large the gradient of each parameter is, on a log scale.

    Parameters
    ----------
    norms : Module, TrainingLoop, or a mapping of names to numbers or to sequences of N numbers
        Of a module, the norm √(Σ g²) of each ``.grad`` is taken: a bar for each parameter, in
        order of registration. Of a ``TrainingLoop``, there is a line for each, over the steps
        at which it took the norms; of a mapping to sequences, over steps from 1 on.
    ax : Axes, optional
        Where to draw. Without it a new picture is made.

    A parameter without a gradient, and one whose gradient is 0, has no bar, and says so.

    Raises
    ------
    ValueError
        If there are no parameters.

    >>> from minigrad_widgets.plots import alt, gradient_flow
    >>> ax = gradient_flow({"first": 0.5, "second": 5.0, "third": None})
    >>> [float(bar.get_width()) for bar in ax.patches]
    [0.5, 5.0]
    >>> alt(ax)
    'Size of the gradients: first 0.5, second 5, third no gradient.'
    """
    sizes = norms
    steps = None
    if hasattr(norms, "named_parameters"):
        sizes = norms_of(norms)
    elif hasattr(norms, "norm_steps"):
        sizes = norms.gradient_norms
        steps = norms.norm_steps
    if not sizes:
        raise ValueError("there are no parameters, and so no gradients to be drawn")
    if any(np.ndim(size) for size in sizes.values() if size is not None):
        return lines_of_norms(named(sizes), steps, ax)
    ax = ax or new_axes(5.2, 1.1 + 0.36 * len(sizes))
    numbers = {name: None if size is None else float(size) for name, size in sizes.items()}
    seen = [size for size in numbers.values() if size and np.isfinite(size)]
    left = 10 ** (np.floor(np.log10(min(seen, default=1.0))) - 1)
    words = []
    for row, (name, size) in enumerate(numbers.items()):
        said = "no gradient" if size is None else short(size)
        words.append(f"{name} {said}")
        drawn = size is not None and bool(size) and np.isfinite(size)
        if drawn:
            ax.barh(row, size, color=COLOURS[0], height=0.6)
        ax.annotate(
            said,
            (size if drawn else left, row),
            xytext=(5, 0),
            va="center",
            textcoords="offset points",
        )
    ax.set_yticks(range(len(sizes)), list(sizes))
    ax.set_ylim(len(sizes) - 0.4, -0.6)
    ax.set(xscale="log", xlim=(left, max(seen, default=1.0) * 6))
    ax.set(xlabel="norm of the gradient", title="How large the gradients are")
    return described(ax, f"Size of the gradients: {', '.join(words)}.")


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
        sure = f"{said} ({likely[which, said]:.0%})" if said >= 0 else "NaN"
        ax.imshow(pixels[which], cmap="gray_r")
        ax.set(xticks=[], yticks=[])
        ax.set_xlabel(f"says {sure}\nit is {true}".replace("%", " %"))
        words.append(f"{said if said >= 0 else 'NaN'} for {true}")
    wrong = int((says != truth).sum())
    text = f"The {len(worst)} images with the largest loss, the worst first. The model says "
    text += f"{', '.join(words)}. It is wrong about {wrong:,} of {len(truth):,}."
    described(axes[0], text)
    return axes[: len(worst)]


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


# ------------------------------------------------------------------------------------- pieces


def first_of(axes: Any) -> Any:
    return axes.reshape(-1)[0] if isinstance(axes, np.ndarray) else axes


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


def named(losses: Any) -> dict[str, np.ndarray]:
    """Curves with their names; the only one has none. Of a ``TrainingLoop``, its losses."""
    given = losses if isinstance(losses, Mapping) else {"": losses}
    lists = {name: getattr(values, "losses", values) for name, values in given.items()}
    curves = {name: np.array([float(array(v)) for v in values]) for name, values in lists.items()}
    if not curves or min(map(len, curves.values())) == 0:
        empty = [name for name, values in curves.items() if not len(values) and name]
        raise ValueError(f"no losses{' of ' + repr(empty[0]) if empty else ''}: nothing to draw")
    return curves


def odd(number: int) -> int:
    """The number, or the next one if it is even: of so many, one is in the middle."""
    return number | 1


def centred_mean(values: np.ndarray, over: int) -> np.ndarray:
    """The mean of each value and its neighbours, as many before as after it.

    ``over`` in all, and fewer at the ends, so that the mean neither runs ahead nor behind. What
    is not a finite number has no mean, and no part in that of others.
    """
    finite = np.isfinite(values)
    result = np.full(len(values), np.nan)
    for i in np.flatnonzero(finite).tolist():
        reach = min(over // 2, i, len(values) - 1 - i)
        near = slice(i - reach, i + reach + 1)
        result[i] = values[near][finite[near]].mean()
    return result


def unit_of(losses: Any) -> str:
    """What the losses are those of: steps; of a ``TrainingLoop`` without any, backward passes."""
    given = losses.values() if isinstance(losses, Mapping) else [losses]
    units = {getattr(one, "training", {}).get("unit", "step") for one in given}
    return "backward pass" if units == {"pass"} else "step"


def without_pass(losses: Any, name: str) -> bool:
    """Is it a ``TrainingLoop`` that saw no backward pass? Its losses are not numbers then."""
    one = losses[name] if isinstance(losses, Mapping) else losses
    return not getattr(one, "training", {}).get("loss", True)


def short(number: float) -> str:
    return f"{number:.3g}".replace("-", "−")


def curve(
    ax: Any,
    steps: Any,
    values: np.ndarray,
    over: int,
    look: tuple[str, str],
    name: str,
    unit: str = "step",
) -> np.ndarray:
    """Draw values over their steps: thin as they are, thick their centred mean; returns that."""
    colour, style = look
    mean = centred_mean(values, over)
    steps = np.arange(1, len(values) + 1) if steps is None else steps
    if over > 1:
        ax.plot(steps, values, color=colour, linewidth=0.8, alpha=0.3)
    ax.plot(steps, mean, style, color=colour, linewidth=2.2, label=name or "mean")
    apart = int(np.diff(steps).max(initial=1))
    what = counted(over, unit if apart == 1 else "value")
    far = "" if apart == 1 else f", up to {apart} steps apart"
    ax.set_xlabel(f"{unit} (thick: mean of {what}{far})" if over > 1 else unit)
    return mean


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
    rows = -(-len(names) // columns)
    if hasattr(ax.figure, "_minigrad_grows"):
        ax.figure.set_figheight(ax.figure.get_figheight() + 0.25 * rows)
    down = ScaledTranslation(0, -0.45, ax.figure.dpi_scale_trans)  # below the axis and its name
    columns = -(-len(names) // max(1, rows))  # as many in each row
    ax.legend(
        loc="upper left",
        bbox_to_anchor=(0, 0),
        bbox_transform=ax.transAxes + down,
        ncols=columns,
        frameon=False,
        handlelength=2.6,
        columnspacing=1.2,
    )


def norms_of(model: Any) -> dict[str, float | None]:
    """The norm of each parameter's gradient; None where there is none."""
    return {
        name: None if p.grad is None else float(np.linalg.norm(array(p.grad)))
        for name, p in model.named_parameters()
    }


def lines_of_norms(norms: Mapping[str, np.ndarray], steps: Any, ax: Any) -> Any:
    ax = ax or new_axes(5.2, 3.2)
    words = []
    for (name, values), look in zip(norms.items(), looks()):
        shown = np.where(values > 0, values, np.nan)  # zero has no place on a log scale
        mean = curve(ax, steps, shown, odd(len(values) // 50), look, name)
        known = mean[np.isfinite(mean)]
        ends = f"from {short(known[0])} to {short(known[-1])}" if known.size else "has no gradient"
        words.append(f"{name} {ends}")
    if not any(np.isfinite(line.get_ydata()).any() for line in ax.lines):
        nothing(ax, "no gradient")
    else:
        ax.set_yscale("log")
    ax.set_ylabel("norm of the gradient")
    ax.set_title("How large the gradients are, step by step")
    legend(ax)
    return described(ax, f"Size of the gradients, step by step: {'; '.join(words)}.")


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
    several = outputs.ndim == 2 and outputs.shape[1] > 1
    rows = outputs if several else outputs.reshape(-1, 1)
    classes = rows.argmax(1) if several else (rows[:, 0] > threshold).astype(int)
    return np.where(np.isnan(rows).any(1), -1, classes)


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
