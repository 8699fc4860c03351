"""Write ``docs/audit.md``: what three articles claim, and what the lessons measured of it.

    python docs/audit.py

The 38 claims stand in ``docs/audit/claims.toml``. A lesson that measures one says so twice:

1. its cell has the tag ``claim``, and the claim's number in its metadata: ``"claim": "24"``;
2. ``docs/audit/nb07.toml`` (the file of lesson 07) says what came of it, in one entry::

       [[measured]]
       claim = 24
       verdict = "holds, if the inputs are sequences or trees"
       cell = "two-names"
       printed = "Al: {} nodes, Maximilian: {} nodes"
       found = "names of 2 and of 10 letters leave {} and {} nodes"

No measured number is typed. ``printed`` is looked for among what the cell has printed, as it is
stored in the notebook; each ``{}`` in it stands for a number there, and these numbers fill the
``{}`` of ``found``, in their order. Line breaks and runs of spaces count as one space. ``printed``
may be a list of such texts, or one without any number ("MG107"); it must fit one place only. Of a
cell whose output differs between runs (tag ``nbval-ignore-output``) the page says so.

A verdict is ``holds``, ``holds, if …`` (something that the article leaves out) or ``is wrong``,
with or without a reason after a colon. Several cells may measure one claim, each with its own
entry: one of them has the verdict, and where two have one, they agree. A claim without an entry is
listed as not measured yet. The tests compare the page with what this file writes, the entries with
the tags, and what they quote with what the cells print when they are run.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from docs.cells import Cell, Lesson, lessons, link  # noqa: E402

FOLDER, PAGE = HERE / "audit", HERE / "audit.md"
NUMBER = r"(?<![\w.])([-+−]?\d[\d,]*(?:\.\d+)?(?:e[-+]?\d+)?)"
VERDICTS = ("holds", "holds with a condition", "is wrong")
YET = "not measured yet"


@dataclass(frozen=True)
class Entry:
    """One ``[[measured]]``: a claim, and the cell of a lesson that measured it."""

    claim: int
    lesson: Lesson
    cell: Cell
    printed: tuple[str, ...]
    found: str
    verdict: str

    def told(self, output: str | None = None) -> str:
        """``found`` with the numbers that the cell has printed, or that this output holds."""
        numbers = [n for text in self.printed for n in self.numbers_at(text, output)]
        if len(numbers) != self.found.count("{}"):
            raise self.wrong(f"{len(numbers)} numbers for {self.found!r}")
        return self.found.format(*map(written, numbers))

    def numbers_at(self, text: str, output: str | None) -> tuple[str, ...]:
        """The numbers at the one place of the output that a text of ``printed`` fits."""
        parts = [r"\s+".join(map(re.escape, part.split(" "))) for part in text.split("{}")]
        pattern = r"(?<!\w)" + NUMBER.join(parts)  # not in the middle of a word or a number
        places = list(re.finditer(pattern, self.cell.printed if output is None else output))
        if len(places) != 1:
            raise self.wrong(f"{text!r} fits {len(places)} places of what the saved cell prints")
        return places.pop().groups()

    def wrong(self, what: str) -> SystemExit:
        return SystemExit(
            f"claim {self.claim} in lesson {self.lesson.number}, {self.cell.id}: {what}"
        )


def written(number: str) -> str:
    """A printed number as a page says it: −499,226 for -499226, and 15 for 15.00000."""
    number = number.replace("−", "-").replace(",", "")
    if "e" not in number:
        if "." in number:
            number = number.rstrip("0").rstrip(".")
        if len(number.lstrip("-+").partition(".")[0]) > 3:
            whole, point, rest = number.partition(".")
            number = f"{int(whole):,}{point}{rest}"
    return number.replace("-", "−")


def kind_of(verdict: str) -> str:
    """Which of the three a verdict is."""
    for kind, begins in zip(VERDICTS, (r"holds(:|$)", r"holds, if ", r"is wrong(:|$)")):
        if re.match(begins, verdict):
            return kind
    raise SystemExit(f"{verdict!r} is no verdict: 'holds', 'holds, if …' or 'is wrong'")


def claims() -> dict[str, Any]:
    """The articles and their claims."""
    return tomllib.loads((FOLDER / "claims.toml").read_text(encoding="utf-8"))


def entries() -> list[Entry]:
    """What the lessons have measured, in the order of the lessons."""
    found = []
    for lesson in lessons().values():
        file = FOLDER / f"nb{lesson.number}.toml"
        content = tomllib.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
        for one in content.get("measured", ()):
            printed = one["printed"]
            found.append(
                Entry(
                    claim=one["claim"],
                    lesson=lesson,
                    cell=lesson.cell(one["cell"]),
                    printed=(printed,) if isinstance(printed, str) else tuple(printed),
                    found=one["found"],
                    verdict=one.get("verdict", ""),
                )
            )
    return found


def verdict_of(measured: list[Entry]) -> str:
    """The one verdict of the cells that measured a claim."""
    verdicts = list(dict.fromkeys(entry.verdict for entry in measured if entry.verdict))
    if not verdicts:
        raise measured[0].wrong("no entry of this claim has a verdict")
    if len(set(map(kind_of, verdicts))) > 1:
        raise measured[0].wrong(f"two verdicts: {verdicts}")
    return verdicts[0]


def evidence(entry: Entry) -> str:
    told = entry.told()
    once = "; another run gives other numbers" if entry.cell.varies() else ""
    return f"{told[0].upper()}{told[1:]} ({link(entry.lesson)}, {entry.cell.place()}{once})."


def row(claim: dict[str, Any], measured: list[Entry]) -> str:
    said = f"| {claim['number']} | {claim['says']} | {', '.join(claim['in'])} |"
    if measured:
        found = "<br>".join(map(evidence, measured))
        return f"{said} {strong(verdict_of(measured))} | {found} |"
    return f"{said} {claim.get('why_not', YET)} | |"


def strong(verdict: str) -> str:
    """A verdict, with the word that decides in bold."""
    return re.sub(r"^(holds|is wrong)", r"**\1**", verdict)


def summary(listed: list[dict[str, Any]], measured: dict[int, list[Entry]]) -> str:
    counts = Counter(kind_of(verdict_of(found)) for found in measured.values())
    others = Counter("why_not" in claim for claim in listed if claim["number"] not in measured)
    lines = ["| verdict | claims |", "|---|---:|"]
    lines += [f"| {kind} | {counts[kind]} |" for kind in VERDICTS]
    lines += [f"| {YET} | {others[False]} |", f"| nothing to measure | {others[True]} |"]
    return "\n".join([*lines, f"| **together** | **{len(listed)}** |"])


def table() -> str:
    """The whole document."""
    content = claims()
    listed = content["claim"]
    measured: dict[int, list[Entry]] = {}
    for entry in entries():
        measured.setdefault(entry.claim, []).append(entry)
    articles = [
        f"- **{article['letter']}**: "
        f"[{article['title']}](../notebooks/articles.md#{article['at']}), {article['what']}"
        for article in content["article"]
    ]
    parts = [
        "# The audit",
        "Three published introductions explain what a dynamic computational graph is. Here is what "
        f"they claim, {len(listed)} claims in our own words, and what the lessons found when they "
        "measured it. Each measured number was printed by the cell that is named behind it: "
        "`python docs/audit.py` writes this page from what the cells have printed, and the tests "
        "hold it to that. The cells are named by their ids.",
        "\n".join(articles),
        "The links lead to a list that says in which section of an article each sentence stands. A "
        "claim *holds with a condition* where something must be added that the article leaves out.",
        summary(listed, measured),
    ]
    for topic in dict.fromkeys(claim["topic"] for claim in listed):
        rows = [row(c, measured.get(c["number"], [])) for c in listed if c["topic"] == topic]
        parts.append(f"## {topic}")
        heads = "| | the claim | in | verdict | measured, in the lesson and cell |"
        parts.append("\n".join([heads, "|---:|---|---|---|---|", *rows]))
    return "\n\n".join(parts) + "\n"


if __name__ == "__main__":
    PAGE.write_text(table(), encoding="utf-8")
    print(f"{PAGE.relative_to(HERE.parent)} written")
