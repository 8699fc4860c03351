"""Learning rates that change during training. Counterpart: ``torch.optim.lr_scheduler``.

A scheduler sets ``group["lr"]`` each time its ``step()`` is called, once after each epoch or,
some of them, after each batch. Its rule, ``_next``, says what follows from the rate now, so that
rates changed by hand, or by a second scheduler, stay changed.
"""

from __future__ import annotations

import functools
import math
import warnings
import weakref
from collections import Counter
from typing import Any

from ..errors import outside
from ..missing import missing_from
from ..ops.arguments import ensure
from .optimizer import Optimizer
from .options import ensure_valid

__all__ = [
    "CosineAnnealingLR",
    "ExponentialLR",
    "LRScheduler",
    "LambdaLR",
    "LinearLR",
    "MultiStepLR",
    "OneCycleLR",
    "ReduceLROnPlateau",
    "SequentialLR",
    "StepLR",
]

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
    values = list(value) if isinstance(value, (list, tuple)) else [value] * count
    ensure_valid(len(values) == count, text, count, len(values))
    return values


def check_optimizer(optimizer: Any) -> None:
    right = isinstance(optimizer, Optimizer)
    ensure(right, "{} is not an Optimizer", type(optimizer).__name__, error=TypeError)


def note_steps(optimizer: Any) -> None:
    """From now on the optimiser knows whether it has taken a step."""
    kind = type(optimizer)  # no cycle, which would keep it alive
    owner = weakref.ref(optimizer)

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

    _get_lr_called_within_step = _is_initial = False
    _unsaved: tuple[str, ...] = ("optimizer",)
    _get_closed_form_lr: Any  # of some: the rates in an epoch, whatever was before

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
        return {k: v for k, v in self.__dict__.items() if k not in self._unsaved}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Go on from what ``state_dict`` returned. Counterpart:
        ``torch.optim.lr_scheduler.LRScheduler.load_state_dict``."""
        self.__dict__.update({k: v for k, v in state_dict.items() if k not in self._unsaved})

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
        return [self._next(rate, number) for number, rate in enumerate(rates(self.optimizer))]

    def _next(self, rate: float, number: int) -> float:
        """The rate in epoch ``self.last_epoch`` of the group of this number."""
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
        known = epoch is not None and hasattr(self, "_get_closed_form_lr")
        self.last_epoch = self.last_epoch + 1 if epoch is None else epoch
        self._get_lr_called_within_step = True
        try:
            found = self._get_closed_form_lr() if known else self.get_lr()
        finally:
            self._get_lr_called_within_step = False
        for group, rate in zip(self.optimizer.param_groups, found, strict=True):
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


class LambdaLR(LRScheduler):
    """The first rate times a function of the epoch. Counterpart:
    ``torch.optim.lr_scheduler.LambdaLR``.

    ``lr_lambda`` is one function, or a list with one for each group.

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

    def _next(self, rate: float, number: int) -> float:
        return self.base_lrs[number] * self.lr_lambdas[number](self.last_epoch)

    def state_dict(self) -> dict[str, Any]:
        """Everything but the optimiser and the functions."""
        return {**super().state_dict(), "lr_lambdas": [None] * len(self.lr_lambdas)}


class StepLR(LRScheduler):
    """The rate times ``gamma`` after every ``step_size`` epochs. Counterpart:
    ``torch.optim.lr_scheduler.StepLR``."""

    def __init__(self, optimizer, step_size, gamma=0.1, last_epoch=-1):
        self.step_size = step_size
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def _next(self, rate: float, number: int) -> float:
        due = self.last_epoch != 0 and self.last_epoch % self.step_size == 0
        return rate * self.gamma if due else rate

    def _get_closed_form_lr(self) -> list[float]:
        factor = self.gamma ** (self.last_epoch // self.step_size)
        return [base * factor for base in self.base_lrs]


class MultiStepLR(LRScheduler):
    """The rate times ``gamma`` after each of the epochs in ``milestones``. Counterpart:
    ``torch.optim.lr_scheduler.MultiStepLR``."""

    def __init__(self, optimizer, milestones, gamma=0.1, last_epoch=-1):
        self.milestones = Counter(milestones)
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def _next(self, rate: float, number: int) -> float:
        times = self.milestones.get(self.last_epoch)
        return rate * self.gamma**times if times else rate

    def _get_closed_form_lr(self) -> list[float]:
        passed = sum(milestone <= self.last_epoch for milestone in self.milestones.elements())
        return [base * self.gamma**passed for base in self.base_lrs]


class ExponentialLR(LRScheduler):
    """The rate times ``gamma`` after each epoch. Counterpart:
    ``torch.optim.lr_scheduler.ExponentialLR``."""

    def __init__(self, optimizer: Any, gamma: float, last_epoch: int = -1) -> None:
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def _next(self, rate: float, number: int) -> float:
        return rate if self._is_initial else rate * self.gamma

    def _get_closed_form_lr(self) -> list[float]:
        return [base * self.gamma**self.last_epoch for base in self.base_lrs]


class LinearLR(LRScheduler):
    """From ``start_factor`` to ``end_factor`` times the first rate, in ``total_iters`` epochs.

    The usual way to warm up. Counterpart: ``torch.optim.lr_scheduler.LinearLR``.
    """

    def __init__(self, optimizer, start_factor=1 / 3, end_factor=1.0, total_iters=5, last_epoch=-1):
        text = "{} multiplicative factor expected to be {} and at most 1."
        ensure_valid(0 < start_factor <= 1, text, "Starting", "greater than 0")
        ensure_valid(0 <= end_factor <= 1, text, "Ending", "at least 0")
        self.start_factor = start_factor
        self.end_factor = end_factor
        self.total_iters = total_iters
        super().__init__(optimizer, last_epoch)

    def _next(self, rate: float, number: int) -> float:
        if self.last_epoch == 0:
            return rate * self.start_factor
        if self._is_initial or self.last_epoch > self.total_iters:
            return rate
        slope = self.end_factor - self.start_factor
        done = self.last_epoch - 1
        return rate * (1 + slope / (self.total_iters * self.start_factor + done * slope))

    def _get_closed_form_lr(self) -> list[float]:
        way = min(self.last_epoch, self.total_iters) / self.total_iters
        factor = self.start_factor + (self.end_factor - self.start_factor) * way
        return [base * factor for base in self.base_lrs]


class CosineAnnealingLR(LRScheduler):
    """Half a wave of a cosine: from the first rate to ``eta_min`` in ``T_max`` epochs, then back.

    ``eta_min + (base_lr - eta_min) * (1 + cos(pi * epoch / T_max)) / 2``. Counterpart:
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

    def __init__(self, optimizer, T_max, eta_min=0.0, last_epoch=-1):
        self.T_max = T_max
        self.eta_min = eta_min
        super().__init__(optimizer, last_epoch)

    def _next(self, rate: float, number: int) -> float:
        if self._is_initial:
            return rate
        if (self.last_epoch - 1 - self.T_max) % (2 * self.T_max) == 0:  # on the way up again
            return rate + (self.base_lrs[number] - self.eta_min) * (1 - self._wave(1)) / 2
        change = (1 + self._wave(self.last_epoch)) / (1 + self._wave(self.last_epoch - 1))
        return change * (rate - self.eta_min) + self.eta_min

    def _get_closed_form_lr(self) -> list[float]:
        height = (1 + self._wave(self.last_epoch)) / 2
        low = self.eta_min
        return [low + (base - low) * height for base in self.base_lrs]

    def _wave(self, epoch: int) -> float:
        return math.cos(math.pi * epoch / self.T_max)


class OneCycleLR(LRScheduler):
    """From ``max_lr / div_factor`` up to ``max_lr``, then far down; a step after each batch.

    The way up takes the fraction ``pct_start`` of all steps; the way down ends at the first rate
    divided by ``final_div_factor``. Meanwhile the momentum, or Adam's first beta, goes from
    ``max_momentum`` to ``base_momentum`` and back. The number of steps is ``total_steps``, or
    ``epochs * steps_per_epoch``; one more than these raises ValueError. ``anneal_strategy`` is
    "cos" or "linear"; ``three_phase`` comes back to the first rate before it goes further down.
    Counterpart: ``torch.optim.lr_scheduler.OneCycleLR``.
    """

    def __init__(
        self,
        optimizer,
        max_lr,
        total_steps=None,
        epochs=None,
        steps_per_epoch=None,
        pct_start=0.3,
        anneal_strategy="cos",
        cycle_momentum=True,
        base_momentum=0.85,
        max_momentum=0.95,
        div_factor=25.0,
        final_div_factor=1e4,
        three_phase=False,
        last_epoch=-1,
    ):
        check_optimizer(optimizer)
        steps: Any = (epochs, steps_per_epoch) if total_steps is None else (total_steps,)
        text = "You must define either total_steps OR (epochs AND steps_per_epoch)"
        ensure_valid(None not in steps, text)
        positive = all(isinstance(count, int) and count > 0 for count in steps)
        ensure_valid(positive, "Expected positive integer total_steps, but got {}", steps)
        proper = isinstance(pct_start, float) and 0 <= pct_start <= 1
        ensure_valid(proper, "Expected float between 0 and 1 pct_start, but got {}", pct_start)
        text = "anneal_strategy must be one of 'cos' or 'linear', instead got {}"
        ensure_valid(anneal_strategy in ("cos", "linear"), text, anneal_strategy)
        self.total_steps = total = math.prod(steps)
        self._anneal_func_type = anneal_strategy
        self.cycle_momentum = cycle_momentum
        # The corners of the curve: at which step, and what rate and momentum are there.
        turn = float(pct_start * total) - 1
        start = (0.0, "initial_lr", "max_momentum")
        top = (turn, "max_lr", "base_momentum")
        back = (2 * turn, *start[1:])
        end = (total - 1, "min_lr", "max_momentum")
        self._schedule_phases = [start, top, back, end] if three_phase else [start, top, end]
        settings = {"max_lr": max_lr}
        if cycle_momentum:
            text = "optimizer must support momentum or beta1 with `cycle_momentum` option enabled"
            ensure_valid({"momentum", "betas"} & optimizer.defaults.keys(), text)
            self.use_beta1 = "betas" in optimizer.defaults
            settings.update(max_momentum=max_momentum, base_momentum=base_momentum)
        for name, value in settings.items() if last_epoch == -1 else ():
            text = f"{name} must have the same length as optimizer.param_groups, {{}}, not {{}}"
            for group, part in zip(optimizer.param_groups, one_each(text, optimizer, value)):
                group[name] = part
        for group in optimizer.param_groups if last_epoch == -1 else ():
            group["initial_lr"] = group["max_lr"] / div_factor
            group["min_lr"] = group["initial_lr"] / final_div_factor
        super().__init__(optimizer, last_epoch)

    def _between(self, start: float, end: float, part: float) -> float:
        """The value on the way from ``start`` to ``end``."""
        if self._anneal_func_type == "linear":
            return (end - start) * part + start
        return end + (start - end) / 2 * (math.cos(math.pi * part) + 1)

    def _next(self, rate: float, number: int) -> float:
        text = "Tried to step {} times. The specified number of total steps is {}"
        done = self.last_epoch
        total = self.total_steps
        ensure_valid(done <= total, text, done, total)
        corners = self._schedule_phases
        passed = sum(total - 1 != step < done for step, *_ in corners[1:-1])
        (before, first, strong), (end, last, weak) = corners[passed : passed + 2]
        group = self.optimizer.param_groups[number]
        part = (done - before) / (end - before)
        if self.cycle_momentum:
            momentum = self._between(group[strong], group[weak], part)
            changed = (momentum, *group["betas"][1:]) if self.use_beta1 else momentum
            group["betas" if self.use_beta1 else "momentum"] = changed
        return self._between(group[first], group[last], part)


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

    def __init__(self, optimizer, schedulers, milestones, last_epoch=-1):
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
        return self._schedulers[sum(milestone <= epoch for milestone in self._milestones)]

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
        optimizer,
        mode="min",
        factor=0.1,
        patience=10,
        threshold=1e-4,
        threshold_mode="rel",
        cooldown=0,
        min_lr=0,
        eps=1e-8,
    ):
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
        self.default_min_lr = None if isinstance(min_lr, (list, tuple)) else min_lr
        self.min_lrs = one_each("expected {} min_lrs, got {}", optimizer, min_lr)
        self.mode_worse = self.best = math.inf if mode == "min" else -math.inf
        self.cooldown_counter = self.num_bad_epochs = 0
        self._last_lr = rates(optimizer)

    in_cooldown = property(lambda self: self.cooldown_counter > 0)

    def _is_better(self, value: float, best: float) -> bool:
        sign = 1 if self.mode == "min" else -1
        relative = self.threshold_mode == "rel"
        limit = best * (1 - sign * self.threshold) if relative else best - sign * self.threshold
        return value < limit if sign > 0 else value > limit

    def step(self, metrics: Any, epoch: int | None = None) -> None:  # type: ignore[override]
        """Look at this epoch's value. Counterpart:
        ``torch.optim.lr_scheduler.ReduceLROnPlateau.step``."""
        if epoch is not None:
            warnings.warn(EPOCH_GIVEN, UserWarning, stacklevel=outside())
        self.last_epoch = self.last_epoch + 1 if epoch is None else epoch
        better = self._is_better(float(metrics), self.best)
        if better:
            self.best = float(metrics)
        self.num_bad_epochs = 0 if better or self.in_cooldown else self.num_bad_epochs + 1
        self.cooldown_counter -= self.in_cooldown
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


__getattr__ = missing_from(__name__)
