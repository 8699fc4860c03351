"""A docstring as HTML: its words, its example, and its counterpart in PyTorch."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from dataclasses import dataclass
from html import escape
from typing import Any

import pdoc.docstrings
import pdoc.render_helpers
import pygments
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonConsoleLexer, PythonLexer

from ..pages import FORMULA, in_mathml

EXAMPLE = re.compile(r"(?:^ *>>>.*\n?(?:^ *\S.*\n?)*\n?)+", re.MULTILINE)
"""Lines that begin with Python's prompt, and what they print, up to an empty line."""

COUNTERPART = re.compile(r"Counterparts?:\s[^`]*``torch\.[\w.]+``[^.`]*(?:``[^`]*``[^.`]*)*\.?")

PARAMETERS = re.compile(r"^Parameters\n-+\n(?:\S.*\n(?:\n* +\S.*\n?)+\n*)+", re.MULTILINE)
"""A list of parameters: each a line, and below it, further in, what it means."""

NAME = re.compile(r"<code>(?P<name>[\w.]+)(?P<call>\(\))?</code>")

CODE = re.compile(r"\bMG\d{3}\b")
"""Of an error, which has a page."""


@dataclass
class Told:
    """What a docstring says."""

    first: str  # its first sentence, as text
    words: str  # all but the example and the counterpart, as HTML
    example: str  # the example, as HTML; "" if it has none
    counterparts: list[str]  # ["torch.mul"]; empty if it names none


def told(docstring: str, linked: Callable[[str], str | None]) -> Told:
    """The parts of a docstring; ``linked`` knows the address of a name, or None."""
    text = inspect.cleandoc(docstring)
    examples = [found[0].strip("\n") for found in EXAMPLE.finditer(text)]
    text = EXAMPLE.sub("\n", text)
    found = COUNTERPART.search(text)
    if found is not None:
        text = text[: found.start()] + text[found.end() :]
    example = "\n\n".join(without_directives(one) for one in examples)
    return Told(
        first=first_sentence(text),
        words=as_html(text, linked),
        example=console(example) if example else "",
        counterparts=re.findall(r"``(torch\.[\w.]+)``", found[0]) if found is not None else [],
    )


def without_directives(example: str) -> str:
    """An example without what only doctest reads."""
    return re.sub(r" *# doctest: .*", "", example)


def first_sentence(text: str) -> str:
    """The first sentence of a docstring, without marks."""
    paragraph = " ".join(text.strip().split("\n\n")[0].split())
    found = re.match(r".+?[.?](?= [A-Z`(]|$)", paragraph)
    return (found[0] if found else paragraph).replace("``", "")


def as_html(text: str, linked: Callable[[str], str | None]) -> str:
    """Words of a docstring: what is in code and known gets a link."""
    text = FORMULA.sub(in_mathml, text)
    parts: list[str] = []
    place = 0
    for found in PARAMETERS.finditer(text):
        parts += [text[place : found.start()], found[0]]
        place = found.end()
    parts.append(text[place:])
    html = "".join(
        pdoc.render_helpers.to_html(pdoc.docstrings.convert(part, "numpy", None)) for part in parts
    )
    html = re.sub(r"<h6[^>]*>(.*?)</h6>", r'<p class="part">\1</p>', html)

    def with_link(found: re.Match[str]) -> str:
        address = linked(found["name"])
        return f'<a href="{address}">{found[0]}</a>' if address else found[0]

    html = CODE.sub(r'<a href="\g<0>.html">\g<0></a>', html)
    return NAME.sub(with_link, html).replace("<pre>", '<pre tabindex="0">')


def console(text: str) -> str:
    """Python's prompts with what they print."""
    return marked(text, CONSOLE)


def program(text: str) -> str:
    """Lines of Python."""
    return marked(text, PROGRAM)


COLOURED = "k kn kc kd ow s s1 s2 sd si sa mi mf c1 gp"
"""The classes of Pygments that reference.css gives a colour."""


class Marked(HtmlFormatter):
    """HTML in which only that has a mark which gets a colour."""

    def _get_css_class(self, kind: Any) -> str:
        found = str(super()._get_css_class(kind))
        return found if found in COLOURED.split() else ""


CONSOLE = PythonConsoleLexer()
PROGRAM = PythonLexer(stripnl=False)
MARKED = Marked(nowrap=True)


def marked(text: str, lexer: Any) -> str:
    return str(pygments.highlight(text, lexer, MARKED))


def signature(name: str, of: inspect.Signature | None) -> str:
    """A call, as a program would write it; what the types are called in a program."""
    if of is None:
        return escape(name)
    text = re.sub(
        r"\bminigrad(?:\.\w+)*\._?\w+\.(?=\w)|\btyping\.|\bcollections\.abc\.", "", f"{of}"
    )
    parts = [line.strip() for line in text.splitlines()]
    plain = f"{name}{' '.join(parts)}".replace("( ", "(").replace(" )", ")")
    if len(plain) > 72:
        parts = top_level_parts(plain)
        plain = "\n".join(parts)
    return program(plain).strip()


def top_level_parts(call: str) -> list[str]:
    """A call in lines, one for each argument."""
    depth = 0
    lines = [""]
    for place, letter in enumerate(call):
        depth += (letter in "([{") - (letter in ")]}")
        if letter == ")" and depth == 0:
            lines[-1] = f"{lines[-1]},"
            return [lines[0], *(f"    {one.strip()}" for one in lines[1:]), call[place:]]
        lines[-1] += letter
        if (letter == "(" and depth == 1) or (letter == "," and depth == 1):
            lines.append("")
    return lines
