"""Programs about how results lie in memory, which says what ``view`` can do with them."""

from __future__ import annotations

VALUES = {
    "m": "torch.arange(12.0).reshape(3, 4)",
    "c": "torch.arange(24.0).reshape(2, 3, 4)",
    # What some operation makes of tensors that lie otherwise, as vectors.
    "flat": "lambda f: [f(x).view(-1) for x in (m.T, m[:, ::2], c.permute(1, 2, 0), c.T, "
    "m[:1].expand(3, 4))]",
    "shares": "lambda a, b: a.data_ptr() == b.data_ptr()",
}

EXPRESSIONS = """
# results lie in order, however the arguments do
flat(lambda x: x.softmax(0))
flat(lambda x: x.log_softmax(-1))
flat(lambda x: x.cumsum(0))
flat(lambda x: x.cumprod(1))
flat(lambda x: x.masked_fill(x > 3, 0.0))
flat(lambda x: x.index_select(1, torch.tensor([0, 1])))
flat(lambda x: x.repeat_interleave(2, 1))
flat(lambda x: x.repeat_interleave(torch.tensor([2]), 1))
flat(lambda x: x.gather(0, torch.zeros_like(x).long()))
flat(lambda x: x.scatter(0, torch.zeros_like(x).long(), 1.0))
flat(lambda x: x.scatter_add(0, torch.zeros_like(x).long(), x))
flat(lambda x: x.topk(2, -1).values)
flat(lambda x: x.topk(2, -1).indices)
flat(lambda x: x.max(0).values)
flat(lambda x: x.min(-1).indices)
flat(lambda x: x.argmax(0))
flat(lambda x: x.median(-1).values)
flat(lambda x: x.sum(0))
flat(lambda x: x.sum(-1, keepdim=True))
flat(lambda x: x.mean(-1))
flat(lambda x: x.amax(0))
flat(lambda x: x.prod(0))
flat(lambda x: x.var(0, correction=0))
flat(lambda x: x.std(-1, correction=0))
flat(lambda x: x.norm(dim=0))
flat(lambda x: x.norm(p=1, dim=-1))
flat(lambda x: x.logsumexp(0))
flat(lambda x: x.all(0))
flat(lambda x: x.count_nonzero(0))
flat(lambda x: torch.cat([x, x], -1))
flat(lambda x: torch.stack([x, x], -1))
flat(lambda x: torch.hstack([x, x]))
flat(lambda x: x.roll(1, 1))
flat(lambda x: x.repeat(*[1] * x.ndim))
flat(lambda x: x.tile(2))
flat(lambda x: x.tril())
flat(lambda x: x.triu(1))
flat(lambda x: 2**(x / 10))
flat(lambda x: F.logsigmoid(x))
flat(lambda x: F.one_hot(x.long()))
flat(lambda x: F.layer_norm(x, x.shape[-1:]))
flat(lambda x: F.batch_norm(x, torch.zeros(x.shape[1]), torch.ones(x.shape[1])))
flat(lambda x: F.pad(x, (1, 1)))
flat(lambda x: F.normalize(x).sum(0))
F.pad(m[None], (1, 1), "reflect").view(-1)
F.group_norm(c.permute(0, 2, 1), 2).view(-1)
F.avg_pool1d(c.permute(0, 2, 1), 2).view(-1)
F.adaptive_avg_pool1d(c.permute(1, 2, 0), 2).view(-1)
# what is made in the likeness of an expanded tensor has each entry for itself
m[:1].expand(3, 4).double().view(-1)
m[:1].expand(3, 4).long().add_(1)
m[:, :1].expand(3, 4).bool().view(2, 6)
torch.zeros_like(m[:1].expand(3, 4)).view(-1)
torch.full_like(m[:1].expand(3, 4), 2).stride()
m[:1].expand(3, 4).nan_to_num().view(-1)
F.dropout(m[:1].expand(3, 4), 1.0).view(-1)
# what shares memory, and what is a copy
[shares(m.ravel(), m), shares(m.T.ravel(), m), shares(m[1:].ravel(), m[1:])]
[shares(m[:, 0].ravel(), m), shares(m[:, 0].flatten(), m), shares(m[:, 0].reshape(-1), m)]
[shares(m[::2].flatten(), m), shares(m[:, 1:2].ravel(), m[:, 1:2]), m[0, 0].ravel()]
[m[:1, 0].expand(3).ravel().stride(), m[:1, 0].expand(3).reshape(-1).stride()]
[shares(m.reshape(4, 3), m), shares(m.T.reshape(2, 6), m), shares(m[:, ::2].reshape(6), m)]
[shares(m.contiguous(), m), shares(m.T.contiguous(), m), shares(c[:, :2].flatten(1), c)]
slope(lambda x: x[::2].ravel() * 2, [1.0, 2.0, 3.0])
slope(lambda x: (lambda y: (y.ravel().mul_(3), y)[1])(x * 1), [1.0, 2.0, 3.0])
slope(lambda x: (lambda y: (y[::2].ravel().mul_(3), y)[1])(x * 1), [1.0, 2.0, 3.0])
"""

PROGRAMS = ()
