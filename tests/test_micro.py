"""micro.py is what it says: short, alone, and right; and so an oracle for the real engine.

The two engines share no code, so a mistake in one of them shows as a difference.
"""

from __future__ import annotations

import ast
import collections
import math
import random
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import size

import minigrad as torch
from minigrad import datasets, micro
from minigrad.autograd import grad

ROOT = Path(__file__).resolve().parents[1]
FILE = ROOT / "minigrad" / "micro.py"
TREE = ast.parse(FILE.read_text(encoding="utf-8"))

# ------------------------------------------------------------------ short, and alone


def test_it_has_at_most_120_code_lines():
    assert size.size_of(FILE.read_text(encoding="utf-8")).lines <= 120


def imported(tree):
    """The top-level packages that a program imports; "." for one of its own neighbours."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield "." if node.level else node.module.partition(".")[0]


def test_it_imports_numpy_and_the_standard_library_only():
    assert set(imported(TREE)) - sys.stdlib_module_names == {"numpy"}


def test_no_other_file_of_the_core_imports_it():
    """It is there to be read, and to be compared with."""
    naming = [
        f"{file.relative_to(ROOT)}:{node.lineno}"
        for file in sorted((ROOT / "minigrad").rglob("*.py"))
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Import | ast.ImportFrom)
        if "micro" in ast.unparse(node).replace(",", " ").replace(".", " ").split()
    ]
    assert not naming


@pytest.mark.parametrize(
    "program",
    [
        "import sys, minigrad; assert 'minigrad.micro' not in sys.modules",
        # A copy of the file works in any folder.
        "import sys; sys.path.insert(0, 'minigrad'); import micro; x = micro.Tensor(3.0, True);"
        "(x * x).backward(); assert x.grad.data == 6; assert 'minigrad' not in sys.modules",
    ],
    ids=["minigrad without micro", "micro without minigrad"],
)
def test_either_is_imported_without_the_other(program):
    subprocess.run([sys.executable, "-c", program], cwd=ROOT, check=True)


# ------------------------------------------------------------------ what it promises


def test_a_value_used_on_two_paths_gets_the_sum_of_both():
    a = micro.Tensor([2.0], requires_grad=True)
    b = micro.Tensor([6.0], requires_grad=True)
    c = a + b
    d = b + 1
    e = c * d
    e.backward()
    assert (a.grad.data, b.grad.data) == (7, 15)


def test_a_second_backward_adds_to_grad():
    x = micro.Tensor([1.0, 2.0], requires_grad=True)
    for _ in range(2):
        micro.sum(x * x).backward()
    assert x.grad.data.tolist() == [4, 8]


def test_grad_touches_no_grad():
    x = micro.Tensor(3.0, requires_grad=True)
    micro.grad(x * x, [x])
    assert x.grad is None


def test_only_leaves_get_a_grad():
    x = micro.Tensor(3.0, requires_grad=True)
    y = x * x
    constant = micro.Tensor(2.0)
    (y * constant).backward()
    assert y.grad is None
    assert constant.grad is None


def test_grad_of_a_result_on_the_way_is_that_of_the_rest():
    x = micro.Tensor(3.0, requires_grad=True)
    y = x * x
    [slope] = micro.grad(y * y, [y])
    assert slope.data == 18


def test_an_input_that_does_not_matter_has_gradient_zero():
    x = micro.Tensor([1.0, 2.0], requires_grad=True)
    y = micro.Tensor(3.0, requires_grad=True)
    [slope] = micro.grad(y * 2, [x])
    assert slope.data.tolist() == [0, 0]


def test_no_grad_records_nothing_and_ends_with_its_block():
    x = micro.Tensor(3.0, requires_grad=True)
    with micro.no_grad(), micro.no_grad():
        assert not (x * x).requires_grad
    assert (x * x).requires_grad


def test_no_grad_ends_with_an_error_too():
    with pytest.raises(ZeroDivisionError), micro.no_grad():
        1 / 0
    assert micro.recording


def test_backward_itself_is_not_recorded_but_grad_is():
    x = micro.Tensor(3.0, requires_grad=True)
    (x * x).backward()
    assert not x.grad.requires_grad
    [slope] = micro.grad(x * x, [x])
    assert slope.requires_grad


def test_backward_of_several_numbers_is_refused():
    x = micro.Tensor([1.0, 2.0], requires_grad=True)
    with pytest.raises(AssertionError, match="take a sum first"):
        (x * x).backward()


def test_derivatives_of_any_order_come_from_the_same_rules():
    x = micro.Tensor(0.3, requires_grad=True)
    found = x**5
    for order in range(1, 6):
        [found] = micro.grad(found, [x])
        exact = math.perm(5, order) * 0.3 ** (5 - order)
        np.testing.assert_allclose(found.data, exact, rtol=1e-12)


def test_a_product_saves_each_factor_only_for_the_other():
    x = micro.Tensor(3.0, requires_grad=True)
    product = x * 2
    [(operand, _, saved)] = product.grad_fn
    assert operand is x
    assert [value.data for value in saved.values()] == [2]


def test_a_sum_saves_nothing():
    x = micro.Tensor(3.0, requires_grad=True)
    assert [saved for _, _, saved in (x + x).grad_fn] == [{}, {}]


def test_every_operand_has_a_smaller_number_than_the_result():
    x = micro.Tensor([[0.1, 0.2], [0.3, 0.4]], requires_grad=True)
    [slope] = micro.grad(micro.sum(micro.tanh(x @ x)), [x])
    for tensor in micro.reachable(slope):
        assert all(operand.seq < tensor.seq for operand, _, _ in tensor.grad_fn)


# ------------------------------------------------------------------ each operation


def draws(*shapes, low=-1.0):
    rng = np.random.default_rng(0)
    return [rng.uniform(low, 1.0, shape) for shape in shapes]


SAMPLES = {
    "add": (micro.add, draws((2, 3), (3,))),
    "sub": (micro.sub, draws((2, 1), (2, 3))),
    "mul": (micro.mul, draws((2, 3), (2, 1))),
    "div": (micro.div, draws((3,), (2, 3), low=0.5)),
    "neg": (micro.neg, draws((2, 3))),
    "exp": (micro.exp, draws((2, 3))),
    "log": (micro.log, draws((2, 3), low=0.5)),
    "tanh": (micro.tanh, draws((2, 3))),
    "relu": (micro.relu, draws((2, 3))),
    "pow": (lambda x: micro.pow(x, n=3), draws((2, 3))),
    "matmul": (micro.matmul, draws((2, 3), (3, 4))),
    "matmul of batches": (micro.matmul, draws((2, 2, 3), (3, 2))),
    "expand": (lambda x: micro.expand(x, shape=(2, 2, 3)), draws((2, 1))),
    "unbroadcast": (lambda x: micro.unbroadcast(x, shape=(2, 1)), draws((3, 2, 3))),
    "transpose": (micro.transpose, draws((2, 2, 3))),
    "reshape": (lambda x: micro.reshape(x, shape=(3, 2)), draws((2, 3))),
    "sum": (micro.sum, draws((2, 3))),
    "sum of an axis": (lambda x: micro.sum(x, axis=1), draws((2, 3))),
    "index": (lambda x: x[1:, 0], draws((3, 2))),
    "index that repeats": (lambda x: x[[0, 0, 2]], draws((3, 2))),
    "put": (lambda x: micro.put(x, where=[0, 0, 2], shape=(4,)), draws((3,))),
    "mean": (micro.mean, draws((2, 3))),
    "logsumexp": (lambda x: micro.logsumexp(x, axis=1), draws((2, 3))),
    "1 - x": (lambda x: 1 - x, draws((2,))),
    "1 / x": (lambda x: 1 / x, draws((2,), low=0.5)),
}


def test_every_operation_has_a_sample():
    made = micro.operation(np.add).__qualname__
    declared = {name for name, value in vars(micro).items() if of_kind(value, made)}
    assert len(declared) == 18
    assert declared <= set(SAMPLES)


def of_kind(value, qualname):
    return getattr(value, "__qualname__", "") == qualname


def leaves(arrays):
    return [micro.Tensor(array, requires_grad=True) for array in arrays]


def weighted(tensor):
    """A number in which each entry counts, and differently. Not linear: it has curvature."""
    weights = np.cos(np.arange(tensor.data.size)).reshape(tensor.shape)
    return micro.sum(tensor * tensor * weights + tensor * (weights + 2))


def first(function, arrays):
    inputs = leaves(arrays)
    return micro.grad(weighted(function(*inputs)), inputs)


def second(function, arrays):
    """The gradient of a number made of the first derivatives."""
    inputs = leaves(arrays)
    slopes = micro.grad(weighted(function(*inputs)), inputs)
    return micro.grad(total([weighted(slope) for slope in slopes]), inputs)


def total(numbers):
    result = numbers[0]
    for number in numbers[1:]:
        result = result + number
    return result


def numeric(function, arrays):
    """The gradients of a number by central differences: a nudge up, a nudge down."""
    step = 1e-6
    found = []
    for position, array in enumerate(arrays):
        slopes = np.zeros(array.shape)
        for place in np.ndindex(array.shape):
            values = []
            for sign in (1, -1):
                nudged = [each.copy() for each in arrays]
                nudged[position][place] += sign * step
                values.append(function(nudged))
            slopes[place] = (values[0] - values[1]) / (2 * step)
        found.append(slopes)
    return found


def same(found, expected):
    for ours, theirs in zip(found, expected, strict=True):
        np.testing.assert_allclose(ours.data, theirs, rtol=1e-6, atol=1e-7)


@pytest.mark.parametrize("name", SAMPLES)
def test_the_first_derivative_is_the_limit_of_differences(name):
    function, arrays = SAMPLES[name]

    def value(arrays):
        return weighted(function(*map(micro.Tensor, arrays))).data.item()

    same(first(function, arrays), numeric(value, arrays))


@pytest.mark.parametrize("name", SAMPLES)
def test_the_second_derivative_is_the_limit_of_differences(name):
    function, arrays = SAMPLES[name]

    def slope(arrays):
        return total([weighted(g) for g in first(function, arrays)]).data.item()

    same(second(function, arrays), numeric(slope, arrays))


@pytest.mark.parametrize("name", SAMPLES)
def test_no_operation_writes_into_its_operands(name):
    function, arrays = SAMPLES[name]
    before = [array.copy() for array in arrays]
    second(function, arrays)
    for array, copy in zip(arrays, before):
        np.testing.assert_array_equal(array, copy)


@pytest.mark.parametrize("n", [0, 1, 2])
def test_a_power_has_all_its_derivatives_at_zero(n):
    """They end in a constant, and then in 0, not in 0 * x**-1."""
    x = micro.Tensor(0.0, requires_grad=True)
    found = x**n
    for order in range(1, 4):
        [found] = micro.grad(found, [x])
        assert found.data == (math.factorial(n) if order == n else 0)


def test_logsumexp_does_not_overflow():
    x = micro.Tensor([[1000.0, 1000.0]], requires_grad=True)
    out = micro.logsumexp(x, axis=1)
    out.backward()
    np.testing.assert_allclose(out.data, [[1000 + math.log(2)]])
    np.testing.assert_allclose(x.grad.data, [[0.5, 0.5]])


# ------------------------------------------------------------------ a network that learns


def scores(weights, images):
    inner, inner_bias, outer, outer_bias = weights
    return micro.relu(images @ inner + inner_bias) @ outer + outer_bias


def cross_entropy(found, labels):
    chosen = found[np.arange(len(labels)), labels]
    return micro.mean(micro.logsumexp(found, axis=1)) - micro.mean(chosen)


def trained(images, labels, epochs=30, hidden=128, lr=3e-3):
    """A two-layer network, trained by Adam: the net of ``tests/programs/digits_mlp.py``."""
    rng = np.random.default_rng(0)

    def drawn(fan_in, *shape):
        return micro.Tensor(rng.uniform(-1, 1, shape) / math.sqrt(fan_in), requires_grad=True)

    weights = [drawn(64, 64, hidden), drawn(64, hidden), drawn(hidden, hidden, 10)]
    weights.append(drawn(hidden, 10))
    means = [np.zeros(w.shape) for w in weights]
    squares = [np.zeros(w.shape) for w in weights]
    step = 0
    for _ in range(epochs):
        order = rng.permutation(len(images))
        for start in range(0, len(order), 32):
            batch = order[start : start + 32]
            cross_entropy(scores(weights, micro.Tensor(images[batch])), labels[batch]).backward()
            step += 1
            for w, mean, square in zip(weights, means, squares):
                g = w.grad.data
                mean += 0.1 * (g - mean)
                square += 0.001 * (g * g - square)
                size = np.sqrt(square / (1 - 0.999**step)) + 1e-8
                w.data -= lr / (1 - 0.9**step) * mean / size
                w.grad = None
    return weights


def test_two_layers_learn_handwritten_digits():
    data = datasets.digits()
    images, labels = data.x.numpy().reshape(-1, 64), data.y.numpy()
    new_images, new_labels = data.x_test.numpy().reshape(-1, 64), data.y_test.numpy()
    weights = trained(images, labels)
    with micro.no_grad():
        found = scores(weights, micro.Tensor(new_images)).data.argmax(1)
    assert (found == new_labels).mean() >= 0.97


# ------------------------------------------------------------------ the oracle
#
# A program is a list of steps, each the name of an operation, the positions of its operands among
# the values made so far, and what else it is told: an axis, an index, a shape. It is run by both
# engines. Everything that it makes counts in the result, so values are used again and again.

PROGRAMS = 1000
SHAPES = [(), (3,), (2, 3), (3, 3), (3, 2), (2, 1), (1, 3), (2, 2, 3)]


def axis_of(rng, shape):
    return rng.choice([None, *range(len(shape))])


def exponent_of(rng, shape):
    return rng.choice([2, 3, 1])


def index_of(rng, shape):
    """One number, a slice, a list (which may name a place twice), or a pair of these."""
    first = shape[0]
    choices = [0, -1, slice(1, None), slice(None, None, 2), [rng.randrange(first)] * 2 + [0]]
    if len(shape) > 1:
        second = rng.randrange(shape[1])
        choices += [(slice(None), second), (Ellipsis, [0, -1]), ([0, -1, 0], [second, 0, second])]
    return rng.choice(choices)


def reshaped(rng, shape):
    count = math.prod(shape)
    return rng.choice([(count,), (1, count), (count, 1), shape[::-1]])


def larger(rng, shape):
    """A shape that this one broadcasts to."""
    stretched = tuple(2 if size == 1 else size for size in shape)
    return rng.choice([shape, stretched, (2, *stretched)])


def nothing(rng, *shapes):
    return None


def two_matrices(rng, *shapes):
    """Nothing; but micro multiplies no vectors."""
    if min(map(len, shapes)) < 2:
        raise ValueError("not two matrices")


# name: how many operands, what else it is told, micro's, minigrad's. Operands are kept inside the
# domain (of log, of a quotient) by operations of their own.
OPERATIONS = {
    "add": (2, nothing, lambda a, b, _: a + b, lambda a, b, _: a + b),
    "sub": (2, nothing, lambda a, b, _: a - b, lambda a, b, _: a - b),
    "mul": (2, nothing, lambda a, b, _: a * b, lambda a, b, _: a * b),
    "div": (2, nothing, lambda a, b, _: a / (b * b + 1), lambda a, b, _: a / (b * b + 1)),
    "matmul": (2, two_matrices, lambda a, b, _: a @ b, lambda a, b, _: a @ b),
    "number first": (1, nothing, lambda a, _: 2 - 3 * a, lambda a, _: 2 - 3 * a),
    "reciprocal": (1, nothing, lambda a, _: 1 / (a * a + 1), lambda a, _: 1 / (a * a + 1)),
    "neg": (1, nothing, lambda a, _: -a, lambda a, _: -a),
    "pow": (1, exponent_of, lambda a, n: a**n, lambda a, n: a**n),
    "exp": (1, nothing, lambda a, _: micro.exp(-a * a), lambda a, _: torch.exp(-a * a)),
    "log": (1, nothing, lambda a, _: micro.log(a * a + 1), lambda a, _: torch.log(a * a + 1)),
    "tanh": (1, nothing, lambda a, _: micro.tanh(a), lambda a, _: torch.tanh(a)),
    "relu": (1, nothing, lambda a, _: micro.relu(a), lambda a, _: torch.relu(a)),
    "sum": (
        1,
        axis_of,
        lambda a, axis: micro.sum(a, axis=axis),
        lambda a, axis: a.sum(every(a, axis), keepdim=True),
    ),
    "mean": (
        1,
        nothing,
        lambda a, _: micro.reshape(micro.mean(a), shape=()),
        lambda a, _: a.mean(),
    ),
    "logsumexp": (
        1,
        axis_of,
        lambda a, axis: micro.logsumexp(a, axis=axis),
        lambda a, axis: a.logsumexp(every(a, axis), keepdim=True),
    ),
    "transpose": (1, nothing, lambda a, _: a.mT, lambda a, _: a.mT),
    "reshape": (
        1,
        reshaped,
        lambda a, shape: micro.reshape(a, shape=shape),
        lambda a, shape: a.reshape(shape),
    ),
    "expand": (
        1,
        larger,
        lambda a, shape: micro.expand(a, shape=shape),
        lambda a, shape: a.expand(shape),
    ),
    "index": (1, index_of, lambda a, where: a[where], lambda a, where: a[where]),
}
MICRO, REAL = 2, 3


def every(tensor, axis):
    return tuple(range(tensor.ndim)) if axis is None else axis


def step_of(step, made, engine):
    name, picks, told = step
    return OPERATIONS[name][engine](*[made[pick] for pick in picks], told)


def written(seed):
    """A random program whose steps all run, and do not leave the range of usual numbers."""
    rng = random.Random(seed)
    inputs = [
        np.array([rng.uniform(-1.5, 1.5) for _ in range(math.prod(shape))]).reshape(shape)
        for shape in rng.choices(SHAPES, k=rng.randint(1, 3))
    ]
    made = [micro.Tensor(array) for array in inputs]
    program = []
    wanted = rng.randint(3, 9)
    while len(program) < wanted:
        name = rng.choice([*OPERATIONS, *["matmul"] * 3])  # whose shapes seldom fit
        count, told_by, *_ = OPERATIONS[name]
        picks = [rng.choice([*range(len(made)), len(made) - 1]) for _ in range(count)]
        try:
            step = name, picks, told_by(rng, *[made[pick].shape for pick in picks])
            out = step_of(step, made, MICRO)
        except (ValueError, IndexError):  # shapes that do not fit
            continue
        if 0 < out.data.size <= 60 and np.abs(out.data).max() < 100:
            program.append(step)
            made.append(out)
    return inputs, program


def run(program, inputs, engine):
    """All values that the program makes, the inputs first."""
    made = list(inputs)
    for step in program:
        made.append(step_of(step, made, engine))
    return made


def weights_like(value, phase):
    shape = tuple(value.shape)
    return np.cos(np.arange(math.prod(shape)) + phase).reshape(shape)


def in_micro(inputs, program):
    """The result of a program, its gradients, and their derivative in some direction."""
    tensors = leaves(inputs)
    out = total(
        [micro.sum(v * weights_like(v, n)) for n, v in enumerate(run(program, tensors, MICRO))]
    )
    slopes = micro.grad(out, tensors)
    directed = total([micro.sum(slope * weights_like(slope, 1)) for slope in slopes])
    found = [*slopes, *micro.grad(directed, tensors)]
    return [out.data.item(), *[g.data for g in found]]


def in_minigrad(inputs, program):
    """The same."""

    def counted(value, phase):
        return (value * torch.tensor(weights_like(value, phase))).sum()

    tensors = [torch.tensor(array, requires_grad=True) for array in inputs]
    out = total([counted(v, n) for n, v in enumerate(run(program, tensors, REAL))])
    slopes = grad(out, tensors, create_graph=True)
    directed = total([counted(slope, 1) for slope in slopes])
    if directed.requires_grad:
        curved = grad(directed, tensors, allow_unused=True, materialize_grads=True)
    else:  # a linear program
        curved = [torch.zeros_like(tensor) for tensor in tensors]
    return [out.item(), *[g.detach().numpy() for g in (*slopes, *curved)]]


@pytest.mark.parametrize("tenth", range(10))
def test_both_engines_find_the_same_gradients_of_random_programs(tenth):
    for seed in range(tenth, PROGRAMS, 10):
        inputs, program = written(seed)
        expected = in_micro(inputs, program)
        found = in_minigrad(inputs, program)
        for ours, theirs in zip(found, expected, strict=True):
            np.testing.assert_allclose(
                ours, theirs, rtol=1e-9, atol=1e-9, err_msg=f"program {seed}: {program}"
            )


def test_the_random_programs_use_every_operation_often_and_few_are_linear():
    programs = [written(seed) for seed in range(PROGRAMS)]
    used = collections.Counter(name for _, program in programs for name in {s[0] for s in program})
    assert used.keys() == OPERATIONS.keys()
    assert min(used.values()) >= 100
    curved = 0
    for inputs, program in programs:
        second_order = in_micro(inputs, program)[1 + len(inputs) :]
        curved += any(np.abs(g).max() > 1e-6 for g in second_order)
    assert curved >= 800
