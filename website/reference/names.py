"""Which names are public, where they are offered, and which of them are one thing."""

from __future__ import annotations

import functools
import importlib
import inspect
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

ROOT = Path(__file__).resolve().parents[2]

SPACES = (
    "minigrad",
    "minigrad.nn",
    "minigrad.nn.functional",
    "minigrad.nn.init",
    "minigrad.nn.utils",
    "minigrad.nn.utils.rnn",
    "minigrad.optim",
    "minigrad.optim.lr_scheduler",
    "minigrad.autograd",
    "minigrad.autograd.functional",
    "minigrad.autograd.graph",
    "minigrad.linalg",
    "minigrad.utils.checkpoint",
    "minigrad.utils.data",
    "minigrad.datasets",
    "minigrad.tape",
    "minigrad.lesson",
    "minigrad_widgets",
    "minigrad_widgets.plots",
)
"""The public modules, in the order of the reference's first page."""

OWN = ("minigrad.datasets", "minigrad.tape", "minigrad.lesson", "minigrad_widgets")
"""Those of which PyTorch has nothing."""

OWN_NAMES = ("explain", "install_as_torch")
"""So it is with these of ``minigrad`` itself."""


@dataclass(frozen=True)
class Name:
    """One public name, as a program writes it."""

    space: str  # "minigrad.nn"
    short: str  # "Linear"

    @property
    def full(self) -> str:
        return f"{self.space}.{self.short}"

    @property
    def value(self) -> Any:
        return getattr(importlib.import_module(self.space), self.short)


def names_of(space: str) -> list[Name]:
    """The public names of a module, in its own order; modules in it are not among them.

    They are what its ``__all__`` says. Where there is none: what PyTorch's module has of that
    name, what names its counterpart, and what is a constant of ``minigrad`` itself.
    """
    module = importlib.import_module(space)
    listed = getattr(module, "__all__", None)
    names = listed or [name for name in vars(module) if is_public(space, name, module)]
    return [Name(space, n) for n in names if not isinstance(getattr(module, n), ModuleType)]


def is_public(space: str, name: str, module: ModuleType) -> bool:
    if name.startswith("_"):
        return False
    value = getattr(module, name)
    if not is_thing(value):
        return space == "minigrad"
    if name in pytorchs_names(space) or (space == "minigrad" and name in OWN_NAMES):
        return True
    written_here = getattr(value, "__module__", "").startswith(f"{space}.") or space == "minigrad"
    return written_here and "Counterpart" in (value.__doc__ or "")


def is_thing(value: Any) -> bool:
    """Does it get a page of its own: is it a function or a class?"""
    return inspect.isclass(value) or inspect.isroutine(value)


def pytorchs_names(space: str) -> dict[str, Any]:
    """What PyTorch's module of this name offers, as docs/coverage.py has recorded it."""
    found: dict[str, Any] = recorded().get(space.replace("minigrad", "torch", 1), {})
    return found


@functools.cache
def recorded() -> dict[str, Any]:
    file = ROOT / "docs" / "pytorch_names.json"
    names: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))["names"]
    return names


def all_names() -> Iterator[Name]:
    """Every public name of every public module."""
    for space in SPACES:
        yield from names_of(space)


def things() -> list[list[Name]]:
    """The names that get a page: in a row those that are one thing, the one it is called first.

    That is the name that its counterpart has in PyTorch, if there is one.
    """
    rows: dict[int, list[Name]] = {}
    for name in all_names():
        if is_thing(name.value):
            rows.setdefault(id(name.value), []).append(name)
    return [sorted(row, key=lambda name: not is_named_as_in_pytorch(name)) for row in rows.values()]


def is_named_as_in_pytorch(name: Name) -> bool:
    there = name.full.replace("minigrad", "torch", 1)
    return f"Counterpart: ``{there}``" in (name.value.__doc__ or "")


def constants() -> list[Name]:
    """The names of ``minigrad`` itself that are values: dtypes, numbers."""
    return [name for name in names_of("minigrad") if not is_thing(name.value)]
