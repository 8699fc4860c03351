"""What happened in a training loop, as plain data: the source of ``TrainingLoop``.

A ``Record`` is told of each forward pass, backward pass, step and clearing of gradients. What is
on the way of a running program only notes a few numbers; ``snapshot`` makes something of them.
"""

from __future__ import annotations

import time
from array import array
from collections import deque
from collections.abc import Callable
from math import inf, nan, sqrt
from typing import Any, NamedTuple

import numpy as np
from numpy import vdot

from minigrad.lesson.progress import Progress

from .library import Library
from .wiring import Wiring, hidden_in, not_of, parameters_of, registered
from .words import counted

clock = time.perf_counter
new = tuple.__new__  # a third of the time that a NamedTuple takes to look at its arguments
DETAILED = 200  # events that are told one by one: the last fifty steps of four
OPENING = 10  # steps whose events are told besides, from the first on
FIRST = 50  # steps of which all norms are taken; later, those of every eighth
AT_ONCE = 25_000  # numbers of a model for which that holds; of larger ones, more seldom

MINIGRAD = Library()


class Event(NamedTuple):
    """One of the four lamps was lit."""

    kind: str  # "zero", "forward", "backward" or "step"
    step: int
    value: float  # of the watched number
    grad: float | None
    loss: float | None = None
    passes: int = 0  # since the gradients were last cleared
    before: float | None = None  # of a step: the number before it
    rate: Any = None  # and the learning rate
    leads_to: int = 1  # the number of the next backward pass, or its own


class Record:
    """The course of one training: losses, norms of gradients, and one number in detail.

    ``parameter`` and ``index`` choose the number. Without an index it is the one that has the
    largest gradient in the first backward pass. Raises ValueError if there is none such.
    """

    def __init__(
        self,
        model: Any,
        optimizer: Any,
        parameter: str | None,
        index: Any,
        variables: dict[str, Any] | None = None,
        library: Library = MINIGRAD,
    ) -> None:
        self.library = library
        self.model = model
        self.optimizer = optimizer
        self.wiring = Wiring(model, optimizer, library)
        named = library.parameters(model)
        held = {id(p) for p in parameters_of(optimizer)} or set(map(id, named.values()))
        moved = [name for name, p in named.items() if id(p) in held]
        if named and not moved and (parameter is None or parameter in named):
            raise ValueError(not_of(model, optimizer, variables or {}))
        if parameter is None and moved:
            free = (name for name in moved if named[name].requires_grad)
            parameter = next(free, moved[0])
        if parameter is None or parameter not in named:
            raise ValueError(no_parameter(model, parameter, named, library))
        self.name = parameter
        self._parameter = named[parameter]
        self.watched = library.numbers(self._parameter)
        self.chosen = index is not None
        self.begun = False  # has the number had a gradient in this training?
        self.place = place_of(self.watched._array, parameter, index)
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
        self.events: deque[Event] = deque(maxlen=DETAILED)
        self.opening: list[Event] = []  # those of the first steps
        self.made = 0  # events so far
        self.passes = 0  # backward passes since the gradients were last cleared
        self.all_passes = 0
        self.cleared = False  # were they ever?
        self.odd: tuple[int, float] | None = None  # the first step whose loss was not finite
        self.notes: dict[str, str] = {}
        self.open_loss: float | None = None  # of the passes since the last step
        self.parameters: list[tuple[str, Any]] = []
        self._measured: list[tuple[Any, Any]] = []  # where each parameter's norms go
        self._group: dict[str, Any] = {}
        self.every = 1
        self.look_again()
        self._seen = self._read()
        self.first_grad: Any = self._seen[1]  # the gradient at the beginning; ...: nobody knows

    # ------------------------------------------------------------------ being told

    def _read(self) -> tuple[float, float | None]:
        """The number and its gradient now."""
        try:
            grad = self.watched._grad
            value = self.watched._array.item(self.place)
            return value, None if grad is None else grad._array.item(self.place)
        except IndexError:
            return self._lost()

    def _lost(self) -> tuple[float, None]:
        """The parameter has become smaller, and the number is gone: its last value stays."""
        self.notes["gone"] = (
            f"{self.title} is gone: {self.name} is smaller now (noticed at step "
            f"{len(self.losses):,}). The number shown is the last it had."
        )
        value = self._seen[0]
        self._parameter = None
        self.watched = Last(np.broadcast_to(value, self._shape))
        self._group = {}
        return value, None

    def _note(
        self,
        kind: str,
        seen: tuple[float, float | None],
        step: int,
        loss: float | None = None,
        before: float | None = None,
        rate: Any = None,
    ) -> None:
        self._seen = seen
        self.made += 1
        told = (kind, step, *seen, loss, self.passes, before, rate, self.all_passes + 1)
        self.events.append(new(Event, told))

    def forward(self) -> None:
        """The model was called, and the call recorded."""
        self.wiring.called = True
        seen = self._read()
        if seen != self._seen:
            self.glance()
        self._note("forward", seen, len(self.losses) + 1)
        if self.slow and clock() > self.due:
            self.show()

    def passed(self, roots: tuple[Any, ...], over: bool) -> None:
        """A backward pass begins, or is over; see ``backward.listeners``."""
        if not over:
            self.wiring.passed(roots)
            if self.watched._grad is None and self._seen[1] is not None:
                self.glance()
            return
        loss = self.library.loss(roots)
        if self.open_loss is None:
            self.open_loss = loss
        else:
            self._again(loss, self.open_loss)
        self.passes += 1
        if not self.begun:
            self._begin()
        self._note("backward", self._read(), len(self.losses) + 1, loss)
        self.all_passes += 1
        if self.slow and clock() > self.due:
            self.show()

    def passed_by_hand(self, roots: tuple[Any, ...], over: bool) -> None:
        """The same without an optimiser: a step is noticed when its gradients are gone, perhaps."""
        self.passed(roots, over)
        step = len(self.losses) + 1
        if over and step > 1 and (step <= FIRST or not step % self.every):
            self._forget(step)
            self.measure(step)

    def _again(self, loss: float, sum_: float) -> None:
        """One more backward pass since the last step, or before the first one."""
        self.open_loss = (
            loss + sum_ if self.passes else loss
        )  # those that were cleared do not count
        if self.losses:
            return
        self.alone += [loss] if self.alone else [sum_, loss]
        count = len(self.alone)
        self._keep_opening(count)
        if count <= FIRST or not count % self.every:
            self.measure(count)

    def _keep_opening(self, step: int) -> None:
        """Keep the events so far, if they are those of the first steps."""
        if step <= OPENING + 1 and self.made <= DETAILED:
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
        self.first_grad = None if self.first_grad is None else ...
        sizes = np.abs(np.nan_to_num(grad._array))
        self.place = int(sizes.argmax())
        value = self.watched._array.item(self.place)  # no step has changed it yet
        events = [event._replace(value=value) for event in self.events]
        self.events = deque(events, maxlen=DETAILED)
        self.opening = [event._replace(value=value) for event in self.opening]

    def value(self) -> float:
        """The watched number now."""
        try:
            found: float = self.watched._array.item(self.place)
        except IndexError:
            found, _ = self._lost()
        return found

    def stepped(self, before: float) -> None:
        """A step is over; the number was ``before``."""
        loss = self.open_loss
        self.losses.append(nan if loss is None else loss)
        self.progress.steps += 1
        step = len(self.losses)
        if step <= FIRST:
            self._keep_opening(step)
            self.measure(step)
        elif not step % self.every:
            self.measure(step)
        if loss is None:
            self.empty.append(step)
        elif loss - loss != 0 and self.odd is None:
            self.odd = step, loss
        rate = self._group.get("lr")
        if rate is not None and type(rate) is not float:
            rate = float(rate)  # a tensor, perhaps, which a scheduler writes to
        self._note("step", self._read(), step, loss, before, rate)
        self.open_loss = None
        if clock() > self.due:
            self.show()

    def zeroed(self) -> None:
        """The gradients were cleared; that of the watched number too, if the optimiser has it."""
        seen = self._read()
        if not seen[1]:
            self.passes = 0
        self.cleared = True
        self._note("zero", seen, len(self.losses) + 1)
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
                self.events.append(event._replace(grad=old_grad))
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
        named = {
            n: p for n, p in self.library.parameters(self.model).items() if p.is_floating_point()
        }
        if [*named] != [name for name, _ in self.parameters]:
            for name in named:
                self.norms.setdefault(name, array("d", [nan] * len(self.norm_steps)))
        for name, values in self.norms.items():
            if name not in named:
                values.extend([nan] * (len(self.norm_steps) - len(values)))
        self.parameters = [*named.items()]
        numbers = self.library.numbers
        self._measured = [(self.norms[n].append, numbers(p)) for n, p in named.items()]
        self.every = 8 + sum(map(self.library.size, named.values())) // AT_ONCE
        now = named.get(self.name)
        self._group = group_of(self.optimizer, self._parameter)
        self.wiring.look(self.model)
        if now is self._parameter:
            return
        at = f"noticed at step {len(self.losses):,}"
        if now is None:
            self.notes["gone"] = (
                f"The model has no {self.name} any more ({at}): "
                "the number shown is that of the parameter it had."
            )
        elif self.library.size(now) > self.place:
            self.notes["gone"] = f"{self.name} is another parameter now ({at})."
            self._parameter = now
            self.watched = numbers(now)
            self._shape = self.watched._array.shape
            self._group = group_of(self.optimizer, now)
            self._seen = self._read()

    def release(self) -> None:
        """The training is over: let go of the model."""
        self._title = self.title
        self.open = False
        self.model = self.optimizer = self._parameter = self.watched = None
        self.wiring.variables = dict
        self.parameters = []
        self._measured = []
        self._group = {}

    # ------------------------------------------------------------------ being read

    @property
    def title(self) -> str:
        """The watched number: ``0.weight[3, 5]``."""
        if not self.open:
            return self._title
        at = np.unravel_index(self.place, self._shape)
        if not at:
            return self.name
        return f"{self.name}[{', '.join(map(str, at))}]"

    def gradient_norms(self) -> dict[str, list[float]]:
        """By parameter, one number for each of ``norm_steps``."""
        count = len(self.norm_steps)
        return {n: v.tolist() + [nan] * (count - len(v)) for n, v in self.norms.items()}

    def mistakes(self) -> list[str]:
        """Where model, optimiser and loss do not belong together."""
        if not self.open:
            return []
        norms = self.norms

        def had_gradient(name: str) -> bool:
            return any(norm == norm for norm in norms.get(name, ()))

        return self.wiring.remarks(self.model, self.optimizer, had_gradient, len(self.losses))

    def by_pass(self) -> list[float]:
        """The loss of each backward pass, as long as there was no step; else nothing."""
        if self.losses:
            return []
        if self.alone or self.open_loss is None:
            return self.alone
        return [self.open_loss]

    def first_losses(self) -> list[tuple[int, float]]:
        """Of the first steps, the losses of all backward passes, each with the step."""
        events = (event for event in self.opening if event.kind == "backward")
        return [(event.step, event.loss or 0.0) for event in events]

    def reached(self) -> str:
        """How many steps there were; of a loop that takes none, how many backward passes."""
        passes = len(self.by_pass())
        if passes:
            return f"{counted(passes, 'backward pass')}, no step"
        return counted(len(self.losses), "step")


class Last:
    """Stands for a parameter whose number is gone."""

    _grad = None

    def __init__(self, array: Any) -> None:
        self._array = array


def no_parameter(model: Any, wanted: str | None, named: dict[str, Any], library: Library) -> str:
    """What to say of a model that has not the parameter to watch, and perhaps none at all."""
    known = ", ".join(named) or "none"
    which = "" if wanted is None else f" {wanted!r}"
    text = f"the model has no parameter{which} to watch; it has: {known}"
    for hidden in hidden_in(model, library)[:1]:
        why, fix = registered(model.get_submodule(hidden.owner), hidden.attribute, library)
        text += f"; {why}\n  fix, in the class: {fix}"
    return text


def group_of(optimizer: Any, parameter: Any) -> dict[str, Any]:
    """The optimiser's group with a parameter; empty if there is none."""
    for group in [] if optimizer is None else optimizer.param_groups:
        if any(one is parameter for one in group["params"]):
            return group
    return {}


def place_of(values: Any, name: str, index: Any) -> int:
    """Where a number lies in its parameter, counted through."""
    shape = values.shape
    if values.size == 0:
        raise ValueError(f"{name} is empty: there is no number to watch")
    if index is None or index == ():
        return 0
    at = index if isinstance(index, tuple) else (index,)
    try:
        return int(np.arange(values.size).reshape(shape)[at])
    except (IndexError, TypeError):
        text = f"index {index} does not choose one number of {name}, whose shape is {shape}"
        raise ValueError(text) from None
