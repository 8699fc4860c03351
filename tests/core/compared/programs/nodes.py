"""Programs that call nodes by hand, as a backward pass of one's own does: ``y.grad_fn(g)``."""

from __future__ import annotations

from compared.refusals import refusal

EXPRESSIONS = """
# what a node returns: one gradient for each input, or None
parts_of(lambda a, b: a * b)
parts_of(lambda a, b: a + b)
parts_of(lambda a, b: a - b)
parts_of(lambda a, b: a / b)
parts_of(lambda a, b: a**b)
parts_of(lambda a, b: a * a)
parts_of(lambda a, b: a * 3)
parts_of(lambda a, b: 3 * a)
parts_of(lambda a, b: a + 3)
parts_of(lambda a, b: a - 3)
parts_of(lambda a, b: 3 - a)
parts_of(lambda a, b: a / 3)
parts_of(lambda a, b: a**2)
parts_of(lambda a, b: 2**a)
parts_of(lambda a, b: a**b.detach())
parts_of(lambda a, b: a.detach() * b)
parts_of(lambda a, b: -a)
parts_of(lambda a, b: a.exp())
parts_of(lambda a, b: a.log())
parts_of(lambda a, b: a.sqrt())
parts_of(lambda a, b: a.sin())
parts_of(lambda a, b: a.tanh())
parts_of(lambda a, b: a.sigmoid())
parts_of(lambda a, b: a.relu())
parts_of(lambda a, b: a.abs())
parts_of(lambda a, b: a.square())
parts_of(lambda a, b: a.clamp(0))
parts_of(lambda a, b: a.clamp(0, 1))
parts_of(lambda a, b: a % 2)
parts_of(lambda a, b: a.fmod(2))
parts_of(lambda a, b: a.masked_fill(a > 0, 3.0))
parts_of(lambda a, b: torch.where(a > 0, a, b))
parts_of(lambda a, b: torch.maximum(a, b))
parts_of(lambda a, b: torch.stack([a, b]).sum())
# broadcasting is undone by the engine, not by the node
(t([1.0, 2.0]) * leaf(3.0)).grad_fn(t([1.0, 1.0]))
(leaf([1.0, 2.0]) + leaf(3.0)).grad_fn(t([1.0, 1.0]))
(leaf([1.0, 2.0]) * leaf(3.0)).grad_fn(t(1.0))
leaf([1.0, 2.0]).sum().grad_fn(t(5.0))
leaf([1.0, 2.0]).mean().grad_fn(t(5.0))
leaf([1.0, 2.0])[0].grad_fn(t(5.0))
leaf([[1.0, 2.0]]).T.grad_fn(t([[1.0], [2.0]]))
(t([[1.0, 2.0]]) @ leaf([[3.0], [4.0]])).grad_fn(t([[1.0]]))
torch.cat([leaf([1.0]), leaf([2.0, 3.0])]).grad_fn(t([1.0, 2.0, 3.0]))
# dtypes
(leaf(2.0) * leaf(3.0)).grad_fn(torch.tensor(1.0, dtype=torch.float64))
(leaf(2.0) * 1).grad_fn(t(1))
# None
(leaf(2.0) * leaf(3.0)).grad_fn(None)
leaf(2.0).exp().grad_fn(None)
"""


def helpers(torch):
    def parts_of(f):
        """What the node returns twice, and whether there is a gradient for each input."""
        a = torch.tensor(1.5, requires_grad=True)
        b = torch.tensor(4.0, requires_grad=True)
        node = f(a, b).grad_fn
        dtype = f(a, b).dtype
        first = node(torch.tensor(2.0, dtype=dtype))
        again = node(torch.tensor(2.0, dtype=dtype))
        return [len(node.next_functions), plain(first), plain(again), a.grad]

    def plain(parts):
        if isinstance(parts, tuple):
            return [None if part is None else part.detach() for part in parts]
        return parts.detach()

    return {"parts_of": parts_of}


def a_leaf_adds_to_its_grad(torch):
    a = torch.tensor(2.0, requires_grad=True)
    last = a.exp().grad_fn.next_functions[0][0]
    seen = [last.variable is a, last(torch.tensor(5.0)), a.grad]
    g = a.grad
    seen += [last(torch.tensor(1.0)), a.grad, g, last(None), a.grad]
    return seen


def a_leaf_is_one_object(torch):
    a = torch.tensor(2.0, requires_grad=True)
    node = (a * a).grad_fn
    other = (a + 1).grad_fn
    (first, _), (second, _) = node.next_functions
    return [first is second, first is other.next_functions[0][0], len({first, second})]


def what_is_called_wrongly(torch):
    a = torch.tensor(2.0, requires_grad=True)
    node = (a * a).grad_fn
    last = node.next_functions[0][0]
    one = torch.tensor(1.0)
    return [
        refusal(f, *arguments) for f in (node, last) for arguments in ((), (3.0,), ((one,),))
    ] + [refusal(node, one, one), a.grad]


def a_freed_node(torch):
    a = torch.tensor(2.0, requires_grad=True)
    product = (a * a).grad_fn
    y = a * a
    y.backward()
    return [refusal(y.grad_fn, torch.tensor(1.0)), product.name()]


def a_freed_sum_saved_nothing(torch):
    y = torch.tensor(2.0, requires_grad=True) + 1
    y.backward()
    return y.grad_fn(torch.tensor(1.0))


def a_value_that_was_overwritten(torch):
    w = torch.tensor(2.0, requires_grad=True) * 1
    y = w * w
    w.add_(1)
    return refusal(y.grad_fn, torch.tensor(1.0))


def a_call_is_recorded(torch):
    a = torch.tensor(2.0, requires_grad=True)
    g = torch.tensor(1.0, requires_grad=True)
    slope = (a**2).grad_fn(g)
    (second,) = torch.autograd.grad(slope, a)
    node = (a**2).grad_fn
    with torch.no_grad():
        silent = node(g)
    return [slope.requires_grad, second, silent.requires_grad]


def a_call_runs_no_hooks(torch):
    a = torch.tensor(2.0, requires_grad=True)
    seen = []
    a.register_hook(seen.append)
    y = a * 3
    y.register_hook(seen.append)
    y.grad_fn.register_hook(lambda made, got: seen.append(got))
    y.retain_grad()
    part, _ = y.grad_fn(torch.tensor(1.0))
    y.grad_fn.next_functions[0][0](part)
    return [seen, y.grad, a.grad]


def a_function_of_ones_own(torch):
    class Square(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x * x

        @staticmethod
        def backward(ctx, g):
            return 2 * g

    node = Square.apply(torch.tensor(2.0, requires_grad=True)).grad_fn
    return refusal(node, torch.tensor(1.0))


def ones_own_backward(torch):
    a = torch.tensor(2.0, requires_grad=True)
    b = torch.tensor(6.0, requires_grad=True)
    d = b + 1
    e = (a + b) * d
    queue = [(e.grad_fn, torch.tensor(1.0))]
    found = {}
    while queue:  # by paths, which is slow, and right
        node, g = queue.pop()
        if hasattr(node, "variable"):
            found[node.variable] = found.get(node.variable, 0) + g
            continue
        parts = node(g)
        for (after, _), part in zip(node.next_functions, parts):
            if after is not None:
                queue.append((after, part))
    return [found[a].detach(), found[b].detach(), a.grad]


PROGRAMS = tuple(
    value
    for value in list(globals().values())
    if callable(value) and getattr(value, "__module__", "") == __name__ and value is not helpers
)
