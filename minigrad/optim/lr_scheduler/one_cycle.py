"""``OneCycleLR``: the rate goes far up and down again, the momentum the other way."""

from __future__ import annotations

import math
from typing import Any

from ..options import ensure_valid
from .base import LRScheduler, check_optimizer, one_each


class OneCycleLR(LRScheduler):
    """From ``max_lr / div_factor`` up to ``max_lr``, then far down; a step after each batch.

    The way up takes the fraction ``pct_start`` of all steps; the way down ends at the first rate
    divided by ``final_div_factor``. Meanwhile the momentum, or Adam's first beta, goes from
    ``max_momentum`` to ``base_momentum`` and back. The number of steps is ``total_steps``, or
    ``epochs * steps_per_epoch``; one more than these raises ValueError. ``anneal_strategy`` is
    "cos" or "linear"; ``three_phase`` comes back to the first rate before it goes further down.
    Counterpart: ``torch.optim.lr_scheduler.OneCycleLR``.

    >>> import minigrad as torch
    >>> optimiser = torch.optim.SGD([torch.tensor(1.0, requires_grad=True)], lr=1.0)
    >>> scheduler = torch.optim.lr_scheduler.OneCycleLR(optimiser, max_lr=1.0, total_steps=4)
    >>> for _ in range(3):
    ...     optimiser.step()
    ...     scheduler.step()
    ...     print(f"{scheduler.get_last_lr()[0]:.3f}")
    0.812
    0.283
    0.000
    """

    def __init__(
        self,
        optimizer: Any,
        max_lr: float | list[float],
        total_steps: int | None = None,
        epochs: int | None = None,
        steps_per_epoch: int | None = None,
        pct_start: float = 0.3,
        anneal_strategy: str = "cos",
        cycle_momentum: bool = True,
        base_momentum: float | list[float] = 0.85,
        max_momentum: float | list[float] = 0.95,
        div_factor: float = 25.0,
        final_div_factor: float = 1e4,
        three_phase: bool = False,
        last_epoch: int = -1,
    ) -> None:
        check_optimizer(optimizer)
        self.total_steps = product_of_steps(total_steps, epochs, steps_per_epoch)
        proper = isinstance(pct_start, float) and 0 <= pct_start <= 1
        ensure_valid(proper, "Expected float between 0 and 1 pct_start, but got {}", pct_start)
        text = "anneal_strategy must be one of 'cos' or 'linear', instead got {}"
        ensure_valid(anneal_strategy in ("cos", "linear"), text, anneal_strategy)
        self._anneal_func_type = anneal_strategy
        self.cycle_momentum = cycle_momentum
        self._schedule_phases = self._corners(float(pct_start * self.total_steps) - 1, three_phase)
        settings = {"max_lr": max_lr}
        if cycle_momentum:
            text = "optimizer must support momentum or beta1 with `cycle_momentum` option enabled"
            ensure_valid({"momentum", "betas"} & optimizer.defaults.keys(), text)
            self.use_beta1 = "betas" in optimizer.defaults
            settings["max_momentum"] = max_momentum
            settings["base_momentum"] = base_momentum
        if last_epoch == -1:
            for name, value in settings.items():
                set_in_each_group(optimizer, name, value)
            for group in optimizer.param_groups:
                group["initial_lr"] = group["max_lr"] / div_factor
                group["min_lr"] = group["initial_lr"] / final_div_factor
        super().__init__(optimizer, last_epoch)

    def _corners(self, turn: float, three_phase: bool) -> list[tuple[float, str, str]]:
        """The corners of the curve: at which step, and which rate and momentum are there."""
        start = (0.0, "initial_lr", "max_momentum")
        top = (turn, "max_lr", "base_momentum")
        back = (2 * turn, "initial_lr", "max_momentum")
        end = (self.total_steps - 1, "min_lr", "max_momentum")
        if three_phase:
            return [start, top, back, end]
        return [start, top, end]

    def _between(self, start: float, end: float, part: float) -> float:
        """The value on the way from ``start`` to ``end``."""
        if self._anneal_func_type == "linear":
            return (end - start) * part + start
        return end + (start - end) / 2 * (math.cos(math.pi * part) + 1)

    def _next_rate(self, rate: float, number: int) -> float:
        step = self.last_epoch
        last_step = self.total_steps - 1
        text = "Tried to step {} times. The specified number of total steps is {}"
        ensure_valid(step <= self.total_steps, text, step, self.total_steps)
        corners = self._schedule_phases
        passed = [corner for corner in corners[1:-1] if last_step != corner[0] < step]
        before, rate_before, momentum_before = corners[len(passed)]
        after, rate_after, momentum_after = corners[len(passed) + 1]
        part = (step - before) / (after - before)
        group = self.optimizer.param_groups[number]
        if self.cycle_momentum:
            momentum = self._between(group[momentum_before], group[momentum_after], part)
            if self.use_beta1:
                group["betas"] = (momentum, *group["betas"][1:])
            else:
                group["momentum"] = momentum
        return self._between(group[rate_before], group[rate_after], part)


def product_of_steps(
    total_steps: int | None, epochs: int | None, steps_per_epoch: int | None
) -> int:
    """How many steps there are in all; ValueError where that is not said, or no number."""
    counts: Any = (epochs, steps_per_epoch) if total_steps is None else (total_steps,)
    text = "You must define either total_steps OR (epochs AND steps_per_epoch)"
    ensure_valid(None not in counts, text)
    positive = all(isinstance(count, int) and count > 0 for count in counts)
    ensure_valid(positive, "Expected positive integer total_steps, but got {}", counts)
    return math.prod(counts)


def set_in_each_group(optimizer: Any, name: str, value: Any) -> None:
    """Set an option to one value for all groups, or to a list's values one by one."""
    text = f"{name} must have the same length as optimizer.param_groups, {{}}, not {{}}"
    for group, part in zip(optimizer.param_groups, one_each(text, optimizer, value)):
        group[name] = part
