"""Programs about what errors and warnings say, and when."""

from __future__ import annotations

EXPRESSIONS = """
t(2.0).mT
leaf(2.0).mT.is_leaf
(leaf(2.0) * 1).mT
t([2.0]).mT
t(1.0).narrow(0, 0, 1)
t([1.0]).narrow(0, 3, 1)
t([1.0]).narrow(0, 0, 2)
t([[1.0, 2.0]]).select(1, 2)
t([[1.0, 2.0]]).select(-1, -3)
t([[1.0, 2.0]]).select(-1, -2)
torch.zeros(0, 3).select(0, 0)
t([[1.0, 2.0]]).select(2, 0)
t([[1.0, 2.0]]).select(1, t(1))
t(1.0).unflatten(0, (1, -1))
t([1.0]).unflatten(0, (2,))
t([1.0]).unflatten(0, ())
t([1.0]).unflatten(0, (1, -1))
torch.zeros(4).unflatten(0, (3, -1))
torch.zeros(0, 3).unflatten(0, (0, 2)).shape
t(1.0)[1:]
t(1.0)[0]
t(1.0)[0, 0]
t(1.0)[t([0, 1])]
t([1.0])[0, 0]
setattr(t(1.0), "grad", torch.zeros(2))
setattr(torch.zeros(2), "grad", torch.zeros(2, dtype=torch.float64))
setattr(torch.zeros(2), "grad", 5)
"""

PROGRAMS = ()
