"""The picture of the project, as the kernel writes it: c = a + b, d = b + 1, e = c * d.

    python tests/widgets/colah.py     # writes it for the front end's tests

The front end's tests read the file, a test here checks that the kernel still writes it so.
"""

from __future__ import annotations

import json
from pathlib import Path

import minigrad as torch
from minigrad.tape import VERSION, tape
from minigrad_widgets.backward_stepper import schedule_of

FILE = Path(__file__).resolve().parents[2] / "widgets" / "test" / "colah.json"


def colah():
    """The snapshot of the graph and the schedule of its backward pass."""
    reader = tape.watch()
    try:
        a = torch.tensor([2.0], requires_grad=True)
        b = torch.tensor([6.0], requires_grad=True)
        tape.cell = "In [2]"
        c = a + b
        d = b + 1
        tape.cell = "In [3]"
        e = c * d
        tape.look_for_names()
        keys = list(dict.fromkeys(reader.changed))
        nodes = [tape.describe(key) for key in keys]
        schedule = schedule_of(e, None, {})
        two = [engine for engine in schedule["engines"] if engine["id"] in ("overwrite", "local")]
        schedule["engines"] = two  # enough for the tests
    finally:
        tape.cell = ""
        tape.release(reader)
    found = {
        "snapshot": {"version": VERSION, "number": len(keys), "nodes": nodes, "omitted": 0},
        "schedule": schedule,
    }
    return renumbered(found, nodes)


def renumbered(found, nodes):
    """With keys counted t1, t2, n3, n4, n5, and without the line numbers of this file."""
    text = json.dumps(found)
    counts = {"t": 0, "n": 2}
    for key in [node["id"] for node in nodes]:
        counts[key[0]] += 1
        text = text.replace(f'"{key}"', f'"@{key[0]}{counts[key[0]]}"')
    plain = json.loads(text.replace('"@', '"'))
    for node in (*plain["snapshot"]["nodes"], *plain["schedule"]["nodes"]):
        if node["kind"] == "op":
            node["line"], node["file"] = 1, node["cell"]
    return plain


if __name__ == "__main__":
    FILE.write_text(json.dumps(colah(), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
