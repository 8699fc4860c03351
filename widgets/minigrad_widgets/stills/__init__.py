"""What a view leaves where nothing runs: a picture, a table and a text, by default.

A live view needs a running page. A saved notebook is also read where none is: on a repository's
page, as ``nbconvert`` made it, by who does not trust its scripts. So each view, at the end of the
cell that shows it, puts a **still** behind itself: an SVG, its table as text, and sentences for
who does not see it. Where the live view stands, the page hides the still (``still.css``).

``words`` are the tables and sentences, ``graph`` and ``pairs`` the drawings, ``svg`` their pen;
``played`` has both for a recording, ``memory`` for a measured memory.
"""

from __future__ import annotations

import base64
from html import escape
from typing import Any, NamedTuple

from .graph import graph_picture
from .memory import memory_picture, memory_says, memory_table
from .pairs import difference_picture, training_picture
from .played import recording_picture, recording_says, recording_table
from .words import (
    difference_says,
    difference_table,
    graph_says,
    graph_table,
    outer_boxes,
    pass_says,
    pass_table,
    training_says,
    training_table,
)

MOST = 100_000  # bytes of a picture: the notebook is to stay small

WAIT = (  # a live view that is about to come hides it: until then it takes no room
    "<style>.mg-still{margin:0;animation:mg-still 1s step-end}"
    "@keyframes mg-still{from{max-height:0;overflow:hidden;opacity:0}}"
    ".mg-still pre{font-family:ui-monospace,Menlo,Consolas,monospace}</style>"
)


class Still(NamedTuple):
    """A view at rest."""

    table: str
    says: str
    svg: str  # "" where there is nothing to draw, or too much

    def html(self) -> str:
        """The picture with its text, and the table folded below it."""
        rows = f'<pre class="mg-still-table">{escape(self.table)}</pre>'
        if not self.svg:
            return f'<div class="mg-still">{WAIT}{rows}</div>'
        data = base64.b64encode(self.svg.encode()).decode()
        return (
            f'<div class="mg-still">{WAIT}<img alt="{escape(self.says)}" style="max-width:100%" '
            f'src="data:image/svg+xml;base64,{data}">'
            f"<details><summary>The picture as a table</summary>{rows}</details></div>"
        )


def still_of(state: dict[str, Any]) -> Still:
    """The still of a view with these traits."""
    found = bare_still(state)
    return found._replace(svg="") if len(found.svg.encode()) > MOST else found


def bare_still(state: dict[str, Any]) -> Still:
    """The same, however large its picture is."""
    if "schedule" in state:
        return pass_still(state["schedule"])
    if "difference" in state:
        data = state["difference"]
        return Still(difference_table(data), difference_says(data), difference_picture(data))
    if "training" in state:
        data = state["training"]
        return Still(training_table(data), training_says(data), training_picture(data))
    if "recording" in state:
        data = state["recording"]
        return Still(recording_table(data), recording_says(data), recording_picture(data))
    if "memory" in state:
        data = state["memory"]
        return Still(memory_table(data), memory_says(data), memory_picture(data))
    graph = {**state["graph"], "groups": outer_boxes(state["graph"])}
    says = graph_says(graph)
    svg = graph_picture(says, graph["nodes"], groups=graph["groups"])
    return Still(graph_table(graph), says, svg)


def pass_still(schedule: dict[str, Any]) -> Still:
    """The whole pass: the graph, and at each node what arrived there.

    It is that of the engine with which the page opens: a learner's own, or one that is wrong on
    purpose, which is named; else autograd's.
    """
    engine = opened_with(schedule)
    named = ""
    if engine is not None:
        message = engine.get("problem") or f"{engine['title']} made no visit."
        schedule = {**schedule, "steps": engine["steps"], "message": message}
        if not engine.get("own"):
            named = f"The engine {engine['id']} is wrong on purpose: {engine['what']}."
    arrived = {step["node"]: step["grad"]["text"] for step in schedule["steps"]}
    says = f"{named} {pass_says(schedule)}".strip()
    svg = graph_picture(says, schedule["nodes"], arrived)
    return Still(f"{named}\n{pass_table(schedule)}".strip(), says, svg)


def opened_with(schedule: dict[str, Any]) -> dict[str, Any] | None:
    """The engine whose pass is shown at first; None: autograd's."""
    for engine in schedule["engines"]:
        if engine.get("own") or (engine["id"] == schedule.get("chosen") and engine["steps"]):
            return engine
    return None
