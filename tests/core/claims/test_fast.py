"""What exists only for speed does what its plain twin does: values, derivatives, dtypes."""

from __future__ import annotations

import numpy as np
import pytest

import minigrad as torch
from minigrad.autograd import grad
from minigrad.fast import pooling
from minigrad.fast.cross_entropy import cross_entropy_at_once
from minigrad.fast.layer_norm import layer_norm_at_once, plain_layer_norm
from minigrad.fast.linear import linear_at_once, plain_linear
from minigrad.fast.lstm import all_at_once, step_by_step
from minigrad.nn import convolution
from minigrad.nn.losses import classification

F = torch.nn.functional
DTYPES = [torch.float32, torch.float64]


def numbers(*shape, seed=0, dtype=torch.float64):
    random = np.random.default_rng(seed).standard_normal(shape)
    return torch.tensor(random, dtype=dtype, requires_grad=True)


def derivatives(function, tensors):
    """The value, the gradients, and the gradients of a sum of their squares."""
    out = function(*tensors)
    weights = torch.tensor(np.linspace(0.5, 1.5, out.numel()).reshape(out.shape), dtype=out.dtype)
    first = grad(out, tensors, weights, create_graph=True, materialize_grads=True)
    squares = sum((g * g).sum() for g in first)
    second = grad(squares, tensors, materialize_grads=True, allow_unused=True)
    return [out, *first, *second]


def assert_twins(fast, plain, shapes, dtype=torch.float64):
    tensors = [numbers(*shape, seed=seed, dtype=dtype) for seed, shape in enumerate(shapes)]
    exact = dtype is torch.float64
    for one, other in zip(derivatives(fast, tensors), derivatives(plain, tensors), strict=True):
        assert one.dtype == other.dtype == dtype
        tolerance = {"rtol": 1e-9, "atol": 1e-10} if exact else {"rtol": 1e-3, "atol": 1e-3}
        np.testing.assert_allclose(one.detach(), other.detach(), **tolerance)


# --------------------------------------------------------------------------------- convolution

CONVOLUTIONS = {
    "of sequences": ((2, 3, 7), (4, 3, 3), {}),
    "of one place": ((2, 2, 3, 2), (3, 2, 3, 2), {}),
    "of no image": ((0, 2, 4, 4), (3, 2, 2, 2), {}),
    "1 x 1": ((2, 3, 3, 4), (2, 3, 1, 1), {}),
    "of many places": ((2, 1, 9, 9), (2, 1, 2, 2), {}),
    "of very many places": ((1, 1, 16, 16), (1, 1, 2, 2), {}),
    "padded": ((2, 2, 4, 3), (3, 2, 3, 2), {"padding": (2, 1)}),
    "padded on one side": ((1, 2, 3, 3), (2, 2, 2, 2), {"padding": "same"}),
    "with strides that leave a rest": ((2, 2, 6, 7), (3, 2, 3, 2), {"stride": (2, 3)}),
    "dilated": ((1, 2, 6, 5), (2, 2, 2, 3), {"dilation": (3, 2)}),
    "in groups": ((2, 4, 4, 3), (6, 2, 2, 2), {"groups": 2}),
    "of each channel by itself": ((2, 3, 4, 4), (6, 1, 2, 2), {"groups": 3}),
    "with all of these": (
        (2, 4, 9, 8),
        (6, 2, 3, 2),
        {"stride": (2, 1), "padding": (1, 2), "dilation": (2, 3), "groups": 2},
    ),
}


def convolve_as(plain, monkeypatch, transposed):
    """A function of tensors that convolves: by matrices, or as the plain twin does."""

    def run(input, weight, bias, **options):
        kind = "conv_transpose" if transposed else "conv"
        with monkeypatch.context() as patch:
            if plain:
                patch.setattr(convolution, "_convolution", convolution.plain_convolution)
                patch.setattr(convolution, "_transposed", convolution.plain_transposed)
            return getattr(F, f"{kind}{input.ndim - 2}d")(input, weight, bias, **options)

    return run


@pytest.mark.filterwarnings("ignore:Using padding='same' with even kernel")
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(("x", "w", "options"), CONVOLUTIONS.values(), ids=CONVOLUTIONS)
def test_a_convolution_is_a_sum_over_the_entries_of_the_kernel(monkeypatch, x, w, options, dtype):
    def twin(plain):
        run = convolve_as(plain, monkeypatch, transposed=False)
        return lambda input, weight, bias: run(input, weight, bias, **options)

    assert_twins(twin(False), twin(True), [x, w, w[:1]], dtype)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(("x", "w", "options"), CONVOLUTIONS.values(), ids=CONVOLUTIONS)
def test_a_transposed_convolution_adds_multiples_of_the_kernel(monkeypatch, x, w, options, dtype):
    if options.get("padding") == "same":
        options = {"padding": 1}
    channels = w[1] * options.get("groups", 1)
    # What a convolution makes of ``x``, a transposed one takes.
    given = F.conv2d if len(x) == 4 else F.conv1d
    shape = given(torch.zeros(x), torch.zeros(w), **options).shape

    def twin(plain):
        run = convolve_as(plain, monkeypatch, transposed=True)
        return lambda input, weight, bias: run(input, weight, bias, **options)

    assert_twins(twin(False), twin(True), [shape, w, (channels,)], dtype)


# ------------------------------------------------------------------------------------- pooling

POOLS = {
    "2": ((2, 3, 4, 6), (2,), {}),
    "overlapping": ((1, 2, 5, 4), ((3, 2),), {"stride": 1}),
    "padded": ((2, 1, 5, 5), (3,), {"padding": 1, "stride": 2}),
    "dilated": ((1, 1, 6, 7), (2,), {"dilation": (2, 3), "stride": 1}),
    "over the edge": ((1, 2, 5, 3), (2,), {"ceil_mode": True}),
    "of no image": ((0, 2, 4, 4), (2,), {}),
    "of one entry": ((2, 2, 2, 2), (1,), {}),
}


@pytest.mark.parametrize("numbers_like", ["distinct", "ties", "NaN", "infinite"])
@pytest.mark.parametrize(("shape", "size", "options"), POOLS.values(), ids=POOLS)
def test_the_highest_is_found_where_one_look_after_the_other_finds_it(
    monkeypatch, shape, size, options, numbers_like
):
    x = np.random.default_rng(0).standard_normal(shape)
    if numbers_like == "ties":
        x = np.round(x)
    elif numbers_like == "NaN":
        x[x > 0.5] = np.nan
    elif numbers_like == "infinite":
        x[...] = -np.inf
    fast = F.max_pool2d(torch.tensor(x), *size, return_indices=True, **options)
    monkeypatch.setattr("minigrad.nn.pooling.highest", pooling.plain_highest)
    plain = F.max_pool2d(torch.tensor(x), *size, return_indices=True, **options)
    for one, other in zip(fast, plain, strict=True):
        np.testing.assert_array_equal(one, other)


# ------------------------------------------------------------------------------- cross entropy


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("reduction", ["mean", "sum", "none"])
@pytest.mark.parametrize(("examples", "classes"), [(5, 4), (1, 3), (3, 1), (2, 40)])
def test_cross_entropy_is_nll_loss_of_log_softmax(examples, classes, reduction, dtype):
    labels = torch.arange(examples) % classes
    assert_twins(
        lambda x: F.cross_entropy(x, labels, reduction=reduction),
        lambda x: F.nll_loss(F.log_softmax(x, 1), labels, reduction=reduction),
        [(examples, classes)],
        dtype,
    )


def test_cross_entropy_of_usual_labels_is_one_operation(monkeypatch):
    calls = []

    def counted(*arguments):
        calls.append(arguments)
        return cross_entropy_at_once(*arguments)

    monkeypatch.setattr(classification, "cross_entropy_at_once", counted)
    F.cross_entropy(numbers(2, 3), torch.tensor([0, 2]))
    assert len(calls) == 1
    F.cross_entropy(numbers(2, 3), torch.tensor([0, 2]), ignore_index=2)
    assert len(calls) == 1


def test_cross_entropy_of_large_scores_is_finite():
    x = torch.tensor([[1000.0, 0.0], [-1000.0, 0.0]], requires_grad=True)
    loss = F.cross_entropy(x, torch.tensor([1, 1]), reduction="none")
    loss.sum().backward()
    assert loss.tolist() == [1000.0, 0.0]
    assert x.grad.tolist() == [[1.0, -1.0], [0.0, 0.0]]


# ------------------------------------------------------------------- sums and normalisations


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(("rows", "features", "out"), [(4, 3, 2), (1, 1, 1), (0, 3, 2), (2, 3, 0)])
def test_the_sums_of_a_layer_are_a_product_and_a_bias(rows, features, out, dtype):
    shapes = [(rows, features), (out, features), (out,)]
    assert_twins(linear_at_once, plain_linear, shapes, dtype)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(
    ("shape", "dims"),
    [((2, 3, 4), (2,)), ((2, 3, 4), (1, 2)), ((1, 2), (1,)), ((0, 3), (1,)), ((3, 2, 4), (0, 2))],
)
def test_a_normalisation_is_its_steps(shape, dims, dtype):
    affine = tuple(shape[d] if d in dims else 1 for d in range(len(shape)))

    def of(function):
        return lambda x, weight, bias: function(x, weight, bias, dims, 1e-5)

    assert_twins(of(layer_norm_at_once), of(plain_layer_norm), [shape, affine, affine], dtype)
    assert_twins(
        lambda x: layer_norm_at_once(x, None, None, dims, 1e-5),
        lambda x: plain_layer_norm(x, None, None, dims, 1e-5),
        [shape],
        dtype,
    )


# ---------------------------------------------------------------------------------------- LSTM


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(("steps", "batch", "size"), [(1, 1, 1), (4, 3, 2), (2, 0, 2), (7, 1, 5)])
def test_an_lstm_walks_step_by_step(steps, batch, size, dtype):
    weights = [(4 * size, 3), (4 * size, size), (4 * size,)]
    shapes = [(steps, batch, 3), *weights, (batch, size), (batch, size)]
    assert_twins(all_at_once, step_by_step, shapes, dtype)
