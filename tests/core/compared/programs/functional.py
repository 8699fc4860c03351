"""Programs about ``autograd.functional``: values, forms of results, strictness, errors."""

# ruff: noqa: E501 -- a program in a table is one line, however long

from __future__ import annotations

EXPRESSIONS = """
torch.autograd.functional.jacobian(lambda x: x.sum() * x, t([1.0, 2.0]))
torch.autograd.functional.jacobian(lambda x: x**2, t(3.0))
torch.autograd.functional.jacobian(lambda x: x.T @ x, t([[1.0, 2.0]]))
torch.autograd.functional.jacobian(lambda x: x > 0, t([1.0, 2.0]))
torch.autograd.functional.jacobian(lambda x: x[:0], t([1.0, 2.0]))
torch.autograd.functional.jacobian(lambda x: x.sum(), torch.zeros(0))
torch.autograd.functional.jacobian(lambda x: (x, x.exp()), t([0.0, 1.0]))
torch.autograd.functional.jacobian(lambda x, y: x * y.sum(), (t([1.0, 2.0]), t([3.0])))
torch.autograd.functional.jacobian(lambda x, y: (x * y, x), (t([1.0, 2.0]), t([3.0])))
torch.autograd.functional.jacobian(lambda x, y: (x * y, x), (t([1.0]), t([3.0])), strict=True)
torch.autograd.functional.jacobian(lambda x: (x,), (t([1.0]),))
torch.autograd.functional.jacobian(lambda x: x**2, t([3.0], requires_grad=True))
torch.autograd.functional.jacobian(lambda x: x**2, t([3.0], requires_grad=True), create_graph=True)
torch.autograd.functional.jacobian(lambda x: x**2, t([3.0]), create_graph=True)
torch.autograd.functional.jacobian(lambda x: x * 2, t([3.0]), create_graph=True, strict=True)
torch.autograd.functional.jacobian(lambda x: t([1.0]), t([3.0]), strict=True)
torch.autograd.functional.jacobian(lambda x: x.double(), t([3.0]))
torch.autograd.functional.jacobian(lambda x: x.mul_(2), t([3.0]))
torch.autograd.functional.jacobian(lambda x: x, t([3]))
torch.autograd.functional.jacobian(lambda x: x, [t([3.0])])
torch.autograd.functional.jacobian(lambda x: 1.0, t([3.0]))
torch.autograd.functional.jacobian(lambda x: x, t([3.0]), nonsense=True)
torch.autograd.functional.jacobian(lambda x: x**2, t([1.0, 2.0]), vectorize=True)
torch.autograd.functional.jacobian(lambda x: x**2, t([1.0, 2.0]), strategy="forward-mode")
torch.autograd.functional.jacobian(lambda x: x**2, t([1.0, 2.0]), strategy="sideways")
torch.autograd.functional.jacobian(lambda x: x**2, t([1.0, 2.0]), vectorize=True, strict=True)
torch.autograd.functional.jacobian(lambda x, y: x * y, (t([1.0, 2.0]), t(3.0)), vectorize=True)
torch.autograd.functional.jacobian(lambda x, y: (x * y, x.sum(), y * 1), (t([1.0, 2.0]), t(3.0)))
torch.autograd.functional.jacobian(lambda x, y: x * 2, (t([1.0]), t([[3.0, 4.0]])))
torch.autograd.functional.jacobian(lambda x, y: x * 2, (t([1.0]), t([3.0])), strict=True)
torch.autograd.functional.jacobian(lambda x: (x * 2, t([5.0])), t([1.0]))
torch.autograd.functional.jacobian(lambda x: x @ x.T, t([[1.0, 2.0], [3.0, 4.0]]))
torch.autograd.functional.jacobian(lambda x: x[None], leaf([1.0, 2.0]), create_graph=True).requires_grad
torch.autograd.functional.jacobian(lambda x: x**3, leaf([1.0, 2.0]), create_graph=True)
torch.autograd.functional.jacobian(lambda x: x**3, leaf([1.0, 2.0]), create_graph=True, strict=True)
torch.autograd.functional.jacobian(torch.tanh, t([0.5], dtype=torch.float64))
torch.autograd.functional.jacobian(lambda x, y: x * y, (t([0.5]), t([2.0], dtype=torch.float64)))
torch.autograd.functional.jacobian(None, t(1.0))
torch.autograd.functional.hessian(lambda x: (x**3).sum(), t([1.0, 2.0]), vectorize=True)
torch.autograd.functional.hessian(lambda x: (x**3).sum(), t([1.0, 2.0]), outer_jacobian_strategy="sideways")
torch.autograd.functional.hessian(lambda x: (x**3).sum(), t([1.0, 2.0]), vectorize=True, strict=True)
torch.autograd.functional.hessian(lambda x, y: (x * y).sum() ** 2, (t([1.0, 2.0]), t([[3.0], [4.0]])))
torch.autograd.functional.hessian(lambda x, y: (x * y).sum(), (t([1.0]), t([2.0])), create_graph=True)
torch.autograd.functional.hessian(lambda x: (x**4).sum(), leaf([1.0, 2.0]), create_graph=True)
torch.autograd.functional.hessian(lambda x: x.sum() ** 2, t([[1.0, 2.0]], dtype=torch.float64))
torch.autograd.functional.hessian(lambda x: x.exp(), t(0.0))
torch.autograd.functional.hessian(lambda x: (x > 0).sum(), t([1.0]))
torch.autograd.functional.vjp(lambda x, y: (x + y, x * y), (t([1.0]), t([2.0])), (t([1.0]), t([10.0])))
torch.autograd.functional.vjp(lambda x, y: (x + y, x * y), (t([1.0]), t([2.0])), t([1.0]))
torch.autograd.functional.vjp(lambda x: x * 2, leaf([1.0]), leaf([3.0]), create_graph=True)
torch.autograd.functional.vjp(lambda x: x * 2, leaf([1.0]), leaf([3.0]), create_graph=False)
torch.autograd.functional.vjp(lambda x: x * 2, t([1.0]), t([1.0], dtype=torch.float64))
torch.autograd.functional.vjp(lambda x: x.sum(), t([1.0, 2.0]), strict=True)
torch.autograd.functional.jvp(lambda x, y: (x + y, x * y), (t([1.0]), t([2.0])), (t([1.0]), t([10.0])))
torch.autograd.functional.jvp(lambda x: x**2, leaf([1.0]), t([3.0]), create_graph=True)
torch.autograd.functional.jvp(lambda x: x * 2, t([1.0]), t([1.0], dtype=torch.float64))
torch.autograd.functional.jvp(lambda x: x, t([1.0]), t([[1.0]]))
torch.autograd.functional.vhp(lambda x, y: (x * y).sum(), (t([1.0]), t([2.0])), (t([1.0]), t([10.0])))
torch.autograd.functional.vhp(lambda x: (x**3).sum(), leaf([1.0, 2.0]), t([1.0, 0.0]), create_graph=True)
torch.autograd.functional.vhp(lambda x: (x**3).sum(), t([1.0, 2.0]), t([1.0]))
torch.autograd.functional.hvp(lambda x, y: (x * y).sum(), (t([1.0]), t([2.0])), (t([1.0]), t([10.0])))
torch.autograd.functional.hvp(lambda x: (x**3).sum(), leaf([1.0, 2.0]), t([1.0, 0.0]), create_graph=True)
torch.autograd.functional.hvp(lambda x: (x**3).sum(), t([1.0, 2.0]), t([[1.0, 0.0]]))
torch.autograd.functional.hvp(lambda x: (x**3).sum(), t([1.0, 2.0]), "a")
torch.autograd.functional.hessian(lambda x: x[0] ** 2 * x[1], t([1.0, 2.0]))
torch.autograd.functional.hessian(lambda x: (x**3).sum(), t([[1.0], [2.0]]))
torch.autograd.functional.hessian(lambda x: (x**3).sum().reshape(1, 1), t([1.0, 2.0]))
torch.autograd.functional.hessian(lambda x: (x**3).sum(), (t([1.0]),))
torch.autograd.functional.hessian(lambda x, y: (x**2 * y).sum(), (t([1.0, 2.0]), t(3.0)))
torch.autograd.functional.hessian(lambda x, y: x**2, (t(2.0), t(3.0)))
torch.autograd.functional.hessian(lambda x, y: x**2, (t(2.0), t(3.0)), strict=True)
torch.autograd.functional.hessian(lambda x, y: x**2 + y**2, (t(2.0), t(3.0)), strict=True)
torch.autograd.functional.hessian(lambda x: x.sum(), t([1.0, 2.0]))
torch.autograd.functional.hessian(lambda x: x.sum(), t([1.0, 2.0]), strict=True)
torch.autograd.functional.hessian(lambda x: t(1.0), t([1.0, 2.0]))
torch.autograd.functional.hessian(lambda x: t(1.0), t([1.0, 2.0]), strict=True)
torch.autograd.functional.hessian(lambda x: x, t([1.0, 2.0]))
torch.autograd.functional.hessian(lambda x: (x,), t(1.0))
torch.autograd.functional.hessian(lambda x: 1.0, t(1.0))
torch.autograd.functional.hessian(lambda x: x, "a")
torch.autograd.functional.vjp(lambda x: x**2, t([1.0, 2.0]), t([1.0, 10.0]))
torch.autograd.functional.vjp(lambda x: (x**2).sum(), t([1.0, 2.0]))
torch.autograd.functional.vjp(lambda x, y: (x * y, y), (t(2.0), t(3.0)), (t(1.0), t(10.0)))
torch.autograd.functional.vjp(lambda x, y: x * 2, (t(2.0), t(3.0)), t(1.0))
torch.autograd.functional.vjp(lambda x, y: x * 2, (t(2.0), t(3.0)), t(1.0), strict=True)
torch.autograd.functional.vjp(lambda x: x * 2, t(2.0), t(1.0), create_graph=True, strict=True)
torch.autograd.functional.vjp(lambda x: t(1.0), t(2.0))
torch.autograd.functional.vjp(lambda x: x * 2, t([1.0, 2.0]), t([1, 0]))
torch.autograd.functional.vjp(lambda x: x * 2, t([1.0, 2.0]))
torch.autograd.functional.vjp(lambda x: (x, x), t(1.0))
torch.autograd.functional.vjp(lambda x: (x, x), t(1.0), t(1.0))
torch.autograd.functional.vjp(lambda x: x, t(1.0), (t(1.0), t(1.0)))
torch.autograd.functional.vjp(lambda x: x, t([1.0, 2.0]), t(1.0))
torch.autograd.functional.vjp(lambda x: (x, x), t([1.0]), (t([1.0]), t(1.0)))
torch.autograd.functional.vjp(lambda x: x, t(1.0), 1.0)
torch.autograd.functional.vjp(lambda x: x, (t(1.0), 1.0))
torch.autograd.functional.vjp(lambda x: [x], t(1.0))
torch.autograd.functional.jvp(lambda x: x.sum() * x, t([1.0, 2.0]), t([1.0, 10.0]))
torch.autograd.functional.jvp(lambda x: t([1.0, 2.0]) * x, t(3.0))
torch.autograd.functional.jvp(lambda x, y: (x * y, y), (t(2.0), t(3.0)), (t(1.0), t(10.0)))
torch.autograd.functional.jvp(lambda x: (x * 2, x.detach()), t(2.0), t(1.0))
torch.autograd.functional.jvp(lambda x: (x * 2, x.detach()), t(2.0), t(1.0), strict=True)
torch.autograd.functional.jvp(lambda x, y: x * 2, (t(2.0), t(3.0)), (t(1.0), t(1.0)), strict=True)
torch.autograd.functional.jvp(lambda x: x * 2, t(2.0), create_graph=True, strict=True)
torch.autograd.functional.jvp(lambda x: x.relu(), t([-1.0, 2.0]), t([1.0, 1.0]))
torch.autograd.functional.jvp(lambda x: x, t([1.0, 2.0]))
torch.autograd.functional.jvp(lambda x: x, t([1.0, 2.0]), t([1.0]))
torch.autograd.functional.jvp(lambda x, y: x, (t(1.0), t(2.0)), t(1.0))
torch.autograd.functional.vhp(lambda x: x[0] ** 2 * x[1], t([1.0, 2.0]), t([1.0, 10.0]))
torch.autograd.functional.vhp(lambda x: x**3, t(2.0))
torch.autograd.functional.vhp(lambda x, y: x**2 * y, (t(2.0), t(3.0)), (t(1.0), t(10.0)))
torch.autograd.functional.vhp(lambda x, y: x**2, (t(2.0), t(3.0)), (t(1.0), t(10.0)))
torch.autograd.functional.vhp(lambda x: x.sum(), t([1.0, 2.0]), t([1.0, 2.0]))
torch.autograd.functional.vhp(lambda x: x.sum(), t([1.0, 2.0]), t([1.0, 2.0]), strict=True)
torch.autograd.functional.vhp(lambda x: x**2, t(1.0), create_graph=True, strict=True)
torch.autograd.functional.vhp(lambda x: x, t([1.0, 2.0]), t([1.0, 2.0]))
torch.autograd.functional.vhp(lambda x: (x,), t(1.0))
torch.autograd.functional.vhp(lambda x: x.sum(), t([1.0, 2.0]))
torch.autograd.functional.hvp(lambda x: x[0] ** 2 * x[1], t([1.0, 2.0]), t([1.0, 10.0]))
torch.autograd.functional.hvp(lambda x: x**3, t(2.0))
torch.autograd.functional.hvp(lambda x, y: x**2 * y, (t(2.0), t(3.0)), (t(1.0), t(10.0)))
torch.autograd.functional.hvp(lambda x, y: x**2, (t(2.0), t(3.0)), (t(1.0), t(10.0)))
torch.autograd.functional.hvp(lambda x, y: x**2, (t(2.0), t(3.0)), (t(1.0), t(1.0)), strict=True)
torch.autograd.functional.hvp(lambda x: x.sum(), t([1.0, 2.0]), t([1.0, 2.0]), strict=True)
torch.autograd.functional.hvp(lambda x: x**2, t(1.0), create_graph=True, strict=True)
torch.autograd.functional.hvp(lambda x: x, t([1.0, 2.0]), t([1.0, 2.0]))
torch.autograd.functional.hvp(lambda x: x**2, t([1.0]), t(1.0))
"""


def each_functional_inside_no_grad(torch):
    functional = torch.autograd.functional
    x, v = torch.tensor([1.0, 2.0]), torch.tensor([1.0, 10.0])

    def cubes(x):
        return (x**3).sum()

    with torch.no_grad():
        return [
            functional.vjp(torch.exp, x, v),
            functional.jvp(torch.exp, x, v),
            functional.jacobian(torch.exp, x),
            functional.hessian(cubes, x),
            functional.vhp(cubes, x, v),
            functional.hvp(cubes, x, v),
        ]


def differentiating_the_results_of_functional(torch):
    functional = torch.autograd.functional
    slopes = []
    for name in ("vjp", "jvp", "vhp", "hvp"):
        x = torch.tensor([0.5, 2.0], requires_grad=True)
        v = torch.tensor([1.0, 10.0], requires_grad=True)
        second = name in ("vhp", "hvp")

        def func(x, second=second):
            return (x**3).sum() * x[0] if second else x**3 * x[0]

        value, product = getattr(functional, name)(func, x, v, create_graph=True)
        slopes.append([value.requires_grad, product.requires_grad])
        slopes.append(torch.autograd.grad(product.sum() + value.sum(), (x, v)))
    for name in ("jacobian", "hessian"):
        x = torch.tensor([0.5, 2.0], requires_grad=True)
        matrix = getattr(functional, name)(lambda x: (x**3).sum() * x[0], x, create_graph=True)
        (matrix * matrix).sum().backward()
        slopes.append(x.grad)
    return slopes


def functional_leaves_other_gradients_alone(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    w = torch.tensor([3.0, 4.0], requires_grad=True)
    matrix = torch.autograd.functional.jacobian(lambda x: w * x, x)
    captured = torch.autograd.functional.jacobian(lambda y: x * y, x)  # x itself is a constant
    return [matrix, captured, x.grad, w.grad, x.requires_grad]


PROGRAMS = (
    each_functional_inside_no_grad,
    differentiating_the_results_of_functional,
    functional_leaves_other_gradients_alone,
)
