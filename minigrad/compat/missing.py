"""What is said of a name that minigrad does not have, or that is written otherwise."""

from __future__ import annotations

import difflib
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any

from ..errors import package_name

TABLE = "docs/coverage.md"

PACKAGE = __name__.partition(".")[0]

PLACES = (
    "",
    ".nn",
    ".nn.functional",
    ".optim",
    ".optim.lr_scheduler",
    ".nn.init",
    ".nn.utils",
    ".linalg",
    ".autograd",
    ".utils.data",
)
"""The public modules, below the package."""

OBJECTS = {"Tensor": "x.{}(), of a tensor x", "Module": "model.{}()", "Optimizer": "optimizer.{}()"}
"""The classes whose methods are taken for functions of the package, and how these are called."""


def no_such(owner: str, name: str) -> AttributeError:
    """PyTorch's words for an attribute that is not there, and where to see what is."""
    text = f"module '{owner}' has no attribute '{name}': minigrad covers a part of PyTorch.\n"
    meant = " or ".join(suggestions(owner, name))
    if meant:
        text += f"  did you mean {meant}?\n"
    ours = package_name() + owner.removeprefix(PACKAGE)
    text += f"  what there is: dir({ours}); in the project's repository, name by name: {TABLE}"
    return AttributeError(text, name=name)


def suggestions(owner: str, name: str) -> list[str]:
    """The public names that are most like this one, as a program writes them: at most three."""
    wanted = folded(name)
    written = dict(public_names(owner))
    alike = [text for text, short in written.items() if folded(short) == wanted]
    alike.sort(key=lambda text: written[text] != name)
    longer = [text for text, short in written.items() if folded(short).startswith(wanted)]
    found = [*alike, *methods(name), *(longer if len(wanted) > 2 else ())]
    if not found:
        near = difflib.get_close_matches(name, set(written.values()), cutoff=0.75)
        found = [text for like in near for text, short in written.items() if short == like]
    return list(dict.fromkeys(found))[:3]


def folded(name: str) -> str:
    """A name without what is easily mistaken: NoGrad, nograd and no_grad are one."""
    return name.replace("_", "").lower()


def public_names(owner: str) -> Iterator[tuple[str, str]]:
    """Each public function and class as a program writes it, and its own name: those near first."""
    package = package_name()
    seen = set()
    for place in (owner.removeprefix(PACKAGE), *PLACES):
        for name, value in list(vars(sys.modules[PACKAGE + place]).items()):
            # What is public has a docstring that names its counterpart.
            if "Counterpart" in (value.__doc__ or "") and id(value) not in seen:
                seen.add(id(value))
                yield f"{package}{place}.{name}", name


def methods(name: str) -> list[str]:
    """How a method of this name is called."""
    package = sys.modules[PACKAGE]
    classes = (package.Tensor, package.nn.Module, package.optim.Optimizer)
    return [OBJECTS[c.__name__].format(name) for c in classes if callable(getattr(c, name, None))]


def missing_from(module: str, later: dict[str, str] | None = None) -> Callable[[str], Any]:
    """The ``__getattr__`` of a module that has a part of PyTorch's names.

    ``later``: names that are imported when they are first asked for, and from which of its
    sub-modules: a function of the same, or the sub-module itself.

    >>> import minigrad as torch
    >>> torch.nograd  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    AttributeError: module 'minigrad' has no attribute 'nograd': minigrad covers a part of PyTorch.
      did you mean ...no_grad?
      what there is: dir(...); in the project's repository, name by name: docs/coverage.md
    """

    def __getattr__(name: str) -> Any:
        if later is not None and name in later:
            room = import_module(f"{module}.{later[name]}")
            return room if later[name] == name else getattr(room, name)
        if name.startswith("__"):  # Python's own questions
            raise AttributeError(f"module '{module}' has no attribute '{name}'")
        raise no_such(module, name)

    return __getattr__
