"""Notebook 05: its judges take what is right in any spelling, and leave its model alone."""

from __future__ import annotations

import importlib
import sys

import pytest
from lessons import FOLDER, run

from minigrad import lesson


@pytest.fixture
def nb05(monkeypatch):
    monkeypatch.syspath_prepend(str(FOLDER))
    return importlib.import_module("exercises.nb05")


def verdict(nb05, source, **names):
    (one,) = run(source, {"nb05": nb05, "check": lesson.check, **names}, "an attempt")
    return one


@pytest.mark.parametrize("mine", ["OLQPNMK", "olqpnmk", "o, l, p, n, q, m, k", list("olpnmkq")])
def test_the_letters_of_the_lines_may_be_small_and_apart(nb05, mine):
    assert verdict(nb05, f"check(nb05.order, {mine!r})").passed


class Alarm:
    """What a judge must not touch."""

    def __getattr__(self, name):
        raise AssertionError(f"{name} was used")


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("check(nb05.by_hand, lambda p, lr: (optimizer.step(), optimizer.zero_grad()))", "p.grad"),
        ("check(nb05.by_hand, lambda p, lr: [optimizer.step() for _ in p])", "p.grad"),
        ("check(nb05.mean_loss, lambda model, loader: epoch(float) / 45)", "epoch() trains"),
    ],
)
def test_a_judge_does_not_move_the_model_of_the_notebook(nb05, source, said):
    given = verdict(nb05, source, optimizer=Alarm(), epoch=Alarm())
    assert not given.passed and said in given.text and "was used" not in given.text


@pytest.mark.parametrize("end", ["p.grad.zero_()", "p.grad = None"])
def test_both_ways_to_forget_a_grad_are_right(nb05, end):
    source = f"""
import minigrad as torch

def update(parameters, lr):
    with torch.no_grad():
        for p in parameters:
            p.sub_(lr * p.grad)
            {end}

check(nb05.by_hand, update)
"""
    assert verdict(nb05, source).passed


MEAN_LOSS = """
import numpy as np
import minigrad.nn.functional as F

def mean_loss(model, loader):
    total = sum(F.cross_entropy(model(x), y).item() * len(y) for x, y in loader)
    return {}

check(nb05.mean_loss, mean_loss)
"""


@pytest.mark.parametrize(
    "result", ["np.float32(total / 70)", "np.float64(total / 70)", "np.array([total]) / 70"]
)
def test_a_mean_loss_may_be_a_number_of_numpy(nb05, result):
    assert verdict(nb05, MEAN_LOSS.format(result)).passed


KEEP = """
import minigrad as torch
from minigrad import load

def restore(other, path):
    other.load_state_dict(torch.load(path))

class Keeper:
    def restore(self, other, path):
        restore(other, path)

def keep(model, other, path):
    torch.save({saved}, path)
    {restore}

check(nb05.keep, keep)
"""
STATE = "model.state_dict()"
CHECKPOINT = '{"model": model.state_dict(), "epoch": 3}'


@pytest.mark.parametrize(
    ("saved", "restore"),
    [
        (STATE, "restore(other, path)"),
        (STATE, "Keeper().restore(other, path)"),
        (STATE, "read = torch.__dict__['load']; other.load_state_dict(read(path))"),
        (CHECKPOINT, 'other.load_state_dict(torch.load(path)["model"])'),
    ],
)
def test_weights_may_be_kept_in_any_way_that_goes_through_the_file(nb05, saved, restore):
    one = verdict(nb05, KEEP.format(saved=saved, restore=restore))
    assert one.passed, one.text


def test_a_checkpoint_with_other_weights_is_not_right(nb05):
    saved = '{"model": other.state_dict()}'
    one = verdict(nb05, KEEP.format(saved=saved, restore="other.load_state_dict(" + STATE + ")"))
    assert "not the weights of model" in one.text


@pytest.mark.parametrize("claim", ["step", "zero_grad", "none"])
def test_where_no_grad_arrives_the_doubt_points_before_step(nb05, claim):
    doubt = sys.modules["exercises.nb05_judges"].doubt
    assert doubt("backward", claim).startswith("no gradient ever arrives, so something before")
    assert "ever" not in doubt("late", claim)


@pytest.mark.parametrize("fault", ["no step()", "no backward()", "late zero_grad()"])
def test_a_fault_differs_from_the_loop_in_the_marked_line_alone(nb05, fault):
    runs = sys.modules["exercises.nb05_runs"]
    lines = runs.FAULTS[fault].splitlines()
    kept = [line for line in lines if "<-" not in line]
    assert len(kept) == len(lines) - 1
    assert set(kept) < set(runs.LOOP.splitlines())
