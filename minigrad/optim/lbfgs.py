"""L-BFGS: steps along directions that remember how the gradient has changed.

Newton's method would divide the gradient by the curvature, a matrix. This one keeps the last few
steps and what each did to the gradient, and from these pairs alone computes what that division
would give (the *two-loop recursion*). How far to go along the direction may be left to a line
search: ``line_search``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .._tensor import Tensor
from ..compat.arguments import ensure
from ..engine.modes import enable_grad, no_grad
from ..ops.joining import cat
from ..tape.notice import before_step
from .averages import zeros_like
from .line_search import Point, strong_wolfe
from .optimizer import Optimizer, Params
from .options import check_not_negative, ensure_valid

NO_CURVATURE = 1e-10
"""A pair of step and change that bends less than this is not remembered."""


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
            before = loss
            length = first_length(state, gradient, group["lr"])
            state["prev_loss"] = before
            state["t"] = length
            slope = gradient.dot(direction)
            if slope > -group["tolerance_change"]:
                break
            calls_before = calls
            if group["line_search_fn"] is not None:
                text = "only 'strong_wolfe' is supported"
                ensure(group["line_search_fn"] == "strong_wolfe", text)
                start = Point(0, loss, gradient, slope)
                evaluate = self._evaluation_along(direction, closure)
                most = group["max_eval"] - calls
                found, evaluations = strong_wolfe(evaluate, start, length, direction, most)
                calls += evaluations
                length = found.length
                loss = found.loss
                gradient = found.gradient
                state["t"] = length
                self._move_along(direction, length)
            else:
                self._move_along(direction, length)
                if count < group["max_iter"]:  # nobody would look at what comes after the last
                    loss = number(closure())
                    gradient = self._gradient()
                    calls += 1
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
        grads = []
        for param in self._params():
            grad = zeros_like(param._array) if param.grad is None else param.grad
            grads.append(grad.detach().reshape(-1))
        return cat(grads)

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

    def _evaluation_along(
        self, direction: Any, closure: Callable[[], Any]
    ) -> Callable[[Any], Point]:
        """A function that goes so far along the direction, looks there, and comes back."""
        home = [param.detach().clone() for param in self._params()]

        def evaluate(length: Any) -> Point:
            self._move_along(direction, length)
            loss = number(closure())
            gradient = self._gradient()
            for param, value in zip(self._params(), home):
                param.copy_(value)
            return Point(length, loss, gradient, gradient.dot(direction))

        return evaluate


def number(loss: Any) -> float:
    """What the closure has returned, as Python's number."""
    if isinstance(loss, Tensor):
        loss = loss.detach()
    return float(loss)


def first_length(state: dict[str, Any], gradient: Any, lr: Any) -> Any:
    """The step to try first; the very first one moves by ``lr`` in all."""
    if isinstance(lr, Tensor):
        lr = lr.item()
    if state["n_iter"] > 1:
        return lr
    return min(1.0, 1.0 / gradient.abs().sum()) * lr
