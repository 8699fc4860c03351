"""Which of PyTorch's modules are being called: what puts the nodes of a block into boxes.

Nodes do not tell. While ``calls_of_modules()`` runs, hooks that PyTorch calls around each
``forward`` keep the stack of the calls that have begun and not ended, in this thread. A forward
that is called as such, and not through its module, is not in it.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from minigrad.nn.module_calls import name_inside
from minigrad.tape.scope import Call, numbers


class Calls:
    """The calls that have begun and not ended, outermost first."""

    def __init__(self, torch: Any) -> None:
        self._folder = os.path.dirname(torch.__file__)
        self._thread = threading.get_ident()
        self._modules: tuple[Any, ...] = ()
        self.running: tuple[Call, ...] = ()

    def begins(self, module: Any, args: Any) -> None:
        """PyTorch is about to call this module's ``forward``."""
        if threading.get_ident() != self._thread:
            return
        name = name_inside(self._modules, module)
        call = Call(next(numbers), name, type(module).__name__, self._is_pytorchs(module))
        self.running = (*self.running, call)
        self._modules = (*self._modules, module)

    def ends(self, module: Any, args: Any, result: Any) -> None:
        """It has returned, or raised."""
        if threading.get_ident() != self._thread:
            return
        for at in reversed(range(len(self._modules))):
            if self._modules[at] is module:
                self.running = self.running[:at]
                self._modules = self._modules[:at]
                return

    def _is_pytorchs(self, module: Any) -> bool:
        code = getattr(type(module).forward, "__code__", None)
        return code is not None and code.co_filename.startswith(self._folder)


@contextmanager
def calls_of_modules(torch: Any) -> Iterator[Calls]:
    """Know of the calls of modules meanwhile."""
    calls = Calls(torch)
    hooks = torch.nn.modules.module
    handles = [
        hooks.register_module_forward_pre_hook(calls.begins),
        hooks.register_module_forward_hook(calls.ends, always_call=True),
    ]
    try:
        yield calls
    finally:
        for handle in handles:
            handle.remove()
