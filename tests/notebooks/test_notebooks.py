"""What every notebook keeps to: its shape, its budgets, and numbers that are measured.

That it runs, and prints what is stored, is nbval's part: see ``lab.py test``.
"""

from __future__ import annotations

import itertools
import re
import subprocess
import sys

import pytest
from lessons import FOLDER, HERE, LESSONS, texts, without_code

from minigrad.lesson import Prediction, Verdict

# The rows of the list of claims that a notebook measures.
CLAIMS = {
    "01": range(1, 9),
    "02": range(9, 20),
    "03": range(20, 24),
    "04": (17,),
    "05": (16, 18),
    "06": (28, 29),
    "07": range(24, 28),
    "08": (31, 32, 33),
    "09": (13, 34),
    "10": (30, 35, 36),
    "13": (20,),
}

COVER = "The answer comes below. Guess first, then run this cell."
WIDGET = "application/vnd.jupyter.widget-view+json"

real_lesson = pytest.mark.parametrize(  # not the welcome page
    "lesson", [lesson for lesson in LESSONS if lesson.number != "00"], ids=str
)


def prose(markdown):
    """The words that are read: no code blocks, formulas, tags or addresses."""
    text = re.sub(r"\$[^$]*\$|<[^>]+>", " ", without_code(markdown))
    return re.sub(r"\]\([^)]*\)", "]", text)


# -------------------------------------------------------------------------------- as stored


def test_nothing_is_red_in_the_stored_outputs(lesson):
    outputs = [output for cell in lesson.of_kind("code") for output in cell.outputs]
    assert [o for o in outputs if o.output_type == "error" or o.get("name") == "stderr"] == []
    assert outputs, "the notebook has been executed before it was stored"


def test_no_widget_state_and_no_times_are_stored(lesson):
    assert set(lesson.metadata) <= {"kernelspec", "language_info"}
    assert lesson.metadata.kernelspec.name == "python3"
    for cell in lesson.cells:
        assert "execution" not in cell.metadata
        assert [o for o in cell.get("outputs", ()) if WIDGET in o.get("data", {})] == []


def test_every_picture_has_a_text(lesson):
    for cell in lesson.of_kind("markdown"):
        assert "" not in re.findall(r"!\[([^\]]*)\]\(", cell.source)
        assert all(re.search(r'\balt="[^"]', tag) for tag in re.findall(r"<img[^>]*>", cell.source))
    for cell in lesson.of_kind("code"):
        for output in cell.outputs:
            for kind, data in output.get("data", {}).items():
                data = data if isinstance(data, str) else "".join(data)
                if kind.startswith("image/") and kind != "image/svg+xml":
                    assert output.metadata.get(kind, {}).get("alt"), cell.source
                    assert "<img" in output.data.get("text/html", ""), "none in JupyterLab"
                for tag in re.findall(r"<svg[^>]*>", data) if "<svg" in data[:200] else ():
                    assert "aria-label" in tag or "<title" in data, cell.source
                for tag in re.findall(r"<img[^>]*>", data) if kind == "text/html" else ():
                    assert re.search(r'\balt="[^"]', tag), cell.source


def test_no_stored_output_gives_an_answer_away(lesson):
    """JupyterLab shows the first line of what is folded, and that is one that says nothing."""
    for cell in lesson.answering():
        if any(not text.startswith(("Predict:", "… ")) for text in texts(cell.outputs)):
            assert cell.metadata.get("jupyter") == {"outputs_hidden": True}, cell.source
    for cell in lesson.cells:
        if "outputs_hidden" in cell.metadata.get("jupyter", ()):
            first, *hidden = texts(cell.outputs)
            assert first == COVER and hidden, cell.source


# ----------------------------------------------------------------------------- what it imports


def test_who_draws_with_matplotlib_imports_it_in_a_cell(lesson):
    """In the browser only what the cells import is loaded; what their helpers import is unseen."""
    code = "\n".join(cell.source for cell in lesson.of_kind("code"))
    if re.search(r"(?m)^import matplotlib\b", code):
        return
    helpers = re.findall(r"(?m)^(?:from exercises|import exercises).*$", code)
    hidden = "import sys; sys.modules['matplotlib'] = None"
    program = "\n".join([hidden, *helpers])
    ran = subprocess.run(
        [sys.executable, "-c", program], cwd=FOLDER, capture_output=True, text=True
    )
    assert ran.returncode == 0, ran.stderr


# --------------------------------------------------------------------------------- how it reads


def test_no_line_of_code_runs_out_of_its_cell(lesson):
    lines = [line for cell in lesson.of_kind("code") for line in cell.source.splitlines()]
    assert [line for line in lines if len(line) > 100] == []


def test_no_cell_of_the_learner_asserts(lesson):
    """Who changes a number gets another picture, and not an AssertionError."""
    asserting = re.compile(r"(?m)^\s*assert\b")
    assert [cell.source for cell in lesson.of_kind("code") if asserting.search(cell.source)] == []


def test_the_welcome_page_says_how_long_it_takes(lesson):
    table = "".join(cell.source for cell in LESSONS[0].of_kind("markdown"))
    for minutes in re.findall(r"[Aa]bout (\d+) minutes", lesson.cells[0].source):
        row = rf"\({re.escape(lesson.path.name)}\).*\|[^|\n]*\b{minutes}\b[^|\n]* \|"
        assert re.search(row, table)


def test_the_headings_are_in_order(lesson):
    levels = [level for level, _ in lesson.headings()]
    assert levels[0] == 1 and levels.count(1) == 1
    assert all(after <= before + 1 for before, after in itertools.pairwise(levels))


def test_the_links_lead_somewhere(lesson):
    targets = [
        target
        for cell in lesson.of_kind("markdown")
        for target in re.findall(r"\]\(([^)#]+)", cell.source)
    ]
    assert [t for t in targets if "://" not in t and not (FOLDER / t).exists()] == []
    assert [t for t in targets if t.startswith("/")] == []
    assert [t for t in targets if t.startswith("..")] == [], "not with notebooks/ as the root"


# ------------------------------------------------------------------------------------ shape


def test_it_asks_often_before_it_shows(lesson, played):
    asked = [number for number, shown in played.shown.items() if any(map(is_question, shown))]
    tagged = [i for i, c in enumerate(lesson.cells) if "prediction" in c.metadata.get("tags", ())]
    assert asked == tagged
    assert len(asked) >= len(lesson.of_kind("code")) / 5


def test_run_all_as_given_leaves_everything_open(lesson, played):
    shown = [one for heard in played.shown.values() for one in heard]
    assert not any(one.answered if is_question(one) else one.attempted for one in shown)


def test_the_answer_is_not_to_be_read_above_the_question(lesson):
    """A call in the cell would show it; so questions stand in ``notebooks/exercises``."""
    assert [cell.source for cell in lesson.tagged("prediction") if "predict(" in cell.source] == []


def test_the_answer_is_not_to_be_read_below_the_question(lesson):
    """The source of a cell is seen before it is run; so the answer is no number or text there."""
    told = re.compile(r"""answer == (?:-?\d|"[^"]*"(?! \+)|\[)""")
    assert [cell.source for cell in lesson.of_kind("code") if told.search(cell.source)] == []


@real_lesson
def test_it_has_three_exercises_to_fill_in(lesson, played):
    exercises = lesson.tagged("exercise")
    assert len(exercises) >= 3
    for number, cell in enumerate(lesson.cells):
        if cell in exercises:
            assert "..." in cell.source
            assert any(isinstance(one, Verdict) for one in played.shown[number]), cell.source


@real_lesson
def test_it_asks_three_questions_about_earlier_notebooks(lesson, played):
    at = next(
        i
        for i, cell in enumerate(lesson.cells)
        if cell.cell_type == "markdown"
        and re.search(r"(?im)^#+ .*question.*(notebook|lesson)", cell.source)
    )
    after = [cell.cell_type == "markdown" and "\n#" in "\n" + cell.source for cell in lesson.cells]
    end = next((i for i in range(at + 1, len(after)) if after[i]), len(after))
    questions = [one for i in range(at, end) for one in played.shown.get(i, ()) if is_question(one)]
    assert len(questions) >= 3


@real_lesson
def test_it_leads_on_to_pytorch(lesson):
    assert any("PyTorch" in heading for _, heading in lesson.headings())


@real_lesson
def test_it_addresses_three_misconceptions(lesson):
    named = [cell.metadata.get("misconception", "") for cell in lesson.cells]
    ids = {one for text in named for one in re.split(r"[,\s]+", text) if one}
    assert len(ids) >= 3 and all(re.fullmatch(r"M\d+", one) for one in ids)
    assert not re.search(r"\bM\d{1,2}\b", "".join(c.source for c in lesson.of_kind("markdown")))


# ----------------------------------------------------------------------------------- numbers


def test_each_claim_is_measured_and_asserted(lesson):
    """In the cell it is measured, and in a file of its own it is asserted."""
    asserted = claims_of(lesson)
    rows = set()
    for cell in lesson.tagged("claim"):
        assert f'"{cell.id}"' in asserted, cell.source
        rows |= set(re.split(r"[,\s]+", str(cell.metadata["claim"])))
    assert {str(row) for row in CLAIMS.get(lesson.number, ())} <= rows


def claims_of(lesson):
    """The tests that assert what this notebook says."""
    file = HERE / "claims" / f"test_nb{lesson.number}.py"
    return file.read_text(encoding="utf-8") if file.exists() else ""


def test_every_number_in_the_prose_comes_from_a_cell(lesson):
    """From what is stored below one, from an exercise, or from a claim that is asserted."""
    sources = [cell.source for cell in lesson.of_kind("code") if "exercise" in cell.metadata]
    printed = [str(output) for cell in lesson.of_kind("code") for output in cell.outputs]
    texts_of_it = [*sources, *printed, claims_of(lesson)]
    known = {number for text in texts_of_it for number in numbers_in(text)}
    claimed = {
        number for cell in lesson.of_kind("markdown") for number in numbers_in(told(cell.source))
    }
    assert claimed - known == set()


def told(markdown):
    """Prose without numbers that count nothing: of sections, notebooks, errors, minutes."""
    text = re.sub(r"(?m)^#+ .*$|^\s*\d+\. ", " ", prose(markdown))
    text = re.sub(r"\[[^\]]*\]|\bMG\d+|\bnotebooks? \d+( and \d+)*|\d+ minutes", " ", text)
    text = re.sub(r"(?m)^\|.*\|$", table_told, text)
    return re.sub(r"(?<=[A-Za-z])\d+", "", text)


def table_told(row):
    """A table's row without the numbers that stand alone at its end: the minutes."""
    return re.sub(r"\| *\d+ *\|$", "|", row[0])


def numbers_in(text):
    """All numbers, however they are written: 1,024 and 1_024 and 1024.0 are one."""
    text = re.sub(r"(?<=\d)[,_\u202f](?=\d{3})", "", text)
    return {float(number) for number in re.findall(r"\d+(?:\.\d+)?(?:e-?\d+)?", text)}


def is_question(shown):
    return isinstance(shown, Prediction)
