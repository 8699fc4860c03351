"""What nbval compares of the saved notebooks: of pictures their texts, of folded outputs all.

The bytes of a plot differ between machines, as their fonts do, and so may its width. Where a saved
notebook has the picture of a view (see ``build.py``), a run shows the view itself. The line in
front of what is folded is none of the cell's.
"""

from __future__ import annotations

from nbval.plugin import IPyNbCell

BYTES = r'data:image/png;base64,[^"]*|(?<=class="mg-plot") width="\d+"'


def pytest_itemcollected(item):
    if not isinstance(item, IPyNbCell):
        return
    item.parent.sanitize_patterns[BYTES] = "a picture"
    outputs = item.cell.get("outputs", [])
    outputs[:] = [one for one in outputs if one.get("metadata", {}).get("minigrad") != "folded"]
    for output in outputs:
        if "minigrad" in output.get("metadata", {}):  # the picture of a view
            output.data.pop("text/html", None)
