"""A view in words: a table for who reads, and sentences for who hears what a picture shows.

Both are made of what the page gets, so they tell what the page shows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from minigrad.tape.difference import equation
from minigrad.tape.names import also

from ..folding import at_first, opens_folded

ROWS = 20  # of a table
WIDE = 44  # letters of one field
LONG = 900  # letters of an alternative text

Data = dict[str, Any]
Row = tuple[str, ...]


def table(head: Row, rows: Sequence[Row], what: str = "rows", most: int = ROWS) -> str:
    """Rows as text, in columns; of a long table the first ones, and how many more."""
    shown = [head, *(tuple(map(cut, row)) for row in rows[:most])]
    widths = [max(map(len, column)) for column in zip(*shown)]
    lines = ["   ".join(map(str.ljust, row, widths)).rstrip() for row in shown]
    if len(rows) > most:
        lines.append(f"… and {len(rows) - most} more {what}")
    return "\n".join(lines)


def cut(text: str, most: int = WIDE) -> str:
    """A text of one line and bounded length."""
    text = " ".join(str(text).split())
    return text if len(text) <= most else f"{text[: most - 1]}…"


def sentences(parts: Iterable[str], what: str) -> str:
    """As many sentences as there is room for, and how many more."""
    given = list(parts)
    said = ""
    for done, part in enumerate(given):
        if done and len(said) + len(part) > LONG:
            return f"{said} And {len(given) - done} more {what}."
        said += f" {cut(part, LONG)}"
    return said.strip()


# --------------------------------------------------------------------------------- a backward pass


def pass_table(schedule: Data) -> str:
    """Each visit: what arrived, and for each input the local slope and what is passed on."""
    operations = {node["id"]: node["op"] for node in schedule["nodes"]}
    lands = "would land in" if schedule["mode"] == "rehearsed" else "in"
    rows: list[Row] = []
    for step in schedule["steps"]:
        text, came = step["text"], step["grad"]["text"]
        if step["kind"] == "visit":
            first: Row = (text, operations.get(step["node"], ""), came)
            for out in step["outgoing"]:
                rows.append((*first, slope(out), f"{out['grad']['text']} to {out['text']}"))
                first = ("", "", "")
            if not step["outgoing"]:
                rows.append((*first, "", "nothing"))
        elif step["kind"] == "land":
            rows.append((text, "leaf", came, "", f"{step['after']['text']} {lands} .grad"))
    if not rows:
        return schedule.get("message", "")
    return table(("visit", "operation", "arrived", "local slope", "passes on"), rows)


def slope(out: Data) -> str:
    """The local slope of one input: ``2 * error = -6``. Of several numbers, the whole rule."""
    local, value = out["local"], out["localValue"]
    if local is None:
        return str(out["rule"])
    if value is None or value["text"].strip("[]") == local:
        return str(local)
    return f"{local} = {value['text']}"


def pass_says(schedule: Data) -> str:
    """The backward pass in sentences."""
    steps = [step for step in schedule["steps"] if step["kind"] != "start"]
    if not steps:
        return cut(f"No backward pass: {schedule.get('message', '')}", LONG)
    is_ = "would be" if schedule["mode"] == "rehearsed" else "is"
    landed = [
        f"{step['text']}.grad {is_} {step['after']['text']}."
        for step in steps
        if step["kind"] == "land"
    ]
    visits = [visit_says(step) for step in steps if step["kind"] == "visit"]
    start = f"The backward pass of {cut(schedule['title'])} in {len(visits)} visits."
    end = f"At the end {sentences(landed[:6], 'leaves')}" if landed else ""
    return sentences([f"{start} {end}".strip(), *visits], "visits")


def visit_says(step: Data) -> str:
    sent = ", ".join(
        f"{cut(out['grad']['text'])} to {cut(out['text'])} (slope {cut(slope(out))})"
        for out in step["outgoing"]
    )
    return f"At {cut(step['text'])} arrives {step['grad']['text']}; it passes on {sent or '—'}."


# --------------------------------------------------------------------------------- a graph


EMPTY = "The graph is empty: nothing was recorded yet."
GONE = "The graph that was recorded is gone: nothing holds it."
STATES = {"alive": "", "spent": "spent", "gone": "freed"}


LINES = 40  # of a program


def state_of(node: Data) -> str:
    """What has become of its value: of a program's line, how long that is there."""
    return str(node["until"]) if "until" in node else STATES[node["state"]]


def graph_table(graph: Data) -> str:
    """Each node and leaf, newest first, as ``graph_text`` writes them; and its gradient.

    Of a large graph, the boxes that its operations share.
    """
    nodes = list(reversed(graph["nodes"]))
    if not nodes:
        return GONE if graph.get("omitted") else EMPTY
    if is_program(graph):
        return program_table(graph)
    if graph["groups"]:
        return table(("box", "operations"), list(boxes_of(graph)), "boxes")
    nodes.sort(key=lambda node: node["kind"] not in ("op", "failed"))
    rows = [
        (
            ", ".join(filter(None, [equation(node), also(node["names"])])),
            node["value"]["text"],
            node["op"] or node["kind"],
            node["grad"]["text"] if node["grad"] else "",
            state_of(node),
        )
        for node in nodes
    ]
    head = ("node", "value", "operation", ".grad", "state")
    kept = [at for at in range(5) if at < 3 or any(row[at] for row in rows)]
    shown = table(
        tuple(head[at] for at in kept), [tuple(row[at] for at in kept) for row in rows], "nodes"
    )
    return "\n\n".join(filter(None, (shown, marks_below(graph["nodes"]))))


def is_program(graph: Data) -> bool:
    """Are its nodes the lines of a compiled function?"""
    return any("until" in node for node in graph["nodes"])


def program_table(graph: Data) -> str:
    """What a program is given and each line, in their order; who reads it, and how long it is kept.

    It has no numbers: each call has its own.
    """
    nodes = sorted(graph["nodes"], key=lambda node: node["kind"] == "op")
    readers: dict[str, list[str]] = {node["id"]: [] for node in nodes}
    for node in nodes:
        for operand in node["inputs"]:
            readers[operand["id"]].append(node["names"][0] if node["names"] else node["formula"])
    rows = [
        (
            equation(node) if node["op"] else f"{equation(node)} (given)",
            node["value"]["text"],
            ", ".join(readers[node["id"]]),
            state_of(node),
        )
        for node in nodes
    ]
    return table(("line", "makes", "read by", "its value is"), rows, "lines", LINES)


def marks_below(nodes: list[Data]) -> str:
    """What was cut and what shares memory, a line for each node that has a mark."""
    lines = [f"{cut(equation(node))}: {marks_say(node)}" for node in nodes if node.get("marks")]
    if len(lines) > ROWS:
        lines[ROWS:] = [f"… and {len(lines) - ROWS} more nodes with marks"]
    return "\n".join(lines)


def marks_say(node: Data) -> str:
    """The sentences at one node."""
    return "; ".join(mark["text"] for mark in node.get("marks", ()))


def graph_says(graph: Data) -> str:
    """The graph in sentences."""
    nodes = graph["nodes"]
    operations = [node for node in nodes if node["kind"] == "op"]
    if not nodes:
        return GONE if graph.get("omitted") else EMPTY
    leaves = [node for node in nodes if node["kind"] in ("leaf", "data")]
    given = [node for node in nodes if node["kind"] == "given"]
    earlier = [node for node in nodes if node["kind"] == "earlier"]
    start = f"A graph of {counted(len(operations), 'operation')}"
    if is_program(graph):
        start = f"A program of {counted(len(operations), 'line')}"
    if leaves:
        start += f" on {counted(len(leaves), 'leaf', 'leaves')}: {values_of(leaves)}"
    if given:
        start += f" on {counted(len(given), 'given array')}: {values_of(given)}"
    if earlier:
        start += f"; with {counted(len(earlier), 'earlier result')}: {values_of(earlier)}"
    if graph["groups"]:
        boxes = [
            f"{title}." if n == "1" else f"{title}: {n} operations." for title, n in boxes_of(graph)
        ]
        return sentences([f"{start}.", *boxes], "boxes")
    failed = [node for node in nodes if node["kind"] == "failed"]
    return sentences([f"{start}.", *map(node_says, [*failed, *operations])], "operations")


def values_of(nodes: list[Data]) -> str:
    """The first few with their values."""
    said = []
    for node in nodes[:8]:
        other = also(node["names"])
        name = f"{equation(node)} ({other})" if other else equation(node)
        said.append(f"{name} = {node['value']['text']}")
    return cut(", ".join(said), 300)


def boxes_of(graph: Data) -> Iterator[tuple[str, str]]:
    """The boxes of a large graph, each with the number of its operations."""
    for box in graph["groups"]:
        yield box["title"], str(len(members_of(box)))


def outer_boxes(graph: Data) -> list[Data]:
    """What a graph shows that opens folded, with all that is said of the boxes as their titles."""
    if not opens_folded(graph["nodes"]):
        return []
    nodes = {node["id"]: node for node in graph["nodes"]}
    return [
        {**box, "title": ", ".join(filter(None, [box["title"], box.get("note")]))}
        if box["title"]
        else {**box, "title": equation(nodes[box["id"]])}
        for box in at_first(graph["groups"])
    ]


def members_of(box: Data) -> list[str]:
    """The operations in a box, and in the boxes in it."""
    return [*box["members"], *(key for inner in box["groups"] for key in members_of(inner))]


def node_says(node: Data) -> str:
    if node["kind"] == "failed":
        return f"{cut(equation(node))} {marks_say(node)}."
    said = f"{cut(equation(node))} is {node['value']['text']}"
    if node["grad"]:
        said += f", its .grad {node['grad']['text']}"
    if node.get("marks"):
        said += f", {marks_say(node)}"
    return f"{said}{f' ({state})' if (state := state_of(node)) else ''}."


def counted(number: int, one: str, many: str = "") -> str:
    return f"{number} {one if number == 1 else many or one + 's'}"


# --------------------------------------------------------------------------------- two runs

SIGNS = {"same": "the same", "value": "other values", "left": "left only", "right": "right only"}


def difference_sign(row: Data) -> str:
    """How the two sides of a row differ."""
    left, right = row["left"], row["right"]
    if row["kind"] == "value" and left["value"]["shape"] != right["value"]["shape"]:
        return "other shape"
    return SIGNS[row["kind"]]


def difference_table(difference: Data) -> str:
    """What is the same in both runs, and what differs."""
    rows: list[Row] = []
    for row in difference["rows"]:
        left, right = row["left"], row["right"]
        if row["skipped"]:
            rows.append((f"… {row['skipped']} like these", "", "", ""))
            continue
        line = (left or right)["line"]
        rows.append((difference_sign(row), str(line or ""), with_value(left), with_value(right)))
    head = ("", "line", difference["left"]["title"], difference["right"]["title"])
    return f"{difference['summary']}\n\n{table(head, rows)}"


def with_value(node: Data | None) -> str:
    return "" if node is None else f"{cut(equation(node), 26)} = {cut(node['value']['text'], 16)}"


def difference_says(difference: Data) -> str:
    """The comparison in sentences."""
    titles = f"{difference['left']['title']} and {difference['right']['title']}"
    found: list[str] = []
    says: dict[str, Callable[[Data, Data], str]] = {
        "same": lambda left, right: f"Both have {with_value(left)}.",
        "value": lambda left, right: f"Left {with_value(left)}, right {with_value(right)}.",
        "left": lambda left, right: f"Only left has {with_value(left)}.",
        "right": lambda left, right: f"Only right has {with_value(right)}.",
    }
    for row in difference["rows"]:
        if not row["skipped"]:
            found.append(says[row["kind"]](row["left"], row["right"]))
    start = f"Two runs side by side, {cut(titles, 100)}: {difference['summary']}."
    return sentences([start, *found], "pairs")


# --------------------------------------------------------------------------------- a training

PHASES = {
    "zero": lambda event: "gradients cleared",
    "forward": lambda event: "model called",
    "backward": lambda event: f"loss {near(event['loss'])}, gradient {near(event['grad'])}",
    "step": lambda event: f"from {near(event['before'])} to {near(event['value'])}",
}


def near(number: Any) -> str:
    return f"{number:.4g}" if isinstance(number, float) else str(number)


def training_table(training: Data) -> str:
    """The phases with the values of the watched number, and the loss from first to last."""
    rows = [
        (
            f"{event['step']}",
            event["kind"],
            near(event["value"]),
            PHASES.get(event["kind"], lambda event: "")(event),
        )
        for event in training["events"]
    ]
    lines = [training_says(training)]
    if rows:
        head = (training["unit"], "phase", training["parameter"] or "value", "what happened")
        lines += ["", table(head, rows, "phases")]
    return "\n".join(lines)


def training_says(training: Data) -> str:
    """The training in sentences."""
    kinds = " with ".join(filter(None, (training["model"], training["optimizer"])))
    said = f"Training of {kinds}: {training['message'] or training['progress']}."
    losses = training["loss"]
    if losses:
        (first, start), (last, end) = losses[0], losses[-1]
        said += (
            f" The loss went from {near(start)} at {training['unit']} {first} "
            f"to {near(end)} at {training['unit']} {last}."
        )
    for norms in training["norms"][:3]:
        if norms["points"]:
            ends = near(norms["points"][0][1]), near(norms["points"][-1][1])
            said += f" The gradient norm of {norms['name']} went from {ends[0]} to {ends[1]}."
    return cut(" ".join([said, *training["notes"]]), LONG)
