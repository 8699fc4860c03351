"""The course of a training as the page gets it, and what is odd about it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from math import isfinite
from typing import Any

from minigrad.tape.values import number

from .curves import means, short, thin, window
from .record import OPENING, Event, Record
from .words import counted

POINTS = 1000  # of a curve, at most
LIVE = 160  # the same while the training runs
LAYERS = 40  # parameters whose norms are sent
MEANS = 150  # of a curve, at most


def never(record: Record) -> list[str]:
    """The calls that surely never came, though there was something for them to do."""
    if record.optimizer is None or not record.made:
        return []
    missing = []
    if not record.cleared and record.passes > 1:
        missing.append("zero")
    if record.all_passes == 0:
        missing.append("backward")
    if not record.losses:
        missing.append("step")
    return missing


def remarks(record: Record, live: bool) -> list[str]:
    """What is odd about this training; while it runs, without what changes all the time."""
    odd = []
    if record.odd is not None:
        odd.append(since("step", *record.odd))
    if not live:
        odd += [*without_step(record), *without_pass(record), *uncleared(record)]
    return [*odd, *record.notes.values(), *record.mistakes()]


def without_step(record: Record) -> Iterator[str]:
    passes = record.by_pass()
    if passes:
        if record.optimizer is None:
            yield f"{record.title} has never changed."
        else:
            yield "step() was never called: this optimizer has moved no weight."
        odd = (since("backward pass", n, x) for n, x in enumerate(passes, 1) if not isfinite(x))
        yield from islice(odd, 1)
    elif record.made and not record.losses:
        yield "The model was called, but neither backward() nor step()."


def without_pass(record: Record) -> Iterator[str]:
    steps = len(record.losses)
    empty = len(record.empty)
    if empty == steps > 0 and record.open_loss is None:
        yield f"No backward pass in {counted(steps, 'step')}: {used_instead(record)}."
    elif empty:
        first = record.empty[0]
        before = "before any backward pass"
        if first > 1:
            before = f"without a backward pass since step {first - 1:,}"
        more = ""
        if empty > 1:
            more = f" (so did {empty - 1:,} more of {steps:,})"
        yield f"Step {first:,} came {before}{more}."


def used_instead(record: Record) -> str:
    """What the steps of a training without a backward pass have used."""
    norms = [values.tolist() for values in record.norms.values()]
    if any(len({*map(repr, values)}) > 1 for values in norms):
        return "step() used gradients that something else than backward() had put into grad"
    left = any(parameter.grad is not None for _, parameter in record.parameters)
    if left or any(norm == norm for values in norms for norm in values):
        return "step() used what was in grad before"
    return "no grad, so step() moved nothing"


def uncleared(record: Record) -> Iterator[str]:
    if record.cleared and record.optimizer is not None:
        for *_, event in detailed(record, live=False):
            if event.kind == "step" and not event.passes and event.loss is not None:
                yield f"Step {event.step:,} came after zero_grad() had cleared its gradients."
                break
    elif not record.cleared and record.passes > 1 < len(record.losses):
        yield (
            "grad was never cleared (zero_grad): each step used the sum of all passes so far, "
            f"{record.passes:,} at the end."
        )


def detailed(record: Record, live: bool) -> list[tuple[int, int, Event]]:
    """The events that are told one by one: each with its number, and that of its step.

    Where there was no step, backward passes are counted instead.
    """
    last = list(record.events)
    opening = record.opening
    if live:
        last = last[-8:]
        opening = []
    first = record.made - len(last) + 1
    by_pass = bool(record.by_pass())

    def numbered(events: list[Event], start: int) -> Iterator[tuple[int, int, Event]]:
        for n, event in enumerate(events, start):
            yield n, event.leads_to if by_pass else event.step, event

    head = [one for one in numbered(opening, 1) if one[0] < first and one[1] <= OPENING]
    return [*head, *numbered(last, first)]


def snapshot(record: Record, live: bool) -> dict[str, Any]:
    """The course so far, bounded (``Course`` in ``training.ts``)."""
    most = LIVE if live else POINTS
    centres = MEANS // 2 if live else MEANS
    passes = record.by_pass()
    losses = passes or record.losses
    steps = range(1, len(losses) + 1)
    wide = window(len(steps), 1)
    wider = window(len(steps), record.every)
    none = set(record.empty)
    at = [n for n in steps if n not in none] if none else steps
    known = [losses[n - 1] for n in at] if none else losses
    return {
        "parameter": record.title,
        "unit": "pass" if passes else "step",
        "steps": len(losses),
        "notes": remarks(record, live),
        "never": [] if live else never(record),
        "loss": thin(known, at, most) if known else [],
        "loss_mean": means(losses, steps, wide, centres) if known else [],
        "windows": [wide, wider],
        "norms": [
            {
                "name": name,
                "points": thin(values, record.norm_steps, most),
                "mean": means(values, record.norm_steps, wider, centres),
            }
            for name, values in list(record.norms.items())[:LAYERS]
        ],
        "events": events_as_data(record, live),
    }


def events_as_data(record: Record, live: bool) -> list[dict[str, Any]]:
    """The events for the page; a backward pass with the gradient before it, where it is known."""
    told = []
    grads = {0: record.first_grad}
    for n, step, event in detailed(record, live):
        data = as_data(n, step, event)
        if event.kind == "backward" and grads.get(n - 1, ...) is not ...:
            data["old"] = short(grads[n - 1])
        told.append(data)
        grads[n] = event.grad
    return told


def as_data(n: int, step: int, event: Event) -> dict[str, Any]:
    """An event for the page (``TrainingEvent`` in ``training.ts``)."""
    return {
        "n": n,
        "kind": event.kind,
        "step": step,
        "value": short(event.value),
        "grad": short(event.grad),
        "loss": short(event.loss),
        "passes": event.passes,
        "before": short(event.before),
        "rate": short(event.rate),
        "plain": is_plain(event),
    }


def is_plain(event: Event) -> bool:
    """Was it a step of rate times gradient, and no more?"""
    if event.before is None or event.grad is None or event.rate is None:
        return False
    move = event.rate * event.grad
    off = abs(event.before - move - event.value)
    exact = off <= 1e-3 * abs(move) + 2e-7 * abs(event.before)  # a float32 has seven digits
    return bool(exact and event.value != event.before)


def since(what: str, first: int, loss: float) -> str:
    return f"The loss is {number(loss)} since {what} {first:,}."
