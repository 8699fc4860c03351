"""Programs about normalisation, attention, dropout and similarities."""

from __future__ import annotations

VALUES = {
    "x": "t([[1.0, 2.0, 3.0, 4.0], [0.0, -1.0, 1.0, 3.0]], requires_grad=True)",
    "y": "t([[1.0, 0.5, -1.0, 2.0], [2.0, 0.0, 1.0, 1.0]])",
    "w": "t([1.0, 2.0, 3.0, 4.0])",
    "b": "t([0.0, 0.5, 0.0, -0.5])",
    "i": "t([[1, 2], [3, 4]])",
    "z": "torch.arange(48.0).reshape(2, 4, 3, 2).sin()",
    "q": "torch.arange(24.0).reshape(1, 2, 3, 4).sin()",
    "k": "torch.arange(24.0).reshape(1, 2, 3, 4).cos()",
}

EXPRESSIONS = """
# layer_norm
F.layer_norm(x, (4,))
F.layer_norm(x, [4])
F.layer_norm(x, torch.Size([4]))
F.layer_norm(x, (2, 4))
F.layer_norm(x, x.shape[1:], w, b)
F.layer_norm(x, (4,), w)
F.layer_norm(x, (4,), None, b)
F.layer_norm(x, (4,), bias=b)
F.layer_norm(x, (4,), eps=0.5)
F.layer_norm(x, (4,), eps=0.0)
F.layer_norm(0 * x, (4,), eps=0.0)
F.layer_norm(x.double(), (4,))
F.layer_norm(z.double(), (3, 2))
F.layer_norm(z, (2,))
F.layer_norm(x, 4)
F.layer_norm(x, ())
F.layer_norm(x, (3,))
F.layer_norm(x, (4,), w[:3])
F.layer_norm(x, (4,), w, b[:2])
F.layer_norm(x, (4,), w[None])
F.layer_norm(i, (2,))
F.layer_norm(t(1.0), (1,))
F.layer_norm(torch.zeros(0, 4), (4,))
F.layer_norm([1.0], (1,))
# batch_norm
F.batch_norm(x, None, None, training=True)
F.batch_norm(x, b, w)
F.batch_norm(x, b, w, w, b)
F.batch_norm(x, b, w, w)
F.batch_norm(x, b, w, None, b)
F.batch_norm(x, b, w, w, b, True)
F.batch_norm(z, b, w)
F.batch_norm(z, b, w, w, b, training=True)
F.batch_norm(z[0:1, :, 0], None, None, training=True)
F.batch_norm(x, None, None)
F.batch_norm(x, b, None)
F.batch_norm(x, b, None, training=True)
F.batch_norm(x, b[:3], w)
F.batch_norm(x, b, w[:2])
F.batch_norm(x, b, w, w[:2])
F.batch_norm(x, b, w, w, b[:2])
F.batch_norm(x[:1], None, None, training=True)
F.batch_norm(i, None, None, training=True)
F.batch_norm(x, b, w, eps=-1.0)
F.batch_norm(x, b, w, training=True, eps=0.0)
F.batch_norm(x, b, w, eps=0.0)
# group_norm
F.group_norm(x, 2)
F.group_norm(x, 1)
F.group_norm(x, 4)
F.group_norm(x, 2, w, b)
F.group_norm(x, 2, w)
F.group_norm(z, 2, w, b)
F.group_norm(z * 3, 4)
F.group_norm(x, 3)
F.group_norm(x[0], 1)
F.group_norm(x[:1], 4)
F.group_norm(i, 1)
F.group_norm(x, 2, w[:2])
F.group_norm(x[:0], 2)
# attention
F.scaled_dot_product_attention(q, k, q)
F.scaled_dot_product_attention(q, k, q, is_causal=True)
F.scaled_dot_product_attention(q, k, q, scale=1.0)
F.scaled_dot_product_attention(q, k, q, torch.ones(3, 3, dtype=torch.bool))
F.scaled_dot_product_attention(q, k, q, t([[True, False, False], [False] * 3, [True] * 3]))
F.scaled_dot_product_attention(q, k, q, t([[0.0, -inf, 1.0]] * 3))
F.scaled_dot_product_attention(q, k, q, t([[-inf, -inf, -inf], [0.0, 1.0, 2.0], [0.0, -inf, 0.0]]))
F.scaled_dot_product_attention(q, k[:, :, :2], q[:, :, :2])
F.scaled_dot_product_attention(q, k[:, :, :2], q[:, :, :2, :3])
F.scaled_dot_product_attention(q[:, :, :2], k, q, is_causal=True)
F.scaled_dot_product_attention(q[0], k[0], q[0])
F.scaled_dot_product_attention(q[0, 0], k[0, 0], q[0, 0])
F.scaled_dot_product_attention(q.double(), k.double(), q.double(), is_causal=True)
F.scaled_dot_product_attention(q, k[..., :2], q)
F.scaled_dot_product_attention(q[0, 0, 0], k[0, 0, 0], q[0, 0, 0])
F.scaled_dot_product_attention(q.double(), k, q)
F.scaled_dot_product_attention(q, k, q, torch.zeros(2, 2))
F.scaled_dot_product_attention(q, k, q, torch.zeros(3, 3, dtype=torch.int64))
F.scaled_dot_product_attention(q, k, q, None, 1.5)
F.scaled_dot_product_attention(q[:, :, :0], k, q)
F.scaled_dot_product_attention(q, k[:, :, :0], q[:, :, :0])
# similarities and distances
F.cosine_similarity(x, y)
F.cosine_similarity(x, y[0])
F.cosine_similarity(x, y, dim=0)
F.cosine_similarity(x, y, -1)
F.cosine_similarity(x, 0 * y)
F.cosine_similarity(t([1.0, 2.0]), t([1.0, 0.0]), dim=0)
F.cosine_similarity(x, y.double())
F.cosine_similarity(i, i)
F.cosine_similarity(x, y, dim=2)
F.cosine_similarity(x, y[:, :3])
F.cosine_similarity(t(1.0), t(2.0), dim=0)
F.pairwise_distance(x.detach(), y)
F.pairwise_distance(x.detach(), y, p=1)
F.pairwise_distance(x.detach(), y, p=inf)
F.pairwise_distance(x.detach(), y, keepdim=True)
F.pairwise_distance(x.detach(), x.detach())
F.pairwise_distance(x[0].detach(), y[0])
F.pairwise_distance(x.detach(), y[:, :3])
F.normalize(x)
F.normalize(x, dim=0)
F.normalize(x, p=1)
F.normalize(x, p=inf)
F.normalize(x[0], dim=0)
F.normalize(0 * x)
F.normalize(x, dim=(0, 1))
F.normalize(x, eps=100.0)
F.normalize(x[0])
F.normalize(i)
F.normalize(torch.zeros(0, 3))
# dropout, where no chance is involved
F.dropout(x, 0.0)
F.dropout(x, training=False) is x
F.dropout(y, 1.0)
F.dropout(x * 1, 1.0)
F.dropout(t([inf, 1.0]), 1.0)
F.dropout(torch.zeros(0, 3))
F.dropout(i, 0.0)
F.dropout(i, 0.5)
F.dropout(x, 1.5)
F.dropout(x, -0.1)
F.dropout([1.0])
# linear
F.linear(x, y)
F.linear(x, y, t([1.0, -1.0]))
F.linear(x[0], y, t([1.0, -1.0]))
F.linear(z, t([[1.0, 2.0]]), t([0.5]))
F.linear(x, y[:, :3])
"""


def running_statistics(torch):
    F = torch.nn.functional
    mean, variance = torch.zeros(3), torch.ones(3)
    x = torch.arange(24.0).reshape(4, 3, 2).sin()
    results = []
    for momentum in (0.1, 0.5, 1.0):
        out = F.batch_norm(x, mean, variance, training=True, momentum=momentum)
        results += [out, mean.clone(), variance.clone()]
    return [*results, mean, variance, mean._version > 0]


def gradients_of_normalisation(torch):
    F = torch.nn.functional
    results = []
    for name in ("layer_norm", "batch_norm", "group_norm"):
        x = torch.arange(24.0).reshape(3, 4, 2).double().sin().requires_grad_()
        w = torch.linspace(0.5, 2.0, 4).double().requires_grad_()
        b = torch.zeros(4, dtype=torch.float64, requires_grad=True)
        if name == "layer_norm":
            out = F.layer_norm(x.mT, (4,), w, b)
        elif name == "batch_norm":
            out = F.batch_norm(x, None, None, w, b, training=True)
        else:
            out = F.group_norm(x, 2, w, b)
        (first,) = torch.autograd.grad((out * out * out).sum(), x, create_graph=True)
        (first * first).sum().backward()
        results += [first.detach(), x.grad, w.grad]
    return results


def gradients_of_attention(torch):
    results = []
    for options in ({}, {"is_causal": True}, {"attn_mask": torch.ones(3, 3).tril(-1).bool()}):
        q, k, v = (
            torch.arange(24.0).double().add(i).reshape(1, 2, 3, 4).sin().requires_grad_()
            for i in range(3)
        )
        attention = torch.nn.functional.scaled_dot_product_attention(q, k, v, **options)
        attention.pow(2).sum().backward()
        results += [q.grad, k.grad, v.grad]
    return results


def dropped_entries(torch):
    """The same entries as PyTorch's, from the same seed."""
    F = torch.nn.functional
    torch.manual_seed(0)
    x = torch.ones(3, 5, requires_grad=True)
    out = F.dropout(x, 0.4)
    out.sum().backward()
    inplace = torch.ones(7)
    same = F.dropout(inplace, 0.5, True, True)
    kinds = [F.dropout(torch.ones(4, dtype=torch.float64), 0.2), F.dropout(torch.tensor(1.0))]
    return [out.detach(), x.grad, inplace, same is inplace, *kinds, F.dropout(torch.ones(5, 4).mT)]


def names_of_nodes_of_normalisation(torch):
    F = torch.nn.functional
    x = torch.arange(8.0).reshape(2, 4).requires_grad_()
    nodes = [
        F.layer_norm(x, (4,)),
        F.batch_norm(x, None, None, training=True),
        F.batch_norm(x, torch.zeros(4), torch.ones(4)),
        F.group_norm(x, 2),
        F.dropout(x),
        F.normalize(x),
        F.cosine_similarity(x, x),
    ]
    return [node.grad_fn.name() for node in nodes]


PROGRAMS = (
    running_statistics,
    gradients_of_normalisation,
    gradients_of_attention,
    dropped_entries,
    names_of_nodes_of_normalisation,
)
