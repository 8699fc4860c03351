"""``python -m minigrad_widgets.strip``: what it takes out, what it keeps, what it says."""

from __future__ import annotations

import json
import subprocess
import sys

import nbformat
import pytest
from hostile_notebook import PNG, hostile
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from minigrad_widgets import strip


def texts(notebook):
    return json.dumps(notebook)


def test_nothing_that_runs_in_a_browser_is_left_in_the_outputs():
    looked, removed = strip.stripped(hostile())
    nbformat.validate(looked)
    kinds = {kind for cell in looked.cells for o in cell.get("outputs", []) for kind in o.data}
    assert kinds == {"text/plain", "image/png"}
    assert "widgets" not in looked.metadata and "hits" not in texts(looked.cells[1:])
    assert removed["metadata widgets"] == removed["text/html"] == removed["image/svg+xml"] == 1


def test_what_was_written_and_printed_and_drawn_is_kept():
    cells = [
        new_markdown_cell("# Mine\n$x^2$"),
        new_code_cell(
            "print(1)",
            metadata={"tags": ["exercise"], "nbgrader": {"grade_id": "a"}, "trusted": True},
            outputs=[
                new_output("stream", name="stdout", text="1\n"),
                new_output("error", ename="E", evalue="v", traceback=["E: v"]),
                new_output("execute_result", {"image/png": PNG, "text/plain": "<Figure>"}),
            ],
        ),
    ]
    looked, removed = strip.stripped(new_notebook(cells=cells))
    assert [cell.source for cell in looked.cells] == ["# Mine\n$x^2$", "print(1)"]
    assert looked.cells[1].metadata == {"tags": ["exercise"], "nbgrader": {"grade_id": "a"}}
    assert looked.cells[1].outputs == cells[1].outputs
    assert dict(removed) == {"metadata trusted of a cell": 1}


def test_the_notebook_that_is_given_stays_as_it_is():
    notebook = hostile()
    before = texts(notebook)
    strip.stripped(notebook)
    assert texts(notebook) == before


@pytest.mark.parametrize(
    "output",
    [
        {"output_type": "pyout", "html": "<script>"},
        {"output_type": "stream", "name": "stdout", "text": "a", "html": "<script>"},
        {"output_type": "display_data", "metadata": {}, "data": {"text/X": "<script>"}},
        {"output_type": "display_data", "metadata": {"a": "<script>"}, "data": {}},
        {"output_type": "error", "ename": "", "evalue": "", "traceback": [], "x": "<script>"},
    ],
)
def test_what_is_not_known_is_taken_out(output):
    notebook = nbformat.from_dict(new_notebook(cells=[new_code_cell("1")]))
    notebook.cells[0].outputs = [nbformat.from_dict(output)]
    assert "<script>" not in texts(strip.stripped(notebook)[0])


def test_pictures_in_cells_are_kept_if_they_only_show():
    cell = new_markdown_cell("![](attachment:a.png)")
    cell.attachments = {"a.png": {"image/png": PNG}, "b.svg": {"image/svg+xml": "<svg/>"}}
    looked, removed = strip.stripped(new_notebook(cells=[cell]))
    assert looked.cells[0].attachments == {"a.png": {"image/png": PNG}, "b.svg": {}}
    assert dict(removed) == {"image/svg+xml": 1}


def test_on_the_command_line_it_writes_copies_and_says_what_is_missing(tmp_path):
    nbformat.write(hostile(), tmp_path / "a.ipynb")
    (tmp_path / "b.ipynb").write_text("no notebook")
    before = (tmp_path / "a.ipynb").read_bytes()
    command = [sys.executable, "-m", "minigrad_widgets.strip", "a.ipynb", "b.ipynb"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 1
    assert done.stdout.startswith("a.stripped.ipynb: without 1 × application/javascript, 1 × ")
    assert "1 × metadata widgets" in done.stdout and "b.ipynb: not stripped" in done.stderr
    assert (tmp_path / "a.ipynb").read_bytes() == before
    assert "hits" not in texts(nbformat.read(tmp_path / "a.stripped.ipynb", 4).cells[1:])


def test_no_file_is_ever_written_over(tmp_path, capsys):
    for name in ("a.ipynb", "looked/a.ipynb"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        nbformat.write(hostile(), tmp_path / name)
    before = (tmp_path / "looked/a.ipynb").read_bytes()
    for folder in (tmp_path / "looked", tmp_path):
        assert strip.main([str(tmp_path / "a.ipynb"), "-o", str(folder)]) == 1
        assert "is there already" in capsys.readouterr().err
    assert (tmp_path / "looked/a.ipynb").read_bytes() == before
    assert strip.main([str(tmp_path / "a.ipynb"), "-o", str(tmp_path / "new")]) == 0
    assert (tmp_path / "new" / "a.ipynb").exists()
