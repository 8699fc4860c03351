"""The audit and the table of misconceptions say what the lessons' cells have measured and asked."""

from __future__ import annotations

import re

import pytest
from lessons import LESSONS, ROOT

from docs import audit, misconceptions
from docs.cells import lessons

ENTRIES = audit.entries()
CLAIMS = {claim["number"]: claim for claim in audit.claims()["claim"]}
BELIEVED = {one["id"]: one for one in misconceptions.misconceptions()}


# ------------------------------------------------------------------------------- the claims


@pytest.mark.parametrize("page", [audit, misconceptions], ids=["audit", "misconceptions"])
def test_the_page_is_what_its_script_writes(page):
    stale = page.PAGE.read_text(encoding="utf-8") != page.table()
    assert not stale, f"the lessons have changed: run python docs/{page.PAGE.stem}.py"


def test_the_audit_says_what_a_run_of_the_lesson_prints(lesson, played):
    """Of what differs between runs, as times do, the place is found, and the page says so."""
    for one in ENTRIES:
        if one.lesson.number == lesson.number:
            said = one.told(played.printed[one.cell.id])
            assert one.cell.varies() or said == one.told(), one.cell.id
            assert ("another run gives other numbers" in audit.evidence(one)) == one.cell.varies()


def test_a_claim_is_tagged_where_it_is_measured_and_measured_where_it_is_tagged(lesson):
    said = {(e.cell.id, str(e.claim)) for e in ENTRIES if e.lesson.number == lesson.number}
    cells = lessons()[lesson.number].cells
    tagged = {(cell.id, claim) for cell in cells for claim in cell.named("claim")}
    assert said <= tagged, "the metadata of the cell name the claim"
    lacking = {claim for _, claim in tagged} - {claim for _, claim in said}
    assert not lacking, f"docs/audit/nb{lesson.number}.toml says what came of these claims"


def test_no_measured_number_is_typed():
    for one in ENTRIES:
        assert not re.search(r"\d", re.sub(r"`[^`]*`", "", one.found)), one.found


def test_there_are_38_claims_each_with_one_verdict_or_none_yet():
    assert list(CLAIMS) == list(range(1, 39))
    letters = {article["letter"] for article in audit.claims()["article"]}
    assert all(claim["in"] and letters.issuperset(claim["in"]) for claim in CLAIMS.values())
    for number, claim in CLAIMS.items():
        measured = [one for one in ENTRIES if one.claim == number]
        assert not (measured and "why_not" in claim), number
        if measured:
            assert audit.kind_of(audit.verdict_of(measured)) in audit.VERDICTS
    assert {one.claim for one in ENTRIES} <= CLAIMS.keys()


def test_the_link_to_an_article_leads_to_its_list_of_sections():
    known = (ROOT / "notebooks" / "articles.md").read_text(encoding="utf-8")
    headings = re.findall(r"(?m)^## (.*)", known)
    anchors = {re.sub(r"[^\w -]", "", one.lower()).replace(" ", "-") for one in headings}
    for article in audit.claims()["article"]:
        assert article["title"] in headings and article["at"] in anchors


@pytest.mark.parametrize("page", [audit, misconceptions], ids=["audit", "misconceptions"])
def test_each_row_of_a_table_has_as_many_cells_as_its_head(page):
    for table in re.findall(r"(?:^\|.*\n)+", page.table(), re.M):
        assert len({row.count("|") for row in table.splitlines()}) == 1


# ------------------------------------------------------------------------- how a page is made


OUTPUT = "step 1: -0.500\nstep 2:   1234.5"


def entry(printed, found, verdict="holds"):
    first = ENTRIES[0]
    return audit.Entry(1, first.lesson, first.cell, printed, found, verdict)


def test_numbers_are_taken_from_the_place_that_fits():
    assert entry(("step 2: {}",), "{} now").told(OUTPUT) == "1,234.5 now"
    both = entry(("step 2: {}", "step 1: {}"), "{} after {}")
    assert both.told(OUTPUT) == "1,234.5 after −0.5"
    assert entry(("step 1:",), "there is a first one").told(OUTPUT) == "there is a first one"


@pytest.mark.parametrize(
    ("printed", "found", "problem"),
    [
        ("step 3: {}", "{}", "fits 0 places"),
        ("tep 1:", "", "fits 0 places"),
        ("step {}: {}", "{} {}", "fits 2 places"),
        ("step 2: {}", "{} of {}", "1 numbers for"),
    ],
)
def test_what_fits_no_place_or_two_is_refused(printed, found, problem):
    with pytest.raises(SystemExit, match=problem):
        entry((printed,), found).told(OUTPUT)


@pytest.mark.parametrize(
    ("printed", "written"),
    [("15.00000", "15"), ("-499226", "−499,226"), ("1,048,576", "1,048,576"), ("2e-06", "2e−06")],
)
def test_a_number_is_written_as_in_the_lessons(printed, written):
    assert audit.written(printed) == written


@pytest.mark.parametrize("verdict", ["true", "holds if", "is wrong, if", "holding"])
def test_other_verdicts_are_refused(verdict):
    with pytest.raises(SystemExit, match="is no verdict"):
        audit.kind_of(verdict)


def test_two_lessons_that_disagree_are_refused():
    with pytest.raises(SystemExit, match="two verdicts"):
        audit.verdict_of([entry((), ""), entry((), "", verdict="is wrong")])


# -------------------------------------------------------------------------- misconceptions


def test_there_are_32_misconceptions_and_the_tags_name_no_other():
    assert list(BELIEVED) == [f"M{number}" for number in range(1, 33)]
    named = {
        its_id
        for one in lessons().values()
        for c in one.cells
        for its_id in c.named("misconception")
    }
    assert named <= BELIEVED.keys()


@pytest.mark.parametrize("one", BELIEVED.values(), ids=BELIEVED)
def test_a_misconception_is_asked_about_or_explained_by_an_error_or_listed_as_not_met(one):
    row = next(r for r in misconceptions.table().splitlines() if r.startswith(f"| {one['id']} |"))
    assert (misconceptions.YET in row) == (not misconceptions.is_met(one))
    asking, _ = misconceptions.met_by(one["id"])
    assert all(re.search(r"question `|exercise \*|one of the questions", text) for text in asking)


@pytest.mark.parametrize("code", [one["error"] for one in BELIEVED.values() if "error" in one])
def test_each_error_that_is_named_has_its_page(code):
    assert list((ROOT / "minigrad" / "pages").glob(f"{code}_*.md"))


def test_all_lessons_are_read():
    assert list(lessons()) == [lesson.number for lesson in LESSONS]
