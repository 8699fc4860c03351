"""What an attempt may change by accident for the whole kernel, and what is put back after it."""

from __future__ import annotations

import builtins
import os
import random
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

import numpy as np

from .._printing import OPTIONS
from ..autograd.anomaly import is_anomaly_check_nan_enabled, is_anomaly_enabled, switch
from ..dtypes import get_default_dtype, set_default_dtype
from ..engine.modes import mode
from ..ops.random import get_rng_state, set_rng_state
from ..tape.notice import Notices

MOST_LETTERS = 20_000  # that an attempt may print: a page with millions of them stands still
BUILTINS = vars(builtins)
SHELLS = {"get_ipython", "exit", "quit", "_"}
"""Builtins that IPython itself sets and removes around each cell. An attempt may be under way in
another thread than the cell (a widget's message is), so these are never the attempt's to restore.
"""


def grad_mode() -> tuple[Any, ...]:
    return mode.recording, mode.packing, mode.inference, mode.raw


def set_grad_mode(before: tuple[Any, ...]) -> None:
    mode.recording, mode.packing, mode.inference, mode.raw = before


def set_anomaly(before: tuple[bool, bool]) -> None:
    switch(*before)


def end_notices(before: Notices | None) -> None:
    if Notices.active is not None and Notices.active is not before:
        Notices.active.stop()


def set_streams(before: tuple[Any, Any]) -> None:
    sys.stdout, sys.stderr = before


def folder() -> str:
    with suppress(OSError):  # somebody has removed it
        return os.getcwd()
    return ""


def set_folder(before: str) -> None:
    if before != folder():
        with suppress(OSError):
            os.chdir(before)


SETTINGS: tuple[tuple[Callable[[], Any], Callable[[Any], Any]], ...] = (
    (grad_mode, set_grad_mode),
    (get_default_dtype, set_default_dtype),
    (lambda: (is_anomaly_enabled(), is_anomaly_check_nan_enabled()), set_anomaly),
    (lambda: Notices.active, end_notices),
    (lambda: dict(OPTIONS), OPTIONS.update),
    (get_rng_state, set_rng_state),
    (random.getstate, random.setstate),
    (lambda: np.random.get_state(), lambda before: np.random.set_state(before)),
    (np.geterr, lambda before: np.seterr(**before)),
    (np.get_printoptions, lambda before: np.set_printoptions(**before)),
    (sys.getrecursionlimit, sys.setrecursionlimit),
    (lambda: (sys.stdout, sys.stderr), set_streams),
    (folder, set_folder),
)
"""How each is read, and how it is put back."""


@contextmanager
def settings_kept() -> Iterator[None]:
    """Whatever is set inside the block is as before behind it, also if the block is stopped.

    Inside, operations are recorded, whatever is so outside.
    """
    names = BUILTINS.copy()
    before = [read() for read, _ in SETTINGS]
    try:
        with warnings.catch_warnings():
            set_grad_mode((True, None, False, False))
            yield
    finally:
        # first, since all that follows needs them
        BUILTINS.update({name: names[name] for name in names.keys() - SHELLS})
        for name in BUILTINS.keys() - names.keys() - SHELLS:
            del BUILTINS[name]
        for (_, put_back), value in zip(SETTINGS, before):
            put_back(value)


@contextmanager
def little_printed() -> Iterator[None]:
    """Only so much is printed inside the block; the rest is left out, and that is said."""
    sys.stdout, sys.stderr = before = Sparing(sys.stdout), Sparing(sys.stderr)
    try:
        yield
    finally:
        sys.stdout, sys.stderr = (one.stream for one in before)


class Sparing:
    """A stream that stops writing after so many letters."""

    def __init__(self, stream: Any) -> None:
        self.stream = stream
        self.left = MOST_LETTERS

    def write(self, text: str) -> int:
        if self.left > 0:
            self.stream.write(text[: self.left])
            self.left -= len(text)
            if self.left <= 0:
                self.stream.write("\n… (it prints more, which is left out)\n")
        return len(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)
