"""Large graphs as boxes: what is put together, what it is called, and that no cycle appears."""

from __future__ import annotations

import random

import pytest

from minigrad_widgets.folding import MANY, MOST, grouped


def op(number, inputs, line=1, **rest):
    return {
        "id": f"n{number}",
        "kind": "op",
        "op": "mul",
        "cell": "In [1]",
        "file": "In [1]",
        "scope": "",
        "line": line,
        "spot": f"{line}.0",
        "inputs": [{"id": i} for i in inputs],
        **rest,
    }


def loop(passes, lines=(3, 4, 5), start=0, **rest):
    """A chain through the lines of a loop's body, so many times."""
    nodes = []
    for count in range(passes * len(lines)):
        before = [f"n{start + count - 1}"] if start + count else []
        nodes.append(op(start + count, before, lines[count % len(lines)], **rest))
    return nodes


def members(group):
    return group["members"] or [m for inner in group["groups"] for m in members(inner)]


def test_a_small_graph_has_no_boxes():
    assert grouped(loop(MANY // 3)) == []


def test_the_lines_of_a_loop_are_one_box_with_their_number_of_passes():
    (box,) = grouped(loop(48))
    assert box["title"] == "lines 3–5, 48 times"
    assert len(members(box)) == 144


def test_what_stands_before_and_after_a_loop_has_boxes_of_its_own():
    nodes = [op(0, [], 1), *loop(48, start=1), op(145, ["n144"], 7)]
    assert [g["title"] for g in grouped(nodes)] == ["line 1", "lines 3–5, 48 times", "line 7"]
    assert [g["id"] for g in grouped(nodes)] == ["n0", "b0:n1", "n145"]


def test_a_function_is_named_and_a_single_line_too():
    (box,) = grouped(loop(100, lines=(4,), scope="Net.forward"))
    assert box["title"] == "Net.forward, line 4, 100 times"


def test_in_a_loops_box_there_are_boxes_of_whole_passes():
    (box,) = grouped(loop(48))
    titles = [inner["title"] for inner in box["groups"]]
    assert titles[:2] == ["passes 1–2 of 48", "passes 3–4 of 48"] and len(titles) == 24
    assert box["groups"][0]["members"] == ["n0", "n1", "n2", "n3", "n4", "n5"]


def test_passes_that_differ_are_cut_into_stretches():
    nodes = [*loop(40), op(120, ["n119"], 4)]
    (box,) = grouped(nodes)
    assert box["groups"][0]["title"] == "operations 1–10 of 121"


def test_many_lines_become_boxes_by_function_and_many_functions_by_cell():
    by_function = [op(i, [f"n{i - 1}"], i, scope=f"f{i // 20}") for i in range(200)]
    assert len(grouped(by_function)) == 10
    by_cell = [op(i, [f"n{i - 1}"], i, scope=f"f{i}", cell=f"In [{i // 50}]") for i in range(200)]
    titles = ["lines 1–49", "lines 50–99", "lines 100–149", "lines 150–199"]
    assert [group["title"] for group in grouped(by_cell)] == titles


def boxes_of(groups, opened):
    """The picture with these boxes open: node → what stands for it, in order."""
    holder = {}
    for group in groups:
        inside = members(group)
        if len(inside) > 1 and group["id"] in opened:
            inner = group["groups"] or [{"id": m, "members": [m], "groups": []} for m in inside]
            holder.update(boxes_of(inner, opened))
        else:
            holder.update(dict.fromkeys(inside, group["id"]))
    return holder


def all_boxes(groups):
    for group in groups:
        yield group["id"]
        yield from all_boxes(group["groups"])


@pytest.mark.parametrize("seed", range(40))
def test_with_any_boxes_open_inputs_stand_before_what_uses_them(seed):
    chance = random.Random(seed)
    size = chance.choice([61, 150, 700])
    nodes = []
    for i in range(size):
        inputs = [f"n{chance.randrange(max(0, i - 30), i)}" for _ in range(2)] if i else []
        line = chance.choice([1, 2, 3, i % 50, i])
        nodes.append(op(i, inputs, line, scope=chance.choice(["", "f", "g"])))
    groups = grouped(nodes)
    assert len(groups) <= MOST
    names = list(all_boxes(groups))
    for _ in range(5):
        holder = boxes_of(groups, set(chance.sample(names, min(len(names), 6))))
        assert holder.keys() == {node["id"] for node in nodes}
        order = {box: place for place, box in enumerate(dict.fromkeys(holder.values()))}
        for node in nodes:
            for operand in node["inputs"]:
                source, target = holder[operand["id"]], holder[node["id"]]
                assert source == target or order[source] < order[target]


def test_no_picture_has_more_than_thirty_boxes_however_large_the_graph():
    def check(groups):
        assert len(groups) <= MOST
        for group in groups:
            check(group["groups"])
            assert len(group["members"]) <= MOST

    check(grouped(loop(3000)))
    check(grouped([op(i, [f"n{i - 1}"], i, scope=f"f{i}") for i in range(5000)]))
