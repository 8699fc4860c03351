"""What notebook 05 runs: trainings, loops with a fault, what they cost, and their pictures."""

from __future__ import annotations

import gc
import tracemalloc
import warnings
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any

import matplotlib.pyplot as plt
import numpy as np

import minigrad as torch
import minigrad.nn.functional as F
from minigrad import nn
from minigrad_widgets import plots

from .nudges import slope
from .nudges import steepest as steepest

# --------------------------------------------------------------------------------------- trainings

STEP = """
for x, y in loader:
    optimizer.zero_grad()
    guess = model(x)
    loss = F.cross_entropy(guess, y)
    loss.backward()
    optimizer.step()
"""


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


def all_equal(some: Iterable[Any], others: Iterable[Any]) -> bool:
    """Are these tensors the same, to the last bit?"""
    pairs = zip(some, others)
    return all(np.array_equal(a.detach(), b.detach(), equal_nan=True) for a, b in pairs)


def nudged(model: Any, x: Any, y: Any, weight: Any, place: Any, by: float) -> float:
    """By how much the loss moves with one weight, which is nudged both ways and put back."""
    return slope(lambda: F.cross_entropy(model(x), y), weight, place, by)


def moving_lines(start: Callable[..., Any], lr: float) -> list[str]:
    """Which of the five lines of a step change the weights, line by line."""
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

LOOP = """
for epoch in range(30):
    for x, y in loader:
        optimizer.zero_grad()
        guess = model(x)
        loss = measure(guess, y)
        loss.backward()
        optimizer.step()
"""

FAULTS = {
    "all lines": LOOP,
    "no step()": """
for epoch in range(30):
    for x, y in loader:
        optimizer.zero_grad()
        guess = model(x)
        loss = measure(guess, y)
        loss.backward()
        # optimizer.step()     <- missing
""",
    "no backward()": """
for epoch in range(30):
    for x, y in loader:
        optimizer.zero_grad()
        guess = model(x)
        loss = measure(guess, y)
        # loss.backward()      <- missing
        optimizer.step()
""",
    "late zero_grad()": """
for epoch in range(30):
    for x, y in loader:
        guess = model(x)
        loss = measure(guess, y)
        loss.backward()
        optimizer.zero_grad()  # <- moved
        optimizer.step()
""",
    "one forward pass": """
guess = model(x)          # <- moved
loss = measure(guess, y)  # <- moved
for epoch in range(30):
    for x, y in loader:
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
""",
}

ATTEMPTS = {
    "a new name": """
for step in range(100):
    rate.grad = None
    loss = ((rate * km + 4 - fare) ** 2).mean()
    loss.backward()
    rate = rate - 0.05 * rate.grad
""",
    "not under no_grad()": """
for step in range(100):
    rate.grad = None
    loss = ((rate * km + 4 - fare) ** 2).mean()
    loss.backward()
    rate -= 0.05 * rate.grad
""",
}


def show_loop(name: str) -> None:
    """The lines of this loop."""
    print({**FAULTS, **ATTEMPTS}[name].strip())


class Counted:
    """A loader that counts the batches which it has dealt out to a loop."""

    def __init__(self, loader: Any) -> None:
        self.loader, self.count = loader, 0

    def __iter__(self) -> Iterator[Any]:
        for batch in self.loader:
            self.count += 1
            yield batch


def try_fault(fault: str, rides: Any, lr: float) -> str:
    """Trains a taxi with a faulty loop; says what came of it, and what there is to be seen."""
    torch.manual_seed(0)
    taxi = nn.Linear(1, 1)
    counted = Counted(rides)
    optimizer = torch.optim.SGD(taxi.parameters(), lr=lr)
    x, y = next(iter(rides))
    names = {"measure": F.mse_loss, "model": taxi, "optimizer": optimizer, "loader": counted}
    names |= {"x": x, "y": y}
    before = taxi.weight.item(), taxi.bias.item()
    if failed := error_of(FAULTS[fault], names):
        return f"an error in the {ordinal(counted.count)} step: {failed}"
    after = taxi.weight.item(), taxi.bias.item()
    grad = "None" if taxi.weight.grad is None else "a tensor"
    learns = "it learns" if fault == "all lines" else LEARNS
    verdict = SILENT if after == before else learns
    rate, base = (f"from {old:.2f} to {new:.2f}" for old, new in zip(before, after))
    return f"{verdict}\n  rate {rate}, base {base}; .grad at the end: {grad}"


def try_attempt(name: str, km: Any, fare: Any) -> str:
    """Runs one of the two attempts at an update; says what came of it."""
    rate = torch.tensor(2.0, requires_grad=True)
    names = {"rate": rate, "km": km, "fare": fare}
    if failed := error_of(ATTEMPTS[name], names):
        return f"an error in the {ordinal(names['step'] + 1)} step: {failed}"
    return f"{LEARNS}\n  rate {names['rate'].item():.2f}"


def ordinal(number: int) -> str:
    """Which one it is, counted from 1."""
    return {1: "first", 2: "second", 3: "third"}.get(number, f"{number}th")


def error_of(source: str, names: dict[str, Any]) -> str:
    """Runs lines; the kind of their error and its first line, or ""."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what .grad of a result warns of
        try:
            exec(source, names)
        except (RuntimeError, TypeError) as error:
            first = str(error).splitlines()[0]
            return f"{type(error).__name__}\n  {first}"
    return ""


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


def show_curves(loop: Any, start: Callable[..., Any], lr: float) -> None:
    """The loss of the training that was watched, beside that with another learning rate."""
    if not loop.losses:
        print("The training above has taken no step, so there is no curve to be drawn.")
        return
    plots.show(plots.loss_curve({"yours": loop, f"lr {lr:g}": losses(start, lr)}))


def show_norms(loop: Any) -> None:
    """How large the gradients were, step by step."""
    if not any(loop.gradient_norms.values()):
        print("The training above has computed no gradients, so there is nothing to be drawn.")
        return
    plots.show(plots.gradient_flow(loop))


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
