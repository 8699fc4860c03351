"""Programs about backward passes: arguments, freed and kept graphs, accumulation, seeds."""

# ruff: noqa: E501 -- a program in a table is one line, however long

from __future__ import annotations

from compared.refusals import refusal

EXPRESSIONS = """
# arguments of backward and grad
leaf([1.0]).backward()
leaf(1.0).backward(t(1.0))
leaf([[2.0]]).backward()
(leaf([[2.0]]) * 2).backward()
(leaf([]) * 2).sum().backward()
(leaf([]) * 2).backward()
(leaf([1.0, 2.0]) * 2).backward(t([1, 2]))
(leaf([1.0, 2.0]) * 2).backward(t([True, False]))
(leaf([1.0, 2.0]) * 2).backward(t(1.0))
(leaf([1.0, 2.0]) * 2).backward([1.0, 2.0])
(leaf([1.0, 2.0]) * 2).backward(1.0)
(leaf([1.0]) * 2).backward(gradient=t([1.0]), retain_graph=True, create_graph=False, inputs=None)
(leaf([1.0]) * 2).backward(inputs=leaf([1.0]))
(leaf([1.0]) * 2).backward(inputs=[t([1.0])])
(leaf([1.0]) * 2).backward(inputs="a")
(leaf([1.0]) * 2).backward(nonsense=1)
(leaf([1.0]) > 0).backward()
leaf([1.0]).argmax().backward()
torch.autograd.backward([])
torch.autograd.backward(())
torch.autograd.backward([leaf(1.0) * 2, t(1.0)])
torch.autograd.backward([leaf(1.0), leaf([1.0, 2.0])])
torch.autograd.backward([leaf(1.0), leaf([1.0, 2.0])], [None, t([1.0, 1.0])])
torch.autograd.backward([leaf(1.0), leaf(1.0)], [None])
torch.autograd.backward(leaf(1.0), [t(1.0), t(1.0)])
torch.autograd.backward([leaf([1.0])], grad_tensors=t([1.0]))
torch.autograd.backward(leaf(1.0), inputs=[])
torch.autograd.backward(1.0)
torch.autograd.grad(leaf(1.0) * 2, [])
torch.autograd.grad([], [leaf(1.0)])
torch.autograd.grad(leaf(1.0), leaf(1.0), allow_unused=True)
torch.autograd.grad(leaf(1.0), leaf([1.0, 2.0]), materialize_grads=True)
torch.autograd.grad(leaf(1.0), leaf(1.0), materialize_grads=True, allow_unused=False)
torch.autograd.grad(leaf(1.0), leaf(1.0), allow_unused=False)
torch.autograd.grad(leaf([1.0, 2.0]), leaf(1.0))
torch.autograd.grad(leaf([1.0, 2.0]) * 2, leaf(1.0))
torch.autograd.grad(leaf(1.0) * 2, leaf(1.0), grad_outputs=[t(1.0), t(1.0)])
torch.autograd.grad(leaf(1.0) * 2, leaf(1.0), grad_outputs=t([1.0]))
torch.autograd.grad(leaf(1.0) * 2, leaf(1.0), grad_outputs=[1.0])
torch.autograd.grad(leaf(1.0) * 2, [leaf(1.0), 1.0])
torch.autograd.grad(t(1.0), t(1.0))
torch.autograd.grad(*(lambda x: (x * 2, iter([x])))(leaf(1.0)))
torch.autograd.grad(*(lambda x: (x * 2, {"a": x}.values()))(leaf(1.0)), only_inputs=True)
torch.autograd.grad(*(lambda x, y: (x * 2, y, None, False, False, True, True))(leaf(1.0), leaf(1.0)))
torch.autograd.backward(*(lambda x: (x * 2, None, False, False))(leaf(1.0)), inputs=iter([leaf(1.0)]))
torch.autograd.grad(leaf(1.0) * 2, leaf(1.0), nonsense=True)
torch.autograd.grad(*(lambda x: (x, x))(leaf(1.0)))
torch.autograd.grad(*(lambda x: (x, x))(leaf([1.0, 2.0])), t([3.0, 4.0]))
torch.autograd.grad(*(lambda x: ([x * 2, x * 3], x))(leaf(1.0)))
torch.autograd.grad(*(lambda x: ([x * 2, x * 3], x, [t(10.0), None]))(leaf(1.0)))
torch.autograd.grad(*(lambda x: (x * 2, [x, x]))(leaf(1.0)))
torch.autograd.grad(*(lambda x: (x * 2, (x,)))(leaf(1.0)))
torch.autograd.grad(*(lambda x: ((x * 2).sum(), x))(leaf([1.0], "float64")))
torch.autograd.grad(*(lambda x: (x.double() * 2, x))(leaf(1.0)))
torch.autograd.grad(*(lambda x, y: (y * 2, [y, x]))(*(lambda x: (x, x * 3))(leaf(1.0))))
torch.autograd.grad(*(lambda x: (x * 2, [x, t(5.0, requires_grad=True)]))(leaf(1.0)), allow_unused=True)
torch.autograd.grad(*(lambda x: (x * 2, [x, t(5.0, requires_grad=True)]))(leaf(1.0)))
torch.autograd.grad(*(lambda x: (x * 2, [x, t([5, 6.0], requires_grad=True)]))(leaf(1.0)), materialize_grads=True)
torch.autograd.grad(*(lambda x: (x * x, x))(leaf(3.0)), create_graph=True)[0]
torch.autograd.grad(*(lambda x: (x * 2, x))(leaf(3.0)), create_graph=True)[0]
torch.autograd.grad(*(lambda x: (x + 2, x))(leaf(3.0)), create_graph=True)[0]
torch.autograd.grad(*(lambda x: (x.sum(), x))(leaf([3.0])), create_graph=True)[0]
torch.autograd.grad(*(lambda x: (x * x, x))(leaf(3.0)), create_graph=True)[0].requires_grad
torch.autograd.grad(*(lambda x: (x * x, x))(leaf(3.0)), t(2.0, requires_grad=True), create_graph=True)
(lambda x: ((x * 2).backward(), x.grad.requires_grad, x.grad.grad_fn, x.grad.is_leaf))(leaf(1.0))
(lambda x: ((x * x).backward(), x.grad.dtype, x.grad.shape))(leaf([[1.0]], "float64"))[1:]
(lambda x: (x.backward(), x.backward(), x.grad))(leaf(1.0))
(lambda x: (x.backward(t([1.0, 2.0])), x.grad))(leaf([5.0, 6.0]))
(lambda x: (x.backward(), x.grad))(leaf([[5.0]], "float64"))
(lambda x, v: (x.backward(v), x.grad is v, x.grad))(leaf([5.0]), t([7.0]))
(lambda x, v: ((x + 0).backward(v), v.add_(1), x.grad))(leaf([5.0]), t([7.0]))
(lambda x: ((x * 2).backward(inputs=[x]), x.grad))(leaf(1.0))
(lambda x: ((x * 2).backward(inputs=x), x.grad))(leaf(1.0))
(lambda x: ((x * 2).backward(inputs=(x, x)), x.grad))(leaf(1.0))
(lambda x, y: ((x * y).backward(inputs=[y]), x.grad, y.grad))(leaf(2.0), leaf(3.0))
(lambda x, y: ((y * y).backward(inputs=[y]), x.grad, y.grad))(*(lambda x: (x, x * 3))(leaf(2.0)))
(lambda x, y: ((y * y).backward(inputs=[x, y]), x.grad, y.grad))(*(lambda x: (x, x * 3))(leaf(2.0)))
(lambda x, y: (y.backward(inputs=[y]), x.grad, y.grad))(*(lambda x: (x, x * 3))(leaf(2.0)))
# which second pass is an error
[again(lambda x: f(x)) for f in (lambda x: x + 1, lambda x: x - x, lambda x: -x, lambda x: x * 2)]
[again(lambda x: f(x)) for f in (lambda x: x / 2, lambda x: 2 / x, lambda x: x * x, lambda x: x**2)]
[again(lambda x: f(x)) for f in (lambda x: x.exp(), lambda x: x.tanh(), lambda x: x.relu())]
[again(lambda x: f(x)) for f in (lambda x: x.sum(), lambda x: x.mean(), lambda x: x.clone())]
[again(lambda x: f(x)) for f in (lambda x: x.view(1), lambda x: x[0], lambda x: x.unsqueeze(0))]
[again(lambda x: f(x)) for f in (lambda x: x[[0]], lambda x: x[x > 0], lambda x: x.expand(3, 1))]
[again(lambda x: f(x)) for f in (lambda x: x @ x, lambda x: x @ t([1.0]), lambda x: x.double())]
[again(lambda x: f(x)) for f in (lambda x: x.max(), lambda x: x.max(0)[0], lambda x: x.abs())]
[again(lambda x: f(x)) for f in (lambda x: torch.cat([x, x]), lambda x: torch.stack([x, x]))]
[again(lambda x: f(x)) for f in (lambda x: torch.where(x > 0, x, 0.0), lambda x: x.sqrt())]
[again(lambda x: f(x)) for f in (lambda x: x * t([2.0]), lambda x: t([2.0]) / x, lambda x: x**0)]
[again(lambda x: f(x)) for f in (lambda x: x.clone().zero_(), lambda x: x.clone().add_(1))]
[again(lambda x: f(x)) for f in (lambda x: x.sign(), lambda x: x.T, lambda x: x.sin(), lambda x: x.log())]
"""


def two_losses_that_share_part_of_their_graph(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    shared = x * x
    first, second = shared.sum(), (shared * 3).sum()
    first.backward()
    return [x.grad.clone(), refusal(second.backward), x.grad]


def two_losses_that_share_nothing_that_is_saved(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    shared = x * 2
    first, second = shared.sum(), (shared * 3).sum()
    first.backward()
    second.backward()
    return x.grad


def two_losses_and_a_graph_that_is_kept(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    shared = x * x
    first, second = shared.sum(), (shared * 3).sum()
    first.backward(retain_graph=True)
    second.backward()
    return [x.grad, refusal(first.backward), x.grad]


def the_sum_of_two_losses(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    shared = x * x
    torch.autograd.backward([shared.sum(), (shared * 3).sum()])
    return x.grad


def a_pass_that_stops_early_frees_only_what_it_visits(torch):
    x = torch.tensor(2.0, requires_grad=True)
    y = x * x
    z = y * y
    found = [torch.autograd.grad(z, y)]
    found.append(refusal(torch.autograd.grad, z, y))
    found.append(torch.autograd.grad(y, x))
    return found


def which_part_is_free_after_a_pass_for_some_inputs(torch):
    a = torch.tensor(2.0, requires_grad=True)
    b = torch.tensor(3.0, requires_grad=True)
    left, right = a * a, b * b
    out = left + right
    torch.autograd.grad(out, a)
    return [refusal(left.backward), refusal(right.backward), b.grad]


def keeping_twice_and_then_not(torch):
    x = torch.tensor(2.0, requires_grad=True)
    y = x**3
    y.backward(retain_graph=True)
    y.backward(retain_graph=True)
    y.backward()
    return [x.grad, refusal(y.backward)]


def create_graph_keeps_the_graph(torch):
    x = torch.tensor(2.0, requires_grad=True)
    y = x**3
    found = [torch.autograd.grad(y, x, create_graph=True)[0].item() for _ in range(2)]
    found.append(torch.autograd.grad(y, x, create_graph=True, retain_graph=False)[0].item())
    return [*found, refusal(torch.autograd.grad, y, x)]


def third_derivatives(torch):
    x = torch.tensor(2.0, requires_grad=True)
    found, y = [], x**5
    for _ in range(6):
        (y,) = torch.autograd.grad(y, x, create_graph=True)
        found.append(y.item())
        if not y.requires_grad:
            break
    return found


def a_second_derivative_by_backward(torch):
    x = torch.tensor(2.0, requires_grad=True)
    (slope,) = torch.autograd.grad(x**3, x, create_graph=True)
    slope.backward()
    return x.grad


def a_gradient_penalty(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    w = torch.tensor([0.5, -1.0], requires_grad=True)
    out = torch.tanh(x * w).sum()
    (slope,) = torch.autograd.grad(out, x, create_graph=True)
    (out + (slope**2).sum()).backward()
    return [w.grad, x.grad]


def mixed_second_derivatives(torch):
    a = torch.tensor(2.0, requires_grad=True)
    b = torch.tensor(3.0, requires_grad=True)
    da, db = torch.autograd.grad(a**2 * b**3, (a, b), create_graph=True)
    return [torch.autograd.grad(d, (a, b), retain_graph=True) for d in (da, db)]


def a_linear_function_has_no_second_derivative(torch):
    x = torch.tensor(2.0, requires_grad=True)
    (slope,) = torch.autograd.grad(x * 3, x, create_graph=True)
    return [slope, slope.requires_grad, refusal(slope.backward)]


def accumulation_is_in_place(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    (x * 2).sum().backward()
    first = x.grad
    (x * 3).sum().backward()
    return [x.grad is first, first, first._version]


def accumulation_with_create_graph_is_out_of_place(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    (x * 2).sum().backward()
    first = x.grad
    (x * x).sum().backward(create_graph=True)
    found = [x.grad is first, first, x.grad.detach(), x.grad.requires_grad]
    x.grad = None
    return found


def accumulation_into_a_gradient_with_a_history(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    (x * x).sum().backward(create_graph=True)
    first = x.grad
    (x * 3).sum().backward()
    found = [x.grad is first, first.detach(), x.grad.detach(), x.grad.requires_grad]
    x.grad = None
    return found


def accumulation_into_a_gradient_set_by_hand(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    x.grad = torch.ones(2, 1).T[0] * 10
    (x * 3).sum().backward()
    return x.grad


def gradients_of_two_leaves_share_no_memory(torch):
    a = torch.tensor([1.0, 2.0], requires_grad=True)
    b = torch.tensor([3.0, 4.0], requires_grad=True)
    (a + b).sum().backward()
    a.grad.mul_(10)
    return [a.grad, b.grad]


def zero_grad_in_two_ways(torch):
    w = torch.tensor([1.0], requires_grad=True)
    unused = torch.tensor([1.0], requires_grad=True)
    optimiser = torch.optim.SGD([w, unused], lr=0.1)
    (w * 2).backward()
    first = w.grad
    optimiser.zero_grad(set_to_none=False)
    found = [w.grad, w.grad is first, unused.grad]
    optimiser.zero_grad()
    return [*found, w.grad, first]


def a_failed_pass_leaves_gradients_as_they_were(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    w = torch.tensor([1.0, 1.0], requires_grad=True)
    x.grad, w.grad = torch.ones(2), torch.ones(2)
    y = x * 1
    z = y * y + w
    y.zero_()
    return [refusal(z.sum().backward), x.grad]


def a_leaf_that_stops_wanting_a_gradient_before_backward(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    w = torch.tensor([3.0, 4.0], requires_grad=True)
    y = (x * w).sum()
    x.requires_grad_(False)
    y.backward()
    return [x.grad, w.grad, x.requires_grad]


def backward_of_a_leaf_that_is_a_root_twice(torch):
    x = torch.tensor(2.0, requires_grad=True)
    torch.autograd.backward([x, x, x * 3], [torch.tensor(1.0), torch.tensor(10.0), None])
    return x.grad


def one_root_behind_another(torch):
    x = torch.tensor(2.0, requires_grad=True)
    y = x * x
    z = y * 5
    torch.autograd.backward([z, y])
    return x.grad


def gradients_for_results_and_what_lies_behind(torch):
    x = torch.tensor(2.0, requires_grad=True)
    y = x * x
    z = y * y
    return torch.autograd.grad(z, [z, y, x])


def backward_for_an_intermediate_result_twice(torch):
    x = torch.tensor([2.0], requires_grad=True)
    y = x * 3
    z = (y * y).sum()
    z.backward(inputs=[y], retain_graph=True)
    first = y.grad
    z.backward(inputs=[y])
    return [y.grad, first is y.grad, x.grad, y.retains_grad]


def backward_for_an_intermediate_result_that_retains(torch):
    x = torch.tensor([2.0], requires_grad=True)
    y = x * 3
    y.retain_grad()
    (y * y).sum().backward(inputs=[y, x])
    return [y.grad, x.grad]


def retain_grad_of_a_root(torch):
    x = torch.tensor([2.0], requires_grad=True)
    y = x * 3
    y.retain_grad()
    y.retain_grad()
    y.backward(torch.tensor([7.0]))
    return [y.grad, x.grad]


def retained_gradients_accumulate(torch):
    x = torch.tensor([2.0], requires_grad=True)
    y = x * 3
    y.retain_grad()
    z = y * y
    z.backward(retain_graph=True)
    first = y.grad
    z.backward()
    return [y.grad, first, x.grad]


def integers_and_booleans_on_the_way(torch):
    x = torch.tensor([1.5, 2.5], requires_grad=True)
    mask = x > 2
    index = x.argmax()
    y = (x * mask).sum() + x[index] * torch.tensor(3) + x.long().sum()
    y.backward()
    return [y, x.grad, mask.requires_grad, index.requires_grad, x.long().requires_grad]


def converted_leaves_are_results(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = x.double()
    y.sum().backward()
    return [y.is_leaf, x.grad, x.float() is x, x.to(torch.float32) is x]


def a_gradient_of_float32_in_a_graph_of_float64(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    w = torch.tensor([3.0, 4.0], dtype=torch.float64, requires_grad=True)
    (x * w).sum().backward()
    return [x.grad, w.grad]


def next_functions_of_a_small_graph(torch):
    a = torch.tensor(2.0, requires_grad=True)
    b = torch.tensor(3.0)
    node = (a * b + a).grad_fn
    names = [[n and n.name() for n, _ in node.next_functions]]
    inner = node.next_functions[0][0]
    names.append([n and n.name() for n, _ in inner.next_functions])
    leaf = inner.next_functions[0][0]
    return [names, leaf.variable is a, [position for _, position in node.next_functions]]


def grad_inside_no_grad(torch):
    x = torch.tensor(2.0, requires_grad=True)
    y = x**3
    with torch.no_grad():
        (slope,) = torch.autograd.grad(y, x, create_graph=True)
        nothing = x**3
    return [slope, slope.requires_grad, nothing.requires_grad, torch.is_grad_enabled()]


def backward_inside_no_grad(torch):
    x = torch.tensor(2.0, requires_grad=True)
    y = x**3
    with torch.no_grad():
        y.backward()
        return [x.grad, refusal((x * 2).backward)]


def deep_recursion_through_a_list(torch):
    x = torch.tensor(1.0, requires_grad=True)
    values = [x]
    for _ in range(3000):
        values.append(values[-1] * 1.0)
    values[-1].backward()
    return x.grad


PROGRAMS = tuple(
    value
    for value in list(globals().values())
    if callable(value) and getattr(value, "__module__", "") == __name__
)


# Programs whose error is of PyTorch's type, but in words of our own.
OTHER_WORDS = {
    "(leaf([1.0, 2.0]) * 2).backward(1.0)",  # PyTorch's words are Python's,
    "torch.autograd.backward(1.0)",
    "(leaf([1.0]) * 2).backward(inputs=[t([1.0])])",  # or speak of its insides
}
