"""How an attempt is run: whatever it does, it ends, disturbs nothing, and its error is told."""

from __future__ import annotations

import asyncio
import builtins
import contextlib
import io
import itertools
import os
import random
import signal
import sys
import threading
import time
import warnings
from functools import partial

import numpy as np
import pytest

import minigrad as torch
from minigrad.lesson import Exercise, check
from minigrad.lesson.kernel_settings import settings_kept

double = Exercise("double", answer=lambda x: x * 2, cases=[(torch.tensor(3.0),)])
number = Exercise("number", answer=15.0)


def said(exercise, attempt):
    verdict = check(exercise, attempt)
    verdict.text.encode("utf-8")
    assert len(verdict.text) < 1000
    return verdict.message


# --- Errors --------------------------------------------------------------------------------------


class Speechless(Exception):
    def __str__(self):
        raise ValueError("no words")


class Own(BaseException):
    pass


ERRORS = {
    "GeneratorExit": GeneratorExit(),
    "CancelledError": asyncio.CancelledError(),
    "Own": Own("mine"),
    "SystemExit": SystemExit(1),
    "MemoryError": MemoryError(),
    "Speechless": Speechless(),
    "ExceptionGroup": ExceptionGroup("several", [ValueError("a"), KeyError("b")]),
    "BaseExceptionGroup": BaseExceptionGroup("several", [GeneratorExit()]),
    "ValueError": ValueError("half a letter \udc80 and \x1b[31m colour"),
    "KeyError": KeyError("x" * 10**7),
    "StopIteration": StopIteration(),
}


@pytest.mark.parametrize("name", ERRORS)
def test_every_kind_of_error_is_told(name):
    def attempt(x):
        raise ERRORS[name]

    message = said(double, attempt)
    assert message.startswith(f"it raised {name}") and "raise ERRORS[name]" in message
    assert "\x1b" not in message


@pytest.mark.parametrize("where", ["function", "judge", "__str__", "comparison"])
def test_an_interrupt_reaches_whoever_interrupts(where):
    class Interrupting(Exception):
        def __str__(self):
            raise KeyboardInterrupt

    class Answer:
        def __str__(self):
            raise KeyboardInterrupt

    def interrupted(x):
        raise Interrupting if where == "__str__" else KeyboardInterrupt

    exercise = Exercise("judged", judge=interrupted) if where == "judge" else double
    with pytest.raises(KeyboardInterrupt):
        if where == "comparison":
            check(number, Answer())
        else:
            check(exercise, interrupted)
    assert check(double, lambda x: x + x).passed


# --- Endless attempts ----------------------------------------------------------------------------


def bare(x):
    while True:
        pass


def one_line(x):
    while True: x = x + 1  # fmt: skip  # noqa: E701


def calling(x):
    while True:
        x = x.tanh()


def catching(x):
    while True:
        try:
            x = x.tanh()
        except Exception:
            x = torch.tensor(1.0)


def catching_all(x):
    while True:
        try:
            x = x.tanh().exp()
        except:  # noqa: E722
            x = torch.tensor(1.0)


def catching_all_without_a_call(x):
    count = 0
    while True:
        try:
            count = count + 1
        except:  # noqa: E722
            count = 0


def cleaning_up(x):
    while True:
        with contextlib.suppress(BaseException):
            try:
                time.sleep(0.001)
            finally:
                x = x + 1


def catching_once(x):
    try:
        bare(x)
    except BaseException:
        return x * 2


def in_a_comprehension(x):
    return sum(1 for _ in itertools.count())


def recursive(x):
    with contextlib.suppress(RecursionError):
        recursive(x)
    recursive(x)


def raising_another(x):
    try:
        bare(x)
    except BaseException as error:
        raise ValueError("mine") from error


def printing(x):
    while True:
        print("still here", x)


class Endless:
    def __str__(self):
        bare(0)


class Speaking(Exception):
    def __str__(self):
        bare(0)


def raising_an_endless_error(x):
    raise Speaking


ENDLESS = [
    bare,
    one_line,
    calling,
    catching,
    catching_all,
    catching_all_without_a_call,
    cleaning_up,
    catching_once,
    in_a_comprehension,
    raising_another,
    printing,
    lambda x: Endless(),
    raising_an_endless_error,
]


def without_an_alarm(monkeypatch):
    monkeypatch.delattr(signal, "setitimer")


@pytest.fixture(params=["alarm", "watchman"])
def way(request, monkeypatch):
    if request.param == "watchman":
        without_an_alarm(monkeypatch)
    return request.param


def quick(exercise, seconds=0.4):
    return Exercise(exercise.name, answer=exercise.answer, cases=exercise.cases, seconds=seconds)


@pytest.mark.untraced
@pytest.mark.parametrize("attempt", ENDLESS, ids=lambda one: one.__name__)
def test_what_does_not_end_is_stopped(attempt, way, capsys):
    handler, tracer = signal.getsignal(signal.SIGALRM), sys.gettrace()
    message = said(quick(double), attempt)
    first, second = message.splitlines()
    assert first == "stopped after 0.4 s: is there a loop that never ends?"
    assert second.strip().startswith("test_attempt.py, line ")
    assert signal.getsignal(signal.SIGALRM) is handler and sys.gettrace() is tracer
    assert len(capsys.readouterr().out) < 30_000
    assert check(quick(double, 30), lambda x: x + x).passed


@pytest.mark.untraced
@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no alarm here")
def test_an_alarm_that_finds_no_room_on_the_stack_rings_again():
    assert said(quick(double), recursive).startswith("stopped after 0.4 s")


@pytest.mark.untraced
def test_the_line_of_the_loop_is_told(way):
    def attempt(x):
        total = x
        while total < 10:
            total = x

    assert said(quick(double), attempt).split(": ")[-1] in ("while total < 10:", "total = x")


@pytest.mark.untraced
def test_what_a_judge_runs_is_stopped_too(way):
    judged = Exercise("judged", judge=lambda attempt: attempt(1) or "", seconds=0.4)
    assert said(judged, bare).startswith("stopped after 0.4 s")


@pytest.mark.untraced
def test_a_value_that_takes_for_ever_to_be_looked_at_is_stopped(way):
    assert said(quick(number), Endless()).startswith("stopped after 0.4 s")


@pytest.mark.untraced
def test_in_another_thread_it_is_stopped_as_well():
    found = []
    thread = threading.Thread(target=lambda: found.append(said(quick(double), bare)), daemon=True)
    thread.start()
    thread.join(30)
    assert found and found[0].startswith("stopped after 0.4 s")


@pytest.mark.untraced
def test_a_check_inside_an_attempt_stops_only_itself(way):
    def attempt(x):
        assert said(quick(double), bare).startswith("stopped")
        return x * 2

    assert check(quick(double, 30), attempt).passed


@pytest.mark.untraced
@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no alarm here")
def test_an_alarm_that_was_set_before_still_rings():
    rung = []
    before = signal.signal(signal.SIGALRM, lambda *ignored: rung.append(True))
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.6)
        check(quick(double), bare)
        while not rung:
            time.sleep(0.01)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@pytest.mark.untraced
def test_time_in_a_debugger_does_not_count():
    def attempt(x):
        before = sys.gettrace()
        sys.settrace(lambda *ignored: None)
        time.sleep(0.8)
        sys.settrace(before)
        return x * 2

    assert check(quick(double), attempt).passed


@pytest.mark.untraced
def test_a_debugger_that_runs_already_keeps_its_tracer(monkeypatch):
    without_an_alarm(monkeypatch)
    before, calls = sys.gettrace(), []
    sys.settrace(tracer := lambda frame, event, arg: calls.append(event))
    try:
        assert check(double, lambda x: x * 2).passed
        assert sys.gettrace() is tracer and calls
    finally:
        sys.settrace(before)


@pytest.mark.parametrize("seconds", [0, -1, None, "long", float("nan")])
def test_seconds_are_a_number_above_zero(seconds):
    with pytest.raises(ValueError, match="seconds must be a number above 0"):
        Exercise("x", answer=1, seconds=seconds)


# --- Settings ------------------------------------------------------------------------------------


def set_hooks():
    torch.autograd.graph.saved_tensors_hooks(lambda x: x, lambda x: x).__enter__()


CHANGES = {
    "grad mode": lambda: torch.set_grad_enabled(False),
    "inference": lambda: torch.inference_mode().__enter__(),
    "hooks": set_hooks,
    "dtype": lambda: torch.set_default_dtype(torch.float64),
    "anomaly": lambda: torch.autograd.set_detect_anomaly(True),
    "notices": torch.tape.notices,
    "print options": lambda: torch.set_printoptions(precision=1),
    "NumPy's print options": lambda: np.set_printoptions(precision=1),
    "NumPy's errors": lambda: np.seterr(all="raise"),
    "seed": lambda: torch.manual_seed(1),
    "NumPy's seed": lambda: np.random.seed(1),
    "Python's seed": lambda: random.seed(1),
    "recursion limit": lambda: sys.setrecursionlimit(5000),
    "warnings": lambda: warnings.simplefilter("ignore"),
    "output": lambda: setattr(sys, "stdout", io.StringIO()),
    "folder": lambda: os.chdir("/"),
    "a builtin": lambda: setattr(builtins, "len", lambda x: 0),
    "no builtin": lambda: delattr(builtins, "sorted"),
    "new builtin": lambda: setattr(builtins, "new", 1),
}


def settings():
    return {
        "grad mode": torch.is_grad_enabled(),
        "inference": torch.is_inference_mode_enabled(),
        "hooks": (torch.ones(1, requires_grad=True) * 2).grad_fn is not None,
        "packing": torch.engine.modes.mode.packing,
        "dtype": torch.get_default_dtype(),
        "anomaly": (torch.is_anomaly_enabled(), torch.is_anomaly_check_nan_enabled()),
        "notices": torch.tape.notice.Notices.active,
        "print options": str(torch.tensor(1.23456)),
        "NumPy": (np.get_printoptions(), np.geterr()),
        "seeds": (torch.get_rng_state().tolist(), str(np.random.get_state()), random.getstate()),
        "Python": (sys.getrecursionlimit(), list(warnings.filters), sys.stdout, os.getcwd()),
        "builtins": dict(vars(builtins)),
    }


@pytest.mark.parametrize("ends", ["returns", "raises", "is stopped"])
@pytest.mark.parametrize("change", CHANGES)
def test_what_an_attempt_sets_ends_with_it(change, ends):
    before = settings()

    def attempt(x):
        CHANGES[change]()
        if ends == "raises":
            raise ValueError
        if ends == "is stopped":
            bare(x)
        return x * 2

    exercise = quick(double, 0.1 if ends == "is stopped" else 30)
    message = said(exercise, attempt)
    assert settings() == before
    expected = {"returns": "right.", "raises": "it raised ValueError", "is stopped": "stopped"}
    assert message.startswith(expected[ends])


@pytest.mark.parametrize("cell", ["begins", "ends"])
def test_a_cell_that_begins_or_ends_during_an_attempt_keeps_its_shells_names(monkeypatch, cell):
    """IPython sets ``get_ipython`` around each cell, perhaps while a widget's thread tries one."""
    before = vars(builtins).copy()

    def shell():
        return None

    if cell == "begins":
        monkeypatch.delattr(builtins, "get_ipython", raising=False)
    else:
        monkeypatch.setattr(builtins, "get_ipython", shell, raising=False)
    with settings_kept():
        if cell == "begins":
            monkeypatch.setattr(builtins, "get_ipython", shell, raising=False)
        else:
            monkeypatch.delattr(builtins, "get_ipython")
    assert getattr(builtins, "get_ipython", None) is (shell if cell == "begins" else None)
    monkeypatch.undo()
    assert vars(builtins) == before


def test_a_switched_off_grad_mode_hides_no_missing_gradient():
    leaf = torch.ones(2, requires_grad=True)
    exercise = Exercise("sum", answer=lambda x: x.sum(), cases=[(leaf,)])

    def attempt(x):
        torch.set_grad_enabled(False)
        return x.sum()

    assert "has no history" in said(exercise, attempt)
    assert check(exercise, lambda x: x.sum()).passed
    with torch.no_grad():
        assert check(exercise, lambda x: x.sum()).passed
        assert "has no history" in said(exercise, lambda x: x.sum().detach())
        assert not torch.is_grad_enabled()


def test_a_judge_that_seeds_leaves_no_trace():
    before = torch.get_rng_state()

    def judge(attempt):
        torch.manual_seed(3)
        return ""

    assert check(Exercise("judged", judge=judge), 1).passed
    assert torch.equal(torch.get_rng_state(), before)


def test_what_an_attempt_prints_is_seen_up_to_a_limit(capsys):
    def attempt(x):
        print("hello")
        for _ in range(10**4):
            print("y" * 1000)
        return x * 2

    assert check(double, attempt).passed
    printed = capsys.readouterr().out
    assert printed.startswith("hello\n") and len(printed) < 21_000
    assert "(it prints more, which is left out)" in printed


# --- Results and attempts of every kind ----------------------------------------------------------


class Refusing:
    def refuse(self, *ignored):
        raise ZeroDivisionError("not me")

    __str__ = __repr__ = __eq__ = __hash__ = __bool__ = __len__ = __iter__ = refuse
    __array__ = __float__ = __deepcopy__ = __getitem__ = refuse


endless_list: list[object] = [1.0]
endless_list += [endless_list, endless_list]

RESULTS = {
    "huge": np.broadcast_to(np.float64(1), (10**4, 10**4)),
    "huge tensor": torch.zeros(1, 1).expand(10**4, 10**4),
    "long list": [0] * 10**6,
    "itertools.count": itertools.count(),
    "generator": (x for x in iter(int, 1)),
    "refusing": Refusing(),
    "refusing in a list": [Refusing()],
    "list in itself": endless_list,
    "nan": float("nan"),
    "long text": "x" * 10**7,
    "large integer": 10**5000,
    "class": Refusing,
    "half a letter": "\udc80",
    "objects": np.array([None, "x"]),
    "complex": 1j,
    "dict": {"a": 1},
}


@pytest.mark.parametrize("name", RESULTS)
@pytest.mark.parametrize("function", [True, False])
def test_every_kind_of_result_is_wrong_without_an_error(name, function):
    result = RESULTS[name]
    message = said(double, lambda x: result) if function else said(number, result)
    assert "raised" not in message and "right" not in message and len(message) < 250


class Callable:
    def __call__(self, x):
        return x * 2

    def method(self, x):
        return x * 2


class Instance:
    def __init__(self, x):
        self.x = x


@pytest.mark.parametrize("attempt", [Callable(), Callable().method, partial(torch.mul, other=2)])
def test_everything_that_can_be_called_can_be_right(attempt):
    assert check(double, attempt).passed


def test_a_class_is_called_and_a_coroutine_is_no_number():
    async def attempt(x):
        return x * 2

    assert said(double, Instance) == "the result is a Instance, and a number is wanted."
    with warnings.catch_warnings(action="ignore"):
        assert said(double, attempt) == "the result is a coroutine, and a number is wanted."
