"""Programs that look entries up by tensors of indices, and write them so."""

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
X.gather(0, I.float())
X.gather(0, I.int())
X.gather(0, t([0]))
X.gather(2, I)
X.gather(0, I-1)
X.gather(0, I+5)
X.gather(0, t([[0]*5]))
X.gather(1, t([[0]]*4))
S.gather(0, t(0))
S.gather(0, t([0]))
V.gather(0, t(0))
X.gather(0, torch.zeros(0, 2, dtype=torch.int64))
X.gather(0, [0])
X.gather(I, 0)
X.scatter(0, I.float(), 1.)
X.scatter(0, I+5, 1.)
X.scatter(0, I-1, 1.)
X.scatter(0, I, t(1.))
X.scatter(0, I, t([[1., 2.]]))
X.scatter(0, I, t([[1, 2, 3, 4]]))
X.scatter(0, I, "a")
X.long().scatter(0, I, 1.5)
X.scatter(0, I, True)
X.scatter_add(0, I, 1.)
X.scatter_add(0, I, t([[1, 2, 3, 4]]))
X.scatter_add(0, t([0]), X)
X.scatter_add(0, I+5, X)
X.index_select(0, I)
X.index_select(0, I[0].float())
X.index_select(0, I[0].int())
X.index_select(0, t([3]))
X.index_select(0, t([-1]))
X.index_select(0, t(1))
X.index_select(5, t([1]))
S.index_select(0, t([0]))
S.index_select(0, t([1]))
X.index_select(0, [0])
X.index_add(0, t([0, 1]), X)
X.index_add(0, t([0, 1]), X[:2].long())
X.index_add(0, t([0, 7]), X[:2])
X.index_add(0, t([0., 1.]), X[:2])
X.index_add(0, t([0, 1]), X[:2, :2])
X.index_add(0, t([0, -1]), X[:2])
X.index_add(0, t([[0, 1]]), X[:2])
X.index_add(0, t(0), X[0])
torch.take_along_dim(X, t([0, 13]))
torch.take_along_dim(X, t([0, 1]))
torch.take_along_dim(X, t([[0], [1], [2]]), 1)
torch.take_along_dim(X, t([[-1]]), 1)
torch.take_along_dim(X, t([1]), 1)
torch.take_along_dim(X, t([[1.]]), 1)
X.masked_fill(V>0, 1.)
X.masked_fill(X, 1.)
X.masked_fill(X>1, V)
X.masked_fill(X>1, "a")
X.masked_fill(t([[[True]]]), 1.)
X.masked_fill((X>1).to(torch.uint8), 1.)
X.long().masked_fill(X>1, 1.5)
X.to(torch.uint8).masked_fill(X>1, -1.5)
X.to(torch.uint8).masked_fill(X>1, -1)
X.to(torch.uint8).masked_fill(X>1, 300)
(X>3).masked_fill(X>1, inf)
X.long().masked_fill(X>1, float('-inf'))
X.long().masked_fill_(X>1, t(1.5))
X.masked_fill(X>1, t(2))
X.clone().masked_fill_(t([[[True]]]), 1.)
X.masked_fill(True, 1.)
X.masked_select(V>0)
X.masked_select(X)
X.masked_select(t([True, False, True, False]))
V.masked_select(t([[True], [False]]))
S.masked_select(t(True))
X.masked_select((X>1).to(torch.uint8))
torch.nonzero(S)
torch.nonzero(t(0))
torch.nonzero(V)
torch.nonzero(V, as_tuple=True)
torch.nonzero(S, as_tuple=True)
torch.argwhere(S)
torch.argwhere(X>9)
# through nn.functional
torch.nn.functional.one_hot(t([0, 2]))
torch.nn.functional.one_hot(t([0, 2]), 2)
torch.nn.functional.one_hot(t([0, 2]), 5)
torch.nn.functional.one_hot(t([0, -1]))
torch.nn.functional.one_hot(t([0.]))
torch.nn.functional.one_hot(t([0], dtype=torch.int32))
torch.nn.functional.one_hot(t(2))
torch.nn.functional.one_hot(t([], dtype=torch.int64))
torch.nn.functional.one_hot(t([], dtype=torch.int64), 3)
torch.nn.functional.one_hot(t([0]), 0)
torch.nn.functional.one_hot(t([0]), -1)
torch.nn.functional.one_hot(t([0]), -2)
torch.nn.functional.embedding(t([0, 3]), X)
torch.nn.functional.embedding(t([0, -1]), X)
torch.nn.functional.embedding(t([0.]), X)
torch.nn.functional.embedding(t(1), X)
torch.nn.functional.embedding(t([[0, 1]], dtype=torch.int32), X)
torch.nn.functional.embedding(t([0]), V)
torch.nn.functional.embedding(t([0]), X, padding_idx=3)
torch.nn.functional.embedding(t([0]), X, padding_idx=-4)
torch.nn.functional.embedding(t([0], dtype=torch.uint8), X)
torch.nn.functional.embedding(t([True]), X)
torch.nn.functional.pad(X, (1, ))
torch.nn.functional.pad(X, (1, 1, 1, 1, 1, 1))
torch.nn.functional.pad(X, (1, -1), value=5)
torch.nn.functional.pad(X, (-3, -3))
torch.nn.functional.pad(X, (0, 0))
torch.nn.functional.pad(X, (1, 1), 'foo')
torch.nn.functional.pad(X, (1, 1), 'reflect').shape
torch.nn.functional.pad(X, (4, 1), 'reflect')
torch.nn.functional.pad(X, (3, -1), 'reflect')
torch.nn.functional.pad(X, (1, 1), 'replicate').shape
torch.nn.functional.pad(X, (1, 1), 'circular').shape
torch.nn.functional.pad(X, (5, 1), 'circular')
torch.nn.functional.pad(X, (-1, 1), 'replicate')
torch.nn.functional.pad(V, (1, 1), 'reflect')
torch.nn.functional.pad(V, (1, 1), 'circular')
torch.nn.functional.pad(X, (1, 1, 1, 1), 'reflect').shape
torch.nn.functional.pad(X[None], (1, 1, 1, 1), 'reflect')
torch.nn.functional.pad(X[None], (1, 1, 1, 1), 'circular').shape
torch.nn.functional.pad(X, (1, 1, 1, 1), 'circular').shape
torch.nn.functional.pad(X[None, None], (1, 1), 'reflect')
torch.nn.functional.pad(X, (1, 1), 'reflect', 5)
torch.nn.functional.pad(X.long(), (1, 1), value=1.5)
torch.nn.functional.pad(X>1, (1, 1), value=1)
torch.nn.functional.pad(X, [1, 1, 2, 2]).shape
torch.nn.functional.pad(X.long(), (1, 1), 'reflect')
slope(lambda x: torch.nn.functional.embedding(t([[1, 1], [0, 2]]), x), [[1.0], [3.0], [5.0]])
slope(lambda x: torch.nn.functional.embedding(t([1, 1, 0]), x, padding_idx=1), [[1.0], [3.0]])
slope(lambda x: torch.nn.functional.embedding(t([1, 1, 0]), x, padding_idx=-1), [[1.0], [3.0]])
slope(lambda x: torch.nn.functional.pad(x, (1, -1)) * 2, [1.0, 2.0])
slope(lambda x: torch.nn.functional.pad(x, (1, 2, 1, 0), value=7) * 2, [[1.0, 2.0]])
slope(lambda x: torch.nn.functional.pad(x, (2, 1), "reflect") * 1, [[1.0, 2.0, 3.0]])
slope(lambda x: torch.nn.functional.pad(x, (2, 1), "replicate") * 1, [[1.0, 2.0, 3.0]])
slope(lambda x: torch.nn.functional.pad(x, (2, 1), "circular") * 1, [[1.0, 2.0, 3.0]])
# derivatives, and names of nodes
slope(lambda x: x.gather(1, t([[0, 0], [1, 0]])) * t([[1.0, 2.0], [3.0, 4.0]]), [[1.0, 2.0]] * 2)
slope(lambda x: x.scatter(1, t([[0], [1]]), 9.0) * 2, [[1.0, 2.0], [3.0, 4.0]])[1]
slope(lambda x: x.scatter(1, t([[0], [1]]), t([[7.0], [8.0]])) * 2, [[1.0, 2.0], [3.0, 4.0]])
slope(lambda x: torch.zeros(2, 2).scatter(1, t([[0, 0], [1, 1]]), x) * 2, [[1.0, 2.0], [3.0, 4.0]])
slope(lambda x: x.scatter_add(0, t([0, 0]), t([1.0, 2.0])), [1.0, 2.0])
slope(lambda x: torch.zeros(3).scatter_add(0, t([2, 2]), x) * t([1.0, 2.0, 3.0]), [1.0, 2.0])
slope(lambda x: x.index_select(1, t([1, 1, 0])) * t([1.0, 2.0, 3.0]), [[1.0, 2.0], [3.0, 4.0]])
slope(lambda x: x.index_add(0, t([1, 1]), t([1.0, 2.0])), [1.0, 2.0])
slope(lambda x: torch.zeros(3).index_add(0, t([1, 1]), x, alpha=3), [1.0, 2.0])
slope(lambda x: x.masked_fill(x > 1, 0.0) * 3, [1.0, 2.0])
slope(lambda x: x.masked_fill(x > 1, -inf), [1.0, 2.0])
slope(lambda x: x.masked_select(x > 1)[0:1] * 3, [1.0, 2.0])
slope(lambda x: x.repeat_interleave(2)[1:] * 1, [1.0, 2.0])
slope(lambda x: x.repeat_interleave(t([0, 3]), 0), [1.0, 2.0])
slope(lambda x: torch.take_along_dim(x, t([[1], [0]]), 1), [[1.0, 2.0], [3.0, 4.0]])"""


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
            "X.gather(I, 0)",
            "X.scatter(0, I, t([[1., 2.]]))",
            'X.scatter(0, I, "a")',
            "X.index_select(0, I[0].float())",
            "X.index_add(0, t([0, 1]), X[:2].long())",
            "X.index_add(0, t([0, 1]), X[:2, :2])",
            "torch.take_along_dim(X, t([[1.]]), 1)",
            'X.masked_fill(X>1, "a")',
            "X.masked_fill(True, 1.)",
            "torch.nn.functional.embedding(t([0.]), X)",
            "torch.nn.functional.embedding(t([0], dtype=torch.uint8), X)",
            "torch.nn.functional.embedding(t([True]), X)",
            "torch.nn.functional.pad(X, (4, 1), 'reflect')",
            "torch.nn.functional.pad(X, (5, 1), 'circular')",
        ],
    )
)
