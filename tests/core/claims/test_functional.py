"""``autograd.functional``: Jacobians, Hessians, and their products with vectors."""

from __future__ import annotations

import numpy as np
import pytest

import minigrad as torch
from minigrad.autograd import Function, grad
from minigrad.autograd.functional import hessian, hvp, jacobian, jvp, vhp, vjp


def tensor(*numbers, **kwargs):
    return torch.tensor(numbers, dtype=torch.float64, **kwargs)


def close(a, b, tolerance=1e-9):
    return a.shape == b.shape and np.allclose(
        a.detach().numpy(), b.detach().numpy(), rtol=tolerance, atol=tolerance
    )


def curve(x):
    """From three numbers to two by two."""
    return torch.stack([torch.sin(x[0] * x[1]), x[2] ** 3, x.sum(), x[0] / x[2]]).reshape(2, 2)


def bowl(x):
    return torch.tanh(x[0] * x[1]) + x[1] ** 2 * x[2].exp() + x.sum() ** 2


def pair_to_scalar(a, b):
    return (a.exp() * b**2).sum() + a.sum() ** 3


X = tensor(0.4, -1.2, 0.7)
V = tensor(1.0, -2.0, 0.5)
A, B = tensor(0.3, -0.5), tensor([1.5], [2.0])
VA, VB = tensor(1.0, 2.0), tensor([-1.0], [0.5])


def flat(tensors):
    return torch.cat([t.reshape(-1) for t in tensors])


def block_matrix(blocks, inputs):
    rows = [
        torch.cat([block.reshape(a.numel(), b.numel()) for block, b in zip(row, inputs)], dim=1)
        for row, a in zip(blocks, inputs)
    ]
    return torch.cat(rows)


# ------------------------------------------------------------------------------------ first order


def test_the_jacobian_of_a_linear_function_is_its_matrix():
    m = tensor([1.0, 2.0, 3.0], [4.0, 5.0, 6.0])
    assert jacobian(lambda x: m @ x, X).tolist() == m.tolist()


def test_the_jacobian_of_an_elementwise_function_is_diagonal():
    assert close(jacobian(torch.exp, X), X.exp() * torch.eye(3, dtype=torch.float64))


def test_rows_of_the_jacobian_are_gradients_of_single_entries():
    matrix = jacobian(curve, X)
    assert matrix.shape == (2, 2, 3)
    x = X.clone().requires_grad_()
    y = curve(x)
    for i in range(2):
        for j in range(2):
            (row,) = grad(y[i, j], x, retain_graph=True)
            assert matrix[i, j].tolist() == row.tolist()


def test_vjp_is_the_vector_times_the_jacobian():
    v = tensor([1.0, 2.0], [3.0, 4.0])
    value, product = vjp(curve, X, v)
    assert value.tolist() == curve(X).tolist()
    assert close(product, v.reshape(4) @ jacobian(curve, X).reshape(4, 3))


def test_jvp_is_the_jacobian_times_the_vector():
    value, product = jvp(curve, X, V)
    assert value.tolist() == curve(X).tolist()
    assert close(product, jacobian(curve, X) @ V)


def test_jvp_is_the_change_of_the_value_along_the_vector():
    h = 1e-6
    nudged = (curve(X + h * V) - curve(X - h * V)) / (2 * h)
    assert close(jvp(curve, X, V)[1], nudged, 1e-7)


def test_jvp_does_not_need_a_finite_derivative_elsewhere():
    # u starts as zeros; 0 * inf would be nan if their values took part.
    value, product = jvp(torch.sqrt, tensor(0.0, 4.0), tensor(1.0, 1.0))
    assert value.tolist() == [0.0, 2.0] and product.tolist() == [np.inf, 0.25]


def test_results_have_the_form_of_inputs_and_outputs():
    def two(a, b):
        return a * b.sum(), b

    matrix = jacobian(two, (A, B))
    assert [[block.shape for block in row] for row in matrix] == [
        [(2, 2), (2, 2, 1)],
        [(2, 1, 2), (2, 1, 2, 1)],
    ]
    assert matrix[1][0].tolist() == [[[0.0, 0.0]], [[0.0, 0.0]]]
    value, product = jvp(two, (A, B), (VA, VB))
    assert [t.shape for t in value] == [t.shape for t in product] == [(2,), (2, 1)]
    _, product = vjp(two, (A, B), (VA, VB))
    assert [t.shape for t in product] == [(2,), (2, 1)]
    assert isinstance(jacobian(two, (A, B))[0], tuple)
    assert isinstance(jacobian(lambda a: (a, a), A)[0], torch.Tensor)
    assert isinstance(jacobian(lambda a: a, (A,))[0], torch.Tensor)


def test_results_have_the_dtype_of_what_they_belong_to():
    x, y = torch.tensor([1.0]), tensor(2.0)
    first, second = jacobian(lambda a, b: a * b, (x, y))
    assert (first.dtype, second.dtype) == (torch.float32, torch.float64)
    assert jvp(lambda a: a.double(), x, x)[1].dtype is torch.float64


# ----------------------------------------------------------------------------------- second order


def test_the_hessian_of_a_quadratic_form_is_its_matrix_plus_the_transpose():
    m = tensor([1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0])
    assert close(hessian(lambda x: x @ m @ x, X), m + m.T)


def test_the_hessian_is_symmetric_and_what_nudging_the_gradient_gives():
    matrix = hessian(bowl, X)
    assert close(matrix, matrix.T)
    h = 1e-6
    for column, e in enumerate(torch.eye(3, dtype=torch.float64)):
        above, below = (jacobian(bowl, X + step * e) for step in (h, -h))
        assert close(matrix[:, column], (above - below) / (2 * h), 1e-6)


def test_blocks_of_the_hessian_of_several_inputs_form_a_symmetric_matrix():
    blocks = hessian(pair_to_scalar, (A, B))
    assert [[block.shape for block in row] for row in blocks] == [
        [(2, 2), (2, 2, 1)],
        [(2, 1, 2), (2, 1, 2, 1)],
    ]
    matrix = block_matrix(blocks, (A, B))
    assert close(matrix, matrix.T)


@pytest.mark.parametrize("product_of", [hvp, vhp])
def test_products_with_the_hessian_are_those_of_the_matrix(product_of):
    value, product = product_of(bowl, X, V)
    assert value.item() == bowl(X).item()
    assert close(product, hessian(bowl, X) @ V)


@pytest.mark.parametrize("product_of", [hvp, vhp])
def test_products_with_the_hessian_of_several_inputs(product_of):
    _, product = product_of(pair_to_scalar, (A, B), (VA, VB))
    matrix = block_matrix(hessian(pair_to_scalar, (A, B)), (A, B))
    assert close(flat(product), matrix @ flat((VA, VB)))


class Swirl(Function):
    """A scalar of two numbers whose "gradient" (-y, x) is that of nothing: no symmetric Hessian."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.sum()

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * torch.stack([-x[1], x[0]])


def test_hvp_and_vhp_differ_where_the_hessian_is_not_symmetric():
    x, v = tensor(1.0, 2.0), tensor(3.0, 5.0)
    matrix = hessian(Swirl.apply, x)
    assert matrix.tolist() == [[0.0, -1.0], [1.0, 0.0]]
    assert hvp(Swirl.apply, x, v)[1].tolist() == (matrix @ v).tolist()
    assert vhp(Swirl.apply, x, v)[1].tolist() == (v @ matrix).tolist()


# ------------------------------------------------------------------------- graphs and side effects


@pytest.mark.parametrize(
    "result",
    [
        lambda x, v: jacobian(curve, x, create_graph=True),
        lambda x, v: hessian(bowl, x, create_graph=True),
        lambda x, v: vjp(bowl, x, v[0], create_graph=True)[1],
        lambda x, v: jvp(curve, x, v, create_graph=True)[1],
        lambda x, v: vhp(bowl, x, v, create_graph=True)[1],
        lambda x, v: hvp(bowl, x, v, create_graph=True)[1],
        lambda x, v: jvp(curve, x, v, create_graph=True)[0],
    ],
)
def test_with_create_graph_the_result_is_differentiable_in_inputs_and_vector(result):
    x, v = X.clone().requires_grad_(), V.clone().requires_grad_()
    assert torch.autograd.gradcheck(lambda x, v: result(x, v) + 0 * v.sum(), (x, v))


@pytest.mark.parametrize(
    "results",
    [
        lambda x: [jacobian(curve, x), hessian(bowl, x)],
        lambda x: vjp(bowl, x),
        lambda x: jvp(curve, x, V),
        lambda x: vhp(bowl, x, V),
        lambda x: hvp(bowl, x, V),
    ],
)
def test_without_create_graph_no_result_has_a_history(results):
    for result in results(X.clone().requires_grad_()):
        assert not result.requires_grad and result.grad_fn is None


def test_inputs_keep_values_and_flags_and_no_grad_is_touched():
    for wanted in (False, True):
        x = X.clone().requires_grad_(wanted)
        w = tensor(2.0, 3.0, 4.0, requires_grad=True)
        for create_graph in (False, True):
            jacobian(lambda x, w=w: w * x, x, create_graph)
            hessian(lambda x, w=w: (w * x**3).sum(), x, create_graph)
            for product in (vjp, jvp):
                product(lambda x, w=w: w * x, x, V, create_graph)
            for product in (vhp, hvp):
                product(lambda x, w=w: (w * x**3).sum(), x, V, create_graph)
        assert x.tolist() == X.tolist() and x._version == 0
        assert x.requires_grad is wanted and x.is_leaf
        assert x.grad is None and w.grad is None


def test_an_input_that_the_function_captures_is_a_constant():
    x = X.clone().requires_grad_()
    assert close(jacobian(lambda y: x * y, x), x * torch.eye(3, dtype=torch.float64))


def test_inside_no_grad_derivatives_are_taken_and_the_mode_is_restored():
    with torch.no_grad():
        assert close(jvp(curve, X, V)[1], jacobian(curve, X) @ V)
        with pytest.raises(ZeroDivisionError):
            jacobian(lambda x: 1 / 0, X)
        assert not torch.is_grad_enabled()


# ------------------------------------------------------------------------------------- strictness


def test_what_does_not_depend_on_an_input_has_zero_derivatives():
    def constant(x):
        return tensor(1.0)

    assert jacobian(constant, X).tolist() == [[0.0, 0.0, 0.0]]
    assert vjp(constant, X)[1].tolist() == jvp(lambda x: 0 * V, X, V)[1].tolist() == [0.0] * 3
    assert hessian(lambda x: x.sum(), X).tolist() == [[0.0] * 3] * 3
    assert hvp(lambda x: x.sum(), X, V)[1].tolist() == [0.0] * 3
    assert vhp(constant, X, V)[1].tolist() == [0.0] * 3


class Indifferent(Function):
    """Its gradient is a constant that was never computed from the one passed in."""

    @staticmethod
    def forward(ctx, x):
        return x.clone()

    @staticmethod
    def backward(ctx, g):
        return torch.ones(3, dtype=torch.float64)


def first(a, b):
    return (a**2).sum()


STRICT = {
    "vjp, no history": (lambda: vjp(lambda x: V, X, V, strict=True), "Output 0 of the user-prov"),
    "vjp, unused": (
        lambda: vjp(first, (A, B), strict=True),
        "The output .* is independent of input 1",
    ),
    "vjp, constant": (
        lambda: vjp(lambda x: 2 * x, X, V, create_graph=True, strict=True),
        "The jacobian .* independent of input 0. .* when create_graph=True",
    ),
    "jvp, no history": (
        lambda: jvp(lambda x: (x, V), X, V, strict=True),
        "Output 1 .* does not require gradients",
    ),
    "jvp, unused": (
        lambda: jvp(first, (A, B), (VA, VB), strict=True),
        "The output .* independent of input 1",
    ),
    "jvp, indifferent": (
        lambda: jvp(Indifferent.apply, X, V, strict=True),
        "The gradient with respect to input 0 is independent of the inputs",
    ),
    "jacobian, unused": (
        lambda: jacobian(lambda a, b: (a * b.sum(), b), (A, B), strict=True),
        "Output 1 .* is independent of input 0",
    ),
    "jacobian, constant": (
        lambda: jacobian(lambda a, b: 2 * a + b.sum(), (A, B), create_graph=True, strict=True),
        "The jacobian .* independent of input 0. .* when create_graph=True",
    ),
    "hessian, linear": (
        lambda: hessian(lambda a, b: first(a, b) + b.sum(), (A, B), strict=True),
        "While computing the hessian, .* respect to input 1 is independent of the input",
    ),
    "hessian, separable": (
        lambda: hessian(lambda a, b: first(a, b) + first(b, a), (A, B), strict=True),
        "Output 0 .* is independent of input 1",
    ),
    "vhp, unused": (
        lambda: vhp(first, (A, B), (VA, VB), strict=True),
        "The output .* independent of input 1",
    ),
    "vhp, linear": (
        lambda: vhp(lambda x: x.sum(), X, V, strict=True),
        "While computing the hessian, found",
    ),
    "vhp, constant": (
        lambda: vhp(lambda x: (x * x).sum(), X, V, create_graph=True, strict=True),
        "The hessian .* independent of input 0. .* when create_graph=True",
    ),
    "hvp, linear": (
        lambda: hvp(lambda x: x.sum(), X, V, strict=True),
        "While computing the hessian, found",
    ),
    "hvp, constant": (
        lambda: hvp(lambda x: (x * x).sum(), X, V, create_graph=True, strict=True),
        "The hessian .* independent of input 0. .* when create_graph=True",
    ),
}


@pytest.mark.parametrize("case", STRICT)
def test_strict_refuses_derivatives_that_are_zero_by_construction(case):
    call, message = STRICT[case]
    with pytest.raises(RuntimeError, match=message):
        call()


def test_strict_accepts_what_depends_on_everything():
    assert close(jacobian(curve, X, strict=True), jacobian(curve, X))
    assert close(hessian(bowl, X, strict=True), hessian(bowl, X))
    for product in (vhp, hvp):
        assert close(product(bowl, X, V, strict=True)[1], product(bowl, X, V)[1])
    x = X.clone().requires_grad_()
    assert hvp(bowl, x, V, create_graph=True, strict=True)[1].requires_grad


# ----------------------------------------------------------------------------------------- errors


@pytest.mark.parametrize("product", [vjp, jvp, vhp, hvp])
def test_a_vector_of_another_form_is_an_error(product):
    with pytest.raises(RuntimeError, match=r"v has invalid size: should be torch.Size\(\[\]\)"):
        product(lambda x: x**2, torch.tensor(1.0), V)
    with pytest.raises(RuntimeError, match="The given v should contain a single Tensor"):
        product(lambda x: x**2, torch.tensor(1.0), (V, V))
    with pytest.raises(TypeError, match=r"The v given to \w+ must be .* <class 'float'>"):
        product(lambda x: x**2, torch.tensor(1.0), 1.0)


@pytest.mark.parametrize("product", [jvp, vhp, hvp])
def test_a_vector_for_several_inputs_must_fit_each(product):
    with pytest.raises(RuntimeError, match="tuple of invalid length: should be 2 but got 1"):
        product(pair_to_scalar, (A, B), VA)
    with pytest.raises(RuntimeError, match="Entry 1 in v has invalid size"):
        product(pair_to_scalar, (A, B), (VA, VA))


def test_the_vector_may_be_left_out_only_for_a_single_number():
    assert vjp(lambda x: x.sum(), X)[1].tolist() == [1.0, 1.0, 1.0]
    assert jvp(lambda x: x * X, torch.tensor(2.0))[1].tolist() == X.tolist()
    for product in (vhp, hvp):
        assert product(lambda x: x**3, torch.tensor(2.0))[1].item() == 12.0
        with pytest.raises(RuntimeError, match="v can only be None if the input"):
            product(bowl, X)
    with pytest.raises(RuntimeError, match="v can only be None if the user-provided function ret"):
        vjp(curve, X)
    with pytest.raises(RuntimeError, match="v can only be None if the input"):
        jvp(curve, X)


@pytest.mark.parametrize("function", [hessian, vhp, hvp])
def test_second_derivatives_are_those_of_a_scalar(function):
    rest = () if function is hessian else (V,)
    with pytest.raises(RuntimeError, match=r"should contain a single element, .* \[3\]"):
        function(torch.exp, X, *rest)
    with pytest.raises(RuntimeError, match="should return a single Tensor"):
        function(lambda x: (x.sum(),), X, *rest)


@pytest.mark.parametrize("function", [jacobian, hessian, vjp, jvp, vhp, hvp])
def test_what_is_not_a_tensor_is_an_error(function):
    rest = () if function in (jacobian, hessian) else (V,)
    with pytest.raises(TypeError, match=r"The inputs given to \w+ must be .* <class 'list'>"):
        function(bowl, [1.0], *rest)
    with pytest.raises(TypeError, match="value at index 1 has type <class 'float'>"):
        function(bowl, (X, 1.0), *rest)
    with pytest.raises(TypeError, match="The outputs of the user-provided function given to"):
        function(lambda x: [x.sum()], X, *rest)
    with pytest.raises(TypeError, match="unexpected keyword argument 'forwards'"):
        function(bowl, X, *rest, forwards=True)
