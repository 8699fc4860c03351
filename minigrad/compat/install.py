"""``install_as_torch``: programs that say ``import torch`` get minigrad.

Each public module is entered in ``sys.modules`` under PyTorch's name for it. They are the same
modules, not copies, so there is still one ``Tensor`` class.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

from ..errors import package_name
from .missing import TABLE

PACKAGE = __name__.partition(".")[0]
PUBLIC = ("autograd", "linalg", "nn", "optim", "utils")
"""The rooms that PyTorch has under the same name. All others are minigrad's own affair."""


class NoOtherTorch:
    """Asked for what is not in ``sys.modules``: refuses modules that minigrad does not have."""

    def find_spec(self, name: str, path: Any, target: Any = None) -> None:
        if name.partition(".")[0] == "torch":
            raise ModuleNotFoundError(
                f"minigrad stands in for PyTorch here, and has no module '{name}'.\n"
                f"  it has: {', '.join(sorted(n for n in sys.modules if n.startswith('torch')))}\n"
                f"  name by name, in minigrad's repository: {TABLE}",
                name=name,
            )


def public_modules() -> Iterator[str]:
    """The names of minigrad's public modules, below the package: "nn", "nn.functional", …

    To import minigrad is to import them all.
    """
    for name in list(sys.modules):
        package, _, below = name.partition(".")
        if package == PACKAGE and below.partition(".")[0] in PUBLIC and "._" not in below:
            yield below


def install_as_torch() -> None:
    """Let ``import torch``, from now on and in this process, mean minigrad.

    Also ``import torch.nn.functional as F`` and the other public modules; a module that minigrad
    does not have raises ModuleNotFoundError. Calling it twice does no harm. Raises RuntimeError
    if PyTorch itself was imported before: two libraries cannot share a name.

    No counterpart in PyTorch. ``import minigrad as torch`` does without it; it serves programs
    whose import lines cannot be changed.

    >>> import minigrad
    >>> minigrad.install_as_torch()  # doctest: +SKIP
    >>> import torch  # doctest: +SKIP
    """
    before = sys.modules.get("torch")
    package = sys.modules[PACKAGE]
    if before is package:
        return
    if before is not None:
        raise RuntimeError(
            "PyTorch itself is already imported here, so its name is taken.\n"
            f"  fix: call {package_name()}.install_as_torch() before anything imports torch."
        )
    modules = {name: sys.modules[f"{PACKAGE}.{name}"] for name in public_modules()}
    sys.modules["torch"] = package
    sys.modules.update({f"torch.{name}": module for name, module in modules.items()})
    sys.meta_path.insert(0, NoOtherTorch())
