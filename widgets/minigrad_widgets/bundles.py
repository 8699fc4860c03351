"""The front end's bundles, as text.

As paths, anywidget would watch them for changes, and its watchers keep every view alive that was
ever made, with all that it shows.
"""

from __future__ import annotations

from pathlib import Path

STATIC = Path(__file__).parent / "static"


def bundle(name: str) -> str:
    """A script or a stylesheet."""
    return (STATIC / name).read_text(encoding="utf-8")
