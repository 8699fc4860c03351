"""What waits for what in a program: its lines in any order that keeps to it, and under Dask."""

from __future__ import annotations

import random
from fractions import Fraction

import numpy as np
import pytest
from test_compiled_training import MODULES, numbers

import minigrad as torch
from minigrad import nn
from minigrad.static import Refused
from minigrad.static.guards import Otherwise
from minigrad.static.steps import GIVEN
from minigrad.static.tasks import waiting

SEEDS = range(2)


def gradients(name):
    """A module's output and the gradients of its parameters, as a compiled function; its input."""
    make, shape = MODULES[name]
    torch.manual_seed(0)
    module = make()
    parameters = list(module.parameters())

    def step(x):
        out = module(x)
        loss = ((out[0] if isinstance(out, tuple) else out) ** 2).mean()
        return (loss.detach(), *torch.autograd.grad(loss, [x, *parameters]))

    return torch.compile(step), numbers(shape, 1).requires_grad_()


def arrays(results):
    return [tensor.detach().numpy() for tensor in results]


def shuffled(waits, seed):
    """The numbers of the tasks in some order in which each comes after those it waits for."""
    order = random.Random(seed)
    done = []
    while len(done) < len(waits):
        ready = [n for n, w in enumerate(waits) if n not in done and w <= set(done)]
        done.append(order.choice(ready))
    return done


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", MODULES)
def test_lines_give_the_same_in_any_order_that_keeps_to_the_waiting(name, seed):
    step, x = gradients(name)
    torch.manual_seed(3)
    for _ in range(3):
        expected = arrays(step(x))
        torch.manual_seed(3)
    (program,) = step.programs
    own = [one for one in program.steps if one.kind != GIVEN]
    tensors, _ = program.tensors([x])
    space = {**program.space, **program.given(tensors)}
    for number in shuffled(waiting(own), seed):
        exec(own[number].text, space)
    for name, numbers_ in zip(program.results, expected, strict=True):
        assert np.array_equal(space[name], numbers_)


def test_a_write_waits_for_those_who_read_what_was_there_and_they_for_it():
    @torch.compile
    def step(x):
        y = x * 1
        before = y.exp()
        y.mul_(2)
        return before, y.exp()

    x = torch.ones(3)
    for _ in range(3):
        step(x)
    text = [task.text for task in step.tasks]
    waits = [set(task.waits_for) for task in step.tasks]
    (write,) = (n for n, line in enumerate(text) if "[...] = " in line)
    before, after = (n for n, line in enumerate(text) if "np.exp" in line)
    assert before in waits[write] and write in waits[after]


def test_nothing_of_the_outside_is_changed_before_all_guards_have_agreed():
    w = torch.ones(3, requires_grad=True)

    @torch.compile
    def step(x):
        if x.sum() > 0:
            x = x * 2
        w.grad = None
        (w * x).sum().backward()

    for _ in range(3):
        step(torch.ones(3))
    tasks = step.tasks
    (guard,) = (n for n, task in enumerate(tasks) if task.text.startswith("if "))
    (change,) = (n for n, task in enumerate(tasks) if "._grad = tensor" in task.text)
    assert guard in tasks[change].waits_for


def run(graph, names):
    """Dask's rule in five lines: a tuple of a function and the names of what it needs."""
    known = {name: value for name, value in graph.items() if not isinstance(value, tuple)}

    def value(name):
        if name not in known:
            function, *needed = graph[name]
            known[name] = function(*[value(n) if n in graph else n for n in needed])
        return known[name]

    return [value(name) for name in names]


@pytest.mark.parametrize("name", [n for n in MODULES if n not in ("Dropout", "Dropout2d")])
def test_a_graph_of_tasks_gives_what_the_program_gives(name):
    step, x = gradients(name)
    for _ in range(3):
        expected = arrays(step(x))
    if "BatchNorm" in name and "evaluated" not in name:
        with pytest.raises(Refused, match="does more than to make values"):
            step.to_dask(x)
        return
    for found, numbers_ in zip(run(*step.to_dask(x)), expected, strict=True):
        assert np.array_equal(found, numbers_)


def test_dask_runs_it_with_threads_and_on_a_cluster():
    threaded = pytest.importorskip("dask.threaded")
    distributed = pytest.importorskip("distributed")
    step, x = gradients("Sequential")
    for _ in range(3):
        expected = arrays(step(x))
    graph, names = step.to_dask(x)
    with distributed.Client(processes=False, n_workers=1, dashboard_address=None) as client:
        for get in (threaded.get, client.get):
            for found, numbers_ in zip(get(graph, names), expected, strict=True):
                assert np.array_equal(found, numbers_)


@pytest.mark.parametrize("what", [lambda x: torch.rand(3) * x, lambda x: x.mul_(1)])
def test_what_a_task_may_not_do_is_refused_with_its_line(what):
    step = torch.compile(what)
    for _ in range(3):
        step(torch.ones(3))
    with pytest.raises(Refused, match=r"does more than to make values\n  where: .+\n  fix: "):
        step.to_dask(torch.ones(3))


def test_results_wait_for_the_guards():
    @torch.compile
    def step(x):
        return x * 2 if x.sum() > 0 else -x

    x = torch.ones(3)
    for _ in range(3):
        step(x)
    assert np.array_equal(run(*step.to_dask(x))[0], [2, 2, 2])
    with pytest.raises(Otherwise):
        run(*step.to_dask(-x))


def test_what_was_not_noted_yet_is_refused():
    step = torch.compile(lambda x: x * 2)
    with pytest.raises(RuntimeError, match="fix: call it twice first"):
        step.memory
    for _ in range(3):
        step(torch.ones(3))
    with pytest.raises(Refused, match="was not noted yet"):
        step.to_dask(torch.ones(4))


# ------------------------------------------------------------------------------------ memory


@pytest.mark.parametrize("depth", [2, 8, 32])
def test_the_peak_that_is_planned_is_the_one_that_is_measured(depth):
    width = 64
    layers = [nn.Linear(width, width, bias=False) for _ in range(depth)]
    model = nn.Sequential(*(module for layer in layers for module in (layer, nn.Tanh())))

    def step(x):
        model.zero_grad()
        loss = model(x).sum()
        loss.backward()
        return loss

    step = torch.compile(step)
    x = torch.ones(256, width)
    for _ in range(3):
        step(x)
    memory = step.memory
    assert memory.planned > depth * x.numel() * x.element_size()  # what the layers have saved
    assert abs(Fraction(memory.measure(x), memory.planned) - 1) < Fraction(2, 100)


def test_a_view_keeps_the_memory_that_it_shows_and_counts_once():
    @torch.compile
    def step(x):
        y = (x * 2).reshape(50, 20)
        return (y.T + 1).sum()

    x = torch.ones(1000)
    for _ in range(3):
        step(x)
    assert step.memory.planned == 2 * x.numel() * x.element_size()
    assert "+ 1" in step.memory.at or "1 +" in step.memory.at
