"""What the class got wrong, on one page: by question and mistake, each with an example.

No names: the page can be shown to the class. A file without scripts, in which all that students
have written is text.
"""

from __future__ import annotations

import html
from collections import Counter
from typing import Any

from .tables import Graded

STYLE = """
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 52rem; margin: 2rem auto; padding: 0 1rem; }
h1 { line-height: 1.2; } h2 { margin: 2.5rem 0 .5rem; }
.bar { display: flex; height: 1.25rem; border-radius: .25rem; overflow: hidden;
  border: 1px solid GrayText; }
.passed { background: #2a78b8; } .wrong { background: #d98a1f; } .none { background: Canvas; }
.key { display: inline-block; width: .8em; height: .8em; border: 1px solid GrayText; }
li { margin: 1rem 0; } pre { overflow-x: auto; padding: .75rem; border: 1px solid GrayText;
  border-radius: .25rem; font-size: 14px; } .message { white-space: pre-wrap; }
summary { cursor: pointer; }
"""
MOST = 8  # mistakes of a question that are shown


def page(title: str, graded: Graded) -> str:
    """The page as HTML."""
    results = [result for _, result in graded]
    names = [one["name"] for one in results[0]["questions"]] if results else []
    parts = [part for place, name in enumerate(names) for part in section(name, place, results)]
    points = [result["points"] for result in results]
    possible = results[0]["possible"] if results else 0
    mean = sum(points) / len(points) if points else 0
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width">'
        f"<title>{html.escape(title)}: what the class got wrong</title>"
        f"<style>{STYLE}</style></head><body><main>"
        f"<h1>{html.escape(title)}: what the class got wrong</h1>"
        f"<p>{counted(len(results), 'submission')}, {mean:.1f} of {possible:g} points on average."
        '</p><p><span class="key passed"></span> right &ensp; <span class="key wrong"></span> wrong'
        ' &ensp; <span class="key none"></span> not attempted</p>' + "".join(parts) + "</main>"
        "</body></html>\n"
    )


def counted(count: int, noun: str) -> str:
    return f"{count} {noun}{'s'[: count != 1]}"


def section(name: str, place: int, results: list[dict[str, Any]]) -> list[str]:
    """A question: how many were right, and the mistakes, the most frequent first."""
    questions = [result["questions"][place] for result in results]
    states = Counter(one["state"] for one in questions)
    kinds = (("passed", "passed"), ("not passed", "wrong"), ("not attempted", "none"))
    bars = "".join(
        f'<div class="{kind}" style="flex:{states[state]}"></div>'
        for state, kind in kinds
        if states[state]
    )
    said = f"{states['passed']} right, {states['not passed']} wrong, "
    said += f"{states['not attempted']} not attempted"
    parts = [f"<h2>{html.escape(name)}</h2>"]
    parts.append(f'<div class="bar" role="img" aria-label="{said}">{bars}</div><p>{said}.</p>')
    wrong = [one for one in questions if one["state"] == "not passed"]
    mistakes = Counter(mistake(one["message"]) for one in wrong)
    parts.append("<ol>")
    for text, count in sorted(mistakes.items(), key=lambda one: (-one[1], one[0]))[:MOST]:
        alike = [one for one in wrong if mistake(one["message"]) == text]
        example = min(alike, key=lambda one: (len(one["source"]), one["source"]))
        more = html.escape(example["message"][len(text) :].strip())  # such as the line it is about
        where = f'<p class="message">{more}</p>' if more else ""
        parts.append(
            f"<li><strong>{counted(count, 'student')}</strong>: "
            f'<span class="message">{html.escape(text)}</span><details><summary>An example'
            f"</summary>{where}"
            f"<pre tabindex=0>{html.escape(example['source'])}</pre></details></li>"
        )
    left = len(mistakes) - MOST
    more = f"<p>And {counted(left, 'other mistake')}.</p>" if left > 0 else ""
    return [*parts, "</ol>", more]


def mistake(message: str) -> str:
    """What many share: the first line, without the place in one's own notebook."""
    return message.partition("\n")[0]
