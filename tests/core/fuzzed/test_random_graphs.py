"""Random programs against a naive model: forward-mode differentiation, one input at a time.

The model knows nothing of graphs. It carries, beside each value, the derivatives of that value
by every entry of every input, and so shares neither code nor method with the engine.
"""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

import minigrad as torch
from minigrad.autograd import grad

COUNT = 6  # entries of all inputs together: x of shape (2, 2), y of shape (2,)


class Dual:
    """A value, and its derivatives along a first axis of COUNT directions."""

    def __init__(self, value, slopes):
        self.value, self.slopes = value, slopes

    def by(self, value, factor):
        """The result of an element-wise function with this derivative."""
        return Dual(value, self.slopes * factor)


def both(a, b, value, by_a, by_b):
    slopes = align(a.slopes, value.ndim) * by_a + align(b.slopes, value.ndim) * by_b
    return Dual(value, slopes)


def align(slopes, ndim):
    """Slopes of a value with fewer dimensions, so that they broadcast as the value does."""
    shape = slopes.shape
    return slopes.reshape(shape[0], *(1,) * (ndim - len(shape) + 1), *shape[1:])


def moved(a, move):
    """A rearrangement acts on each direction as on the value."""
    return Dual(move(a.value), np.stack([move(slope) for slope in a.slopes]))


# name: (how many operands, minigrad, model). All results have shape (2, 2), (2,) or ().
OPERATIONS = {
    "add": (2, lambda a, b: a + b, lambda a, b: both(a, b, a.value + b.value, 1, 1)),
    "sub": (2, lambda a, b: a - b, lambda a, b: both(a, b, a.value - b.value, 1, -1)),
    "mul": (2, lambda a, b: a * b, lambda a, b: both(a, b, a.value * b.value, b.value, a.value)),
    "div": (
        2,
        lambda a, b: a / (b * b + 1),
        lambda a, b: both(
            a,
            b,
            a.value / (b.value**2 + 1),
            1 / (b.value**2 + 1),
            -2 * a.value * b.value / (b.value**2 + 1) ** 2,
        ),
    ),
    "tanh": (1, torch.tanh, lambda a: a.by(np.tanh(a.value), 1 - np.tanh(a.value) ** 2)),
    "sin": (1, torch.sin, lambda a: a.by(np.sin(a.value), np.cos(a.value))),
    "double": (1, lambda a: a * 2, lambda a: a.by(a.value * 2, 2.0)),
    "sum": (1, lambda a: a.sum(), lambda a: moved(a, np.sum)),
    "mean": (1, lambda a: a.mean(), lambda a: moved(a, np.mean)),
    "flip": (1, lambda a: a.T if a.ndim == 2 else a, lambda a: moved(a, np.transpose)),
    "first": (1, lambda a: read(a, 0), lambda a: moved(a, lambda v: read(v, 0))),
    "last": (1, lambda a: read(a, (..., -1)), lambda a: moved(a, lambda v: read(v, (..., -1)))),
    "twice": (1, lambda a: read(a, [0, 0]), lambda a: moved(a, lambda v: read(v, [0, 0]))),
    "in place": (1, lambda a: a.clone().mul_(3), lambda a: a.by(a.value * 3, 3.0)),
    "written": (1, lambda a: half_written(a), lambda a: moved(a, half_doubled)),
    "detach and back": (1, lambda a: a + (a.detach() * 0), lambda a: a),
}


def read(a, index):
    return a[index] if a.ndim else a


def half_doubled(value):
    value = np.array(value)
    if value.ndim:
        value[0] *= 2
    return value


def half_written(a):
    a = a * 1
    if a.ndim:
        a[0] *= 2
    return a


steps = st.lists(
    st.tuples(st.sampled_from(sorted(OPERATIONS)), st.integers(0, 30), st.integers(0, 30)),
    min_size=1,
    max_size=12,
)
entries = st.lists(st.integers(-20, 20).map(lambda n: n / 10), min_size=COUNT, max_size=COUNT)


def run(program, inputs, which):
    """All values of a program: its steps pick their operands among those made so far."""
    made = list(inputs)
    for name, first, second in program:
        count, *functions = OPERATIONS[name]
        operands = [made[pick % len(made)] for pick in (first, second)[:count]]
        made.append(functions[which](*operands))
    return made


def total(values):
    """A number that every value has a part in, so that there is much fan-out."""
    result = values[0].sum()
    for position, value in enumerate(values[1:], start=2):
        result = result + value.sum() / position
    return result


def inputs_of(numbers):
    x, y = np.array(numbers[:4]).reshape(2, 2), np.array(numbers[4:])
    directions = np.eye(COUNT)
    duals = [Dual(x, directions[:, :4].reshape(COUNT, 2, 2)), Dual(y, directions[:, 4:])]
    return [torch.tensor(v, requires_grad=True) for v in (x, y)], duals


def model_gradient(program, duals):
    made = run(program, duals, 1)
    return sum(
        dual.slopes.reshape(COUNT, -1).sum(1) / position
        for position, dual in enumerate(made, start=1)
    )


@settings(derandomize=True, max_examples=150, deadline=None, database=None)
@given(steps, entries)
def test_gradients_of_random_programs_are_those_of_forward_mode(program, numbers):
    tensors, duals = inputs_of(numbers)
    total(run(program, tensors, 0)).backward()
    found = np.concatenate([t.grad.numpy().reshape(-1) for t in tensors])
    np.testing.assert_allclose(found, model_gradient(program, duals), rtol=1e-9, atol=1e-9)


@settings(derandomize=True, max_examples=50, deadline=None, database=None)
@given(steps, entries)
def test_grad_and_recorded_passes_agree_with_backward(program, numbers):
    tensors, _ = inputs_of(numbers)
    out = total(run(program, tensors, 0))
    plain = grad(out, tensors, retain_graph=True)
    recorded = grad(out, tensors, create_graph=True)
    single = [grad(out, t, retain_graph=True)[0] for t in tensors]
    out.backward()
    for a, b, c, t in zip(plain, recorded, single, tensors):
        for g in (a, b.detach(), c):
            np.testing.assert_allclose(g.numpy(), t.grad.numpy(), rtol=1e-12, atol=1e-12)


@settings(derandomize=True, max_examples=40, deadline=None, database=None)
@given(steps, entries)
def test_second_derivatives_of_random_programs_are_nudged_first_ones(program, numbers):
    tensors, _ = inputs_of(numbers)
    slopes = grad(total(run(program, tensors, 0)), tensors, create_graph=True)
    directed = sum((slope * slope.detach().sin()).sum() for slope in slopes)
    if not directed.requires_grad:
        return  # the program was linear
    second = grad(directed, tensors, allow_unused=True, materialize_grads=True)
    weights = np.concatenate([np.sin(s.detach().numpy()).reshape(-1) for s in slopes])
    step = 1e-6
    for entry in range(COUNT):
        shifted = []
        for sign in (1, -1):
            nudged = list(numbers)
            nudged[entry] += sign * step
            shifted.append(model_gradient(program, inputs_of(nudged)[1]) @ weights)
        numeric = (shifted[0] - shifted[1]) / (2 * step)
        exact = np.concatenate([s.numpy().reshape(-1) for s in second])[entry]
        np.testing.assert_allclose(exact, numeric, rtol=1e-4, atol=1e-4)
