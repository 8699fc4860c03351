"""What is said of a name that PyTorch has and minigrad does not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

TABLE = "docs/coverage.md"


def no_such(owner: str, name: str) -> AttributeError:
    """PyTorch's words for an attribute that is not there, and where to see what is."""
    return AttributeError(
        f"{owner} has no attribute '{name}': minigrad covers a part of PyTorch.\n"
        f"  name by name, with what is covered, partly or not: {TABLE}",
        name=name,
    )


def missing_from(module: str) -> Callable[[str], Any]:
    """The ``__getattr__`` of a module that has a part of PyTorch's names.

    >>> import minigrad as torch
    >>> torch.stft
    Traceback (most recent call last):
    AttributeError: module 'minigrad' has no attribute 'stft': minigrad covers a part of PyTorch.
      name by name, with what is covered, partly or not: docs/coverage.md
    """

    def __getattr__(name: str) -> Any:
        if name.startswith("__"):  # Python's own questions
            raise AttributeError(f"module '{module}' has no attribute '{name}'")
        raise no_such(f"module '{module}'", name)

    return __getattr__
