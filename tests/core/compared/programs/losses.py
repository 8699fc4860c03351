"""Programs about loss functions: values, shapes that do not fit, targets that make no sense."""

from __future__ import annotations

NUMBERS = ("mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss")
PAIRS = (
    "x, y",
    "x, y, reduction='sum'",
    "x, y, reduction='none'",
    "x, y, reduction='average'",
    "x, y[:, :1]",
    "x, y[0]",
    "x, t(1.0)",
    "y[0], x",
    "x, y[:, :2]",
    "x, i",
    "i, i",
    "x, y > 0",
    "y > 0, y > 0",
    "torch.zeros(0, 3), torch.zeros(0, 3)",
    "torch.zeros(0, 3), torch.zeros(0, 3), reduction='sum'",
    "torch.zeros(0, 3, requires_grad=True), torch.zeros(0, 3), reduction='none'",
    "t(1.0), t(2.5)",
    "x, np.ones((2, 3))",
    "np.ones((2, 3)), y",
    "x, nan * y",
    "x * inf, y, reduction='none'",
)
CLASSES = ("cross_entropy", "nll_loss")
LABELLED = (
    "x, c",
    "x, c, reduction='sum'",
    "x, c, reduction='none'",
    "x, c, reduction='average'",
    "x.detach(), c",
    "x, c.int()",
    "x, c.float()",
    "x, c.to(torch.uint8)",
    "x, c.to(torch.int16)",
    "x, t([0, 5])",
    "x, t([0, -1])",
    "x, t([0, -100])",
    "x, t([0, -100]), reduction='none'",
    "x, t([0, -100]), reduction='sum'",
    "x, t([-100, -100])",
    "x, t([-100, -100]), reduction='sum'",
    "x, c, ignore_index=2",
    "x, c, ignore_index=2, reduction='none'",
    "x, c, ignore_index=7",
    "x, t([7, 1]), ignore_index=7",
    "x, t([0])",
    "x, t([[0, 1]])",
    "x, t([[0, 1, 2], [0, 1, 2], [0, 1, 2]])",
    "x, t(0)",
    "x[0], t(1)",
    "x[0], t(1), reduction='none'",
    "x[0], t([1])",
    "x[0], t([1, 2])",
    "x[0], t([1, 2, 0])",
    "x, np.array([0, 1])",
    "x[0], t(5)",
    "x[0], t(-100)",
    "x[0], t(1), weight=t([1.0, 2.0, 3.0])",
    "i, c",
    "x, [0, 1]",
    "x, c, weight=t([1.0, 2.0, 3.0])",
    "x, c, t([1.0, 2.0, 3.0])",
    "x, c, weight=t([1.0, 2.0, 3.0]), reduction='sum'",
    "x, c, weight=t([1.0, 2.0, 3.0]), reduction='none'",
    "x, t([0, -100]), weight=t([1.0, 2.0, 3.0])",
    "x, c, weight=t([1.0, 2.0])",
    "x, c, weight=t([0.0, 0.0, 0.0])",
    "x, c, weight=t([1, 2, 3])",
    "x, c, weight=t([1.0, 2.0, 3.0], dtype=torch.float64)",
    "x.double(), c",
    "torch.zeros(0, 3), t([], dtype=torch.int64)",
    "torch.zeros(0, 3), t([], dtype=torch.int64), reduction='sum'",
    "torch.zeros(0, 3), t([], dtype=torch.int64), reduction='none'",
    "torch.zeros(2, 0), c",
    "z, k",
    "z, k, reduction='none'",
    "z, k, reduction='sum', weight=t([1.0, 2.0, 3.0])",
    "z, k[:, :1]",
    "z, k[:1]",
    "z, t([0, 1])",
    "z, k + 7",
    "z[..., None], k[..., None]",
)
EXPRESSIONS = [f"F.{name}({pair})" for name in NUMBERS for pair in PAIRS]
EXPRESSIONS += [f"F.{name}({labelled})" for name in CLASSES for labelled in LABELLED]
EXPRESSIONS = (
    "\n".join(EXPRESSIONS)
    + """
F.smooth_l1_loss(x, y, beta=0.5)
F.smooth_l1_loss(x, y, beta=0.0)
F.smooth_l1_loss(x, y, beta=-1.0)
F.smooth_l1_loss(x, y, reduction='x', beta=-1.0)
F.huber_loss(x, y, reduction='x', delta=0.0)
F.nll_loss(torch.zeros(2, 3, dtype=torch.int64), t([0.0, 1.0]))
F.smooth_l1_loss(x, y, reduction='none', beta=2.0)
F.huber_loss(x, y, delta=0.5)
F.huber_loss(x, y, 'sum', 2.0)
F.huber_loss(x, y, delta=0.0)
F.mse_loss(x, 3.0)
F.mse_loss([1.0], y)
# the derivative at a difference of 0, and where a parabola becomes a line
torch.autograd.functional.jacobian(lambda v: F.l1_loss(v, t([0.0, 1.0, 2.0])), t([0.0, 2.0, 1.0]))
torch.autograd.functional.jacobian(lambda v: F.huber_loss(v, y[0]), t([1.5, 3.0, 9.0]))
torch.autograd.functional.jacobian(lambda v: F.smooth_l1_loss(v, y[0], beta=2.0), 4 * y[0])
# probabilities of classes, smoothed labels
F.cross_entropy(x, p)
F.cross_entropy(x, p, reduction='sum')
F.cross_entropy(x, p, reduction='none')
F.cross_entropy(x[0], p[0])
F.cross_entropy(x, p, weight=t([1.0, 2.0, 3.0]))
F.cross_entropy(x, p, label_smoothing=0.2)
F.cross_entropy(x, p.double())
F.cross_entropy(x, i)
F.cross_entropy(x, p, ignore_index=1)
F.cross_entropy(x, p, weight=t([1.0, 2.0]))
F.cross_entropy(torch.zeros(0, 3), torch.zeros(0, 3))
F.cross_entropy(torch.zeros(0, 3), torch.zeros(0, 3), reduction='none')
F.cross_entropy(z, torch.softmax(z, 1), reduction='none')
F.cross_entropy(x, c, label_smoothing=0.1)
F.cross_entropy(x, c, label_smoothing=1.0)
F.cross_entropy(x, c, label_smoothing=1.5)
F.cross_entropy(x, c, label_smoothing=0.1, reduction='none')
F.cross_entropy(x, c, label_smoothing=0.1, reduction='sum')
F.cross_entropy(x, c, label_smoothing=0.1, weight=t([1.0, 2.0, 3.0]))
F.cross_entropy(x, c, label_smoothing=0.1, weight=t([1.0, 2.0, 3.0]), reduction='none')
F.cross_entropy(x, t([0, -100]), label_smoothing=0.1)
F.cross_entropy(x, t([0, -100]), label_smoothing=0.1, weight=t([1.0, 2.0, 3.0]))
F.cross_entropy(x, t([0, -100]), label_smoothing=0.1, reduction='none')
F.cross_entropy(x, t([-100, -100]), label_smoothing=0.1)
F.cross_entropy(z, k, label_smoothing=0.1)
F.cross_entropy(t([[-inf, 0.0], [0.0, 0.0]]), t([-100, 1]))
F.cross_entropy(t([[1000.0, 0.0], [0.0, -1000.0]]), t([1, 0]), reduction='none')
F.cross_entropy(t(1.0), t(0))
# two classes
F.binary_cross_entropy(q, p)
F.binary_cross_entropy(q, p, reduction='sum')
F.binary_cross_entropy(q, p, reduction='none')
F.binary_cross_entropy(q, p, weight=t([1.0, 2.0, 3.0]))
F.binary_cross_entropy(q, p, t(2.0))
F.binary_cross_entropy(t([0.0, 1.0, 0.0, 1.0]), t([1.0, 0.0, 0.0, 1.0]), reduction='none')
F.binary_cross_entropy(q, p[:1])
F.binary_cross_entropy(q, t([0, 1]))
F.binary_cross_entropy(q, i)
F.binary_cross_entropy(q, p > 0.2)
F.binary_cross_entropy(q, p.double())
F.binary_cross_entropy(x, p)
F.binary_cross_entropy(q, 5 * p)
F.binary_cross_entropy(nan * q, p)
F.binary_cross_entropy(i, i)
F.binary_cross_entropy(torch.zeros(0), torch.zeros(0))
F.binary_cross_entropy(q, p, reduction='mode')
F.binary_cross_entropy(t([0.5], requires_grad=True), t([1.0]))
torch.autograd.functional.jacobian(lambda v: F.binary_cross_entropy(v, q[0]), t([0.0, 1.0, 0.2]))
F.binary_cross_entropy_with_logits(x, p)
F.binary_cross_entropy_with_logits(x, p, reduction='sum')
F.binary_cross_entropy_with_logits(x, p, reduction='none')
F.binary_cross_entropy_with_logits(x, p, t([1.0, 2.0, 3.0]))
F.binary_cross_entropy_with_logits(x, p, weight=torch.ones(2, 1), reduction='none')
F.binary_cross_entropy_with_logits(x, p, pos_weight=t([1.0, 2.0, 3.0]))
F.binary_cross_entropy_with_logits(x, p, pos_weight=t(2.0))
F.binary_cross_entropy_with_logits(x, p, pos_weight=t([1.0, 2.0]))
F.binary_cross_entropy_with_logits(x, p, weight=t([1.0, 2.0]))
F.binary_cross_entropy_with_logits(x, p[:1])
F.binary_cross_entropy_with_logits(x, i)
F.binary_cross_entropy_with_logits(i, i)
F.binary_cross_entropy_with_logits(x, p.double())
F.binary_cross_entropy_with_logits(1000 * x, p, reduction='none')
F.binary_cross_entropy_with_logits(t([inf, -inf]), t([1.0, 0.0]), reduction='none')
F.binary_cross_entropy_with_logits(torch.zeros(0), torch.zeros(0))
# Kullback and Leibler
F.kl_div(p.log(), q)
F.kl_div(p.log(), q, reduction='sum')
F.kl_div(p.log(), q, reduction='none')
F.kl_div(p.log(), q, reduction='batchmean')
F.kl_div(p.log(), q.log(), reduction='sum', log_target=True)
F.kl_div(p.log(), 0 * q, reduction='sum')
F.kl_div(p.log(), -q, reduction='none')
F.kl_div(p.log(), q[:1], reduction='none')
F.kl_div(p.log(), i, reduction='sum')
F.kl_div(p.log(), q, reduction='x')
F.kl_div(t(0.5), t(0.5), reduction='batchmean')
F.kl_div(x.log_softmax(1), q, reduction='batchmean')
F.kl_div(x.log_softmax(1), q.log(), reduction='batchmean', log_target=True)
"""
)

VALUES = {
    "x": "t([[1.0, 2.0, 3.0], [0.0, -1.0, 1.0]], requires_grad=True)",
    "y": "t([[1.5, 2.0, -3.0], [0.5, 1.0, 0.0]])",
    "i": "t([[1, 2, 3], [4, 5, 6]])",
    "p": "t([[0.1, 0.2, 0.7], [0.3, 0.3, 0.4]])",
    "q": "t([[0.2, 0.5, 0.3], [0.1, 0.1, 0.8]])",
    "c": "t([0, 2])",
    "z": "torch.arange(24.0).reshape(2, 3, 4).sin()",
    "k": "t([[0, 1, 2, 1], [2, 2, 0, 1]])",
}
"""What the letters in the expressions stand for."""


def gradients_of_losses(torch):
    F = torch.nn.functional
    found = {}
    for name in NUMBERS:
        for reduction in ("mean", "sum"):
            x = torch.tensor([[1.0, 2.0, 3.0], [0.0, -1.0, 1.0]], requires_grad=True)
            y = torch.tensor([[1.5, 2.5, -3.0], [0.5, 1.0, 0.0]], requires_grad=True)
            getattr(F, name)(x, y, reduction=reduction).backward()
            found[f"{name} {reduction}"] = [x.grad, y.grad]
    return found


def gradient_of_a_broadcast_loss(torch):
    x = torch.ones(3, 1, requires_grad=True)
    torch.nn.functional.mse_loss(x, torch.tensor([0.0, 1.0, 5.0])).backward()
    return x.grad


def gradients_of_cross_entropy(torch):
    F = torch.nn.functional
    found = []
    for options in (
        {},
        {"weight": torch.tensor([1.0, 2.0, 3.0])},
        {"ignore_index": 2},
        {"label_smoothing": 0.2},
        {"reduction": "sum"},
    ):
        x = torch.tensor([[1.0, 2.0, 3.0], [0.0, -1.0, 1.0]], requires_grad=True)
        F.cross_entropy(x, torch.tensor([0, 2]), **options).backward()
        found.append(x.grad)
    return found


def training_a_classifier(torch):
    """Ten steps of softmax regression."""
    x = torch.arange(12.0).reshape(6, 2).sin()
    labels = torch.tensor([0, 1, 2, 0, 1, 2])
    w = torch.zeros(2, 3, requires_grad=True)
    losses = []
    for _ in range(10):
        loss = torch.nn.functional.cross_entropy(x @ w, labels)
        loss.backward()
        with torch.no_grad():
            w -= 0.5 * w.grad
        w.grad = None
        losses.append(loss.item())
    return losses, w


def names_of_nodes_of_losses(torch):
    F = torch.nn.functional
    x = torch.tensor([[1.0, 2.0, 3.0]], requires_grad=True)
    target, labels = torch.tensor([[0.5, 0.5, 0.0]]), torch.tensor([1])
    losses = [getattr(F, name)(x, target) for name in NUMBERS]
    losses += [F.cross_entropy(x, labels), F.cross_entropy(x, target)]
    losses += [F.cross_entropy(x[..., None], labels[:, None])]
    losses += [F.binary_cross_entropy(x.sigmoid(), target)]
    losses += [F.binary_cross_entropy_with_logits(x, target)]
    return [loss.grad_fn.name() for loss in losses]


OTHER_WORDS = {
    "F.cross_entropy(x, p, weight=t([1.0, 2.0]))",  # as of nll_loss, without the function's name
    # An array has no size() to call: ours say which argument is no tensor.
    *(f"F.{name}(x, np.ones((2, 3)))" for name in NUMBERS),
    *(f"F.{name}(np.ones((2, 3)), y)" for name in NUMBERS),
}

PROGRAMS = (
    gradients_of_losses,
    gradient_of_a_broadcast_loss,
    gradients_of_cross_entropy,
    training_a_classifier,
    names_of_nodes_of_losses,
)
