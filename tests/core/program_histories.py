"""Programs about gradients: kinks, ties, mixed dtypes, names of nodes, writes and views."""

from __future__ import annotations

EXPRESSIONS = """
# names of nodes
name_of(lambda x: x + 1)
name_of(lambda x: 1 + x)
name_of(lambda x: x - 1)
name_of(lambda x: 1 - x)
name_of(lambda x: x * 2)
name_of(lambda x: x / 2)
name_of(lambda x: 2 / x)
name_of(lambda x: x**2)
name_of(lambda x: 2**x)
name_of(lambda x: x**x)
name_of(lambda x: -x)
name_of(lambda x: x.abs())
name_of(lambda x: x.exp())
name_of(lambda x: x.log())
name_of(lambda x: x.sqrt())
name_of(lambda x: x.sin())
name_of(lambda x: x.cos())
name_of(lambda x: x.tanh())
name_of(lambda x: x.sigmoid())
name_of(lambda x: x.relu())
name_of(lambda x: x.sign())
name_of(lambda x: x.reciprocal())
name_of(lambda x: x.clone())
name_of(lambda x: x.sum())
name_of(lambda x: x.sum(0))
name_of(lambda x: x.mean())
name_of(lambda x: x.mean(1))
name_of(lambda x: x.max())
name_of(lambda x: x.min())
name_of(lambda x: x.max(0)[0])
name_of(lambda x: x.min(1).values)
name_of(lambda x: x @ x.T)
name_of(lambda x: x[0] @ x[0])
name_of(lambda x: x @ x[0])
name_of(lambda x: x[0])
name_of(lambda x: x[0:1])
name_of(lambda x: x[0, 1])
name_of(lambda x: x[[0, 1]])
name_of(lambda x: x[x > 0])
name_of(lambda x: x[None])
name_of(lambda x: x[...])
name_of(lambda x: x[:, 0])
name_of(lambda x: x[0, 1:])
name_of(lambda x: x.reshape(4))
name_of(lambda x: x.view(4))
name_of(lambda x: x.T)
name_of(lambda x: x.transpose(0, 1))
name_of(lambda x: x.permute(1, 0))
name_of(lambda x: x.unsqueeze(0))
name_of(lambda x: x[:, :1].squeeze(1))
name_of(lambda x: x.squeeze())
name_of(lambda x: x.expand(2, 2, 2))
name_of(lambda x: x.flatten())
name_of(lambda x: x.mT)
name_of(lambda x: x.T.reshape(4))
name_of(lambda x: x.T.contiguous())
name_of(lambda x: x.double())
name_of(lambda x: x.float())
name_of(lambda x: torch.cat([x, x]))
name_of(lambda x: torch.stack([x, x]))
name_of(lambda x: torch.where(x > 0, x, 0))
name_of(lambda x: x.clone().mul_(2))
name_of(lambda x: x.clone().zero_())
name_of(lambda x: x.clone().fill_(1))
name_of(lambda x: x.clone().copy_(x))
name_of(lambda x: x.clone().add_(x))
name_of(lambda x: x.clone().pow_(2))
[type(n).__name__ for n, _ in (leaf(1.0) * leaf(2.0)).grad_fn.next_functions]
[n for n, _ in (leaf(1.0) * 2).grad_fn.next_functions][1]
[leaf(1.0).is_leaf, (leaf(1.0) * 2).is_leaf, t(1.0).is_leaf, (t(1.0) * 2).is_leaf]
[leaf(1.0).requires_grad, (leaf(1.0) > 0).requires_grad, leaf([1.0]).argmax().requires_grad]
# kinks and edges
slope(lambda x: x.relu(), [-1.0, 0.0, 1.0, nan])
slope(lambda x: x.abs(), [-1.0, 0.0, 1.0])
slope(lambda x: x.abs(), [nan, -0.0])
slope(lambda x: x.sqrt(), [0.0, 4.0, -1.0])
slope(lambda x: x.log(), [0.0, 1.0, -1.0])
slope(lambda x: x**0, [0.0, 2.0])
slope(lambda x: x**1, [0.0, 2.0])
slope(lambda x: x**2, [0.0, -2.0])
slope(lambda x: x**0.5, [0.0, 4.0])
slope(lambda x: x**-1, [0.0, 2.0])
slope(lambda x: x**1.5, [0.0, -1.0])
slope(lambda x: x ** t(0.0), [0.0, 2.0])
slope(lambda x: x ** t(2.0), [0.0, -2.0])
slope(lambda x: x ** t([2, 3]), [2.0, 3.0])
slope(lambda x: 0.0**x, [0.0, 1.0, -1.0])
slope(lambda x: 2**x, [0.0, 1.0])
slope(lambda x: 1.0**x, [0.0, 5.0])
slope(lambda x: (-2.0) ** x, [2.0, 3.0])
slope(lambda x: t(0.0) ** x, [0.0, 2.0])
slope(lambda x: x**x, [0.0, 1.0, 2.0])
slope(lambda x: 1 / x, [1.0, 0.0, -0.0])
slope(lambda x: 1 / x, [2.0, inf])
slope(lambda x: x / x, [0.0, 2.0])
slope(lambda x: x.exp(), [100.0, -1000.0, inf, -inf])
slope(lambda x: x.tanh(), [100.0, -inf, nan])
slope(lambda x: x.sigmoid(), [1000.0, -1000.0, 0.0])
slope(lambda x: x.sign(), [0.0, inf])
slope(lambda x: x.max(), [1.0, 3.0, 3.0, 3.0])
slope(lambda x: x.min(), [1.0, 1.0, 2.0])
slope(lambda x: x.max(0).values, [1.0, 3.0, 3.0])
slope(lambda x: x.min(0)[0], [[1.0, 1.0], [1.0, 0.0]])
slope(lambda x: x.max(1)[0], [[1.0, 1.0], [1.0, 0.0]])
slope(lambda x: x.max(), [1.0, nan, 2.0])
slope(lambda x: x.max(0).values, [1.0, nan, 2.0])
slope(lambda x: x.max(), 3.0)
slope(lambda x: x.mean(), [1.0, 2.0, 3.0])
slope(lambda x: torch.where(x > 0, x.sqrt(), 0.0), [-1.0, 0.0, 4.0])
slope(lambda x: (x > 0) * x.sqrt(), [0.0, 4.0])
slope(lambda x: torch.where(x > 0, 1.0, x), [0.0, 4.0])
slope(lambda x: x[[0, 0, 1]], [1.0, 2.0])
slope(lambda x: x[t([True, False])], [1.0, 2.0])
slope(lambda x: x * x.detach(), [1.0, 2.0])
slope(lambda x: x + x.data, [1.0, 2.0])
slope(lambda x: x.sum() * x, [1.0, 2.0])
slope(lambda x: (x - x.mean()) ** 2, [1.0, 2.0, 6.0])
slope(lambda x: x.expand(3, 2) * t([[1.0], [2.0], [3.0]]), [1.0, 2.0])
slope(lambda x: torch.cat([x, x * 2, t([5.0])]), [1.0, 2.0])
curvature(lambda x: x**3, [1.0, 2.0])
curvature(lambda x: x.relu() ** 2, [-1.0, 0.0, 2.0])
curvature(lambda x: x.abs() * x, [-1.0, 0.0, 2.0])
curvature(lambda x: x.sqrt(), [0.0, 4.0])
curvature(lambda x: x**2, [0.0, 1.0])
curvature(lambda x: x**1, [0.0, 1.0])
curvature(lambda x: x.max() ** 2, [1.0, 3.0, 3.0])
curvature(lambda x: x.tanh() / x, [1.0, -2.0])
curvature(lambda x: 1 / x, [2.0, -1.0])
curvature(lambda x: 2**x, [2.0, -1.0])
curvature(lambda x: x**x, [2.0, 0.5])
# several dtypes in one graph
mixed([1.0], "float32", [2.0], "float64", lambda a, b: a * b)
mixed([1.0], "float32", 2.0, "float64", lambda a, b: a * b)
mixed(1.0, "float64", [2.0], "float32", lambda a, b: a / b)
mixed([1.0, 2.0], "float64", [2.0], "float32", lambda a, b: torch.cat([a, b]))
mixed([1.0], "float64", [2.0], "float32", lambda a, b: torch.stack([a, b]))
mixed([1.0], "float64", [2.0], "float32", lambda a, b: torch.where(a < b, a, b))
mixed([1.0], "float64", [2.0], "float32", lambda a, b: a**b)
mixed([1.0], "float32", [2.0], "float64", lambda a, b: a.clone().add_(b))
mixed([1.0], "float32", [2.0], "float64", lambda a, b: a.double() * b.float())
slope(lambda x: x * t([1, 2]), [1.0, 2.0])
slope(lambda x: x / t([1, 2]), [1.0, 2.0])
slope(lambda x: x * True, [1.0, 2.0])
slope(lambda x: x.double() * 2, [1.0, 2.0])
slope(lambda x: x.double().float() ** 2, [1.0, 2.0])
slope(lambda x: x.to(torch.float64) + x, [1.0, 2.0])
slope(lambda x: x.sum(dtype=torch.float64), [1.0, 2.0])
slope(lambda x: t([2, 3]) * x, [0.5, 1.5])
slope(lambda x: x ** t(2), [1.0, 3.0])
""".strip()

# Expressions above use these; they are programs' helpers, given `torch` when a program runs.


def helpers(torch):
    t = torch.tensor

    def leaf(data, dtype="float32"):
        return t(data, dtype=getattr(torch, dtype), requires_grad=True)

    def name_of(function):
        out = function(leaf([[1.0, 2.0], [3.0, 4.0]]))
        return type(out.grad_fn).__name__

    def slope(function, data):
        x = leaf(data)
        y = function(x)
        y.sum().backward()
        return [y, x.grad]

    def curvature(function, data):
        x = leaf(data)
        (first,) = torch.autograd.grad(function(x).sum(), x, create_graph=True)
        (second,) = torch.autograd.grad((first * first).sum(), x)
        return [first.detach(), second]

    def mixed(first, first_dtype, second, second_dtype, function):
        a, b = leaf(first, first_dtype), leaf(second, second_dtype)
        y = function(a, b)
        y.sum().backward()
        return [y, a.grad, b.grad]

    return {"leaf": leaf, "name_of": name_of, "slope": slope, "curvature": curvature, "mixed": mixed}


def leaving_for_numpy_inside_no_grad(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    with torch.no_grad():
        return [x.numpy(), (x * 2).numpy()]


def updating_a_parameter(torch):
    w = torch.tensor([1.0, 2.0], requires_grad=True)
    for _ in range(3):
        (w * w).sum().backward()
        with torch.no_grad():
            w -= 0.1 * w.grad
            w.grad.zero_()
    return [w, w.grad, w.is_leaf, w._version]


def updating_with_sgd(torch):
    w = torch.tensor([[1.0, 2.0]], requires_grad=True)
    b = torch.tensor(0.5, requires_grad=True)
    optimiser = torch.optim.SGD([w, b], lr=0.1)
    losses = []
    for _ in range(4):
        optimiser.zero_grad()
        loss = ((w @ torch.tensor([1.0, -1.0]) + b - 3) ** 2).mean()
        loss.backward()
        optimiser.step()
        losses.append(loss.item())
    return [w, b, losses]


def sgd_with_a_closure(torch):
    w = torch.tensor(2.0, requires_grad=True)
    optimiser = torch.optim.SGD([w], lr=0.25)

    def closure():
        optimiser.zero_grad(set_to_none=False)
        loss = w * w
        loss.backward()
        return loss

    return [optimiser.step(closure), optimiser.step(closure), w, w.grad]


def writing_into_an_intermediate_result(torch):
    x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    y = x * 2
    y[0] = 7.0
    y[1:] *= 10
    y += 1
    y.sum().backward()
    return [y, x.grad, y._version]


def writing_through_views_of_views(torch):
    x = torch.arange(6.0).requires_grad_()
    base = (x * 1).view(2, 3)
    base.T[1].mul_(5)
    base[0][0:2].add_(x[4])
    base.sum().backward()
    return [base, x.grad]


def a_view_made_before_the_write(torch):
    x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    base = x * 1
    view = base[1:]
    base.mul_(3)
    view.mul_(2)
    return [base, view, *torch.autograd.grad(base.sum() + view.sum(), x)]


def a_base_that_starts_to_want_a_gradient(torch):
    v = torch.tensor([1.0, 2.0], requires_grad=True)
    base = torch.zeros(2, 2)
    row = base[0]
    row.copy_(v)
    out = (base * torch.tensor([[1.0, 2.0], [3.0, 4.0]])).sum()
    out.backward()
    return [base, row, v.grad, base.requires_grad, base.is_leaf]


def swapping_rows(torch):
    x = torch.arange(4.0).reshape(2, 2).requires_grad_()
    y = x * 1
    y[[0, 1]] = y[[1, 0]].clone()
    (y * torch.tensor([[1.0, 2.0], [3.0, 4.0]])).sum().backward()
    return [y, x.grad]


def writing_by_mask(torch):
    x = torch.tensor([-1.0, 2.0, -3.0], requires_grad=True)
    y = x * 1
    y[y < 0] = 0.0
    y[torch.tensor([True, True, False])] *= 4
    y.sum().backward()
    return [y, x.grad]


def writing_a_number_of_another_dtype(torch):
    x = torch.zeros(4)
    x[0] = 1
    x[1] = True
    x[2:] = torch.tensor([3, 4])
    y = torch.zeros(3, dtype=torch.int64)
    y[0] = 2.7
    y[1:] = torch.tensor([1.9, -1.9])
    z = torch.zeros(2, dtype=torch.bool)
    z[0] = 3
    return [x, y, z]


def assigning_with_broadcast(torch):
    x = torch.zeros(2, 3)
    x[:, 1] = torch.tensor([1.0, 2.0])
    x[0] = torch.tensor([5.0])
    x[1:, :1] = torch.tensor([[[9.0]]])
    x[[0, 1], [2, 2]] = torch.tensor([7.0, 8.0])
    return x


def assigning_with_an_integer_beside_a_list(torch):
    x = torch.zeros(2, 3, 4)
    x[0, :, [1, 3]] = torch.arange(6.0).reshape(3, 2)
    x[1, [0, 2], 1:3] = torch.tensor([[5.0], [6.0]])
    return x


def assigning_a_new_dimension(torch):
    x = torch.zeros(2, 3)
    x[None, :, 0] = torch.tensor([[1.0, 2.0]])
    x[..., None, 2] = 7
    return x


def assigning_repeated_indices(torch):
    x = torch.zeros(3)
    x[[0, 0, 1]] = torch.tensor([5.0, 5.0, 6.0])
    return x


def in_place_on_integers(torch):
    x = torch.tensor([1, 2, 3])
    x += 1
    x *= 2
    x -= torch.tensor(1)
    x[0] = 10
    x.pow_(2)
    return x


def retained_gradient_through_a_view(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = x * 1
    y.retain_grad()
    y[0] = 3.0
    (y * 5).sum().backward()
    return [y.grad, x.grad]


def gradients_accumulate(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    for factor in (1.0, 10.0):
        (x * factor).sum().backward()
    first = x.grad.clone()
    x.grad = None
    x.sum().backward()
    return [first, x.grad]


def retained_gradients(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = x * x
    y.retain_grad()
    z = (y * 3).sum()
    z.backward()
    return [y.grad, x.grad, y.retains_grad, x.retains_grad]


def retained_gradient_of_a_result_written_to_afterwards(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = x * 1
    y.retain_grad()
    y.mul_(3)
    (y * 5).sum().backward()
    return [y.grad, x.grad]


def a_hook_before_and_after_a_write(torch):
    x = torch.tensor([1.0], requires_grad=True)
    y = x * 1
    seen = []
    y.register_hook(lambda g: seen.append(("before", g.item())))
    y.mul_(3)
    y.register_hook(lambda g: seen.append(("after", g.item())))
    (y * 5).sum().backward()
    return [seen, x.grad]


def hooks_and_accumulation(torch):
    x = torch.tensor(2.0, requires_grad=True)
    seen = []
    x.register_hook(lambda g: g * 2)
    x.register_hook(lambda g: seen.append(g.item()))
    x.register_post_accumulate_grad_hook(lambda p: seen.append(p.grad.item()))
    (x * x).backward()
    (x * 3).backward()
    return [seen, x.grad]


def no_grad_and_friends(torch):
    x = torch.tensor(1.0, requires_grad=True)
    with torch.no_grad():
        a = x * 2
        with torch.enable_grad():
            b = x * 2
        c = torch.tensor(1.0, requires_grad=True)
    with torch.set_grad_enabled(False):
        d = x * 2
    with torch.inference_mode():
        e = x * 2
        f = torch.is_inference_mode_enabled()
    return [v.requires_grad for v in (a, b, c, d, e)] + [f, torch.is_grad_enabled()]


def detach_and_data(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = x * 2
    d = y.detach()
    d[0] = 100.0
    x.data[1] = 50.0
    return [y, d, x, y._version, x._version, d.requires_grad, y.is_leaf]


def assigning_data(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    x.data = torch.tensor([5.0, 6.0])
    (x * x).sum().backward()
    x.data = x - x.grad
    return [x, x.grad]


def requires_grad_switched_on_and_off(torch):
    x = torch.tensor(1.0)
    a = x * 2
    x.requires_grad = True
    b = x * 2
    x.requires_grad_(False)
    c = x * 2
    return [a.requires_grad, b.requires_grad, c.requires_grad]


def newton_by_second_derivatives(torch):
    x = torch.tensor(3.0, requires_grad=True)
    for _ in range(5):
        f = x**4 - 3 * x**2 + x
        (slope,) = torch.autograd.grad(f, x, create_graph=True)
        (curve,) = torch.autograd.grad(slope, x)
        with torch.no_grad():
            x -= slope / curve
    return x


def the_rows_of_a_jacobian(torch):
    x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    y = torch.stack([x[0] * x[1], x.sum() ** 2])
    rows = [torch.autograd.grad(y, x, v, retain_graph=True)[0] for v in torch.eye(2)]
    return torch.stack(rows)


def a_gradient_of_another_dtype_is_converted(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    try:
        (x * 2).backward(torch.tensor([1.0, 2.0], dtype=torch.float64))
    except RuntimeError:
        return "refused"
    return x.grad


def a_small_network(torch):
    x = torch.linspace(-1, 1, 6).reshape(3, 2)
    w = torch.linspace(-0.5, 0.5, 8).reshape(2, 4).requires_grad_()
    b = torch.zeros(4, requires_grad=True)
    v = torch.linspace(1, 2, 4).requires_grad_()
    loss = ((torch.tanh(x @ w + b) @ v - torch.tensor([1.0, 2.0, 3.0])) ** 2).mean()
    loss.backward()
    return [loss, w.grad, b.grad, v.grad]


def an_operand_that_knows_how(torch):
    class Meter:
        def __radd__(self, other):
            return "added"

        def __rmul__(self, other):
            return "multiplied"

    x = torch.tensor([1.0])
    return [x + Meter(), x * Meter()]


def an_exponent_that_is_a_tensor_with_a_gradient(torch):
    x = torch.tensor([2.0, 3.0], requires_grad=True)
    p = torch.tensor([[1.0], [2.0]], requires_grad=True)
    (x**p).sum().backward()
    return [x.grad, p.grad]


def grad_of_a_view_of_a_leaf(torch):
    x = torch.zeros(2, 3, requires_grad=True)
    row = x[1]
    (row * torch.tensor([1.0, 2.0, 3.0])).sum().backward()
    return [x.grad, row.is_leaf, row._version]


def a_parameter_replaced_by_a_result(torch):
    w = torch.tensor(1.0, requires_grad=True)
    (w * 2).backward()
    w = w - 0.1 * w.grad
    (w * 2).backward()
    return [w, w.grad]


PROGRAMS = tuple(
    value
    for name, value in list(globals().items())
    if callable(value) and name != "helpers" and getattr(value, "__module__", "") == __name__
)
