"""Who runs the program: a kernel of Jupyter's, marimo, a terminal, or nobody but Python.

A view must know when a **cell**, a piece of the program that is run at once, begins and ends, and
whether there is a page that shows it. All that depends on who knows that is here: ``ipython``
speaks to IPython (JupyterLab, Notebook, VS Code, Colab, a terminal), ``in_marimo`` to marimo, and
``host`` says what is asked of them.
"""

from __future__ import annotations

from .host import Cell, Host
from .in_ipython import ipython_if_there
from .in_marimo import marimo_if_there

__all__ = ["Cell", "Host", "host"]


def host() -> Host:
    """Who runs this program."""
    return ipython_if_there() or marimo_if_there() or Host()
