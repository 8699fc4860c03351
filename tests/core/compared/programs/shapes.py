"""Programs about shapes: other sizes, other orders, joining, splitting, diagonals."""

from __future__ import annotations

import re

SHORT = {
    "X": "torch.arange(12.0).reshape(3, 4)",
    "V": "torch.arange(3.0)",
    "S": "torch.tensor(1.0)",
    "I": "t([[0, 1, 1, 0]])",
    "M": "(torch.arange(12.0).reshape(3, 4) > 4)",
}
"""What the letters in the expressions stand for."""

EXPRESSIONS = """
t(2.0).roll(1, 0)
torch.ones(3, requires_grad=True).flatten()
torch.ones(2, 3, requires_grad=True).flatten(1).is_leaf
torch.ones(1, requires_grad=True)[0].transpose(0, -1)
X.unflatten(1, (2, -1))
X.unflatten(1, (3, -1))
X.unflatten(1, (3, 3))
X.unflatten(1, ())
X.unflatten(1, 4)
X.unflatten(1, 2, 2)
X.unflatten(5, (2, 2))
X.view_as(V)
X.reshape(5, 2)
X.t().view(12)
torch.zeros(2, 2, 2).t()
X.permute(0, 0)
X.permute(0)
X.permute(0, 5)
X.transpose(0, 5)
X.repeat(2)
X.repeat(-1, 1)
X.repeat(2, 2, 2).shape
X.repeat()
V.repeat(0).shape
X.repeat(2.0, 1)
V.tile((2, 2))
X.tile(2).shape
X.repeat_interleave(2)
X.repeat_interleave(-1)
X.repeat_interleave(t([1, 2, 3]), 0).shape
X.repeat_interleave(t([1, 2]), 0)
X.repeat_interleave(t([2]), 0).shape
X.repeat_interleave(t([1., 2., 1.]), 0)
X.repeat_interleave(t([1, -2, 1]), 0)
V.repeat_interleave(t([1, 2, 3]))
X.repeat_interleave(t(2), 1).shape
X.repeat_interleave(2, dim=5)
X.flip(0, 1)
X.flip((0, 1))
X.flip()
X.flip(0, 0)
X.flip(3)
X.roll(1)
X.roll((1, 2))
X.roll((1, 2), (0, 1))
X.roll((1, 2), 0)
X.roll(1, 5)
X.roll(1, (0, 1))
X.roll((1, 1), (0, 0))
V[:0].roll(1)
S.roll(1)
torch.cat([V, t([])], 0)
torch.cat([V, S])
torch.cat([X, V])
torch.cat([X, X[:, :2]])
torch.cat(V)
torch.cat([V, 1])
torch.cat([V, V], 1)
torch.cat([t([]), t([])], 1)
torch.cat([t([]), X], 1).shape
torch.cat([V, V], axis=0)
torch.cat(tensors=[V, V], dim=0)
torch.stack([V, V], axis=1)
torch.hstack([S, S])
torch.hstack([X, X]).shape
torch.vstack([V, S])
V.split(2)
V.split(0)
V[:0].split(0)
V[:0].split(2)
V.split(-1)
V.split([1, 1])
V.split([1, 2])
V.split([-1, 4])
V.split((1, 2))
S.split(1)
X.split(2, 5)
X.split(2, dim=-1)
V.split(2.0)
V.chunk(2)
V.chunk(5)
V.chunk(0)
S.chunk(1)
V[:0].chunk(3)
torch.arange(7).chunk(4)
S.unbind()
X.unbind(1)
X.unbind(5)
X[:0].unbind()
X.narrow(0, 1, 2)
X.narrow(0, 1, 3)
X.narrow(0, -1, 1)
X.narrow(0, 5, 1)
X.narrow(0, 0, -1)
S.narrow(0, 0, 1)
X.narrow(0, t(1), 1)
X.narrow(0, 3, 0).shape
X.select(0, 3)
X.select(0, -3)
S.select(0, 0)
X.select(1, 2)
X.diagonal()
X.diagonal(1)
X.diagonal(-5)
X.diagonal(5).shape
X.diagonal(0, 0, 0)
X.diagonal(0, -1, -2)
X.diagonal(offset=1, dim1=1, dim2=0)
V.diagonal()
torch.zeros(2, 3, 4).diagonal(1, 0, 2).shape
V.diag(1)
V.diag(-1)
X.diag(1)
S.diag()
torch.zeros(2, 2, 2).diag()
V.tril()
X.tril(-1)
X.triu(2)
S.triu()
torch.zeros(2, 3, 3).triu().shape
torch.meshgrid(V, V)
torch.meshgrid([V, V[:2]], indexing='ij')
torch.meshgrid(V, V[:2], indexing='xy')
torch.meshgrid(V, V, indexing='foo')
torch.meshgrid(S, V, indexing='ij')
torch.meshgrid(X, V, indexing='ij')
torch.meshgrid(V, V.long(), indexing='ij')
torch.meshgrid(V, indexing='xy')
torch.meshgrid(V, V[:2], V[:1], indexing='xy')[0].shape
torch.broadcast_tensors(X, V)
torch.broadcast_tensors(X, S)[1].shape
torch.broadcast_shapes((2, 1), (3, ))
torch.broadcast_shapes((2, 2), (3, ))
torch.broadcast_shapes((2, 1), 3)
torch.broadcast_shapes()
torch.broadcast_to(V, (2, 3))
X.expand_as(V)
V.expand_as(torch.zeros(2, 3))
V.expand(2, -1)
X.squeeze([0, 1]).shape
X.unsqueeze(5)
X.squeeze(5)
X.flatten(1, 0)
X.ravel().shape
S.ravel()
X.swapaxes(0, 1).shape
X.swapdims(0, 1).shape
torch.select(X, 0, 1)
torch.narrow(X, 0, 0, 1)
torch.unflatten(X, 1, (2, 2)).shape
X.argwhere().shape
X.nonzero(as_tuple=True)
torch.flip(X, [0])
torch.flip(X, dims=(0, ))
torch.roll(X, shifts=1, dims=0)
torch.concat([V, V])
torch.concatenate([V, V], axis=0)
torch.permute(X, dims=(1, 0)).shape
X.permute(dims=(1, 0)).shape
X.transpose(dim0=0, dim1=1).shape
X.flatten(start_dim=0).shape
X.expand(size=(2, 3, 4)).shape
X.reshape(shape=(4, 3)).shape
X.view(size=(4, 3)).shape
X.repeat(repeats=(2, 2)).shape
torch.reshape(input=X, shape=(4, 3)).shape
torch.unsqueeze(input=X, dim=0).shape
torch.tile(X, (2, 2)).shape
torch.tile(X, dims=(2, 2)).shape
torch.t(X).shape
torch.reshape(X, (4, 3)).shape
torch.chunk(X, chunks=2, dim=1)[0].shape
torch.split(X, split_size_or_sections=2)[0].shape
X.unflatten(dim=1, sizes=(2, 2)).shape
X.gather(dim=0, index=I).shape
X.diagonal(dim1=0, dim2=1).shape
# derivatives, and names of nodes
slope(lambda x: x.repeat(2, 3), [1.0, 2.0])
slope(lambda x: x.tile((2, 2)), [[1.0, 2.0]])
slope(lambda x: x.flip(0, 1), [[1.0, 2.0], [3.0, 4.0]])
slope(lambda x: x.roll(1), [[1.0, 2.0], [3.0, 4.0]])
slope(lambda x: x.roll((1, -1), (0, 1)), [[1.0, 2.0], [3.0, 4.0]])
slope(lambda x: x.t(), [[1.0, 2.0], [3.0, 4.0]])
slope(lambda x: x.swapaxes(0, 1), [[1.0, 2.0], [3.0, 4.0]])
slope(lambda x: x.unflatten(0, (2, -1)), [1.0, 2.0, 3.0, 4.0])
slope(lambda x: x.ravel(), [[1.0, 2.0], [3.0, 4.0]])
slope(lambda x: x.view_as(torch.zeros(4)), [[1.0, 2.0], [3.0, 4.0]])
slope(lambda x: x.expand_as(torch.zeros(3, 2)), [1.0, 2.0])
slope(lambda x: torch.broadcast_to(x, (3, 2)), [1.0, 2.0])
slope(lambda x: torch.hstack([x, x * 2]), [1.0, 2.0])
slope(lambda x: torch.vstack([x, x * 2]), [1.0, 2.0])
slope(lambda x: torch.meshgrid(x, x, indexing="xy")[1] * t([[1.0, 2.0], [3.0, 4.0]]), [1.0, 2.0])
slope(lambda x: x.split(2)[1], [1.0, 2.0, 3.0])
slope(lambda x: x.chunk(2)[0] * 2, [1.0, 2.0, 3.0])
slope(lambda x: x.unbind()[1], [[1.0, 2.0], [3.0, 4.0]])
slope(lambda x: x.narrow(0, 1, 1), [[1.0, 2.0], [3.0, 4.0]])
slope(lambda x: x.select(1, 0), [[1.0, 2.0], [3.0, 4.0]])
slope(lambda x: x.diagonal(), [[1.0, 2.0], [3.0, 4.0]])
slope(lambda x: x.diag(1), [1.0, 2.0])
slope(lambda x: x.tril(), [[1.0, 2.0], [3.0, 4.0]])
slope(lambda x: x.triu(1), [[1.0, 2.0], [3.0, 4.0]])
slope(lambda x: torch.cat([x, t([])]), [1.0, 2.0])
"""


def spelled(text):
    """An expression with its letters spelled out."""
    return re.sub(r"\b[XVSIM]\b", lambda found: SHORT[found[0]], text)


EXPRESSIONS = spelled(EXPRESSIONS)

PROGRAMS = ()

OTHER_WORDS = set(
    map(
        spelled,
        [
            # PyTorch lists what a call could have been, or names its internals; here is said
            # what does not fit.
            "X.unflatten(1, (3, -1))",
            "X.unflatten(1, (3, 3))",
            "X.unflatten(1, ())",
            "X.unflatten(1, 4)",
            "X.unflatten(1, 2, 2)",
            "X.repeat(2.0, 1)",
            "X.repeat_interleave(-1)",
            "V.split([-1, 4])",
            "S.narrow(0, 0, 1)",
            "X.narrow(0, 0, -1)",
            "X.select(0, 3)",
            "torch.broadcast_shapes((2, 2), (3, ))",
            "X.expand_as(V)",
        ],
    )
)
