"""Complete programs learn what they should, as they do under PyTorch, and may be interrupted.

Each program is a file of examples/; what PyTorch made of it is in ``recorded/`` (written by
``record_programs.py``). Both libraries draw the same numbers from the same seed.
"""

from __future__ import annotations

import ast
import contextlib
import importlib
import io
import json
import math
import re
import shlex
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from record_programs import NAMES
from stopping import Stoppable, show

import minigrad as torch

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
EXAMPLES = ROOT / "examples"
TRAINED = tuple(name for name in NAMES if name != "newton")
"""The programs with an optimizer; Newton's method, which has none, is done at once."""
LONGEST = ("digits_cnn", "names_rnn", "char_transformer", "gan_ring", "maml_sine")
"""Those that go on for seconds after their first line."""


@pytest.fixture(scope="module")
def runs():
    """What a program returns, and what it prints: each is run once."""
    known = {}

    def of(name):
        if name not in known:
            with contextlib.redirect_stdout(io.StringIO()) as printed:
                returned = importlib.import_module(name).main()
            known[name] = returned, printed.getvalue()
        return known[name]

    return of


@pytest.fixture(scope="module")
def results(runs):
    return lambda name: runs(name)[0]


@pytest.fixture(scope="module")
def said(runs):
    return lambda name: runs(name)[1]


def recorded(name):
    return json.loads((HERE / "recorded" / f"{name}.json").read_text(encoding="utf-8"))["results"]


# ------------------------------------------------------------------ what they learn


def test_two_layers_recognise_new_digits(results):
    assert results("digits_mlp")["accuracy on new digits"] >= 0.97


def test_a_convolutional_net_recognises_new_digits_better(results):
    assert results("digits_cnn")["accuracy on new digits"] >= 0.98


def test_a_recurrent_net_tells_given_names_from_surnames(results):
    """Many are both, or could be: four of five is what a net of this size reaches."""
    assert results("names_rnn")["accuracy on new words"] >= 0.77


def test_padding_does_not_change_what_is_read(results):
    assert results("names_rnn")["what padding changes"] < 1e-5


def test_a_recursive_net_taught_at_depth_3_evaluates_expressions_of_depth_7(results):
    assert results("boolean_trees")["accuracy at depth 7"] >= 0.98


def test_a_transformer_recites_its_text(results):
    module = importlib.import_module("char_transformer")
    assert results("char_transformer")["recited"] == module.TEXT


def test_the_forger_reaches_all_eight_places(results):
    assert results("gan_ring")["places reached"] == 8
    assert results("gan_ring")["points near a place"] >= 0.75


def test_one_step_from_a_learned_start_fits_a_new_wave(results):
    found = results("maml_sine")
    assert found["loss after the step"] < 0.15
    assert found["loss after the step"] < found["loss before the step"] / 4
    assert found["loss after the step"] < found["loss after a step from an untrained start"] / 5


def test_newtons_method_doubles_its_digits_with_each_step(results):
    """Near the minimum each gradient is at most as long as the square of the one before."""
    found = results("newton")
    *_, before, after, last = found["gradients of Newton's steps"]
    assert after < 20 * before**2 and last < 1e-14
    assert found["gradient after 100 steps of descent"] > 1e-3
    assert found["accuracy"] >= 0.96


def test_the_spring_is_found_from_what_was_measured(results):
    found = results("spring")
    assert abs(found["stiffness"] - 4.0) < 0.02
    assert abs(found["damping"] - 0.5) < 0.01


# ------------------------------------------------------------------ the same as PyTorch


def test_every_program_of_the_folder_is_recorded():
    others = {"beginner", "stopping"}
    assert {file.stem for file in EXAMPLES.glob("*.py")} - others == set(NAMES)
    assert {file.stem for file in HERE.glob("recorded/*.json")} == {"beginner", *NAMES}


def told(name):
    """The results of the table in README.md, from the numbers that were recorded."""
    found = recorded(name)
    if name == "beginner":
        return [f"{found['loaded'][1]:.1%} of new digits"]
    if name.startswith("digits"):
        return [f"{found['accuracy on new digits']:.1%} of new digits"]
    if name == "names_rnn":
        return [f"{found['accuracy on new words']:.1%} of new words"]
    if name == "boolean_trees":
        return [f"{found['accuracy at depth 7']:.1%} at depth 7"]
    if name == "char_transformer":
        return [f"{found['characters recited rightly']:.1%} of its characters recited"]
    if name == "gan_ring":
        return [f"{found['places reached']} places", f"{found['points near a place']:.0%} of the"]
    if name == "maml_sine":
        before, after = found["loss before the step"], found["loss after the step"]
        return [f"loss {before:.2f} before the step, {after:.2f} after it"]
    if name == "newton":
        steps = len(found["gradients of Newton's steps"])
        return [f"below 1e-14 after {steps} steps", f"{found['accuracy']:.1%} right"]
    return [f"{found['stiffness']:.2f} and {found['damping']:.2f}"]


def test_the_table_in_the_readme_tells_the_result_of_every_program():
    table = re.findall(
        r"^\| \[`(.*)\.py`\]\(\1\.py\) \| .* \| (.*) \|$",
        (EXAMPLES / "README.md").read_text(encoding="utf-8"),
        re.MULTILINE,
    )
    assert [name for name, _ in table] == ["beginner", *NAMES]
    for name, result in table:
        assert all(part in result for part in told(name)), (name, told(name))


TOLERANCE = {"digits_mlp": 0.006, "digits_cnn": 0.006, "names_rnn": 0.01, "gan_ring": 0.08}
"""By how much results may differ from PyTorch's: where they count right answers, by a few of
them; the two nets of the GAN drive each other's rounding errors apart. Else by 1e-3."""


@pytest.mark.parametrize("name", NAMES)
def test_pytorch_gives_the_same(name, results):
    mine, theirs = results(name), recorded(name)
    assert mine.keys() == theirs.keys()
    for what, value in theirs.items():
        if not isinstance(value, str):
            assert mine[what] == pytest.approx(value, rel=0, abs=TOLERANCE.get(name, 1e-3)), what


def test_a_script_for_pytorch_runs_unchanged_and_has_pytorchs_loss_curve(tmp_path):
    """The loss of each of 360 batches, to 1e-4: shuffling, dropout and weights are the same."""
    program = f"""
        import runpy, sys
        import minigrad
        minigrad.install_as_torch()
        sys.argv = ["beginner.py", {str(tmp_path / "curve.json")!r}]
        runpy.run_path({str(EXAMPLES / "beginner.py")!r}, run_name="__main__")
        print("loaded", sys.modules["torch"].__name__)
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program)], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-2:] == ["predicted 0, actually 0", "loaded minigrad"]
    mine = json.loads((tmp_path / "curve.json").read_text(encoding="utf-8"))
    theirs = recorded("beginner")
    assert mine.keys() == theirs.keys() and len(mine["training loss"]) == 8 * math.ceil(1437 / 32)
    for what, curve in theirs.items():
        assert mine[what] == pytest.approx(curve, rel=0, abs=1e-4), what
    assert mine["loaded"] == [mine["test loss"][-1], mine["accuracy"][-1]]


def test_the_script_says_nothing_of_minigrad():
    lines = (EXAMPLES / "beginner.py").read_text(encoding="utf-8").split('"""', 2)[2].splitlines()
    assert [line for line in lines if "minigrad" in line] == [
        'DIGITS = Path(__file__).resolve().parents[1] / "minigrad" / "datasets" / "digits.npz"'
    ]


def the_command():
    """The one that the script's docstring gives for running it with minigrad."""
    docstring = ast.get_docstring(ast.parse((EXAMPLES / "beginner.py").read_text(encoding="utf-8")))
    assert docstring is not None and "`cd examples`" in docstring
    (line,) = [line for line in docstring.splitlines() if "python -c" in line]
    python, *arguments = shlex.split(line)
    assert python == "python"
    return [sys.executable, *arguments]


def test_the_command_in_the_scripts_docstring_runs_it_with_minigrad():
    done = subprocess.run(the_command(), cwd=EXAMPLES, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    loss, accuracy = recorded("beginner")["loaded"]
    *_, before, last = done.stdout.splitlines()
    assert before == f"loaded again: accuracy {accuracy:.1%}, mean loss {loss:.4f}"
    assert last == "predicted 0, actually 0"


# ------------------------------------------------------------------ what they say meanwhile


@pytest.mark.parametrize("name", NAMES)
def test_a_program_says_how_far_it_is_of_how_many(name, said):
    """In 6 to 16 lines, from an early one to the last round."""
    numbers = re.findall(r"^(?:step|epoch) +(\d+) of (\d+): .*\d", said(name), re.MULTILINE)
    rounds = [int(number) for number, _ in numbers]
    (total,) = {int(total) for _, total in numbers}
    assert 6 <= len(rounds) <= 16 and rounds == sorted(set(rounds))
    assert rounds[0] <= max(1, total / 6) and rounds[-1] == total


# ------------------------------------------------------------------ stopped in the middle


@pytest.mark.parametrize("name", TRAINED)
@pytest.mark.parametrize("after", [1, 100])
def test_a_stopped_program_goes_back_to_the_last_whole_model(name, after, monkeypatch, capsys):
    """Ctrl-C in the middle of an update, when one of the weights is no number yet."""
    stopped, whole = [], torch.optim.Optimizer.step

    def interrupted(self, *arguments):
        stopped.append(self.param_groups[0]["params"])
        whole(self, *arguments)
        if len(stopped) == after:
            with torch.no_grad():
                stopped[-1][0].fill_(math.nan)
            raise KeyboardInterrupt

    monkeypatch.setattr(torch.optim.Optimizer, "step", interrupted)
    importlib.import_module(name).main()
    assert re.search(r"^stopped after (step|epoch) \d+ of \d+$", capsys.readouterr().out, re.M)
    assert len(stopped) == after
    assert all(weight.isfinite().all() for weight in stopped[-1])
    assert torch.is_grad_enabled()


def test_what_a_stopped_training_keeps_is_its_last_whole_round(capsys):
    weight, buffer = torch.ones(2, requires_grad=True), torch.zeros(3)
    with Stoppable("step", 5, [weight, buffer]) as training:
        for step in training:
            with torch.no_grad():
                weight += 1
            if step == 4:
                raise KeyboardInterrupt
            buffer += 1
    assert (training.done, weight.tolist(), buffer.tolist()) == (3, [4.0, 4.0], [3.0, 3.0, 3.0])
    assert weight.requires_grad and weight.is_leaf
    assert capsys.readouterr().out == "stopped after step 3 of 5\n"


def test_a_training_that_nobody_stops_is_done_and_its_errors_are_its_own(capsys):
    with Stoppable("step", 5, []) as training:
        assert list(training) == [1, 2, 3, 4, 5]
    assert training.done == 5
    with pytest.raises(ZeroDivisionError), Stoppable("step", 5, []):
        _ = 1 / 0
    assert capsys.readouterr().out == ""


def test_ctrl_c_outside_of_the_training_also_ends_without_a_traceback(capsys):
    def main():
        raise KeyboardInterrupt

    with pytest.raises(SystemExit) as end:
        show(main)
    assert end.value.code == 130 and capsys.readouterr().out == "stopped\n"


def test_the_script_for_pytorch_also_ends_with_its_last_whole_epoch():
    """Stopped in the middle of an update in the third epoch, which has 45 of them."""
    program = f"""
        import math, sys
        import minigrad
        minigrad.install_as_torch()
        import torch
        count, whole = 0, torch.optim.Optimizer.step
        def interrupted(self, *arguments):
            global count
            count += 1
            whole(self, *arguments)
            if count == 100:
                with torch.no_grad():
                    self.param_groups[0]["params"][0].fill_(math.nan)
                raise KeyboardInterrupt
        torch.optim.Optimizer.step = interrupted
        sys.path.insert(0, {str(EXAMPLES)!r})
        import beginner
        curve = beginner.main()
        assert len(curve["accuracy"]) == 2 and len(curve["training loss"]) == 90
        assert curve["loaded"] == [curve["test loss"][-1], curve["accuracy"][-1]]
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program)], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert "stopped after epoch 2 of 8" in done.stdout.splitlines()


@pytest.mark.skipif(sys.platform == "win32", reason="there, no process can send another Ctrl-C")
@pytest.mark.parametrize("name", LONGEST)
def test_ctrl_c_from_the_keyboard_stops_a_program_and_keeps_what_it_learned(name):
    command = [sys.executable, EXAMPLES / f"{name}.py"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=ROOT
    ) as running:
        assert running.stdout is not None
        first, _ = (running.stdout.readline() for _ in range(2))  # then a round is surely whole
        running.send_signal(signal.SIGINT)
        rest = running.stdout.read()
    assert re.match(r"(step|epoch) +\d+ of ", first) and running.returncode == 0, rest
    assert "Traceback" not in rest and "nan" not in rest
    _, *counts, reached = re.split(r"stopped after \w+ (\d+) of (\d+)\n", rest)
    done, total = map(int, counts)
    assert 1 <= done < total
    assert all(f"{what}: " in reached for what in recorded(name))
