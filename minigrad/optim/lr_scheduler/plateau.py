"""``ReduceLROnPlateau``: the rate falls when a measured value does not improve any more."""

from __future__ import annotations

import math
import warnings
from typing import Any

from ...errors import outside
from ..options import ensure_valid
from .base import EPOCH_GIVEN, LRScheduler, check_optimizer, one_each, rates


class ReduceLROnPlateau(LRScheduler):
    """The rate times ``factor`` when a measured value has not improved for ``patience`` epochs.

    ``step(metrics)`` takes the value, a loss (``mode`` "min") or an accuracy ("max"). It counts
    as better than the best so far if the difference is more than ``threshold``: times the best
    value (``threshold_mode`` "rel"), or as it is ("abs"). After a reduction, ``cooldown`` epochs
    do not count. No rate falls below ``min_lr``, or changes by less than ``eps``.
    Counterpart: ``torch.optim.lr_scheduler.ReduceLROnPlateau``.

    >>> import minigrad as torch
    >>> optimiser = torch.optim.SGD([torch.tensor(1.0, requires_grad=True)], lr=1.0)
    >>> scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(optimiser, patience=1)
    >>> for loss in (0.5, 0.4, 0.4, 0.4):
    ...     scheduler.step(loss)
    >>> scheduler.get_last_lr()
    [0.1]
    """

    def __init__(
        self,
        optimizer: Any,
        mode: str = "min",
        factor: float = 0.1,
        patience: int = 10,
        threshold: float = 1e-4,
        threshold_mode: str = "rel",
        cooldown: int = 0,
        min_lr: float | list[float] = 0,
        eps: float = 1e-8,
    ) -> None:
        ensure_valid(factor < 1, "Factor should be < 1.0.")
        check_optimizer(optimizer)
        ensure_valid(mode in ("min", "max"), "mode {} is unknown!", mode)
        ensure_valid(
            threshold_mode in ("rel", "abs"), "threshold mode {} is unknown!", threshold_mode
        )
        self.optimizer = optimizer
        self.factor = factor
        self.patience = patience
        self.mode = mode
        self.threshold = threshold
        self.threshold_mode = threshold_mode
        self.cooldown = cooldown
        self.eps = eps
        self.last_epoch = 0
        self.default_min_lr = None
        if not isinstance(min_lr, (list, tuple)):
            self.default_min_lr = min_lr
        self.min_lrs = one_each("expected {} min_lrs, got {}", optimizer, min_lr)
        self.mode_worse = math.inf if mode == "min" else -math.inf
        self.best = self.mode_worse
        self.cooldown_counter = 0
        self.num_bad_epochs = 0
        self._last_lr = rates(optimizer)

    @property
    def in_cooldown(self) -> bool:
        """Does this epoch not count, since a reduction was shortly before?"""
        return self.cooldown_counter > 0

    def _is_better(self, value: float, best: float) -> bool:
        margin = self.threshold
        if self.threshold_mode == "rel":
            if self.mode == "min":
                return value < best * (1 - margin)
            return value > best * (1 + margin)
        if self.mode == "min":
            return value < best - margin
        return value > best + margin

    def step(self, metrics: Any, epoch: int | None = None) -> None:  # type: ignore[override]
        """Look at this epoch's value. Counterpart:
        ``torch.optim.lr_scheduler.ReduceLROnPlateau.step``."""
        if epoch is not None:
            warnings.warn(EPOCH_GIVEN, UserWarning, stacklevel=outside())
            self.last_epoch = epoch
        else:
            self.last_epoch += 1
        value = float(metrics)
        better = self._is_better(value, self.best)
        if better:
            self.best = value
        if better or self.in_cooldown:
            self.num_bad_epochs = 0
        else:
            self.num_bad_epochs += 1
        if self.in_cooldown:
            self.cooldown_counter -= 1
        if self.num_bad_epochs > self.patience:
            self._reduce()
            self.cooldown_counter = self.cooldown
            self.num_bad_epochs = 0
        self._last_lr = rates(self.optimizer)

    def _reduce(self) -> None:
        groups = self.optimizer.param_groups
        if len(groups) > len(self.min_lrs) and self.default_min_lr is not None:
            self.min_lrs = [self.default_min_lr] * len(groups)
        for group, lowest in zip(groups, self.min_lrs, strict=True):
            before = float(group["lr"])
            after = max(before * self.factor, lowest)
            if before - after > self.eps:
                group["lr"] = after
