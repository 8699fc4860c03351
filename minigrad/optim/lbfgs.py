"""L-BFGS: steps along directions that remember how the gradient has changed.

Newton's method would divide the gradient by the curvature, a matrix. This one keeps the last few
steps and what each did to the gradient, and from these pairs alone computes what that division
would give (the *two-loop recursion*). How far to go along the direction may be left to a line
search that ends where both conditions of Wolfe hold: the loss has fallen enough, and so has the
slope.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from .._tensor import Tensor
from ..engine.modes import enable_grad, no_grad
from ..ops.arguments import ensure
from ..ops.shaping import cat
from ..tape.notice import before_step
from .averages import zeros_like
from .optimizer import Optimizer, Params
from .options import check_not_negative, ensure_valid

FALLEN = 1e-4
FLATTER = 0.9
"""Wolfe's conditions: by which part of the first slope times the step the loss has to fall, and
to which part of the first slope the slope."""

NO_CURVATURE = 1e-10
TOO_NEAR = 1e-9


class LBFGS(Optimizer):
    """Each step goes on until the gradient is small, and calls the closure several times.

    Parameters
    ----------
    params : iterable
        The parameters, in one group.
    lr : float
        The length of a step along the direction; with a line search, of the first one tried.
    max_iter : int
        How many directions one ``step`` follows at most.
    max_eval : int
        How often it calls the closure at most; ``max_iter * 5 // 4`` unless said.
    tolerance_grad : float
        It ends where no entry of the gradient is larger.
    tolerance_change : float
        It ends where neither the parameters nor the loss change by more.
    history_size : int
        How many steps are remembered.
    line_search_fn : str
        "strong_wolfe", or None for steps of the length ``lr``.

    Raises ValueError for several groups, RuntimeError for another line search, and as
    ``Optimizer``. Counterpart: ``torch.optim.LBFGS``.

    >>> import minigrad as torch
    >>> w = torch.tensor([-1.0, 2.0], requires_grad=True)
    >>> optimiser = torch.optim.LBFGS([w], line_search_fn="strong_wolfe")
    >>> def closure():
    ...     optimiser.zero_grad()
    ...     loss = (1 - w[0]) ** 2 + 100 * (w[1] - w[0] ** 2) ** 2
    ...     loss.backward()
    ...     return loss
    >>> for _ in range(3):
    ...     loss = optimiser.step(closure)
    >>> bool((w - 1).abs().max() < 1e-3)
    True
    """

    def __init__(
        self,
        params: Params,
        lr: float | Tensor = 1,
        max_iter: int = 20,
        max_eval: int | None = None,
        tolerance_grad: float = 1e-7,
        tolerance_change: float = 1e-9,
        history_size: int = 100,
        line_search_fn: str | None = None,
    ) -> None:
        ensure_valid(not isinstance(lr, Tensor) or lr.numel() == 1, "Tensor lr must be 1-element")
        check_not_negative(lr=lr)
        if max_eval is None:
            max_eval = max_iter * 5 // 4
        defaults = {
            "lr": lr,
            "max_iter": max_iter,
            "max_eval": max_eval,
            "tolerance_grad": tolerance_grad,
            "tolerance_change": tolerance_change,
            "history_size": history_size,
            "line_search_fn": line_search_fn,
        }
        super().__init__(params, defaults)
        text = "LBFGS doesn't support per-parameter options (parameter groups)"
        ensure_valid(len(self.param_groups) == 1, text)

    @no_grad()
    def step(self, closure: Callable[[], Any]) -> Any:
        """Follow directions downhill; returns what ``closure`` returned when first called.

        ``closure`` clears the gradients, computes the loss and the gradients, and returns the
        loss. Counterpart: ``torch.optim.LBFGS.step``.

        >>> import minigrad as torch
        >>> w = torch.tensor(1.0, requires_grad=True)
        >>> optimiser = torch.optim.LBFGS([w], lr=0.5)
        >>> def closure():
        ...     optimiser.zero_grad()
        ...     loss = (w - 3) ** 2
        ...     loss.backward()
        ...     return loss
        >>> optimiser.step(closure)
        tensor(4., grad_fn=<PowBackward0>)
        >>> w
        tensor(3.0000, requires_grad=True)
        """
        closure = enable_grad()(closure)
        group = self.param_groups[0]
        state = self.state[self._params()[0]]
        state.setdefault("func_evals", 0)
        state.setdefault("n_iter", 0)
        first_loss = closure()
        before_step(self._params)
        state["func_evals"] += 1
        loss = number(first_loss)
        gradient = self._gradient()
        calls = 1
        if gradient.abs().max() <= group["tolerance_grad"]:
            return first_loss
        for count in range(1, group["max_iter"] + 1):
            state["n_iter"] += 1
            direction = self._direction(state, gradient, group["history_size"])
            state["prev_flat_grad"] = gradient.clone()
            before = state["prev_loss"] = loss
            state["t"] = length = first_length(state, gradient, group["lr"])
            slope = gradient.dot(direction)
            if slope > -group["tolerance_change"]:
                break
            calls_before = calls
            if group["line_search_fn"] is not None:
                text = "only 'strong_wolfe' is supported"
                ensure(group["line_search_fn"] == "strong_wolfe", text)
                start = Tried(0, loss, gradient, slope)
                look = self._looking(closure, direction)
                left = group["max_eval"] - calls
                found, taken = strong_wolfe(look, start, length, direction, left)
                calls += taken
                state["t"] = length = found.length
                loss = found.loss
                gradient = found.gradient
                self._move_along(direction, length)
            else:
                self._move_along(direction, length)
                if count < group["max_iter"]:  # nobody would look at what comes after the last
                    loss = number(closure())
                    gradient = self._gradient()
                    calls = calls + 1
            state["func_evals"] += calls - calls_before
            arrived = (
                calls >= group["max_eval"]
                or gradient.abs().max() <= group["tolerance_grad"]
                or (direction * length).abs().max() <= group["tolerance_change"]
                or abs(loss - before) < group["tolerance_change"]
            )
            if arrived:
                break
        return first_loss

    def _gradient(self) -> Any:
        """The gradients of all parameters, as one vector."""
        grads = [zeros_like(p._array) if p.grad is None else p.grad for p in self._params()]
        return cat([grad.detach().reshape(-1) for grad in grads])

    def _move_along(self, direction: Any, length: Any) -> None:
        """Add ``length`` times a vector to the parameters, all as one vector."""
        start = 0
        for param in self._params():
            end = start + param.numel()
            param.add_(direction[start:end].view_as(param), alpha=float(length))
            start = end

    def _direction(self, state: dict[str, Any], gradient: Any, history_size: int) -> Any:
        """Against the gradient, divided by the curvature as far as the history knows it."""
        if state["n_iter"] == 1:
            state.update(old_dirs=[], old_stps=[], ro=[], H_diag=1, d=-gradient)
            return state["d"]
        change = gradient - state["prev_flat_grad"]
        step = state["d"] * state["t"]
        curvature = change.dot(step)
        history = (state["old_dirs"], state["old_stps"], state["ro"])
        if curvature > NO_CURVATURE:
            for kept, new in zip(history, (change, step, 1.0 / curvature)):
                if len(kept) == history_size:
                    kept.pop(0)
                kept.append(new)
            state["H_diag"] = curvature / change.dot(change)
        rest = -gradient
        weights = []
        for change, step, inverse in zip(*map(reversed, history)):
            weights.append(step.dot(rest) * inverse)
            rest = rest - change * weights[-1]
        direction = rest * state["H_diag"]
        for change, step, inverse in zip(*history):
            direction = direction + step * (weights.pop() - change.dot(direction) * inverse)
        state["d"] = direction
        return direction

    def _looking(self, closure: Callable[[], Any], direction: Any) -> Callable[[Any], Tried]:
        """A function that tells what there is so far along the direction, and comes back."""
        home = [param.detach().clone() for param in self._params()]

        def look(length: Any) -> Tried:
            self._move_along(direction, length)
            loss = number(closure())
            gradient = self._gradient()
            for param, value in zip(self._params(), home):
                param.copy_(value)
            return Tried(length, loss, gradient, gradient.dot(direction))

        return look


def number(loss: Any) -> float:
    return float(loss.detach() if isinstance(loss, Tensor) else loss)


def first_length(state: dict[str, Any], gradient: Any, lr: Any) -> Any:
    """The step to try first; the very first one moves by ``lr`` in all."""
    lr = lr.item() if isinstance(lr, Tensor) else lr
    if state["n_iter"] > 1:
        return lr
    return min(1.0, 1.0 / gradient.abs().sum()) * lr


# ------------------------------------------------------------------------------ the line search


class Tried(NamedTuple):
    """A point on the line: how far out, the loss there, its gradient, its slope along the line."""

    length: Any
    loss: float
    gradient: Any
    slope: Any


def strong_wolfe(
    look: Callable[[Any], Tried], start: Tried, length: Any, direction: Any, most: int
) -> tuple[Tried, int]:
    """A point on the line where both conditions hold, and how often it looked.

    If it has looked ``most`` times, the best point so far.
    """

    def too_high(point: Tried) -> Any:
        return point.loss > start.loss + FALLEN * point.length * start.slope

    def flat(point: Tried) -> Any:
        return abs(point.slope) <= -FLATTER * start.slope

    before = start
    here = look(length)
    tries = 0
    while tries < most:  # go out until the valley lies between two points
        if too_high(here) or (tries > 1 and here.loss >= before.loss):
            break
        if flat(here):
            return here, tries + 1
        if here.slope >= 0:
            break
        bounds = here.length + 0.01 * (here.length - before.length), here.length * 10
        before, here = here, look(lowest(before, here, bounds))
        tries += 1
    if tries == most:
        before = start
    looked = tries + 1
    stuck = False
    widest = direction.abs().max()
    ends = [before, here]
    low = lower(ends)
    while tries < most:  # and close in on it
        left, right = sorted(point.length for point in ends)
        if (right - left) * widest < TOO_NEAR:
            break
        first, last = sorted(ends, key=lambda point: point.length)
        length = lowest(first, last, (left, right))
        margin = 0.1 * (right - left)
        near = min(right - length, length - left) < margin
        if near and (stuck or not left < length < right):
            length = right - margin if right - length < length - left else left + margin
            near = False
        stuck = near
        here = look(length)
        tries = tries + 1
        looked = looked + 1
        if too_high(here) or here.loss >= ends[low].loss:
            ends[1 - low] = here
            low = lower(ends)
            continue
        if flat(here):
            return here, looked
        if here.slope * (ends[1 - low].length - ends[low].length) >= 0:
            ends[1 - low] = ends[low]
        ends[low] = here
    return ends[low], looked


def lower(ends: list[Tried]) -> int:
    """Which of two points is the lower one; of equal ones the first."""
    return int(ends[0].loss > ends[1].loss)


def lowest(left: Tried, right: Tried, bounds: Any) -> Any:
    """Where the cubic through two points, with their slopes, is lowest, within bounds.

    Where it has no minimum, the middle of the bounds.
    """
    width = left.length - right.length
    bend = left.slope + right.slope - 3 * (left.loss - right.loss) / width
    square = bend**2 - left.slope * right.slope
    if not square >= 0:
        return (bounds[0] + bounds[1]) / 2.0
    root = square.sqrt()
    share = (right.slope + root - bend) / (right.slope - left.slope + 2 * root)
    return min(max(right.length + width * share, bounds[0]), bounds[1])
