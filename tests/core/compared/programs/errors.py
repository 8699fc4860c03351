"""Programs that PyTorch refuses, or warns about."""

from __future__ import annotations

EXPRESSIONS = """
# shapes
t([1.0, 2.0]) + t([1.0, 2.0, 3.0])
torch.ones(2, 3) * torch.ones(3, 2)
torch.ones(2, 3) @ torch.ones(2, 3)
torch.ones(2, 3) @ torch.ones(2)
torch.ones(3) @ torch.ones(2)
torch.ones(3) @ torch.ones(2, 3)
torch.ones(2, 2, 3) @ torch.ones(3, 3, 1)
t(1.0) @ t([1.0])
torch.mm(torch.ones(3), torch.ones(3, 2))
torch.dot(torch.ones(2, 2), torch.ones(2))
torch.dot(torch.ones(2), torch.ones(3))
torch.arange(6).reshape(4, 2)
torch.arange(6).reshape(-1, -1)
torch.arange(6).reshape(-1, 4)
torch.arange(6).view(4)
torch.ones(2, 3).T.view(6)
torch.ones(2, 3).expand(4, 3)
torch.ones(2, 3).expand(3)
torch.ones(2, 3).permute(0, 0)
torch.ones(2, 3).permute(0)
torch.ones(2, 3).permute(2, 0, 1)
torch.ones(2, 3).unsqueeze(4)
torch.ones(2, 3).squeeze(2)
torch.ones(2, 3).flatten(1, 0)
torch.ones(2, 3).sum(2)
torch.ones(2, 3).sum((0, 0))
torch.ones(2, 3).max(5)
torch.cat([torch.ones(2, 3), torch.ones(3, 2)])
torch.cat([torch.ones(2), torch.ones(2, 2)])
torch.cat([])
torch.cat([t(1.0), t(2.0)])
torch.cat([t([1.0]), [2.0]])
torch.cat(t([1.0]), 0)
torch.stack([])
torch.stack([torch.ones(2), torch.ones(3)])
torch.zeros(-1)
torch.zeros(2.5)
torch.ones(2).mT
torch.zeros(0).max()
torch.zeros(0).argmax()
torch.zeros(2, 0).max(1)
torch.where(t([True, False]), t([1.0, 2.0]), t([1.0, 2.0, 3.0]))
# dtypes
t([1, 2]).mean()
t([1, 2]) @ t([1.0, 2.0])
torch.ones(2, 2) @ torch.ones(2, 2, dtype=torch.float64)
t([1, 2]) ** -1
t([True]) - t([True])
-t([True])
t([True]) - 1
1 - t([True])
~t([1.0])
t([1.0]) & t([1.0])
torch.where(t([1, 0]), 1.0, 2.0)
torch.where([True], 1.0, 2.0)
t([1, 2], requires_grad=True)
t([1, 2]).requires_grad_()
torch.arange(3, requires_grad=True)
torch.set_default_dtype(torch.int64)
t("a")
t(["a"])
t(None)
t([1, None])
t([[1, 2], [3]])
t({"a": 1})
t(2**64)
# wrong arguments
t([1.0]) + "a"
t([1.0]) + None
t([1.0]) + [1.0]
"a" * t([1.0])
t([1.0]) < "a"
torch.exp(1.0)
torch.exp([1.0])
torch.exp()
torch.relu(2)
torch.add(1, "a")
torch.matmul(t([1.0]), 2.0)
torch.sum([1.0])
t([1.0]).sum("a")
t([1.0]).reshape("a")
t([1.0]).unsqueeze("a")
torch.stack([t(1.0), 2.0])
torch.tensor()
torch.tensor(1.0, requires_gradient=True)
torch.tensor(1.0, dtype=np.float32)
torch.zeros(2, dtype="float32")
torch.device("tpu")
t([1.0]).no_such_method()
torch.no_such_function
t([1.0]).backward(1, 2, 3, 4, 5, 6)
torch.from_numpy([1.0])
torch.from_numpy(np.array(["a"]))
torch.from_numpy(np.array([1 + 2j], dtype="O"))
torch.arange(0, 5, 0)
torch.arange(5, 0)
torch.autograd.grad(1.0, t([1.0]))
torch.set_grad_enabled()
# one number, or not
t([1.0, 2.0]).item()
float(t([1.0, 2.0]))
int(t([]))
bool(t([1.0, 2.0]))
bool(t([]))
len(t(1.0))
list(t(1.0))
[1, 2][t([0, 1])]
{}[t(1.0)]
# indices
t([1, 2])[2]
t([1, 2])[0, 0]
t(1)[0]
t([1, 2])[1.0]
t([1, 2])[t([0.0])]
t([1, 2])[t([2])]
t([1, 2])[[0, 5]]
t([1, 2])[t([True, False, True])]
t([1, 2])[::-1]
t([1, 2])[::0]
torch.ones(2, 3)[[0, 1], [0, 1, 2]]
torch.ones(2, 3)[t([[True]])]
# graphs
t(1.0).backward()
t([1.0, 2.0], requires_grad=True).backward()
(t([1.0, 2.0], requires_grad=True) * 2).backward()
(t([1.0], requires_grad=True) * 2).backward(t([1.0, 2.0]))
(t([1.0], requires_grad=True) * 2).backward(t([[1.0]]))
(t([1.0], requires_grad=True) * 2).backward(np.ones(1))
t([1.0], requires_grad=True).backward("a")
(t(1.0, requires_grad=True) * 2).backward(inputs=[])
(t(1.0, requires_grad=True) > 0).backward()
torch.autograd.grad(t(1.0, requires_grad=True) * 2, t(1.0, requires_grad=True))
torch.autograd.grad(t(1.0, requires_grad=True) * 2, t(1.0))
torch.autograd.grad(t(1.0), t(1.0, requires_grad=True))
t([1.0], requires_grad=True).numpy()
(t([1.0], requires_grad=True) * 2).numpy()
np.asarray(t([1.0], requires_grad=True))
t(1.0, requires_grad=True).add_(1)
t([1.0, 2.0], requires_grad=True)[0].mul_(2)
t([1.0, 2.0], requires_grad=True).__setitem__(0, 1.0)
(t(1.0, requires_grad=True) * 2).requires_grad_(False)
t(1.0).retain_grad()
t(1.0).register_hook(print)
(t(1.0, requires_grad=True) * 2).register_post_accumulate_grad_hook(print)
torch.zeros(1, 3).expand(2, 3).add_(1)
torch.zeros(3).add_(torch.ones(2, 3))
torch.zeros(3).add_(torch.ones(2))
torch.zeros(3, dtype=torch.int64).add_(1.5)
torch.zeros(3, dtype=torch.int64).div_(2)
torch.zeros(3, dtype=torch.bool).add_(1)
torch.zeros(3).copy_(torch.ones(2))
torch.zeros(3).copy_([1.0, 2.0, 3.0])
torch.zeros(3).fill_(torch.ones(3))
torch.zeros(3).__setitem__(0, t([1.0, 2.0]))
torch.zeros(3).__setitem__(slice(0, 2), t([1.0, 2.0, 3.0]))
torch.zeros(3).__setitem__(5, 1.0)
torch.zeros(3).__setitem__(0, "a")
torch.zeros(3).__setitem__([0, 1], t([1.0, 2.0, 3.0]))
torch.zeros(3).__setitem__(0, [1.0])
setattr(t(1.0), "grad", 1.0)
setattr(t(1.0), "grad", t([1.0, 2.0]))
setattr(t(1.0), "grad", t(1))
torch.optim.SGD([], lr=0.1)
torch.optim.SGD(t(1.0), lr=0.1)
torch.optim.SGD([1.0], lr=0.1)
torch.optim.SGD([t(1.0, requires_grad=True)], lr=-1.0)
torch.optim.SGD([t(1.0, requires_grad=True) * 2], lr=0.1)
torch.autograd.gradcheck(torch.exp, t(1.0, dtype=torch.float64))
# warnings
(t(1.0, requires_grad=True) * 2).grad
t(1.0).grad
t([t(1.0, requires_grad=True), t(2.0)])
torch.tensor(t(1.0))
float(t(1.0, requires_grad=True))
torch.ones(2, 3, 4).T.shape
"""


def second_backward(torch):
    x = torch.tensor(2.0, requires_grad=True)
    y = x * x
    y.backward()
    y.backward()


def overwritten_input(torch):
    x = torch.tensor([2.0], requires_grad=True)
    y = x * 1
    z = y * y
    y.add_(1)
    z.sum().backward()


def overwritten_output(torch):
    x = torch.tensor([2.0], requires_grad=True)
    y = x.exp()
    y.add_(1)
    y.sum().backward()


def view_made_in_no_grad(torch):
    x = torch.tensor([2.0, 3.0], requires_grad=True) * 1
    with torch.no_grad():
        view = x[0]
    view.mul_(2)


def detached_view_in_place(torch):
    (torch.tensor([2.0, 3.0], requires_grad=True) * 1)[0].detach_()


def hook_that_changes_the_shape(torch):
    x = torch.tensor([2.0, 3.0], requires_grad=True)
    x.register_hook(lambda g: g.sum())
    (x * 1).sum().backward()


def hook_that_returns_a_number(torch):
    x = torch.tensor([2.0, 3.0], requires_grad=True)
    x.register_hook(lambda g: 1.0)
    (x * 1).sum().backward()


def function_with_too_few_gradients(torch):
    class Product(torch.autograd.Function):
        @staticmethod
        def forward(ctx, a, b):
            return a * b

        @staticmethod
        def backward(ctx, g):
            return g

    x = torch.tensor(2.0, requires_grad=True)
    Product.apply(x, x).backward()


def function_with_a_gradient_of_the_wrong_shape(torch):
    class Double(torch.autograd.Function):
        @staticmethod
        def forward(ctx, a):
            return a * 2

        @staticmethod
        def backward(ctx, g):
            return torch.ones(3)

    x = torch.tensor([2.0, 3.0], requires_grad=True)
    Double.apply(x).sum().backward()


def function_without_backward(torch):
    class Double(torch.autograd.Function):
        @staticmethod
        def forward(ctx, a):
            return a * 2

    x = torch.tensor([2.0, 3.0], requires_grad=True)
    Double.apply(x).sum().backward()


def twice_through_once_differentiable(torch):
    from importlib import import_module

    once = import_module(f"{torch.__name__}.autograd.function").once_differentiable

    class Cube(torch.autograd.Function):
        @staticmethod
        def forward(ctx, a):
            ctx.save_for_backward(a)
            return a**3

        @staticmethod
        @once
        def backward(ctx, g):
            return g * 3 * ctx.saved_tensors[0] ** 2

    x = torch.tensor(2.0, requires_grad=True)
    (slope,) = torch.autograd.grad(Cube.apply(x), x, create_graph=True)
    slope.backward()


def backward_with_create_graph(torch):
    x = torch.tensor(2.0, requires_grad=True)
    (x**3).backward(create_graph=True)
    x.grad = None


PROGRAMS = tuple(
    value
    for value in list(globals().values())
    if callable(value) and getattr(value, "__module__", "") == __name__
)


# Programs whose error is of PyTorch's type, but in words of our own.
OTHER_WORDS = {
    # PyTorch's words speak of its insides,
    "torch.ones(2, 3).expand(3)",
    "torch.ones(2, 3).permute(0)",
    "torch.ones(2, 3).permute(0, 0)",
    "torch.zeros(3).__setitem__(0, t([1.0, 2.0]))",
    "torch.zeros(3).__setitem__(slice(0, 2), t([1.0, 2.0, 3.0]))",
    "torch.mm(torch.ones(3), torch.ones(3, 2))",
    # do not name the argument,
    "torch.where([True], 1.0, 2.0)",
    't([1.0]).sum("a")',
    't([1.0]) + "a"',
    "t([1.0]) + [1.0]",
    't([1.0]) < "a"',
    '"a" * t([1.0])',
    'torch.add(1, "a")',
    't([1.0]).unsqueeze("a")',
    # serve several occasions,
    "torch.ones(2, 3) @ torch.ones(2)",
    "t([1, 2]) @ t([1.0, 2.0])",
    "t([1, 2], requires_grad=True)",
    "torch.arange(3, requires_grad=True)",
    "torch.zeros(-1)",
    "t([1, 2])[::0]",
    'setattr(t(1.0), "grad", t([1.0, 2.0]))',
    'setattr(t(1.0), "grad", t(1))',
    # come from Python, not from PyTorch,
    "torch.autograd.grad(1.0, t([1.0]))",
    # or ours say what is different here.
    'torch.device("tpu")',
    "torch.no_such_function",
    "hook_that_returns_a_number",
    "function_without_backward",
}
