"""When operations are recorded: ``no_grad`` and its relatives, blocks, decorators, threads."""

from __future__ import annotations

import threading

import pytest

import minigrad as torch


def leaf(*numbers):
    return torch.tensor(numbers[0] if len(numbers) == 1 else numbers, requires_grad=True)


# -------------------------------------------------------------------------------------------- modes

MODES = {
    "no_grad": (lambda: torch.no_grad(), False),
    "enable_grad": (lambda: torch.enable_grad(), True),
    "set_grad_enabled(False)": (lambda: torch.set_grad_enabled(False), False),
    "set_grad_enabled(True)": (lambda: torch.set_grad_enabled(True), True),
    "inference_mode": (lambda: torch.inference_mode(), False),
}
every_mode = pytest.mark.parametrize("name", MODES)


@pytest.fixture(params=[True, False], ids=["recording outside", "not recording outside"])
def outside(request):
    """Each mode is tried inside either of the two."""
    with torch.set_grad_enabled(request.param):
        yield request.param


@every_mode
def test_a_mode_holds_inside_its_block_and_is_restored_behind_it(name, outside):
    make, inside = MODES[name]
    with make():
        assert torch.is_grad_enabled() is inside
        assert (leaf(1.0) * 2).requires_grad is inside
    assert torch.is_grad_enabled() is outside
    assert (leaf(1.0) * 2).requires_grad is outside


@every_mode
def test_a_mode_is_restored_when_its_block_is_left_by_an_exception(name, outside):
    with pytest.raises(ZeroDivisionError), MODES[name][0]():
        1 / 0
    assert torch.is_grad_enabled() is outside


@every_mode
def test_a_decorated_function_runs_in_the_mode(name, outside):
    make, inside = MODES[name]

    @make()
    def function(fails=False):
        """What it does."""
        if fails:
            raise ZeroDivisionError
        return torch.is_grad_enabled()

    assert torch.is_grad_enabled() is outside
    assert function() is inside and function() is inside
    assert torch.is_grad_enabled() is outside
    with pytest.raises(ZeroDivisionError):
        function(fails=True)
    assert torch.is_grad_enabled() is outside
    assert function.__name__ == "function" and function.__doc__ == "What it does."


@every_mode
def test_a_decorated_generator_runs_in_the_mode_and_its_user_does_not(name, outside):
    make, inside = MODES[name]
    closed = []

    @make()
    def generator():
        try:
            got = yield torch.is_grad_enabled()
            while True:
                got = yield got, torch.is_grad_enabled()
        except ZeroDivisionError:
            yield "caught", torch.is_grad_enabled()
        finally:
            closed.append(torch.is_grad_enabled())

    running = generator()
    assert next(running) is inside and torch.is_grad_enabled() is outside
    assert running.send("sent") == ("sent", inside) and torch.is_grad_enabled() is outside
    assert running.throw(ZeroDivisionError()) == ("caught", inside)
    assert torch.is_grad_enabled() is outside
    running.close()
    assert closed == [inside] and torch.is_grad_enabled() is outside


def test_a_decorated_generator_returns_its_value():
    @torch.no_grad()
    def generator():
        yield 1
        return 2

    def user():
        return (yield from generator())

    running = user()
    next(running)
    with pytest.raises(StopIteration) as stop:
        next(running)
    assert stop.value.value == 2


def test_decorators_without_parentheses():
    @torch.no_grad
    def off():
        return torch.is_grad_enabled()

    with torch.no_grad():
        on = torch.enable_grad(lambda: torch.is_grad_enabled())()
    assert off() is False and on is True


def test_a_decorated_recursive_function_restores_at_every_level():
    @torch.no_grad()
    def count(n):
        return [torch.is_grad_enabled()] + (count(n - 1) if n else [])

    assert count(3) == [False] * 4 and torch.is_grad_enabled()


def test_one_mode_object_may_be_entered_inside_its_own_block():
    mode = torch.no_grad()
    with mode, torch.enable_grad():
        with mode:
            assert not torch.is_grad_enabled()
        assert torch.is_grad_enabled()
    assert torch.is_grad_enabled()


def test_set_grad_enabled_acts_at_once_when_called():
    torch.set_grad_enabled(False)
    try:
        assert not torch.is_grad_enabled()
    finally:
        torch.set_grad_enabled(True)
    assert torch.is_grad_enabled()


def test_set_grad_enabled_as_a_decorator_changes_nothing_at_the_definition():
    @torch.set_grad_enabled(False)
    def function():
        return torch.is_grad_enabled()

    assert torch.is_grad_enabled() and function() is False and torch.is_grad_enabled()


def test_inference_mode_says_so_and_can_be_told_not_to():
    with torch.inference_mode():
        assert torch.is_inference_mode_enabled()
    assert not torch.is_inference_mode_enabled()
    with torch.inference_mode(False):
        assert torch.is_grad_enabled() and not torch.is_inference_mode_enabled()


def test_leaves_made_without_recording_still_want_a_gradient():
    with torch.no_grad():
        x = leaf(2.0)
    (x * x).backward()
    assert x.grad.item() == 4.0


@pytest.mark.threads
def test_the_mode_belongs_to_the_thread():
    seen = {}

    def run(name):
        seen[name] = torch.is_grad_enabled(), (leaf(1.0) * 2).requires_grad

    with torch.no_grad():
        thread = threading.Thread(target=run, args=("other",))
        thread.start()
        thread.join()
        run("own")
    assert seen == {"other": (True, True), "own": (False, False)}


@pytest.mark.threads
def test_no_grad_entered_in_one_thread_does_not_reach_another_that_runs_meanwhile():
    inside, done = threading.Event(), threading.Event()

    def stay():
        with torch.no_grad():
            inside.set()
            done.wait(10)

    thread = threading.Thread(target=stay)
    thread.start()
    assert inside.wait(10)
    recorded = (leaf(1.0) * 2).requires_grad
    done.set()
    thread.join()
    assert recorded and torch.is_grad_enabled()


@pytest.mark.threads
def test_backward_passes_run_in_several_threads_at_once():
    results = []

    def run():
        x = leaf(2.0)
        for _ in range(50):
            (x * x).backward()
        results.append(x.grad.item())

    threads = [threading.Thread(target=run) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [200.0] * 4
