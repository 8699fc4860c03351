"""What a copy of a lesson remembers: the site writes it, and the page compares it."""

from __future__ import annotations

import copy
import json
import threading

import pytest

from website import copies
from website.serve import address_of, served

CELLS = [
    {"id": "a", "cell_type": "markdown", "source": ["# The *chain* rule\n", "Grüße, 🙂"]},
    {"id": "b", "cell_type": "code", "source": "b = 2", "outputs": []},
    {"id": "c", "cell_type": "markdown", "source": "## Two paths"},
    {"id": "d", "cell_type": "code", "source": "d = b * b", "outputs": []},
]


@pytest.fixture
def record(tmp_path):
    """Write a lesson of these cells as the site does; the lesson as its copies begin from it."""

    def record(cells):
        file = tmp_path / "lesson.ipynb"
        file.write_text(json.dumps({"cells": cells, "metadata": {}}), encoding="utf-8")
        assert copies.record(tmp_path).keys() == {"lesson.ipynb"}
        return json.loads(file.read_text(encoding="utf-8"))

    return record


def changed(index, **parts):
    cells = copy.deepcopy(CELLS)
    cells[index] |= parts
    return cells


def test_a_lesson_has_a_new_version_when_a_text_or_program_changes_and_not_with_what_is_shown(
    record,
):
    def version(cells):
        return record(cells)["metadata"]["minigrad"]["version"]

    assert version(changed(3, outputs=[{"output_type": "stream"}])) == version(CELLS)
    others = [changed(3, source="d = b"), changed(3, cell_type="raw"), CELLS[:3], CELLS[::-1]]
    assert len({version(CELLS), *map(version, others)}) == 5


@pytest.fixture(scope="module")
def page(chrome):
    with served(copies.EXTENSIONS / "minigrad-kept" / "static") as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        page = chrome.new_page()
        page.goto(address_of(server) + "lesson.js")
        yield page
        page.close()
        server.shutdown()


def call(page, name, *arguments, module="lesson"):
    code = f"async (all) => (await import('/{module}.js')).{name}(...all)"
    return page.evaluate(code, list(arguments))


@pytest.mark.browser
@pytest.mark.parametrize("cell", CELLS, ids=lambda cell: cell["id"])
def test_the_page_computes_the_digests_that_the_site_has_written(page, cell):
    assert call(page, "digestOf", cell) == copies.digest(cell)


VIEW = {"data": {"application/vnd.jupyter.widget-view+json": {"model_id": "m"}}}
EMPTY = {"id": "new", "cell_type": "code", "source": " \n", "outputs": []}


def answered(given):
    state = {"m": {"state": {"given": given}}}
    return {"widgets": {"application/vnd.jupyter.widget-state+json": {"state": state}}}


@pytest.mark.browser
@pytest.mark.parametrize(
    ("untouched", "cells", "metadata"),
    [
        (True, CELLS, {}),
        (True, [*CELLS, EMPTY], {}),
        (True, changed(1, outputs=[VIEW]), answered(None)),
        (True, CELLS, answered({"text": "of a view that is no longer shown"})),
        (False, changed(1, outputs=[VIEW]), answered({"text": "3"})),
        (False, changed(1, source="b = 3"), {}),
        (False, [*CELLS, {**EMPTY, "source": "mine"}], {}),
        (False, CELLS[:3], {}),
        (False, [CELLS[1], CELLS[0], *CELLS[2:]], {}),
    ],
    ids=[
        "as given", "an empty cell", "run", "an old answer",
        "an answer", "a change", "a new cell", "a cell taken out", "moved",
    ],
)  # fmt: skip
def test_what_is_written_and_answered_counts_as_the_learners_and_what_only_ran_does_not(
    page, record, untouched, cells, metadata
):
    began = record(CELLS)["metadata"]["minigrad"]
    assert call(page, "isUntouched", {"cells": cells, "metadata": metadata}, began) is untouched


@pytest.mark.browser
@pytest.mark.parametrize(
    ("cells", "sections"),
    [
        (changed(1, source="b = 3"), ["The chain rule"]),
        (changed(3, source="d = 3"), ["Two paths"]),
        ([*changed(0, source="# Before"), {**EMPTY, "source": "e"}], ["Before", "Two paths"]),
        (CELLS[:3], []),
    ],
    ids=["first", "second", "both", "only taken out"],
)
def test_the_sections_are_named_in_which_something_is_new(page, record, cells, sections):
    began = record(CELLS)["metadata"]["minigrad"]
    assert call(page, "changedSections", record(cells), began) == sections


@pytest.mark.browser
@pytest.mark.parametrize(
    ("sections", "said"),
    [
        ([], "Cells were moved or taken out."),
        (["A"], "What changed: “A”."),
        (["A", "B"], "What changed: “A” and “B”."),
        (["A", "B", "C", "D"], "What changed: “A”, “B”, “C” and one more section."),
        (["A", "B", "C", "D", "E"], "What changed: “A”, “B”, “C” and 2 more sections."),
    ],
)
def test_what_changed_is_said_in_a_sentence(page, sections, said):
    assert call(page, "whatChanged", sections) == said


@pytest.mark.browser
def test_the_state_of_a_view_is_kept_with_its_parts_as_long_as_the_view_is_shown(page):
    kind = "application/vnd.jupyter.widget-state+json"
    before = {"a": {"layout": "IPY_MODEL_l"}, "l": {"width": 1}, "gone": {}, "b": {"given": 1}}
    now = {"b": {"given": 2}}
    saved = [{kind: {"version_major": 2, "state": state}} for state in (before, now)]
    kept = call(page, "withShown", ["a", "b", "never"], *saved, module="states")
    assert kept[kind] == {"version_major": 2, "state": {key: before[key] for key in "al"} | now}
    assert call(page, "withShown", ["b"], *saved, module="states") == saved[1]
