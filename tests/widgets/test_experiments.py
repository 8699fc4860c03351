"""``TrainingLoop.ask`` runs the learner's lines again: it touches no file, and nothing but copies.

Each program here is a file of its own, as a notebook's cell is.
"""

from __future__ import annotations

import random
import socket
import sys
import textwrap
import threading

import matplotlib.pyplot as plt
import numpy as np
import pytest

import minigrad as torch
from minigrad_widgets import TrainingLoop
from minigrad_widgets.left_out import guarded
from minigrad_widgets.left_out import question as left_out

BEGIN = """
import math
import random
import numpy as np
import minigrad as torch
from minigrad import nn
from minigrad_widgets import TrainingLoop

torch.manual_seed(0)
data = torch.utils.data.TensorDataset(torch.randn(40, 4), torch.randint(0, 3, (40,)))
loader = torch.utils.data.DataLoader(data, batch_size=10, shuffle=True)
layers = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 3))
model, losses, seen = layers, [], {"steps": 0}
"""

LOOP = """
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
with TrainingLoop(model, optimizer) as loop:
    for x, y in loader:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
"""


def program(tmp_path, monkeypatch, before="", inside="", loop=LOOP, after=""):
    """Run a program from a file, in this folder; returns its variables."""
    monkeypatch.chdir(tmp_path)
    parts = BEGIN, before, loop, inside and textwrap.indent(textwrap.dedent(inside), " " * 8), after
    source = "\n".join(map(textwrap.dedent, parts[:3])) + "\n".join(parts[3:])
    file = tmp_path / "learners.py"
    file.write_text(source, encoding="utf-8")
    names = {"__name__": "learners"}
    exec(compile(source, str(file), "exec"), names)
    return names


def ask(names, line="zero_grad", **options):
    return names["loop"]._try_out(line, names, steps=8, **options)


def files(folder):
    return {file.name: file.read_bytes() for file in folder.iterdir()}


@pytest.fixture(params=["zero_grad", "order"])
def line(request):
    return request.param


# --- Left aside ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "inside",
    [
        'torch.save(model.state_dict(), "best.pt")',
        'torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict()}, "best.pt")',
        'np.savetxt("loss.txt", [loss.item()])',
        'with open("log.txt", "a") as file:\n    print(loss.item(), file=file)',
        "print(loss.item(), file=log, flush=True)",
        "log.write(str(loss.item()))",
        "losses.append(loss.item())",
        "losses.append(loss)",
        'seen["steps"] += 1',
        'seen["loss"] = loss',
        "meter.update(loss.item())",
        'if loss < best:\n    best = loss.item()\n    torch.save(model.state_dict(), "best.pt")',
        "plt.plot(losses)\nplt.title(f'{loss}')",
        "plt.imshow(x[:2])",
        "axes.plot(losses)\naxes.figure.savefig('loss.png')",
        "print(loss)\nsys.stderr.write('x')",
        "logger.warning('loss %s', loss)",
        "if os.path.exists('keep.txt'):\n    os.remove('keep.txt')",
        "for name, p in model.named_parameters():\n    seen[name] = p.grad.norm().item()",
        "assert loss < 100",
        "done = subprocess.run(['touch', 'made'])",
    ],
)
def test_what_saves_prints_notes_or_draws_is_left_aside(inside, line, tmp_path, monkeypatch, capfd):
    before = """
        import logging, os, subprocess, sys
        import matplotlib.pyplot as plt
        class Meter:
            total = 0.0
            def update(self, value):
                self.total += value
        best, meter, logger, figure = 1e9, Meter(), logging.getLogger("x"), plt.figure()
        axes, log = figure.gca(), open("log.txt", "w", buffering=1)
        open("keep.txt", "w").close()
    """
    names = program(tmp_path, monkeypatch, before, inside)
    (tmp_path / "keep.txt").touch()
    (tmp_path / "made").unlink(missing_ok=True)
    names["log"].flush()
    kept = files(tmp_path), len(names["losses"]), dict(names["seen"]), names["meter"].total
    drawn = len(names["axes"].lines), len(names["axes"].images), plt.get_fignums()
    capfd.readouterr()
    found = ask(names, line)
    assert found.losses[0][:4] == names["loop"].losses and found.aside
    names["log"].flush()
    assert (files(tmp_path), len(names["losses"]), dict(names["seen"])) == kept[:3]
    assert names["meter"].total == kept[3]
    assert (len(names["axes"].lines), len(names["axes"].images), plt.get_fignums()) == drawn
    assert capfd.readouterr() == ("", "")
    names["log"].close()
    plt.close("all")


def test_the_answer_says_which_lines_were_left_aside(tmp_path, monkeypatch):
    inside = """
        losses.append(loss.item())
        if len(losses) > 2:
            print("a long line that tells how far the training has come", loss)
        seen["steps"] += 1
        seen["loss"] = loss.item()
    """
    found = ask(program(tmp_path, monkeypatch, inside=inside))
    said = left_out.because("zero_grad", found)
    assert said.endswith(
        "Left aside, since the training does not hang on it: `losses.append(loss.item())`, "
        "`if len(losses) > 2:`, `seen['steps'] += 1` and 1 more."
    )
    assert "Left aside" not in left_out.because("zero_grad", ask(program(tmp_path, monkeypatch)))


# --- Kept ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "loop"),
    [
        ("", "loss = nn.functional.cross_entropy(model(x + 0.1 * torch.randn(10, 4)), y)"),
        (
            "noise = random.Random(3)",
            "loss = nn.functional.cross_entropy(model(x), y) * noise.random()",
        ),
        ("", "loss = nn.functional.cross_entropy(model(x), y) * random.random()"),
        ("", "loss = nn.functional.cross_entropy(model(x), y) * float(np.random.rand())"),
        ("aim = nn.CrossEntropyLoss(label_smoothing=0.1)", "loss = aim(model(x), y)"),
        ("def aim(a, b):\n    return nn.functional.cross_entropy(a, b)", "loss = aim(model(x), y)"),
        (
            "def aim(a, b):\n    losses.append(1)\n    return nn.functional.cross_entropy(a, b)",
            "loss = aim(model(x), y) / (1 + len(losses))",
        ),
        ("aim = lambda a, b: nn.functional.cross_entropy(a, b)", "loss = aim(model(x), y)"),
        (
            "WIDE = 8\nclass Net(nn.Module):\n"
            "    def __init__(self):\n        super().__init__()\n        self.layers = layers\n"
            "        self.calls = []\n"
            "    def forward(self, x):\n        self.calls.append(WIDE)\n        print('here')\n"
            "        return self.scaled(self.layers(x))\n"
            "    def scaled(self, x):\n        return x * math.sqrt(len(self.calls))\n"
            "    def save(self):\n        torch.save(self, 'net.pt')\n"
            "model = Net()",
            "loss = nn.functional.cross_entropy(model(x), y)",
        ),
        (
            "class Data(torch.utils.data.Dataset):\n"
            "    def __init__(self):\n        self.x, self.y = data.tensors\n"
            "    def __len__(self):\n        return len(self.x)\n"
            "    def __getitem__(self, i):\n        return self.x[i], self.y[i]\n"
            "loader = torch.utils.data.DataLoader(Data(), batch_size=10, shuffle=True,"
            " generator=torch.Generator().manual_seed(3))",
            "loss = nn.functional.cross_entropy(model(x), y)",
        ),
        (
            "@torch.no_grad()\ndef right(model, x, y):\n    return (model(x).argmax(1) == y).sum()",
            "loss = nn.functional.cross_entropy(model(x), y) * (1 + right(model, x, y))",
        ),
    ],
)
def test_lines_that_are_harmless_run_again_and_nothing_has_changed(
    before, loop, tmp_path, monkeypatch, capfd
):
    usual = "loss = nn.functional.cross_entropy(model(x), y)"
    names = program(tmp_path, monkeypatch, before, loop=LOOP.replace(usual, loop))
    count, kept = len(names["losses"]), files(tmp_path)
    calls = len(getattr(names["model"], "calls", ()))
    weights = [p.detach().clone() for p in names["model"].parameters()]
    states = torch.get_rng_state(), random.getstate(), np.random.get_state()[1].tolist()
    draws = names["loader"].generator and names["loader"].generator.get_state()
    capfd.readouterr()
    found = ask(names, "step")
    assert len(found.losses[0]) == len(found.losses[1]) == 8
    assert (len(names["losses"]), files(tmp_path)) == (count, kept)
    assert len(getattr(names["model"], "calls", ())) == calls
    assert all(map(torch.equal, names["model"].parameters(), weights))
    assert torch.equal(torch.get_rng_state(), states[0]) and random.getstate() == states[1]
    assert np.random.get_state()[1].tolist() == states[2]
    assert draws is None or torch.equal(names["loader"].generator.get_state(), draws)
    assert capfd.readouterr() == ("", "")


def test_early_stopping_and_what_it_counts_are_kept(tmp_path, monkeypatch):
    loop = (
        LOOP
        + """        if loss < best:
            best, waited = loss.item(), 0
        else:
            waited += 1
        if waited > 100:
            break
        losses.append(loss.item())
"""
    )
    names = program(tmp_path, monkeypatch, "best, waited = 1e9, 0", loop=loop)
    found = ask(names)
    assert found.aside == ["losses.append(loss.item())"] and len(names["losses"]) == 4


# --- Refused -------------------------------------------------------------------------------------

NET = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = layers
        {init}
    def forward(self, x):
        {line}
        return self.layers(x)
model = Net()
"""


@pytest.mark.parametrize(
    ("before", "said"),
    [
        (NET.format(init="", line="with open('log.txt', 'a') as f: f.write('x')"), "`open`"),
        (NET.format(init="", line="losses.append(1)"), "`losses` (a list)"),
        (NET.format(init="", line="Net.calls = 1"), "`Net.calls` is changed"),
        (NET.format(init="", line="self.__class__.calls = 1"), "leads out of what is copied"),
        (NET.format(init="", line="type(self).calls = 1"), "`type`"),
        (NET.format(init="", line="global counter; counter = 1"), "`global counter` changes"),
        (NET.format(init="", line="import os; os.getcwd()"), "`import os`"),
        (NET.format(init="", line="torch.save(x, 'x.pt')"), "`torch.save` changes more"),
        (NET.format(init="", line="np.save('x.npy', x.numpy())"), "`np.save` changes more"),
        (NET.format(init="", line="x.numpy().tofile('x.bin')"), "writes a file"),
        (NET.format(init="", line="print(x, file=log)"), "prints into a file"),
        (NET.format(init="", line="note(x)"), "`losses` (a list)"),
        (NET.format(init="", line="list(map(note, x))"), "`losses` (a list)"),
        (NET.format(init="", line="torch.nn.extra = 1"), "`torch.nn.extra` belongs to a module"),
        (NET.format(init="", line="torch.set_default_dtype(torch.float32)"), "changes more"),
        (NET.format(init="", line="optimizer.step if x is None else 0"), "`optimizer` ("),
        (NET.format(init="self.log = log", line="self.log.write('x')"), "TextIOWrapper"),
        (NET.format(init="self.note = note", line="self.note(x)"), "`losses` (a list)"),
        (NET.format(init="self.logger = logger", line="self.logger.info('x')"), "Logger"),
        (
            NET.format(init="", line="self.shared.append(1)").replace(
                "def __init__", "shared = []\n    def __init__"
            ),
            "`Net.shared` (a list)",
        ),
        (
            NET.format(init="", line="").replace("(self, x)", "(self, x, kept=[])"),
            "`Net.forward` holds a list",
        ),
        ("both = [note]", "`losses` (a list)"),
        (
            "import types\nother = types.ModuleType('other')\nother.kept = losses",
            "`other` (a list)",
        ),
        ("layers.register_forward_hook(lambda m, a, out: losses.append(1))", "`losses` (a list)"),
        ("layers[0].weight.register_hook(print)\nmodel = layers", ""),
        ("import functools\nloader = map(functools.partial(note), loader)", "is a map"),
        ("loader = (pair for pair in loader)", "is a generator"),
        ("loader = tqdm(loader)", "prints into a file"),
    ],
)
def test_what_may_change_something_else_is_refused_and_named(before, said, tmp_path, monkeypatch):
    start = """
        import logging
        def note(x):
            losses.append(1)
            return x
        class tqdm:
            def __init__(self, items):
                self.items, self.count = items, losses
            def __iter__(self):
                for item in self.items:
                    print("x", file=log)
                    yield item
        log, logger = open("log.txt", "w"), logging.getLogger("x")
    """
    loop = LOOP
    if "both" in before:
        loop = LOOP.replace("model(x), y)", "both[0](note(model(x))), y)")
    elif "other" in before:
        more = " " * 8 + "other.kept.append(1)\n"
        more += " " * 8 + "loss = loss * len(other.kept)\n"
        loop = LOOP.replace("(x), y)\n", f"(x), y)\n{more}")
    names = program(tmp_path, monkeypatch, textwrap.dedent(start) + before, loop=loop)
    names["log"].flush()
    kept, count, weight = files(tmp_path), len(names["losses"]), names["layers"][0].weight.clone()
    if said:
        with pytest.raises(ValueError) as caught:
            ask(names)
        assert said in str(caught.value) or names["loop"]._start.problem
        assert "\n  fix: " in str(caught.value)
    assert files(tmp_path) == kept and len(names["losses"]) == count
    assert torch.equal(names["layers"][0].weight, weight)
    names["log"].close()


def test_a_function_that_logs_is_refused_with_the_line_that_does(tmp_path, monkeypatch):
    before = """
        def aim(a, b):
            with open("log.txt", "a") as file:
                file.write("x")
            return nn.functional.cross_entropy(a, b)
    """
    usual = "nn.functional.cross_entropy(model(x), y)"
    names = program(tmp_path, monkeypatch, before, loop=LOOP.replace(usual, "aim(model(x), y)"))
    size = len((tmp_path / "log.txt").read_text())
    with pytest.raises(
        ValueError, match=r"without risk: what `open` does is not known \(line 17\)"
    ):
        ask(names)
    assert len((tmp_path / "log.txt").read_text()) == size == 4


def test_the_lines_of_a_step_function_are_chosen_in_the_same_way(tmp_path, monkeypatch):
    after = """
def train_step(model, optimizer):
    optimizer.zero_grad()
    loss = nn.functional.cross_entropy(model(x), y)
    loss.backward()
    optimizer.step()
    torch.save(model.state_dict(), "best.pt")
    losses.append(loss.item())
    return loss
"""
    names = program(tmp_path, monkeypatch, after=after)
    found = ask(names, "step", step=names["train_step"])
    assert found.aside == [
        "torch.save(model.state_dict(), 'best.pt')",
        "losses.append(loss.item())",
    ]
    assert [*files(tmp_path)] == ["learners.py"] and names["losses"] == []


def test_of_two_views_of_one_training_neither_moves_the_model_itself(tmp_path, monkeypatch):
    loop = LOOP.replace("as loop", "as other, TrainingLoop(model, optimizer) as loop")
    names = program(tmp_path, monkeypatch, loop=loop)
    weight = names["model"][0].weight.detach().clone()
    with pytest.raises(ValueError, match="without risk"):
        ask(names)
    ask({**names, "loop": names["other"]})
    assert torch.equal(names["model"][0].weight, weight)


def test_a_model_that_cannot_be_copied_is_trained_all_the_same(tmp_path, monkeypatch):
    names = program(tmp_path, monkeypatch, "model.lock = __import__('threading').Lock()")
    assert len(names["loop"].losses) == 4
    with pytest.raises(ValueError, match="the model cannot be copied"):
        ask(names)


def test_an_experiment_that_finds_no_end_is_ended(tmp_path, monkeypatch):
    monkeypatch.setattr(left_out, "LONGEST", 0.3)
    loop = (
        LOOP
        + """        while loss > 0 and len(losses) == 1:
            loss = nn.functional.cross_entropy(model(x), y) + 1
"""
    )
    names = program(tmp_path, monkeypatch, loop=loop)
    names["losses"] = [1]
    with pytest.raises(ValueError, match="had not ended after"):
        ask(names)


EXITS = """
def loss_of(x, y):
    loss = nn.functional.cross_entropy(model(x), y)
    if loss.item() > 2:
        raise SystemExit("diverged")
    return loss

optimizer = torch.optim.SGD(model.parameters(), lr=1.5)
with TrainingLoop(model, optimizer) as loop:
    for x, y in loader:
        optimizer.zero_grad()
        loss = loss_of(x, y)
        loss.backward()
        optimizer.step()
"""


def test_a_loop_that_exits_when_it_diverges_ends_the_experiment_and_no_kernel(
    tmp_path, monkeypatch
):
    names = program(tmp_path, monkeypatch, loop=EXITS)
    with pytest.raises(ValueError, match="stopped with SystemExit: diverged"):
        ask(names)
    names["loop"]._asked_in_page(None, {"type": "ask", "line": "zero_grad"}, None)
    assert "stopped with SystemExit: diverged" in names["loop"].asked["problem"]


def test_an_interrupted_experiment_says_so_in_the_page_and_ends_a_cell(tmp_path, monkeypatch):
    def interrupted(*_):
        raise KeyboardInterrupt

    names = program(tmp_path, monkeypatch)
    monkeypatch.setattr(left_out.Program, "run", interrupted)
    with pytest.raises(KeyboardInterrupt):
        ask(names)
    names["loop"]._asked_in_page(None, {"type": "ask", "line": "zero_grad"}, None)
    assert "interrupted" in names["loop"].asked["problem"]


# --- The second lock -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "action",
    [
        lambda folder: (folder / "x.txt").write_text("x"),
        lambda folder: (folder / "keep.txt").open("a"),
        lambda folder: (folder / "keep.txt").unlink(),
        lambda folder: (folder / "keep.txt").rename(folder / "y.txt"),
        lambda folder: (folder / "x").mkdir(),
        lambda folder: socket.create_connection(("127.0.0.1", 9)),
        lambda folder: __import__("subprocess").run(["true"]),
        lambda folder: __import__("os").system("true"),
    ],
)
def test_under_guard_nothing_leaves_even_if_the_error_is_caught(action, tmp_path):
    (tmp_path / "keep.txt").write_text("kept")
    with pytest.raises(guarded.Refused), guarded.guard():
        try:
            action(tmp_path)
        except OSError:
            pass
    assert files(tmp_path) == {"keep.txt": b"kept"}
    (tmp_path / "after.txt").write_text("allowed again")


def test_under_guard_files_are_read_and_other_threads_go_on(tmp_path, capsys):
    (tmp_path / "keep.txt").write_text("kept")
    go, done = threading.Event(), threading.Event()

    def other():
        go.wait(10)
        (tmp_path / "other.txt").write_text("x")
        print("from another thread")
        done.set()

    thread = threading.Thread(target=other)
    thread.start()
    output = sys.stdout
    with guarded.guard():
        assert (tmp_path / "keep.txt").read_text() == "kept"
        print("from the experiment")
        go.set()
        done.wait(10)
    thread.join()
    assert sys.stdout is output and capsys.readouterr().out == "from another thread\n"
    assert (tmp_path / "other.txt").exists()


def test_what_the_reading_missed_the_guard_stops_and_the_question_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(left_out.Program, "check", lambda self: None)
    net = NET.format(init="", line="with open('log.txt', 'a') as f: f.write('x')")
    names = program(tmp_path, monkeypatch, net)
    kept = files(tmp_path)
    with pytest.raises(ValueError, match=r"reach out of the experiment.*open\('log.txt'\)"):
        ask(names)
    assert files(tmp_path) == kept


def test_the_view_named_in_the_loop_is_no_hindrance(tmp_path, monkeypatch):
    loop = LOOP.replace("in loader", "in loop.progress(loader)")
    names = program(tmp_path, monkeypatch, loop=loop, inside="n = len(loop.losses)")
    assert isinstance(names["loop"], TrainingLoop)
    assert len(ask(names).losses[0]) == 8


# --- The same training again ---------------------------------------------------------------------

FIXED = """
x, y = torch.randn(20, 4), torch.randint(0, 3, (20,))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
"""
WHOLE = """
with TrainingLoop(model, optimizer) as loop:
    for _ in range(6):
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
"""


@pytest.mark.parametrize(
    ("before", "inside", "after"),
    [
        ("", "", "x = 5 * x"),
        (
            "schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda n: 1 / (1 + n))",
            "schedule.step()",
            "",
        ),
        ("scale = torch.ones(1)", "scale *= 2\nx = x * scale", ""),
    ],
)
def test_what_does_not_begin_as_the_training_began_gets_no_answer(
    before, inside, after, tmp_path, monkeypatch
):
    names = program(tmp_path, monkeypatch, FIXED + before, inside, WHOLE, after)
    with pytest.raises(ValueError, match=r"the loss of step \d is .* where it was .* has changed"):
        ask(names)


def test_a_variable_that_is_set_back_can_be_asked_about_again(tmp_path, monkeypatch):
    names = program(tmp_path, monkeypatch, FIXED, loop=WHOLE)
    x = names["x"]
    names["x"] = 5 * x
    with pytest.raises(ValueError, match="has changed since"):
        ask(names)
    names["x"] = x
    assert ask(names).losses[0][:6] == names["loop"].losses


@pytest.mark.parametrize(
    ("before", "loss"),
    [
        ("noise = random.Random(3)", "noise.random()"),
        ("noise = np.random.default_rng(3)", "float(noise.random())"),
        ("noise = torch.Generator().manual_seed(3)", "torch.rand((), generator=noise)"),
        ("noise = nn.Dropout(0.5)", "noise(torch.ones(4)).sum()"),
        ("def noise():\n    losses.append(1)\n    return len(losses)", "noise()"),
    ],
)
def test_generators_and_counters_go_on_from_where_the_training_began(
    before, loss, tmp_path, monkeypatch
):
    loop = WHOLE.replace("(model(x), y)", f"(model(x), y) * {loss}")
    names = program(tmp_path, monkeypatch, FIXED + before, loop=loop)
    assert ask(names).losses[0][:6] == names["loop"].losses


def test_a_step_of_several_rounds_agrees_with_the_training(tmp_path, monkeypatch):
    loop = """
with TrainingLoop(model, optimizer) as loop:
    for count in range(8):
        loss = nn.functional.cross_entropy(model(x), y)
        loss.backward()
        if count % 2:
            optimizer.step()
            optimizer.zero_grad()
"""
    names = program(tmp_path, monkeypatch, FIXED, loop=loop)
    assert len(names["loop"].losses) == 4 and len(ask(names).losses[0]) == 8
