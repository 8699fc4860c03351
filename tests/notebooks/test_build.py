"""The saved copies: pictures in place of views, nothing that differs between two runs."""

from __future__ import annotations

import base64
import importlib.util
import json
import re
import shutil
import struct
import subprocess
import sys
from html import escape
from pathlib import Path

import nbformat
import pytest
from playwright.sync_api import sync_playwright

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("[0-9]*.ipynb"))

spec = importlib.util.spec_from_file_location("build_notebooks", ROOT / "notebooks" / "build.py")
building = importlib.util.module_from_spec(spec)
spec.loader.exec_module(building)

CELLS = (
    "import minigrad as torch\n"
    "from minigrad_widgets import BackwardStepper, GraphDiff, GraphView\n"
    "from minigrad.lesson import predict",
    "GraphView()",
    "a = torch.tensor(2.0, requires_grad=True)\nb = a * 3\nc = a * b",
    "BackwardStepper(c)",
    "def f(a):\n    while a < 4:\n        a = a * 2\n    return a\n\n\n"
    "GraphDiff(f, {'a': 1.9}, {'a': 2.1})",
    "_ = predict('How many?', 3)",
    "# NBVAL_IGNORE_OUTPUT\nimport time\n\ntime.time()",
    "import sys\n\nprint('one')\nsys.stdout.flush()\nprint('two')",
    "import os\n\nos.urandom(8)",
    "from minigrad_widgets import plots\n\nplots.show(plots.loss_curve([4.0, 2.0, 1.0]))",
)
PLOT = "Loss over 3 steps: from 4 to 1."
TAGS = {8: ["nbval-ignore-output"]}


def write(path, **metadata):
    cells = [
        nbformat.v4.new_code_cell(
            source, id=f"cell-{i}", metadata={"tags": TAGS[i]} if i in TAGS else {}
        )
        for i, source in enumerate(CELLS)
    ]
    notebook = nbformat.v4.new_notebook(cells=cells, metadata=metadata)
    nbformat.write(notebook, path)
    return path


def outputs(text, cell):
    return json.loads(text)["cells"][cell]["outputs"]


@pytest.fixture(scope="module")
def saved(tmp_path_factory, chromium):
    """A notebook that was built, and its text."""
    path = write(tmp_path_factory.mktemp("saved") / "09_all.ipynb")
    with building.Painter() as painter:
        path.write_text(building.build(path, painter), encoding="utf-8")
    return path, path.read_text(encoding="utf-8")


pictures = pytest.mark.browser


@pictures
@pytest.mark.parametrize(
    ("cell", "text", "alt"),
    [
        (1, "GraphView(0 operations)", "The graph is empty: nothing was recorded yet."),
        (3, "BackwardStepper(4 steps)", "At the end a.grad would be 12."),
        (4, "GraphDiff(a = 1.9 | a = 2.1)", "2 operations against 1; 1 more pass"),
    ],
)
def test_a_view_is_a_picture_of_its_state_when_its_cell_ended_with_a_text(saved, cell, text, alt):
    (shown,) = outputs(saved[1], cell)
    assert shown["data"].keys() == {"image/png", "text/html", "text/plain"}
    assert shown["data"]["text/plain"][0] == f"{text}\n"
    assert shown["metadata"]["image/png"]["alt"].startswith(f"{text}. ")
    assert alt in shown["metadata"]["image/png"]["alt"]


@pictures
def test_a_table_tells_what_the_picture_shows(saved):
    (shown,) = outputs(saved[1], 3)
    table = "".join(shown["data"]["text/plain"])
    assert re.search(r"c = a \* b +mul +1 +b = 6 +6 to a\n +a = 2 +2 to b\n", table)
    assert escape(table.partition("\n\n")[2]) in "".join(shown["data"]["text/html"])


@pictures
def test_the_same_picture_stands_there_as_html_with_its_text(saved):
    """JupyterLab shows it in place of the PNG, whose ``alt`` it does not know."""
    (shown,) = outputs(saved[1], 3)
    html = "".join(shown["data"]["text/html"])
    about = shown["metadata"]["image/png"]
    assert html.startswith(f'<img alt="{escape(about["alt"])}" width="{about["width"]}" ')
    assert shown["data"]["image/png"].strip() in html


@pictures
def test_a_picture_has_two_pixels_for_one_and_is_shown_in_its_size(saved):
    (shown,) = outputs(saved[1], 3)
    png = base64.b64decode(shown["data"]["image/png"])
    assert png.startswith(b"\x89PNG")
    width, height = struct.unpack(">II", png[16:24])
    assert width == 2 * shown["metadata"]["image/png"]["width"] and height > 300
    assert len(png) < 100_000


@pictures
def test_a_second_run_gives_the_same_file(saved):
    path, text = saved
    with building.Painter() as painter:
        assert building.build(path, painter) == text


@pictures
def test_a_picture_that_shows_the_same_is_kept_byte_by_byte(saved, tmp_path):
    """Fonts differ between machines: what another machine drew is not drawn anew."""
    path, text = saved
    drawn = outputs(text, 3)[0]["data"]["image/png"]
    elsewhere = tmp_path / path.name
    elsewhere.write_text(text.replace(drawn.strip(), "iVBORw0KGgo="), encoding="utf-8")
    with building.Painter() as painter:
        again = building.build(elsewhere, painter)
    assert outputs(again, 3)[0]["data"]["image/png"] == "iVBORw0KGgo=\n"


@pictures
def test_questions_stay_words(saved):
    (shown,) = outputs(saved[1], 5)
    assert shown["data"].keys() == {"text/plain"}
    assert shown["data"]["text/plain"][0] == "Predict: How many?\n"


@pictures
def test_no_state_of_widgets_no_times_and_no_versions_are_left(saved):
    notebook = json.loads(saved[1])
    assert notebook["metadata"].keys() == {"kernelspec", "language_info"}
    assert notebook["metadata"]["language_info"] == {"name": "python"}
    assert all(cell["metadata"].keys() <= {"tags"} for cell in notebook["cells"])
    assert "widget-view" not in saved[1] and "model_id" not in saved[1]


@pictures
def test_what_is_printed_in_pieces_is_saved_in_one(saved):
    (printed,) = outputs(saved[1], 7)
    assert printed["text"] == ["one\n", "two\n"]


@pictures
def test_what_must_differ_each_time_is_kept_from_the_time_before(saved):
    path, text = saved
    fresh = building.build(path)
    assert outputs(fresh, 6) == outputs(text, 6) != []
    assert outputs(fresh, 8) == outputs(text, 8) != []


@pictures
def test_the_saved_notebook_reads_as_html_without_scripts_and_without_a_network(saved, chromium):
    path, _ = saved
    command = [sys.executable, "-m", "nbconvert", "--to", "html", "--log-level", "ERROR", str(path)]
    subprocess.run(command, check=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=str(chromium), args=list(building.FLAGS)
        )
        page = browser.new_context(java_script_enabled=False, offline=True).new_page()
        page.goto(path.with_suffix(".html").as_uri())
        images = page.locator("img")
        assert images.count() == 4
        for at in range(4):
            assert len(images.nth(at).get_attribute("alt")) >= len(PLOT)
            assert images.nth(at).bounding_box()["height"] > 100
        browser.close()


def nbval(text, folder):
    """What nbval says of a notebook, with what ``notebooks/conftest.py`` tells it."""
    shutil.copy(ROOT / "notebooks" / "conftest.py", folder)
    (folder / "09_all.ipynb").write_text(text, encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "--nbval", "--nbval-current-env", "-q", "-p"]
    return subprocess.run(
        [*command, "no:cacheprovider", "--rootdir", str(folder), str(folder / "09_all.ipynb")],
        capture_output=True,
        text=True,
        cwd=folder,
    )


@pictures
def test_nbval_accepts_a_picture_for_a_live_view_and_a_plot_from_another_machine(saved, tmp_path):
    notebook = json.loads(saved[1])
    (shown,) = notebook["cells"][9]["outputs"]
    (html,) = shown["data"]["text/html"]
    elsewhere = re.sub(r'width="\d+"', 'width="480"', html)
    shown["data"]["text/html"] = [re.sub(r'(?<=base64,)[^"]*', "iVBORw0KGgo=", elsewhere)]
    done = nbval(json.dumps(notebook), tmp_path)
    assert done.returncode == 0, done.stdout


@pictures
def test_nbval_sees_that_a_plot_says_something_else(saved, tmp_path):
    done = nbval(saved[1].replace(f'alt=\\"{PLOT}', 'alt=\\"Loss over 4 steps'), tmp_path)
    assert done.returncode == 1 and "1 failed" in done.stdout, done.stdout


@pytest.fixture
def folded(tmp_path):
    """A notebook with two folded cells, the second of which shows nothing."""
    cells = [
        nbformat.v4.new_code_cell(
            source, id=f"cell-{i}", metadata={"jupyter": {"outputs_hidden": True}}
        )
        for i, source in enumerate(("print('the answer')", "answer = 2"))
    ]
    path = tmp_path / "09_folded.ipynb"
    nbformat.write(nbformat.v4.new_notebook(cells=cells), path)
    path.write_text(building.build(path), encoding="utf-8")
    return path


def test_in_front_of_a_folded_output_stands_a_line_that_says_nothing(folded):
    text = folded.read_text(encoding="utf-8")
    first, printed = outputs(text, 0)
    assert first["data"] == {
        "text/plain": ["The answer comes below. Guess first, then run this cell."]
    }
    assert printed["text"] == ["the answer\n"] and outputs(text, 1) == []
    assert building.build(folded) == text, "one line, however often it is built"


@pytest.mark.parametrize(("stored", "code"), [("the answer", 0), ("another", 1)])
def test_nbval_compares_what_is_folded(folded, tmp_path, stored, code):
    text = folded.read_text(encoding="utf-8").replace("the answer\\n", f"{stored}\\n")
    (tmp_path / "run").mkdir()
    done = nbval(text, tmp_path / "run")
    assert done.returncode == code, done.stdout


def test_a_notebook_that_fails_is_not_saved(tmp_path, monkeypatch):
    path = tmp_path / "09_wrong.ipynb"
    cell = nbformat.v4.new_code_cell("1 / 0", id="cell-0")
    nbformat.write(nbformat.v4.new_notebook(cells=[cell]), path)
    before = path.read_bytes()
    monkeypatch.setattr(building, "HERE", tmp_path)
    with pytest.raises(SystemExit, match=r"09_wrong\.ipynb was not changed.*"):
        building.main([])
    assert path.read_bytes() == before


def test_a_name_that_is_none_is_said():
    with pytest.raises(SystemExit, match="begins with 99"):
        building.chosen(["99"])


# --- What is committed ---------------------------------------------------------------------------


def in_words(text):
    """A notebook without its pictures, but with what they say."""
    notebook = nbformat.reads(text, as_version=4)
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            data, metadata = output.get("data", {}), output.get("metadata", {})
            data.pop("image/png", None)
            html = data.pop("text/html", None)
            if html is not None and "minigrad" not in metadata:
                differs = r'(?<=base64,)[^"]*|(?<=class="mg-plot") width="\d+"'
                data["text/html"] = re.sub(differs, "", html)
            for name in ("minigrad", "image/png"):
                metadata.pop(name, None)
    return notebook


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_what_is_committed_is_what_the_command_makes(path):
    committed = path.read_text(encoding="utf-8")
    assert in_words(building.build(path)) == in_words(committed), f"notebooks/build.py {path.stem}"
