"""``SequentialLR``: one schedule after the other, such as a warm-up and then a fall."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..options import ensure_valid
from .base import LRScheduler
from .plateau import ReduceLROnPlateau


class SequentialLR(LRScheduler):
    """One scheduler after the other: the next begins at each of ``milestones``.

    Raises ValueError unless there is one milestone less than schedulers, all of this optimiser.
    Counterpart: ``torch.optim.lr_scheduler.SequentialLR``.

    >>> import minigrad as torch
    >>> optimiser = torch.optim.SGD([torch.tensor(1.0, requires_grad=True)], lr=1.0)
    >>> warm_up = torch.optim.lr_scheduler.LinearLR(optimiser, 0.5, total_iters=2)
    >>> cool_down = torch.optim.lr_scheduler.ExponentialLR(optimiser, 0.9)
    >>> scheduler = torch.optim.lr_scheduler.SequentialLR(optimiser, [warm_up, cool_down], [2])
    >>> for _ in range(4):
    ...     print(f"{scheduler.get_last_lr()[0]:.2f}")
    ...     optimiser.step()
    ...     scheduler.step()
    0.50
    0.75
    1.00
    0.90
    """

    _unsaved = ("optimizer", "_schedulers")

    def __init__(
        self,
        optimizer: Any,
        schedulers: Sequence[Any],
        milestones: Sequence[int],
        last_epoch: int = -1,
    ) -> None:
        ensure_valid(
            schedulers, "SequentialLR expects at least one scheduler, but got no scheduler."
        )
        for scheduler in schedulers:
            text = "SequentialLR does not support `ReduceLROnPlateau`, whose step() takes a value."
            ensure_valid(not isinstance(scheduler, ReduceLROnPlateau), text)
            text = "SequentialLR expects all schedulers to belong to the same optimizer."
            ensure_valid(scheduler.optimizer is optimizer, text)
        text = "Sequential Schedulers expects number of schedulers to be one more than milestones"
        ensure_valid(len(schedulers) == len(milestones) + 1, text)
        self._schedulers = list(schedulers)
        self._milestones = list(milestones)
        self.last_epoch = last_epoch + 1
        self.optimizer = optimizer
        for group in optimizer.param_groups:  # each scheduler has set its own first rate
            group["lr"] = group["initial_lr"]
        for scheduler in schedulers:  # and has taken its first step
            scheduler.last_epoch -= 1
        self._at(0)._initial_step()
        self._last_lr = self._at(0).get_last_lr()

    def _at(self, epoch: int) -> Any:
        """The scheduler whose turn it is in an epoch."""
        passed = [milestone for milestone in self._milestones if milestone <= epoch]
        return self._schedulers[len(passed)]

    def step(self) -> None:  # type: ignore[override]
        """Go on to the next rate. Counterpart: ``torch.optim.lr_scheduler.SequentialLR.step``."""
        self.last_epoch += 1
        scheduler = self._at(self.last_epoch)
        if self.last_epoch in self._milestones:
            scheduler._restart()
        else:
            scheduler.step()
        self._last_lr = scheduler.get_last_lr()

    def state_dict(self) -> dict[str, Any]:
        """Everything but the optimiser, with the state of each scheduler."""
        states = [scheduler.state_dict() for scheduler in self._schedulers]
        return {**super().state_dict(), "_schedulers": states}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Go on from what ``state_dict`` returned."""
        super().load_state_dict(state_dict)
        for scheduler, state in zip(self._schedulers, state_dict["_schedulers"]):
            scheduler.load_state_dict(state)
