"""Programs that go back a second time, or that overwrite what an operation may have saved."""

from __future__ import annotations

VALUES = {
    "x": "torch.tensor([[0.2, 0.7, 0.4], [0.9, 0.1, 0.6]], requires_grad=True)",
    "y": "torch.tensor([[0.5, 0.3, 0.8], [0.25, 0.75, 0.45]])",
    "labels": "torch.tensor([2, 0])",
    # The gradient after two passes through what f makes of x.
    "again": "lambda f: (lambda out: (passed(out), passed(out), x.grad)[2])(f(x))",
    "passed": "lambda out: out.backward(torch.ones_like(out))",
    # The same after one, with the output or the input of f overwritten before it.
    "written": "lambda f, which: after_a_write(which, f, x * 1)",
    "after_a_write": "lambda which, f, z: overwritten(which, z, f(z))",
    "overwritten": "lambda which, z, out: (tripled(out if which == 'out' else z), passed(out), "
    "x.grad)[2]",
    "tripled": "lambda z: z.detach().mul_(3)",
    # The names of the nodes behind a result, along the first edge of each.
    "nodes": "lambda f: names(f(x).grad_fn)",
    "names": "lambda node: [node.name(), *before(node.next_functions[:1])]",
    "before": "lambda found: names(found[0][0]) if found else []",
}

EXPRESSIONS = """
# a second pass where nothing was saved
again(lambda x: x % 2)
again(lambda x: x % y)
again(lambda x: x.fmod(2))
again(lambda x: x.fmod(y))
again(lambda x: y % x)
again(lambda x: 2 % (x + 3))
again(lambda x: x.add(y, alpha=2))
again(lambda x: y.add(x, alpha=2))
again(lambda x: x.sub(y, alpha=0.5))
again(lambda x: y.sub(x, alpha=0.5))
again(lambda x: x.add(1, alpha=3))
again(lambda x: (x * 1).add_(y, alpha=3))
again(lambda x: x.lerp(y, 0.25))
again(lambda x: y.lerp(x, 0.25))
again(lambda x: x.lerp(y, y))
again(lambda x: torch.deg2rad(x))
again(lambda x: torch.rad2deg(x))
again(lambda x: x.repeat_interleave(2, 1))
again(lambda x: x.repeat_interleave(3, 0))
again(lambda x: x.repeat_interleave(2))
again(lambda x: x.repeat_interleave(torch.tensor([1, 2]), 0))
again(lambda x: x.addcmul(y, y))
again(lambda x: y.addcmul(x, y))
again(lambda x: torch.addmm(x, y[:, :2], y[:2]))
again(lambda x: torch.addmm(x, y[:, :2], y[:2], beta=3))
again(lambda x: torch.addmm(y, x[:, :2], y[:2]))
again(lambda x: F.linear(y, y, x[0, :2]))
again(lambda x: y.index_add(0, labels % 2, x))
again(lambda x: x.index_add(0, labels % 2, y))
again(lambda x: x.scatter_add(0, labels[None] % 2, y))
again(lambda x: x.div(2, rounding_mode="floor"))
again(lambda x: x.div(y, rounding_mode="trunc"))
again(lambda x: y.div(x, rounding_mode="floor"))
again(lambda x: x.maximum(y))
again(lambda x: x.clamp(0, 1))
again(lambda x: F.nll_loss(x, labels))
again(lambda x: F.nll_loss(x[None], labels[:1, None].expand(1, 3) % 2, reduction="none"))
again(lambda x: F.cross_entropy(x, labels))
again(lambda x: F.avg_pool1d(x, 2))
again(lambda x: F.avg_pool2d(x[None], 2, 1))
again(lambda x: F.adaptive_avg_pool1d(x, 2))
again(lambda x: F.conv1d(y[None], y[:, :, None].expand(2, 3, 2)[:, :2], x[0, :2]))
again(lambda x: F.layer_norm(y, (3,), y[0], x[0]))
again(lambda x: F.batch_norm(y, None, None, y[0], x[0], True))
again(lambda x: F.silu(x))
again(lambda x: x.logit())
# what is recorded
nodes(lambda x: x.add(y, alpha=2))
nodes(lambda x: x.double().sub(y, alpha=2))
nodes(lambda x: x.lerp(y, 0.5))
nodes(lambda x: x.lerp(y, y))
nodes(lambda x: torch.deg2rad(x))
nodes(lambda x: torch.rad2deg(x))
nodes(lambda x: x.repeat_interleave(2, 1))
nodes(lambda x: x.repeat_interleave(2))
# results and arguments written to before the pass
written(lambda x: F.silu(x), "out")
written(lambda x: F.silu(x), "in")
written(lambda x: F.silu(x, inplace=True), "out")
written(lambda x: x.logit(), "out")
written(lambda x: x.logit(), "in")
written(lambda x: x.logit(eps=0.3), "out")
written(lambda x: F.cross_entropy(x, labels), "in")
written(lambda x: F.cross_entropy(x, labels), "out")
written(lambda x: F.cross_entropy(x, labels, reduction="none"), "in")
written(lambda x: F.cross_entropy(x.T, torch.tensor([1, 0, 1])), "in")
written(lambda x: F.log_softmax(x, 1), "out")
written(lambda x: x.div(y, rounding_mode="floor"), "in")
written(lambda x: x.lerp(y, 0.5), "in")
written(lambda x: x.add(y, alpha=2), "out")
written(lambda x: x.repeat_interleave(2, 1), "out")
written(lambda x: x.repeat_interleave(2, 1), "in")
written(lambda x: torch.deg2rad(x), "in")
# values
slope(lambda x: x.logit(), [0.2, 0.5, 0.0, 1.0, -0.5, 1.5, nan])
slope(lambda x: x.logit(eps=0.25), [0.2, 0.25, 0.5, 0.75, 0.0, 1.5])
slope(lambda x: F.silu(x), [-100.0, -1.0, 0.0, 1.0, 100.0])
slope(lambda x: x.repeat_interleave(0, 0), [1.0, 2.0])
slope(lambda x: x.repeat_interleave(3), [1.0, 2.0])
torch.tensor(2.0).repeat_interleave(3)
torch.tensor([[1, 2], [3, 4]]).repeat_interleave(-1)
torch.zeros(0, 2).repeat_interleave(2, 1)
"""


def overwriting_scores_leaves_the_second_derivative_right(torch):
    w = torch.tensor([[0.5, -1.0, 2.0], [1.0, 0.0, 0.5]], requires_grad=True)
    scores = w * 2
    loss = torch.nn.functional.cross_entropy(scores, torch.tensor([2, 0]))
    with torch.no_grad():
        scores.zero_()
    (first,) = torch.autograd.grad(loss, w, create_graph=True)
    (second,) = torch.autograd.grad((first * first).sum(), w)
    return [first, second]


PROGRAMS = (overwriting_scores_leaves_the_second_derivative_right,)
