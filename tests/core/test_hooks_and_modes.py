"""Hooks on gradients, and when operations are recorded."""

from __future__ import annotations

import threading

import pytest

import minigrad as torch


def leaf(*numbers):
    return torch.tensor(numbers[0] if len(numbers) == 1 else numbers, requires_grad=True)


# ----------------------------------------------------------------------------------- tensor hooks


def test_a_hook_sees_the_whole_gradient_once():
    x = leaf(2.0)
    y = x * 1
    seen = []
    y.register_hook(lambda g: seen.append(g.item()))
    (y * 3 + y * 4).backward()
    assert seen == [7.0]


def test_a_hook_on_a_leaf_sees_the_sum_of_this_pass_only():
    x = leaf(2.0)
    seen = []
    x.register_hook(lambda g: seen.append(g.item()))
    (x * 3 + x * 4).backward()
    (x * 5).backward()
    assert seen == [7.0, 5.0] and x.grad.item() == 12.0


def test_hooks_run_in_order_and_each_gets_what_the_one_before_returned():
    x = leaf(1.0)
    order = []

    def hook(name, factor):
        def run(g):
            order.append((name, g.item()))
            return None if factor is None else g * factor

        return run

    for name, factor in (("a", 2), ("b", None), ("c", 5)):
        x.register_hook(hook(name, factor))
    (x * 1).backward()
    assert order == [("a", 1.0), ("b", 2.0), ("c", 2.0)] and x.grad.item() == 10.0


def test_a_removed_hook_does_not_run():
    x = leaf(1.0)
    handle = x.register_hook(lambda g: g * 10)
    kept = x.register_hook(lambda g: g + 1)
    handle.remove()
    handle.remove()
    (x * 1).backward()
    assert x.grad.item() == 2.0
    kept.remove()
    (x * 1).backward()
    assert x.grad.item() == 3.0


def test_a_hook_on_a_result_changes_what_flows_on():
    x = leaf(2.0)
    y = x * 3
    y.retain_grad()
    y.register_hook(lambda g: g * 100)
    (y * y).backward()
    assert y.grad.item() == 1200.0 and x.grad.item() == 3600.0


def test_hooks_run_for_grad_too():
    x = leaf(2.0)
    x.register_hook(lambda g: g * 10)
    assert torch.autograd.grad(x * x, x)[0].item() == 40.0


def test_a_hook_under_create_graph_is_differentiated_too():
    x = leaf(2.0)
    y = x * 1
    handle = y.register_hook(lambda g: g * g)
    (slope,) = torch.autograd.grad(y**3, x, create_graph=True)  # (3x²)²
    assert slope.item() == 144.0
    handle.remove()
    assert torch.autograd.grad(slope, x)[0].item() == 36 * 8


def test_a_hook_may_keep_the_gradient_without_aliasing_grad():
    x = leaf(1.0, 2.0)
    kept = []
    x.register_hook(kept.append)
    (x * 2).sum().backward()
    kept[0].zero_()
    assert x.grad.tolist() == [2.0, 2.0]


def test_a_hook_may_start_a_backward_of_its_own():
    x, w = leaf(2.0), leaf(3.0)
    y = x * 1


    def hook(g):
        with torch.enable_grad():
            (w * w).backward()

    y.register_hook(hook)
    (y * y).backward()
    assert (x.grad.item(), w.grad.item()) == (4.0, 6.0)


def test_a_hook_runs_unrecorded_unless_the_pass_is_recorded():
    x = leaf(2.0)
    modes = []
    x.register_hook(lambda g: modes.append(torch.is_grad_enabled()))
    torch.autograd.grad(x**3, x)
    torch.autograd.grad(x**3, x, create_graph=True)
    assert modes == [False, True]


def test_hooks_must_return_a_gradient_of_the_same_shape_or_none():
    for wrong, kind in ((torch.ones(3), RuntimeError), (1.0, TypeError)):
        x = leaf(1.0, 2.0)
        x.register_hook(lambda g, wrong=wrong: wrong)
        with pytest.raises(kind, match="hook"):
            (x * 1).sum().backward()


def test_only_tensors_that_want_a_gradient_take_hooks():
    with pytest.raises(RuntimeError, match="cannot register a hook on a tensor that doesn't"):
        torch.tensor(1.0).register_hook(print)


def test_a_post_accumulate_hook_runs_after_grad_was_added_to():
    x = leaf(2.0)
    seen = []
    handle = x.register_post_accumulate_grad_hook(lambda p: seen.append((p is x, p.grad.item())))
    (x * 3).backward()
    (x * 3).backward()
    handle.remove()
    (x * 3).backward()
    assert seen == [(True, 3.0), (True, 6.0)]


def test_a_post_accumulate_hook_can_update_its_parameter():
    x = leaf(2.0)

    def step(p):
        with torch.no_grad():
            p -= 0.5 * p.grad
        p.grad = None

    x.register_post_accumulate_grad_hook(step)
    (x * x).backward()
    assert x.item() == 0.0 and x.grad is None


def test_a_post_accumulate_hook_belongs_to_leaves():
    with pytest.raises(RuntimeError, match="non-leaf"):
        (leaf(1.0) * 2).register_post_accumulate_grad_hook(print)


# ------------------------------------------------------------------------------------------- modes

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
