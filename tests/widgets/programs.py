"""Small programs that are stepped through, and a page that talks to their views."""

from __future__ import annotations

import json

import minigrad as torch


def taxi(rate):
    ride = rate * 3
    fare = ride + 4
    error = fare - 13
    return error**2


def published(a, b):
    c = a + b
    d = b + 1
    return c * d


def reused(x):
    y = x * x
    return y + x


def folded(a, n):
    if a > 1.05:
        a = a * 2
    while n > 0:
        a = a * a
        n = n - 1
    return a


def kink(a):
    return torch.relu(a) * 3


def endless(a):
    while a < 2:
        a = a * 2
    return a


def traits(view, **more):
    """What the page gets of a stepper."""
    data = {"schedule": view.schedule, "run": view.run, **more}
    return json.loads(json.dumps(data, allow_nan=False))


class Kernel:
    """Answers what a page has sent, as the kernel does."""

    def __init__(self, page, view):
        self.page = page
        self.view = view
        self.answered = 0

    def answer(self):
        """Let the view hear what is new, and show the page what it makes of it."""
        sent = self.page.evaluate("() => mg.sent")
        for message in sent[self.answered :]:
            self.view._asked(self.view, message, [])
        self.answered = len(sent)
        for name, value in traits(self.view).items():
            self.page.evaluate("([name, value]) => mg.set(name, value)", [name, value])
