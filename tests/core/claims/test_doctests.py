"""The examples in the docstrings of the core are true."""

from __future__ import annotations

import doctest
import importlib
import inspect
import pkgutil
import sys

import pytest

import minigrad

MODULES = [
    "minigrad",
    *(module.name for module in pkgutil.walk_packages(minigrad.__path__, "minigrad.")),
]
if sys.platform == "emscripten":  # homework is graded in processes, and a browser has none
    MODULES = [name for name in MODULES if not name.startswith("minigrad.homework")]


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


def failures(tests):
    said = []
    for test in tests:
        runner = doctest.DocTestRunner()
        runner.run(test, out=said.append)
    return "".join(said)


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_of_the_module_run(name):
    assert not failures(examples_of(importlib.import_module(name)))


def test_the_examples_of_functions_that_others_made_run():
    """These are in no module's own list: ``logical_not``, which ``entry_question`` has made."""
    seen = {
        test.docstring for name in MODULES for test in examples_of(importlib.import_module(name))
    }
    made = {}
    for name, value in public_functions():
        text = getattr(value, "__doc__", None) or ""
        if ">>>" in text and text not in seen:
            made[name] = doctest.DocTestParser().get_doctest(text, {}, name, None, 0)
    assert {"minigrad.logical_not", "minigrad.rand_like"} <= made.keys()
    assert not failures(made.values())


@pytest.mark.parametrize(
    "name", ["elementwise.powers", "reduction", "shaping", "linear", "creation"]
)
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


# What belongs to graphs, gradients and training, and is for users: where it is, and its names.
AUTOGRAD = {
    "minigrad.engine.modes": (
        "no_grad",
        "enable_grad",
        "inference_mode",
        "set_grad_enabled",
        "is_grad_enabled",
        "is_inference_mode_enabled",
    ),
    "minigrad.autograd": minigrad.autograd.__all__,
    "minigrad.autograd.functional": minigrad.autograd.functional.__all__,
    "minigrad.autograd.graph": minigrad.autograd.graph.__all__,
    "minigrad.autograd.context": ("FunctionCtx", "FunctionNode"),
    "minigrad.autograd.function": ("Function", "once_differentiable"),
    "minigrad.autograd.gradcheck": ("GradcheckError", "gradcheck", "gradgradcheck"),
    "minigrad.engine.node": ("RemovableHandle",),
    "minigrad.utils.checkpoint": ("CheckpointError", "checkpoint", "checkpoint_sequential"),
    "minigrad.optim": minigrad.optim.__all__,
    "minigrad._tensor": ("Tensor",),
}

NO_EXAMPLE = {
    "Tensor.retains_grad": "is in that of retain_grad",
    "RemovableHandle.remove": "is in that of its class",
    "Node.is_stale": "the node itself asks it",
    "Node.vjp": "the engine calls it",
    "Node.values": "the engine calls it",
    "Function.forward": "the user writes it: see the class",
    "Function.backward": "the user writes it: see the class",
    "Function.setup_context": "the user writes it: see the class",
    "Function.apply": "is in that of the class",
    "FunctionCtx.name": "is in that of Node",
    "FunctionCtx.next_functions": "is in that of Node",
    "FunctionNode": "is the ctx of Function, seen from the graph",
    "FunctionNode.unpacked": "ctx.saved_tensors calls it",
    "FunctionNode.output_node": "Function.apply calls it",
    "FunctionCtx": "is the ctx in the examples of Function",
    "FunctionCtx.save_for_backward": "is in the example of Function",
    "FunctionCtx.saved_tensors": "is in the example of Function",
    "FunctionCtx.mark_dirty": "needs a class of thirty lines around it",
    "FunctionCtx.mark_non_differentiable": "needs a class of thirty lines around it",
    "FunctionCtx.set_materialize_grads": "needs a class of thirty lines around it",
    "FunctionNode.vjp": "the engine calls it",
    "GradcheckError": "an error",
    "CheckpointError": "an error",
    "saved_tensors_hooks.packed": "an operation calls it",
}
NO_COUNTERPART = {
    "FunctionNode",
    "FunctionNode.unpacked",
    "FunctionNode.output_node",
    "Node.is_stale",
    "Node.vjp",
    "Node.values",
    "FunctionNode.vjp",
    "saved_tensors_hooks.packed",
}


def autograd_names():
    """Each public name of graphs and gradients, with methods and properties written out there."""
    for module, names in AUTOGRAD.items():
        for name in names:
            value = getattr(sys.modules[module], name)
            if inspect.ismodule(value):
                continue
            yield name, value
            for method, member in vars(value).items() if inspect.isclass(value) else ():
                code = getattr(member, "fget", None) or getattr(member, "__func__", member)
                written_here = getattr(code, "__module__", "") == value.__module__
                if not method.startswith("_") and inspect.isroutine(code) and written_here:
                    yield f"{name}.{method}", code


DOCUMENTED = dict(autograd_names())


@pytest.mark.parametrize("name", DOCUMENTED)
def test_what_belongs_to_gradients_is_explained_with_counterpart_and_example(name):
    text = inspect.getdoc(DOCUMENTED[name]) or ""
    assert text, "no docstring"
    assert "Counterpart:" in text or name in NO_COUNTERPART
    assert (">>>" in text) != (name in NO_EXAMPLE)


@pytest.mark.parametrize("name", [n for n, v in DOCUMENTED.items() if inspect.isfunction(v)])
def test_what_belongs_to_gradients_has_type_hints(name):
    signature = inspect.signature(DOCUMENTED[name])
    missing = [
        parameter.name
        for parameter in signature.parameters.values()
        if parameter.annotation is parameter.empty and parameter.name not in ("self", "cls")
    ]
    assert not missing
    assert signature.return_annotation is not signature.empty


def test_every_public_function_says_what_it_does():
    undocumented = [name for name, value in public_functions() if not inspect.getdoc(value)]
    assert not undocumented
