"""What happened in a training loop, as plain data: the source of ``TrainingLoop``.

A ``Record`` is told of each forward pass, backward pass, step and clearing of gradients. What is
on the way of a running program only notes a few numbers; ``snapshot`` makes something of them.
"""

from __future__ import annotations

import time
from array import array
from collections import deque
from collections.abc import Callable, Sequence
from math import inf, nan, sqrt
from typing import Any

import numpy as np

from minigrad.lesson.progress import Progress
from minigrad.tape.values import number, plain, rounded

clock = time.perf_counter
KEPT = 200  # events kept in detail: fifty steps of four
POINTS = 1000  # of a curve, at most
LIVE = 160  # the same while the training runs
LAYERS = 40  # parameters whose norms are sent
FIRST = 50  # steps of which all norms are taken; later, those of every eighth
SMOOTHED = 300  # steps from which on means are sent with the curves
MEANS = 150  # of a curve, at most
WINDOWS = [factor * 10**power + 1 for power in range(1, 10) for factor in (1, 2, 5)][2:]
AT_ONCE = 25_000  # numbers of a model for which that holds; of larger ones, more seldom

Event = tuple[str, int, float, float | None, float | None, int, float | None, Any]
"""Kind, step, value, grad, loss, passes since the last clearing; a step: value before, rate."""


class Record:
    """The course of one training: losses, norms of gradients, and one number in detail.

    ``parameter`` and ``index`` choose the number. Without an index it is the one that has the
    largest gradient in the first backward pass. Raises ValueError if there is none such.
    """

    def __init__(self, model: Any, optimizer: Any, parameter: str | None, index: Any) -> None:
        self.model, self.optimizer = model, optimizer
        named = dict(model.named_parameters())
        if parameter is None:
            moved = {id(p) for p in trained(optimizer)} or set(map(id, named.values()))
            parameter = next((name for name, p in named.items() if id(p) in moved), None)
        if parameter is None or parameter not in named:
            known = ", ".join(named) or "none"
            raise ValueError(f"the model has no parameter {parameter!r} to watch; it has: {known}")
        self.name = parameter
        self.watched = named[parameter]
        self.chosen = index is not None
        self.place = place_of(self.watched, parameter, index)
        self.open = True
        self.show: Callable[[], None] = lambda: None  # brings the page up to date
        self.due = inf  # when it is time for that
        self.slow = True  # do steps take so long that each event is worth showing?
        self.busy = self.interrupted = False  # within a step; and was it to be interrupted?
        self.progress = Progress()
        self.losses: list[float] = []
        self.norm_steps = array("q")
        self.norms: dict[str, array[float]] = {}
        self.events: deque[Event] = deque(maxlen=KEPT)
        self.made = 0  # events so far
        self.passes = 0  # backward passes since the gradients were last cleared
        self.odd: tuple[int, float] | None = None  # the first step whose loss was not finite
        self.notes: dict[str, str] = {}
        self._loss: float | None = None  # of the passes since the last step
        self._stale = False  # the gradients of these were cleared
        self._parameters: list[tuple[str, Any]] = []
        self._measured: list[tuple[Any, Any]] = []  # where each parameter's norms go
        self._group: dict[str, Any] = {}
        self._every = 1
        self.look_again()
        self._seen = self._read()

    # ------------------------------------------------------------------ being told

    def _read(self) -> tuple[float, float | None]:
        """The number and its gradient now."""
        grad = self.watched._grad
        return (
            self.watched._array.item(self.place),
            None if grad is None else grad._array.item(self.place),
        )

    def _note(
        self, kind: str, step: int, loss: float | None = None,
        before: float | None = None, rate: Any = None,
    ) -> None:  # fmt: skip
        grad = self.watched._grad
        value = self.watched._array.item(self.place)
        grad = None if grad is None else grad._array.item(self.place)
        self._seen = value, grad
        self.made += 1
        self.events.append((kind, step, value, grad, loss, self.passes, before, rate))

    def forward(self) -> None:
        """The model was called, and the call recorded."""
        grad = self.watched._grad
        value = self.watched._array.item(self.place)
        grad = None if grad is None else grad._array.item(self.place)
        if (value, grad) != self._seen:
            self.glance()
        self.made += 1
        step = len(self.losses) + 1
        self.events.append(("forward", step, value, grad, None, self.passes, None, None))
        if self.slow and clock() > self.due:
            self.show()

    def passed(self, roots: tuple[Any, ...], over: bool) -> None:
        """A backward pass begins, or is over; see ``gradients.listeners``."""
        if not over:
            if self.watched._grad is None and self._seen[1] is not None:
                self.glance()
            return
        loss = 0.0
        for root in roots:
            values = root._array  # a scalar of NumPy's is slow to tell its size
            loss += float(values if isinstance(values, np.generic) else values.sum())
        if self._loss is None or self._stale:
            self._loss, self._stale = loss, False
        else:
            self._loss += loss
        self.passes += 1
        if not self.chosen:
            self._choose()
        self._note("backward", len(self.losses) + 1, loss)
        if self.slow and clock() > self.due:
            self.show()

    def _choose(self) -> None:
        """Watch the entry that has the largest gradient now."""
        grad = self.watched._grad
        if grad is None:
            return
        self.chosen = True
        sizes = np.abs(np.nan_to_num(grad._array))
        self.place = int(sizes.argmax())
        value = self.watched._array.item(self.place)  # no step has changed it yet
        self.events = deque(((*e[:2], value, *e[3:]) for e in self.events), maxlen=KEPT)

    def value(self) -> float:
        """The watched number now."""
        found: float = self.watched._array.item(self.place)
        return found

    def stepped(self, before: float) -> None:
        """A step is over; the number was ``before``."""
        loss = self._loss
        self.losses.append(nan if loss is None else loss)
        self.progress.steps += 1
        step = len(self.losses)
        if step <= FIRST or not step % self._every:
            self.measure()
        if loss is None:
            text = f"Step {step:,} came without a backward pass since the last."
            self.notes.setdefault("empty", text)
        elif loss - loss != 0 and self.odd is None:
            self.odd = step, loss
        self._note("step", step, loss, before, self._group.get("lr"))
        self._loss = None
        if clock() > self.due:
            self.show()

    def zeroed(self) -> None:
        """The gradients were cleared."""
        self.passes, self._stale = 0, True
        self._note("zero", len(self.losses) + 1)
        if self.slow and clock() > self.due:
            self.show()

    def glance(self) -> None:
        """Notice what nobody told: gradients cleared, or a number changed, by hand."""
        value, grad = self._read()
        old_value, old_grad = self._seen
        cleared = grad != old_grad and not grad and old_grad is not None
        if value != old_value and value == value:
            if self.optimizer is None:
                self.stepped(old_value)
                event = self.events.pop()  # with the gradient that it used
                self.events.append((*event[:3], old_grad, *event[4:]))
            else:
                self.notes.setdefault(
                    "hand", f"{self.title} was changed by something else than this optimiser."
                )
                self._seen = value, grad
        if cleared:
            self.zeroed()

    def measure(self) -> None:
        """Take the norm of each parameter's gradient; NaN where there is none."""
        self.norm_steps.append(len(self.losses))
        for append, parameter in self._measured:
            grad = parameter._grad
            if grad is None:
                append(nan)
            else:
                values = grad._array.ravel()
                append(sqrt(values.dot(values)))

    def look_again(self) -> None:
        """Look whether the model still has the same parameters."""
        named = {n: p for n, p in self.model.named_parameters() if p.is_floating_point()}
        if [*named] != [name for name, _ in self._parameters]:
            for name in named:
                self.norms.setdefault(name, array("d", [nan] * len(self.norm_steps)))
        for name, values in self.norms.items():
            if name not in named:
                values.extend([nan] * (len(self.norm_steps) - len(values)))
        self._parameters = [*named.items()]
        self._measured = [(self.norms[name].append, p) for name, p in named.items()]
        self._every = 8 + sum(p._array.size for p in named.values()) // AT_ONCE
        now = named.get(self.name)
        self._group = group_of(self.optimizer, self.watched)
        if now is self.watched:
            return
        at = f"noticed at step {len(self.losses):,}"
        if now is None:
            self.notes["gone"] = (
                f"The model has no {self.name} any more ({at}): "
                "the number shown is that of the parameter it had."
            )
        elif now._array.size > self.place:
            self.notes["gone"] = f"{self.name} is another parameter now ({at})."
            self.watched = now
            self._group = group_of(self.optimizer, now)
            self._seen = self._read()

    def release(self) -> None:
        """The training is over: let go of the model."""
        self._title = self.title
        self.open = False
        self.model = self.optimizer = self.watched = None
        self._parameters, self._measured, self._group = [], [], {}

    # ------------------------------------------------------------------ being read

    @property
    def title(self) -> str:
        """The watched number: ``0.weight[3, 5]``."""
        if not self.open:
            return self._title
        at = np.unravel_index(self.place, self.watched._array.shape)
        return f"{self.name}[{', '.join(map(str, at))}]" if at else self.name

    def gradient_norms(self) -> dict[str, list[float]]:
        """By parameter, one number for each of ``norm_steps``."""
        count = len(self.norm_steps)
        return {n: v.tolist() + [nan] * (count - len(v)) for n, v in self.norms.items()}

    def snapshot(self, live: bool) -> dict[str, Any]:
        """The course so far, bounded (``Course`` in ``training.ts``)."""
        most = LIVE if live else POINTS
        events = list(self.events)[-8 if live else -KEPT :]
        first = self.made - len(events) + 1
        steps, centres = range(1, len(self.losses) + 1), MEANS // 2 if live else MEANS
        wide, wider = window(len(steps), 1), window(len(steps), self._every)
        notes = list(self.notes.values())
        if self.odd is not None:
            step, value = self.odd
            notes.insert(0, f"The loss is {number(value)} since step {step:,}.")
        return {
            "parameter": self.title,
            "steps": len(self.losses),
            "notes": notes,
            "loss": thin(self.losses, steps, most),
            "loss_mean": means(self.losses, steps, wide, centres),
            "windows": [wide, wider],
            "norms": [
                {
                    "name": name,
                    "points": thin(values, self.norm_steps, most),
                    "mean": means(values, self.norm_steps, wider, centres),
                }
                for name, values in list(self.norms.items())[:LAYERS]
            ],
            "events": [as_data(n, event) for n, event in enumerate(events, first)],
        }


def as_data(n: int, event: Event) -> dict[str, Any]:
    """An event for the page (``TrainingEvent`` in ``training.ts``)."""
    kind, step, value, grad, loss, passes, before, rate = event
    plainly = False
    rate = None if rate is None else float(rate)
    if before is not None and grad is not None and rate is not None:
        off = abs(before - rate * grad - value)  # a float32 has seven digits
        plainly = off <= 1e-3 * abs(rate * grad) + 2e-7 * abs(before) and value != before
    return {
        "n": n, "kind": kind, "step": step, "value": short(value), "grad": short(grad),
        "loss": short(loss), "passes": passes, "before": short(before), "rate": short(rate),
        "plain": plainly,
    }  # fmt: skip


def short(value: float | None) -> Any:
    """A number with the digits of a float32, as JSON can carry it."""
    return None if value is None else plain(rounded(value))


def thin(values: Sequence[float], at: Sequence[int], most: int) -> list[list[Any]]:
    """A curve as pairs of step and value: at most so many, among them all that stands out.

    ``at`` has the step of each value.
    """
    curve = np.array(values)
    steps = np.arange(len(curve))
    if len(curve) > most:
        width = -(-len(curve) // ((most - 4) // 2))
        padded = np.full(-(-len(curve) // width) * width, np.nan)
        padded[: len(curve)] = curve
        parts = padded.reshape(-1, width)
        known = np.isfinite(parts)
        starts = np.arange(len(parts)) * width
        low = np.where(known, parts, np.inf).argmin(1) + starts
        high = np.where(known, parts, -np.inf).argmax(1) + starts
        odd = np.flatnonzero(~np.isfinite(curve))[:1]
        steps = np.unique(np.concatenate([low, high, odd, [0, len(curve) - 1]]))
    return [[at[int(step)], short(float(curve[step]))] for step in steps]


def window(steps: int, apart: int) -> int:
    """Over how many steps a curve is averaged; 0 where it need not be.

    Some two hundredths of the training, and wide enough for six numbers that lie so far apart.
    """
    found = next(size for size in WINDOWS if size >= max(steps / 50, 6 * apart))
    return found if steps >= max(SMOOTHED, 5 * found) else 0


def means(values: Sequence[float], at: Sequence[int], size: int, most: int) -> list[list[Any]]:
    """Centred means over ``size`` steps, as pairs of the middle step and the mean.

    Only where the whole window lies in the training; NaN where less than half of it is finite.
    ``at`` has the step of each value.
    """
    if size == 0 or len(values) == 0:
        return []
    curve, steps, half = np.array(values), np.array(at)[: len(values)], size // 2
    if steps[-1] - steps[0] + 1 < size:
        return []
    middle = np.unique(np.linspace(steps[0] + half, steps[-1] - half, most).round().astype(int))
    starts = np.searchsorted(steps, middle - half)
    counts = np.searchsorted(steps, middle + half, "right") - starts
    ends = np.stack([starts, starts + counts], 1).ravel()
    known = np.isfinite(curve)
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        total = np.add.reduceat(np.append(np.where(known, curve, 0.0), 0.0), ends)[::2]
        finite = np.add.reduceat(np.append(known, False).astype(int), ends)[::2]
        mean = np.where((counts > 0) & (2 * finite >= counts), total / finite, np.nan)
    return [[int(step), short(float(one))] for step, one in zip(middle, mean, strict=True)]


def trained(optimizer: Any) -> list[Any]:
    """The parameters that an optimiser moves."""
    groups = () if optimizer is None else optimizer.param_groups
    return [parameter for group in groups for parameter in group["params"]]


def group_of(optimizer: Any, parameter: Any) -> dict[str, Any]:
    """The optimiser's group with a parameter; empty if there is none."""
    for group in () if optimizer is None else optimizer.param_groups:
        if any(one is parameter for one in group["params"]):
            found: dict[str, Any] = group
            return found
    return {}


def place_of(parameter: Any, name: str, index: Any) -> int:
    """Where a number lies in its parameter, counted through."""
    shape = parameter._array.shape
    if parameter._array.size == 0:
        raise ValueError(f"{name} is empty: there is no number to watch")
    at = () if index is None else index if isinstance(index, tuple) else (index,)
    try:
        return int(np.arange(parameter._array.size).reshape(shape)[at or (0,) * len(shape)])
    except (IndexError, TypeError):
        text = f"index {index} does not choose one number of {name}, whose shape is {shape}"
        raise ValueError(text) from None
