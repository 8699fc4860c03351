"""TapePlayer's recording: what ran, in its order, and what each step has written."""

from __future__ import annotations

import json
import sys

import pytest

import minigrad as torch
from minigrad import nn
from minigrad.tape import notices, tape
from minigrad_widgets import GraphView, TapePlayer
from minigrad_widgets.player.recording import MOST, UNFOLLOWED
from minigrad_widgets.player.statements import Statements

pytestmark = pytest.mark.untraced  # the player follows the lines itself


def told(player):
    """Each moment: what happened, and what it wrote."""
    recording = player.recording
    json.dumps(recording, allow_nan=False)
    nodes = {node["id"]: node for node in recording["nodes"]}
    made = []
    for moment in recording["moments"]:
        what = moment["kind"]
        if what == "op":
            what = nodes[moment["node"]]["formula"]
        elif what == "step":
            step = recording["passes"][moment["pass"]]["steps"][moment["step"] - 1]
            what = f"{step['kind']} {step['text']}"
        made.append((what, ", ".join(f"{c['name']}={c['text']}" for c in moment["changes"])))
    return made


def moments(player):
    return player.recording["moments"]


def line_texts(player):
    """The source line of each moment."""
    texts = {
        (block["file"], line["number"]): line["text"].strip()
        for block in player.recording["source"]
        for line in block["lines"]
    }
    return [texts.get((m["file"], m["line"]), "") for m in player.recording["moments"]]


def leaf(value=2.0):
    return torch.tensor(value, requires_grad=True)


def test_a_block_is_told_operation_by_operation_forwards_and_backwards():
    w = leaf()
    with TapePlayer() as player:
        error = w * 3 - 9
        loss = error**2
        loss.backward()
    assert told(player) == [
        ("w * 3", ""),
        ("w * 3 - 9", "error=-3"),
        ("error ** 2", "loss=9"),
        ("start loss", ""),
        ("visit loss = error ** 2", ""),
        ("visit error = w * 3 - 9", ""),
        ("visit w * 3", ""),
        ("land w", "w.grad=-18"),
    ]
    assert line_texts(player)[1:4] == ["error = w * 3 - 9", "loss = error**2", "loss.backward()"]
    assert w.grad.item() == -18
    assert repr(player) == "TapePlayer(8 steps)"


def test_what_no_operation_wrote_is_known_by_its_line():
    w = leaf()
    (w * w).backward()
    with TapePlayer() as player:
        rate = 0.5
        with torch.no_grad():
            w -= rate * w.grad
        w.grad = None
        del rate
    assert [text for _, text in told(player)] == [
        "rate=0.5",
        "",
        "w=0",
        "w.grad=None",
        "rate=None",
    ]
    assert player.recording["moments"][-1]["changes"][0]["text"] is None, "it is gone"
    assert [c["name"] for c in player.recording["first"]] == ["w", "w.grad"]


@pytest.mark.parametrize("kind", [torch.optim.SGD, torch.optim.Adam])
def test_the_line_of_an_optimizer_writes_the_parameters(kind):
    net = nn.Linear(2, 1)
    optimizer = kind(net.parameters(), lr=0.1)
    x = torch.ones(3, 2)
    with TapePlayer() as player:
        net(x).sum().backward()
        optimizer.step()
        optimizer.zero_grad()
    wrote = dict(zip(line_texts(player), player.recording["moments"]))
    changed = [change["name"] for change in wrote["optimizer.step()"]["changes"]]
    assert changed == ["net.weight", "net.bias"]
    cleared = [(c["name"], c["text"]) for c in wrote["optimizer.zero_grad()"]["changes"]]
    assert cleared == [("net.weight.grad", "None"), ("net.bias.grad", "None")]
    landed = [what for what, _ in told(player) if what.startswith("land")]
    assert landed == ["land net.weight", "land net.bias"], "though net is a local variable"


def one_step(net):
    net(torch.ones(3, 2)).sum().backward()
    with torch.no_grad():
        net.weight += 1


def test_the_parameters_of_a_network_that_a_function_holds_have_their_names():
    def made_and_trained():
        net = nn.Linear(2, 1)
        one_step(net)

    with TapePlayer() as player:
        made_and_trained()
    wrote = [(what, text.partition("=")[0]) for what, text in told(player)]
    assert ("land net.weight", "net.weight.grad") in wrote
    assert ("line", "net.weight") in wrote
    net = nn.Linear(2, 1)
    with player:
        one_step(net)
    shown = {(c["call"], c["name"]) for m in moments(player) for c in m["changes"]}
    assert (0, "net.weight") in shown and (1, "net.weight") not in shown, "once is enough"


def test_each_pass_of_each_loop_is_numbered():
    with TapePlayer() as player:
        for _outer in range(2):
            for _inner in range(2):
                a = 1
            a = 2
        while a < 4:
            a += 1
    passes = [
        m["passes"] for m, (_, text) in zip(player.recording["moments"], told(player)) if text
    ]
    assert passes == [[1, 1], [1, 2], [1], [2, 1], [2, 2], [2], [1], [2]]


def test_the_passes_of_a_loop_without_end_are_counted_though_its_head_runs_once():
    with TapePlayer() as player:
        a = 0
        while True:
            a += 1
            for _i in range(2):
                b = a
            if a == 3:
                break
        while True:
            for c in (1, 2):
                b = c
            if a == b + 1:
                break
    wrote = [(m["passes"], text) for m, (_, text) in zip(moments(player), told(player)) if text]
    assert [passes for passes, text in wrote if text.startswith("a=")] == [[], [1], [2], [3]]
    inner = [passes for passes, text in wrote if text.startswith("b=")]
    assert inner == [[1, 1], [1, 2], [2, 1], [2, 2], [3, 1], [3, 2], [1, 1], [1, 2]]


def test_a_write_through_shared_memory_is_seen():
    a = torch.zeros(3)
    shared = a.numpy()
    with TapePlayer() as player:
        part = a[1:]
        part += 1
        shared[0] = 5
        a.data[2] = 7
    texts = [text for _, text in told(player)]
    assert texts[1] in ("part=[1, 1], a=[0, 1, 1]", "a=[0, 1, 1], part=[1, 1]")
    assert texts[2] == "a=[5, 1, 1]"
    assert "a=[5, 1, 7]" in texts[3]


def test_a_class_or_a_lambda_in_the_block_is_no_call():
    with TapePlayer() as player:

        class Pair:
            first = 1

        doubled = sorted([Pair.first, 2], key=lambda n: -n)
    assert [what for what, _ in told(player)] == ["line", "line"]
    assert told(player)[-1][1] == f"doubled={doubled}"


def test_an_object_that_raises_when_it_is_looked_at_disturbs_nothing():
    class Sly:
        @property
        def __class__(self):
            raise RuntimeError("who asks?")

    with TapePlayer() as player:
        sly = Sly()
        after = 1
    assert player.recording["note"] == "" and type(sly) is Sly
    assert told(player)[-1] == ("line", f"after={after}")


def test_a_pass_in_which_the_same_value_is_assigned_writes_it_all_the_same():
    with TapePlayer() as player:
        for kind in (7, 7):
            again = kind
    assert [text for _, text in told(player) if text] == ["kind=7", f"again={again}"] * 2
    assert told(player)[-1] == ("line", ""), "the end of the loop assigns nothing"


def scaled(x, k):
    y = x * k
    if k > 2:
        y = y + 1
    return y * 2


def test_functions_of_the_program_are_entered_and_libraries_are_not():
    w = leaf()
    with TapePlayer() as player:
        z = scaled(w, 3)
        h = torch.nn.functional.cross_entropy(z.reshape(1, 1), torch.tensor([0]))
    assert told(player)[:6] == [
        ("call", "x=2, k=3"),
        ("x * 3", "y=6"),
        ("line", ""),
        ("y + 1", "y=7"),
        ("y * 2", ""),
        ("line", "z=14"),
    ]
    assert h.item() == 0
    calls = {call["id"]: call["scope"] for call in player.recording["calls"]}
    moments = player.recording["moments"]
    assert [calls[moment["call"]] for moment in moments[:6]] == ["scaled"] * 5 + [""]
    assert moments[4]["returned"] == "14"
    assert {calls[moment["call"]] for moment in moments[6:]} == {""}


def test_an_error_is_the_last_step_and_is_raised():
    w = leaf()
    with pytest.raises(ZeroDivisionError), TapePlayer() as player:
        loss = w * 2
        loss.fail = 1 / 0
    assert told(player)[0] == ("w * 2", "loss=4")
    assert player.recording["moments"][-1]["raised"] == "ZeroDivisionError"
    assert player.recording["raised"] == "ZeroDivisionError: division by zero"


def test_a_hook_that_runs_in_a_pass_does_not_hide_the_pass():
    w = leaf()

    def hook(g):
        seen = g + 0
        return seen * 1

    with TapePlayer() as player:
        y = w * w
        y.register_hook(hook)
        y.backward()
    steps = told(player)
    assert ("land w", "w.grad=4") in steps
    assert ("call", "g=1") in steps


def test_two_passes_add_up_and_each_landing_tells_its_own_sum():
    w = leaf()
    with TapePlayer() as player:
        (w * 3).backward()
        (w * 4).backward()
    lands = [text for what, text in told(player) if what == "land w"]
    assert lands == ["w.grad=3", "w.grad=7"]


def test_of_a_long_run_the_end_is_kept_and_what_was_written_before_is_known():
    w = leaf(1.0)
    rounds = MOST  # with three moments each
    with TapePlayer() as player:
        early = 5
        for i in range(rounds):
            y = w * 2
            late = i
    recording = player.recording
    assert len(recording["moments"]) == MOST
    assert recording["dropped"] == 1 + 3 * rounds + 1 - MOST
    first = {change["name"]: change["text"] for change in recording["first"]}
    assert first["early"] == "5" == str(early)
    assert first["late"] == str(int(first["i"]) - 1)
    assert len(recording["first"]) == len(first), "each variable once"
    assert y.item() == 2 and late == rounds - 1


def test_a_result_that_nobody_recorded_is_played_and_its_backward_pass_rehearsed():
    w = leaf()
    error = w * 3 - 9
    loss = error**2
    player = TapePlayer(loss)
    assert told(player)[-1] == ("land w", ""), "a rehearsal writes nothing"
    assert told(player)[1:3] == [("w * 3 - constant", "error=-3"), ("error ** 2", "loss=9")]
    assert w.grad is None
    assert "changes no .grad" in player.recording["note"]


def test_where_no_backward_pass_can_start_the_way_forwards_is_played():
    w = torch.tensor([1.0, 2.0], requires_grad=True)
    player = TapePlayer(w * 2)
    assert told(player) == [("w * 2", "")]
    assert "scalar outputs" in player.recording["note"]
    assert [change["name"] for change in player.recording["first"]] == ["w"]
    assert len(told(TapePlayer(w * 2, torch.ones(2)))) == 4


def test_what_cannot_be_played_says_what_can():
    with pytest.raises(TypeError, match="with TapePlayer"):
        TapePlayer(3)
    with pytest.raises(RuntimeError, match="MG109"):
        TapePlayer(torch.ones(2))
    assert "with TapePlayer() as player" in TapePlayer().recording["note"]


def test_a_program_that_is_followed_already_keeps_its_follower():
    def follower(frame, event, arg):
        return None

    w = leaf()
    before = sys.gettrace()
    sys.settrace(follower)
    try:
        with TapePlayer() as player:
            y = w * w
            y.backward()
        assert sys.gettrace() is follower
    finally:
        sys.settrace(before)
    assert player.recording["note"] == UNFOLLOWED
    assert told(player)[0] == ("w * w", "y=4")
    assert told(player)[-1] == ("land w", "w.grad=4")


def test_after_the_block_all_is_as_before():
    w = leaf()
    view = GraphView()
    with notices(operations=50):
        listener = tape.listener
        with TapePlayer():
            w * w
        assert tape.listener is listener
    assert sys.gettrace() is None
    w * 3
    assert repr(view) == "GraphView(2 operations)"
    view.close()


def test_a_limit_of_operations_holds_in_the_block_too():
    x = leaf(1.0)
    stopped = pytest.raises(RuntimeError, match="stopped after 20")
    with notices(operations=20), stopped, TapePlayer() as player:
        while x < 2:
            y = x * 2
    assert player.recording["raised"].startswith("RuntimeError: stopped after 20")
    assert y.item() == 2


def test_a_player_records_again_and_not_twice_at_once():
    w = leaf()
    with TapePlayer() as player:
        w * 2
        with pytest.raises(RuntimeError, match="records already"), player:
            pass
    with player:
        w * 3
    assert told(player) == [("w * 3", "")]


def test_names_and_texts_of_any_kind_are_data():
    hostile = "<img src=x onerror=alert(1)>\ud800"
    with TapePlayer() as player:
        text = hostile
        many = list(range(100))
        nothing = None
    state = player.get_state()["recording"]
    json.dumps(state).encode()
    values = {c["name"]: c["text"] for m in state["moments"] for c in m["changes"]}
    assert values["text"] == repr(text) and values["nothing"] == str(nothing)
    assert values["many"] == f"a list of {len(many)}"


def test_what_it_leaves_in_a_saved_notebook():
    w = leaf()
    with TapePlayer() as player:
        loss = w * 3
        loss.backward()
    still = player.still()
    rows = [line.split("   ") for line in still.table.splitlines()]
    assert [part.strip() for part in rows[0] if part] == ["step", "line", "what happened", "wrote"]
    assert "loss = w * 3 makes 6" in still.table and "w.grad = 3" in still.table
    assert still.says.startswith("The tape of test_tape_player.py: 4 steps. loss = w * 3 makes 6.")
    assert "loss.backward()" in still.svg and "1×" in still.svg
    assert TapePlayer().still().svg == ""


def test_statements_of_several_lines_are_one():
    statements = Statements("a = f(\n    1,\n    2)\nfor i in (\n    1, 2\n):\n    b, c = i, a\n")
    assert [statements.begins(line) for line in range(1, 8)] == [1, 1, 1, 4, 4, 4, 7]
    assert statements.assigned[7] == {"b", "c"}
    assert [loop.first for loop in statements.around(7)] == [4]
    assert Statements("%magic line").begins(3) == 3
