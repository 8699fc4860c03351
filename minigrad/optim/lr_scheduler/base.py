"""What all schedulers share: they go from epoch to epoch, and set the rates of an optimiser.

A schedule is told in two ways. ``_next_rate`` says what follows from the rate now, so that rates
changed by hand, or by a second scheduler, stay changed. The formula, of those that have one, says
what the rate is in any epoch, whatever was before; ``step(epoch)`` goes by it.
"""

from __future__ import annotations

import functools
import warnings
import weakref
from typing import Any

from ...compat.arguments import ensure
from ...errors import outside
from ..optimizer import Optimizer
from ..options import ensure_valid

EPOCH_GIVEN = (
    "The epoch parameter in `scheduler.step()` was not necessary and is being deprecated where "
    "possible.\n  fix: scheduler.step() once after each epoch."
)


def rates(optimizer: Any, key: str = "lr") -> list[Any]:
    """The rates of all groups."""
    return [group[key] for group in optimizer.param_groups]


def one_each(text: str, optimizer: Any, value: Any) -> list[Any]:
    """One value for each group; raises ValueError, with this text, for another number of values."""
    count = len(optimizer.param_groups)
    if not isinstance(value, (list, tuple)):
        return [value] * count
    ensure_valid(len(value) == count, text, count, len(value))
    return list(value)


def check_optimizer(optimizer: Any) -> None:
    """Raise TypeError for what is no optimiser."""
    right = isinstance(optimizer, Optimizer)
    ensure(right, "{} is not an Optimizer", type(optimizer).__name__, error=TypeError)


def note_steps(optimizer: Any) -> None:
    """From now on the optimiser knows whether it has taken a step."""
    kind = type(optimizer)
    owner = weakref.ref(optimizer)  # a strong reference would be a cycle, and keep it alive

    @functools.wraps(kind.step)
    def noted(*args: Any, **options: Any) -> Any:
        optimizer: Any = owner()
        optimizer._opt_called = True
        return kind.step(optimizer, *args, **options)

    optimizer.step = noted


class LRScheduler:
    """The base of all schedulers. Counterpart: ``torch.optim.lr_scheduler.LRScheduler``.

    A subclass defines ``get_lr``, which returns a rate for each group of the optimiser's, and may
    look at ``self.last_epoch``, how often ``step()`` was called, and ``self.base_lrs``, the rates
    at the start. ``last_epoch``: -1, or the epoch from which training goes on.

    >>> import minigrad as torch
    >>> class Halving(torch.optim.lr_scheduler.LRScheduler):
    ...     def get_lr(self):
    ...         return [base / 2**self.last_epoch for base in self.base_lrs]
    >>> optimiser = torch.optim.SGD([torch.tensor(1.0, requires_grad=True)], lr=8.0)
    >>> scheduler = Halving(optimiser)
    >>> for _ in range(3):
    ...     optimiser.step()
    ...     scheduler.step()
    >>> scheduler.get_last_lr()
    [1.0]
    """

    _get_lr_called_within_step = False
    _is_initial = False
    _unsaved: tuple[str, ...] = ("optimizer",)
    _get_closed_form_lr: Any  # the rates by the formula: only some have one

    def __init__(self, optimizer: Any, last_epoch: int = -1) -> None:
        check_optimizer(optimizer)
        self.optimizer = optimizer
        for number, group in enumerate(optimizer.param_groups):
            if last_epoch == -1:
                group.setdefault("initial_lr", group["lr"])
            text = "param 'initial_lr' is not specified in param_groups[{}] when resuming scheduler"
            ensure("initial_lr" in group, text, number, error=KeyError)
        self.base_lrs = rates(optimizer, "initial_lr")
        self.last_epoch = last_epoch
        note_steps(optimizer)
        self._initial_step()

    def _initial_step(self) -> None:
        self._step_count = 0
        self._is_initial = True
        self.step()
        self._is_initial = False

    def state_dict(self) -> dict[str, Any]:
        """Everything but the optimiser. Counterpart:
        ``torch.optim.lr_scheduler.LRScheduler.state_dict``."""
        return self._without_unsaved(self.__dict__)

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Go on from what ``state_dict`` returned. Counterpart:
        ``torch.optim.lr_scheduler.LRScheduler.load_state_dict``."""
        self.__dict__.update(self._without_unsaved(state_dict))

    def _without_unsaved(self, state: dict[str, Any]) -> dict[str, Any]:
        return {name: value for name, value in state.items() if name not in self._unsaved}

    def get_last_lr(self) -> list[Any]:
        """The rates that the last ``step()`` set. Counterpart:
        ``torch.optim.lr_scheduler.LRScheduler.get_last_lr``."""
        return self._last_lr

    def get_lr(self) -> list[Any]:
        """The rates that ``step()`` is about to set; elsewhere ask ``get_last_lr()``.

        Counterpart: ``torch.optim.lr_scheduler.LRScheduler.get_lr``.
        """
        if not self._get_lr_called_within_step:
            text = "To get the last learning rate computed by the scheduler, use `get_last_lr()`."
            warnings.warn(text, UserWarning, stacklevel=2)
        now = rates(self.optimizer)
        return [self._next_rate(rate, number) for number, rate in enumerate(now)]

    def _next_rate(self, rate: float, number: int) -> float:
        """The rate in epoch ``self.last_epoch``, of the group of this number.

        ``rate`` is that in the epoch before.
        """
        raise NotImplementedError

    def step(self, epoch: int | None = None) -> None:
        """Go on to the next rate. Counterpart: ``torch.optim.lr_scheduler.LRScheduler.step``.

        ``epoch``, as older programs give it, is where to go instead of to the next one: to the
        rate that the rule has there, as far as it can be told without those before. Warns of
        this; and if the optimiser has taken no step before: the first rate would be skipped.
        """
        if self._step_count == 1 and not getattr(self.optimizer, "_opt_called", False):
            text = "Detected call of `lr_scheduler.step()` before `optimizer.step()`: the first "
            text += "rate is skipped.\n  fix: call optimizer.step() first."
            warnings.warn(text, stacklevel=outside())
        self._step_count += 1
        if epoch is not None:
            warnings.warn(EPOCH_GIVEN, UserWarning, stacklevel=outside())
            self.last_epoch = epoch
        else:
            self.last_epoch += 1
        self._get_lr_called_within_step = True
        try:
            if epoch is not None and hasattr(self, "_get_closed_form_lr"):
                new = self._get_closed_form_lr()
            else:
                new = self.get_lr()
        finally:
            self._get_lr_called_within_step = False
        for group, rate in zip(self.optimizer.param_groups, new, strict=True):
            group["lr"] = rate
        self._last_lr = rates(self.optimizer)

    def _restart(self) -> None:
        """Begin at the first rate, as the next in a sequence of schedulers."""
        for group, base in zip(self.optimizer.param_groups, self.base_lrs):
            group["lr"] = base * 1.0
        self.last_epoch = -1
        self._initial_step()


class _LRScheduler(LRScheduler):
    """The base's name in older programs."""
