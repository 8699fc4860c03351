"""Samples of linear algebra: products of several kinds, einsum, inverses, determinants, norms."""

from __future__ import annotations

import numpy as np

from samples.sampling import sample, values

# ------------------------------------------------------------------------------------- products

sample("bmm", lambda t, x, y: t.bmm(x, y), values(2, 2, 3), values(2, 3, 1, seed=1))
sample("bmm transposed", lambda t, x, y: x.mT.bmm(y.mT), values(2, 3, 2), values(2, 1, 3, seed=1))
sample("vector times matrix", lambda t, x, y: x @ y, values(2), values(2, 3, seed=1))
sample("vector times stack", lambda t, x, y: x @ y, values(2), values(2, 2, 3, seed=1))
sample("stack times vector", lambda t, x, y: x @ y, values(2, 2, 3), values(3, seed=1))
sample("mv", lambda t, x, y: t.mv(x, y), values(2, 3), values(3, seed=1))
sample("outer", lambda t, x, y: t.outer(x, y), values(2), values(3, seed=1))
sample("trace", lambda t, x: t.trace(x), values(2, 3))
sample("matrix_power 3", lambda t, x: t.matrix_power(x, 3), values(2, 2))
sample("matrix_power 0", lambda t, x: t.matrix_power(x, 0) * x.sum(), values(2, 2))
for name, shape in {"row": (4,), "matrix": (2, 4), "0-d": ()}.items():
    sample(
        f"addmm {name}",
        lambda t, x, y, z: t.addmm(x, y, z, beta=2, alpha=3),
        values(*shape),
        values(2, 3, seed=1),
        values(3, 4, seed=2),
    )
for shape in [(3,), (2, 3), (2, 1, 3), (0, 3)]:
    sample(
        f"linear {shape}",
        lambda t, x, w, b: t.nn.functional.linear(x, w, b),
        values(*shape),
        values(2, 3, seed=1),
        values(2, seed=2),
    )
    sample(
        f"linear without bias {shape}",
        lambda t, x, w: t.nn.functional.linear(x, w),
        values(*shape),
        values(2, 3, seed=1),
    )

EQUATIONS = {
    "ij,jk->ik": [(2, 3), (3, 2)],
    "bij,bjk->bik": [(2, 2, 3), (2, 3, 1)],
    "bqhd,bkhd->bhqk": [(2, 2, 1, 3), (2, 3, 1, 3)],
    "ij,ij->i": [(2, 3), (2, 3)],
    "ij,ij->ij": [(2, 3), (2, 3)],
    "i,j": [(2,), (3,)],
    "ij->ji": [(2, 3)],
    "ij->": [(2, 3)],
    "ii": [(3, 3)],
    "iij->ij": [(2, 2, 3)],
    "iii->i": [(2, 2, 2)],
    "ij,jk,kl->il": [(2, 3), (3, 2), (2, 2)],
    "a,a,a->a": [(3,), (3,), (3,)],
    "...ij,...j->...i": [(2, 2, 3), (3,)],
    "i...,i->...": [(2, 3), (2,)],
    "ij,kj->ik": [(2, 3), (2, 1)],
    "ik,jk->": [(2, 3), (2, 3)],
    "ij,jk": [(0, 3), (3, 2)],
}
for equation, shapes in EQUATIONS.items():
    sample(
        f"einsum {equation} {shapes[0]}",
        lambda t, *xs, equation=equation: t.einsum(equation, *xs),
        *[values(*shape, seed=seed) for seed, shape in enumerate(shapes)],
    )
# ---------------------------------------------------------------- inverses, equations, determinants


def invertible(*shape, seed=0):
    return values(*shape, seed=seed) + 4 * np.eye(shape[-1])


def of_rank(rank, n):
    return values(n, rank) @ values(rank, n, seed=1)


sample("inv", lambda t, x: t.linalg.inv(x), invertible(3, 3))
sample("inv of a stack", lambda t, x: x.inverse(), invertible(2, 1, 2, 2))
sample("inv of nothing", lambda t, x: t.linalg.inv(x), values(0, 2, 2))
SOLVED = {
    "a vector": ((3, 3), (3,)),
    "a matrix": ((3, 3), (3, 2)),
    "vectors": ((2, 2, 2), (2, 2)),
    "a matrix for all": ((2, 2, 2), (2, 3)),
    "matrices for one": ((2, 2), (3, 2, 1)),
}
for name, (shape, other) in SOLVED.items():
    sample(
        f"solve {name}", lambda t, x, y: t.linalg.solve(x, y), invertible(*shape), values(*other)
    )
sample(
    "solve on the left",
    lambda t, x, y: t.linalg.solve(x, y, left=False),
    invertible(3, 3),
    values(2, 3),
)
sample("det", lambda t, x: t.det(x), invertible(3, 3))
sample("det of one", lambda t, x: t.linalg.det(x), values(1, 1))
sample("det of a stack", lambda t, x: x.det(), invertible(2, 2, 2))
sample("slogdet", lambda t, x: t.linalg.slogdet(x).logabsdet, -invertible(3, 3))
sample("matrix_power -2", lambda t, x: t.matrix_power(x, -2), invertible(2, 2))

# ---------------------------------------------------------------------------------------- norms

NORMS = {
    "length": lambda t, x: t.linalg.norm(x),
    "vector 3": lambda t, x: t.linalg.vector_norm(x, 3, dim=1),
    "vector 1 kept": lambda t, x: t.linalg.vector_norm(x, 1, dim=0, keepdim=True),
    "fro": lambda t, x: t.linalg.norm(x, "fro", dim=(0, 1)),
}
for name, function in NORMS.items():
    sample(f"norm {name}", function, values(2, 3))
