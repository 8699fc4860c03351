"""Programs about memory that several tensors show: views, writes, detach, data, versions."""

from __future__ import annotations

from compared.refusals import refusal

EXPRESSIONS = """
# who shares the count of writes
[(lambda x: (x.detach().add_(1), x._version))(torch.zeros(2))[1], torch.zeros(2)._version]
(lambda x: (x.data.add_(1), x._version, x))(torch.zeros(2))
(lambda x: (x.view(1, 2).add_(1), x._version, x))(torch.zeros(2))
(lambda x: (x[0].add_(1), x[0]._version, x._version))(torch.zeros(2))
(lambda x: (x.add_(1), x[0]._version))(torch.zeros(2))
(lambda x: (x.add_(1), x.detach()._version, x.data._version, x.clone()._version))(torch.zeros(2))
(lambda x: (x.detach().detach().add_(1), x._version))(torch.zeros(2))
(lambda x, d: (d.data.add_(1), x._version, d._version, x))(*(lambda x: (x, x.detach()))(t([0.0])))
(lambda x: (x.zero_(), x.fill_(1), x.copy_(x * 2), x.__setitem__(0, 1.0), x._version))(t([0.0]))[-1]
(lambda x: (x.requires_grad_(), x._version, x.detach_()._version))(t([0.0]))[1:]
(lambda x: (setattr(x, "data", t([5.0])), x._version, x))(t([1.0]))
(lambda x: (x.add_(1), setattr(x, "data", t([5.0])), x._version, x))(t([1.0]))[2:]
# what is a leaf, what needs a gradient
(lambda x: [x.detach().is_leaf, x.detach().requires_grad, x.data.is_leaf])(leaf([1.0]) * 2)
(lambda x: [x.view(1).is_leaf, x[0].is_leaf, x.T.is_leaf])(t([[1.0]]))
(lambda x: [x[0].requires_grad_().is_leaf, x.requires_grad])(t([1.0, 2.0]))
(lambda x: [x.requires_grad, x[0].requires_grad])(t([1.0, 2.0]).requires_grad_())
(lambda x: x.requires_grad_(False).requires_grad)(leaf([1.0]))
(lambda x: x.detach_().is_leaf)(leaf([1.0]) * 2)
(lambda x: x.detach_().requires_grad)(leaf([1.0]))
(lambda x: x.detach_().requires_grad_().is_leaf)(leaf([1.0]) * 2)
(lambda x: x.view(2).detach_())(leaf([1.0, 2.0]))
(lambda x: x[0].detach_())(t([1.0, 2.0]))
(lambda x: x.view(2).requires_grad_(False))(leaf([1.0, 2.0]))
(lambda x: x[0].requires_grad_(False))(t([1.0, 2.0]))
(lambda x: x.detach().requires_grad_())(leaf([1.0]) * 2)
(lambda x: x.data.requires_grad_().mul_(2))(leaf([1.0]))
(leaf([1.0]) * 2).requires_grad_()
setattr(leaf([1.0]) * 2, "requires_grad", False)
setattr(leaf([1.0]) * 2, "requires_grad", True)
setattr(leaf([1.0]), "data", [1.0])
setattr(leaf([1.0]), "data", t([1]))
setattr(leaf([1.0]), "data", t([1.0], dtype=torch.float64))
setattr(leaf([1.0]), "data", t([1.0, 2.0]))
setattr(leaf([1.0]) * 2, "data", t([1.0, 2.0]))
delattr(leaf([1.0]), "grad")
leaf([1.0]).detach().add_(1)
leaf([1.0]).data.add_(1)
leaf([[1.0]]).T.add_(1)
leaf([[1.0]]).view(1)[0].add_(1)
leaf([1.0]).reshape(1).add_(1)
leaf([1.0]).clone().add_(1)
leaf([1.0]).expand(1).add_(1)
leaf([1.0, 2.0]).unsqueeze(0).zero_()
leaf([[1.0, 2.0]]).squeeze().fill_(2)
leaf([[1.0, 2.0]]).copy_(t([1.0]))
leaf([[1.0, 2.0]]).detach().copy_(leaf([1.0]))
t([1.0, 2.0]).copy_(leaf([1.0]))
t([1, 2]).copy_(leaf([1.0]))
t([1.0, 2.0]).mul_(leaf([1.0]))
t([1, 2]).mul_(leaf([1.0]))
t([1.0, 2.0]).fill_(leaf(3.0))
t([1, 2]).fill_(leaf(3.0))
t([1.0, 2.0]).expand(3, 2).add_(1)
(leaf([1.0, 2.0]) * 1).expand(3, 2).mul_(2)
(lambda x: (x[0].mul_(5), x, x.requires_grad))(t([1.0, 2.0]))
(lambda x: (x[0].mul_(leaf(5.0)), x, x.requires_grad, x.is_leaf, x[1].requires_grad))(t([1.0, 2.0]))
(lambda x: (x.view(2, 1)[1].copy_(leaf([5.0])), x))(t([1.0, 2.0]))
slope(lambda x: (lambda y: (y[0].mul_(y[1]), y)[1])(x * 1), [2.0, 3.0])
slope(lambda x: (lambda y: (y[0].mul_(y[1].clone()), y)[1])(x * 1), [2.0, 3.0])
slope(lambda x: (lambda y: (y.view(2, 1).mul_(x), y)[1])(x.clone()), [2.0, 3.0])
slope(lambda x: (lambda y: (y.view(2, 1).mul_(3), y)[1])(x.clone()), [2.0, 3.0])
slope(lambda x: (lambda y: (y[1:].zero_(), y)[1])(x * x), [2.0, 3.0, 4.0])
slope(lambda x: (lambda y: (y[:2].copy_(y[1:]), y)[1])(x * 1), [2.0, 3.0, 4.0])
slope(lambda x: (lambda y: (y[:2].copy_(y[1:].clone()), y)[1])(x * 1), [2.0, 3.0, 4.0])
slope(lambda x: (lambda y: (y[0].fill_(y[1] * 2), y)[1])(x * 1), [2.0, 3.0])
slope(lambda x: (lambda y: (y.exp_(), y)[1])(x * 1), [0.0, 1.0])
slope(lambda x: (lambda y: (y.exp_().mul_(2), y)[1])(x * 1), [0.0, 1.0])
slope(lambda x: (lambda y: (y.tanh_(), y.view(1, 2))[1])(x * 1), [0.0, 1.0])
slope(lambda x: (lambda y: (y.sqrt_(), y * 3)[1])(x * 1), [4.0, 1.0])
slope(lambda x: (lambda y: (y.relu_(), y + y)[1])(x * 1), [-4.0, 1.0])
slope(lambda x: (lambda y: (y.pow_(2), y)[1])(x * 1), [-4.0, 1.0])
slope(lambda x: (lambda y: (y.div_(y.detach() + 1), y)[1])(x * 1), [-4.0, 1.0])
slope(lambda x: (lambda y: (y.mul_(y), y)[1])(x * 1), [-4.0, 1.0])
slope(lambda x: (lambda y: (y.add_(y), y)[1])(x * 1), [-4.0, 1.0])
slope(lambda x: (lambda y: (y.sub_(y.view(2)), y)[1])(x * 1), [-4.0, 1.0])
slope(lambda x: (lambda y: (y.neg_().abs_(), y)[1])(x * 1), [-4.0, 1.0])
slope(lambda x: (lambda y: (y.sigmoid_().log_(), y)[1])(x * 1), [-4.0, 1.0])
curvature(lambda x: (lambda y: (y[0].mul_(x[1]), y * y)[1])(x * 1), [2.0, 3.0])
curvature(lambda x: (lambda y: (y.exp_(), y * y)[1])(x * 1), [0.0, 0.5])
curvature(lambda x: (lambda y: (y.view(1, 2)[0, 0].copy_(x[1] ** 3), y * y)[1])(x * 1), [2.0, 3.0])
"""


def writing_through_a_view_of_a_view_of_a_view(torch):
    x = torch.arange(8.0).requires_grad_()
    base = x * 1
    cube = base.view(2, 2, 2)
    face = cube[1]
    row = face.T[0]
    row.mul_(3)
    base.sum().backward()
    return [base.detach(), cube.detach(), face.detach(), row.detach(), x.grad, base._version]


def gradients_of_each_view_after_a_write(torch):
    x = torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
    base = x * 1
    row, column = base[0], base[:, 1]
    row.mul_(10)
    found = []
    for tensor in (base, row, column):
        (g,) = torch.autograd.grad(tensor.sum(), x, retain_graph=True)
        found.append([tensor.detach(), g])
    return found


def two_writes_through_two_views(torch):
    x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    base = x * 1
    a, b = base[:2], base[1:]
    a.mul_(2)
    b.mul_(5)
    a.add_(1)
    return [a.detach(), b.detach(), *torch.autograd.grad((a * a).sum() + b.sum(), x)]


def a_view_of_a_leaf_written_without_recording(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    view = x[0]
    with torch.no_grad():
        view.mul_(10)
    (x * x).sum().backward()
    return [x, view, x.grad, x._version, view._version]


def a_leaf_written_after_it_was_used(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = x * x
    with torch.no_grad():
        x.mul_(10)
    y.sum().backward()


def a_leaf_written_through_data_after_it_was_used(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = x * x
    x.data.mul_(10)
    y.sum().backward()
    return x.grad


def a_leaf_written_through_detach_after_it_was_used(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = x * x
    x.detach().mul_(10)
    y.sum().backward()


def an_output_written_through_data(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = x.exp()
    y.data.zero_()
    y.sum().backward()
    return x.grad


def an_output_written_through_detach(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = x.exp()
    y.detach().zero_()
    y.sum().backward()


def a_saved_value_written_through_an_older_view(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = x * 1
    view = y[0]
    z = y * y
    view.zero_()
    z.sum().backward()


def a_saved_view_whose_base_is_written_elsewhere(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = x * 1
    z = y[0] * y[0]
    y[1] = 7.0
    z.backward()


def which_writes_harm_which_operations(torch):
    def tried(operation, write):
        x = torch.tensor([1.0, 2.0], requires_grad=True)
        y = x * 1
        z = operation(y)
        write(y, z)
        return refusal(z.sum().backward)

    operations = [
        lambda y: y + 1,
        lambda y: y * 2,
        lambda y: y * y,
        lambda y: y**2,
        lambda y: y.exp(),
        lambda y: y.tanh(),
        lambda y: y.relu(),
        lambda y: y.sqrt(),
        lambda y: y.log(),
        lambda y: y.sigmoid(),
        lambda y: y.sum(0, keepdim=True),
        lambda y: y.abs(),
        lambda y: 1 / y,
        lambda y: y / 3,
        lambda y: y.sin(),
        lambda y: -y,
        lambda y: y[[0, 1]],
        lambda y: y @ y.detach().clone(),
        lambda y: y.clone(),
        lambda y: y.max(0).values,
    ]
    input_written = [tried(f, lambda y, z: y.add_(1)) for f in operations]
    output_written = [tried(f, lambda y, z: z.add_(1)) for f in operations]
    return [input_written, output_written]


def a_base_that_starts_to_want_a_gradient_after_its_view(torch):
    base = torch.zeros(3)
    view = base[1:]
    base.requires_grad_()
    return [
        view.requires_grad,
        base[1:].requires_grad,
        refusal(view.add_, 1),
        refusal(base.add_, 1),
    ]


def a_view_that_starts_to_want_a_gradient(torch):
    base = torch.zeros(3)
    view = base[1:].requires_grad_()
    (view * 2).sum().backward()
    return [
        view.grad,
        base.requires_grad,
        base.grad,
        refusal(view.add_, 1),
        refusal(base.add_, 1),
        view.is_leaf,
    ]


def a_base_gets_a_history_and_its_views_follow(torch):
    v = torch.tensor([5.0, 6.0], requires_grad=True)
    base = torch.zeros(2, 2)
    old, whole = base[0], base.view(4)
    base[1] = v
    (whole * whole).sum().backward()
    return [old.requires_grad, whole.requires_grad, v.grad]


def a_gradient_that_reaches_a_view_without_history(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    with torch.no_grad():
        view = x[0]
    late = torch.zeros(2)
    row = late[0]
    late.requires_grad_()
    (view * row + view).backward()
    return [view, row, view.grad, row.grad, x.grad, late.grad, (view * 2).requires_grad, view[None]]


def views_made_without_recording(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = x * 1
    with torch.no_grad():
        view = y[0]
        of_leaf = x[0]
        of_constant = torch.zeros(2)[0]
    return [
        view.requires_grad,
        view.is_leaf,
        of_leaf.requires_grad,
        refusal(view.mul_, 2),
        refusal(of_leaf.mul_, 2),
        refusal(of_constant.mul_, 2),
        refusal(of_constant.mul_, x[0]),
    ]


def a_view_made_without_recording_and_written_so(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = x * 1
    with torch.no_grad():
        view = y[0]
        view.mul_(10)
    (y * 3).sum().backward()
    return [y.detach(), x.grad, view.requires_grad, y._version]


def a_view_that_has_lost_its_history(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    with torch.no_grad():
        view = x[0]
        x.mul_(2)
    return [
        view,
        view.requires_grad,
        refusal(lambda: view.is_leaf),
        refusal(lambda: view * 2),
        refusal(lambda: view.grad_fn),
        view.detach() * 2,
    ]


def a_view_of_a_view_made_without_recording(torch):
    y = torch.tensor([1.0, 2.0], requires_grad=True) * 1
    with torch.no_grad():
        view = y.view(2, 1)
    again = view[0]
    return [again, again.requires_grad, refusal(again.mul_, 2).split(":")[0]]


def a_view_made_while_recording_and_written_without(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = x * 1
    view = y[0]
    with torch.no_grad():
        view.mul_(10)
        y.add_(1)
    (y.sum() + view).backward()
    return [y, view.requires_grad, x.grad]


def detach_in_place_of_a_base_with_views(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = x * 1
    view = y[0]
    y.detach_()
    found = [y.requires_grad, view.requires_grad]
    (view * 3).backward()
    return [*found, x.grad]


def detaching_and_writing_the_detached(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = x * 1
    d = y.detach()
    d.mul_(x * 2)
    return [d, d.requires_grad, y, y._version, *torch.autograd.grad(d.sum(), x)]


def a_view_of_something_detached(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    view = (x * 1).detach()[0]
    view.mul_(x[1])
    return [view, *torch.autograd.grad(view, x)]


def setting_data_keeps_the_history_of_others(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = x * x
    x.data = torch.tensor([10.0, 20.0])
    y.sum().backward()
    return [x.grad, x]


def data_is_another_tensor_of_the_same_memory(torch):
    x = torch.tensor([1.0, 2.0])
    d = x.data
    d[0] = 9.0
    return [d is x, d is x.data, x, torch.tensor([3.0]).data.requires_grad]


def writing_into_a_slice_of_a_result_many_times(torch):
    x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    out = torch.zeros(3)
    for i in range(3):
        out[i] = x[i] * (out[i - 1] if i else 1)
    out[-1].backward()
    return [out.detach(), x.grad, out._version]


def filling_a_table_row_by_row(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    table = torch.zeros(3, 2)
    for i in range(3):
        table[i] = x**i
    (table * torch.tensor([[1.0], [10.0], [100.0]])).sum().backward()
    return [table.detach(), x.grad]


def iterating_over_rows_and_writing_them(torch):
    x = torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
    y = x * 1
    return [refusal(lambda: [row.mul_(2) for row in y]).split(":")[0], y._version]


def rows_that_were_iterated_over_and_then_written(torch):
    x = torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
    y = x * 1
    first, second = y
    y.mul_(2)
    constant = torch.ones(2, 2)
    for row in constant:
        row.mul_(3)
    return [
        refusal(lambda: first * 2).split(":")[0],
        second.detach(),
        refusal(lambda: y[0] * 2),
        constant,
    ]


def writing_an_indexed_copy_does_not_write_the_original(torch):
    x = torch.tensor([1.0, 2.0])
    x[[0, 1]].mul_(5)
    x[x > 1].zero_()
    first = x.clone()
    x[[0, 1]] *= 5
    x[x > 5] -= 1
    return [first, x]


def an_in_place_result_is_the_same_object(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = x * 1
    before, node = y, y.grad_fn
    y *= 2
    return [y is before, y.grad_fn is node, y.add_(1) is y, type(y.grad_fn).__name__]


def names_of_nodes_after_writes(torch):
    x = torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)

    def name(write, look=lambda y: y):
        y = x * 1
        write(y)
        return type(look(y).grad_fn).__name__

    return [
        name(lambda y: y.add_(1)),
        name(lambda y: y[0].add_(1)),
        name(lambda y: y.T.mul_(2)),
        name(lambda y: y.zero_()),
        name(lambda y: y.__setitem__(0, 1.0)),
        name(lambda y: y.__setitem__([0, 1], 1.0)),
        name(lambda y: y.copy_(x)),
        name(lambda y: y[0].add_(1), lambda y: y[1]),
        name(lambda y: y.add_(1), lambda y: y.T),
        name(lambda y: y.__setitem__(y > 2, 0.0)),
        name(lambda y: y.fill_(1.0)),
    ]


def the_graph_behind_a_write_through_a_view(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = x * 1
    y[0].mul_(x[1])
    node = y.grad_fn
    return [type(node).__name__, type(node.next_functions[0][0]).__name__]


def retained_gradient_of_a_view_after_a_write_to_its_base(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = x * 1
    view = y[0]
    view.retain_grad()
    y.mul_(3)
    (view * 5 + y.sum()).backward()
    return [view.grad, view.retains_grad, x.grad]


def retained_gradients_of_a_base_and_its_view(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = x * 1
    y.retain_grad()
    view = y[0]
    view.retain_grad()
    view.mul_(3)
    (y * 5).sum().backward()
    return [y.grad, view.grad, x.grad]


def a_write_with_a_gradient_into_something_saved_already(torch):
    a = torch.tensor([2.0], requires_grad=True)
    b = torch.tensor([3.0])
    c = a * b
    b.mul_(2)
    return [refusal(c.backward), refusal((a * b).backward)]


def a_constant_saved_and_then_written(torch):
    a = torch.tensor([2.0], requires_grad=True)
    b = torch.tensor([3.0])
    c = a + b
    b.mul_(2)
    c.backward()
    return a.grad


def a_zero_dimensional_result_written(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = x.sum()
    y += 1
    y *= y.detach()
    y.backward()
    return [y, x.grad, y._version]


def adding_up_a_total_in_place(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    total = torch.zeros(())
    for i in range(3):
        total += (x * i).sum()
    total.backward()
    return [total, x.grad, total.is_leaf, total.requires_grad]


def writing_a_tensor_into_itself(torch):
    x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    y = x * 1
    y.copy_(y)
    y[:] = y
    y[1:] = y[1:]
    y.sum().backward()
    return [y.detach(), x.grad]


def shuffling_by_assignment(torch):
    x = torch.arange(3.0).requires_grad_()
    y = x * 1
    y[torch.tensor([2, 0, 1])] = y.clone()
    (y * torch.tensor([1.0, 10.0, 100.0])).sum().backward()
    return [y.detach(), x.grad]


def an_optimiser_step_after_forward_and_before_backward(torch):
    w = torch.tensor([2.0], requires_grad=True)
    w.grad = torch.tensor([1.0])
    optimiser = torch.optim.SGD([w], lr=0.5)
    loss = w * w
    optimiser.step()
    return [w, refusal(loss.backward)]


def assigning_gradients_by_hand(torch):
    w = torch.tensor([2.0, 3.0], requires_grad=True)
    w.grad = torch.tensor([1.0, 1.0])
    kept = w.grad
    (w * 5).sum().backward()
    return [w.grad, w.grad is kept, kept]


def wrong_gradients_by_hand(torch):
    w = torch.tensor([2.0, 3.0], requires_grad=True)
    constant = torch.tensor([1.0, 2.0])
    constant.grad = torch.tensor([3.0, 4.0])
    return [
        refusal(setattr, w, "grad", 1.0)[:9],
        refusal(setattr, w, "grad", torch.zeros(3))[:12],
        refusal(setattr, w, "grad", torch.zeros(2, dtype=torch.float64))[:12],
        refusal(setattr, w, "grad", w)[:12],
        constant.grad,
    ]


PROGRAMS = tuple(
    value
    for value in list(globals().values())
    if callable(value) and getattr(value, "__module__", "") == __name__
)
