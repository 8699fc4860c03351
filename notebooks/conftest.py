"""What nbval compares of the saved notebooks: of pictures their texts, of folded outputs all.

The bytes of a plot differ between machines, as their fonts do, and so may its width. Where a saved
notebook has the picture of a view with its table (see ``build.py``), a run shows the view itself,
and its still behind what the cell shows. The line in front of what is folded is none of the cell's.
"""

from __future__ import annotations

from nbformat.v4 import new_output
from nbval.plugin import IPyNbCell

BYTES = r'data:image/png;base64,[^"]*|(?<=class="mg-plot") width="\d+"'
PLACE = r"In \[\d+\]"  # of a line: nbval counts its cells in another way
GAP = r"(?<=\S) {2,}(?=\S)"  # of a table, whose columns are as wide as these places
STILL = r'(?s)<div class="mg-still">.*</div>'


def pytest_itemcollected(item):
    if not isinstance(item, IPyNbCell):
        return
    item.parent.sanitize_patterns[BYTES] = "a picture"
    item.parent.sanitize_patterns[STILL] = "a still"
    item.parent.sanitize_patterns[PLACE] = "In [n]"
    item.parent.sanitize_patterns[GAP] = "  "
    outputs = item.cell.get("outputs", [])
    outputs[:] = [one for one in outputs if one.get("metadata", {}).get("minigrad") != "folded"]
    stills = []
    for output in outputs:
        if "minigrad" in output.get("metadata", {}):  # the picture of a view
            line, _, table = output.data["text/plain"].partition("\n\n")
            output.data["text/plain"] = line
            output.data.pop("text/html", None)
            data = {"text/plain": table, "text/html": '<div class="mg-still"></div>'}
            stills.append(new_output("display_data", data))
        elif is_open_question(output):
            data = {**output.data, "text/html": '<div class="mg-still"></div>'}
            stills.append(new_output("display_data", data))
    outputs += stills


def is_open_question(output):
    """Is it a question that nobody has answered? It leaves a still, too, which says the same."""
    text = output.get("data", {}).get("text/plain", "")
    return text.startswith("Predict: ") and "\n  not answered yet: " in text
