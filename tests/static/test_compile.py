"""What ``torch.compile`` promises: the program, its guards, and what it refuses.

Each step here is run as it stands and compiled, from the same seed, and must leave the same behind
to the bit, whether a program served it or it was refused.
"""

from __future__ import annotations

import collections
import functools
import gc
import random
import subprocess
import sys
import threading
import time
import warnings

import numpy as np
import pytest
from compiled_twice import histories, refusals, served

import minigrad as torch
from minigrad import nn
from minigrad.lesson.kernel_settings import Sparing

F = nn.functional


def three(call):
    return (torch.tensor([1.0 + call, 2.0 - call, 0.5 * call]),)


def nothing():
    return ()


# ------------------------------------------------------------------- what programs can do

SERVED = {}
REFUSED = {}


def can_be_compiled(make):
    SERVED[make.__name__] = make
    return make


def cannot(*reasons):
    def note(make):
        REFUSED[make.__name__] = make, reasons
        return make

    return note


@can_be_compiled
def a_buffer_that_is_written_to():
    state = torch.zeros(3)

    def step(x):
        state.copy_(torch.tanh(state + x))
        return state

    return step, lambda: state


@can_be_compiled
def tensors_that_share_memory():
    whole = torch.zeros(6)
    left, right = whole[:3], whole[1:4]

    def step(x):
        left.add_(x)
        right.mul_(2)
        return left + right

    return step, lambda: whole


@can_be_compiled
def gradients_that_add_up():
    w = torch.ones(3, requires_grad=True)

    def step(x):
        (w * x).sum().backward()
        return w.grad * 1

    return step, lambda: w


@can_be_compiled
def the_gradient_of_a_single_number():
    w = torch.tensor(2.0, requires_grad=True)

    def step(x):
        (w**2 * x.sum()).backward()
        return w.grad**2

    return step, lambda: w


@can_be_compiled
def a_hook_that_replaces_the_gradient():
    w = torch.ones(3, requires_grad=True)
    w.register_hook(lambda g: g * 10)

    def step(x):
        w.grad = None
        (w * x).sum().backward()

    return step, lambda: w


@can_be_compiled
def a_second_derivative():
    w = torch.ones(3, requires_grad=True)

    def step(x):
        w.grad = None
        (slope,) = torch.autograd.grad((w**3 * x).sum(), w, create_graph=True)
        (slope * slope).sum().backward()

    return step, lambda: w


@can_be_compiled
def a_function_of_ones_own():
    class Square(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x * x

        @staticmethod
        def backward(ctx, g):
            (x,) = ctx.saved_tensors
            return 2 * x * g

    w = torch.ones(3, requires_grad=True)

    def step(x):
        w.grad = None
        Square.apply(w * x).sum().backward()

    return step, lambda: w


@can_be_compiled
def a_net_with_statistics_dropout_and_adam():
    net = nn.Sequential(
        nn.Linear(3, 4), nn.BatchNorm1d(4), nn.ReLU(), nn.Dropout(0.3), nn.Linear(4, 3)
    )
    optimizer = torch.optim.Adam(net.parameters(), lr=0.1)
    inputs = torch.randn(5, 3)
    labels = torch.tensor([0, 1, 2, 0, 1])

    def step(x):
        optimizer.zero_grad()
        loss = F.cross_entropy(net(inputs + x), labels)
        loss.backward()
        optimizer.step()
        return loss

    return step, lambda: list(net.state_dict().values())


@can_be_compiled
def examples_in_a_random_order():
    w = torch.ones(3, requires_grad=True)
    weights = torch.tensor([1.0, 2.0, 4.0])

    def step(x):
        order = torch.randperm(3)
        loss = (w * x[order] * weights).sum()
        loss.backward()
        return loss

    return step, lambda: [w]


@can_be_compiled
def two_optimisers_one_after_the_other():
    u = torch.ones(3, requires_grad=True)
    v = torch.ones(3, requires_grad=True)
    first = torch.optim.SGD([u], lr=0.1)
    second = torch.optim.SGD([v], lr=0.1)

    def step(x):
        first.zero_grad()
        (u * v * x).sum().backward()
        first.step()
        second.zero_grad()
        (u * v * x).sum().backward()
        second.step()

    return step, lambda: [u, v]


@can_be_compiled
def a_branch_on_a_value():
    def step(x):
        if x.sum() > 4:
            return x * 2
        return x * 3

    return step, nothing


@can_be_compiled
def a_branch_on_random_numbers_of_a_generator():
    generator = torch.Generator().manual_seed(3)

    def step(x):
        noise = torch.rand(3, generator=generator)
        return x + noise if noise[0] > 0.5 else x - noise

    return step, nothing


@can_be_compiled
def a_branch_after_a_write():
    state = torch.zeros(3)

    def step(x):
        state.add_(x)
        if state.sum() > 12:
            state.mul_(0.5)
        return state.clone()

    return step, lambda: state


@can_be_compiled
def writing_to_a_constant_of_the_program():
    def step(x):
        out = torch.zeros(3)
        out[1:] = x[1:]
        out += torch.tensor([1.0, 2.0, 3.0])
        return out

    return step, nothing


@can_be_compiled
def structures_come_back():
    def step(x):
        return {"shape": tuple(x.shape), "both": [x * 2, None]}, "text"

    return step, nothing


@can_be_compiled
def a_schedule_outside():
    w = torch.ones(3, requires_grad=True)
    optimizer = torch.optim.SGD([w], lr=0.1)
    schedule = torch.optim.lr_scheduler.StepLR(optimizer, 2)

    def step(x):
        optimizer.zero_grad()
        (w * x).sum().backward()
        optimizer.step()

    def look():
        schedule.step()
        return w

    return step, look


@pytest.mark.parametrize("name", SERVED)
def test_a_program_leaves_behind_what_an_ordinary_call_does(name):
    plain, compiled, step = histories(SERVED[name], three, calls=7)
    assert plain == compiled
    assert not refusals(step)
    assert served(step), step.explain()


# ------------------------------------------------------------------- what notes do not see


@cannot("the call has changed `counts`")
def a_counter():
    counts = [0]

    def step(x):
        counts[0] += 1
        return x * counts[0]

    return step, lambda: counts


@cannot("the call has changed `count`")
def a_counter_of_an_enclosing_function():
    count = 0

    def step(x):
        nonlocal count
        count += 1
        return x * count

    return step, nothing


@cannot("the call has changed `Counting`")
def a_counter_in_a_module():
    class Counting(nn.Module):
        def __init__(self):
            super().__init__()
            self.calls = 0

        def forward(self, x):
            self.calls += 1
            return x * self.calls

    model = Counting()
    return model, lambda: model.calls


@cannot("the call has changed `losses`")
def a_list_that_grows():
    losses = []

    def step(x):
        losses.append(x.sum())
        return x

    return step, lambda: losses


@cannot("the call has changed `Memory`")
def a_state_in_an_attribute():
    class Memory(nn.Module):
        def __init__(self):
            super().__init__()
            self.state = torch.zeros(3)

        def forward(self, x):
            self.state = torch.tanh(self.state + x)
            return self.state.clone()

    model = Memory()
    return model, lambda: model.state


@cannot("`random` brings in what changes")
def chance():
    random.seed(0)

    def step(x):
        return x + random.random()

    return step, nothing


@cannot("`np` brings in what changes", "NumPy draws random numbers", "`rng` brings in what changes")
def chance_of_numpy():
    rng = np.random.default_rng(0)

    def step(x):
        return x + rng.random()

    return step, nothing


@cannot("`time` brings in what changes")
def the_time():
    def step(x):
        return x * (time.localtime().tm_year < 0)

    return step, nothing


@cannot("`data` is a NumPy array")
def an_array_of_numpy():
    data = np.ones((10, 3), np.float32)
    rows = [0]

    def step(x):
        return x + torch.tensor(data[rows[0]])

    def look():
        data[:] += 1

    return step, look


@cannot("`batches` is an iterator")
def an_iterator():
    batches = iter([torch.ones(3) * number for number in range(10)])

    def step(x):
        return x * next(batches)

    return step, nothing


@cannot("float() takes a number out of the graph")
def a_number_of_a_tensor():
    def step(x):
        return x * float(x.sum())

    return step, nothing


@cannot("item() takes a number out of the graph")
def an_item():
    def step(x):
        return x * x.sum().item()

    return step, nothing


@cannot("tolist() takes the numbers out of the graph")
def a_list_of_numbers():
    def step(x):
        return x * max(x.tolist())

    return step, nothing


@cannot("numpy() hands out the numbers")
def an_array_of_a_tensor():
    def step(x):
        return torch.tensor(x.numpy() * 2)

    return step, nothing


@cannot("NumPy reads the numbers")
def a_printed_tensor():
    def step(x):
        return x * len(str(x))

    return step, nothing


@cannot("a tensor of the outside gets another value")
def a_tensor_with_other_memory():
    w = torch.ones(3)

    def step(x):
        w.data = x * 2
        return w + 1

    return step, lambda: w


@cannot("a gradient is used under two names")
def a_gradient_with_two_names():
    w = torch.ones(3, requires_grad=True)
    w.grad = torch.zeros(3)
    gradient = w.grad

    def step(x):
        (w * x).sum().backward()
        return gradient * 2

    return step, lambda: w


@cannot("a result still has its graph")
def a_result_to_go_back_from():
    w = torch.ones(3, requires_grad=True)

    def step(x):
        return (w * x).sum()

    return step, nothing


@cannot("the call has changed `StepLR`")
def a_schedule_inside():
    w = torch.ones(3, requires_grad=True)
    optimizer = torch.optim.SGD([w], lr=0.1)
    schedule = torch.optim.lr_scheduler.StepLR(optimizer, 2)

    def step(x):
        optimizer.zero_grad()
        (w * x).sum().backward()
        optimizer.step()
        schedule.step()

    return step, lambda: [w, optimizer.param_groups[0]["lr"]]


@cannot("a tensor comes from another thread")
def a_thread():
    def step(x):
        found = []
        thread = threading.Thread(target=lambda: found.append(x * 2))
        thread.start()
        thread.join()
        return found[0] + 1

    return step, nothing


@cannot("a value is tested after the optimiser's step")
def a_test_after_the_step():
    w = torch.ones(3, requires_grad=True)
    optimizer = torch.optim.SGD([w], lr=0.1)

    def step(x):
        optimizer.zero_grad()
        (w * x).sum().backward()
        optimizer.step()
        return "large" if w.sum() > 0 else "small"

    return step, lambda: w


@cannot("a generator is made, or seeded by chance")
def a_generator_inside():
    def step(x):
        return x + torch.rand(3, generator=torch.Generator())

    return step, nothing


@cannot("the call has changed a setting of minigrad")
def a_setting():
    def step(x):
        torch.set_grad_enabled(False)
        return x * 2

    def look():
        torch.set_grad_enabled(True)

    return step, look


@pytest.mark.parametrize("name", REFUSED)
def test_what_notes_do_not_see_is_refused_and_runs_as_ever(name):
    make, reasons = REFUSED[name]
    plain, compiled, step = histories(make, three)
    assert plain == compiled
    assert refusals(step)[0] in reasons
    assert not served(step)


# ------------------------------------------------------------------------------------ guards


def guarded(change, step_of):
    """Compiled and ordinary calls agree, though something changes after the fourth."""

    def make():
        state = collections.Counter()
        step, setting = step_of()

        def look():
            state["calls"] += 1
            if state["calls"] == 4:
                change(setting)

        return step, look

    plain, compiled, step = histories(make, three, calls=8)
    assert plain == compiled
    assert len(step.programs) == 2, step.explain()
    assert served(step) >= 4
    return step.explain()


def linear():
    layer = nn.Linear(3, 2)
    return (lambda x: layer(x).detach().clone()), layer


def test_a_parameter_that_was_replaced_is_seen():
    def replace(layer):
        layer.weight = nn.Parameter(torch.ones(2, 3))

    assert "`Linear._parameters`" in guarded(replace, linear)


def test_a_tensor_of_another_shape_is_seen():
    def step_of():
        w = torch.ones(3)
        return (lambda x: x + w), w

    def grow(w):
        w.data = torch.ones(2, 3)

    assert "layout" in guarded(grow, step_of)


def test_training_and_evaluating_are_two_programs():
    def step_of():
        layer = nn.Dropout(0.5)
        return (lambda x: layer(x)), layer

    assert "`Dropout`" in guarded(lambda layer: layer.eval(), step_of)


def test_requires_grad_is_a_guard():
    def step_of():
        w = torch.ones(3, requires_grad=True)
        return (lambda x: (w * x).requires_grad), w

    assert "requires_grad of w" in guarded(lambda w: w.requires_grad_(False), step_of)


def test_settings_in_nested_structures_are_guards():
    def step_of():
        settings = {"inner": [{"rate": 1.0}]}
        scaled = functools.partial(lambda given, x: x * given["inner"][0]["rate"], settings)
        return (lambda x: scaled(x)), settings["inner"][0]

    guarded(lambda inner: inner.update(rate=2.0), step_of)


def test_attributes_of_classes_are_guards():
    def step_of():
        class Options:
            rate = 1.0

        options = Options()
        return (lambda x: x * options.rate), Options

    guarded(lambda options: setattr(options, "rate", 2.0), step_of)


def test_the_learning_rate_that_a_step_reads_is_a_guard():
    def step_of():
        w = torch.ones(3, requires_grad=True)
        optimizer = torch.optim.SGD([w], lr=0.1)
        return (lambda x: x * optimizer.param_groups[0]["lr"]), optimizer.param_groups[0]

    guarded(lambda group: group.update(lr=0.05), step_of)


def test_shapes_dtypes_and_python_values_are_guards():
    step = torch.compile(lambda x, n: x * n)
    calls = [
        (torch.ones(2), 2),
        (torch.ones(3), 2),
        (torch.ones(2).double(), 2),
        (torch.ones(2), 3),
    ]
    for _ in range(3):
        for x, n in calls:
            assert torch.equal(step(x, n), x * n)
    assert len(step.programs) == 4


def test_a_guard_that_fails_has_changed_nothing():
    state = torch.zeros(2)

    @torch.compile
    def step(x):
        state.add_(x)
        noise = torch.rand(2)
        if state.sum() > 4:
            state.zero_()
        return noise

    torch.manual_seed(0)
    plain = torch.rand(6, 2)
    torch.manual_seed(0)
    sums = []
    for call in range(6):
        assert torch.equal(step(torch.ones(2)), plain[call])
        sums.append(state.sum().item())
    assert sums == [2.0, 4.0, 0.0, 2.0, 4.0, 0.0]
    assert "`state.sum() > 4` is False" in step.explain()


def test_of_two_tests_in_one_line_the_one_that_failed_is_named():
    @torch.compile
    def grow(y):
        while y > 0 and y < 10:
            y = y * 2
        return y

    for number in (3.0, 3.0, 6.0):
        grow(torch.tensor(number))
    assert ": `y < 10` is " in grow.explain() and "`y > 0`" not in grow.explain()


# ---------------------------------------------------------------------------- what it says


def small_net():
    torch.manual_seed(0)
    w1 = torch.randn(4, 3, requires_grad=True)
    w2 = torch.randn(3, 2, requires_grad=True)
    optimizer = torch.optim.SGD([w1, w2], lr=0.1)

    @torch.compile(fullgraph=True)
    def step(x, y):
        optimizer.zero_grad()
        loss = ((torch.tanh(x @ w1) @ w2 - y) ** 2).mean()
        loss.backward()
        optimizer.step()
        return loss

    for _ in range(3):
        step(torch.ones(5, 4), torch.ones(5, 2))
    return step


def test_the_program_quotes_the_lines_that_it_comes_from():
    source = small_net().source
    assert source.startswith("def step(x_tensor, y_tensor, w1_tensor, w2_tensor):")
    assert "x.dot(w1)" in source
    assert "loss = ((torch.tanh(x @ w1) @ w2 - y) ** 2).mean()" in source
    assert "TanhBackward0 of line" in source
    assert "optimizer.step()" in source
    assert "; del " in source
    compile(source, "source", "exec")  # it is Python


def test_tensors_may_have_the_names_that_a_program_gives_to_its_values():
    v1 = torch.ones(3)
    v2 = torch.ones(3, requires_grad=True)

    @torch.compile(fullgraph=True)
    def step(x):
        twice = x * 2
        product = (twice + v2) * v1
        return (product * v2 + twice * v1).sum().detach()

    for number in (0.0, 1.0, 2.0, 3.0):
        assert step(torch.full((3,), number)).item() == 12 * number + 3
    assert step.programs[0].served == 2


@pytest.mark.parametrize("name", ["np", "abs", "tensor", "slice", "lambda", "class", "v3"])
def test_parameters_may_have_names_that_mean_something_in_a_program(name):
    weights = nn.ParameterDict({name: nn.Parameter(torch.tensor([3.0, -2.0]))})

    @torch.compile(fullgraph=True)
    def step(x):
        return (abs(weights[name][:1]) * x).sum().detach()

    for number in (1.0, 2.0, 3.0, 4.0):
        assert step(torch.full((2,), number)).item() == 6 * number
    assert step.programs[0].served == 2


def test_a_function_may_be_called_as_something_that_its_program_uses():
    w = torch.ones(3, requires_grad=True)

    @torch.compile(fullgraph=True)
    def tensor(x):
        w.grad = None
        (w * x).sum().backward()

    for number in (1.0, 2.0, 3.0, 4.0):
        tensor(torch.full((3,), number))
        assert w.grad.tolist() == [number] * 3
    assert tensor.programs[0].served == 2


def test_nothing_is_worked_out_that_nobody_needs():
    @torch.compile
    def step(x):
        x.exp()  # of no use
        return torch.tanh(x) + torch.tanh(x)

    for _ in range(3):
        step(torch.ones(2))
    assert "exp" not in step.source
    assert step.source.count("np.tanh") == 1


def test_a_table_says_which_program_served_which_call():
    text = small_net().explain()
    assert "    1  program 0, of " in text
    assert "    1  an ordinary run: the first call" in text


def test_a_refusal_says_where_and_what_helps():
    @torch.compile
    def step(x):
        return x.sum().item()

    step(torch.ones(2))
    with pytest.warns(UserWarning, match="item\\(\\)") as caught:
        assert step(torch.ones(2)) == 2.0
    text = str(caught[0].message)
    assert f"where: {__file__}, line " in text
    assert "fix: " in text
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # it is said once
        assert step(torch.ones(2)) == 2.0


def test_fullgraph_raises_what_would_be_a_warning():
    step = torch.compile(lambda x: x.tolist(), fullgraph=True)
    step(torch.ones(2))
    with pytest.raises(RuntimeError, match="tolist"):
        step(torch.ones(2))


def test_check_compares_with_an_ordinary_run_and_finds_what_notes_cannot_see():
    class Hidden:
        __module__ = "builtins"  # so that nobody watches it

    hidden = Hidden()
    hidden.rate = 1.0
    step = torch.compile(lambda x: x * hidden.rate, check=True)
    for _ in range(3):
        step(torch.ones(2))
    hidden.rate = 2.0
    with pytest.raises(AssertionError, match="differ in result 0"):
        step(torch.ones(2))


def test_check_leaves_a_training_as_it_is():
    def trained(**options):
        torch.manual_seed(0)
        net = nn.Sequential(nn.Linear(3, 4), nn.Dropout(0.5), nn.Linear(4, 1))
        optimizer = torch.optim.Adam(net.parameters(), lr=0.1)

        def step(x):
            optimizer.zero_grad()
            loss = (net(x) ** 2).mean()
            loss.backward()
            optimizer.step()
            return loss

        if options:
            step = torch.compile(step, **options)
        return [step(torch.ones(5, 3) * call).item() for call in range(6)]

    assert trained() == trained(check=True)


def test_check_needs_no_second_program_for_single_numbers():
    w = torch.tensor(2.0, requires_grad=True)

    def step(x):
        w.grad = None
        (w * x).backward()

    step = torch.compile(step, check=True)
    for _ in range(5):
        step(torch.tensor(3.0))
    assert len(step.programs) == 1 and served(step) == 3, step.explain()


@pytest.mark.parametrize("wrapped", ["", "as IPython does", "as a check does"])
def test_what_is_printed_on_a_screen_with_a_state_is_left_out(monkeypatch, wrapped):
    class Line:
        __slots__ = ("length",)
        __module__ = __name__

    class Screen:
        """As a notebook's: written in Python, and with what nobody can watch."""

        def __init__(self):
            self.lines = []
            self.line = Line()

        def write(self, text):
            self.lines.append(text)
            self.flush()

        def flush(self):
            self.line.length = len(self.lines)

    screen = Screen()
    if wrapped == "as IPython does":
        write = screen.write
        screen.write = lambda text: write(text)
    in_a_check = wrapped == "as a check does"
    monkeypatch.setattr(sys, "stdout", Sparing(screen) if in_a_check else screen)

    @torch.compile(fullgraph=True)
    def step(x):
        print("called")
        return x * 2

    for _ in range(5):
        step(torch.ones(2))
    assert screen.lines.count("called") == 2 and served(step) == 3


@pytest.mark.filterwarnings("ignore:compile")
def test_no_garbage_of_others_is_collected_while_a_call_is_noted():
    collecting = []

    @torch.compile
    def step(x):
        collecting.append(gc.isenabled())
        return x

    for _ in range(3):
        step(torch.ones(2))
    assert collecting == [True, False, True]


def test_a_program_that_raises_gives_way_to_an_ordinary_call():
    table = torch.arange(4.0)
    step = torch.compile(lambda index: table[index])
    for _ in range(3):
        step(torch.tensor([1, 2]))
    with pytest.raises(IndexError, match="out of bounds"):
        step(torch.tensor([1, 9]))


@pytest.mark.filterwarnings("ignore:Anomaly")
def test_what_is_watched_runs_as_ever():
    step = torch.compile(lambda x: (x * 2).sum())
    for _ in range(3):
        step(torch.ones(2))
    with torch.autograd.detect_anomaly():
        step(torch.ones(2))
    assert "somebody watches" in step.explain()


def test_a_module_can_be_compiled_and_one_compiled_function_may_call_another():
    layer = nn.Linear(3, 2)
    with torch.no_grad():
        inner = torch.compile(layer)
        outer = torch.compile(lambda x: inner(x) + inner(x * 2))
        for call in range(5):
            x = torch.ones(1, 3) * call
            assert torch.equal(outer(x), layer(x) + layer(x * 2))
    assert served(outer) == 3


def test_importing_minigrad_does_not_import_the_room():
    program = "import sys, minigrad; print('minigrad.static' in sys.modules, minigrad.compile)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout.startswith("False <function compile"), done.stderr
