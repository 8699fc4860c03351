"""What happened in a training loop, as plain data: the source of ``TrainingLoop``.

A ``Record`` is told of each forward pass, backward pass, step and clearing of gradients. What is
on the way of a running program only notes a few numbers; ``snapshot`` makes something of them.
"""

from __future__ import annotations

import time
from array import array
from collections import deque
from collections.abc import Callable, Iterator
from math import inf, nan, sqrt
from typing import Any

import numpy as np
from numpy import vdot

from minigrad.lesson.progress import Progress
from minigrad.tape.values import number

from .training_curves import means, short, thin, window

clock = time.perf_counter
KEPT = 200  # events kept in detail: the last fifty steps of four
OPENING = 10  # steps whose events are kept besides, from the first on
POINTS = 1000  # of a curve, at most
LIVE = 160  # the same while the training runs
LAYERS = 40  # parameters whose norms are sent
FIRST = 50  # steps of which all norms are taken; later, those of every eighth
MEANS = 150  # of a curve, at most
AT_ONCE = 25_000  # numbers of a model for which that holds; of larger ones, more seldom

Event = tuple[str, int, float, float | None, float | None, int, float | None, Any]
"""Kind, step, value, grad, loss, passes since the last clearing; a step: value before, rate."""


class Record:
    """The course of one training: losses, norms of gradients, and one number in detail.

    ``parameter`` and ``index`` choose the number. Without an index it is the one that has the
    largest gradient in the first backward pass. Raises ValueError if there is none such.
    """

    def __init__(self, model: Any, optimizer: Any, parameter: str | None, index: Any) -> None:
        self.model = model
        self.optimizer = optimizer
        named = dict(model.named_parameters())
        if parameter is None:
            moved = {id(p) for p in trained(optimizer)} or set(map(id, named.values()))
            parameter = next((name for name, p in named.items() if id(p) in moved), None)
        if parameter is None and named:
            raise ValueError(
                "the optimizer moves none of the model's parameters: is it that of another model, "
                "or of this one before its parameters were replaced? Make it of model.parameters()"
            )
        if parameter is None or parameter not in named:
            known = ", ".join(named) or "none"
            which = "" if parameter is None else f" {parameter!r}"
            raise ValueError(f"the model has no parameter{which} to watch; it has: {known}")
        self.name = parameter
        self.watched = named[parameter]
        self.chosen = index is not None
        self.begun = False  # has the number had a gradient in this training?
        self.place = place_of(self.watched, parameter, index)
        self._shape = self.watched._array.shape
        self.open = True
        self.show: Callable[[], None] = lambda: None  # brings the page up to date
        self.due = inf  # when it is time for that
        self.slow = True  # do steps take so long that each event is worth showing?
        self.busy = self.interrupted = False  # within a step; and was it to be interrupted?
        self.progress = Progress()
        self.losses: list[float] = []  # of each step
        self.alone: list[float] = []  # of each pass, from the second on, before the first step
        self.empty: list[int] = []  # the steps without a backward pass since the last
        self.norm_steps = array("q")
        self.norms: dict[str, array[float]] = {}
        self.events: deque[Event] = deque(maxlen=KEPT)
        self.opening: list[Event] = []  # those of the first steps
        self.made = 0  # events so far
        self.passes = 0  # backward passes since the gradients were last cleared
        self.cleared = False  # were they ever?
        self.odd: tuple[int, float] | None = None  # the first step whose loss was not finite
        self.notes: dict[str, str] = {}
        self._loss: float | None = None  # of the passes since the last step
        self._parameters: list[tuple[str, Any]] = []
        self._measured: list[tuple[Any, Any]] = []  # where each parameter's norms go
        self._group: dict[str, Any] = {}
        self._every = 1
        self.look_again()
        self._seen = self._read()
        self._before: Any = self._seen[1]  # the gradient at the beginning; ...: nobody knows

    # ------------------------------------------------------------------ being told

    def _read(self) -> tuple[float, float | None]:
        """The number and its gradient now."""
        try:
            grad = self.watched._grad
            return (
                self.watched._array.item(self.place),
                None if grad is None else grad._array.item(self.place),
            )
        except IndexError:
            return self._lost()

    def _lost(self) -> tuple[float, None]:
        """The parameter has become smaller, and the number is gone: its last value stays."""
        self.notes["gone"] = (
            f"{self.title} is gone: {self.name} is smaller now (noticed at step "
            f"{len(self.losses):,}). The number shown is the last it had."
        )
        value = self._seen[0]
        self.watched = Last(np.broadcast_to(value, self._shape))
        self._group = {}
        return value, None

    def _note(
        self,
        kind: str,
        step: int,
        loss: float | None = None,
        before: float | None = None,
        rate: Any = None,
    ) -> None:
        try:
            grad = self.watched._grad
            value = self.watched._array.item(self.place)
            grad = None if grad is None else grad._array.item(self.place)
        except IndexError:
            value, grad = self._lost()
        self._seen = value, grad
        self.made += 1
        self.events.append((kind, step, value, grad, loss, self.passes, before, rate))

    def forward(self) -> None:
        """The model was called, and the call recorded."""
        try:
            grad = self.watched._grad
            value = self.watched._array.item(self.place)
            grad = None if grad is None else grad._array.item(self.place)
        except IndexError:
            value, grad = self._lost()
        if (value, grad) != self._seen:
            self.glance()
        self.made += 1
        step = len(self.losses) + 1
        self.events.append(("forward", step, value, grad, None, self.passes, None, None))
        if self.slow and clock() > self.due:
            self.show()

    def passed(self, roots: tuple[Any, ...], over: bool) -> None:
        """A backward pass begins, or is over; see ``backward.listeners``."""
        if not over:
            if self.watched._grad is None and self._seen[1] is not None:
                self.glance()
            return
        loss = 0.0
        for root in roots:
            values = root._array
            loss += values.item() if isinstance(values, np.generic) else float(values.sum())
        if self._loss is None:
            self._loss = loss
        else:
            self._again(loss, self._loss)
        self.passes += 1
        if not self.begun:
            self._begin()
        self._note("backward", len(self.losses) + 1, loss)
        if self.slow and clock() > self.due:
            self.show()

    def passed_by_hand(self, roots: tuple[Any, ...], over: bool) -> None:
        """The same without an optimiser: a step is noticed when its gradients are gone, perhaps."""
        self.passed(roots, over)
        step = len(self.losses) + 1
        if over and step > 1 and (step <= FIRST or not step % self._every):
            self._forget(step)
            self.measure(step)

    def _again(self, loss: float, sum_: float) -> None:
        """One more backward pass since the last step, or before the first one."""
        self._loss = loss + sum_ if self.passes else loss  # those that were cleared do not count
        if self.losses:
            return
        self.alone += [loss] if self.alone else [sum_, loss]
        count = len(self.alone)
        self._keep_opening(count)
        if count <= FIRST or not count % self._every:
            self.measure(count)

    def _keep_opening(self, step: int) -> None:
        """Keep the events so far, if they are those of the first steps."""
        if step <= OPENING + 1 and self.made <= KEPT:
            self.opening = list(self.events)

    def _begin(self) -> None:
        """The number has its first gradient. Unless it was chosen, watch the largest one."""
        grad = self.watched._grad
        if grad is None:
            return
        self.begun = True
        if not self.losses and not self.alone:
            self.measure(1)
        if self.chosen:
            return
        self.chosen = True
        self._before = None if self._before is None else ...
        sizes = np.abs(np.nan_to_num(grad._array))
        self.place = int(sizes.argmax())
        value = self.watched._array.item(self.place)  # no step has changed it yet
        self.events = deque(((*e[:2], value, *e[3:]) for e in self.events), maxlen=KEPT)
        self.opening = [(*e[:2], value, *e[3:]) for e in self.opening]

    def value(self) -> float:
        """The watched number now."""
        try:
            found: float = self.watched._array.item(self.place)
        except IndexError:
            found, _ = self._lost()
        return found

    def stepped(self, before: float) -> None:
        """A step is over; the number was ``before``."""
        loss = self._loss
        self.losses.append(nan if loss is None else loss)
        self.progress.steps += 1
        step = len(self.losses)
        if step <= FIRST:
            self._keep_opening(step)
            self.measure(step)
        elif not step % self._every:
            self.measure(step)
        if loss is None:
            self.empty.append(step)
        elif loss - loss != 0 and self.odd is None:
            self.odd = step, loss
        self._note("step", step, loss, before, self._group.get("lr"))
        self._loss = None
        if clock() > self.due:
            self.show()

    def zeroed(self) -> None:
        """The gradients were cleared."""
        self.passes = 0
        self.cleared = True
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
                    "hand", f"{self.title} was changed by something else than this optimizer."
                )
                self._seen = value, grad
        if cleared:
            self.zeroed()

    def measure(self, step: int) -> None:
        """Take the norm of each parameter's gradient; NaN where there is none."""
        if self.norm_steps and self.norm_steps[-1] >= step:
            if self.optimizer is None and self.norm_steps[-1] == step:
                return  # taken when there was a gradient
            self._forget(step)
        self.norm_steps.append(step)
        for append, parameter in self._measured:
            grad = parameter._grad
            append(nan if grad is None else sqrt(vdot(grad._array, grad._array)))  # never warns

    def _forget(self, step: int) -> None:
        """Forget the norms of this step and later ones: they were of passes before it."""
        while self.norm_steps and self.norm_steps[-1] >= step:
            self.norm_steps.pop()
        for values in self.norms.values():
            del values[len(self.norm_steps) :]

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
            self._shape = now._array.shape
            self._group = group_of(self.optimizer, now)
            self._seen = self._read()

    def release(self) -> None:
        """The training is over: let go of the model."""
        self._title = self.title
        self.open = False
        self.model = self.optimizer = self.watched = None
        self._parameters = []
        self._measured = []
        self._group = {}

    # ------------------------------------------------------------------ being read

    @property
    def title(self) -> str:
        """The watched number: ``0.weight[3, 5]``."""
        if not self.open:
            return self._title
        at = np.unravel_index(self.place, self._shape)
        return f"{self.name}[{', '.join(map(str, at))}]" if at else self.name

    def gradient_norms(self) -> dict[str, list[float]]:
        """By parameter, one number for each of ``norm_steps``."""
        count = len(self.norm_steps)
        return {n: v.tolist() + [nan] * (count - len(v)) for n, v in self.norms.items()}

    def by_pass(self) -> list[float]:
        """The loss of each backward pass, as long as there was no step; else nothing."""
        if self.losses:
            return []
        return self.alone or ([] if self._loss is None else [self._loss])

    def first_losses(self) -> list[tuple[int, float]]:
        """Of the first steps, the losses of all backward passes, each with the step."""
        events = (event for event in self.opening if event[0] == "backward")
        return [(step, loss or 0.0) for _, step, _, _, loss, *_ in events]

    def reached(self) -> str:
        """How many steps there were; of a loop that takes none, how many backward passes."""
        passes = len(self.by_pass())
        if passes:
            return f"{counted(passes, 'backward pass')}, no step"
        return counted(len(self.losses), "step")

    def never(self) -> list[str]:
        """The calls that surely never came, though there was something for them to do."""
        if self.optimizer is None or not self.made:
            return []
        unread = self._loss is None and not self.alone and len(self.empty) == len(self.losses)
        kinds = {
            "zero": not self.cleared and self.passes > 1,
            "backward": unread,
            "step": not self.losses,
        }
        return [kind for kind, missing in kinds.items() if missing]

    def remarks(self, live: bool) -> list[str]:
        """What is odd about this training; while it runs, without what changes all the time."""
        odd = [] if self.odd is None else [since("step", *self.odd)]
        faults = [] if live else [*self._without_step(), *self._without_pass(), *self._uncleared()]
        return odd + faults + list(self.notes.values())

    def _without_step(self) -> Iterator[str]:
        passes = self.by_pass()
        if passes:
            idle = "step() was never called: this optimizer has moved no weight."
            yield idle if self.optimizer is not None else f"{self.title} has never changed."
            odd = next((n for n, loss in enumerate(passes, 1) if loss - loss != 0), None)
            if odd is not None:
                yield since("backward pass", odd, passes[odd - 1])
        elif self.made and not self.losses:
            yield "The model was called, but neither backward() nor step()."

    def _without_pass(self) -> Iterator[str]:
        steps = len(self.losses)
        empty = len(self.empty)
        if empty == steps > 0 and self._loss is None:
            idle = "no grad, so step() moved nothing"
            if any(parameter._grad is not None for _, parameter in self._parameters):
                idle = "step() used what was in grad before"
            yield f"No backward pass in {counted(steps, 'step')}: {idle}."
        elif empty:
            first = self.empty[0]
            before = "before any backward pass"
            if first > 1:
                before = f"without a backward pass since step {first - 1:,}"
            more = f" (so did {empty - 1:,} more of {steps:,})" if empty > 1 else ""
            yield f"Step {first:,} came {before}{more}."

    def _uncleared(self) -> Iterator[str]:
        if self.cleared and self.optimizer is not None:
            kept = (event for *_, event in self.kept(False))
            early = (e[1] for e in kept if e[0] == "step" and not e[5] and e[4] is not None)
            for step in early:
                yield f"Step {step:,} came after zero_grad() had cleared its gradients."
                break
        elif not self.cleared and self.passes > 1 < len(self.losses):
            yield (
                "grad was never cleared (zero_grad): each step used the sum of all passes so far, "
                f"{self.passes:,} at the end."
            )

    def kept(self, live: bool) -> list[tuple[int, int, Event]]:
        """The events that are kept: each with its number, and that of its step.

        Where there was no step, backward passes are counted instead.
        """
        last = list(self.events)[-8 if live else -KEPT :]
        first = self.made - len(last) + 1
        passes = len(self.by_pass())
        tail = []
        at = passes + 1
        for n, event in reversed(list(enumerate(last, first))):
            at -= event[0] == "backward"
            tail.append((n, at if passes else event[1], event))
        head = []
        at = 1
        for n, event in enumerate([] if live else self.opening, 1):
            if n < first and (at if passes else event[1]) <= OPENING:
                head.append((n, at if passes else event[1], event))
            at += event[0] == "backward"
        return head + tail[::-1]

    def snapshot(self, live: bool) -> dict[str, Any]:
        """The course so far, bounded (``Course`` in ``training.ts``)."""
        most = LIVE if live else POINTS
        passes = self.by_pass()
        losses = passes or self.losses
        steps = range(1, len(losses) + 1)
        centres = MEANS // 2 if live else MEANS
        wide = window(len(steps), 1)
        wider = window(len(steps), self._every)
        none = set(self.empty)
        known = losses if not none else [x for n, x in enumerate(losses, 1) if n not in none]
        at = steps if not none else [n for n in steps if n not in none]
        events = []
        grads = {0: self._before}
        for n, step, event in self.kept(live):
            events.append(as_data(n, step, event, grads.get(n - 1, ...)))
            grads[n] = event[3]
        return {
            "parameter": self.title,
            "unit": "pass" if passes else "step",
            "steps": len(losses),
            "notes": self.remarks(live),
            "never": [] if live else self.never(),
            "loss": thin(known, at, most) if known else [],
            "loss_mean": means(losses, steps, wide, centres) if known else [],
            "windows": [wide, wider],
            "norms": [
                {
                    "name": name,
                    "points": thin(values, self.norm_steps, most),
                    "mean": means(values, self.norm_steps, wider, centres),
                }
                for name, values in list(self.norms.items())[:LAYERS]
            ],
            "events": events,
        }


class Last:
    """Stands for a parameter whose number is gone."""

    _grad = None

    def __init__(self, array: Any) -> None:
        self._array = array


def as_data(n: int, step: int, event: Event, old: Any) -> dict[str, Any]:
    """An event for the page (``TrainingEvent`` in ``training.ts``).

    ``old`` is the gradient before it, or ``...`` where it is not known.
    """
    kind, _, value, grad, loss, passes, before, rate = event
    plainly = False
    rate = None if rate is None else float(rate)
    if before is not None and grad is not None and rate is not None:
        off = abs(before - rate * grad - value)  # a float32 has seven digits
        plainly = off <= 1e-3 * abs(rate * grad) + 2e-7 * abs(before) and value != before
    return {
        "n": n,
        "kind": kind,
        "step": step,
        "value": short(value),
        "grad": short(grad),
        "loss": short(loss),
        "passes": passes,
        "before": short(before),
        "rate": short(rate),
        "plain": plainly,
        **({} if kind != "backward" or old is ... else {"old": short(old)}),
    }


def since(what: str, first: int, loss: float) -> str:
    return f"The loss is {number(loss)} since {what} {first:,}."


def counted(count: int, word: str) -> str:
    """``1 step``, ``1,350 steps``, ``2 backward passes``."""
    return f"{count:,} {word}{'' if count == 1 else 'es' if word.endswith('s') else 's'}"


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
