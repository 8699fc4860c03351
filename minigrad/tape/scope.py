"""Which calls are running: what groups the nodes of a model by the layers that made them."""

from __future__ import annotations

import threading
from typing import Any, NamedTuple


class Call(NamedTuple):
    """One call of a module."""

    number: int  # a module may be called often: each call has its own
    name: str  # the path from the module that called it: "encoder.0"; "" if no module did
    kind: str  # its class: "Linear"


class _Running(threading.local):
    scope: tuple[Call, ...] = ()  # outermost first; empty unless somebody watches
    modules: tuple[Any, ...] = ()  # those that were called


running = _Running()
