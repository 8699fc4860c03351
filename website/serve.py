"""Shows a built site on this machine, as a static host would."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any


class Handler(SimpleHTTPRequestHandler):
    """Files with the types that browsers insist on; nothing is printed."""

    protocol_version = "HTTP/1.1"
    extensions_map = SimpleHTTPRequestHandler.extensions_map | {
        ".ipynb": "application/json",
        ".js": "text/javascript",
        ".mjs": "text/javascript",
        ".wasm": "application/wasm",
        ".whl": "application/octet-stream",
    }

    def log_message(self, format: str, *args: Any) -> None:
        pass


@contextmanager
def served(folder: Path, port: int = 0) -> Iterator[ThreadingHTTPServer]:
    """A server for this folder on this machine alone; port 0 is any that is free."""
    handler = partial(Handler, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", port), handler) as server:
        yield server


def address_of(server: ThreadingHTTPServer) -> str:
    return f"http://127.0.0.1:{server.server_port}/"
