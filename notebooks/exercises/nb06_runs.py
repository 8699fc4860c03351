"""What notebook 06 runs: what is seen of programs with a fault, and the tools that look for it."""

from __future__ import annotations

import math
import random
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

import minigrad as torch
import minigrad.nn.functional as F
from minigrad import nn
from minigrad.engine import backward

from . import nudges
from .graphs import nodes

# ------------------------------------------------------------------------------------- the tools


def without_label(message: str) -> str:
    """A message without the number of the cell, which is another one in each session."""
    return re.sub(r"In \[\d+\] ", "", message)


def weights_of(model: Any) -> list[Any]:
    """Copies of all that a model computes with, registered or not."""
    return [p.detach().clone() for p in everything(model).values()]


def everything(model: Any) -> dict[str, Any]:
    """The parameters of a model, and those of modules in plain lists or tuples, by their names."""
    hidden = {
        f"{attribute}.{place}.{name}": p
        for attribute, value in vars(model).items()
        if isinstance(value, (list, tuple))
        for place, one in enumerate(value)
        if isinstance(one, nn.Module)
        for name, p in one.named_parameters()
    }
    return hidden | dict(model.named_parameters())


def moved(model: Any, before: Iterable[Any]) -> list[bool]:
    """Which of a model's tensors are others than ``before``."""
    return [not torch.equal(a, b) for a, b in zip(everything(model).values(), before)]


def nudged(model: Any, x: Any, y: Any, parameter: Any, by: float) -> float:
    """How far the slopes that nudges measure are from ``parameter.grad``, at most.

    Its steepest number is nudged to both sides, and up to 19 others that are chosen at random.
    """
    flat, said = parameter.detach().reshape(-1), parameter.grad.reshape(-1)
    others = random.Random(0).sample(range(flat.numel()), min(19, flat.numel()))
    worst = 0.0
    for place in (said.abs().argmax().item(), *others):
        found = nudges.slope(lambda: F.cross_entropy(model(x), y), flat, place, by)
        worst = max(worst, abs(found - said[place].item()))
    return worst


def power_of_ten(number: float) -> str:
    """The smallest power of ten that is not below a number: "1e-05" for 0.000004."""
    return f"{10.0 ** math.ceil(math.log10(number)):.0e}" if number > 0 else "0"


def slope(loss: Callable[[], Any], parameter: Any, by: float = 0.1) -> float:
    """The slope that a nudge of this one number to both sides finds, without any graph."""
    losses = []
    with torch.no_grad():
        before = parameter.clone()
        for value in (before - by, before + by):
            parameter.copy_(value)
            losses.append(loss().item())
        parameter.copy_(before)
    return (losses[1] - losses[0]) / (2 * by)


def beside_a_nudge(loss: Callable[[Any], Any], at: float = 0.5) -> str:
    """The gradient of ``backward()`` and the slope by a nudge; or that there was an error."""
    place = torch.tensor(at, requires_grad=True)
    try:
        loss(place).backward()
    except RuntimeError:
        return "error"
    nudge = slope(lambda: loss(place), place, by=0.002)
    return f"gradient {place.grad.item():.1f}, by a nudge {nudge:.1f}"


def share_of_dead(hidden: Any) -> float:
    """Which share of the units, one for each column, is 0 in every row."""
    return (hidden == 0).all(0).float().mean().item()


def held(results: Iterable[Any]) -> int:
    """How many nodes these results keep alive, and those in the lists and tuples among them."""
    return len({node for one in results for tensor in tensors_in(one) for node in nodes(tensor)})


def tensors_in(thing: Any) -> Iterator[Any]:
    """The tensors in lists and tuples of any depth; numbers and arrays keep nothing alive."""
    if isinstance(thing, torch.Tensor):
        yield thing
    elif isinstance(thing, (list, tuple)):
        for one in thing:
            yield from tensors_in(one)


@dataclass
class Heard:
    """Was ``backward()`` called at all, did gradients arrive, and was anything kept for later?"""

    backward: bool = False
    arrived: bool = False
    kept: bool = False


def is_kept(node: Any) -> bool:
    """Does a node still hold values that a backward pass frees, unless it is told not to?"""
    return node.kind.frees and node.saved is not None


@contextmanager
def heard(model: Any) -> Iterator[Heard]:
    """Notes what happens to this model inside the block."""
    found = Heard()

    def began(roots: tuple[Any, ...], is_over: bool) -> None:
        found.backward = True
        if is_over:
            found.kept |= any(is_kept(node) for root in roots for node in nodes(root))

    def came(g: Any) -> None:
        found.arrived = True

    hooks = [p.register_hook(came) for p in model.parameters()]
    backward.listeners.append(began)
    try:
        yield found
    finally:
        backward.listeners.remove(began)
        for hook in hooks:
            hook.remove()


def attempt(run: Callable[[], Any]) -> str:
    """What comes of a program: the beginning of its error, or that there was none."""
    try:
        run()
    except NameError as problem:
        return f"{problem}. First run this section from its beginning."
    except RuntimeError as problem:
        return without_label("\n".join(str(problem).splitlines()[:4]))
    return "no error"


def handed_in() -> Any:
    """A reader of digits whose last layer starts with weights that are far too large."""
    torch.manual_seed(0)
    reader = nn.Sequential(nn.Flatten(), nn.Linear(64, 32), nn.Tanh(), nn.Linear(32, 10))
    with torch.no_grad():
        reader[3].weight *= 20
    return reader


# ------------------------------------------------------------------------------ the wrong cure


def smoothed(retain: bool, x: Any, y: Any, steps: int) -> list[int]:
    """Trains on a running mean of the loss; how many nodes each backward pass has to visit."""
    torch.manual_seed(0)
    taxi = nn.Linear(1, 1)
    optimizer = torch.optim.SGD(taxi.parameters(), lr=0.01)
    average, found = torch.tensor(0.0), []
    for _ in range(steps):
        optimizer.zero_grad()
        before = average if retain else average.detach()
        average = 0.9 * before + 0.1 * F.mse_loss(taxi(x), y)
        found.append(len(nodes(average)))
        average.backward(retain_graph=retain)
        optimizer.step()
    return found


# ------------------------------------------------------------------------------ five programs

FAULTS = ("cut", "nan", "not registered", "broadcast", "dead")


class Listed(nn.Module):  # type: ignore[misc]
    """A network whose first layer stands in a plain list: nobody hears of its parameters."""

    def __init__(self) -> None:
        super().__init__()
        self.hidden = [nn.Linear(3, 4)]
        self.out = nn.Linear(4, 1)

    def forward(self, x: Any) -> Any:
        return self.out(torch.tanh(self.hidden[0](x)))


def data() -> tuple[Any, Any]:
    """40 rides: three numbers of each, and the fare, which is their sum."""
    torch.manual_seed(5)
    x = torch.randn(40, 3)
    return x, x.sum(1, keepdim=True)


def examined(fault: str, steps: int = 60) -> dict[str, str]:
    """What is seen of a program with this fault."""
    x, y = data()
    torch.manual_seed(1)
    bend = nn.ReLU() if fault == "dead" else nn.Tanh()
    model: Any = nn.Sequential(nn.Linear(3, 4), bend, nn.Linear(4, 1))
    if fault == "not registered":
        model = Listed()
    if fault == "dead":
        with torch.no_grad():
            model[0].bias -= 20  # as a step that was much too long may have left it
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    truth = y.flatten() if fault == "broadcast" else y
    before, losses, grads, weights = weights_of(model), [], [], []
    tensors = everything(model).values()
    for _ in range(steps):
        optimizer.zero_grad()
        error = model(x) - truth
        loss = (error**2).mean()
        if fault == "cut":
            loss = torch.tensor(loss.item(), requires_grad=True)
        if fault == "nan":
            loss = ((error * (y > 0)) ** 2).sqrt().mean()
        loss.backward()
        grads = [None if p.grad is None else p.grad.norm().item() for p in tensors]
        if all(bool(torch.isfinite(p).all()) for p in tensors):
            weights = [p.detach().numpy().astype(float) for p in tensors]
        optimizer.step()
        losses.append(loss.item())
    return {
        "loss, first and last": f"{losses[0]:.3g} and {losses[-1]:.3g}",
        "gradients at the end": "  ".join("None" if g is None else f"{g:.2g}" for g in grads),
        "the same by nudges": "  ".join(f"{g:.2g}" for g in by_nudges(fault, weights)),
        "moved": "  ".join("yes" if m else "no" for m in moved(model, before)),
        "shape of the error": str(tuple(error.shape)),
    }


def by_nudges(fault: str, weights: list[Any], by: float = 1e-5) -> list[float]:
    """The norm of each gradient, found by NumPy alone: each number is nudged to both sides."""
    x, y = (tensor.numpy().astype(float) for tensor in data())
    truth = y.reshape(-1) if fault == "broadcast" else y

    def loss() -> float:
        first, first_bias, second, second_bias = weights
        sums = x @ first.T + first_bias
        middle = np.maximum(sums, 0) if fault == "dead" else np.tanh(sums)
        error = middle @ second.T + second_bias - truth
        return float(np.abs(error * (y > 0)).mean() if fault == "nan" else (error**2).mean())

    norms = []
    for weight in weights:
        flat, slopes = weight.reshape(-1), []
        for place, before in enumerate(flat.copy()):
            found = []
            for flat[place] in (before - by, before + by):
                found.append(loss())
            flat[place] = before
            slopes.append((found[1] - found[0]) / (2 * by))
        norms.append(float(np.linalg.norm(slopes)))
    return norms
