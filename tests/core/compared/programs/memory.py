"""Programs about memory that is shared: writes that would read it, expanded tensors, copies."""

from __future__ import annotations

VALUES = {
    "x": "torch.arange(4.0).add_(1)",
    "m": "torch.arange(16.0).add_(1).reshape(4, 4)",
    "r": "torch.arange(4.0).reshape(1, 4)",
    "c": "torch.arange(8.0).reshape(2, 2, 2)",
    "i": "torch.arange(16).reshape(4, 4) % 4",
    "all_four": "torch.tensor([0, 1, 2, 3])",
    "mask": "torch.tensor([[True, False, True, False]] * 4)",
}

EXPRESSIONS = """
# where nothing is expanded, a view may be written to
[x.expand(4).add_(1), x]
[x.expand(-1).add_(1), x]
[m.expand(4, 4).mul_(m), m]
[m.T.expand(4, 4).mul_(2), m]
[x.expand_as(x).add_(1), x]
[x.broadcast_to((4,)).add_(1), x]
[torch.broadcast_tensors(x, x)[0].add_(1), x]
[torch.broadcast_tensors(x, m)[1].add_(1), m]
[x.expand(1, 4).add_(1), x]
[x.expand(1, -1).add_(1), x]
[x[:1].expand(1).add_(1), x]
[x[0].expand(()).add_(1), x]
[x[0].expand(1).add_(1), x]
x.expand(0, 4).add_(1)
x.expand(4).__setitem__(torch.tensor([0]), 9.0), x
x.expand(4).masked_fill_(x > 2, 1)
# where something is, what shows each entry once
[x.expand(2, 4)[0].add_(1), x]
[x.expand(2, 4)[:1].add_(1), x]
[x[:1].expand(4)[1:2].add_(1), x]
[x.expand(2, 4).__setitem__(0, 1.0), x]
[x.expand(2, 4).zero_(), x]
[x.expand(2, 4).fill_(7), x]
x.expand(2, 4).fill_(x[1])
[x[0].expand(3, 4).fill_(7), x]
x.expand(2, 4).add_(1)
x.expand(2, 4).exp_()
x.expand(2, 4).copy_(m[:2])
x.expand(2, 4).copy_(x)
x.expand(2, 4)[:, 1].add_(1)
x.expand(2, 4).T.add_(1)
x[:1].expand(4).add_(1)
x[0].expand(4).add_(1)
x.expand(2, 4).uniform_()
x.expand(2, 4).index_add_(0, torch.tensor([0]), m[:1])
x.expand(2, 4).scatter_(0, torch.tensor([[0]]), 1.0)
x.expand(2, 4).scatter_add_(0, torch.tensor([[0]]), m[:1])
x.expand(2, 4).__setitem__((slice(None), 0), 1.0)
F.relu(x.expand(2, 4), inplace=True)
F.relu(x.expand(1, 4), inplace=True)
# gradients through them
slope(lambda x: (lambda y: (y.expand(3).mul_(2), y)[1])(x * 1), [2.0, 3.0, 4.0])
slope(lambda x: (lambda y: (y.expand(1, 3).mul_(y * 2), y)[1])(x * 1), [2.0, 3.0, 4.0])
slope(lambda x: (lambda y: (y.expand(2, 3)[0].mul_(5), y)[1])(x * 1), [2.0, 3.0, 4.0])
# NumPy sees expanded memory, and may write to it
[x.expand(2, 4).numpy().flags.writeable, x.expand(2, 4).numpy().strides]
[x.expand(4).numpy().flags.writeable, x[0].expand(3).numpy().flags.writeable]
[torch.broadcast_tensors(x, m)[0].numpy().flags.writeable, m.T[:1].expand(4, 4).numpy().strides]
[g.numpy().flags.writeable for g in torch.meshgrid(x, x, indexing="ij")]
[x.expand(2, 4).numpy().__setitem__(0, 5.0), x]
[x.expand(2, 4).is_contiguous(), x.expand(1, 4).is_contiguous(), x.expand(1, 4).stride()]
# what is read, and what is written
x[1:].copy_(x[:-1])
x[:-1].copy_(x[1:])
x[1:].add_(x[:-1])
[x[:2].add_(x[2:]), x]
x.add_(x[0])
x.copy_(x[0])
x.add_(x.data[0])
x.data.add_(x[0])
x.add_(x)
x.add_(x[:])
x.add_(x.view(1, 4)[0])
x.add_(x.detach())
x.data.add_(x)
x.add_(x[:1])
x[:1].add_(x)
x[:1].add_(x[0])
x[0].add_(x[0])
x[0].add_(x[1])
[x[::2].add_(x[1::2]), x[::2].add_(x[::2])]
x.fill_(x[1])
x.fill_(x.data[1])
x.mul_(x.sum())
m.T.add_(m)
m.add_(m.T)
m.copy_(m.T)
m.T.add_(m.T)
m.mul_(m.mT)
m.pow_(m.T)
m.add_(m.T, alpha=2)
m.lerp_(m.T, 0.5)
m.lerp_(m, m.T)
m.addcmul_(m, m)
m.addcmul_(m, m.T)
m.addcdiv_(m.T, m)
m.clamp_(min=m.T)
m.clamp_(m, m + 1)
m.add_(m[0])
m[0].add_(m[1])
m[:2].add_(m[1:3])
[m[:2].add_(m[2:]), m]
[m[:, :2].add_(m[:, 2:]), m]
[m[:, 0].add_(m[0].clone()), m]
[m.diagonal().copy_(m[0].clone()), m]
m.add_(m.reshape(16).view(4, 4))
m.add_(m.reshape(2, 8).view(4, 4).T)
m.add_(x.expand(4, 4))
r.add_(r.view(4))
r.add_(r[0])
r.copy_(r.view(4))
r.view(4, 1).add_(r.view(4, 1))
r.unsqueeze(0).add_(r.view(1, 1, 4))
x.expand(1, 4).add_(x)
x.add_(x.expand(1, 4))
x.view(2, 2).T.add_(x.view(2, 2))
c.permute(1, 0, 2).add_(c.permute(1, 0, 2))
c.permute(1, 0, 2).add_(c)
c.add_(c.permute(0, 2, 1))
[c[0].add_(c[1].T), c]
c[0].add_(c[0].T)
m.masked_fill_(mask, m[0, 1])
m.__setitem__(mask, m[0, 1]), m
m.__setitem__(slice(1, None), m[:-1])
m.__setitem__(0, m[1]), m
m.__setitem__(slice(None), m.T)
m.__setitem__(torch.tensor([0, 1]), m[2:]), m
m.__setitem__(torch.tensor([0, 1]), m[:2])
m.__setitem__(all_four, m)
m.__setitem__(all_four, m.clone())
m.index_add_(0, torch.tensor([0, 1]), m[2:])
m.index_add_(0, all_four, m)
m.scatter_(0, i, m)
m.scatter_(0, i, m.T)
m.scatter_add_(0, i, m)
m.scatter_add_(0, i, m.clone())
i.scatter_(0, i, 1)
i.scatter_add_(0, i.clone(), i)
i.remainder_(i.T + 1)
"""

PROGRAMS = ()
