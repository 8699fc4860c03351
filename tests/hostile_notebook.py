"""A notebook that tries to run something in the browser in every way that a file has.

Each way leaves its name in ``globalThis.hits``.
"""

from __future__ import annotations

import base64

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

VIEW = "application/vnd.jupyter.widget-view+json"
STATE = "application/vnd.jupyter.widget-state+json"
CODE = "1 + 1"

PNG = base64.b64encode(
    b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\1\0\0\0\1\x08\6\0\0\0\x1f\x15\xc4\x89\0\0\0\rIDATx\x9cc"
    b"\xf8\xcf\xc0\xf0\x1f\0\5\0\1\xff\x89\x99=\x1d\0\0\0\0IEND\xaeB`\x82"
).decode()


def hit(way):
    return f"(globalThis.hits ??= []).push('{way}')"


def onerror(way):
    return f'<img src="data:," onerror="{hit(way)}">'


def hostile():
    """The notebook."""
    script = f"""
        {hit("widget: its script")};
        export default {{
            initialize() {{ {hit("widget: initialize")} }},
            render({{ el }}) {{ {hit("widget: render")}; el.textContent = "drawn"; }},
        }};
    """
    fixed = {"model_module_version": "~0.11.*", "model_module": "anywidget"}
    names = {f"_{kind}_module": "anywidget" for kind in ("model", "view")}
    versions = {f"_{kind}_module_version": "~0.11.*" for kind in ("model", "view")}
    state = {
        **names,
        **versions,
        "_model_name": "AnyModel",
        "_view_name": "AnyView",
        "_anywidget_id": "foreign.View",
        "_esm": script,
        "_css": "",
        "_dom_classes": [],
        "layout": "IPY_MODEL_" + "b" * 32,
        "tabbable": None,
        "tooltip": None,
    }
    layout = {
        "model_name": "LayoutModel",
        "model_module": "@jupyter-widgets/base",
        "model_module_version": "2.0.0",
        "state": {},
    }
    states = {"a" * 32: {**fixed, "model_name": "AnyModel", "state": state}, "b" * 32: layout}
    ways = [
        {VIEW: {"version_major": 2, "version_minor": 0, "model_id": "a" * 32}},
        {"text/html": f"<script>{hit('html: script')}</script>{onerror('html: onerror')}"},
        {"application/javascript": hit("javascript")},
        {
            "image/svg+xml": f'<svg xmlns="http://www.w3.org/2000/svg"><script>{hit("svg: script")}'
            f'</script><g onload="{hit("svg: onload")}"></g></svg>'
        },
        {"text/markdown": onerror("markdown output")},
        {"text/latex": f"$x$ {onerror('latex')}"},
        {"image/png": PNG},
    ]
    cells = [new_markdown_cell(f"# Homework\n\n{onerror('markdown cell')}")]
    for way in ways:
        output = new_output("display_data", {**way, "text/plain": f"text {next(iter(way))}"})
        cells.append(new_code_cell(CODE, outputs=[output], execution_count=1))
    metadata = {
        "kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"},
        "widgets": {STATE: {"version_major": 2, "version_minor": 0, "state": states}},
    }
    return nbformat.from_dict(new_notebook(cells=cells, metadata=metadata))
