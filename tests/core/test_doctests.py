"""The examples in the docstrings of the core are true."""

from __future__ import annotations

import doctest
import importlib
import inspect
import pkgutil

import pytest

import minigrad

MODULES = [
    "minigrad",
    *(module.name for module in pkgutil.walk_packages(minigrad.__path__, "minigrad.")),
]


def examples_of(module):
    """All examples of a module, also those of functions that a decorator wraps."""
    finder = doctest.DocTestFinder(exclude_empty=True)
    found = {test.name: test for test in finder.find(module)}
    for name, value in vars(module).items():
        wrapped = getattr(value, "__wrapped__", None)
        if wrapped is not None and getattr(value, "__module__", "") == module.__name__:
            for test in finder.find(wrapped, f"{module.__name__}.{name}", module=module):
                found.setdefault(test.name, test)
    return [test for test in found.values() if test.examples]


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_of_the_module_run(name):
    said = []
    for test in examples_of(importlib.import_module(name)):
        runner = doctest.DocTestRunner()
        runner.run(test, out=said.append)
    assert not said, "".join(said)


@pytest.mark.parametrize("name", ["elementwise", "reduction", "shaping", "linear", "creation"])
def test_examples_of_operations_are_found(name):
    assert len(examples_of(importlib.import_module(f"minigrad.ops.{name}"))) >= 1


def public_functions():
    """What a user reaches by ``minigrad.name`` or as a method of a tensor, and can read about."""
    for owner in (minigrad, minigrad.Tensor, minigrad.autograd, minigrad.optim):
        for name, value in vars(owner).items():
            if name.startswith("_") or inspect.ismodule(value):
                continue
            if inspect.isroutine(value) or inspect.isclass(value) or isinstance(value, property):
                yield f"{owner.__name__}.{name}", value


def test_every_public_function_says_what_it_does():
    undocumented = [name for name, value in public_functions() if not inspect.getdoc(value)]
    assert not undocumented
