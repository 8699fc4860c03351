"""Programs about operations of one's own: ``autograd.Function`` and its context."""

# ruff: noqa: E501 -- a program in a table is one line, however long

from __future__ import annotations

from compared.refusals import refusal

EXPRESSIONS = """
torch.autograd.Function.apply(t(1.0))
torch.autograd.Function.forward(None)
function(lambda ctx, x: x * 2, lambda ctx, g: g * 2).apply(leaf([1.0]))
function(lambda ctx, x: x * 2, lambda ctx, g: g * 2).apply(t([1.0]))
function(lambda ctx, x: x * 2, lambda ctx, g: g * 2).apply(leaf([1.0])).grad_fn.name()
type(function(lambda ctx, x: x * 2, lambda ctx, g: g * 2).apply(leaf([1.0])).grad_fn).__name__
function(lambda ctx, x: x * 2, lambda ctx, g: g * 2).apply()
function(lambda ctx, x: x * 2, lambda ctx, g: g * 2).apply(x=leaf([1.0]))
function(lambda ctx, x: x * 2, lambda ctx, g: g * 2).apply(leaf([1.0]), leaf([1.0]))
function(lambda ctx, x: x.shape, lambda ctx, g: g).apply(leaf([1.0]))
function(lambda ctx, x: None, lambda ctx, g: g).apply(leaf([1.0]))
function(lambda ctx, x: 5, lambda ctx, g: g).apply(leaf([1.0]))
function(lambda ctx, x: 5, lambda ctx, g: g).apply(t([1.0]))
function(lambda ctx, x: [x * 1, x * 2], lambda ctx, g: g).apply(leaf([1.0]))
function(lambda ctx, x: (x * 1, 5, "a", None), lambda ctx, *g: g[0]).apply(leaf([1.0]))
function(lambda ctx, x: (x * 1,), lambda ctx, *g: g[0]).apply(leaf([1.0]))
function(lambda ctx, x: (), lambda ctx, *g: None).apply(leaf([1.0]))
function(lambda ctx, x: x > 0, lambda ctx, g: g).apply(leaf([1.0]))
function(lambda ctx, x: x.long(), lambda ctx, g: g).apply(leaf([1.0]))
function(lambda ctx, x: (x > 0, x * 1), lambda ctx, g, h: h).apply(leaf([1.0]))
function(lambda ctx, x: x.double(), lambda ctx, g: g).apply(leaf([1.0]))
function(lambda ctx, x: x, lambda ctx, g: g * 2).apply(leaf([1.0]))
function(lambda ctx, x: x.view(1, 1), lambda ctx, g: g.view(1)).apply(leaf([1.0]))
function(lambda ctx, x: x.detach(), lambda ctx, g: g).apply(leaf([1.0]))
function(lambda ctx, x: t([3.0]), lambda ctx, g: g).apply(leaf([1.0]))
function(lambda ctx, x: (x * 2).requires_grad, lambda ctx, g: g).apply(t([1.0]))
function(lambda ctx, x: torch.is_grad_enabled(), lambda ctx, g: g).apply(t([1.0]))
function(lambda ctx, x: x.requires_grad, lambda ctx, g: g).apply(leaf([1.0]))
function(lambda ctx, x, y: ctx.needs_input_grad, lambda ctx, g: g).apply(leaf([1.0]), t(2.0))
function(lambda ctx, x, *y: ctx.needs_input_grad, None).apply(t([1.0]), 2, "a", None, leaf(1.0))
function(lambda ctx, x: ctx.saved_tensors, None).apply(leaf([1.0]))
function(lambda ctx, x: ctx.no_such_thing, None).apply(leaf([1.0]))
custom(lambda ctx, x: x * 2, lambda ctx, g: g * 2)
custom(lambda ctx, x: x * 2, lambda ctx, g: g * 100)
custom(lambda ctx, x: x * 2, lambda ctx, g: None)
custom(lambda ctx, x: x * 2, lambda ctx, g: 2.0)
custom(lambda ctx, x: x * 2, lambda ctx, g: (g, None))
custom(lambda ctx, x: x * 2, lambda ctx, g: (g, g))
custom(lambda ctx, x: x * 2, lambda ctx, g: (g, None, None))
custom(lambda ctx, x: x * 2, lambda ctx, g: ())
custom(lambda ctx, x: x * 2, lambda ctx, g: [g])
custom(lambda ctx, x: x * 2, lambda ctx, g: g.double())
custom(lambda ctx, x: x * 2, lambda ctx, g: g.long())
custom(lambda ctx, x: x * 2, lambda ctx, g: g.sum())
custom(lambda ctx, x: x * 2, lambda ctx, g: g.expand(3, 2))
custom(lambda ctx, x: x * 2, lambda ctx, g: g.reshape(2, 1))
custom(lambda ctx, x: x * 2, lambda ctx, g: t([1.0, 2.0, 3.0]))
custom(lambda ctx, x: x * 2, lambda ctx, g: g.nonsense)
custom(lambda ctx, x: x * 2, lambda ctx: None)
custom(lambda ctx, x: x * 2, lambda ctx, g, h: g)
custom(lambda ctx, x: (ctx.save_for_backward(x), x * x)[1], lambda ctx, g: g * 2 * ctx.saved_tensors[0])
custom(lambda ctx, x: (ctx.save_for_backward(x, None), x)[1], lambda ctx, g: g * (2 if ctx.saved_tensors[1] is None else 3))
custom(lambda ctx, x: (ctx.save_for_backward(x.exp()), x)[1], lambda ctx, g: g * ctx.saved_tensors[0])
custom(lambda ctx, x: (ctx.save_for_backward(5), x)[1], lambda ctx, g: g)
custom(lambda ctx, x: (ctx.save_for_backward([x]), x)[1], lambda ctx, g: g)
custom(lambda ctx, x: (ctx.save_for_backward(x), ctx.save_for_backward(), x)[2], lambda ctx, g: g * len(ctx.saved_tensors))
custom(lambda ctx, x: (setattr(ctx, "kept", x), x * 1)[1], lambda ctx, g: g * ctx.kept)
custom(lambda ctx, x: (setattr(ctx, "factor", 3), x * 1)[1], lambda ctx, g: g * ctx.factor)
custom(lambda ctx, x: x.clone(), lambda ctx, g: g.mul_(3))
custom(lambda ctx, x: x.clone(), lambda ctx, g: (ctx.needs_input_grad[0] and g) * 2)
custom(lambda ctx, x: x.clone(), lambda ctx, g: g * (5 if g.requires_grad else 7))
custom(lambda ctx, x: x.clone(), lambda ctx, g: g * (5 if torch.is_grad_enabled() else 7))
custom(lambda ctx, x: (ctx.mark_non_differentiable(x), x)[1], lambda ctx, g: g)
custom(lambda ctx, x: (ctx.mark_dirty(x), x)[1], lambda ctx, g: g)
custom(lambda ctx, x: (ctx.mark_dirty(x), x.mul_(2))[1], lambda ctx, g: g)
custom(lambda ctx, x: x.mul_(2), lambda ctx, g: g * 2)
"""


def by_setup_context(torch):
    class Cube(torch.autograd.Function):
        @staticmethod
        def forward(x, factor):
            return x**3 * factor

        @staticmethod
        def setup_context(ctx, inputs, output):
            x, ctx.factor = inputs
            ctx.save_for_backward(x, output)

        @staticmethod
        def backward(ctx, g):
            x, out = ctx.saved_tensors
            return g * 3 * out / x, None

    x = torch.tensor([2.0, 3.0], requires_grad=True)
    y = Cube.apply(x, 10)
    y.sum().backward()
    return [y, x.grad]


def several_outputs_of_which_some_are_used(torch):
    seen = []

    class Split(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2, x * 3, x * 5

        @staticmethod
        def backward(ctx, a, b, c):
            seen.append([g.tolist() for g in (a, b, c)])
            return 2 * a + 3 * b + 5 * c

    x = torch.tensor([1.0, 2.0], requires_grad=True)
    a, b, c = Split.apply(x)
    c.sum().backward()
    a, b, c = Split.apply(x)
    (a * b).sum().backward()
    return [seen, x.grad, a, [type(t.grad_fn).__name__ for t in (a, b, c)]]


def gradients_that_are_not_materialised(torch):
    seen = []

    class Split(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.set_materialize_grads(False)
            return x * 2, x * 3

        @staticmethod
        def backward(ctx, a, b):
            seen.append([a is None, b is None])
            return 2 * a if b is None else 3 * b

    x = torch.tensor([1.0], requires_grad=True)
    Split.apply(x)[0].backward()
    Split.apply(x)[1].backward()
    return [seen, x.grad]


def outputs_without_a_gradient(torch):
    class Sorted(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            positions = torch.tensor([1, 0])
            ctx.mark_non_differentiable(positions)
            ctx.save_for_backward(positions)
            return x[positions], positions

        @staticmethod
        def backward(ctx, g, of_positions):
            (positions,) = ctx.saved_tensors
            out = torch.zeros(2)
            out[positions] = g
            return out

    x = torch.tensor([5.0, 2.0], requires_grad=True)
    values, positions = Sorted.apply(x)
    (values * torch.tensor([1.0, 10.0])).sum().backward()
    return [values, positions, x.grad, positions.requires_grad]


def what_backward_gets_for_an_output_without_gradient(torch):
    seen = []

    class Two(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            whole, part = x * 1, x * 2
            ctx.mark_non_differentiable(part)
            return whole, part

        @staticmethod
        def backward(ctx, g, h):
            seen.append(None if h is None else h.tolist())
            return g

    x = torch.tensor([5.0, 2.0], requires_grad=True)
    whole, part = Two.apply(x)
    whole.sum().backward()
    return [seen, part, part.is_leaf]


def arguments_that_are_not_tensors(torch):
    class Scaled(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, factor, name=None, others=()):
            ctx.factor = factor
            return x * factor + len(others)

        @staticmethod
        def backward(ctx, g):
            return g * ctx.factor, None, None, None

    x = torch.tensor([1.0], requires_grad=True)
    y = Scaled.apply(x, 3, "a", [1, 2])
    z = Scaled.apply(x, 3)
    y.backward()
    return [y, z, x.grad, refusal(z.backward)]


def a_gradient_for_what_is_no_tensor(torch):
    class Scaled(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, factor):
            return x * factor

        @staticmethod
        def backward(ctx, g):
            return g, g

    x = torch.tensor([1.0], requires_grad=True)
    return refusal(Scaled.apply(x, 3.0).backward)


def a_gradient_for_a_tensor_that_wants_none(torch):
    class Product(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, y):
            ctx.save_for_backward(x, y)
            return x * y

        @staticmethod
        def backward(ctx, g):
            x, y = ctx.saved_tensors
            return g * y, g * x

    x, y = torch.tensor([2.0], requires_grad=True), torch.tensor([3.0])
    Product.apply(x, y).backward()
    return [x.grad, y.grad]


def a_tensor_given_twice(torch):
    class Product(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, y):
            ctx.save_for_backward(x, y)
            return x * y

        @staticmethod
        def backward(ctx, g):
            x, y = ctx.saved_tensors
            return g * y, g * x

    x = torch.tensor([2.0], requires_grad=True)
    Product.apply(x, x).backward()
    return x.grad


def tensors_in_a_list_are_constants(torch):
    class Sum(torch.autograd.Function):
        @staticmethod
        def forward(ctx, parts):
            return parts[0] + parts[1]

        @staticmethod
        def backward(ctx, g):
            return None

    x = torch.tensor([2.0], requires_grad=True)
    return [Sum.apply([x, x]).requires_grad, Sum.apply([x, x])]


def double_backward_through_a_function(torch):
    class Cube(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x**3

        @staticmethod
        def backward(ctx, g):
            (x,) = ctx.saved_tensors
            return g * 3 * x * x

    x = torch.tensor([2.0], requires_grad=True)
    found, y = [], Cube.apply(x)
    for _ in range(3):
        (y,) = torch.autograd.grad(y.sum(), x, create_graph=True)
        found.append(y.detach())
    return found


def double_backward_through_a_saved_output(torch):
    class Exp(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            out = x.exp()
            ctx.save_for_backward(out)
            return out

        @staticmethod
        def backward(ctx, g):
            (out,) = ctx.saved_tensors
            return g * out

    x = torch.tensor([0.5], requires_grad=True)
    found, y = [], Exp.apply(x)
    for _ in range(3):
        (y,) = torch.autograd.grad(y.sum(), x, create_graph=True)
        found.append(y.detach())
    return found


def double_backward_forgets_what_was_saved_on_ctx_as_an_intermediate(torch):
    class Square(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            twice = x * 2
            ctx.save_for_backward(twice)
            return x * x

        @staticmethod
        def backward(ctx, g):
            return g * ctx.saved_tensors[0]

    x = torch.tensor([2.0], requires_grad=True)
    (first,) = torch.autograd.grad(Square.apply(x).sum(), x, create_graph=True)
    return [first.detach(), first.requires_grad, refusal(torch.autograd.grad, first, x)]


def once_differentiable_in_use(torch):
    once = torch.autograd.function.once_differentiable

    class Square(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x * x

        @staticmethod
        @once
        def backward(ctx, g):
            (x,) = ctx.saved_tensors
            return g * 2 * x

    x = torch.tensor([2.0], requires_grad=True)
    Square.apply(x).backward()
    (first,) = torch.autograd.grad(Square.apply(x), x, create_graph=True)
    return [x.grad, first.detach(), first.requires_grad, refusal(first.backward)]


def writing_in_place_and_saying_so(torch):
    class Double(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.mark_dirty(x)
            return x.mul_(2)

        @staticmethod
        def backward(ctx, g):
            return g * 2

    leaf = torch.tensor([1.0, 2.0], requires_grad=True)
    x = leaf * 1
    y = Double.apply(x)
    (y * x).sum().backward()
    return [y is x, y.detach(), leaf.grad, x._version, type(x.grad_fn).__name__]


def writing_in_place_into_a_leaf(torch):
    class Double(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.mark_dirty(x)
            return x.mul_(2)

        @staticmethod
        def backward(ctx, g):
            return g * 2

    leaf = torch.tensor([1.0, 2.0], requires_grad=True)
    constant = torch.tensor([1.0, 2.0])
    return [
        refusal(Double.apply, leaf),
        Double.apply(constant),
        constant._version,
        constant.requires_grad,
    ]


def writing_in_place_into_a_view(torch):
    class Double(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.mark_dirty(x)
            return x.mul_(2)

        @staticmethod
        def backward(ctx, g):
            return g * 2

    leaf = torch.tensor([1.0, 2.0], requires_grad=True)
    base = leaf * 1
    Double.apply(base[0])
    (base * torch.tensor([3.0, 5.0])).sum().backward()
    return [base.detach(), leaf.grad, refusal(Double.apply, leaf[0])]


def writing_in_place_what_was_saved_before(torch):
    class Double(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.mark_dirty(x)
            return x.mul_(2)

        @staticmethod
        def backward(ctx, g):
            return g * 2

    leaf = torch.tensor([1.0, 2.0], requires_grad=True)
    x = leaf * 1
    z = x * x
    Double.apply(x)
    return refusal(z.sum().backward)


def marking_what_is_no_input_as_dirty(torch):
    class Odd(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            out = x * 2
            ctx.mark_dirty(out)
            return out

        @staticmethod
        def backward(ctx, g):
            return g * 2

    leaf = torch.tensor([1.0], requires_grad=True)
    y = Odd.apply(leaf)
    y.backward()
    return [y, leaf.grad]


def writing_to_a_saved_input_before_backward(torch):
    class Square(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x * x

        @staticmethod
        def backward(ctx, g):
            return g * 2 * ctx.saved_tensors[0]

    leaf = torch.tensor([1.0, 2.0], requires_grad=True)
    x = leaf * 1
    y = Square.apply(x)
    x.add_(1)
    return refusal(y.sum().backward)


def writing_to_a_saved_output_before_backward(torch):
    class Exp(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            out = x.exp()
            ctx.save_for_backward(out)
            return out

        @staticmethod
        def backward(ctx, g):
            return g * ctx.saved_tensors[0]

    leaf = torch.tensor([1.0, 2.0], requires_grad=True)
    y = Exp.apply(leaf)
    y.add_(1)
    return refusal(y.sum().backward)


def writing_to_one_of_several_outputs(torch):
    class Split(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2, x * 3

        @staticmethod
        def backward(ctx, a, b):
            return 2 * a + 3 * b

    leaf = torch.tensor([1.0, 2.0], requires_grad=True)
    a, b = Split.apply(leaf)
    a.mul_(10)
    (a + b).sum().backward()
    return [a.detach(), leaf.grad]


def an_output_that_is_a_view_of_the_input(torch):
    class First(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x[0]

        @staticmethod
        def backward(ctx, g):
            out = torch.zeros(2)
            out[0] = g
            return out

    leaf = torch.tensor([1.0, 2.0], requires_grad=True)
    x = leaf * 1
    y = First.apply(x)
    y.backward()
    return [y, leaf.grad]


def an_input_returned_as_it_is(torch):
    class Reversal(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x

        @staticmethod
        def backward(ctx, g):
            return -g

    leaf = torch.tensor([1.0, 2.0], requires_grad=True)
    y = Reversal.apply(leaf)
    y.sum().backward()
    return [y is leaf, y.is_leaf, leaf.grad, leaf.requires_grad, y]


def an_input_returned_by_view_as(torch):
    class Reversal(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, strength):
            ctx.strength = strength
            return x.view(x.shape)

        @staticmethod
        def backward(ctx, g):
            return -g * ctx.strength, None

    leaf = torch.tensor([1.0, 2.0], requires_grad=True)
    Reversal.apply(leaf * 2, 0.5).sum().backward()
    return leaf.grad


def a_straight_through_estimator(torch):
    class Threshold(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return (x > 0).float()

        @staticmethod
        def backward(ctx, g):
            return g

    x = torch.tensor([-1.0, 2.0], requires_grad=True)
    y = Threshold.apply(x)
    (y * torch.tensor([3.0, 4.0])).sum().backward()
    return [y, x.grad]


def numpy_inside_a_function(torch):
    class Sine(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return torch.from_numpy(x.detach().numpy() ** 2)

        @staticmethod
        def backward(ctx, g):
            (x,) = ctx.saved_tensors
            return torch.as_tensor(2 * x.numpy() * g.numpy())

    x = torch.tensor([3.0], requires_grad=True)
    y = Sine.apply(x)
    y.backward()
    return [y, x.grad]


def a_graph_inside_backward(torch):
    class Square(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x * x

        @staticmethod
        def backward(ctx, g):
            (x,) = ctx.saved_tensors
            with torch.enable_grad():
                inner = x.detach().requires_grad_()
                (slope,) = torch.autograd.grad(inner * inner, inner)
            return g * slope

    x = torch.tensor([3.0], requires_grad=True)
    Square.apply(x).backward()
    return x.grad


def a_graph_inside_forward(torch):
    class Slope(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            with torch.enable_grad():
                inner = x.detach().requires_grad_()
                inner.sin().backward()
            return inner.grad

        @staticmethod
        def backward(ctx, g):
            return g

    x = torch.tensor(0.0, requires_grad=True)
    y = Slope.apply(x)
    y.backward()
    return [y, x.grad]


def saved_values_after_backward(torch):
    contexts = []

    class Square(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            contexts.append(ctx)
            return x * x

        @staticmethod
        def backward(ctx, g):
            return g * 2 * ctx.saved_tensors[0]

    x = torch.tensor([3.0], requires_grad=True)
    y = Square.apply(x)
    before = [value.item() for value in contexts[0].saved_tensors]
    y.backward(retain_graph=True)
    y.backward()
    return [before, refusal(lambda: contexts[0].saved_tensors), x.grad, refusal(y.backward)]


def an_error_in_forward(torch):
    class Broken(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            raise ValueError("broken forward")

    x = torch.tensor([3.0], requires_grad=True)
    return [refusal(Broken.apply, x), torch.is_grad_enabled()]


def an_error_in_backward(torch):
    class Broken(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, g):
            raise ValueError("broken backward")

    x = torch.tensor([3.0], requires_grad=True)
    return [refusal(Broken.apply(x).backward), x.grad, torch.is_grad_enabled()]


def arguments_by_name(torch):
    class Scaled(torch.autograd.Function):
        @staticmethod
        def forward(x, factor=3):
            return x * factor

        @staticmethod
        def setup_context(ctx, inputs, output):
            _, ctx.factor = inputs

        @staticmethod
        def backward(ctx, g):
            return g * ctx.factor, None

    x = torch.tensor([1.0], requires_grad=True)
    results = [Scaled.apply(x), Scaled.apply(x=x), Scaled.apply(x, factor=5)]
    for y in results:
        y.backward()
    return [results, x.grad]


def a_written_input_that_is_not_returned(torch):
    class Double(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.mark_dirty(x)
            x.mul_(2)
            return x * 1

    Double.apply(torch.tensor([1.0], requires_grad=True) * 1)


def a_function_that_inherits(torch):
    class Base(torch.autograd.Function):
        factor = 2

        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x * x

        @staticmethod
        def backward(ctx, g):
            return g * 2 * ctx.saved_tensors[0]

    class Other(Base):
        @staticmethod
        def backward(ctx, g):
            return Base.backward(ctx, g) * 10

    x = torch.tensor([3.0], requires_grad=True)
    y = Other.apply(x)
    y.backward()
    return [x.grad, type(y.grad_fn).__name__]


def a_function_without_recording(torch):
    seen = []

    class Square(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            seen.append(ctx.needs_input_grad)
            ctx.save_for_backward(x)
            return x * x

    x = torch.tensor([3.0], requires_grad=True)
    with torch.no_grad():
        y = Square.apply(x)
    return [y, y.requires_grad, seen]


def gradcheck_of_functions(torch):
    class Square(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x * x

        @staticmethod
        def backward(ctx, g):
            return g * 2 * ctx.saved_tensors[0]

    class Wrong(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * x

        @staticmethod
        def backward(ctx, g):
            return g

    x = torch.tensor([3.0, 1.0], dtype=torch.float64, requires_grad=True)
    return [
        torch.autograd.gradcheck(Square.apply, x),
        torch.autograd.gradgradcheck(Square.apply, x),
        refusal(torch.autograd.gradcheck, Wrong.apply, x),
        torch.autograd.gradcheck(Wrong.apply, x, raise_exception=False),
    ]


def hooks_on_the_outputs_of_a_function(torch):
    class Split(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2, x * 3

        @staticmethod
        def backward(ctx, a, b):
            return 2 * a + 3 * b

    x = torch.tensor([1.0], requires_grad=True)
    a, b = Split.apply(x)
    a.register_hook(lambda g: g * 10)
    b.retain_grad()
    (a * 1 + b * 2).backward()
    return [x.grad, b.grad]


def gradients_of_one_output_of_several(torch):
    class Split(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, y):
            return x * y, x + y

        @staticmethod
        def backward(ctx, a, b):
            return b, b

    x = torch.tensor([1.0], requires_grad=True)
    y = torch.tensor([5.0], requires_grad=True)
    a, b = Split.apply(x, y)
    return [torch.autograd.grad([a, b], [x, y], retain_graph=True), torch.autograd.grad(b, [b])]


def a_function_inside_checkpointing_hooks(torch):
    class Square(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x * x

        @staticmethod
        def backward(ctx, g):
            return g * 2 * ctx.saved_tensors[0]

    x = torch.tensor([3.0], requires_grad=True)
    with torch.autograd.graph.saved_tensors_hooks(lambda x: x * 10, lambda x: x / 10):
        y = Square.apply(x)
    (g,) = torch.autograd.grad(y, x, create_graph=True)
    (second,) = torch.autograd.grad(g, x)
    return [g.detach(), second]


PROGRAMS = tuple(
    value
    for value in list(globals().values())
    if callable(value) and getattr(value, "__module__", "") == __name__
)
