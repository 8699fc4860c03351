"""Programs about hooks: on tensors, on accumulated gradients, on what is saved."""

from __future__ import annotations

from compared.refusals import refusal

EXPRESSIONS = """
hooked(lambda x: x * 2, lambda g: None)
hooked(lambda x: x * 2, lambda g: g * 10)
hooked(lambda x: x * 2, lambda g: g.zero_())
hooked(lambda x: x * 2, lambda g: g * 10, lambda g: g + 1)
hooked(lambda x: x * 2, lambda g: g + 1, lambda g: g * 10)
hooked(lambda x: x * 2, lambda g: g.double())
hooked(lambda x: x * 2, lambda g: g.sum())
hooked(lambda x: x * 2, lambda g: g.reshape(2, 1))
hooked(lambda x: x * 2, lambda g: 0)
hooked(lambda x: x * 2, lambda g: "a")
hooked(lambda x: x * 2, lambda g: g.nonsense)
hooked(lambda x: x * 2, lambda g: g.requires_grad)
hooked(lambda x: x * 2, lambda: None)
hooked(lambda x: x * 2, lambda g, more: None)
hooked(lambda x: x * x, lambda g: g.clone().fill_(3.0))
hooked(lambda x: x.view(2), lambda g: g * 10)
hooked(lambda x: x, lambda g: g * 10)
t([1.0]).register_hook(lambda g: g)
t([1]).register_hook(lambda g: g)
(leaf([1.0]) > 0).register_hook(lambda g: g)
leaf([1.0]).detach().register_hook(lambda g: g)
leaf([1.0]).register_hook(lambda g: g).remove()
(lambda h: (h.remove(), h.remove()))(leaf([1.0]).register_hook(lambda g: g))
t([1.0]).register_post_accumulate_grad_hook(print)
(leaf([1.0]) * 1).register_post_accumulate_grad_hook(print)
leaf([1.0]).register_post_accumulate_grad_hook(lambda p: 1).remove()
leaf([1.0]).view(1).register_post_accumulate_grad_hook(print)
t([1.0]).retain_grad()
leaf([1.0]).retain_grad()
(lambda x: (x.retain_grad(), x.retains_grad))(leaf([1.0]))
(lambda x: (x.retain_grad(), x.retains_grad))(leaf([1.0]) * 2)
[t([1.0]).retains_grad, leaf([1.0]).retains_grad, (leaf([1.0]) * 2).retains_grad]
(lambda x: (x.retain_grad(), x.detach().retains_grad, x.view(1).retains_grad))(leaf([1.0]) * 2)
"""


def order_of_hooks(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    seen = []
    for name in "abc":
        x.register_hook(lambda g, name=name: seen.append(name))
    y = x * 2
    y.register_hook(lambda g: seen.append("y"))
    x.register_post_accumulate_grad_hook(lambda p: seen.append("p"))
    y.register_hook(lambda g: seen.append("y again"))
    y.sum().backward()
    return seen


def hooks_of_the_same_function_twice(torch):
    x = torch.tensor([1.0], requires_grad=True)
    seen = []

    def hook(g):
        seen.append(g.item())
        return g * 2

    first = x.register_hook(hook)
    x.register_hook(hook)
    (x * 1).backward()
    first.remove()
    (x * 1).backward()
    return [seen, x.grad]


def a_hook_removed_between_two_passes(torch):
    x = torch.tensor([1.0], requires_grad=True)
    y = x * 2
    handle = y.register_hook(lambda g: g * 10)
    y.backward(retain_graph=True)
    handle.remove()
    y.backward()
    return x.grad


def a_hook_that_removes_itself(torch):
    x = torch.tensor([1.0], requires_grad=True)
    seen = []

    def hook(g):
        seen.append(g.item())
        handle.remove()

    handle = x.register_hook(hook)
    x.register_hook(lambda g: seen.append("second"))
    (x * 2).backward()
    (x * 3).backward()
    return [seen, x.grad]


def a_handle_as_a_context(torch):
    x = torch.tensor([1.0], requires_grad=True)
    with x.register_hook(lambda g: g * 10):
        (x * 2).backward()
    (x * 2).backward()
    return x.grad


def a_hook_sees_the_sum_of_all_paths(torch):
    x = torch.tensor([2.0], requires_grad=True)
    seen = []
    y = x * 3
    y.register_hook(lambda g: seen.append(g.item()))
    x.register_hook(lambda g: seen.append(g.item()))
    (y * y + y).backward()
    return [seen, x.grad]


def a_hook_on_a_leaf_that_is_used_twice_runs_once(torch):
    x = torch.tensor([2.0], requires_grad=True)
    seen = []
    x.register_hook(lambda g: seen.append(g.item()))
    (x * x + x).backward()
    return seen


def a_hook_replaces_what_flows_on_but_not_what_is_retained_before_it(torch):
    x = torch.tensor([2.0], requires_grad=True)
    y = x * 3
    y.retain_grad()
    y.register_hook(lambda g: g * 10)
    z = x * 3
    z.register_hook(lambda g: g * 10)
    z.retain_grad()
    (y + z).backward()
    return [y.grad, z.grad, x.grad]


def a_hook_on_a_root(torch):
    x = torch.tensor([2.0], requires_grad=True)
    y = x * 3
    y.register_hook(lambda g: g * 10)
    y.backward()
    x.register_hook(lambda g: g + 1)
    x.backward()
    return x.grad


def hooks_and_grad(torch):
    x = torch.tensor([2.0], requires_grad=True)
    y = x * 3
    x.register_hook(lambda g: g * 10)
    y.register_hook(lambda g: g * 100)
    seen = []
    x.register_post_accumulate_grad_hook(lambda p: seen.append(1))
    found = [torch.autograd.grad(y * y, inputs) for inputs in (x, y)]
    return [found, x.grad, seen]


def hooks_and_backward_for_other_inputs(torch):
    x = torch.tensor([2.0], requires_grad=True)
    w = torch.tensor([3.0], requires_grad=True)
    seen = []
    x.register_hook(lambda g: seen.append("x"))
    w.register_hook(lambda g: seen.append("w"))
    (x * w).backward(inputs=[w])
    return [seen, x.grad, w.grad]


def a_hook_in_a_recorded_pass(torch):
    x = torch.tensor([2.0], requires_grad=True)
    seen = []

    def hook(g):
        seen.append(g.requires_grad)
        return g * x

    x.register_hook(hook)
    (g,) = torch.autograd.grad(x**3, x, create_graph=True)
    (second,) = torch.autograd.grad(g, x, create_graph=True)
    return [g.detach(), second.detach(), seen]


def the_mode_inside_a_hook(torch):
    x = torch.tensor([2.0], requires_grad=True)
    seen = []
    x.register_hook(lambda g: seen.append([torch.is_grad_enabled(), (x * 2).requires_grad]))
    (x * x).backward()
    torch.autograd.grad(x * x, x, create_graph=True)
    return seen


def a_hook_that_raises(torch):
    x = torch.tensor([2.0], requires_grad=True)
    x.grad = torch.tensor([1.0])

    def hook(g):
        raise ValueError("no more of this")

    x.register_hook(hook)
    return [refusal((x * x).backward), x.grad, torch.is_grad_enabled()]


def a_hook_that_calls_backward(torch):
    x = torch.tensor([2.0], requires_grad=True)
    w = torch.tensor([3.0], requires_grad=True)
    y = w * w
    x.register_hook(lambda g: y.backward())
    (x * x).backward()
    return [x.grad, w.grad]


def a_hook_on_a_view(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = x * 1
    view = y[0]
    seen = []
    view.register_hook(lambda g: seen.append(g.item()))
    view.register_hook(lambda g: g * 10)
    (view * 3 + y.sum()).backward()
    return [seen, x.grad]


def hooks_on_a_base_and_its_view_around_a_write(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = x * 1
    view = y[0]
    seen = []
    y.register_hook(lambda g: seen.append(["base before", g.tolist()]))
    view.mul_(3)
    y.register_hook(lambda g: seen.append(["base after", g.tolist()]))
    view.register_hook(lambda g: seen.append(["view after", g.tolist()]))
    (y * 5).sum().backward(retain_graph=True)
    first, seen[:] = list(seen), []
    (view * 7).backward()
    return [sorted(first), sorted(seen), x.grad]


def a_hook_after_two_writes(torch):
    x = torch.tensor([2.0], requires_grad=True)
    y = x * 1
    y.mul_(3).add_(1)
    seen = []
    y.register_hook(lambda g: seen.append(g.item()))
    y.mul_(5)
    (y * y).backward()
    return [seen, x.grad]


def a_hook_registered_before_the_leaf_wants_no_gradient(torch):
    x = torch.tensor([2.0], requires_grad=True)
    x.register_hook(lambda g: g * 10)
    x.requires_grad_(False)
    x.requires_grad_(True)
    (x * 3).backward()
    return x.grad


def hooks_on_accumulated_gradients(torch):
    x = torch.tensor([2.0], requires_grad=True)
    seen = []

    def hook(p):
        seen.append([p is x, p.grad.item()])
        p.grad = None

    handle = x.register_post_accumulate_grad_hook(hook)
    (x * x).backward()
    (x * 3).backward()
    found = [list(seen), x.grad]
    handle.remove()
    (x * 3).backward()
    return [*found, x.grad]


def an_optimiser_inside_an_accumulation_hook(torch):
    w = torch.tensor([2.0, 3.0], requires_grad=True)
    optimiser = torch.optim.SGD([w], lr=0.1)

    def step(p):
        optimiser.step()
        optimiser.zero_grad()

    w.register_post_accumulate_grad_hook(step)
    for _ in range(3):
        (w * w).sum().backward()
    return [w, w.grad]


def what_an_accumulation_hook_returns_is_ignored(torch):
    x = torch.tensor([2.0], requires_grad=True)
    x.register_post_accumulate_grad_hook(lambda p: torch.tensor([100.0]))
    (x * x).backward()
    return x.grad


def clipping_gradients_by_hooks(torch):
    h = torch.tensor([0.5], requires_grad=True)
    w = torch.tensor([1.0], requires_grad=True)
    state = h
    for _ in range(5):
        state = torch.tanh(w * state)
        state.register_hook(lambda g: torch.where(g > 0.1, 0.1, g))
    state.sum().backward()
    return [w.grad, h.grad]


def a_lambda_that_keeps_gradients_by_name(torch):
    kept = {}

    def keep(name):
        return lambda g: kept.__setitem__(name, g)

    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = x * 2
    z = y.sum()
    y.register_hook(keep("y"))
    z.register_hook(keep("z"))
    z.backward()
    return [kept["y"], kept["z"]]


def saved_tensors_seen_by_hooks(torch):
    sizes = []

    def pack(x):
        sizes.append(list(x.shape))
        return x

    x = torch.ones(2, 3, requires_grad=True)
    w = torch.ones(3, 4, requires_grad=True)
    with torch.autograd.graph.saved_tensors_hooks(pack, lambda x: x):
        out = torch.tanh(x @ w)
        loss = (out * out).sum()
    loss.backward()
    return [sorted(sizes), x.grad, w.grad]


def saved_tensors_packed_as_lists(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    hooks = torch.autograd.graph.saved_tensors_hooks
    with hooks(lambda x: x.tolist(), lambda data: torch.tensor(data)):
        y = (x * x).exp()
    y.sum().backward()
    return x.grad


def saved_tensors_changed_by_hooks(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    with torch.autograd.graph.saved_tensors_hooks(lambda x: x, lambda x: x * 10):
        y = x * x
    y.sum().backward()
    return x.grad


def nested_hooks_on_saved_tensors(torch):
    seen = []

    def hooks(name):
        def pack(x):
            seen.append(name)
            return x

        return torch.autograd.graph.saved_tensors_hooks(pack, lambda x: x)

    x = torch.tensor([1.0], requires_grad=True)
    with hooks("outer"):
        a = x.exp()
        with hooks("inner"):
            b = a.exp()
        c = b.exp()
    d = c.exp()
    d.backward()
    return [seen, x.grad]


def hooks_on_saved_tensors_that_fail(torch):
    x = torch.tensor([1.0], requires_grad=True)
    hooks = torch.autograd.graph.saved_tensors_hooks

    def fails(_):
        raise ValueError("cannot pack")

    def with_pack(pack, unpack):
        with hooks(pack, unpack):
            y = x.exp()
        y.backward()

    return [
        refusal(with_pack, fails, lambda x: x),
        refusal(with_pack, lambda x: x, fails),
        refusal(with_pack, lambda x: x, lambda x: 1.0).split(":")[0],
        x.grad,
    ]


def nothing_is_packed_without_recording(torch):
    seen = []
    x = torch.tensor([1.0], requires_grad=True)
    with torch.autograd.graph.saved_tensors_hooks(lambda x: seen.append(1), lambda x: x):
        with torch.no_grad():
            x.exp()
        x.detach().exp()
        x + 1
        -x
    return seen


def packing_and_second_derivatives(torch):
    x = torch.tensor([2.0], requires_grad=True)
    with torch.autograd.graph.saved_tensors_hooks(lambda x: x.clone(), lambda x: x):
        y = x**3
        (g,) = torch.autograd.grad(y, x, create_graph=True)
    (second,) = torch.autograd.grad(g, x)
    return [g.detach(), second]


def packing_hides_later_writes(torch):
    x = torch.tensor([2.0], requires_grad=True)
    y = x * 1
    with torch.autograd.graph.saved_tensors_hooks(lambda x: x.clone(), lambda x: x):
        z = y * y
    y.zero_()
    z.backward()
    return x.grad


PROGRAMS = tuple(
    value
    for value in list(globals().values())
    if callable(value) and getattr(value, "__module__", "") == __name__
)
