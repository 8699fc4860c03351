"""``watch(f, a=2.0)``: the graph of one call, with its numbers as sliders in the page."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import traitlets

from minigrad.tape.recorder import version_of
from minigrad.tape.values import visible

from .bundles import bundle
from .page_view import PageView
from .runs import Calls, asked_to_run
from .session import session


class FunctionView(PageView):
    """What ``watch`` shows: the graph of the latest run, and its numbers to be changed.

    ``result`` is what that run returned, ``leaves`` the tensors it was called with: so
    ``view.result.backward()`` and ``view.leaves["a"].grad`` are the real thing.
    """

    _esm = bundle("graph_view.js")
    _css = bundle("minigrad.css")

    graph = traitlets.Dict().tag(sync=True)
    """The graph of the latest run (``Snapshot`` in ``tape.ts``)."""

    arrows = traitlets.Enum(["data", "next_functions"], "data").tag(sync=True)
    """Which way the arrows lead: with the data, or as PyTorch's ``next_functions``."""

    run = traitlets.Dict().tag(sync=True)
    """Its numbers, its result, and what went wrong (``RunData`` in ``tape.ts``)."""

    def __init__(
        self, function: Callable[..., Any], values: dict[str, Any], **options: Any
    ) -> None:
        self._calls = Calls(function, values)
        self._lock = threading.RLock()
        self._seen = self._versions()
        first = self._calls.latest.snapshot()
        super().__init__(graph=first, run=self._calls.told(0), **options)
        self.on_msg(self._asked)
        session.calls.add(self)

    @property
    def result(self) -> Any:
        """What the latest run returned."""
        return self._calls.latest.result

    @property
    def leaves(self) -> dict[str, Any]:
        """The tensors that it was called with."""
        return self._calls.latest.leaves

    def __repr__(self) -> str:
        return visible(self._calls.text())

    def _versions(self) -> list[Any]:
        """What tells whether a leaf or its gradient has changed."""
        return [version_of(leaf) for leaf in self.leaves.values()]

    def cell_ends(self, label: str) -> None:
        """Show the gradients that a ``backward()`` from the result has brought since."""
        with self._lock:
            if self._seen != self._versions():
                self._seen = self._versions()
                self.graph = self._calls.latest.snapshot()

    def close(self) -> None:
        """Take the view out of the page."""
        session.calls.discard(self)
        super().close()

    def _asked(self, _widget: Any, content: dict[str, Any], _buffers: Any) -> None:
        """The page has other numbers: run again."""
        given = asked_to_run(content)
        if given is None:
            return
        with self._lock:
            self._calls.change(given)
            self._seen = self._versions()
            with self.hold_sync():
                self.graph = self._calls.latest.snapshot()
                self.run = self._calls.told(int(content.get("number", 0)))


def watch(function: Callable[..., Any], /, **values: Any) -> FunctionView:
    """Call a function, and show the graph of that call.

    Each float becomes a leaf tensor that requires a gradient, and so does a list of floats;
    everything else, integers too, is passed as it is. Floats and integers have a slider and a
    field in the page: when one changes, the function runs again in the kernel, and the picture
    becomes that of the new run. ``(value, least, most)`` says how far the slider goes.

    A run stops after 10,000 operations (MG114), and after 10 seconds; while a slider moves, after
    some times what the runs before it took, so that a loop without end keeps nobody waiting. What
    a run prints and raises is shown in the page.

    >>> from minigrad_widgets import watch
    >>> def f(a, b):
    ...     return (a + b) * (b + 1)
    >>> watch(f, a=2.0, b=6.0)
    f(a=2, b=6) = 56
    (a + b) * (b + 1)   56   MulBackward0
    b + 1                7   AddBackward0
    a + b                8   AddBackward0
    b                    6   leaf
    a                    2   leaf
    """
    return FunctionView(function, values)
