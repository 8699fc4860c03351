"""Programs about what a custom Function keeps and returns, where gradients land, hooks of nodes."""

from __future__ import annotations

import importlib
import inspect

import numpy as np
from compared.refusals import refusal

EXPRESSIONS = ""

NAMES = """
shape dtype edges extra kind saved seq name vjp values watched function outputs are_tensors dirty
constant materialize ctx node position device register_hook backward forward save_for_backward
mark_dirty needs_input_grad _outputs _function _to_save _dirty _constant _materialize _are_tensors
"""


def any_name_may_be_kept_on_ctx(torch):
    def mean_that_keeps_its_shape_as(name):
        class Mean(torch.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                setattr(ctx, name, x.shape)
                return x.mean()

            @staticmethod
            def backward(ctx, g):
                shape = getattr(ctx, name)
                return g.expand(shape) / shape.numel()

        x = torch.ones(4, requires_grad=True)
        Mean.apply(x).backward()
        return x.grad.tolist()

    return {name: mean_that_keeps_its_shape_as(name) for name in NAMES.split()}


def what_ctx_keeps_is_seen_on_the_node(torch):
    class Power(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, power):
            ctx.power = power
            ctx.save_for_backward(x)
            return x**power

        @staticmethod
        def backward(ctx, g):
            (x,) = ctx.saved_tensors
            return g * ctx.power * x ** (ctx.power - 1), None

    y = Power.apply(torch.tensor([2.0], requires_grad=True), 3)
    node = y.grad_fn
    found = [node.power, node.saved_tensors[0].detach(), node.needs_input_grad, node.name()]
    return [*found, hasattr(node, "no_such_thing")]


def an_argument_that_is_saved_and_returned_keeps_its_own_history(torch):
    class Same(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x

        @staticmethod
        def backward(ctx, g):
            return g * 2 * ctx.saved_tensors[0]

    x = torch.tensor([1.0, 2.0], requires_grad=True)
    (g,) = torch.autograd.grad(Same.apply(x * x).sum(), x, create_graph=True)
    return g.detach(), torch.autograd.grad(g.sum(), x)


def exp_that_saves_its_output(library):
    """No program itself: those take ``torch``."""

    class Exp(library.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            y = x.exp()
            ctx.save_for_backward(y)
            return y

        @staticmethod
        def backward(ctx, g):
            return g * ctx.saved_tensors[0]

    return Exp.apply


class Doubled:
    """A pair of hooks that keep a copy, or the tensor itself."""

    def __init__(self, torch, copied):
        pack = (lambda v: v * 1) if copied else (lambda v: v)
        self.hooks = torch.autograd.graph.saved_tensors_hooks(pack, lambda v: v)


def what_hooks_keep_is_not_stale(torch):
    saving = exp_that_saves_its_output(torch)
    found = {}
    for name, function in (("exp", torch.exp), ("square", torch.square), ("Function", saving)):
        for copied in (True, False):
            leaf = torch.tensor([1.0, 2.0], requires_grad=True)
            x = leaf * 1
            with Doubled(torch, copied).hooks:
                y = function(x)
            with torch.no_grad():
                x.mul_(5)
                y.mul_(5)
            y.sum().backward()
            found[f"{name}, {'copied' if copied else 'as it is'}"] = leaf.grad
    return found


def second_derivative_through_what_hooks_keep_of_a_function(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    with Doubled(torch, copied=True).hooks:
        y = exp_that_saves_its_output(torch)(x)
    (g,) = torch.autograd.grad(y.sum(), x, create_graph=True)
    return torch.autograd.grad(g.sum(), x)


def an_argument_of_a_checkpoint_that_was_written_to(torch):
    checkpoint = importlib.import_module(f"{torch.__name__}.utils.checkpoint").checkpoint

    def written(which):
        x = torch.tensor([0.5, 1.0], requires_grad=True)
        w = torch.tensor([1.0, 2.0])
        y = checkpoint(lambda x, w: x.tanh() * x + w, x, w, use_reentrant=False)
        with torch.no_grad():
            {"x": x, "w": w, "nothing": torch.ones(2)}[which].mul_(2)
        return refusal(y.sum().backward)

    return [written(which) for which in ("x", "w", "nothing")]


# ------------------------------------------------------ what a Function returns, written to later

ALSO_A_VIEW = {
    "input": lambda x: x,
    "view of all": lambda x: x.view_as(x),
    "view": lambda x: x.view(2, 2),
    "slice": lambda x: x[:2],
    "detached": lambda x: x.detach(),
    "data": lambda x: x.data,
    "new": lambda x: x * 2,
    "view of new": lambda x: (x * 2)[:],
    "input and new": lambda x: (x, x * 2),
    "two slices": lambda x: (x[:2], x[2:]),
    "two new": lambda x: (x * 2, x * 3),
    "input twice": lambda x: (x, x),
}


def function_that_returns(torch, what):
    class F(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return ALSO_A_VIEW[what](x)

        @staticmethod
        def backward(ctx, *gs):
            return sum((g.reshape(-1).sum() for g in gs), torch.zeros(())).expand(4)

    return F.apply


def written(torch, write):
    """What ``write(apply, x, w)`` gives, or how it is refused, for each Function and input."""

    def outcome(what, make):
        w = torch.tensor([1.0, 2.0, 3.0, 4.0], requires_grad=make != "plain")
        x = w * 1 if make == "result" else w

        def apply(x):
            out = function_that_returns(torch, what)(x)
            return out[0] if isinstance(out, tuple) else out

        result = []
        refused = refusal(lambda: result.append(write(torch, apply, x)))
        grad = None if w.grad is None else w.grad.tolist()
        return [refused, *result, x.detach().tolist(), grad]

    makes = ("leaf", "result", "plain")
    return {f"{what}, {make}": outcome(what, make) for what in ALSO_A_VIEW for make in makes}


def to_the_output(torch, apply, x):
    y = apply(x)
    y.mul_(3)
    if y.requires_grad:
        y.sum().backward()
    return y.detach(), y._version


def to_the_output_unrecorded(torch, apply, x):
    y = apply(x)
    with torch.no_grad():
        y.mul_(3)
    if y.requires_grad:
        y.sum().backward()
    return y.detach()


def to_a_view_of_the_output(torch, apply, x):
    y = apply(x)
    y[:1].mul_(3)
    if y.requires_grad:
        y.sum().backward()
    return y.detach()


def to_the_input(torch, apply, x):
    y = apply(x)
    with torch.set_grad_enabled(not x.is_leaf):
        x.mul_(3)
    if y.requires_grad:
        y.sum().backward()
    return y.detach()


def after_a_call_under_no_grad(torch, apply, x):
    with torch.no_grad():
        y = apply(x)
    found = [y is x, y.requires_grad, y.is_leaf]
    y.mul_(3)
    return found, y.detach()


def with_a_recorded_factor(torch, apply, x):
    y = apply(x)
    return y.mul_(torch.ones(4, requires_grad=True)[: y.shape[0]]).detach()


def writes_to_the_output_of_a_function(torch):
    return written(torch, to_the_output)


def unrecorded_writes_to_the_output_of_a_function(torch):
    return written(torch, to_the_output_unrecorded)


def writes_to_a_view_of_the_output_of_a_function(torch):
    return written(torch, to_a_view_of_the_output)


def writes_to_the_input_of_a_function(torch):
    return written(torch, to_the_input)


def writes_after_a_function_was_called_under_no_grad(torch):
    return written(torch, after_a_call_under_no_grad)


def recorded_writes_to_the_output_of_a_function(torch):
    return written(torch, with_a_recorded_factor)


def views_made_together_say_which_of_them_is_written_to(torch):
    x = torch.ones(4, 2, requires_grad=True) * 1
    found = []
    for several in (x.unbind(), x.split(2), x.chunk(2)):
        try:
            several[1].mul_(2)
        except RuntimeError as error:
            found.append(" ".join(str(error).split()[:6]))
    return found, [row.output_nr for row in x.unbind()], (x * 2).output_nr


def a_view_made_under_no_grad_of_what_wants_no_gradient(torch):
    x = torch.ones(3)
    with torch.no_grad():
        v = x[:2]
    v.requires_grad_()
    w = v[:1]
    with torch.no_grad():
        x.mul_(2)
    return refusal(lambda: w * 1)


def leaf_and_view_made_unrecorded(torch):
    x = torch.ones(2, requires_grad=True)
    with torch.no_grad():
        return x, x[:1]


def a_view_made_under_no_grad_gets_no_gradient(torch):
    _, v = leaf_and_view_made_unrecorded(torch)
    found = [refusal(torch.autograd.grad, (v * 3).sum(), v)]
    for options in ({"allow_unused": True}, {"materialize_grads": True}):
        found.append(torch.autograd.grad((v * 3).sum(), v, **options))
    heard = []
    v.register_hook(heard.append)
    v.register_post_accumulate_grad_hook(heard.append)
    (v * 3).sum().backward()
    (v * 3).sum().backward(inputs=[v])
    return [*found, v.grad, len(heard)]


def a_view_made_under_no_grad_may_become_a_leaf(torch):
    x, v = leaf_and_view_made_unrecorded(torch)
    heard = []
    v.requires_grad_()
    v.register_hook(heard.append)
    (v * 3).sum().backward()
    x.requires_grad_(False)
    return v.grad, x.grad, heard, v.requires_grad


def a_view_made_under_no_grad_wants_what_its_base_wants(torch):
    x, v = leaf_and_view_made_unrecorded(torch)
    found = [v.requires_grad, (v * 2).requires_grad]
    x.requires_grad_(False)
    return [*found, v.requires_grad, (v * 2).requires_grad]


def a_sum_written_into_another_dtype_has_gradients_of_that_one(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    w = torch.tensor([3.0, 4.0], dtype=torch.float64, requires_grad=True)
    found = []
    for write in ("add_", "mul_"):
        y = x * 1
        getattr(y, write)(w)
        y.retain_grad()
        (y * y).sum().backward()
        found += [y.grad, x.grad.clone(), w.grad.clone()]
    return found


def inference_mode_ends_and_begins(torch):
    def state():
        return [torch.is_grad_enabled(), torch.is_inference_mode_enabled()]

    found = []
    for around in (torch.no_grad, torch.inference_mode, torch.enable_grad):
        for inside in (True, False):
            with around():
                with torch.inference_mode(inside):
                    found.append(state())
                found.append(state())
    return [*found, state()]


def what_a_write_in_a_function_returns(torch):
    class Doubled(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.mark_dirty(x)
            return x.mul_(2)

        @staticmethod
        def backward(ctx, g):
            return g * 2

    def outcome(is_leaf, recorded):
        w = torch.ones(2, requires_grad=True)
        x = w if is_leaf else w * 1
        with torch.set_grad_enabled(recorded):
            y = Doubled.apply(x)
        return [y is x, y.requires_grad, x.requires_grad, y.tolist(), x.tolist(), x._version]

    return [outcome(True, False), outcome(False, False), outcome(False, True)]


# ------------------------------------------------------------------------------ NumPy's arrays


def numpy_arrays_keep_their_shapes_to_themselves(torch):
    t = torch.arange(6.0)
    shown = t.numpy()
    shown.shape = (2, 3)
    shown[0, 1] = 10
    given = np.arange(6.0)
    taken = torch.from_numpy(given)
    given.shape = (3, 2)
    given[2, 1] = 20
    return t, taken, list(torch.as_tensor(given).shape), list(shown.shape)


def matrices_of_numpy_are_tensors_like_others(torch):
    m = torch.from_numpy(np.matrix([[1.0, 2.0], [3.0, 4.0]]))
    return m * m, m[0], torch.as_tensor(np.matrix([[1.0, 2.0]])) * 2


# ------------------------------------------------------------------------- where gradients land


def seen(x):
    return None if x is None else [x.tolist(), x.requires_grad]


def a_recorded_gradient_is_added_to_in_place_and_keeps_its_history(torch):
    x = torch.tensor([2.0, 3.0], requires_grad=True)
    (x**3).sum().backward(create_graph=True)
    first = x.grad
    for _ in range(3):
        (x**2).sum().backward()
    (again,) = torch.autograd.grad(x.grad.sum(), x)
    return seen(x.grad), x.grad is first, again


def a_recorded_pass_makes_a_new_gradient(torch):
    x = torch.tensor([2.0, 3.0], requires_grad=True)
    (x**2).sum().backward()
    first = x.grad
    (x**3).sum().backward(create_graph=True)
    return seen(x.grad), x.grad is first, seen(first)


def grad_fills_what_results_retain(torch):
    x, w = (torch.tensor([v], requires_grad=True) for v in (2.0, 3.0))
    y = x * 3
    y.retain_grad()
    z = y * y * w
    found = []
    for inputs in (x, y, w):
        torch.autograd.grad(z, inputs, retain_graph=True)
        found.append(seen(y.grad))
    torch.autograd.grad(z, x, create_graph=True)
    found.append(seen(y.grad))
    for inputs in (w, x, y):
        z.backward(inputs=[inputs], retain_graph=True)
        found.append(seen(y.grad))
    return found


def zeros_that_stand_for_no_gradient_are_recorded_too(torch):
    x, w = (torch.tensor([v], requires_grad=True) for v in (2.0, 3.0))
    return [
        [
            seen(g)
            for g in torch.autograd.grad(
                x * x,
                [x, w],
                create_graph=recorded,
                materialize_grads=True,
            )
        ]
        for recorded in (True, False)
    ]


def gradients_land_in_what_the_user_put_there(torch):
    buffer = torch.zeros(4)
    x = torch.tensor([2.0, 3.0], requires_grad=True)
    w = torch.tensor([1.0, 1.0], requires_grad=True)
    x.grad = buffer[1:3]
    (x * 2).sum().backward()
    found = [buffer.clone()]
    x.grad = w * 2
    (x * 2).sum().backward()
    found.append(x.grad.detach())
    x.grad.sum().backward()
    return [*found, w.grad]


def gradients_that_do_not_fit(torch):
    found = []
    for data in (torch.ones(3), torch.ones(1)):
        x = torch.tensor([2.0, 3.0], requires_grad=True)
        (x * 2).sum().backward()
        x.data = data
        found += [refusal((x * 2).sum().backward), x.grad]
    x = torch.tensor([2.0, 3.0], requires_grad=True)
    x.grad = torch.ones(1).expand(2)
    return [*found, refusal((x * 2).sum().backward)]


def a_gradient_lies_in_order_also_if_it_arrives_transposed(torch):
    w = torch.ones(2, 3, requires_grad=True)
    a, b = torch.arange(6.0).reshape(3, 2), torch.ones(3, 2)
    ((w.T * a).sum() + (w.T * b).sum()).backward()
    return w.grad.is_contiguous(), w.grad.view(-1)


def optimisers_refuse_memory_that_repeats(torch):
    found = {}
    for name in ("SGD", "Adam", "RMSprop", "Adagrad"):
        p = torch.nn.Parameter(torch.ones(1).expand(3))
        optimizer = getattr(torch.optim, name)([p], lr=0.1)
        (p * torch.arange(3.0)).sum().backward()
        found[name] = refusal(optimizer.step)
    return found


# ------------------------------------------------------------------------------- hooks of nodes


def hooks_of_nodes(torch):
    x = torch.tensor([2.0], requires_grad=True)
    y = x * 3
    told = []
    after = y.grad_fn.register_hook(
        lambda inputs, outputs: told.append([seen(inputs[0]), inputs[1], seen(outputs[0])])
    )
    before = y.grad_fn.register_prehook(lambda outputs: (outputs[0] * 10,))
    (y * y).backward(retain_graph=True)
    found = [x.grad.clone()]
    before.remove()
    with y.grad_fn.register_hook(lambda inputs, outputs: (inputs[0] + 1, None)):
        (y * 1).backward(retain_graph=True)
    found.append(x.grad.clone())
    after.remove()
    (y * 1).backward()
    return [*found, x.grad, told]


def a_hook_of_a_node_that_returns_too_few(torch):
    x = torch.tensor([2.0], requires_grad=True)
    y = x * 3
    y.grad_fn.register_hook(lambda inputs, outputs: (inputs[0],))
    y.backward()


def hooks_of_the_node_of_a_function(torch):
    class Double(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, g):
            return g * 2

    x = torch.tensor([2.0], requires_grad=True)
    y = Double.apply(x)
    y.grad_fn.register_hook(lambda inputs, outputs: (inputs[0] * outputs[0] * 5,))
    y.backward(torch.tensor([3.0]))
    return x.grad


PROGRAMS = tuple(
    value
    for value in list(globals().values())
    if inspect.isfunction(value)
    and value.__module__ == __name__
    and value.__code__.co_varnames[: value.__code__.co_argcount] == ("torch",)
)
