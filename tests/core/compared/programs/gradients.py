"""Programs about single operations: names of nodes, kinks, ties, mixed dtypes."""

from __future__ import annotations

import copy

from compared.refusals import refusal

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
name_of(lambda x: x.round())
name_of(lambda x: x.round(decimals=2))
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
"""

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

    def again(function):
        """The kind of error that a second pass raises."""
        y = function(leaf([1.0])).sum()
        y.backward()
        return refusal(y.backward).split(":")[0]

    def hooked(function, *hooks):
        """The gradient behind a result whose gradient some hooks see."""
        x = leaf([1.0, 2.0])
        y = function(x)
        for hook in hooks:
            y.register_hook(hook)
        y.backward(t([1.0, 100.0]))
        return x.grad

    def function(forward, backward):
        """An operation of one's own, made of these two methods."""
        methods = {"forward": staticmethod(forward), "backward": staticmethod(backward)}
        return type("Own", (torch.autograd.Function,), methods)

    def custom(forward, backward):
        """A result of such an operation, and the gradient behind it."""
        x = leaf([1.0, 2.0])
        y = function(forward, backward).apply(x)
        y.backward(t([1.0, 10.0]))
        return [y, x.grad]

    def copy_of(program):
        return program(copy, leaf([1.0, 2.0]))

    return {
        "again": again,
        "copy_of": copy_of,
        "custom": custom,
        "function": function,
        "hooked": hooked,
        "leaf": leaf,
        "name_of": name_of,
        "slope": slope,
        "curvature": curvature,
        "mixed": mixed,
    }


PROGRAMS = ()
