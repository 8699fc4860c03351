"""What notebook 12 runs: descents, curvatures of a network, and a curve that is to be calm."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import minigrad as torch
import minigrad.nn.functional as F
from minigrad import nn

# ------------------------------------------------------------------------------------- descents


def slope_of(function: Callable[[Any], Any], at: float) -> float:
    """The slope of a function of one number, by a backward pass."""
    with torch.enable_grad():
        place = torch.tensor(float(at), requires_grad=True)
        return torch.autograd.grad(function(place), place)[0].item()


def slopes_at(function: Callable[[Any], Any], at: float) -> tuple[float, float]:
    """Slope and curvature of a function at a number. A slope without a history has none: 0."""
    place = torch.tensor(float(at), dtype=torch.float64, requires_grad=True)
    (slope,) = torch.autograd.grad(function(place), place, create_graph=True)
    if slope.grad_fn is None:
        return slope.item(), 0.0
    return slope.item(), torch.autograd.grad(slope, place)[0].item()


def nudged(function: Callable[[Any], Any], at: float, by: float = 0.01) -> float:
    """The slope of a function of one number, without a graph: nudged in both directions."""
    with torch.no_grad():
        up, down = function(torch.tensor(at + by)), function(torch.tensor(at - by))
    return (float(up) - float(down)) / (2 * by)


def nudged_table(function: Callable[[Any], Any], at: Any, by: float = 0.01) -> list:
    """How fast each slope of a function moves when one number is nudged: a row for each slope."""
    columns = []
    for nudge in by * torch.eye(len(at)):
        up, down = (
            torch.autograd.grad(function(place), place)[0]
            for place in ((at + nudge).requires_grad_(), (at - nudge).requires_grad_())
        )
        columns.append((up - down) / (2 * by))
    return [[round(one, 2) for one in row] for row in torch.stack(columns).T.tolist()]


def descent(loss_of: Callable[[Any], Any], lr: float, start: Any = 2.0, steps: int = 10) -> list:
    """The losses of a descent from ``start``, a number or several, the one at the end included."""
    value, found = torch.as_tensor(start).detach().float().clone().requires_grad_(), []
    for _ in range(steps):
        loss = loss_of(value)
        (slope,) = torch.autograd.grad(loss, value)
        found.append(loss.item())
        value = (value - lr * slope).detach().requires_grad_()
    return [*found, loss_of(value).item()]


def newton_step(function: Callable[[Any], Any], x: float) -> float:
    """One step of Newton's method."""
    slope, curvature = slopes_at(function, x)
    return x - slope / curvature if curvature else math.inf


def after_a_step(loss_of: Callable[[Any], Any], start: float, lr: Any) -> Any:
    """The loss after one step of gradient descent, recorded if ``lr`` asks for a gradient."""
    return loss_of(start - lr * slope_of(loss_of, start))


def step_by_size(function: Callable[[Any], Any], x: float) -> float:
    """One step, divided by the size of the curvature instead of the curvature."""
    slope, curvature = slopes_at(function, x)
    return x - slope / abs(curvature) if curvature else math.inf


def newton_steps(
    function: Callable[[Any], Any],
    start: float,
    steps: int,
    step: Callable[[Any, float], float] = newton_step,
) -> list[float]:
    """Where such steps lead, to four decimals; as far as there are numbers."""
    found = [float(start)]
    for _ in range(steps):
        if not math.isfinite(found[-1]):
            break
        if not slopes_at(function, found[-1])[1]:
            print(no_step_from(found[-1]))
            break
        found.append(step(function, found[-1]))
    return [round(one, 4) + 0.0 for one in found]


def no_step_from(x: float) -> str:
    return f"at {x:.4g} the curvature is 0, as on a straight line, so a step would have no end"


def border_told(curvature: float) -> str:
    """What a curvature says about the largest learning rate that does not lead too far."""
    if curvature > 0:
        return f"so the border should be at {2 / curvature:.3g}"
    if math.isnan(curvature):
        return "which is no number, so nothing follows from it"
    return "which is not above 0, so in this direction there is no border"


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


def some_direction(model: Any) -> list:
    """A tensor for each parameter, with numbers drawn at random."""
    torch.manual_seed(1)
    return [torch.randn(*p.shape) for p in model.parameters()]


def hessian_times(loss: Any, parameters: list, direction: list) -> list:
    """The Hessian of a loss times a direction, by two backward passes."""
    slopes = torch.autograd.grad(loss, parameters, create_graph=True)
    return list(torch.autograd.grad(slopes, parameters, grad_outputs=direction))


def both_ways(model: Any, direction: list, of: Callable[[], Any], by: float) -> tuple[Any, Any]:
    """What ``of()`` gives with all parameters nudged along a direction, forwards and backwards."""
    parameters = list(model.parameters())
    before, found = [p.detach().clone() for p in parameters], []
    for sign in (1, -1, 0):  # 0: where they were, to the last digit
        with torch.no_grad():
            for p, start, d in zip(parameters, before, direction):
                p.copy_(start + sign * by * d)
        found.append(of())
    return found[0], found[1]


def gradient_moved(model: Any, x: Any, y: Any, direction: list, by: float = 0.001) -> list:
    """How fast the gradient moves in a direction, by nudging all parameters along it."""

    def gradient() -> Any:
        return torch.autograd.grad(F.cross_entropy(model(x), y), list(model.parameters()))

    return [(up - down) / (2 * by) for up, down in zip(*both_ways(model, direction, gradient, by))]


def loss_moved(model: Any, x: Any, y: Any, direction: list, by: float = 0.01) -> float:
    """The slope of the loss in a direction, by nudging all parameters along it."""
    up, down = both_ways(model, direction, lambda: F.cross_entropy(model(x), y).item(), by)
    return (up - down) / (2 * by)


def joined(some: Any) -> Any:
    """The numbers of several tensors, in one tensor."""
    return torch.cat([one.detach().flatten() for one in some])


def cut(numbers: Any, model: Any) -> list:
    """One tensor with a number for each parameter, as tensors of the parameters' shapes."""
    parts = numbers.split([p.numel() for p in model.parameters()])
    return [part.reshape(p.shape) for part, p in zip(parts, model.parameters())]


def dot(some: Any, others: Any) -> Any:
    """The sum of all products, number by number, over two lists of tensors."""
    return sum((one * other).sum() for one, other in zip(some, others))


def power_method(times: Callable[[Any], Any], direction: Any, products: int = 20) -> Any:
    """The direction, of length 1, in which the curvature is largest in size."""
    for _ in range(products):
        direction = times(direction)
        direction = direction / direction.norm()
    return direction


def largest_curvature(model: Any, x: Any, y: Any) -> tuple[float, list]:
    """The largest curvature of a network's loss, and its direction."""

    def times(direction: Any) -> Any:
        loss = F.cross_entropy(model(x), y)
        return joined(hessian_times(loss, list(model.parameters()), cut(direction, model)))

    unit = power_method(times, joined(some_direction(model)))
    return (times(unit) @ unit).item(), cut(unit, model)


def full_steps(
    model: Any, x: Any, y: Any, lr: float, along: list, steps: int = 12
) -> tuple[list[float], list[float]]:
    """At the start and after each step: the loss over all of x, and its slope in a direction."""
    parameters = list(model.parameters())
    losses, parts = [], []
    for number in range(steps + 1):
        loss = F.cross_entropy(model(x), y)
        slopes = torch.autograd.grad(loss, parameters)
        losses.append(loss.item())
        parts.append(dot(slopes, along).item())
        with torch.no_grad():
            for p, slope in zip(parameters, slopes):
                p -= lr * slope if number < steps else 0
    return losses, parts


class Place(NamedTuple):
    """What is measured at one place of a training, about the direction of the largest curvature."""

    loss: float
    curvature: float
    nudged: float
    slope: float


def curvatures_on_the_way(
    model: Any, x: Any, y: Any, lr: float, steps: int = 12
) -> tuple[list[Place], list]:
    """Each place of a training as in ``full_steps``, and the direction at the last one.

    Of a direction and its opposite, in which the curvature is the same, the one that leads uphill.
    """
    places = []
    for number in range(steps + 1):
        curvature, direction = largest_curvature(model, x, y)
        if slope_along(model, x, y, direction) < 0:
            direction = [-one for one in direction]
        by_nudge = dot(gradient_moved(model, x, y, direction), direction).item()
        taken = 1 if number < steps else 0
        (loss, *_), (slope, *_) = full_steps(model, x, y, lr, along=direction, steps=taken)
        places.append(Place(loss, curvature, by_nudge, slope))
    return places, direction


def gradient_of(model: Any, x: Any, y: Any) -> list:
    return list(torch.autograd.grad(F.cross_entropy(model(x), y), list(model.parameters())))


def slope_along(model: Any, x: Any, y: Any, direction: list) -> float:
    """The slope of the loss in a direction."""
    return dot(gradient_of(model, x, y), direction).item()


def uphill(model: Any, x: Any, y: Any) -> list:
    """The direction of the gradient, with the length 1. In no direction is the slope larger."""
    slopes = gradient_of(model, x, y)
    length = math.sqrt(dot(slopes, slopes).item())
    return [slope / length for slope in slopes] if length else slopes


# -------------------------------------------------------------------------- a curve that is calm


def noisy(seed: int = 0) -> tuple[Any, Any]:
    """Ten points near a wave."""
    torch.manual_seed(seed)
    x = torch.linspace(-1, 1, 10).reshape(-1, 1)
    return x, torch.sin(3 * x) + 0.3 * torch.randn(10, 1)


def curve_network() -> Any:
    """A network from one number to one number, with 1,153 parameters."""
    return nn.Sequential(
        nn.Linear(1, 32), nn.Tanh(), nn.Linear(32, 32), nn.Tanh(), nn.Linear(32, 1)
    )


def nudged_number(of: Callable[[], Any], tensor: Any, by: float = 0.001) -> float:
    """How ``of()`` moves with the first number of a tensor, by nudging it."""
    found = []
    for sign in (1, -2, 1):
        with torch.no_grad():
            tensor[0, 0] += sign * by
        found.append(of().item())
    return (found[0] - found[1]) / (2 * by)


def fitted(points: tuple[Any, Any], penalty: float, steps: int = 1500) -> Any:
    """A network through these points, with a penalty on the squares of its slope."""
    x, y = points
    torch.manual_seed(0)
    model = curve_network()
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
