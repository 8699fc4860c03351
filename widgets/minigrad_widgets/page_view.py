"""What all views have in common: their texts reach the page whole.

A text of Python's may hold what no message, no file and no SVG can: half a character
(``"\\ud800"``), or a control character. One such in the name of a variable would keep every later
message of its view from the page. So all that a view sends goes through ``for_page``, which
writes them out.
"""

from __future__ import annotations

import json
from typing import Any

import anywidget

from minigrad.tape.values import hidden, visible


class PageView(anywidget.AnyWidget):
    """A widget whose texts may hold anything."""

    def get_state(self, key: Any = None, drop_defaults: bool = False) -> dict[str, Any]:
        """What is sent to the page when the view is made, when it changes and when it is saved."""
        state: dict[str, Any] = super().get_state(key, drop_defaults)
        return {n: v if n.startswith("_") else for_page(v) for n, v in state.items()}

    def send(self, content: Any, buffers: Any = None) -> None:
        """Send a message of our own to the page."""
        super().send(for_page(content), buffers)

    def _repr_mimebundle_(self, **options: Any) -> Any:
        return for_page(super()._repr_mimebundle_(**options))


def for_page(data: Any) -> Any:
    """The same data, with all that its texts hide written out: ``\\ud800``."""
    text = json.dumps(data, ensure_ascii=False, default=str)  # fast, and finds most of them
    escaped = "\\u00" in text or "\\b" in text or "\\f" in text
    return shown(data) if escaped or hidden(text) else data


def shown(data: Any) -> Any:
    """A copy in which every text is visible."""
    if isinstance(data, str):
        return visible(data)
    if isinstance(data, dict):
        return {shown(key): shown(value) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [shown(value) for value in data]
    return data
