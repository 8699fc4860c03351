"""Pictures of curves: the loss, and how large the gradients are."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ..training.record import counted
from .parts import COLOURS, array, described, legend, looks, new_axes, nothing, short


def loss_curve(losses: Any, *, smooth: int | None = None, ax: Any = None) -> Any:
    """Draw losses, step by step: thin as they are, and thick the mean of each and its neighbours.

    Parameters
    ----------
    losses : TrainingLoop, sequence of N numbers (or one-element tensors), or a mapping of names
        to such. Several are drawn into one picture, with their names beside it.
    smooth : int, optional
        Over how many steps the mean is taken: each step, and as many before as after it, so that
        an even number becomes the next odd one; by default over a fiftieth of them. The thick line
        begins and ends where the neighbours are complete. 1 draws the losses alone.
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
    [[5.0, 3.0, 1.0, 2.0, 0.0], [nan, 3.0, 2.0, 1.0, nan]]
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
            what = "infinite"
            if np.isnan(values[bad[0]]):
                what = "not a number"
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
        if name:
            told = f"{name} {told}"
        words.append(told)
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


def named(losses: Any) -> dict[str, np.ndarray]:
    """Curves with their names; the only one has none. Of a ``TrainingLoop``, its losses."""
    given = losses if isinstance(losses, Mapping) else {"": losses}
    lists = {name: getattr(values, "losses", values) for name, values in given.items()}
    curves = {name: np.array([float(array(v)) for v in values]) for name, values in lists.items()}
    if not curves or min(map(len, curves.values())) == 0:
        empty = [f" of {name!r}" for name, values in curves.items() if not len(values) and name]
        raise ValueError(f"no losses{''.join(empty[:1])}: nothing to draw")
    return curves


def odd(number: int) -> int:
    """The number, or the next one if it is even: of so many, one is in the middle."""
    return number | 1


def centred_mean(values: np.ndarray, over: int) -> np.ndarray:
    """The mean of each value and its neighbours, as many before as after it.

    ``over`` in all. At the ends, where there are fewer, there is no mean: it would run ahead or
    behind, or follow a few steps. If there are fewer values than ``over``, it is over all that
    there are on both sides. What is not a finite number has no mean, and no part in that of others.
    """
    finite = np.isfinite(values)
    result = np.full(len(values), np.nan)
    whole = over // 2 if over <= len(values) else 0
    for i in np.flatnonzero(finite).tolist():
        reach = min(over // 2, i, len(values) - 1 - i)
        if reach < whole:
            continue
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
    if steps is None:
        steps = np.arange(1, len(values) + 1)
    if over > 1:
        ax.plot(steps, values, color=colour, linewidth=0.8, alpha=0.3)
    ax.plot(steps, mean, style, color=colour, linewidth=2.2, label=name or "mean")
    apart = int(np.diff(steps).max(initial=1))
    label = unit
    if over > 1 and apart == 1:
        label = f"{unit} (thick: mean of {counted(over, unit)})"
    elif over > 1:
        label = f"{unit} (thick: mean of {counted(over, 'value')}, up to {apart} steps apart)"
    ax.set_xlabel(label)
    return mean


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
        if not known.size:  # only at the ends is there something, or nothing at all
            known = shown[np.isfinite(shown)]
        told = "has no gradient"
        if known.size:
            told = f"from {short(known[0])} to {short(known[-1])}"
        words.append(f"{name} {told}")
    if not any(np.isfinite(line.get_ydata()).any() for line in ax.lines):
        nothing(ax, "no gradient")
    else:
        ax.set_yscale("log")
    ax.set_ylabel("norm of the gradient")
    ax.set_title("How large the gradients are, step by step")
    legend(ax)
    return described(ax, f"Size of the gradients, step by step: {'; '.join(words)}.")
