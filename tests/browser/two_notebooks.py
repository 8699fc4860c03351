"""Two small notebooks for the tests, so that a lesson can be retold without touching them.

``GROWING``   a graph that grows cell by cell under a view, and is left for a second one
``STEPPING``  a backward pass to step through
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import nbformat

START = """\
import minigrad as torch
from minigrad.lesson import check, predict
from minigrad_widgets import BackwardStepper, GraphView"""

LEAVES = """\
a = torch.tensor([2.0], requires_grad=True)
b = torch.tensor([6.0], requires_grad=True)"""

GROWING = [
    START,
    "view = GraphView()\nview",
    LEAVES,
    "c = a + b",
    "d = b + 1",
    "asked = predict('After e = c * d, how many nodes will be behind e?', 3)",
    "e = c * d\nprint(e)",
    "c = a + b",
    "c = a + b\nd = b + 1\ne = c * d  # the graph before is left",
]

STEPPING = [
    START,
    LEAVES.replace("[", "").replace("]", ""),
    "with GraphView():\n    c = a + b\n    d = b + 1\n    e = c * d\nBackwardStepper(e)",
]


def write(folder: Path) -> None:
    for name, sources in {"growing": GROWING, "stepping": STEPPING}.items():
        write_one(folder / f"{name}.ipynb", sources)


def write_one(file: Path, sources: Sequence[str]) -> None:
    """A notebook that names its kernel: without a name JupyterLab asks for it, and waits."""
    cells = [nbformat.v4.new_code_cell(source) for source in sources]
    metadata = {"kernelspec": {"name": "python3", "display_name": "Python 3 (ipykernel)"}}
    nbformat.write(nbformat.v4.new_notebook(cells=cells, metadata=metadata), file)
