"""What notebook 12 runs: descents, curvatures of a network, and a curve that is to be calm."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import matplotlib.pyplot as plt

import minigrad as torch
import minigrad.nn.functional as F
from minigrad import nn
from minigrad_widgets import plots

# ------------------------------------------------------------------------------------- descents


def descent(loss_of: Callable[[Any], Any], lr: float, start: float = 2.0, steps: int = 10) -> list:
    """The losses of a descent from ``start``, the one at the end included."""
    value, found = torch.tensor(float(start), requires_grad=True), []
    for _ in range(steps):
        loss = loss_of(value)
        (slope,) = torch.autograd.grad(loss, value)
        found.append(loss.item())
        value = (value - lr * slope).detach().requires_grad_()
    return [*found, loss_of(value).item()]


def newton_steps(function: Callable[[Any], Any], start: float, steps: int) -> list[float]:
    """Where Newton's method goes, to four decimals."""
    found = [start]
    for _ in range(steps):
        now = torch.tensor(found[-1], dtype=torch.float64, requires_grad=True)
        (slope,) = torch.autograd.grad(function(now), now, create_graph=True)
        (curvature,) = torch.autograd.grad(slope, now)
        found.append((now - slope / curvature).item())
    return [round(one, 4) + 0.0 for one in found]


def tried(run: Callable[[], Any]) -> str:
    """What comes of a program: its result, or the beginning of its error."""
    try:
        return str(run())
    except RuntimeError as problem:
        return "\n  ".join(line.strip() for line in str(problem).splitlines()[:2])


# ------------------------------------------------------------------------------- of a network


def network(seed: int = 0) -> Any:
    """The network that reads digits, as it is before its training."""
    torch.manual_seed(seed)
    return nn.Sequential(nn.Flatten(), nn.Linear(64, 32), nn.Tanh(), nn.Linear(32, 10))


def some_digits(count: int = 300) -> tuple[Any, Any]:
    digits = torch.datasets.digits()
    return digits.x[:count], digits.y[:count]


def largest_curvature(model: Any, x: Any, y: Any, products: int = 20) -> float:
    """By the power method: a direction is multiplied by the Hessian again and again."""
    parameters = list(model.parameters())
    loss = F.cross_entropy(model(x), y)
    slopes = torch.autograd.grad(loss, parameters, create_graph=True)
    torch.manual_seed(1)
    direction = [torch.randn(*p.shape) for p in parameters]
    curvature = 0.0
    for _ in range(products):
        length = sum((d * d).sum() for d in direction).sqrt()
        direction = [d / length for d in direction]
        turned = torch.autograd.grad(slopes, parameters, grad_outputs=direction, retain_graph=True)
        curvature = sum((h * d).sum() for h, d in zip(turned, direction)).item()
        direction = turned
    return curvature


def full_steps(model: Any, x: Any, y: Any, lr: float, steps: int = 12) -> list[float]:
    """The loss over all of x, at the start and after each step."""
    parameters = list(model.parameters())
    found = []
    for _ in range(steps):
        loss = F.cross_entropy(model(x), y)
        slopes = torch.autograd.grad(loss, parameters)
        found.append(loss.item())
        with torch.no_grad():
            for p, slope in zip(parameters, slopes):
                p -= lr * slope
    return [*found, F.cross_entropy(model(x), y).item()]


# -------------------------------------------------------------------------- a curve that is calm


def noisy(seed: int = 0) -> tuple[Any, Any]:
    """Ten points near a wave."""
    torch.manual_seed(seed)
    x = torch.linspace(-1, 1, 10).reshape(-1, 1)
    return x, torch.sin(3 * x) + 0.3 * torch.randn(10, 1)


def fitted(penalty: float, seed: int = 0, steps: int = 1500) -> Any:
    """A network through the ten points, with a penalty on the squares of its slope."""
    x, y = noisy(seed)
    model = nn.Sequential(
        nn.Linear(1, 32), nn.Tanh(), nn.Linear(32, 32), nn.Tanh(), nn.Linear(32, 1)
    )
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    for _ in range(steps):
        optimizer.zero_grad()
        loss = F.mse_loss(model(x), y)
        if penalty:
            place = (torch.rand(30, 1) * 2 - 1).requires_grad_()
            (slope,) = torch.autograd.grad(model(place).sum(), place, create_graph=True)
            loss = loss + penalty * (slope**2).mean()
        loss.backward()
        optimizer.step()
    return model


def judged(model: Any) -> tuple[float, float]:
    """How far a curve is from the wave, squared, in the mean; and its steepest slope."""
    place = torch.linspace(-1, 1, 101).reshape(-1, 1).requires_grad_()
    curve = model(place)
    (slope,) = torch.autograd.grad(curve.sum(), place)
    with torch.no_grad():
        return F.mse_loss(curve, torch.sin(3 * place)).item(), slope.abs().max().item()


def show_curves(models: dict[str, Any], seed: int = 0) -> None:
    """Draws the ten points, the wave, and the curves of these models."""
    x, y = noisy(seed)
    place = torch.linspace(-1, 1, 101).reshape(-1, 1)
    figure, axes = plt.subplots(figsize=(6, 3.2))
    axes.plot(place.flatten().tolist(), torch.sin(3 * place).flatten().tolist(), "k:", label="wave")
    axes.plot(x.flatten().tolist(), y.flatten().tolist(), "ko", label="given")
    with torch.no_grad():
        for name, model in models.items():
            axes.plot(place.flatten().tolist(), model(place).flatten().tolist(), label=name)
    axes.legend()
    figure.tight_layout()
    told = [f"{name}: steepest slope {judged(model)[1]:.1f}" for name, model in models.items()]
    plots.show(axes, f"Curves through ten points near a wave. {'; '.join(told)}.")
