"""What random histories are made of: the statements, and what they may use besides tensors.

A statement has blanks, which ``random_histories`` fills:

``{a}``      any tensor, ``{b}`` another, best of the same shape, ``{f}`` one of floats
``{r}``      one that requires a gradient, ``{x}`` a leaf that does, ``{y}`` a result that does
``{quiet}``  a leaf without hooks
``{d}``      a dimension of the tensor named last, ``{e}`` another, ``{i}`` an index of it
``{n}``      a number, ``{m}`` another that is positive
``{loss}``   a number to differentiate
``{new}``    a new name, ``{too}`` another
``{block}``  one or two statements, indented; ``{writes}`` one that writes
``{saved}``  what a function of one's own saves; ``{kept}`` a name for what it keeps on ctx
"""

from __future__ import annotations

import copy
import pickle
import threading

VIEWS = """
{new} = {a}[{i}]
{new} = {a}[{i}]
{new} = {a}.view(-1)
{new} = {a}.view_as({b})
{new} = {a}.reshape(-1)
{new} = {a}.reshape(-1, 1)
{new} = {a}.flatten()
{new} = {a}.unflatten({d}, (1, -1))
{new} = {a}.transpose({d}, {e})
{new} = {a}.mT
{new} = {a}.permute(*reversed(range({a}.dim())))
{new} = {a}.expand(2, *{a}.shape)
{new} = {a}.expand_as({b})
{new} = {a}.unsqueeze({d})
{new} = {a}.squeeze()
{new} = {a}.squeeze({d})
{new} = {a}.unbind({d})[-1]
{new}, {too} = {a}.unbind({d})
{new} = {a}.split(2, {d})[0]
{new} = {a}.chunk(2, {d})[-1]
{new} = {a}.diagonal()
{new} = {a}.narrow({d}, 0, 1)
{new} = {a}.select({d}, 0)
{new} = {a}.detach()
{new} = {a}.data
{new} = {a}.contiguous()
{new} = {a}.to({a}.dtype)
{new} = {x}.grad
"""

RESULTS = """
{new} = {a} + {b}
{new} = {a} * {b}
{new} = {f} * {b}
{new} = {a} - {n}
{new} = {n} / {f}
{new} = {f} ** 2
{new} = {f} ** {b}
{new} = {f} % {b}
{new} = {a} * {a}
{new} = {f} * {f}.detach()
{new} = {f} @ {b}
{new} = {f} @ {f}.mT
{new} = {f}.clone()
{new} = {f}.exp()
{new} = {f}.tanh()
{new} = {f}.abs().sqrt()
{new} = {f}.sigmoid()
{new} = {f}.clamp(-1, 1)
{new} = {f}.sum()
{new} = {f}.sum({d})
{new} = {f}.mean({d}, keepdim=True)
{new} = {f}.prod()
{new} = {f}.amax({d})
{new} = {f}.max({d}).values
{new} = {f}.var()
{new} = {f}.norm()
{new} = {f}.logsumexp({d})
{new} = {f}.cumsum({d})
{new} = {f}.sort({d}).values
{new} = {a} > {n}
{new} = {f}[{f} > 0]
{new} = torch.where({f} > 0, {f}, {b})
{new} = torch.cat([{f}, {b}])
{new} = torch.stack([{f}, {f} * 2], {d})
{new} = {f}.gather({d}, torch.zeros_like({f}, dtype=torch.int64))
{new} = {f}.index_select({d}, torch.tensor([0, 0]))
{new} = {f}.masked_fill({f} > 0, {n})
{new} = {f}.to(torch.float64)
{new} = {f}.float()
{new} = {a}.bool()
{new} = torch.zeros_like({a})
{new} = F.relu({f})
{new} = F.gelu({f})
{new} = F.softmax({f}, {d})
{new} = F.log_softmax({f}, {d})
{new} = F.softplus({f})
{new} = F.leaky_relu({f}, 0.1)
{new} = F.mse_loss({f}, {b})
{new} = F.layer_norm({f}, {f}.shape[-1:])
{new} = F.linear({f}, {f})
{new} = F.normalize({f}, dim={d})
{new} = F.cross_entropy({f}, torch.zeros(len({f}), dtype=torch.int64))
"""

WRITES = """
{a}[{i}] = {n}
{a}[{i}] = {b}
{a}[{i}] *= {n}
{a}[{i}] += {b}
{a}[{a} > 0] = {n}
{a}[...] = {b}
{a} += {b}
{a} *= {n}
{a} -= {a}
{f} /= {m}
{a} **= 2
{new} = {a}.add_({b})
{a}.add_({b}, alpha={m})
{a}.sub_({n})
{a}.mul_({b})
{a}.mul_({n})
{f}.div_({m})
{f}.copy_({b})
{a}.copy_({b})
{a}.zero_()
{a}.fill_({n})
{f}.fill_({f}.sum())
{a}.clamp_(0, {m})
{f}.exp_()
{f}.tanh_()
{f}.sigmoid_()
{f}.relu_()
{f}.neg_()
{f}.sqrt_()
{f}.addcmul_({b}, {b}, value=0.5)
{f}.lerp_({b}, 0.25)
{a}.masked_fill_({a} > 0, {n})
{f}.masked_fill_({f} > 0, {f}.sum().detach())
{a}.index_add_({d}, torch.tensor([0]), {a}.narrow({d}, 0, 1).clone())
{a}.scatter_({d}, torch.zeros_like({a}, dtype=torch.int64), {n})
{a}.scatter_add_({d}, torch.zeros_like({a}, dtype=torch.int64), {a}.clone())
{a}[{i}].mul_({n})
{a}.view(-1)[:1].add_({n})
{a}.detach().mul_({n})
{a}.data.add_({n})
{f} = F.relu({f}, inplace=True)
{f} = F.leaky_relu({f}, 0.1, inplace=True)
{x}.data = {x}.data * 2
{x}.data -= 0.1
{a}.detach()[{i}] = {n}
"""

PASSES = """
{loss}.backward()
{loss}.backward()
{loss}.backward(retain_graph=True)
{new} = {loss}
{y}.backward(torch.ones_like({y}))
{y}.backward(torch.ones_like({y}), retain_graph=True)
{y}.sum().backward(create_graph=True)
{loss}.backward(inputs=[{x}])
{loss}.backward(inputs=[{x}, {y}])
torch.autograd.backward([{loss}, {y}.sum()])
{new}, = torch.autograd.grad({loss}, {x})
{new}, = torch.autograd.grad({loss}, {r}, retain_graph=True)
{new}, = torch.autograd.grad({loss}, {r}, create_graph=True)
{new}, = torch.autograd.grad({loss}, {x}, create_graph=True)
{new}, {too} = torch.autograd.grad({loss}, [{x}, {y}], allow_unused=True)
{new}, {too} = torch.autograd.grad({loss}, [{x}, {y}], materialize_grads=True)
{new}, = torch.autograd.grad({y}, {x}, {y}.detach())
{new}, = torch.autograd.grad({y}, {x}, {y}, create_graph=True)
{new}, = torch.autograd.grad(torch.autograd.grad({loss}, {x}, create_graph=True)[0].sum(), {x})
"""

GRADIENTS = """
{x}.grad = None
{x}.grad.zero_()
{x}.grad.mul_({n})
{x}.grad = torch.ones_like({x})
{x}.grad = {b}
{x}.grad = {x}.grad + {x}
{x}.grad += {n}
del {x}.grad
{y}.retain_grad()
{f}.requires_grad_()
{a}.requires_grad_(False)
{a}.requires_grad = True
{f}.detach_()
{f}.detach().requires_grad_()
{new} = {f}.detach().requires_grad_()
{new} = {f}.clone().detach().requires_grad_()
torch.optim.SGD([{x}], lr=0.1).step()
torch.optim.SGD([{x}], lr=0.1, momentum=0.9).zero_grad()
torch.optim.Adam([{x}], lr=0.1).step()
torch.nn.utils.clip_grad_norm_([{x}], 0.5)
"""

HOOKS = """
hook({r}, lambda g: g * 2)
hook({r}, lambda g: None)
hook({r}, seen.append)
hook({r}, lambda g: seen.append(g.clone()))
hook({r}, torch.zeros_like)
hook({r}, lambda g: g + {b})
hook({r}, lambda g: 5)
once({r}, lambda g: g * 3)
hook({r}, lambda g: g * 2).remove()
{x}.register_post_accumulate_grad_hook(lambda p: seen.append(p.grad))
{x}.register_post_accumulate_grad_hook(lambda p: setattr(p, "grad", None))
{x}.register_post_accumulate_grad_hook(lambda p: p.data.sub_(p.grad))
{x}.register_post_accumulate_grad_hook(lambda p: p.grad.mul_(2))
"""

MODES = """
with torch.no_grad():{block}
with torch.no_grad():{block}
with torch.no_grad(), torch.enable_grad():{block}
with torch.set_grad_enabled(False):{block}
with torch.set_grad_enabled(True):{block}
with torch.inference_mode():{writes}
with torch.inference_mode(False):{block}
with torch.autograd.graph.saved_tensors_hooks(lambda t: t * 2, lambda t: t / 2):{block}
with torch.autograd.graph.saved_tensors_hooks(lambda t: t.detach(), lambda t: t):{block}
torch.set_grad_enabled(False)
torch.set_grad_enabled(True)
"""

FUNCTIONS = """
{new} = custom({saved}, {kept}).apply({f})
{new} = custom({saved}, {kept}, once=True).apply({f})
{new} = custom({saved}, by_setup=True).apply({f})
{new} = custom({saved}, gives="same").apply({f})
{new} = custom({saved}, gives="dirty").apply({f})
{new} = custom({saved}, gives="view").apply({f})
{new} = custom({saved}, gives="constant").apply({f})
{new}, {too} = custom({saved}, {kept}, gives="two").apply({f})
{new}, {too} = custom({saved}, gives="two", materialize=False).apply({f})
{new}, {too} = custom({saved}, gives="one of two").apply({f})
{new}, {too} = custom({saved}, gives="both").apply({f})
{new} = checkpoint(lambda x: x.tanh() * {f}, {f}, use_reentrant=False)
"""

COPIES = """
{new} = copy.copy({a})
{new} = copy.deepcopy({a})
{new}, {too} = copy.deepcopy([{a}, {b}])
{new} = pickle.loads(pickle.dumps({a}))
{new}, {too} = pickle.loads(pickle.dumps([{a}, {b}]))
{new} = torch.nn.Parameter({f})
{new} = {a}
del {a}
"""

THREADS = """
in_threads(lambda: ({quiet} * 2).sum().backward(), lambda: ({quiet} * {quiet}).sum().backward())
in_threads(lambda: {quiet}.exp().sum().backward(), lambda: ({quiet} * {b}).sum().backward())
in_threads(lambda: torch.set_grad_enabled(False), lambda: {x}.data.mul_({n}))
in_threads(lambda: {quiet}.sum().backward(), lambda: {quiet}[{i}].sum().backward())
"""

TABLES = {  # with how often each is taken
    VIEWS: 20,
    RESULTS: 18,
    WRITES: 26,
    PASSES: 16,
    GRADIENTS: 9,
    HOOKS: 5,
    MODES: 7,
    FUNCTIONS: 5,
    COPIES: 4,
    THREADS: 1,
}

NAMES_ON_CTX = [
    "shape",
    "dtype",
    "name",
    "kind",
    "saved",
    "edges",
    "extra",
    "seq",
    "watched",
    "needs",
    "hooks",
    "retained",
    "outputs",
    "function",
    "_function",
    "_outputs",
    "_dirty",
    "_constant",
    "vjp",
    "_materialize",
    "next_functions",
    "metadata",
]


def scope_of(torch) -> dict:
    """What a program may use besides its own names."""
    return {
        "torch": torch,
        "F": torch.nn.functional,
        "checkpoint": torch.utils.checkpoint.checkpoint,
        "copy": copy,
        "pickle": pickle,
        "custom": lambda *args, **options: custom(torch, *args, **options),
        "hook": hook,
        "in_threads": in_threads,
        "once": once,
        "seen": [],
    }


def hook(tensor, function):
    """Register a hook. PyTorch crashes if it is at a view that retains its gradient, and is stale.

    Asking for ``grad_fn`` brings the view up to date.
    """
    tensor.grad_fn
    return tensor.register_hook(function)


def once(tensor, function):
    """Register a hook that removes itself when it is called."""

    def removing(g):
        handle.remove()
        return function(g)

    handle = hook(tensor, removing)


def in_threads(*pieces):
    """Run each piece in a thread of its own; raise the first error, in the order of the pieces."""
    errors = [None] * len(pieces)
    together = threading.Barrier(len(pieces))

    def run(position):
        together.wait()
        try:
            pieces[position]()
        except Exception as error:
            errors[position] = error

    threads = [threading.Thread(target=run, args=(position,)) for position in range(len(pieces))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for error in errors:
        if error is not None:
            raise error


def custom(
    torch, saves, keeps="factor", *, gives="one", by_setup=False, once=False, materialize=True
):
    """A ``Function`` of tanh(x) * 3.

    ``saves``: "input", "output", "middle" (tanh(x)), or "attribute" (the input, but not by
    ``save_for_backward``). ``keeps``: the name on ctx by which it keeps a number. ``gives``: what
    it returns.
    """

    def computed(x):
        middle = torch.tanh(x)
        out = middle * 3
        if gives == "dirty":
            out = x.copy_(out)
        results = {
            "one": out,
            "dirty": out,
            "constant": out,
            "same": x,
            "view": x.view(-1),
            "two": (out, middle * 2),
            "one of two": (out, x > 0),
            "both": (x, out),
        }
        return middle, results[gives]

    def noted(ctx, x, middle, result):
        setattr(ctx, keeps, 3.0)
        out = result[0] if isinstance(result, tuple) else result
        if saves == "attribute":
            ctx.x = x
        else:
            ctx.save_for_backward({"input": x, "output": out, "middle": middle}[saves])
        if gives == "dirty":
            ctx.mark_dirty(x)
        if gives == "constant":
            ctx.mark_non_differentiable(result)
        if gives == "one of two":
            ctx.mark_non_differentiable(result[1])
        if not materialize:
            ctx.set_materialize_grads(False)

    def backward(ctx, g, *others):
        saved = ctx.x if saves == "attribute" else ctx.saved_tensors[0]
        factor = getattr(ctx, keeps)
        g = sum(part for part in (g, *others) if part is not None and part.is_floating_point())
        if saves == "output":
            return g.view_as(saved) * (factor - saved * saved / factor)
        return g.view_as(saved) * factor * (1 - saved * saved)

    def forward(ctx, x):
        middle, result = computed(x)
        noted(ctx, x, middle, result)
        return result

    parts = {"forward": staticmethod(forward)}
    if by_setup:
        parts["forward"] = staticmethod(lambda x: computed(x)[1])
        parts["setup_context"] = staticmethod(
            lambda ctx, inputs, output: noted(ctx, inputs[0], inputs[0], output)
        )
    if once:
        backward = torch.autograd.function.once_differentiable(backward)
    return type("Custom", (torch.autograd.Function,), {**parts, "backward": staticmethod(backward)})
