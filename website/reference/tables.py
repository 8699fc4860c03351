"""What minigrad covers of PyTorch, its choices at kinks, and the pages of its errors."""

from __future__ import annotations

import re
from dataclasses import dataclass
from html import escape

import pdoc.render_helpers

from minigrad import errors

from ..pages import HEADING, with_address
from . import texts
from .names import ROOT

CODE = re.compile(r"<code>(?P<name>\w+)</code>")
BLOCK = re.compile(r"(?:^    .*\n|^\n(?=    ))+", re.MULTILINE)
PLACE = re.compile(r"\{(\w+)\}")


def table(name: str) -> tuple[str, str]:
    """A file of ``docs`` as its title and its body in HTML."""
    text = (ROOT / "docs" / name).read_text(encoding="utf-8")
    title, _, text = text.partition("\n")
    html = str(pdoc.render_helpers.to_html(text))
    html = HEADING.sub(with_address, html)
    html = html.replace("<th></th>", "<td></td>")  # an empty corner is no heading
    html = html.replace("<table>", '<div class="wide" tabindex="0"><table>')
    return title.lstrip("# "), html.replace("</table>", "</table></div>")


def coverage(files: dict[str, str]) -> tuple[str, str]:
    """The table of what is covered, in which each name leads to its page."""
    title, html = table("coverage.md")
    sections = re.split(r"(?=<h2 )", html)
    return title, "".join(with_links(section, files) for section in sections)


def with_links(section: str, files: dict[str, str]) -> str:
    """A part of the table, about one module, with links."""
    found = re.match(r"<h2[^>]*>([\w.]+)", section)
    if found is None:
        return section
    space = found[1].replace("torch", "minigrad", 1)

    def linked(code: re.Match[str]) -> str:
        file = files.get(f"{space}.{code['name']}")
        return f'<a href="{file}">{code[0]}</a>' if file else code[0]

    return CODE.sub(linked, section)


@dataclass
class ErrorPage:
    """What is said of the errors with one code."""

    code: str
    title: str  # the phrase with which the message begins
    message: list[str]  # its other lines
    words: str  # HTML


def error_pages() -> list[ErrorPage]:
    return [error_page(code) for code in errors.pages()]


def error_page(code: str) -> ErrorPage:
    message, prose = errors.message_and_prose(code)
    phrase, *lines = message.splitlines()
    lines = [PLACE.sub(r"‹\1›", line) for line in lines if not PLACE.fullmatch(line)]
    words = ""
    place = 0
    for block in BLOCK.finditer(prose):
        program = "\n".join(line[4:] for line in block[0].splitlines()).strip("\n")
        words += paragraphs(prose[place : block.start()])
        words += f'<pre class="program" tabindex="0">{texts.program(program)}</pre>'
        place = block.end()
    return ErrorPage(code, PLACE.sub(r"‹\1›", phrase), lines, words + paragraphs(prose[place:]))


def paragraphs(text: str) -> str:
    """Plain text as HTML."""
    parts = [part.strip() for part in text.split("\n\n") if part.strip()]
    return "".join(f"<p>{escape(part)}</p>" for part in parts)
