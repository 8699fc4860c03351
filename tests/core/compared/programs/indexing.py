"""Programs about comparisons, choices, shapes and reading by index."""

from __future__ import annotations

EXPRESSIONS = """
# comparisons and choices
t([1, 2]) == t([1, 3])
t([1.0, nan]) != t([1.0, nan])
t([1, 2]) < 1.5
2 >= t([1, 2, 3])
t([1.0]) <= t([[1.0], [0.0]])
t([1, 2]) > t(1.5)
t(3) == 3.0
t([True, False]) & t([True, True])
t([True, False]) | True
t([True, False]) ^ t([True, True])
~t([True, False])
~t([0, 5])
t([6, 3]) & 2
1 | t([2, 4])
True & t([True, False])
torch.where(t([True, False]), t([1.0, 2.0]), t([10.0, 20.0]))
torch.where(t([True, False]), 1, 0)
torch.where(t([True, False]), 1.5, t([1, 2]))
torch.where(t([[True], [False]]), t([1, 2]), t(0.5))
torch.where(t([True, False]), t([1.0, 2.0], dtype=torch.float64), 0)
torch.where(t(True), t(1.0), 2.0)
torch.eq(t([1]), 1)
t([1.0, 2.0]).gt(1)
t([1]) == "a"
t([1]) == None
t([1.0, 2.0]).eq(t([1.0, 3.0])).all().item()
# shapes
torch.arange(6).reshape(2, 3)
torch.arange(6).reshape((3, -1))
torch.arange(6).view(2, -1).T
torch.arange(6).reshape(1, 2, 3).transpose(0, 2).shape
torch.arange(6).reshape(1, 2, 3).permute(2, 0, 1)
torch.arange(6).reshape(1, 2, 3).mT.shape
torch.zeros(1, 2, 1).squeeze().shape
torch.zeros(1, 2, 1).squeeze(0).shape
torch.zeros(1, 2, 1).squeeze(1).shape
torch.zeros(1, 2, 1).squeeze((0, -1)).shape
torch.zeros(2).unsqueeze(-1).shape
t([[1], [2]]).expand(2, 3)
t([1, 2]).expand(3, -1)
t(1).expand(2, 2)
torch.zeros(2, 3, 4).flatten().shape
torch.zeros(2, 3, 4).flatten(1).shape
torch.zeros(2, 3, 4).flatten(0, 1).shape
t(1.0).flatten()
torch.zeros(0, 3).reshape(3, 0).shape
torch.zeros(0, 3).view(-1, 3).shape
torch.cat([t([1, 2]), t([3])])
torch.cat([t([1]), t([2.5])])
torch.cat([torch.ones(1, 2), torch.zeros(2, 2)], dim=0)
torch.cat((torch.ones(2, 1), torch.zeros(2, 2)), -1)
torch.cat([t([]), t([[1.0, 2.0]])])
torch.stack([t([1, 2]), t([3, 4])])
torch.stack([t([1, 2]), t([3, 4])], dim=-1)
torch.stack([t(1), t(2.5)])
torch.transpose(t([[1, 2]]), 0, 1)
torch.flatten(t([[1, 2]]))
torch.squeeze(t([[1, 2]]))
torch.unsqueeze(t([1, 2]), 0)
torch.permute(t([[1, 2]]), (1, 0))
torch.reshape(t([[1, 2]]), (2,))
t([1, 2]).T
t(1).T
# reading by index
torch.arange(12).reshape(3, 4)[1]
torch.arange(12).reshape(3, 4)[-1, -1]
torch.arange(12).reshape(3, 4)[:, 1:3]
torch.arange(12).reshape(3, 4)[::2, ::3]
torch.arange(12).reshape(3, 4)[..., 0]
torch.arange(12).reshape(3, 4)[None, 1].shape
torch.arange(12).reshape(3, 4)[[0, 2]]
torch.arange(12).reshape(3, 4)[[0, 2], [1, 1]]
torch.arange(12).reshape(3, 4)[t([True, False, True])]
torch.arange(12).reshape(3, 4)[torch.arange(12).reshape(3, 4) > 8]
torch.arange(12).reshape(3, 4)[:, t([0, -1])]
torch.arange(12).reshape(3, 4)[t([[0], [2]]), t([1, 3])]
torch.arange(12).reshape(3, 4)[1, [0, 1]]
torch.arange(12).reshape(3, 4)[[0, 1], 1:]
torch.arange(12).reshape(3, 4)[(1, 2)]
torch.arange(12).reshape(3, 4)[t(1), t(2)]
torch.arange(12).reshape(3, 4)[5:]
torch.arange(12).reshape(3, 4)[:100, -100:2]
torch.arange(12).reshape(3, 4)[[True, False, True]]
torch.arange(12).reshape(3, 4)[np.array([0, 1])]
torch.arange(12).reshape(3, 4)[t([1, 0], dtype=torch.int32)]
torch.arange(12).reshape(3, 4)[True].shape
torch.arange(12).reshape(3, 4)[False].shape
torch.arange(12).reshape(3, 4)[[]]
torch.arange(12).reshape(3, 4)[range(2)]
torch.arange(12).reshape(3, 4)[np.int64(1)]
torch.arange(24).reshape(2, 3, 4)[[0, 1], :, [1, 2]]
torch.arange(24).reshape(2, 3, 4)[:, [0, 1], [1, 2]]
torch.arange(24).reshape(2, 3, 4)[0, :, [1, 2]]
torch.arange(24).reshape(2, 3, 4)[t(0), :, [1, 2]]
torch.arange(24).reshape(2, 3, 4)[[0, 1], :, 2]
torch.arange(24).reshape(2, 3, 4)[[0, 1], None, 2].shape
torch.arange(24).reshape(2, 3, 4)[0, [1, 2], 1]
torch.arange(24).reshape(2, 3, 4)[1, :, t([True, False, True, False])].shape
torch.arange(24).reshape(2, 3, 4)[None, [0, 1], 1].shape
torch.arange(24).reshape(2, 3, 4)[..., 0, [0, 1]].shape
torch.arange(24).reshape(2, 3, 4)[[[0, 1]], ..., 1]
t(5)[...]
t(5)[None]
t(5)[()]
t(5)[t(True)]
t([1, 2, 3])[t([True, False, True])]
t([1, 2])[t([], dtype=torch.int64)]
"""

PROGRAMS = ()
