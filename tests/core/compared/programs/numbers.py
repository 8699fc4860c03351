"""Programs with Python numbers beside tensors of all dtypes, and with variances of too little."""

from __future__ import annotations

VALUES = {
    "x": "torch.tensor([1.0, 3.0])",
    "whole": "torch.tensor([1, 3])",
    "byte": "torch.tensor([1, 3], dtype=torch.uint8)",
    "tiny": "torch.tensor([1, 3], dtype=torch.int8)",
    "truth": "torch.tensor([True, False])",
    "matrix": "torch.tensor([[1, 2], [3, 1]])",
    # A result and the gradient of its first argument, [1, 3] in double precision.
    "both": "lambda f: (lambda y, z: (z.backward(torch.ones_like(z)), [z.detach(), y.grad])[1])"
    "(*(lambda y: (y, f(y)))(x.double().requires_grad_()))",
}

EXPRESSIONS = """
# the dtype is that of the tensors, whatever the factor is
x.double().add(whole, alpha=0.5)
x.double().sub(whole, alpha=0.5)
whole.sub(x.double(), alpha=0.5)
x.sub(whole, alpha=3)
x.add(2, alpha=0.5)
whole.add(whole, alpha=2)
whole.add(whole, alpha=0.5)
whole.add(whole, alpha=True)
byte.add(byte, alpha=-1)
byte.sub(byte, alpha=-1)
byte.add(byte, alpha=300)
byte.clone().sub_(byte, alpha=-2)
tiny.add(byte, alpha=-1)
truth.add(truth, alpha=2)
truth.add(truth, alpha=True)
truth.sub(truth, alpha=2)
both(lambda y: y.add(whole, alpha=3))
both(lambda y: x.sub(y, alpha=3))
both(lambda y: x.lerp(y.float(), 0.25))
byte.addcmul(byte, byte, value=-1)
byte.addcmul(byte, byte, value=300)
byte.addcmul(byte, byte, value=0.5)
truth.addcmul(byte, byte, value=-1)
tiny.clone().addcmul_(tiny, tiny, value=-2)
x.addcdiv(byte, x, value=-1)
torch.addmm(matrix, matrix, matrix, beta=0.5)
torch.addmm(matrix, matrix, matrix, beta=2, alpha=-1.5)
torch.addmm(matrix.double(), matrix.double(), matrix.double(), beta=0.5, alpha=-1.5)
whole.index_add(0, torch.tensor([0, 1]), whole, alpha=0.5)
byte.index_add(0, torch.tensor([0, 1]), byte, alpha=-1)
byte.index_add(0, torch.tensor([0, 1]), byte, alpha=300)
byte.scatter(0, torch.tensor([0]), -1)
byte.scatter(0, torch.tensor([0]), 300)
byte.clamp_min(300)
tiny.clamp_max(300)
truth.clamp_min(True)
truth.clamp_min(2)
F.pad(byte, (1, 1), value=300)
F.hardtanh(tiny, -1, 300)
byte.xlogy(300)
whole.logit(0.1)
x.logit(-1.0)
(byte.__setitem__(0, 300), byte)
(byte.__setitem__(0, -1), byte)
(whole.__setitem__(0, nan), whole)
(whole.__setitem__(0, 2.7), whole)
F.smooth_l1_loss(whole, whole, beta=-1)
F.huber_loss(whole, whole, delta=-1)
# variances of as many entries as the correction takes away, or fewer
[both(lambda y: y.var(correction=c)) for c in (0, 0.5, 1, 1.5, 2, 2.5, 3, -1)]
[both(lambda y: y.std(correction=c)) for c in (0, 0.5, 1, 1.5, 2, 2.5, 3, -1)]
[both(lambda y: y.var(0, correction=c)) for c in (0, 0.5, 1, 1.5, 2, 2.5, 3, -1)]
[both(lambda y: y.std(-1, correction=c)) for c in (0, 0.5, 1, 1.5, 2, 2.5, 3, -1)]
[both(lambda y: (y * 0).var(correction=c)) for c in (1.5, 2, 3)]
[both(lambda y: (y * 0).std(0, correction=c)) for c in (1.5, 2, 3)]
[both(lambda y: y[:1].var(correction=c)) for c in (0, 0.5, 1, 2)]
[both(lambda y: y[:1].std(0, correction=c)) for c in (0, 0.5, 1, 2)]
[both(lambda y: y[None].var(0, correction=c)) for c in (0, 0.5, 1, 2)]
[both(lambda y: y[0].var(correction=c)) for c in (0, 0.5, 1, 2)]
[torch.zeros(0).var(correction=c) for c in (0, 1, -1)]
[torch.zeros(2, 0).std(1, correction=c) for c in (0, 1, -1)]
"""

PROGRAMS = ()
