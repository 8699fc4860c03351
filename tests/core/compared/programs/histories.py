"""Programs of several lines: training, writes and views, hooks, modes, higher derivatives."""

from __future__ import annotations

EXPRESSIONS = ""


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
    for value in list(globals().values())
    if callable(value) and getattr(value, "__module__", "") == __name__
)
