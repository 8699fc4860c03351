"""Takes out of a notebook what could run when it is opened or trusted, before anybody looks at it.

    python -m minigrad_widgets.strip submitted/*.ipynb            # writes NAME.stripped.ipynb
    python -m minigrad_widgets.strip submitted/*.ipynb -o looked  # or into a folder of its own

A saved notebook may carry programs for the browser: the state of widgets, of which the script is a
part, and outputs in HTML, JavaScript or SVG. Of the outputs this keeps texts, errors and pictures
in PNG and JPEG; of the cells, what is written in them. Code runs only when somebody runs it, and
then it may do anything: this is no help against that.

It needs nbformat, which comes with Jupyter. The files themselves stay as they are.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import nbformat

KEPT = {"text/plain", "image/png", "image/jpeg"}
"""The forms of an output that only show. What is not known is taken out."""

FORMAT = {"kernelspec": ("name", "display_name", "language"), "language_info": ("name",)}
"""What is kept of the metadata of a notebook."""

CELL = ("tags", "nbgrader", "deletable", "editable")
"""And of that of a cell."""

OUTPUTS = {
    "stream": {"name", "text"},
    "error": {"ename", "evalue", "traceback"},
    "display_data": {"data", "metadata"},
    "execute_result": {"data", "metadata", "execution_count"},
}
"""The kinds of output, and what belongs to each."""


def stripped(notebook: Any) -> tuple[Any, Counter[str]]:
    """A copy without what could run, and how often each kind of thing was taken out.

    >>> from nbformat.v4 import new_code_cell, new_notebook, new_output
    >>> shown = new_output("display_data", {"text/html": "<script>", "text/plain": "a view"})
    >>> notebook = new_notebook(cells=[new_code_cell("1 + 1", outputs=[shown])])
    >>> looked, removed = stripped(notebook)
    >>> looked.cells[0].outputs[0].data, dict(removed)
    ({'text/plain': 'a view'}, {'text/html': 1})
    """
    new = nbformat.from_dict(notebook)
    removed: Counter[str] = Counter()
    known = {
        key: {name: str(new.metadata[key][name]) for name in names if name in new.metadata[key]}
        for key, names in FORMAT.items()
        if isinstance(new.metadata.get(key), dict)
    }
    removed.update(f"metadata {key}" for key in new.metadata if key not in known)
    new.metadata = nbformat.from_dict(known)
    for cell in new.cells:
        removed.update(f"metadata {key} of a cell" for key in cell.metadata if key not in CELL)
        cell.metadata = nbformat.from_dict({k: v for k, v in cell.metadata.items() if k in CELL})
        for attachment in cell.get("attachments", {}).values():
            take_out(attachment, removed)
        if "outputs" in cell:
            removed.update(str(o.output_type) for o in cell.outputs if o.output_type not in OUTPUTS)
            cell.outputs = [shown(o, removed) for o in cell.outputs if o.output_type in OUTPUTS]
    return new, removed


def shown(output: Any, removed: Counter[str]) -> Any:
    """An output with only what belongs to it, in forms that only show."""
    names = OUTPUTS[output.output_type]
    result = {name: value for name, value in output.items() if name in names}
    if "data" in result:
        take_out(result["data"], removed)
        result["metadata"] = {}
    return nbformat.from_dict({"output_type": output.output_type, **result})


def take_out(data: Any, removed: Counter[str]) -> None:
    """Of one thing in several forms, keep those that only show."""
    for kind in set(data) - KEPT:
        del data[kind]
        removed[kind] += 1


def main(arguments: list[str]) -> int:
    """Strip the notebooks that are named, and say what was taken out of each."""
    parser = argparse.ArgumentParser(
        prog="python -m minigrad_widgets.strip",
        description="Write copies of notebooks without what could run when they are opened.",
    )
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
    parser.add_argument("-o", "--output", type=Path, metavar="FOLDER", help="where the copies go")
    options = parser.parse_args(arguments)
    failed = 0
    for file in options.files:
        name = file.name if options.output else f"{file.stem}.stripped.ipynb"
        place = (options.output or file.parent) / name
        try:
            if place.exists():
                raise FileExistsError(f"{place} is there already")
            new, removed = stripped(nbformat.read(file, as_version=4))
            place.parent.mkdir(parents=True, exist_ok=True)
            nbformat.write(new, place)
        except Exception as error:  # one file that cannot be read is no reason to leave the others
            failed += 1
            print(f"{file}: not stripped ({type(error).__name__}: {error})", file=sys.stderr)
            continue
        what = ", ".join(f"{count} × {kind}" for kind, count in sorted(removed.items()))
        print(f"{place}: {f'without {what}' if what else 'there was nothing to take out'}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
