"""A recording at rest: its steps as a table and in sentences, its lines with what each wrote."""

from __future__ import annotations

from collections import Counter
from typing import Any

from .svg import SOFT, WIDTH, Picture
from .words import counted, cut, sentences, table

MOST_LINES = 40
ROW = 22

Data = dict[str, Any]


def recording_table(recording: Data) -> str:
    """Each step: its line, what happened, and what it wrote."""
    nodes = {node["id"]: node for node in recording["nodes"]}
    rows = [
        (str(at), line_of(moment), happened(recording, nodes, moment), wrote(moment))
        for at, moment in enumerate(recording["moments"], 1)
    ]
    if not rows:
        return str(recording["note"])
    return table(("step", "line", "what happened", "wrote"), rows, "steps")


def line_of(moment: Data) -> str:
    passes = ", ".join(f"pass {number}" for number in moment["passes"])
    line = "" if moment["line"] is None else str(moment["line"])
    return f"{line} ({passes})" if passes else line


def happened(recording: Data, nodes: dict[str, Data], moment: Data) -> str:
    """What a moment is, in a few words."""
    if moment["kind"] == "op":
        node = nodes[moment["node"]]
        named = " = ".join([*node["names"][:1], node["formula"]])
        return f"{named} makes {node['value']['text']}"
    if moment["kind"] == "step":
        step = recording["passes"][moment["pass"]]["steps"][moment["step"] - 1]
        arrived = step["grad"]["text"]
        return {
            "start": f"backward from {step['text']}",
            "visit": f"visit {step['text']}: {arrived} arrived",
            "land": f"{step['text']}.grad: {arrived} lands",
        }[step["kind"]]
    if moment["kind"] == "call":
        return f"call of {scope_of(recording, moment)}"
    return f"raised {moment['raised']}" if moment["raised"] else "ran"


def scope_of(recording: Data, moment: Data) -> str:
    scopes = {call["id"]: call["scope"] for call in recording["calls"]}
    return scopes.get(moment["call"]) or "the block"


def wrote(moment: Data) -> str:
    return ", ".join(written(change) for change in moment["changes"])


def written(change: Data) -> str:
    if change["text"] is None:
        return f"{change['name']} is gone"
    return f"{change['name']} = {change['text']}"


def recording_says(recording: Data) -> str:
    """The recording in sentences."""
    moments = recording["moments"]
    if not moments:
        return str(recording["note"])
    start = f"The tape of {cut(recording['title'])}: {counted(len(moments), 'step')}"
    if recording["dropped"]:
        start += f", the last ones of {len(moments) + recording['dropped']}"
    nodes = {node["id"]: node for node in recording["nodes"]}
    end = [f"It ended with {recording['raised']}."] if recording["raised"] else []
    steps = [step_says(recording, nodes, moment) for moment in moments]
    return sentences([f"{start}.", *end, *steps], "steps")


def step_says(recording: Data, nodes: dict[str, Data], moment: Data) -> str:
    """A moment in one sentence."""
    said = happened(recording, nodes, moment)
    if moment["kind"] == "line" and moment["line"] is not None:
        said = f"line {moment['line']} {said}"
    if moment["kind"] in ("line", "call") and moment["changes"]:
        said += f": {wrote(moment)}"
    if moment["kind"] != "op":  # a formula stays as it is
        said = f"{said[:1].upper()}{said[1:]}"
    return f"{said}."


def recording_picture(recording: Data) -> str:
    """The lines, how often each ran, and what it has written last; "" where no line is known."""
    ran: Counter[tuple[str, int]] = Counter()
    last: dict[tuple[str, int], str] = {}
    before: Any = None
    for moment in recording["moments"]:
        at = moment["file"], moment["line"]
        now = (*at, moment["call"], tuple(moment["passes"]))
        ran[at] += now != before
        before = now
        if moment["changes"]:
            last[at] = wrote(moment)
    rows = [
        (block["file"], line["number"], line["text"])
        for block in recording["source"]
        for line in block["lines"]
    ]
    if not rows:
        return ""
    kept = f" in the last {len(recording['moments'])} steps" if recording["dropped"] else ""
    picture = Picture(f"The lines of {recording['title']}{kept}, and what each wrote last")
    picture.text(24, 22, picture.title, WIDTH - 48, 13, text_anchor="start", font_weight=600)
    for place, (file, number, text) in enumerate(rows[:MOST_LINES]):
        y = 52 + ROW * place
        picture.text(44, y, str(number), fill=SOFT, text_anchor="end")
        spaces = len(text) - len(text.lstrip())
        picture.text(58 + 7.6 * spaces, y, text.lstrip(), 380 - 7.6 * spaces, text_anchor="start")
        times = ran[file, number]
        if times:
            said = f"{times}×  {last.get((file, number), '')}".rstrip()
            picture.text(450, y, said, 260, 11, fill=SOFT, text_anchor="start")
    height = 52 + ROW * min(len(rows), MOST_LINES)
    if len(rows) > MOST_LINES:
        more = f"… and {len(rows) - MOST_LINES} more lines"
        picture.text(WIDTH / 2, height, more, fill=SOFT)
        height += ROW
    return picture.drawn(WIDTH, height)
