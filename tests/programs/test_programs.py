"""Complete programs learn what they should, as they do under PyTorch, and may be interrupted.

Each program is a file of this folder; what PyTorch made of it is in ``recorded/`` (written by
``record_programs.py``). Both libraries draw the same numbers from the same seed.
"""

from __future__ import annotations

import importlib
import json
import math
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from record_programs import NAMES

import minigrad as torch

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
LONG = ("digits_cnn", "names_rnn", "char_transformer", "gan_ring")
"""The programs that a person may want to stop."""


@pytest.fixture(scope="module")
def results():
    """What a program returns: each is run once."""
    known = {}

    def of(name):
        if name not in known:
            known[name] = importlib.import_module(name).main()
        return known[name]

    return of


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
    others = {"beginner", "record_programs", "test_programs"}
    assert {file.stem for file in HERE.glob("*.py")} - others == set(NAMES)
    assert {file.stem for file in HERE.glob("recorded/*.json")} == {"beginner", *NAMES}


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
        runpy.run_path({str(HERE / "beginner.py")!r}, run_name="__main__")
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
    lines = (HERE / "beginner.py").read_text(encoding="utf-8").split('"""', 2)[2].splitlines()
    assert [line for line in lines if "minigrad" in line] == [
        'DIGITS = Path(__file__).resolve().parents[2] / "minigrad" / "datasets" / "digits.npz"'
    ]


# ------------------------------------------------------------------ stopped in the middle


@pytest.mark.parametrize("name", LONG)
def test_a_stopped_program_goes_back_to_the_last_whole_model(name, monkeypatch, capsys):
    """Ctrl-C in the middle of an update, when one of the weights is no number yet."""
    stopped, whole = [], torch.optim.Optimizer.step

    def interrupted(self, *arguments):
        stopped.append(self.param_groups[0]["params"])
        whole(self, *arguments)
        if len(stopped) == 100:
            with torch.no_grad():
                stopped[-1][0].fill_(math.nan)
            raise KeyboardInterrupt

    monkeypatch.setattr(torch.optim.Optimizer, "step", interrupted)
    importlib.import_module(name).main()
    assert "stopped" in capsys.readouterr().out and len(stopped) == 100
    assert all(weight.isfinite().all() for weight in stopped[-1])
    assert torch.is_grad_enabled()


@pytest.mark.skipif(sys.platform == "win32", reason="there, no process can send another Ctrl-C")
def test_ctrl_c_from_the_keyboard_stops_a_program_and_keeps_what_it_learned():
    command = [sys.executable, HERE / "digits_cnn.py"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) as running:
        assert running.stdout is not None
        first = [running.stdout.readline() for _ in range(2)]
        running.send_signal(signal.SIGINT)
        rest = running.stdout.read()
    assert first[1].startswith("epoch  2: loss") and running.returncode == 0
    accuracy = float(rest.split("accuracy on new digits: ")[1])
    assert "stopped after epoch" in rest and accuracy > 0.8
