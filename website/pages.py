"""The lessons as pages that can be read without a kernel, with their views alive in them.

A page holds the text, the programs and what they print, and each view with the state that it had
when its cell ended: it can be stepped and asked, since views and questions are drawn and judged in
the page. Without JavaScript their pictures remain. What needs Python is said: changing a program,
sliders, checked attempts. A button leads to the living lesson.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from html import escape, unescape
from pathlib import Path
from typing import Any

import jinja2
import latex2mathml.converter
import nbformat
from nbconvert import HTMLExporter

from notebooks.run import VIEW, executed, still_of

ROOT = Path(__file__).resolve().parents[1]
PARTS = Path(__file__).with_name("parts")
STATIC = ROOT / "widgets" / "minigrad_widgets" / "static"
LIVE = "live/lab/index.html?path="

TEMPLATES = jinja2.Environment(
    loader=jinja2.FileSystemLoader(PARTS), autoescape=True, undefined=jinja2.StrictUndefined
)

AS_BODY: dict[str, Any] = {
    "template_name": "notebook",
    "extra_template_basedirs": [str(PARTS)],
    "exclude_input_prompt": True,
    "exclude_output_prompt": True,
    "exclude_anchor_links": True,
}
"""How nbconvert makes the body of a page."""

FORMULA = re.compile(r"(?P<ends>\$\$?)(?P<tex>[^$\n`]+)(?P=ends)")

NOT_SHOWN = {"_esm", "_css", "_anywidget_id", "layout", "tooltip", "tabbable"}
"""Parts of a view's state that no view reads."""


HEADING = re.compile(r'<h(?P<level>\d)(?: id="[^"]*")?>(?P<text>.*?)</h(?P=level)>', re.DOTALL)


@dataclass
class Lesson:
    """A notebook on its way to a page."""

    name: str  # "00_start_here"
    title: str
    minutes: str  # what its first cell says of them
    body: str  # HTML
    views: list[dict[str, Any]]  # in their order in the page: what draws each, and its state


def lesson_of(path: Path) -> Lesson:
    """Run a notebook, and make the body of its page.

    Raises nbclient's CellExecutionError if a cell fails.
    """
    return body_of(path.stem, nbformat.read(path, as_version=4), path.parent)


def article_of(path: Path) -> Lesson:
    """The same of a Markdown file."""
    cell = nbformat.v4.new_markdown_cell(path.read_text(encoding="utf-8"))
    return body_of(path.stem, nbformat.v4.new_notebook(cells=[cell]), path.parent)


def body_of(name: str, notebook: Any, folder: Path = ROOT, programs: bool = True) -> Lesson:
    """Run a notebook in this folder; its parts as HTML, with or without its programs."""
    notebook, states = executed(notebook, folder)
    views: list[dict[str, Any]] = []
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs = outputs_of(cell, states, views)
    notebook.metadata.pop("widgets", None)  # in these pages, views are drawn without Jupyter
    first = notebook.cells[0]
    title, minutes = "", ""
    if first.cell_type == "markdown":
        title, _, first.source = first.source.partition("\n")
        found = re.search(r"[^.\n]*\bminutes\b[^.\n]*\.", first.source)
        minutes = found[0].strip() if found else ""
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            cell.source = FORMULA.sub(in_mathml, cell.source)
    exporter = HTMLExporter(exclude_input=not programs, **AS_BODY)
    body, _ = exporter.from_notebook_node(notebook)
    body = re.sub(r'(href="[\w-]+)\.(ipynb|md)\b', r"\1.html", body)
    body = HEADING.sub(with_address, body)
    # What is too wide for a phone is scrolled, also with a key.
    body = body.replace("<pre>", '<pre tabindex="0">')
    body = body.replace("<table>", '<div class="wide" tabindex="0"><table>')
    body = body.replace("</table>", "</table></div>")
    return Lesson(name, title.lstrip("# "), minutes, body, views)


def in_mathml(formula: re.Match[str]) -> str:
    """A formula as browsers draw it themselves."""
    display = "block" if formula["ends"] == "$$" else "inline"
    return str(latex2mathml.converter.convert(formula["tex"], display=display))


def with_address(found: re.Match[str]) -> str:
    """A heading with the address that links in a notebook give it: GitHub's."""
    words = re.sub(r"<[^>]+>", "", found["text"])
    address = re.sub(r"[^\w\- ]", "", unescape(words).strip().lower()).replace(" ", "-")
    return f'<h{found["level"]} id="{address}">{found["text"]}</h{found["level"]}>'


def outputs_of(cell: Any, states: Any, views: list[dict[str, Any]]) -> list[Any]:
    """The outputs of a cell, with the place of a view for each view; ``views`` grows by them."""
    stills = {still_of(output): output for output in cell.outputs if still_of(output)}
    outputs = []
    for output in cell.outputs:
        shown = output.get("data", {}).get(VIEW)
        if shown is not None:
            key = shown["model_id"]
            outputs.append(place_of(len(views), cell.id, output, stills.get(key)))
            views.append(data_of(states[cell.id, key]))
        elif not still_of(output):
            outputs.append(output)
    return outputs


def place_of(number: int, cell: str, output: Any, still: Any) -> Any:
    """Where a view stands in the page: its picture, until a script takes its place."""
    text = output.data.get("text/plain", "")
    inside = still.data["text/html"] if still else f"<pre>{escape(text)}</pre>"
    place = f'<div data-view="{number}" data-cell="{escape(cell)}">{inside}</div>'
    return nbformat.v4.new_output("display_data", {"text/html": place})


def data_of(state: dict[str, Any]) -> dict[str, Any]:
    """What draws a view, and what it shows."""
    drawn_by = {file.read_text(encoding="utf-8"): file.name for file in STATIC.glob("*.js")}
    traits = {name: value for name, value in state.items() if name not in NOT_SHOWN}
    return {"module": drawn_by[state["_esm"]], "traits": traits}


def modules_of(shown: Path) -> set[str]:
    """The scripts that draw the views of a page, by what is written beside it."""
    return {view["module"] for view in json.loads(shown.read_text(encoding="utf-8"))}


def write_page(out: Path, template: str, views: Any = (), **about: Any) -> None:
    """A page of the site from its template in ``parts``, and beside it what its views show."""
    out.parent.mkdir(parents=True, exist_ok=True)
    file = out.with_suffix(".json") if views else None
    if file is not None:
        file.write_text(json.dumps(views), encoding="utf-8")
    about |= {"live": LIVE, "views": file and file.name}
    out.write_text(TEMPLATES.get_template(template).render(about), encoding="utf-8")
