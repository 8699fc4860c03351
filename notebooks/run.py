"""Runs a notebook from top to bottom: for its saved copy (``build.py``) and for its page."""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path
from typing import Any

from nbclient import NotebookClient

VIEW = "application/vnd.jupyter.widget-view+json"


def executed(notebook: Any, folder: Path) -> tuple[Any, dict[tuple[str, str], dict[str, Any]]]:
    """The notebook, run from top to bottom in a fresh kernel that nothing of the user's reaches.

    And the state of each view when the cell that shows it had ended, by both their ids.
    """
    states: dict[tuple[str, str], dict[str, Any]] = {}

    def ended(cell: Any, **about: Any) -> None:
        for output in cell.get("outputs", []):
            view = output.get("data", {}).get(VIEW)
            if view is not None:
                key = view["model_id"]
                states[cell.id, key] = {**client.widget_state[key]}

    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    with tempfile.TemporaryDirectory() as home:
        environment = {**os.environ, "IPYTHONDIR": home, "MPLCONFIGDIR": home}
        environment["PYTHONPATH"] = os.pathsep.join(sys.path)
        client = NotebookClient(
            notebook,
            timeout=120,
            kernel_name="python3",
            record_timing=False,
            store_widget_state=True,
            on_cell_executed=ended,
            resources={"metadata": {"path": str(folder)}},
        )
        client.execute(env=environment)
    return notebook, states


def still_of(output: Any) -> str | None:
    """The id of the view that this output is the still of, if it is one."""
    about = output.get("metadata", {}).get("minigrad")
    return about.get("still") if isinstance(about, dict) else None
