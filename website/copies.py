"""A learner's copy of a lesson, in a browser, remembers which lesson it began from.

Each lesson of the site carries the digests of its cells: a copy that was saved carries them on,
and so it can be told what the learner has changed, and what the lesson has that the copy has not.
The extension in ``parts/labextensions`` tells it, in the page; ``lessons.json`` names the newest.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from pathlib import Path
from typing import Any

EXTENSIONS = Path(__file__).with_name("parts") / "labextensions"
"""JupyterLab's extensions of our own."""


def record(lessons: Path) -> dict[str, str]:
    """Write into each lesson of the folder what its copies remember; the versions, by file name."""
    versions = {}
    for file in sorted(lessons.glob("*.ipynb")):
        notebook = json.loads(file.read_text(encoding="utf-8"))
        cells = {cell["id"]: digest(cell) for cell in notebook["cells"]}
        version = hashlib.sha256(json.dumps(cells).encode()).hexdigest()[:12]
        notebook["metadata"]["minigrad"] = {"version": version, "cells": cells}
        file.write_text(json.dumps(notebook, indent=1, ensure_ascii=False), encoding="utf-8")
        versions[file.name] = version
    return versions


def digest(cell: dict[str, Any]) -> str:
    """Of a cell's type and text; what it has shown when it ran does not count."""
    text = cell["cell_type"] + "\n" + "".join(cell["source"])
    return f"{zlib.crc32(text.encode()):08x}"
