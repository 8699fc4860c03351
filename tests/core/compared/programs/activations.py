"""Programs about activation functions: values, kinks, dtypes, what is refused."""

from __future__ import annotations

SMOOTH = "sigmoid tanh logsigmoid gelu silu mish softplus softsign elu selu"
KINKED = "relu relu6 leaky_relu hardtanh"

NAMES = f"{SMOOTH} {KINKED}".split()
INPUTS = (
    "t([-50.0, -20.0, -7.0, -2.5, -1.5, -0.25, 0.75, 2.0, 5.0, 7.0, 20.5, 50.0])",
    "t([-inf, 0.0, nan])",
    "t([[-1.5], [0.5]], dtype=torch.float64)",
    "t(-0.7)",
    "torch.zeros(0, 3)",
    "t([1, 2, -3])",
    "t([True, False])",
    "t([1.5, -2.5], requires_grad=True)",
)


def slope(name):
    """The derivative at ordinary places, and at the kinks."""
    points = "-2.0, -1.0, -0.25, 0.0, 0.5, 1.0, 2.0"
    if name in KINKED:
        points += ", -6.0, -3.0, -0.5, 3.0, 6.0, 25.0"
    return f"torch.autograd.functional.jacobian(lambda x: F.{name}(x).sum(), t([{points}]))"


EXPRESSIONS = (
    "\n".join(f"F.{name}({x})" for name in NAMES for x in INPUTS)
    + "\n"
    + "\n".join(slope(name) for name in NAMES)
    + """
# options
F.leaky_relu(t([-1.0, 2.0]), 0.2)
F.leaky_relu(t([-1.0, 2.0]), negative_slope=-0.5)
F.elu(t([-1.0, 0.0, 2.0]), alpha=0.5)
F.elu(t([-1.0, 0.0, 2.0]), alpha=-1.0)
F.gelu(t([-2.0, 0.0, 2.0]), approximate="tanh")
F.gelu(t([-2.0, 0.0, 2.0]), approximate="none")
F.gelu(t([-2.0]), approximate="erf")
F.gelu(t([-2.0]), "tanh")
F.gelu(t([-5.0, -3.0, 0.5, 2.0], dtype=torch.float64))
F.gelu(t([-5.0, -3.0, 0.5, 2.0], dtype=torch.float64), approximate="tanh")
F.hardtanh(t([-3.0, 0.5, 3.0]), -2.0, 2.0)
F.hardtanh(t([-3.0, 0.5, 3.0]), min_val=-2, max_val=1)
F.hardtanh(t([1.0]), 1.0, -1.0)
F.hardtanh(t([-3, 0, 3]), -1.5, 2.5)
F.softplus(t([-1.0, 0.2, 2.0]), 2)
F.softplus(t([-1.0, 0.2, 2.0]), beta=2, threshold=1)
F.softplus(t([1000.0, -1000.0]))
F.glu(t([[1.0, -2.0, 0.0, 3.0]]))
F.glu(t([[1.0], [-2.0]]), dim=0)
F.glu(t([1.0, 2.0], requires_grad=True))
F.glu(t([1.0, 2.0, 3.0]))
F.glu(t(1.0))
F.glu(t([1, 2]))
F.glu(torch.ones(2, 4), 2)
F.prelu(t([-1.0, 2.0]), t([0.25]))
F.prelu(t([-1.0, 2.0]), t(0.25))
F.prelu(t(-1.0), t([0.25]))
F.prelu(-torch.ones(2, 3), t([0.1, 0.2, 0.3]))
F.prelu(-torch.ones(2, 3, 2), t([0.1, 0.2, 0.3], requires_grad=True))
F.prelu(t([-1.0, 2.0]), t([0.1, 0.2]))
F.prelu(t([-1.0, 2.0]), t([[0.1]]))
F.prelu(t([-1.0]), t([0.1], dtype=torch.float64))
F.relu("a")
F.elu(3.0)
F.gelu([1.0])
F.silu(None)
# softmax and its relatives
torch.softmax(t([1.0, 2.0, 3.0]), 0)
torch.softmax(t([[1.0, 2.0], [3.0, 5.0]]), dim=0)
torch.softmax(t([[1.0, 2.0], [3.0, 5.0]]), dim=-1)
t([[1.0, 2.0], [3.0, 5.0]]).softmax(1)
t([[1.0, 2.0], [3.0, 5.0]]).log_softmax(dim=1)
torch.log_softmax(t([1000.0, 0.0, -1000.0]), 0)
torch.softmax(t([1000.0, 0.0, -1000.0]), 0)
torch.softmax(t([-inf, 0.0]), 0)
torch.log_softmax(t([-inf, 0.0]), 0)
torch.softmax(t([-inf, -inf]), 0)
torch.softmax(t([inf, 0.0]), 0)
torch.softmax(t([nan, 0.0]), 0)
torch.softmax(t(3.0), 0)
torch.log_softmax(t(3.0), -1)
torch.softmax(torch.zeros(0, 3), 1)
torch.softmax(torch.zeros(3, 0), 1)
torch.softmax(t([1, 2]), 0)
torch.log_softmax(t([True]), 0)
torch.softmax(t([1, 2]), 0, dtype=torch.float32)
torch.softmax(t([1.0, 2.0]), 0, torch.float64)
t([1.0, 2.0]).softmax(0, dtype=torch.float64)
torch.softmax(t([1.0, 2.0]), 0, dtype=torch.int64)
torch.log_softmax(t([1, 2]), dim=0, dtype=torch.float64)
torch.softmax(t([1.0, 2.0]), 1)
torch.softmax(t([1.0, 2.0]), -2)
torch.softmax([1.0], 0)
torch.softmax(t([1.0, 2.0]), dim=0.5)
torch.softmax(t([1.0, 2.0], requires_grad=True), 0)
torch.log_softmax(t([1.0, 2.0], requires_grad=True), 0)
torch.softmax(t([1.0, 2.0], requires_grad=True), 0, dtype=torch.float64)
F.softmax(t([1.0, 2.0]))
F.softmax(t([[1.0, 2.0]]))
F.softmax(torch.zeros(1, 2, 1))
F.log_softmax(t([[1.0, 2.0]]))
F.softmax(t([1.0, 2.0]), dim=0)
F.softmax(t([1.0, 2.0]), 0, dtype=torch.float64)
F.log_softmax(t([1, 2]), dim=0, dtype=torch.float32)
torch.autograd.functional.jacobian(lambda x: x.softmax(0), t([1.0, 2.0, 0.5]))
torch.autograd.functional.jacobian(lambda x: x.log_softmax(0), t([1.0, 2.0, 0.5]))
torch.autograd.functional.hessian(lambda x: x.softmax(0)[0], t([1.0, 2.0, 0.5]))
torch.autograd.functional.hessian(lambda x: x.log_softmax(0)[0], t([1.0, 2.0, 0.5]))
torch.autograd.functional.hessian(lambda x: F.gelu(x).sum(), t([1.0, -2.0, 0.0])).diagonal()
"""
)


def written_in_place(torch):
    F = torch.nn.functional
    results = []
    for name in ("relu", "relu6", "leaky_relu", "elu", "selu", "silu", "mish", "hardtanh"):
        x = torch.tensor([-1.0, 0.5, 8.0])
        same = getattr(F, name)(x, inplace=True)
        results += [name, same is x, x]
    return results


def gradients_through_what_was_written_in_place(torch):
    F = torch.nn.functional
    results = []
    for name in ("relu", "leaky_relu", "elu", "silu", "hardtanh", "mish"):
        x = torch.tensor([-1.0, 0.5, 8.0], requires_grad=True)
        getattr(F, name)(x * 2, inplace=True).sum().backward()
        results.append(x.grad)
    return results


def a_leaf_is_not_activated_in_place(torch):
    return torch.nn.functional.leaky_relu(torch.ones(2, requires_grad=True), inplace=True)


def names_of_nodes(torch):
    F = torch.nn.functional
    x = torch.tensor([[1.0, -2.0]], requires_grad=True)
    functions = [getattr(F, name) for name in NAMES]
    functions += [lambda x: F.softmax(x, dim=1), lambda x: F.log_softmax(x, dim=1), F.glu]
    functions += [lambda x: F.prelu(x, torch.tensor([0.1]))]
    return [function(x).grad_fn.name() for function in functions]


def an_input_overwritten_after_softmax_may_be(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = x * 1
    out = y.softmax(0)
    y.mul_(3)
    out[0].backward()
    return x.grad


def a_result_of_softmax_overwritten(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    out = x.softmax(0)
    out.mul_(3)
    out.sum().backward()


OTHER_WORDS = {
    "torch.softmax(t([1.0, 2.0]), dim=0.5)"  # one check for the dimensions of all functions
}

PROGRAMS = (
    written_in_place,
    gradients_through_what_was_written_in_place,
    a_leaf_is_not_activated_in_place,
    names_of_nodes,
    an_input_overwritten_after_softmax_may_be,
    a_result_of_softmax_overwritten,
)
