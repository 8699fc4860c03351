"""Copies of a training, as it was when it began: on these experiments run, and on nothing else."""

from __future__ import annotations

import contextlib
import copy
import os
import random
import types
import weakref
from collections.abc import Iterable
from typing import Any

import numpy as np

import minigrad as torch
from minigrad.nn import Module
from minigrad.optim import Optimizer
from minigrad.tape.source import cell_label
from minigrad.utils.data import DataLoader

from .harmless import Names, parts_of

LARGEST = 2_000_000  # numbers in a model of which a copy is made
SHORT = 1000  # values in a list of which a copy is made
PLAIN = (int, float, bool, str, type(None))
GENERATORS = (torch.Generator, random.Random, np.random.Generator, np.random.RandomState)


class Start:
    """Where a training begins: copies of model and optimiser, the random numbers, the place.

    ``variables`` are those of the program that are in sight there. Of the generators among them,
    and of short lists of plain values, there are copies too: runs go on from there.
    """

    def __init__(
        self, model: Module, optimizer: Optimizer, file: str, line: int, variables: Names
    ) -> None:
        self.file = file
        self.line = line
        self.place = (
            f"the `with` block in {cell_label(file) or os.path.basename(file)}, line {line}"
        )
        self.random = random_state()
        self.model: Any = None
        self.optimizer: Any = None
        self.problem = ""
        self._small = [(one, copy.deepcopy(one)) for one in small_things(variables)]
        self._model = weakref.ref(model)
        self._optimizer = weakref.ref(optimizer)
        if sum(p._array.size for p in model.parameters()) > LARGEST:
            self.problem = f"the model has more than {LARGEST:,} numbers: no copy of it was kept"
            return
        try:
            self.model, self.optimizer = copy.deepcopy((model, optimizer))
        except Exception as error:  # the training goes on; it cannot be asked about
            self.problem = f"the model cannot be copied ({type(error).__name__}: {error})"
        self.named = {  # what the program's names for these two stand for
            name: then
            for name, value in variables.items()
            for now, then in ((model, self.model), (optimizer, self.optimizer))
            if value is now
        }

    def pairs(self) -> list[tuple[Any, Any]]:
        """What the training may have changed since, each with the copy of what it was."""
        pairs = list(self._small)
        model = self._model()
        if model is not None:
            pairs += [(model, self.model), *zip(model.parameters(), self.model.parameters())]
        optimizer = self._optimizer()
        if optimizer is not None:
            pairs.append((optimizer, self.optimizer))
        return pairs


def copies_of(start: Start, variables: Names, names: Iterable[str]) -> dict[str, Any]:
    """Copies of what bears these names; ``__model__`` and ``__optimizer__`` are as they were.

    Who holds the model or its parts holds the copy's. The program's own functions find the copies
    as their variables; modules and classes are no copies.
    """
    pairs = start.pairs()
    memo: dict[int, Any] = {}
    model, optimizer = copy.deepcopy((start.model, start.optimizer), memo)
    for now, then in pairs:
        memo[id(now)] = copy.deepcopy(then, memo)
    copied: dict[str, Any] = {"__model__": model, "__optimizer__": optimizer}
    for name in used(names, variables):
        value = variables[name]
        if is_own(value, variables):
            copied[name] = with_variables(value, copied)
        elif is_view(value):
            copied[name] = types.SimpleNamespace(progress=iter, losses=[], gradient_norms={})
        elif isinstance(value, types.ModuleType):
            copied[name] = value
        else:
            with contextlib.suppress(Exception):  # then its name is missing, and said to be so
                copied[name] = copy.deepcopy(value, memo)
    return copied


def used(names: Iterable[str], variables: Names) -> list[str]:
    """These variables, and those that the program's own functions among them use."""
    found = [name for name in names if name in variables]
    for name in found:  # which grows meanwhile
        if is_own(variables[name], variables):
            inside = names_of(variables[name].__code__)
            found += [one for one in inside if one in variables and one not in found]
    return found


def names_of(code: types.CodeType) -> set[str]:
    """The names that a function uses, those in it included."""
    inner = (one for one in code.co_consts if isinstance(one, types.CodeType))
    return {*code.co_names}.union(*map(names_of, inner))


def with_variables(function: Any, variables: dict[str, Any]) -> types.FunctionType:
    """The same function, with other global variables."""
    made = types.FunctionType(
        function.__code__,
        variables,
        function.__name__,
        function.__defaults__,
        function.__closure__,
    )
    made.__kwdefaults__ = function.__kwdefaults__
    return made


def small_things(variables: Names) -> list[Any]:
    """The generators among variables, or in their loaders; and short lists of plain values."""
    values = [*variables.values()]
    values += [value.generator for value in values if isinstance(value, DataLoader)]
    return [value for value in values if isinstance(value, GENERATORS) or is_short(value)]


def is_short(value: Any) -> bool:
    """Is it a short list of plain values, or a set or a dict?"""
    short = type(value) in (list, set, dict) and len(value) <= SHORT
    return short and all(type(one) in PLAIN for one in parts_of(value))


def is_own(value: Any, variables: Names) -> bool:
    """Is it a function of the program itself, and of no library?"""
    function = isinstance(value, types.FunctionType)
    return function and value.__globals__.get("__name__") == variables.get("__name__")


def is_view(value: Any) -> bool:
    """Is it a TrainingLoop?"""
    return hasattr(type(value), "gradient_norms")


def random_state() -> Any:
    """The state of all random numbers that a loop may use."""
    return torch.get_rng_state(), random.getstate(), np.random.get_state()


def restore(state: Any) -> None:
    """Go back to such a state."""
    ours, pythons, numpys = state
    torch.set_rng_state(ours)
    random.setstate(pythons)
    np.random.set_state(numpys)
