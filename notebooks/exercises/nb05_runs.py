"""What notebook 05 runs: trainings, loops with a fault, what they cost, and their pictures."""

from __future__ import annotations

import gc
import tracemalloc
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import matplotlib.pyplot as plt
import numpy as np

import minigrad as torch
import minigrad.nn.functional as F
from minigrad import nn
from minigrad_widgets import plots

# --------------------------------------------------------------------------------------- trainings

STEP = """
for x, y in loader:
    optimizer.zero_grad()
    loss = F.cross_entropy(model(x), y)
    loss.backward()
    optimizer.step()
"""


def show_loop(missing: str) -> None:
    """The line of the loop that one of two forgets; the others are asked for later."""
    head, *lines = STEP.strip().splitlines()
    (line,) = (line for line in lines if missing in line)
    print(head, f"{line}  # <- one forgets it", "    ...", sep="\n")


def train(start: Callable[..., Any], lr: float, clear: bool = True, **options: Any) -> Any:
    """The model after 15 epochs; ``clear=False`` leaves out ``optimizer.zero_grad()``."""
    model, optimizer, loader = start(lr, **options)
    for _ in range(15):
        for x, y in loader:
            if clear:
                optimizer.zero_grad()
            F.cross_entropy(model(x), y).backward()
            optimizer.step()
    return model


def steepest(weight: Any) -> tuple[int, ...]:
    """Where the largest entry of a weight's grad is."""
    place = np.unravel_index(np.abs(np.asarray(weight.grad)).argmax(), tuple(weight.shape))
    return tuple(map(int, place))


def nudged(model: Any, x: Any, y: Any, weight: Any, place: Any, by: float) -> float:
    """By how much the loss moves with one weight, which is nudged both ways and put back."""
    losses = []
    with torch.no_grad():
        before = weight[place].item()
        for value in (before + by, before - by):
            weight[place] = value
            losses.append(F.cross_entropy(model(x), y).item())
        weight[place] = before
    return (losses[0] - losses[1]) / (2 * by)


def moving_lines(start: Callable[..., Any], lr: float) -> list[str]:
    """Which of the four lines of a step change the weights, line by line."""
    model, optimizer, loader = start(lr)
    x, y = next(iter(loader))
    names = {"F": F, "model": model, "optimizer": optimizer, "x": x, "y": y}
    found = []
    for line in map(str.strip, STEP.strip().splitlines()[1:]):
        before = [p.detach().clone() for p in model.parameters()]
        exec(line, names)
        if not all(torch.equal(a, p) for a, p in zip(before, model.parameters())):
            found.append(line)
    return found


def losses(start: Callable[..., Any], lr: float) -> list[float]:
    """The loss of each step of 30 epochs."""
    model, optimizer, loader = start(lr)
    found = []
    for _ in range(30):
        for x, y in loader:
            optimizer.zero_grad()
            loss = F.cross_entropy(model(x), y)
            loss.backward()
            optimizer.step()
            found.append(loss.item())
    return found


# ------------------------------------------------------------------------------ loops with a fault

# What may come of a loop: the choices in the questions, and what `outcome` says.
LEARNS = "it learns all the same"
SILENT = "it learns nothing, silently"

FAULTS = {
    "no step()": """
for x, y in loader:
    optimizer.zero_grad()
    loss = F.cross_entropy(model(x), y)
    loss.backward()
    # optimizer.step()       <- missing
""",
    "no backward()": """
for x, y in loader:
    optimizer.zero_grad()
    loss = F.cross_entropy(model(x), y)
    # loss.backward()        <- missing
    optimizer.step()
""",
    "late zero_grad()": """
for x, y in loader:
    loss = F.cross_entropy(model(x), y)
    loss.backward()
    optimizer.zero_grad()  # <- moved
    optimizer.step()
""",
    "one forward pass": """
loss = F.cross_entropy(model(x), y)  # <- moved
for x, y in loader:
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
""",
    "w = w - …": """
for x, y in loader:
    w.grad = None
    loss = F.cross_entropy(x.flatten(1) @ w, y)
    loss.backward()
    w = w - 0.5 * w.grad
""",
    "no no_grad()": """
for x, y in loader:
    w.grad = None
    loss = F.cross_entropy(x.flatten(1) @ w, y)
    loss.backward()
    w -= 0.5 * w.grad
""",
}


def show_faults(*names: str) -> None:
    """These loops, each under its name."""
    print("\n\n".join(f"{name}:{FAULTS[name].rstrip()}" for name in names))


class Counted:
    """A loader that counts its batches."""

    def __init__(self, loader: Any) -> None:
        self.loader, self.count = loader, 0

    def __iter__(self) -> Iterator[Any]:
        for batch in self.loader:
            self.count += 1
            yield batch


def outcome(fault: str, model: Any, optimizer: Any, loader: Any) -> str:
    """Runs one epoch with a fault, and says what came of it."""
    counted = Counted(loader)
    w = torch.zeros(64, 10, requires_grad=True)
    x, y = next(iter(loader))
    names = {
        "F": F,
        "model": model,
        "optimizer": optimizer,
        "loader": counted,
        "w": w,
        "x": x,
        "y": y,
    }
    before = [p.detach().clone() for p in model.parameters()]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what .grad of a result warns of
        try:
            exec(FAULTS[fault], names)
        except (RuntimeError, TypeError) as error:
            return f"{fault}: an error in step {counted.count}\n    ({type(error).__name__})"
    still = all(torch.equal(a, p) for a, p in zip(before, model.parameters()))
    grad = "None" if next(model.parameters()).grad is None else "a tensor"
    return f"{fault}: {SILENT if still else LEARNS}\n    (.grad at the end: {grad})"


def examined(fault: str) -> tuple[list[str], str, bool]:
    """Three steps on one batch: the grad's norm at two places, and whether the weights moved."""
    torch.manual_seed(5)
    model = nn.Linear(64, 10)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    x, y = torch.rand(32, 64), torch.randint(10, (32,))
    before = model.weight.detach().clone()

    def norm() -> str:
        grad = model.weight.grad
        return "None" if grad is None else f"{grad.norm().item():.2f}"

    arrived = []
    for _ in range(3):
        if fault not in ("zero_grad", "late"):
            optimizer.zero_grad()
        loss = F.cross_entropy(model(x), y)
        if fault != "backward":
            loss.backward()
        arrived.append(norm())
        if fault == "late":
            optimizer.zero_grad()
        if fault != "step":
            optimizer.step()
    return arrived, norm(), not torch.equal(before, model.weight)


# ------------------------------------------------------------------------------------------ memory


def more_bytes(program: Callable[..., Any], one: Any, other: Any) -> int:
    """How much more memory what ``program(one)`` returns holds than that of ``program(other)``."""
    return bytes_held(partial(program, one)) - bytes_held(partial(program, other))


def bytes_held(program: Callable[[], Any]) -> int:
    """How much more memory is in use while what a program returns is kept."""
    gc.collect()
    tracemalloc.start()
    try:
        kept = program()
        gc.collect()
        return tracemalloc.get_traced_memory()[0] if kept is not None else 0
    finally:
        tracemalloc.stop()


# ---------------------------------------------------------------------------------------- pictures


def show_digits(data: Any, count: int = 6) -> None:
    """The first digits of a data set, in a row, and what each is."""
    _, grid = plt.subplots(1, count, figsize=(1.25 * count, 1.5), layout="constrained")
    truth = data.y[:count].tolist()
    for axes, image, label in zip(grid, data.x[:, 0], truth):
        axes.imshow(np.asarray(image), cmap="gray_r")
        axes.set(xticks=[], yticks=[], xlabel=f"it is {label}")
    plots.show(grid, f"{count} digits, written by hand: {', '.join(map(str, truth))}.")


def chart(rates: list[float], clearing: list[float], forgetting: list[float]) -> None:
    """How many digits are right with each learning rate, with and without zero_grad()."""
    figure, axes = plt.subplots(figsize=(5.2, 3.1), layout="constrained")
    words = []
    for shift, results, name, look in (
        (-0.2, clearing, "with zero_grad()", {"color": "#0072b2"}),
        (0.2, forgetting, "without", {"color": "#f2c9a5", "hatch": "//", "edgecolor": "#8a3d00"}),
    ):
        shares = [100 * result for result in results]
        bars = axes.bar(np.arange(len(rates)) + shift, shares, 0.38, label=name, **look)
        axes.bar_label(bars, [f"{share:.0f}" for share in shares])
        told = (f"{share:.0f} at {rate}" for share, rate in zip(shares, rates))
        words.append(f"{name}: {', '.join(told)}")
    axes.set_xticks(range(len(rates)), [f"{rate:g}" for rate in rates])
    axes.set(xlabel="learning rate", ylabel="test digits right, %", ylim=(0, 108))
    axes.spines[["top", "right"]].set_visible(False)
    figure.legend(loc="outside lower left", ncols=2, frameon=False)
    plots.show(axes, f"Per cent of the test digits that are right. {'; '.join(words)}.")
