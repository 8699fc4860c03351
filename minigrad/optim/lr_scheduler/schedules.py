"""Schedules by formula. In them, ``base`` is the first rate, and ``epoch`` counts the steps."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from typing import Any

from ..options import ensure_valid
from .base import LRScheduler, one_each


class Formula(LRScheduler):
    """A schedule whose rate in epoch ``self.last_epoch`` follows from the first rate alone."""

    def _formula(self, base: float) -> float:
        raise NotImplementedError

    def _get_closed_form_lr(self) -> list[float]:
        return [self._formula(base) for base in self.base_lrs]


class LambdaLR(LRScheduler):
    """``base * lr_lambda(epoch)``: the first rate times a function of the epoch.

    ``lr_lambda`` is one function, or a list with one for each group.
    Counterpart: ``torch.optim.lr_scheduler.LambdaLR``.

    >>> import minigrad as torch
    >>> optimiser = torch.optim.SGD([torch.tensor(1.0, requires_grad=True)], lr=1.0)
    >>> scheduler = torch.optim.lr_scheduler.LambdaLR(optimiser, lambda epoch: 1 / (1 + epoch))
    >>> optimiser.step()
    >>> scheduler.step()
    >>> scheduler.get_last_lr()
    [0.5]
    """

    _unsaved = ("optimizer", "lr_lambdas")

    def __init__(self, optimizer: Any, lr_lambda: Any, last_epoch: int = -1) -> None:
        self.lr_lambdas = one_each("Expected {} lr_lambdas, but got {}", optimizer, lr_lambda)
        super().__init__(optimizer, last_epoch)

    def _next_rate(self, rate: float, number: int) -> float:
        return self.base_lrs[number] * self.lr_lambdas[number](self.last_epoch)

    def state_dict(self) -> dict[str, Any]:
        """Everything but the optimiser and the functions."""
        return {**super().state_dict(), "lr_lambdas": [None] * len(self.lr_lambdas)}


class StepLR(Formula):
    """``base * gamma ** (epoch // step_size)``: smaller after every ``step_size`` epochs.

    Counterpart: ``torch.optim.lr_scheduler.StepLR``.

    >>> import minigrad as torch
    >>> optimiser = torch.optim.SGD([torch.tensor(1.0, requires_grad=True)], lr=1.0)
    >>> scheduler = torch.optim.lr_scheduler.StepLR(optimiser, step_size=2, gamma=0.1)
    >>> for _ in range(3):
    ...     optimiser.step()
    ...     scheduler.step()
    ...     print(f"{scheduler.get_last_lr()[0]:.3f}")
    1.000
    0.100
    0.100
    """

    def __init__(
        self, optimizer: Any, step_size: int, gamma: float = 0.1, last_epoch: int = -1
    ) -> None:
        self.step_size = step_size
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def _formula(self, base: float) -> float:
        return base * self.gamma ** (self.last_epoch // self.step_size)

    def _next_rate(self, rate: float, number: int) -> float:
        if self.last_epoch == 0 or self.last_epoch % self.step_size != 0:
            return rate
        return rate * self.gamma


class MultiStepLR(Formula):
    """``base * gamma ** passed``: smaller after each of the epochs in ``milestones``.

    ``passed`` is how many milestones lie behind. Counterpart:
    ``torch.optim.lr_scheduler.MultiStepLR``.

    >>> import minigrad as torch
    >>> optimiser = torch.optim.SGD([torch.tensor(1.0, requires_grad=True)], lr=1.0)
    >>> scheduler = torch.optim.lr_scheduler.MultiStepLR(optimiser, milestones=[1, 3], gamma=0.1)
    >>> for _ in range(3):
    ...     optimiser.step()
    ...     scheduler.step()
    ...     print(f"{scheduler.get_last_lr()[0]:.3f}")
    0.100
    0.100
    0.010
    """

    def __init__(
        self, optimizer: Any, milestones: Iterable[int], gamma: float = 0.1, last_epoch: int = -1
    ) -> None:
        self.milestones = Counter(milestones)
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def _formula(self, base: float) -> float:
        passed = [epoch for epoch in self.milestones.elements() if epoch <= self.last_epoch]
        return base * self.gamma ** len(passed)

    def _next_rate(self, rate: float, number: int) -> float:
        times = self.milestones.get(self.last_epoch)
        if not times:
            return rate
        return rate * self.gamma**times


class ExponentialLR(Formula):
    """``base * gamma ** epoch``: smaller after each epoch. Counterpart:
    ``torch.optim.lr_scheduler.ExponentialLR``.

    >>> import minigrad as torch
    >>> optimiser = torch.optim.SGD([torch.tensor(1.0, requires_grad=True)], lr=1.0)
    >>> scheduler = torch.optim.lr_scheduler.ExponentialLR(optimiser, gamma=0.5)
    >>> for _ in range(3):
    ...     optimiser.step()
    ...     scheduler.step()
    ...     print(f"{scheduler.get_last_lr()[0]:.3f}")
    0.500
    0.250
    0.125
    """

    def __init__(self, optimizer: Any, gamma: float, last_epoch: int = -1) -> None:
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def _formula(self, base: float) -> float:
        return base * self.gamma**self.last_epoch

    def _next_rate(self, rate: float, number: int) -> float:
        if self._is_initial:
            return rate
        return rate * self.gamma


class LinearLR(Formula):
    """From ``start_factor`` to ``end_factor`` times the first rate, in ``total_iters`` epochs.

    ``base * (start_factor + (end_factor - start_factor) * epoch / total_iters)``. The usual way
    to warm up. Counterpart: ``torch.optim.lr_scheduler.LinearLR``.

    >>> import minigrad as torch
    >>> optimiser = torch.optim.SGD([torch.tensor(1.0, requires_grad=True)], lr=1.0)
    >>> scheduler = torch.optim.lr_scheduler.LinearLR(optimiser, start_factor=0.5, total_iters=2)
    >>> for _ in range(3):
    ...     optimiser.step()
    ...     scheduler.step()
    ...     print(f"{scheduler.get_last_lr()[0]:.3f}")
    0.750
    1.000
    1.000
    """

    def __init__(
        self,
        optimizer: Any,
        start_factor: float = 1 / 3,
        end_factor: float = 1.0,
        total_iters: int = 5,
        last_epoch: int = -1,
    ) -> None:
        text = "{} multiplicative factor expected to be {} and at most 1."
        ensure_valid(0 < start_factor <= 1, text, "Starting", "greater than 0")
        ensure_valid(0 <= end_factor <= 1, text, "Ending", "at least 0")
        self.start_factor = start_factor
        self.end_factor = end_factor
        self.total_iters = total_iters
        super().__init__(optimizer, last_epoch)

    def _formula(self, base: float) -> float:
        part = min(self.last_epoch, self.total_iters) / self.total_iters
        return base * (self.start_factor + (self.end_factor - self.start_factor) * part)

    def _next_rate(self, rate: float, number: int) -> float:
        if self.last_epoch == 0:
            return rate * self.start_factor
        if self._is_initial or self.last_epoch > self.total_iters:
            return rate
        slope = self.end_factor - self.start_factor
        done = self.last_epoch - 1
        return rate * (1 + slope / (self.total_iters * self.start_factor + done * slope))


class CosineAnnealingLR(Formula):
    """Half a wave of a cosine: from the first rate to ``eta_min`` in ``T_max`` epochs, then back.

    ``eta_min + (base - eta_min) * (1 + cos(pi * epoch / T_max)) / 2``. Counterpart:
    ``torch.optim.lr_scheduler.CosineAnnealingLR``.

    >>> import minigrad as torch
    >>> optimiser = torch.optim.SGD([torch.tensor(1.0, requires_grad=True)], lr=1.0)
    >>> scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimiser, T_max=4)
    >>> for _ in range(4):
    ...     optimiser.step()
    ...     scheduler.step()
    ...     print(f"{scheduler.get_last_lr()[0]:.3f}")
    0.854
    0.500
    0.146
    0.000
    """

    def __init__(
        self, optimizer: Any, T_max: int, eta_min: float = 0.0, last_epoch: int = -1
    ) -> None:
        self.T_max = T_max
        self.eta_min = eta_min
        super().__init__(optimizer, last_epoch)

    def _formula(self, base: float) -> float:
        height = (1 + self._cosine(self.last_epoch)) / 2
        return self.eta_min + (base - self.eta_min) * height

    def _next_rate(self, rate: float, number: int) -> float:
        epoch = self.last_epoch
        lowest = self.eta_min
        if self._is_initial:
            return rate
        if (epoch - 1 - self.T_max) % (2 * self.T_max) == 0:  # on the way up again
            return rate + (self.base_lrs[number] - lowest) * (1 - self._cosine(1)) / 2
        change = (1 + self._cosine(epoch)) / (1 + self._cosine(epoch - 1))
        return change * (rate - lowest) + lowest

    def _cosine(self, epoch: int) -> float:
        return math.cos(math.pi * epoch / self.T_max)
